//! `bench-report`: what people read of a run of the bench, made from the rows that it wrote.
//!
//! ```text
//! bench-report readme ROWS.json README.md     rewrites the table between the marks
//! bench-report plot ROWS.json FOLDER          writes the chart, or those of how cost grows
//! ```

#![forbid(unsafe_code)]

mod chart;
mod format;
mod growth;
mod growth_chart;
mod readme;
mod rows;
mod table;
mod text_table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use rows::Run;

/// Makes tables and charts of the bench from the rows that it measured.
#[derive(Debug, Parser)]
#[command(name = "bench-report")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Rewrite the table between the marks of a README.
    Readme { rows: PathBuf, readme: PathBuf },
    /// Write `bench-codec.svg`, or `growth-NAME.svg` for each chart of how cost grows.
    Plot { rows: PathBuf, folder: PathBuf },
}

/// What can go wrong, with the file that it is about.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("{path}: {source}")]
    File { path: PathBuf, source: std::io::Error },
    #[error("{path}: {source}")]
    Rows { path: PathBuf, source: rows::Error },
    #[error("{path}: {source}")]
    Readme { path: PathBuf, source: readme::Error },
    #[error("{path}: {what}")]
    Growth { path: PathBuf, what: String },
}

fn main() -> ExitCode {
    let done = match Args::parse().command {
        Command::Readme { rows, readme } => rewrite_readme(&rows, &readme),
        Command::Plot { rows, folder } => write_charts(&rows, &folder),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn rewrite_readme(rows: &Path, path: &Path) -> Result<(), Error> {
    let (marks, table) = match text_table::rows(&read(rows)?) {
        Some(rows) => (readme::TEXT, text_table::table(&rows)),
        None => (readme::CODEC, table::table(&read_run(rows)?)),
    };
    let readme = readme::with_table(&read(path)?, marks, &table)
        .map_err(|source| Error::Readme { path: path.into(), source })?;
    write(path, &readme)
}

fn write_charts(rows: &Path, folder: &Path) -> Result<(), Error> {
    let Some(charts) = growth::charts(&read(rows)?) else {
        return write(&folder.join("bench-codec.svg"), &chart::chart(&read_run(rows)?));
    };
    for chart in charts.map_err(|what| Error::Growth { path: rows.into(), what })? {
        write(&folder.join(format!("growth-{}.svg", chart.name)), &growth_chart::chart(&chart))?;
    }
    Ok(())
}

fn read_run(path: &Path) -> Result<Run, Error> {
    Run::parse(&read(path)?).map_err(|source| Error::Rows { path: path.into(), source })
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|source| Error::File { path: path.into(), source })
}

fn write(path: &Path, content: &str) -> Result<(), Error> {
    fs::write(path, content).map_err(|source| Error::File { path: path.into(), source })?;
    println!("Written: {}", path.display());
    Ok(())
}
