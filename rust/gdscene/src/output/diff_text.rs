//! Differences for people, in a terminal or a text.

use std::fmt::Write;

use godot_tscn::diff::{Change, Diff, Entry, Part, State, ThingKind};

use crate::counted::Counted;
use crate::output::diff_words::{
    Fate, changes, counts, entries, goes_with_the_file, is_named_by_value, kinds_of, name_of,
    noise_words, nouns, shortened, shortened_pair, subtrees,
};
use crate::output::file_diff::FileDiff;
use crate::terminal::{printable, printable_lines};

/// At most this number of characters of a value is shown.
const MAX_VALUE: usize = 100;
/// At most this number of entries of a changed thing is shown, and of parts of a value.
const MAX_PARTS: usize = 20;
/// At most this number of entries of an added thing is shown.
const MAX_ADDED: usize = 8;
/// At most this number of things of each kind is shown in a file that was added or removed.
const MAX_LISTED: usize = 30;
/// Nodes deeper than this stand no further to the right.
const MAX_INDENT: usize = 20;

/// All files; all things, values and parts in full if `is_full`.
pub(crate) fn text(files: &[FileDiff], is_full: bool, color: bool) -> String {
    let mut writer = Text { out: String::new(), is_full, color };
    let mut was_line = true;
    for file in files {
        let start = writer.out.len();
        writer.file(file);
        let is_line = writer.out[start..].lines().count() == 1;
        // Files with only one line are listed without blank lines between them.
        if start > 0 && !(was_line && is_line) {
            writer.out.insert(start, '\n');
        }
        was_line = is_line;
    }
    writer.out
}

#[derive(Clone, Copy)]
enum Paint {
    Bold,
    Green,
    Red,
    Yellow,
    Dim,
}

/// The sign before a thing or a value that was added, removed, or changed.
const ADDED: (&str, Paint) = ("+", Paint::Green);
const REMOVED: (&str, Paint) = ("-", Paint::Red);
const CHANGED: (&str, Paint) = ("~", Paint::Yellow);

struct Text {
    out: String,
    is_full: bool,
    color: bool,
}

