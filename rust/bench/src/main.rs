//! `bench`: what the suites of `scripts/bench.sh`, and the test of growth, need beside a clock.
//!
//! ```text
//! bench readme ROWS.json PAGE.md               rewrites the tables between the marks
//! bench plot ROWS.json CHART.svg               writes the chart
//! bench growth write BYTES FOLDER              for scripts/test/performance/growth.sh: does work grow faster than its input?
//! bench growth work FILE...
//! bench growth compare DUMPS FILE...
//! bench instructions list                      for scripts/bench.sh instructions: did a path become slower?
//! bench instructions run PATH
//! bench instructions project FOLDER SCENES
//! bench instructions count PROGRAM DUMPS [--whole]
//! bench instructions compare STORED COUNTED COMPILER
//! ```

#![forbid(unsafe_code)]

mod callgrind;
mod growth;
mod instructions;
mod report;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Shows what was measured, does work for a profiler, and reads what the profiler counted.
#[derive(Debug, Parser)]
#[command(name = "bench")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Rewrite the tables between the marks of a page.
    Readme { rows: PathBuf, readme: PathBuf },
    /// Write the chart.
    Plot { rows: PathBuf, chart: PathBuf },
    /// Whether work grows faster than its input.
    #[command(subcommand)]
    Growth(Growth),
    /// What the most used paths take.
    #[command(subcommand)]
    Instructions(Instructions),
}

#[derive(Debug, Subcommand)]
enum Growth {
    /// Write the hostile texts and values, each of about that many bytes.
    Write { bytes: usize, folder: PathBuf },
    /// Judge, fix, format, merge and compare texts, decode and encode values.
    Work { files: Vec<PathBuf> },
    /// Say what grows too fast, by the profiler's dumps in a folder.
    Compare { dumps: PathBuf, files: Vec<PathBuf> },
}

#[derive(Debug, Subcommand)]
enum Instructions {
    /// Print the names of all paths.
    List,
    /// Take one, and print how many bytes it was about.
    Run { path: String },
    /// Write a project of so many scenes and scripts, for the paths of `gdscene`.
    Project { folder: PathBuf, scenes: usize },
    /// Print what a path took, or the whole of a program, by the profiler's dumps in a folder.
    Count {
        program: PathBuf,
        dumps: PathBuf,
        #[arg(long)]
        whole: bool,
    },
    /// Compare with what is stored. `compiler` is the one that the programs were built with.
    Compare { stored: PathBuf, counted: PathBuf, compiler: String },
}

fn main() -> ExitCode {
    match run(Args::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Carries a command out. Returns whether what it compares is as it should be.
fn run(command: Command) -> Result<bool, Box<dyn Error>> {
    match command {
        Command::Readme { rows, readme } => report::rewrite_readme(&rows, &readme)?,
        Command::Plot { rows, chart } => report::draw_chart(&rows, &chart)?,
        Command::Growth(Growth::Write { bytes, folder }) => growth::write(&folder, bytes)?,
        Command::Growth(Growth::Work { files }) => growth::work(&files)?,
        Command::Growth(Growth::Compare { dumps, files }) => {
            return Ok(growth::compare(&dumps, &files)?);
        }
        Command::Instructions(Instructions::List) => {
            instructions::all().iter().for_each(|path| println!("{}", path.name));
        }
        Command::Instructions(Instructions::Run { path }) => instructions::run(&path)?,
        Command::Instructions(Instructions::Project { folder, scenes }) => {
            instructions::write_project(&folder, scenes)?;
        }
        Command::Instructions(Instructions::Count { program, dumps, whole }) => {
            println!("{}", callgrind::work(&program, &dumps, whole)?);
        }
        Command::Instructions(Instructions::Compare { stored, counted, compiler }) => {
            return Ok(instructions::compare(&stored, &counted, &compiler)?);
        }
    }
    Ok(true)
}
