//! The changes in files, as a unified diff of limited length.

use std::time::Duration;

use similar::TextDiff;

/// No diff of a change has more characters.
const MAX_DIFF: usize = 6_000;

/// How long to search for the shortest diff of one file.
const DIFF_TIME: Duration = Duration::from_millis(500);

/// The number of lines around each change.
const CONTEXT: usize = 2;

/// The unified diff of several files: the path, the contents, the new contents.
pub(crate) fn unified<'t>(
    files: impl IntoIterator<Item = (&'t str, &'t [u8], &'t [u8])>,
) -> String {
    let mut out = String::new();
    let mut left_out = 0;
    for (path, old, new) in files {
        if out.len() >= MAX_DIFF {
            left_out += 1;
            continue;
        }
        out.push_str(&format!("--- {path}\n+++ {path}\n{}", hunks(old, new)));
    }
    let lines_left_out = cut(&mut out);
    match (lines_left_out, left_out) {
        (0, 0) => {}
        (lines, 0) => out.push_str(&format!("… {lines} more lines\n")),
        (lines, files) => out.push_str(&format!("… {lines} more lines, and {files} more files\n")),
    }
    out
}

fn hunks(old: &[u8], new: &[u8]) -> String {
    // Not `diff_lines`, for which a CR in a string ends a line too.
    let lines = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n').collect();
    let (old, new): (Vec<_>, Vec<_>) = (lines(old), lines(new));
    let mut config = TextDiff::configure();
    let diff = config.timeout(DIFF_TIME).newline_terminated(true).diff_slices(&old, &new);
    diff.unified_diff().context_radius(CONTEXT).to_string()
}

/// Cuts the text at the end of a line; how many lines are left out. One line may be longer than all that fits.
fn cut(text: &mut String) -> usize {
    let Some((end, _)) = text.char_indices().nth(MAX_DIFF) else { return 0 };
    let end = text[..end].rfind('\n').map_or(end, |at| at + 1);
    let left_out = text[end..].lines().count();
    text.truncate(end);
    left_out
}
