//! Edits of a settings file: ours.

use hashbrown::{HashMap, HashSet};

use crate::merge::entry_list::Entry;
use crate::merge::names::with_edits;
use crate::merge::settings::side::{SectionAt, SettingsSide};
use crate::span::Span;

/// Collects the edits of a text.
pub(super) struct Writer<'w, 'd> {
    side: &'w SettingsSide<'d>,
    edits: Vec<(Span, Vec<u8>)>,
    /// Sections that are made: their ids, and their tags and lines, at the edits with these numbers.
    new: Vec<NewSection>,
    new_by_id: HashMap<Vec<u8>, usize>,
    removed: HashSet<Vec<u8>>,
    appended: Vec<u8>,
}

struct NewSection {
    edit: usize,
    tag: Vec<u8>,
    body: Vec<u8>,
    is_first: bool,
}

impl<'w, 'd> Writer<'w, 'd> {
    pub(super) fn new(side: &'w SettingsSide<'d>) -> Self {
        Self {
            side,
            edits: Vec::new(),
            new: Vec::new(),
            new_by_id: HashMap::new(),
            removed: HashSet::new(),
            appended: Vec::new(),
        }
    }

    pub(super) fn replace(&mut self, span: Span, text: &[u8]) {
        self.edits.push((span, text.to_vec()));
    }

    /// Puts lines in the place of an entry.
    pub(super) fn replace_entry(&mut self, entry: Entry, lines: &[u8]) {
        self.replace_lines(Span::new(entry.key.start, entry.value.end), lines);
    }

    /// Replaces lines, or parts of lines, with whole lines.
    pub(super) fn replace_lines(&mut self, span: Span, lines: &[u8]) {
        let is_end = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
        let end = |has_one: bool| if has_one { &b""[..] } else { b"\n" };
        let before = self.side.text[..span.start as usize].last();
        let after = self.side.text.get(span.end as usize);
        let start = end(is_end(before) || lines.starts_with(b"\n"));
        let stop = end(is_end(after) || lines.ends_with(b"\n"));
        self.replace(span, &[start, lines, stop].concat());
    }

    /// Takes an entry out, with those of the same key that come before it.
    pub(super) fn remove(&mut self, section: &SectionAt<'d>, entry: Entry) {
        let key = crate::decode::key(entry.key.of(self.side.text));
        let earlier = section.earlier.get(&*key).map_or(&[][..], Vec::as_slice);
        for entry in earlier.iter().copied().chain([entry]) {
            let span = self.line_of(entry);
            self.replace(span, b"");
        }
    }

    /// Puts lines behind an entry of a section, or at its start.
    pub(super) fn insert(&mut self, section: &SectionAt<'d>, after: Option<Entry>, lines: &[u8]) {
        let first = section.entries.keys.first().and_then(|key| section.entries.get(key));
        let (at, text) = match (after, first) {
            (Some(after), _) => (after.value.end, [b"\n", lines].concat()),
            (None, Some(first)) => (first.key.start, [lines, b"\n"].concat()),
            (None, None) if section.has_tag() => (section.end, [b"\n\n", lines].concat()),
            (None, None) => (0, [lines, b"\n\n"].concat()),
        };
        self.replace_lines(Span::empty(at), &text);
    }

    /// Makes a section as theirs has it, with these lines, behind a section of ours.
    pub(super) fn add_section(
        &mut self,
        theirs: &SectionAt<'_>,
        before: Option<&[u8]>,
        lines: &[Vec<u8>],
    ) {
        let body = lines.join(&b"\n"[..]);
        let tag = match theirs.has_tag() {
            true => tag_of(&theirs.name),
            false => Vec::new(),
        };
        let (at, is_first) = self.end_of(before);
        let edit = self.edits.len();
        self.replace(Span::empty(at), b"");
        self.new_by_id.insert(theirs.id.clone(), self.new.len());
        self.new.push(NewSection { edit, tag, body, is_first });
    }

    /// Puts a text behind a section of ours.
    pub(super) fn add_text(&mut self, before: Option<&[u8]>, text: &[u8]) {
        let (at, is_first) = self.end_of(before);
        let text = if is_first { [text, b"\n\n"].concat() } else { [b"\n\n", text].concat() };
        self.replace_lines(Span::empty(at), &text);
    }

    /// Takes a section out. One with comments keeps them and its tag.
    pub(super) fn remove_section(&mut self, section: &SectionAt<'d>) {
        self.removed.insert(section.id.clone());
        let text = self.side.text;
        let keys: Vec<Entry> =
            section.entries.keys.iter().filter_map(|key| section.entries.get(key)).collect();
        let span = self.side.span(section);
        let is_simple = section.tags.len() == 1
            && memchr::memchr(b';', span.of(text)).is_none()
            && section.has_tag();
        if !is_simple {
            for entry in keys {
                self.remove(section, entry);
            }
            return;
        }
        // With the empty lines behind it, or before it if it is the last.
        let blanks =
            text[span.end as usize..].iter().take_while(|byte| **byte <= 32).count() as u32;
        let before =
            text[..span.start as usize].iter().rev().take_while(|byte| **byte <= 32).count() as u32;
        let is_last = (span.end + blanks) as usize == text.len();
        let whole = match is_last {
            true => Span::new(span.start - before, span.end),
            false => Span::new(span.start, span.end + blanks),
        };
        self.replace(whole, b"");
    }

