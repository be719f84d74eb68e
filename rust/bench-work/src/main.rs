//! `bench-work`: how much work things take, for a profiler that counts instructions.
//!
//! ```text
//! bench-work growth write BYTES FOLDER        for scripts/test/performance/growth.sh: does work grow faster than its input?
//! bench-work growth work FILE...
//! bench-work growth compare DUMPS FILE...
//! bench-work paths list                       for scripts/bench.sh instructions: did a path become slower?
//! bench-work paths run PATH
//! bench-work paths project FOLDER SCENES
//! bench-work paths count PROGRAM DUMPS [--whole]
//! bench-work paths compare STORED COUNTED COMPILER
//! ```

#![forbid(unsafe_code)]

mod callgrind;
mod growth;
mod paths;
mod stored;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Does work for a profiler, and reads what the profiler counted.
#[derive(Debug, Parser)]
#[command(name = "bench-work")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Whether work grows faster than its input.
    #[command(subcommand)]
    Growth(Growth),
    /// What the most used paths take.
    #[command(subcommand)]
    Paths(Paths),
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
enum Paths {
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
    let done = match Args::parse().command {
        Command::Growth(Growth::Write { bytes, folder }) => {
            growth::write(&folder, bytes).map(|()| true)
        }
        Command::Growth(Growth::Work { files }) => growth::work(&files).map(|()| true),
        Command::Growth(Growth::Compare { dumps, files }) => growth::compare(&dumps, &files),
        Command::Paths(Paths::List) => {
            paths::all().iter().for_each(|path| println!("{}", path.name));
            Ok(true)
        }
        Command::Paths(Paths::Run { path }) => paths::run(&path).map(|()| true),
        Command::Paths(Paths::Project { folder, scenes }) => {
            paths::write_project(&folder, scenes).map(|()| true)
        }
        Command::Paths(Paths::Count { program, dumps, whole }) => {
            callgrind::work(&program, &dumps, whole).map(|work| {
                println!("{work}");
                true
            })
        }
        Command::Paths(Paths::Compare { stored, counted, compiler }) => {
            stored::compare(&stored, &counted, &compiler)
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
