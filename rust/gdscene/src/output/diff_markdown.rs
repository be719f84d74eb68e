//! The differences between files, as Markdown for the comment of a pull request.
//!
//! All contents of a file are untrusted: they are in code spans and code blocks only, in which GitHub and GitLab link, mention
//! and interpret nothing.

mod item;
mod span;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use godot_tscn::diff::State;

pub(crate) use self::span::code;
use self::span::{block, cell, html_code};
use crate::counted::Counted;
use crate::output::diff_words::{changes, counts, noise_words, overview};
use crate::output::file_diff::FileDiff;

/// A comment on GitHub has up to 65,536 characters. This counts bytes, and leaves room for the text that a
/// workflow adds.
const MAX_BYTES: usize = 64_000;

/// At most this number of files is listed in the table.
const MAX_ROWS: usize = 100;

/// The maximum size of the table, because paths have any length.
const MAX_TABLE: usize = MAX_BYTES / 4;

/// The text for an omitted part.
const TOO_LONG: &str = "not shown here: the comment would be too long.";

/// A file with less room than this is not begun.
const MIN_SECTION: usize = 600;

/// The diff of all files.
pub(crate) fn markdown(files: &[FileDiff]) -> String {
    markdown_within(files, MAX_BYTES)
}

/// [`markdown`] of up to about `max` bytes.
fn markdown_within(files: &[FileDiff], max: usize) -> String {
    if files.is_empty() {
        return "No scene, resource or settings file differs.\n".to_owned();
    }
    let mut out = String::new();
    let _ = writeln!(out, "{}\n", overview(files));
    let files: Vec<&FileDiff> = files.iter().filter(|file| !file.is_only_noise()).collect();
    if files.len() > 1 {
        table(&mut out, &files, max.min(MAX_TABLE));
    }
    let sections: Vec<Section> = files.iter().map(|file| Section::new(file)).collect();
    let sizes: Vec<usize> = sections.iter().map(Section::size).collect();
    // Each section has its own line that counts the omitted changes.
    let share = share(&sizes, max.saturating_sub(out.len() + 200)).max(MIN_SECTION);
    let mut left_out = 0;
    for section in &sections {
        if section.is_empty() && files.len() > 1 {
            // The table says all.
        } else if out.len() + section.size().min(share) > max.saturating_sub(200) {
            left_out += 1;
        } else {
            section.write(&mut out, share, files.len() == 1);
        }
    }
    if left_out > 0 {
        let _ = writeln!(out, "{} {TOO_LONG}", Counted(left_out, "file"));
    }
    out
}

fn table(out: &mut String, files: &[&FileDiff], max: usize) {
    out.push_str("| file | what differs |\n|---|---|\n");
    let start = out.len();
    let mut rows = 0;
    for file in files.iter().take(MAX_ROWS) {
        let row = format!("| {} | {} |\n", title(file, cell), what_differs(file));
        if out.len() + row.len() > start + max {
            break;
        }
        out.push_str(&row);
        rows += 1;
    }
    match files.len() - rows {
        0 => {}
        more => {
            let _ = writeln!(out, "| and {} more | |", Counted(more, "file"));
        }
    }
    out.push('\n');
}

/// The name of a file, as `code` writes a path.
fn title(file: &FileDiff, code: impl Fn(&str) -> String) -> String {
    let path = code(&file.path);
    match &file.old_path {
        Some(old) => format!("{} → {path}", code(old)),
        None => path,
    }
}

fn what_differs(file: &FileDiff) -> String {
    let fate = match file.state {
        State::Added => "new file",
        State::Removed => "file removed",
        _ => "",
    };
    let counts = match &file.diff {
        Ok(_) if file.is_told_by_its_name() => String::new(),
        Ok(_) => counts(changes(file)),
        Err(_) => "compared by lines".to_owned(),
    };
    let moved = if file.old_path.is_some() { "moved" } else { "" };
    let words: Vec<&str> =
        [moved, fate, &counts].into_iter().filter(|word| !word.is_empty()).collect();
    words.join(": ")
}

/// The maximum for each, so that all of them together have up to `total`: sections that need less leave the rest to others.
fn share(sizes: &[usize], total: usize) -> usize {
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable();
    let (mut left, mut others) = (total, sorted.len());
    for size in sorted {
        if size > left / others {
            return left / others;
        }
        left -= size;
        others -= 1;
    }
    total
}

/// The section of one file.
struct Section {
    head: String,
    /// Each whole in itself, with its number of changes.
    items: Vec<(String, usize)>,
    /// The noise, after them.
    tail: String,
}

impl Section {
    fn new(file: &FileDiff) -> Self {
        let head = format!("{}: {}", title(file, html_code), what_differs(file));
        match &file.diff {
            Ok(_) if file.is_told_by_its_name() => {
                Self { head, items: Vec::new(), tail: String::new() }
            }
            Ok(diff) => {
                let tail = noise_words(&diff.noise)
                    .map_or_else(String::new, |words| format!("\nLeft out as noise: {words}.\n"));
                Self { head, items: item::items(diff, file.state), tail }
            }
            Err(lines) => {
                let reason = format!("{}.\n", code(&lines.reason));
                let mut items = vec![(reason, 0)];
                items.extend(
                    (!lines.hunks.is_empty()).then(|| (format!("\n{}", block(&lines.hunks)), 0)),
                );
                Self { head, items, tail: String::new() }
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.items.is_empty() && self.tail.is_empty()
    }

    fn size(&self) -> usize {
        self.items.iter().map(|(text, _)| text.len()).sum::<usize>() + self.frame()
    }

    /// The size of everything except the items, with the line that counts the omitted ones.
    fn frame(&self) -> usize {
        const FRAME: usize = "<details open><summary></summary>\n\n\n</details>\n\n".len();
        const LEFT_OUT: usize = "\n1000000 changes: \n".len() + TOO_LONG.len();
        self.head.len() + self.tail.len() + FRAME + LEFT_OUT
    }

    /// Writes up to about `max` bytes.
    fn write(&self, out: &mut String, max: usize, is_open: bool) {
        let open = if is_open { " open" } else { "" };
        let _ = write!(out, "<details{open}><summary>{}</summary>\n\n", self.head);
        let mut room = max.saturating_sub(self.frame());
        let (mut items, mut changes) = (0, 0);
        for (item, count) in &self.items {
            if item.len() > room {
                items += 1;
                changes += count;
                continue;
            }
            room -= item.len();
            out.push_str(item);
        }
        if changes > 0 {
            let _ = writeln!(out, "\n{} {TOO_LONG}", Counted(changes, "change"));
        } else if items > 0 {
            let _ = writeln!(out, "\nThe lines are {TOO_LONG}");
        }
        let _ = write!(out, "{}\n</details>\n\n", self.tail);
    }
}
