//! A bar on the terminal while a big project is worked on.

use std::io::{IsTerminal, stderr, stdout};

use indicatif::{ProgressBar, ProgressStyle};

/// Fewer files are done before anybody looks.
const MIN_FILES: usize = 500;

/// A bar over `count` files: seen only where people look at standard error and where what is found
/// does not scroll it away.
pub(crate) fn bar(count: usize) -> ProgressBar {
    if count < MIN_FILES || !stderr().is_terminal() || stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} files")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(count as u64).with_style(style)
}
