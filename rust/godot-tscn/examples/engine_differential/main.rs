//! The linter against the real engine, on thousands of broken files.
//!
//! ```text
//! cargo run -p godot-tscn --example engine_differential -- FOLDER ENGINE [ARGUMENT…]
//! ```
//!
//! Writes cases into the Godot project at FOLDER, lets ENGINE judge each, in two processes that are
//! started again after a crash, and compares with the diagnostics: a file that the engine refuses,
//! crashes on, or loses data of has to have an error or a warning here, and a file that it reads as
//! it was meant must have no error. Ends with 1 unless that holds for all, apart from what
//! is not in the text, such as a class that this engine does not have. Of each file that has a safe fix
//! the engine has to load the same objects before and after it, or to load it only then.
//!
//! The cases are the files of `malformed` and `corpus/BROKEN`, and seeded mutations of small files of
//! the corpus whose text alone the engine can judge: what they refer to is replaced by stand-ins.
//! `FV_DIFFERENTIAL_SEED` and `FV_DIFFERENTIAL_COUNT` make other mutations and more of them;
//! `FV_DIFFERENTIAL_ONLY` keeps the cases with this text in their label.
//!
//! `godot_project/tools/lint_differential.gd` is the engine's side; rust/docs/lint-differential.md
//! tells what counts as loss, and how the table came out.
#![forbid(unsafe_code)]

mod bases;
mod case;
mod engine;
mod fixes;
mod intent;
mod mutation;
mod report;
mod shuffle;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use testkit::shared::require_shared;

use crate::case::Case;

/// How many mutations are made. Some count twice as the same text, which is left out.
const MUTATION_COUNT: usize = 3600;

/// So many mutations have to be left when those of files are gone that this engine cannot load.
const MIN_MUTATION_COUNT: usize = 3000;

const SEED: u64 = 5;

/// How many files of the corpus are broken by mutations, and how many are judged because the linter has
/// errors for them.
const FROM_CORPUS: (usize, usize) = (418, 6);

/// How many files of the corpus are not judged, and why: no file drops out because of what the linter says.
const LEFT_OUT: [(&str, usize); 5] = [
    ("a material that sets properties of another one", 3),
    ("a script inside", 87),
    ("large", 535),
    ("nodes of another scene", 137),
    ("not of Godot 4", 1171),
];

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let (Some(folder), Some(program)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: engine_differential FOLDER ENGINE [ARGUMENT…]");
        return ExitCode::from(2);
    };
    let (folder, arguments) = (PathBuf::from(folder), arguments.collect::<Vec<_>>());
    let (Some(corpus), Some(malformed)) = (require_shared("corpus"), require_shared("malformed"))
    else {
        println!("0 passed, 0 failed, 1 skipped");
        return ExitCode::SUCCESS;
    };
    let mut cases = Vec::new();
    cases.extend(case::files_as_they_are(&malformed));
    cases.extend(case::files_as_they_are(&corpus.join("BROKEN")));
    let bases::Bases { sound: bases, doubtful, left_out } = bases::bases(&corpus);
    println!(
        "of the corpus: {} sound files, {} with errors here, left out {left_out:?}",
        bases.len(),
        doubtful.len()
    );
    cases.extend(doubtful.iter().map(Case::of_doubtful));
    cases.extend(bases.iter().map(Case::of_base));
    let number = |name: &str| env::var(name).ok().and_then(|number| number.parse().ok());
    let seed = number("FV_DIFFERENTIAL_SEED").unwrap_or(SEED);
    let count = number("FV_DIFFERENTIAL_COUNT").unwrap_or(MUTATION_COUNT as u64) as usize;
    cases.extend(mutation::mutations(&bases, count, seed));
    let only = env::var("FV_DIFFERENTIAL_ONLY").ok();
    if let Some(only) = &only {
        cases.retain(|case| case.label.contains(only.as_str()));
    }
    cases.extend(fixes::examples());
    let shuffled = shuffle::shuffled(&mut cases, seed);
    cases.extend(shuffled);
    let fixed = fixes::fixed_cases(&mut cases);
    cases.extend(fixed);
    let verdicts = match engine::judge(&folder, &program, &arguments, &cases) {
        Ok(verdicts) => verdicts,
        Err(error) => {
            eprintln!("engine_differential: {error}");
            return ExitCode::from(2);
        }
    };
    let report = report::Report::new(&cases, &verdicts);
    let fix_report = fixes::FixReport::new(&cases, &verdicts);
    println!("{fix_report}");
    println!("{report}");
    let is_whole = only.is_none() && count >= MUTATION_COUNT;
    if report.is_good(is_whole)
        && fix_report.is_good(is_whole)
        && (!is_whole || report.mutation_count >= MIN_MUTATION_COUNT)
        && (!is_whole || (bases.len(), doubtful.len()) == FROM_CORPUS)
        && (!is_whole || left_out.iter().map(|(why, count)| (*why, *count)).eq(LEFT_OUT))
    {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