    /// Whether the result has a section.
    pub(super) fn has_section(&self, id: &[u8]) -> bool {
        let is_kept = self.side.get(id).is_some() && !self.removed.contains(id);
        is_kept || self.new_by_id.contains_key(id)
    }

    /// Gives a section of ours another tag.
    pub(super) fn rename_section(&mut self, section: &SectionAt<'d>, tag: &[u8]) {
        if self.removed.contains(&section.id) {
            return;
        }
        for span in &section.tags {
            if span.of(self.side.text) != tag {
                self.edits.push((*span, tag.to_vec()));
            }
        }
    }

    /// Gives a section that was made another tag.
    pub(super) fn rename_new_section(&mut self, id: &[u8], tag: &[u8]) {
        if let Some(index) = self.new_by_id.get(id) {
            self.new[*index].tag = tag.to_vec();
        }
    }

    /// Puts lines in the place of all entries of a section.
    pub(super) fn rewrite(&mut self, section: &SectionAt<'d>, lines: &[Vec<u8>]) {
        let entries = section.entries.keys.iter().filter_map(|key| section.entries.get(key));
        for (index, entry) in entries.enumerate() {
            match index {
                0 => self.replace_entry(entry, &lines.join(&b"\n"[..])),
                _ => self.remove(section, entry),
            }
        }
    }

    /// Makes a section at the end of the file.
    pub(super) fn append_section(&mut self, name: &[u8], line: &[u8]) {
        let end: &[u8] = if self.appended.is_empty() { b"" } else { b"\n" };
        let section = [end, &tag_of(name), b"\n\n", line, b"\n"].concat();
        self.append(&section);
    }

    /// Puts a text at the end of the file.
    pub(super) fn append(&mut self, text: &[u8]) {
        self.appended.extend_from_slice(text);
    }

    /// The text with all that.
    pub(super) fn written(mut self) -> Vec<u8> {
        for new in &self.new {
            let tag: &[u8] = if new.tag.is_empty() { b"" } else { b"\n\n" };
            let section = [&new.tag, tag, new.body.as_slice()].concat();
            self.edits[new.edit].1 = match new.is_first {
                true => [section.as_slice(), b"\n\n"].concat(),
                false => [b"\n\n", section.as_slice()].concat(),
            };
        }
        self.edits.sort_by_key(|(span, _)| *span);
        let edits = self.apart();
        let text = self.side.text;
        let mut written = with_edits(text, Span::new(0, text.len() as u32), &edits);
        if !self.appended.is_empty() {
            while written.last().is_some_and(|byte| *byte <= 32) {
                written.pop();
            }
            written.extend_from_slice(b"\n\n");
            written.extend_from_slice(&self.appended);
        }
        written
    }

    /// The edits, in their order. Text after a removed section takes its place.
    fn apart(&mut self) -> Vec<(Span, Vec<u8>)> {
        let text = self.side.text;
        let mut apart: Vec<(Span, Vec<u8>)> = Vec::with_capacity(self.edits.len());
        for (span, new) in self.edits.drain(..) {
            match apart.last_mut() {
                Some((gone, instead)) if span.start < gone.end => {
                    if !span.is_empty() {
                        // Two sections that go have the empty lines between them in common.
                        if new.is_empty() {
                            gone.end = gone.end.max(span.end);
                        }
                        continue;
                    }
                    let before = match instead.is_empty() {
                        true => &text[..gone.start as usize],
                        false => instead.as_slice(),
                    };
                    let is_start = before.is_empty() || before.ends_with(b"\n\n");
                    let is_end = text[gone.end as usize..].trim_ascii().is_empty();
                    let empty = |is_there: bool| if is_there { &b"\n\n"[..] } else { b"" };
                    let (start, end) = (empty(!is_start), empty(!is_end));
                    instead.extend([start, new.trim_ascii(), end].concat());
                }
                _ => apart.push((span, new)),
            }
        }
        apart
    }

    /// Where a section of ours ends, and whether that is the beginning of the text.
    fn end_of(&self, before: Option<&[u8]>) -> (u32, bool) {
        let section = before.and_then(|id| self.side.get(id));
        match section {
            Some(section) if section.has_tag() || !section.entries.keys.is_empty() => {
                (section.end, false)
            }
            _ => match self.side.sections.iter().find_map(|section| section.tags.first()) {
                Some(tag) => (tag.start, true),
                None => (self.side.text.len() as u32, true),
            },
        }
    }

    /// The line of an entry with the line end before it, if it contains nothing else.
    fn line_of(&self, entry: Entry) -> Span {
        let text = self.side.text;
        let start = entry.key.start as usize;
        let blanks =
            text[..start].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let end = entry.value.end as usize;
        let ends_line = text.get(end).is_none_or(|byte| *byte == b'\n');
        let line = start - blanks;
        match line > 0 && text[line - 1] == b'\n' && ends_line {
            true => Span::new(line as u32 - 1, entry.value.end),
            false => Span::new(entry.key.start, entry.value.end),
        }
    }
}

/// A section's tag; its reader takes `\\]` for a bracket in the name.
fn tag_of(name: &[u8]) -> Vec<u8> {
    let mut tag = vec![b'['];
    for byte in name {
        if *byte == b']' {
            tag.push(b'\\');
        }
        tag.push(*byte);
    }
    tag.push(b']');
    tag
}
