//! Differences for people, in a terminal or a text.

use std::fmt::Write;

use tscn::diff::{Change, Diff, Entry, Part, State, ThingKind};

use crate::commands::Counted;
use crate::output::diff_words::{
    Fate, counts, entries, noise_words, nouns, shortened, shortened_pair, subtrees,
};
use crate::output::file_diff::FileDiff;
use crate::output::terminal::{printable, printable_lines};

/// So many characters of a value are shown.
const MAX_VALUE: usize = 100;
/// So many parts of a value, and so many entries of what was added.
const MAX_PARTS: usize = 20;

/// All files; all values and parts in full if `is_full`.
pub(crate) fn text(files: &[FileDiff], is_full: bool, color: bool) -> String {
    let mut writer = Text { out: String::new(), is_full, color };
    for (index, file) in files.iter().enumerate() {
        if index > 0 {
            writer.out.push('\n');
        }
        writer.file(file);
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
            Ok(diff) => {
                let counted = counts(diff.changes.iter());
                let counted = match counted.is_empty() {
                    true if diff.noise.is_empty() => "only the path differs".to_owned(),
                    true => "nothing but noise differs".to_owned(),
                    false => counted,
                };
                let _ = writeln!(self.out, "{title}: {counted}");
                self.diff(diff);
            }
            Err(lines) => {
                let reason = printable(&lines.reason).into_owned();
                let _ = writeln!(self.out, "{title}: compared by lines: {reason}");
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
            self.out.push_str(&line);
            self.out.push('\n');
        }
    }

    fn diff(&mut self, diff: &Diff) {
        let below = subtrees(diff);
        for (change, below) in diff.changes.iter().zip(below) {
            match below {
                // The node above it stands for it.
                None if !self.is_full => {}
                below => self.change(change, below.unwrap_or_default()),
            }
        }
        if let Some(words) = noise_words(&diff.noise) {
            let words = self.painted(Paint::Dim, &format!("noise: {words}"));
            let _ = writeln!(self.out, "  {words}");
        }
    }

    /// A thing, with the number of nodes below it that came or went with it.
    fn change(&mut self, change: &Change, below: u32) {
        let fate = Fate::of(change);
        let (sign, paint) = match fate {
            Fate::Added => ("+", Paint::Green),
            Fate::Removed => ("-", Paint::Red),
            _ => ("~", Paint::Yellow),
        };
        let name = printable(&change.name).into_owned();
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
            let _ = write!(title, " ({})", printable(class));
        }
        if let Some(old) = &change.old_name {
            let _ = write!(title, ", {} from {}", fate.word(), printable(old));
        }
        let _ = write!(self.out, "  {}", self.painted(paint, &format!("{sign} {title}")));
        if below > 0 && !self.is_full {
            let _ = write!(self.out, " and {} below it", Counted(below as usize, "node"));
        }
        self.out.push('\n');
        let entries: Vec<&Entry> = entries(change).collect();
        // Of what is gone, the name tells enough.
        if change.state == State::Removed && !self.is_full {
            return;
        }
        let shown = self.most(entries.len());
        for entry in &entries[..shown] {
            self.entry(entry);
        }
        self.left_out(entries.len() - shown, "      ");
    }

    /// How many of so many are shown.
    fn most(&self, count: usize) -> usize {
        if self.is_full { count } else { count.min(MAX_PARTS) }
    }

    fn left_out(&mut self, count: usize, indent: &str) {
        if count > 0 {
            let _ = writeln!(self.out, "{indent}… {count} more");
        }
    }

    fn entry(&mut self, entry: &Entry) {
        let name = printable(&entry.name).into_owned();
        if let Some(summary) = &entry.summary {
            let _ = writeln!(self.out, "      {name}: {}", printable(summary));
            if self.is_full {
                let values = self.values(entry.old.as_deref(), entry.new.as_deref());
                let _ = writeln!(self.out, "        {values}");
            }
            return;
        }
        if entry.parts.is_empty() {
            let values = self.values(entry.old.as_deref(), entry.new.as_deref());
            let _ = writeln!(self.out, "      {name}: {values}");
            return;
        }
        let _ = writeln!(self.out, "      {name}:");
        let shown = self.most(entry.parts.len());
        for part in &entry.parts[..shown] {
            self.part(part);
        }
        self.left_out(entry.parts.len() - shown, "        ");
    }

    fn part(&mut self, part: &Part) {
        let place = printable(&part.place).into_owned();
        let texts = [&part.old, &part.new];
        let has_lines =
            texts.iter().any(|text| text.as_ref().is_some_and(|text| text.contains('\n')));
        if !has_lines {
            let values = self.values(part.old.as_deref(), part.new.as_deref());
            let _ = writeln!(self.out, "        {place}: {values}");
            return;
        }
        let _ = writeln!(self.out, "        {place}:");
        for (text, sign, paint) in [(&part.old, "-", Paint::Red), (&part.new, "+", Paint::Green)] {
            let lines: Vec<&str> = text.iter().flat_map(|text| text.lines()).collect();
            let shown = self.most(lines.len());
            for line in &lines[..shown] {
                let line = if self.is_full { (*line).to_owned() } else { short(line) };
                let line = printable_lines(line.as_bytes());
                let line = format!("{sign} {}", String::from_utf8_lossy(&line));
                let _ = writeln!(self.out, "          {}", self.painted(paint, &line));
            }
            self.left_out(lines.len() - shown, "          ");
        }
    }

    /// `old -> new`, or the one that there is.
    fn values(&self, old: Option<&str>, new: Option<&str>) -> String {
        let one = |text: &str| match self.is_full {
            true => printable(text).into_owned(),
            false => short(text),
        };
        match (old, new) {
            (Some(old), Some(new)) => {
                let (old, new) = match self.is_full {
                    true => (one(old), one(new)),
                    false => shortened_pair(old, new, MAX_VALUE),
                };
                format!(
                    "{} -> {}",
                    self.painted(Paint::Red, &old),
                    self.painted(Paint::Green, &new)
                )
            }
            (Some(old), None) => self.painted(Paint::Red, &format!("- {}", one(old))),
            (None, new) => {
                self.painted(Paint::Green, &format!("+ {}", one(new.unwrap_or_default())))
            }
        }
    }
}

fn short(text: &str) -> String {
    shortened(text, 0, MAX_VALUE)
}
