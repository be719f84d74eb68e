//! Unified diffs.

use std::io::Write;
use std::time::Duration;

use similar::TextDiff;

/// After so long a diff need not be the shortest: where every line of a large file changes, the
/// search takes the square of their number.
const DIFF_TIME: Duration = Duration::from_secs(1);

/// A unified diff, as bytes: the text need not be UTF-8.
pub(crate) fn unified(name: &str, old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    if old == new {
        return out;
    }
    // Not `diff_lines`, for which a CR in a string ends a line too.
    let lines = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n').collect();
    let (old, new): (Vec<_>, Vec<_>) = (lines(old), lines(new));
    let mut config = TextDiff::configure();
    let diff = config.timeout(DIFF_TIME).newline_terminated(true).diff_slices(&old, &new);
    // A `Vec` takes everything.
    let _ = writeln!(out, "--- {name}\n+++ {name}");
    // Not `UnifiedDiff::to_writer`, which replaces what is not UTF-8.
    for hunk in diff.unified_diff().iter_hunks() {
        let _ = hunk.to_writer(&mut out);
    }
    out
}
