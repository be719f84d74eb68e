//! What people did with the lines that a refactoring changes: two versions of a file, compared line by line.

use std::collections::HashMap;

/// The lines of a text that are not yet matched with one of another text.
pub(crate) struct Lines<'t>(HashMap<&'t [u8], usize>);

/// What became by hand of a line that we change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ByHand {
    /// What we make of it.
    Alike,
    /// It is as it was.
    Left,
    /// Neither: the line went, or changed in other ways too.
    Otherwise,
}

impl<'t> Lines<'t> {
    pub(crate) fn of(text: &'t [u8]) -> Self {
        let mut lines = HashMap::new();
        for line in split(text) {
            *lines.entry(line).or_default() += 1;
        }
        Self(lines)
    }

    /// Whether there is such a line, which is matched then.
    pub(crate) fn take(&mut self, line: &[u8]) -> bool {
        match self.0.get_mut(line) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    /// [`Self::take`] of any line with this start.
    fn take_start(&mut self, start: &[u8]) -> bool {
        let line = self.0.iter().find(|(line, count)| **count > 0 && line.starts_with(start));
        let line = line.map(|(line, _)| *line);
        line.is_some_and(|line| self.take(line))
    }
}

/// The lines without their ends.
pub(crate) fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// The lines that we change, by number from 0, and what became of them by hand. Our edits add and remove no lines.
pub(crate) fn judge(before: &[u8], ours: &[u8], by_hand: &[u8]) -> Vec<(usize, ByHand)> {
    let mut left = Lines::of(by_hand);
    let pairs: Vec<(&[u8], &[u8])> = split(before).zip(split(ours)).collect();
    for (line, _) in pairs.iter().filter(|(line, ours)| line == ours) {
        left.take(line);
    }
    let changed = pairs.iter().enumerate().filter(|(_, (line, ours))| line != ours);
    // Exact matches first: a value that changed too must not take the line of another node.
    let mut verdicts: Vec<(usize, ByHand)> = Vec::new();
    let mut rest = Vec::new();
    for (number, (line, ours)) in changed {
        if left.take(ours) {
            verdicts.push((number, ByHand::Alike));
        } else if left.take(line) {
            verdicts.push((number, ByHand::Left));
        } else {
            rest.push((number, key(line), key(ours)));
        }
    }
    for (number, line, ours) in rest {
        let verdict = if ours.is_some_and(|key| left.take_start(key)) {
            ByHand::Alike
        } else if line.is_some_and(|key| left.take_start(key)) {
            ByHand::Left
        } else {
            ByHand::Otherwise
        };
        verdicts.push((number, verdict));
    }
    verdicts
}

/// `name = ` of a property.
fn key(line: &[u8]) -> Option<&[u8]> {
    let length = memchr::memmem::find(line, b" = ")? + b" = ".len();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_/".contains(byte);
    line[..length - b" = ".len()].iter().all(is_name).then_some(&line[..length])
}

/// The lines, by number from 0, that people changed in nothing but the name.
pub(crate) fn renamed_by_hand(before: &[u8], by_hand: &[u8], old: &str, new: &str) -> Vec<usize> {
    let mut gained = Lines::of(by_hand);
    let mut lost = Vec::new();
    for (number, line) in split(before).enumerate() {
        if !gained.take(line) {
            lost.push((number, line));
        }
    }
    let is_renamed = |(number, line): (usize, &[u8])| {
        let renamed = with_name(line, old.as_bytes(), new.as_bytes())?;
        gained.take(&renamed).then_some(number)
    };
    lost.into_iter().filter_map(is_renamed).collect()
}

/// The line with another name; nothing if the name does not stand in it.
fn with_name(line: &[u8], old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let is_part =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut renamed = Vec::with_capacity(line.len());
    let mut done = 0;
    for at in memchr::memmem::find_iter(line, old) {
        let is_whole = !is_part(line[..at].last()) && !is_part(line.get(at + old.len()));
        if is_whole {
            renamed.extend_from_slice(&line[done..at]);
            renamed.extend_from_slice(new);
            done = at + old.len();
        }
    }
    renamed.extend_from_slice(&line[done..]);
    (done > 0).then_some(renamed)
}
