//! The rows of a class: a letter and the versions that it holds for, a name, details.

/// The subject of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Base,
    Property,
    Default,
    Transient,
    Dynamic,
    Signal,
    Method,
    Enum,
}

/// The letters of the kinds, in their order.
const KINDS: [(u8, Kind); 8] = [
    (b'b', Kind::Base),
    (b'p', Kind::Property),
    (b'd', Kind::Default),
    (b't', Kind::Transient),
    (b'w', Kind::Dynamic),
    (b's', Kind::Signal),
    (b'm', Kind::Method),
    (b'e', Kind::Enum),
];

/// The rows of one class for one version, each kind by name.
#[derive(Debug, Default)]
pub(super) struct Rows {
    by_kind: [Vec<Row>; KINDS.len()],
}

/// The places of a row's name and details in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    start: u32,
    name_end: u32,
    end: u32,
}

impl Rows {
    /// The rows between `start` and `end` that hold for the version.
    pub(super) fn read(text: &str, start: u32, end: u32, version_bit: u8) -> Self {
        let mut rows = Self::default();
        let mut at = start;
        for line in text[start as usize..end as usize].split_inclusive('\n') {
            let line_start = at;
            at += line.len() as u32;
            let line = line.trim_end_matches(['\n', '\r']);
            let Some((kind, name_start)) = head(line, version_bit) else {
                continue;
            };
            let name = &line[name_start..];
            let name_len = name.find('\t').unwrap_or(name.len());
            let start = line_start + name_start as u32;
            let row = Row {
                start,
                name_end: start + name_len as u32,
                end: line_start + line.len() as u32,
            };
            rows.by_kind[kind as usize].push(row);
        }
        for rows in &mut rows.by_kind {
            if !rows.is_sorted_by_key(|row| row.name(text)) {
                rows.sort_by_key(|row| row.name(text));
            }
        }
        rows
    }

    pub(super) fn of(&self, kind: Kind) -> &[Row] {
        &self.by_kind[kind as usize]
    }
}

impl Row {
    pub(super) fn name<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start as usize..self.name_end as usize]
    }

    pub(super) fn details<'t>(&self, text: &'t str) -> &'t str {
        text[self.name_end as usize..self.end as usize].trim_start_matches('\t')
    }
}

/// Whether the class with these rows is there in the version: only then has it a base.
pub(super) fn is_in_version(block: &str, version_bit: u8) -> bool {
    block
        .lines()
        .take_while(|line| line.starts_with('b'))
        .any(|line| head(line, version_bit).is_some())
}

/// The row's kind and where its name starts, if the row holds for the version.
pub(super) fn head(line: &str, version_bit: u8) -> Option<(Kind, usize)> {
    let bytes = line.as_bytes();
    let (_, kind) = *KINDS.iter().find(|(letter, _)| Some(letter) == bytes.first())?;
    let versions = u8::from_str_radix(line.get(1..3)?, 16).ok()?;
    let has_name = matches!(bytes.get(3), None | Some(b'\t'));
    (versions & version_bit != 0 && has_name).then_some((kind, line.len().min(4)))
}
