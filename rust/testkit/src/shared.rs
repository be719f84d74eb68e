//! The shared material that tests read: corpora, malformed files, vectors.
//!
//! A user's clone has none. Tests then say so and count as skipped; on continuous integration a
//! missing folder is a failure.

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
