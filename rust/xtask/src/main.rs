//! Chooses, runs and counts the tests of this repository. `scripts/test.sh` calls it and documents its arguments.
//!
//! [`steps`] is the table of all tests. [`plan`] chooses steps from it, [`schedule`] runs them on all cores, [`run`] runs one, and
//! [`counts`] reads how many tests passed. What a test compares is in the scripts and crates that a step runs.

mod arguments;
mod build;
mod counts;
mod groups;
mod plan;
mod report;
mod run;
mod schedule;
mod steps;

use std::{env, path::PathBuf, process::ExitCode};

use crate::{arguments::Arguments, plan::Plan};

fn main() -> ExitCode {
    match test() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Returns whether all tests passed.
fn test() -> Result<bool, String> {
    let arguments = Arguments::parse(env::args().skip(1))?;
    let root = root();
    if arguments.list {
        print!("{}", steps::table());
        return Ok(true);
    }
    let plan = Plan::new(&arguments, &root)?;
    let context = run::Context::new(&arguments, root)?;
    plan.announce(&arguments);
    let outcomes = schedule::run(&plan, &context, arguments.jobs);
    Ok(report::print(&outcomes))
}

/// The top folder of the repository.
fn root() -> PathBuf {
    let package = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).unwrap_or(&package).to_path_buf()
}
