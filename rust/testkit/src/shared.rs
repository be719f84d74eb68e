//! The shared material that tests read: corpora, malformed files, vectors.
//!
//! A user's clone has none. Tests then say so and count as skipped; on continuous integration a
//! missing folder is a failure.
//!
//! `scripts/test.sh` without arguments sets `FV_SAMPLE=1`: a test that takes long then reads a part
//! of the material, which `FV_SEED` chooses.

use std::env;
use std::path::{Path, PathBuf};

/// The folder named by `FV_SHARED`, or `../shared` beside the workspace, if it exists.
pub fn shared_dir() -> Option<PathBuf> {
    let dir = match env::var_os("FV_SHARED") {
        Some(dir) => PathBuf::from(dir),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    dir.is_dir().then_some(dir)
}

/// The file or folder `sub` of [`shared_dir`], for a test that cannot run without it.
///
/// Prints a line that starts with `SKIPPED: ` and returns nothing if it is missing.
///
/// # Panics
/// If it is missing and `CI` is `true`.
pub fn require_shared(sub: &str) -> Option<PathBuf> {
    let found = shared_dir().map(|dir| dir.join(sub)).filter(|path| path.exists());
    if found.is_none() {
        let message = format!("no shared `{sub}`: set FV_SHARED to the folder that holds it");
        assert!(env::var("CI").as_deref() != Ok("true"), "{message}");
        eprintln!("SKIPPED: {message}");
    }
    found
}

/// Whether tests read a sample of the shared material, so that what they count is smaller.
pub fn is_sample() -> bool {
    env::var("FV_SAMPLE").as_deref() == Ok("1")
}

/// Every `one_in`-th item if tests read a sample, otherwise all. `FV_SEED` chooses the first.
pub fn sample<T>(items: Vec<T>, one_in: usize) -> Vec<T> {
    if !is_sample() {
        return items;
    }
    let seed = env::var("FV_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    println!("one in {one_in}, FV_SEED={seed}");
    items.into_iter().skip(seed % one_in).step_by(one_in).collect()
}
