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
mod svg_parts;
mod table;
mod text_table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use readme::Marks;
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
    let tables = match text_table::rows(&read(rows)?) {
        Some(rows) => vec![(readme::TEXT, text_table::table(&rows))],
        None => codec_tables(rows)?,
    };
    let mut text = read(path)?;
    for (marks, table) in tables {
        text = readme::with_table(&text, marks, &table)
            .map_err(|source| Error::Readme { path: path.into(), source })?;
    }
    write(path, &text)
}

/// The table of the codec, and that of other loads if they were measured.
fn codec_tables(rows: &Path) -> Result<Vec<(Marks, String)>, Error> {
    let alone = read_run(rows, rows::ALONE)?;
    let mut tables = vec![(readme::CODEC, table::table(&alone))];
    match (read_run(rows, rows::PINNED), read_run(rows, rows::NEIGHBOUR)) {
        (Ok(pinned), Ok(neighbour)) => {
            tables.push((readme::LOADS, table::loads(&alone, &pinned, &neighbour)));
        }
        _ => eprintln!("Not measured under other loads: that table stays (--load all)."),
    }
    Ok(tables)
}

fn write_charts(rows: &Path, folder: &Path) -> Result<(), Error> {
    let Some(charts) = growth::charts(&read(rows)?) else {
        return write(
            &folder.join("bench-codec.svg"),
            &chart::chart(&read_run(rows, rows::ALONE)?),
        );
    };
    for chart in charts.map_err(|what| Error::Growth { path: rows.into(), what })? {
        write(&folder.join(format!("growth-{}.svg", chart.name)), &growth_chart::chart(&chart))?;
    }
    Ok(())
}

fn read_run(path: &Path, load: &'static str) -> Result<Run, Error> {
    Run::parse(&read(path)?, load).map_err(|source| Error::Rows { path: path.into(), source })
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|source| Error::File { path: path.into(), source })
}

fn write(path: &Path, content: &str) -> Result<(), Error> {
    fs::write(path, content).map_err(|source| Error::File { path: path.into(), source })?;
    println!("Written: {}", path.display());
    Ok(())
}
