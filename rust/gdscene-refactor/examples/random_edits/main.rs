//! Makes random operations on scenes, and compares the results of `gdscene_refactor::edit` with the files that Godot
//! saved.
//!
//! ```text
//! cargo run --release -p gdscene-refactor --example random_edits -- prepare PROJECT FOLDER...
//! cargo run --release -p gdscene-refactor --example random_edits -- choose PROJECT LIST COUNT SEED OUTPUT
//! cargo run --release -p gdscene-refactor --example random_edits -- compare PROJECT OUTPUT
//! ```
//! `choose-alone` chooses only cases of one operation that changes something. `prepare` copies the scenes and resources of projects
//! into one, with stand-ins for missing files. `choose` writes `OUTPUT/cases`, a case in each line, and `OUTPUT/NUMBER.ours`, its
//! result. `godot_project/tools/edit_scenes.gd` does the same in Godot and writes `OUTPUT/NUMBER.godot`. `compare` prints the
//! differences. `scripts/test/project/edits.sh` calls all of them.

mod case;
mod choose;
mod compare;
mod known;
mod prepare;
mod scene;
mod values;

use std::env;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["prepare", project, ref folders @ ..] => prepare::prepare(Path::new(project), folders),
        [what @ ("choose" | "choose-alone"), project, list, count, seed, output] => choose::choose(
            Path::new(project),
            Path::new(list),
            count.parse().expect("a number"),
            seed.parse().expect("a number"),
            Path::new(output),
            what == "choose-alone",
        ),
        ["compare", project, output] => {
            return compare::compare(Path::new(project), Path::new(output));
        }
        _ => panic!("wanted: prepare, choose or compare, with their arguments"),
    }
    ExitCode::SUCCESS
}
