//! What people read of a run of the bench: the tables and the chart of `docs/speed.md`, made from the rows that the run wrote.

mod chart;
mod codec_table;
mod format;
mod readme;
mod rows;
mod scene_table;

use std::fs;
use std::path::{Path, PathBuf};

use self::readme::Marks;
use self::rows::Run;

/// What can go wrong, with the file that it is about.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{path}: {source}")]
    File { path: PathBuf, source: std::io::Error },
    #[error("{path}: {source}")]
    Rows { path: PathBuf, source: rows::Error },
    #[error("{path}: {source}")]
    Readme { path: PathBuf, source: readme::Error },
}

/// Rewrites the tables that the rows are about, between their marks.
pub(crate) fn rewrite_readme(rows: &Path, path: &Path) -> Result<(), Error> {
    let tables = match scene_table::rows(&read(rows)?) {
        Some(rows) => vec![(readme::TEXT, scene_table::table(&rows))],
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
    let mut tables = vec![(readme::CODEC, codec_table::table(&alone))];
    match (read_run(rows, rows::PINNED), read_run(rows, rows::NEIGHBOUR)) {
        (Ok(pinned), Ok(neighbour)) => {
            tables.push((readme::LOADS, codec_table::loads(&alone, &pinned, &neighbour)));
        }
        _ => eprintln!("Not measured under other loads: that table stays (--load all)."),
    }
    Ok(tables)
}

/// Writes the chart into `path`.
pub(crate) fn draw_chart(rows: &Path, path: &Path) -> Result<(), Error> {
    write(path, &chart::chart(&read_run(rows, rows::ALONE)?))
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