impl Text {
    fn painted(&self, paint: Paint, text: &str) -> String {
        let code = match paint {
            Paint::Bold => "1",
            Paint::Green => "32",
            Paint::Red => "31",
            Paint::Yellow => "33",
            Paint::Dim => "2",
        };
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.out, "{:indent$}{text}", "");
    }

    fn file(&mut self, file: &FileDiff) {
        let path = printable(&file.path);
        let title = match &file.old_path {
            Some(old) => format!("{} -> {path}", printable(old)),
            None => path.into_owned(),
        };
        let fate = match file.state {
            State::Added => " (new file)",
            State::Removed => " (file removed)",
            _ => "",
        };
        let title = self.painted(Paint::Bold, &format!("{title}{fate}"));
        match &file.diff {
            Ok(_) if file.is_told_by_its_name() && !self.is_full => self.line(0, &title),
            Ok(diff) => {
                let words = match counts(changes(file)) {
                    counted if !counted.is_empty() => format!(": {counted}"),
                    _ if file.state != State::Changed => String::new(),
                    _ if file.old_path.is_none() => ": nothing but noise differs".to_owned(),
                    _ if diff.noise.is_empty() => ": only the path differs".to_owned(),
                    _ => ": only the path and noise differ".to_owned(),
                };
                self.line(0, &format!("{title}{words}"));
                self.diff(file.state, diff);
            }
            Err(lines) => {
                let reason = printable(&lines.reason).into_owned();
                self.line(0, &format!("{title}: compared by lines: {reason}"));
                let hunks = printable_lines(lines.hunks.as_bytes());
                self.lines(&String::from_utf8_lossy(&hunks));
            }
        }
    }

    fn lines(&mut self, hunks: &str) {
        for line in hunks.lines() {
            let line = match line.as_bytes().first() {
                Some(b'+') => self.painted(Paint::Green, line),
                Some(b'-') => self.painted(Paint::Red, line),
                _ => line.to_owned(),
            };
            self.line(0, &line);
        }
    }

    fn diff(&mut self, file: State, diff: &Diff) {
        for change in diff.changes.iter().filter(|change| goes_with_the_file(file, change)) {
            if self.is_full {
                change.entries.iter().for_each(|entry| self.entry(2, entry));
            }
        }
        let below = subtrees(diff);
        for kind in kinds_of(diff) {
            if file != State::Changed {
                self.listed(file, diff, kind);
                continue;
            }
            for (change, below) in diff.changes.iter().zip(&below) {
                match below {
                    _ if change.kind != kind => {}
                    // The node above it represents it.
                    None if !self.is_full => {}
                    below => self.change(diff, change, below.unwrap_or_default()),
                }
            }
        }
        if let Some(words) = noise_words(&diff.noise) {
            let words = self.painted(Paint::Dim, &format!("noise: {words}"));
            self.line(2, &words);
        }
    }

    /// The things of one kind of a file that came or went: nodes as a tree.
    fn listed(&mut self, file: State, diff: &Diff, kind: ThingKind) {
        let nodes = diff.tree.iter().filter_map(|node| {
            let change = diff.changes.get(node.change? as usize)?;
            Some((change, &*node.name, (node.depth as usize).min(MAX_INDENT)))
        });
        let others = diff.changes.iter().map(|change| (change, &*change.name, 0));
        let all: Vec<(&Change, &str, usize)> = match kind {
            ThingKind::Node => nodes.collect(),
            _ => others
                .filter(|(change, ..)| change.kind == kind && !goes_with_the_file(file, change))
                .collect(),
        };
        let shown = self.most(all.len(), MAX_LISTED);
        for (change, name, depth) in &all[..shown] {
            let (sign, paint) = sign_of(Fate::of(change));
            let title = self.painted(paint, &format!("{sign} {}", self.title(change, name)));
            let indent = 2 + 2 * depth;
            self.line(indent, &title);
            if self.is_full {
                change.entries.iter().for_each(|entry| self.entry(indent + 4, entry));
            }
        }
        self.left_out(all.len() - shown, 2, nouns(kind));
    }

    /// A thing, with the number of nodes below it that came or went with it.
    fn change(&mut self, diff: &Diff, change: &Change, below: u32) {
        let fate = Fate::of(change);
        let (sign, paint) = sign_of(fate);
        let mut title = self.title(change, name_of(diff, change));
        if let Some(old) = &change.old_name {
            let _ = write!(title, ", {} from {}", fate.word(), self.short(old));
        }
        let mut line = self.painted(paint, &format!("{sign} {title}"));
        if below > 0 && !self.is_full {
            let _ = write!(line, " and {} below it", Counted(below as usize, "node"));
        }
        self.line(2, &line);
        // For a removed thing, the name is enough.
        if change.state == State::Removed && !self.is_full {
            return;
        }
        let entries: Vec<&Entry> = entries(change).collect();
        let max = if change.state == State::Added { MAX_ADDED } else { MAX_PARTS };
        let shown = self.most(entries.len(), max);
        entries[..shown].iter().for_each(|entry| self.entry(6, entry));
        self.left_out(entries.len() - shown, 6, ("", ""));
    }

    /// The kind of a thing, its name and its type.
    fn title(&self, change: &Change, name: &str) -> String {
        let name = self.short(name);
        let mut title = match change.kind {
            ThingKind::Node => name,
            ThingKind::Section => format!("[{name}]"),
            ThingKind::Header | ThingKind::Resource => nouns(change.kind).0.to_owned(),
            kind => format!("{} {name}", nouns(kind).0),
        };
        // The name of an internal resource begins with its class.
        if let Some(class) =
            change.type_name.as_ref().filter(|_| change.kind != ThingKind::SubResource)
        {
            let _ = write!(title, " ({})", self.short(class));
        }
        title
    }

    /// The number of shown entries.
    fn most(&self, count: usize, max: usize) -> usize {
        if self.is_full { count } else { count.min(max) }
    }

    fn left_out(&mut self, count: usize, indent: usize, (one, many): (&str, &str)) {
        if count > 0 {
            let noun = if count == 1 { one } else { many };
            let blank = if noun.is_empty() { "" } else { " " };
            self.line(indent, &format!("… {count} more{blank}{noun}"));
        }
    }

    fn entry(&mut self, indent: usize, entry: &Entry) {
        let (old, new) = (entry.old.as_deref(), entry.new.as_deref());
        match &entry.summary {
            Some(summary) => {
                let (sign, paint) = sign_of_values(old, new);
                let summary = format!("{sign} {}: {}", self.short(&entry.name), printable(summary));
                let summary = self.painted(paint, &summary);
                self.line(indent, &summary);
                if self.is_full {
                    let values = self.values(old, new);
                    self.line(indent + 2, &values);
                }
            }
            None if entry.parts.is_empty() => self.named(indent, &entry.name, old, new),
            None => {
                // A set may be new as a whole, and its members are listed one by one.
                let (sign, paint) = sign_of_values(old, new);
                let name = self.painted(paint, &format!("{sign} {}:", self.short(&entry.name)));
                self.line(indent, &name);
                let shown = self.most(entry.parts.len(), MAX_PARTS);
                entry.parts[..shown].iter().for_each(|part| self.part(indent + 2, part));
                self.left_out(entry.parts.len() - shown, indent + 2, ("", ""));
            }
        }
    }

    fn part(&mut self, indent: usize, part: &Part) {
        let (old, new) = (part.old.as_deref(), part.new.as_deref());
        let (sign, paint) = sign_of_values(old, new);
        let has_lines = [old, new].into_iter().flatten().any(|text| text.contains('\n'));
        if is_named_by_value(part) {
            let line = self.painted(paint, &format!("{sign} {}", self.short(&part.place)));
            self.line(indent, &line);
        } else if !has_lines {
            self.named(indent, &part.place, old, new);
        } else {
            let place = self.painted(paint, &format!("{sign} {}:", self.short(&part.place)));
            self.line(indent, &place);
            self.changed_lines(indent + 2, old.unwrap_or_default(), new.unwrap_or_default());
        }
    }

    /// Lines of a text; lines that correspond are cut at the same place.
    fn changed_lines(&mut self, indent: usize, old: &str, new: &str) {
        let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
        for ((sign, paint), lines, others) in [(REMOVED, &old, &new), (ADDED, &new, &old)] {
            let shown = self.most(lines.len(), MAX_PARTS);
            for (index, line) in lines[..shown].iter().enumerate() {
                let other = others.get(index).copied().unwrap_or_default();
                let line = match self.is_full {
                    true => String::from_utf8_lossy(&printable_lines(line.as_bytes())).into_owned(),
                    false => shortened_pair(line, other, MAX_VALUE).0,
                };
                let line = self.painted(paint, &format!("{sign} {line}"));
                self.line(indent, &line);
            }
            self.left_out(lines.len() - shown, indent, ("line", "lines"));
        }
    }

    /// `~ name: old -> new`, or the one that there is.
    fn named(&mut self, indent: usize, name: &str, old: Option<&str>, new: Option<&str>) {
        let (sign, paint) = sign_of_values(old, new);
        let name = format!("{sign} {}:", self.short(name));
        let line = match (old, new) {
            (Some(_), Some(_)) => {
                format!("{} {}", self.painted(paint, &name), self.values(old, new))
            }
            (old, new) => {
                let value = self.short(new.or(old).unwrap_or_default());
                self.painted(paint, &format!("{name} {value}"))
            }
        };
        self.line(indent, &line);
    }

    fn values(&self, old: Option<&str>, new: Option<&str>) -> String {
        let (old, new) = match (old, new) {
            (Some(old), Some(new)) if !self.is_full => {
                let (old, new) = shortened_pair(old, new, MAX_VALUE);
                (Some(old), Some(new))
            }
            (old, new) => (old.map(|old| self.short(old)), new.map(|new| self.short(new))),
        };
        let old = old.map(|old| self.painted(Paint::Red, &old));
        let new = new.map(|new| self.painted(Paint::Green, &new));
        old.into_iter().chain(new).collect::<Vec<_>>().join(" -> ")
    }

    /// A name or value on one line.
    fn short(&self, text: &str) -> String {
        match self.is_full {
            true => printable(text).into_owned(),
            false => shortened(text, 0, MAX_VALUE),
        }
    }
}

fn sign_of(fate: Fate) -> (&'static str, Paint) {
    match fate {
        Fate::Added => ADDED,
        Fate::Removed => REMOVED,
        Fate::Moved | Fate::Renamed | Fate::Changed => CHANGED,
    }
}

fn sign_of_values(old: Option<&str>, new: Option<&str>) -> (&'static str, Paint) {
    match (old, new) {
        (None, _) => ADDED,
        (_, None) => REMOVED,
        _ => CHANGED,
    }
}

#[cfg(test)]
mod tests;
