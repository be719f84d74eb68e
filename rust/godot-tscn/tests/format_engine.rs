//! The formatter on what engines have just saved: every file is a fixpoint, and comes back after it
//! was spoiled.
//!
//! `FV_RESAVED_4` and `FV_RESAVED_3` name the folders that scripts/test/scenes/formatter.sh fills with the help
//! of Godot 4 and 3.

use std::path::PathBuf;
use std::{env, fs};

use crate::format_spoil::Random;
use godot_tscn::{FormatOptions, GodotVersion, format};

type Spoiler = fn(&[u8], &mut Random) -> Vec<u8>;

/// What spoils a text.
const SPOILERS: [(&str, Spoiler); 5] = [
    ("spacing", crate::format_spoil::spacing),
    ("order of fields", crate::format_spoil::fields),
    ("order of ext_resources", crate::format_spoil::ext_resources),
    ("order of dictionary keys", crate::format_spoil::dictionaries),
    ("form of numbers", crate::format_spoil::numbers),
];

#[test]
fn what_godot_4_saved() {
    check("FV_RESAVED_4", "FV_VERSION_4", 940, SPOILED_4);
}

#[test]
fn what_godot_3_saved() {
    check("FV_RESAVED_3", "FV_VERSION_3", 130, SPOILED_3);
}

/// How many texts each of the [`SPOILERS`] changes at least: about what it did when this was written. Each file is
/// spoiled twice.
const SPOILED_4: [usize; 5] = [1850, 1750, 800, 220, 1700];
const SPOILED_3: [usize; 5] = [255, 240, 28, 20, 220];

/// Checks all files in the folder that the variable names.
fn check(folder: &str, version: &str, at_least: usize, spoiled_at_least: [usize; 5]) {
    let Some(folder) = env::var_os(folder).map(PathBuf::from) else {
        println!("SKIPPED: no {folder}: scripts/test/scenes/formatter.sh sets it");
        return;
    };
    let version: GodotVersion = env::var(version).unwrap().parse().unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut spoiled, mut count, mut wrong) = ([0; SPOILERS.len()], 0, Vec::new());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read(&path).unwrap();
        count += 1;
        // The version may be given or not.
        for target in [Some(version), None] {
            let mut options = FormatOptions::default();
            options.target = target;
            let is_same = |text: &[u8], expected: &[u8]| {
                format(text, &options).is_ok_and(|formatted| *formatted.text == *expected)
            };
            if !is_same(&text, &text) {
                wrong.push(format!("{}: is changed", path.display()));
                continue;
            }
            for (index, (name, spoil)) in SPOILERS.iter().enumerate() {
                let other = spoil(&text, &mut random);
                spoiled[index] += usize::from(other != text);
                if !is_same(&other, &text) {
                    wrong.push(format!("{}: {name} does not come back", path.display()));
                }
            }
        }
    }
    println!("{count} files that Godot {version} saved are fixpoints");
    for ((name, _), spoiled) in SPOILERS.iter().zip(spoiled) {
        println!("{spoiled} texts with another {name} came back");
    }
    let is_enough = spoiled.iter().zip(spoiled_at_least).all(|(spoiled, least)| *spoiled >= least);
    assert!(is_enough, "{spoiled:?} texts were spoiled, less than {spoiled_at_least:?}");
    assert!(count >= at_least, "only {count} files");
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}
