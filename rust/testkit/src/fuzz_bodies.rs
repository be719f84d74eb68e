//! The bodies of fuzz targets, run by ordinary tests too: over a seeded corpus, and over what fuzzing once found.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

/// A check by the name of its fuzz target. It panics if what it checks does not hold.
pub type Check = (&'static str, fn(&[u8]));

/// The fuzz targets of one crate.
pub struct FuzzBodies {
    /// What they run.
    pub checks: &'static [Check],
    /// `CARGO_MANIFEST_DIR` of the crate. A file in `tests/fuzz_regressions/<target>` is an input that once failed,
    /// and stays.
    pub crate_folder: &'static str,
    /// What the target of this name begins with; more where the number is greater.
    pub corpus: fn(&str, usize) -> Vec<Vec<u8>>,
}

impl FuzzBodies {
    /// Runs every check over its corpus.
    pub fn check_corpus(&self, count: usize) {
        for check in self.checks {
            for bytes in (self.corpus)(check.0, count) {
                run(*check, &bytes, "the corpus");
            }
        }
    }

    /// Runs every check over what fuzzing once found.
    pub fn check_regressions(&self) {
        let folder = Path::new(self.crate_folder).join("tests/fuzz_regressions");
        for check in self.checks {
            let Ok(files) = fs::read_dir(folder.join(check.0)) else { continue };
            for file in files {
                let path = file.unwrap().path();
                run(*check, &fs::read(&path).unwrap(), &path.display().to_string());
            }
        }
    }

    /// Writes the corpus for `cargo fuzz` into the folder that the variable `FUZZ_CORPUS` names, if there is one.
    pub fn write_corpus(&self, count: usize) {
        let Some(folder) = std::env::var_os("FUZZ_CORPUS") else { return };
        for (name, _) in self.checks {
            let folder = Path::new(&folder).join(name);
            fs::create_dir_all(&folder).unwrap();
            for (index, bytes) in (self.corpus)(name, count).into_iter().enumerate() {
                fs::write(folder.join(format!("seed_{index:04}")), bytes).unwrap();
            }
        }
    }
}

/// Says which input it was, if the check does not hold.
fn run((name, check): Check, bytes: &[u8], origin: &str) {
    let outcome = catch_unwind(|| check(bytes));
    assert!(outcome.is_ok(), "{name} does not hold for {origin}: \"{}\"", bytes.escape_ascii());
}
