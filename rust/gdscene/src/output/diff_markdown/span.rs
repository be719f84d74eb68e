//! Untrusted texts in Markdown.

use std::fmt::Write as _;

use crate::output::diff_words::visible;

/// A code span on one line, with a fence that is longer than any in the text. Not for tables, in which `|` would end a cell.
pub(crate) fn code(text: &str) -> String {
    let text = visible(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    // One space on either side is taken off again, unless there are spaces only.
    let has_edge = |edge: char| text.starts_with(edge) || text.ends_with(edge);
    let is_blank = text.chars().all(|character| character == ' ');
    if is_blank {
        return if text.is_empty() {
            "(empty)".to_owned()
        } else {
            format!("{fence}{text}{fence}")
        };
    }
    let space = if has_edge('`') || has_edge(' ') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// A code span for a cell of a table.
pub(super) fn cell(text: &str) -> String {
    // How backslashes before `|` are read differs.
    if text.contains('|') { html_code(text) } else { code(text) }
}

/// `<code>` for HTML, and also for Markdown: characters with a meaning in Markdown are written as
/// their numbers.
pub(super) fn html_code(text: &str) -> String {
    // GitHub makes links of addresses that begin with `www.`, except in code spans.
    let has_address = text.contains("www");
    let stays = |character| matches!(character, '/' | '-') || (character == '.' && !has_address);
    let mut out = String::from("<code>");
    for character in visible(text).chars() {
        if character.is_ascii_punctuation() && !stays(character) {
            let _ = write!(out, "&#{};", character as u32);
        } else {
            out.push(character);
        }
    }
    out + "</code>"
}

/// A code block of a unified diff.
pub(super) fn block(lines: &str) -> String {
    let lines: Vec<_> = lines.lines().map(visible_line).collect();
    let longest = lines.iter().map(|line| longest_run(line)).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}diff\n{}\n{fence}\n", lines.join("\n"))
}

/// [`visible`], with tabs as they are.
fn visible_line(line: &str) -> String {
    line.split('\t').map(visible).collect::<Vec<_>>().join("\t")
}

fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}
