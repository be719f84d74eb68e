//! A text of settings that changes as `ProjectSettings::save` writes it (core/config/project_settings.cpp, Godot 4.6.3).

use godot_project::KnownSetting;
use godot_tscn::{ConfigFile, ConfigSection, Span, key_text, parse_config};

use crate::edit::error::EditErrorKind;

/// The text of `project.godot`. Text that no setting needs to change stays byte for byte.
pub(super) struct SettingsText {
    text: Vec<u8>,
    line_end: &'static str,
}

impl SettingsText {
    /// # Errors
    /// When Godot does not read the text, or misreads it.
    pub(super) fn new(text: &[u8]) -> Result<Self, EditErrorKind> {
        if std::str::from_utf8(text).is_err() {
            return Err(EditErrorKind::Refused(
                "it is not valid UTF-8; save it as UTF-8".to_owned(),
            ));
        }
        if let Some(error) = parse_config(text).errors().first() {
            let line = text[..(error.span.start as usize).min(text.len())]
                .split(|byte| *byte == b'\n')
                .count();
            let reason = format!("Godot cannot read line {line} correctly; repair it first");
            return Err(EditErrorKind::Refused(reason));
        }
        let line_end = if memchr::memmem::find(text, b"\r\n").is_some() { "\r\n" } else { "\n" };
        Ok(Self { text: text.to_vec(), line_end })
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.text
    }

    /// Gives a setting a value, or removes it.
    pub(super) fn put(&mut self, name: &str, value: Option<&str>) {
        let (section, key) = parts(name);
        if value.is_none() {
            self.keep_last(section, key);
        }
        let (span, new) = {
            let file = parse_config(&self.text);
            let places = named(&file, section).flat_map(ConfigSection::properties);
            let last = places.filter(|found| *found.engine_key() == *key.as_bytes()).last();
            match (last, value) {
                (Some(last), Some(value)) => (last.value_span(), value.to_owned()),
                (Some(last), None) => {
                    let span = Span::new(last.engine_key_span().start, last.value_span().end);
                    (self.removed(&file, section, self.lines(span)), String::new())
                }
                (None, Some(value)) => self.added(&file, section, key, name, value),
                (None, None) => return,
            }
        };
        self.text.splice(span.start as usize..span.end as usize, new.into_bytes());
    }

    /// Removes all but the last line of a setting that the file gives several times.
    fn keep_last(&mut self, section: &str, key: &str) {
        let file = parse_config(&self.text);
        let places = named(&file, section).flat_map(ConfigSection::properties);
        let given = places.filter(|found| *found.engine_key() == *key.as_bytes());
        let mut lines: Vec<Span> = given
            .map(|found| Span::new(found.engine_key_span().start, found.value_span().end))
            .map(|span| self.lines(span))
            .collect();
        lines.pop();
        let mut kept = Vec::with_capacity(self.text.len());
        let mut end = 0;
        for span in lines {
            kept.extend_from_slice(&self.text[end..(span.start as usize).max(end)]);
            end = (span.end as usize).max(end);
        }
        kept.extend_from_slice(&self.text[end..]);
        self.text = kept;
    }

    /// Where a new setting comes, and its line.
    fn added(
        &self,
        file: &ConfigFile<'_>,
        section: &str,
        key: &str,
        name: &str,
        value: &str,
    ) -> (Span, String) {
        let end = self.line_end;
        let line = format!("{}={value}{end}", key_text(key));
        let rank = rank(name);
        let (mut first, mut before) = (None, None);
        for found in named(file, section).flat_map(ConfigSection::properties) {
            let other = String::from_utf8_lossy(&found.engine_key()).into_owned();
            let other = if section.is_empty() { other } else { format!("{section}/{other}") };
            first.get_or_insert(found.engine_key_span().start);
            if self::rank(&other) <= rank {
                before = Some(found.value_span().end);
            }
        }
        if let Some(before) = before {
            return self.line_at(self.line_end_from(before), &line);
        }
        if let Some(first) = first {
            return (Span::empty(self.line_start(first)), line);
        }
        let tag = named(file, section).filter_map(ConfigSection::tag_span).last();
        if let Some(tag) = tag {
            return self.line_at(self.line_end_from(tag.end), &format!("{end}{line}"));
        }
        let text = format!("[{section}]{end}{end}{line}");
        let next = file.sections().filter(|found| *found.name() > *section.as_bytes());
        match next.filter_map(ConfigSection::tag_span).next() {
            Some(next) => (Span::empty(next.start), format!("{text}{end}")),
            None => {
                let text = if section.is_empty() { line } else { format!("{end}{text}") };
                self.line_at(self.text.len() as u32, &text)
            }
        }
    }

    /// A line at the end of another, which may have none.
    fn line_at(&self, at: u32, line: &str) -> (Span, String) {
        let is_open = at > 0 && self.text[at as usize - 1] != b'\n';
        let lead = if is_open { self.line_end } else { "" };
        (Span::empty(at), format!("{lead}{line}"))
    }

    /// The lines to remove with those at `span`: the whole section with the blank lines around it, if it has nothing
    /// else.
    fn removed(&self, file: &ConfigFile<'_>, section: &str, span: Span) -> Span {
        let mut own = named(file, section);
        let (Some(only), None) = (own.next(), own.next()) else { return span };
        let Some(tag) = only.tag_span().filter(|_| only.properties().count() == 1) else {
            return span;
        };
        let start = self.line_start(tag.start) as usize;
        let blank = |text: &[u8]| text.iter().all(u8::is_ascii_whitespace);
        let between = &self.text[tag.end as usize..span.start as usize];
        let next =
            file.sections().filter_map(ConfigSection::tag_span).find(|next| next.start > tag.start);
        let end = next.map_or(self.text.len(), |next| next.start as usize);
        if !blank(between) || !blank(&self.text[span.end as usize..end]) {
            return span;
        }
        // The last section takes the blank line in front of it.
        let lead =
            self.text[..start].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        match next {
            Some(_) => Span::new(start as u32, end as u32),
            None => {
                Span::new((start - lead.saturating_sub(self.line_end.len())) as u32, end as u32)
            }
        }
    }

    /// The whole lines of a span.
    fn lines(&self, span: Span) -> Span {
        Span::new(self.line_start(span.start), self.line_end_from(span.end))
    }

    fn line_start(&self, at: u32) -> u32 {
        memchr::memrchr(b'\n', &self.text[..at as usize]).map_or(0, |end| end as u32 + 1)
    }

    /// Behind the line end that comes next.
    fn line_end_from(&self, at: u32) -> u32 {
        let rest = &self.text[at as usize..];
        memchr::memchr(b'\n', rest).map_or(self.text.len() as u32, |end| at + end as u32 + 1)
    }
}

/// The sections with a name.
fn named<'f>(file: &'f ConfigFile<'_>, name: &'f str) -> impl Iterator<Item = ConfigSection<'f>> {
    file.sections().filter(move |found| *found.name() == *name.as_bytes())
}

/// The section and the key.
fn parts(name: &str) -> (&str, &str) {
    name.split_once('/').unwrap_or(("", name))
}

/// Godot saves the settings that it knows first, in its order, and then the others in the order in which they came.
fn rank(name: &str) -> (bool, usize) {
    KnownSetting::named(name).map_or((true, 0), |known| (false, known.place))
}
