//! The differences between files, as one page of HTML that needs nothing else.
//!
//! All contents of a file are untrusted and go through [`escaped`]. The page's Content-Security-Policy allows only the
//! style sheet and the script in this folder.

#[cfg(test)]
mod tests;
mod tree;
mod value;

use std::fmt::Write as _;

use godot_tscn::diff::State;

use self::tree::write_trees;
use crate::counted::Counted;
use crate::output::diff_words::{changes, counts, is_hidden, noise_words, overview};
use crate::output::file_diff::{ByLines, FileDiff};

const STYLE: &str = include_str!("diff_html/page.css");
const SCRIPT: &str = include_str!("diff_html/page.js");

/// The SHA-256 of [`STYLE`] and [`SCRIPT`] in base64, which a test compares.
const STYLE_HASH: &str = "7lMRrOOOCC8m+HU8T05wSJCSNMAE50K3f/IKs1sRARM=";
const SCRIPT_HASH: &str = "eSBdFCz6oFdqof+WWq3lNMGW/nfGQ44JTObbVUnANOA=";

/// The controls that need the script.
const TOOLS: &str = include_str!("diff_html/tools.html");

/// At most this number of lines is shown of a file that is compared by lines.
const MAX_LINES: usize = 2000;

/// The page of all files. `title` names the compared revisions: `main..feature`.
pub(crate) fn html(title: &str, files: &[FileDiff]) -> String {
    let title = escaped(title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; \
         script-src 'sha256-{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header><h1>{title}</h1><p>{}</p></header>\n{TOOLS}<main>\n",
        overview(files),
    );
    let (quiet, loud): (Vec<_>, Vec<_>) = files.iter().partition(|file| file.is_only_noise());
    for file in loud {
        write_file(&mut out, file);
    }
    write_quiet(&mut out, &quiet);
    let _ = write!(out, "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n");
    out
}

fn write_file(out: &mut String, file: &FileDiff) {
    let old = file.old_path.as_ref().map_or_else(String::new, |old| format!("{} → ", escaped(old)));
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
    let colon = if fate.is_empty() || counts.is_empty() { "" } else { ": " };
    let open = if file.is_told_by_its_name() { "" } else { " open" };
    let _ = writeln!(
        out,
        "<details class=\"file\"{open}><summary><h2>{old}{}</h2> <span class=\"counts\">{fate}{colon}{counts}</span></summary>\n\
         <div class=\"body\">",
        escaped(&file.path),
    );
    match &file.diff {
        Ok(diff) => {
            write_trees(out, diff);
            if let Some(words) = noise_words(&diff.noise) {
                let _ =
                    writeln!(out, "<p class=\"noise\">Left out as noise: {}.</p>", escaped(&words));
            }
        }
        Err(lines) => write_lines(out, lines),
    }
    out.push_str("</div></details>\n");
}

/// The files that differ only in noise.
fn write_quiet(out: &mut String, files: &[&FileDiff]) {
    if files.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<details class=\"file\"><summary><h2>Nothing but noise</h2> <span class=\"counts\">{}</span></summary>\n\
         <div class=\"body\"><ul>",
        Counted(files.len(), "file"),
    );
    for file in files {
        let noise = file.diff.as_ref().ok().and_then(|diff| noise_words(&diff.noise));
        let noise = escaped(&noise.unwrap_or_default());
        let _ =
            writeln!(out, "<li>{} <span class=\"counts\">{noise}</span></li>", escaped(&file.path));
    }
    out.push_str("</ul></div></details>\n");
}

fn write_lines(out: &mut String, lines: &ByLines) {
    let _ = writeln!(out, "<p class=\"noise\">{}</p>", escaped(&lines.reason));
    if lines.hunks.is_empty() {
        return;
    }
    out.push_str("<pre>");
    let mut all = lines.hunks.lines();
    for line in all.by_ref().take(MAX_LINES) {
        let class = match line.as_bytes().first() {
            Some(b'+') => "plus",
            Some(b'-') => "minus",
            _ => "",
        };
        let _ = writeln!(out, "<span class=\"{class}\">{}</span>", escaped_lines(line));
    }
    out.push_str("</pre>\n");
    if let more @ 1.. = all.count() {
        let _ = writeln!(out, "<p class=\"noise\">{} not shown.</p>", Counted(more, "line"));
    }
}

/// A text of a file on one line.
fn escaped(text: &str) -> String {
    escape(text, |_| false)
}

/// A text of a file with its lines and tabs.
fn escaped_lines(text: &str) -> String {
    escape(text, |character| matches!(character, '\n' | '\t'))
}

fn escape(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            character if is_hidden(character) && !stays(character) => {
                out.extend(character.escape_default());
            }
            character => out.push(character),
        }
    }
    out
}
