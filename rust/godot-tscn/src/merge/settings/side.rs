//! The contents of one of the three settings files.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use crate::config_file::{ConfigFile, ConfigSection, own_name};
use crate::merge::entry_list::{Entries, Entry};
use crate::merge::settings::writer::Writer;
use crate::merge::side::{BASE, OURS, THEIRS};
use crate::span::Span;

/// A text with its sections. The text before the first tag is a section without a name.
#[derive(Debug)]
pub(crate) struct SettingsSide<'d> {
    pub(super) text: &'d [u8],
    /// In the order of the text; those of one name are one.
    pub(crate) sections: Vec<SectionAt<'d>>,
    by_id: HashMap<Vec<u8>, usize>,
}

/// A section of one text.
#[derive(Debug)]
pub(crate) struct SectionAt<'d> {
    /// Its identity in all three texts: its name, or that of an export preset.
    pub(crate) id: Vec<u8>,
    pub(crate) name: Vec<u8>,
    /// The tags: there are several if the section is in several places.
    pub(crate) tags: Vec<Span>,
    /// Where its last entry ends, or its last tag.
    pub(super) end: u32,
    pub(crate) entries: Entries<'d>,
    /// The entries before another one of the same key, by key.
    pub(crate) earlier: HashMap<Cow<'d, [u8]>, Vec<Entry>>,
    text: &'d [u8],
}

impl<'d> SettingsSide<'d> {
    pub(crate) fn new(file: &'d ConfigFile<'_>, side: usize, presets: Option<&Presets>) -> Self {
        let mut this =
            Self { text: file.document().text(), sections: Vec::new(), by_id: HashMap::new() };
        for (name, section) in named_sections(file) {
            let id = presets.and_then(|presets| presets.id_of(side, &name));
            let at = this.section(id.unwrap_or_else(|| name.clone()), name);
            at.tags.extend(section.tag_span());
            at.end = section.tag_span().map_or(at.end, |tag| tag.end);
            for property in section.properties() {
                let (key, value) = (property.engine_key_span(), property.value_span());
                at.entries.push(property.engine_key(), Entry { key, value });
                at.end = value.end;
            }
        }
        for at in &mut this.sections {
            for (key, entry) in at.entries.doubled.drain(..) {
                at.earlier.entry(key).or_default().push(entry);
            }
        }
        this
    }

    fn section(&mut self, id: Vec<u8>, name: Vec<u8>) -> &mut SectionAt<'d> {
        let next = self.sections.len();
        let index = *self.by_id.entry(id.clone()).or_insert(next);
        if index == next {
            let (tags, entries, earlier) = (Vec::new(), Entries::default(), HashMap::new());
            let text = self.text;
            self.sections.push(SectionAt { id, name, tags, end: 0, entries, earlier, text });
        }
        &mut self.sections[index]
    }

    pub(crate) fn get(&self, id: &[u8]) -> Option<&SectionAt<'d>> {
        self.by_id.get(id).map(|index| &self.sections[*index])
    }

    /// From the tag of a section to its last entry.
    pub(super) fn span(&self, at: &SectionAt<'_>) -> Span {
        Span::new(at.tags.first().map_or(0, |tag| tag.start), at.end)
    }

    /// The text of [`SettingsSide::span`].
    pub(super) fn source(&self, at: &SectionAt<'_>) -> &'d [u8] {
        self.span(at).of(self.text)
    }
}

impl<'d> SectionAt<'d> {
    /// The value of a key, as it is written.
    pub(crate) fn value(&self, key: &[u8]) -> Option<&'d [u8]> {
        self.entries.get(key).map(|entry| entry.value.of(self.text))
    }

    /// A key as it is written.
    pub(super) fn written_key(&self, key: &[u8]) -> &'d [u8] {
        self.entries.get(key).map_or(&[][..], |entry| entry.key.of(self.text))
    }

    pub(super) fn has_tag(&self) -> bool {
        !self.tags.is_empty()
    }
}

/// Which export preset each number is: sections `preset.N` and `preset.N.options`. Presets have no id but their name.
#[derive(Debug)]
pub(crate) struct Presets {
    /// By side: the preset of each number.
    names: [HashMap<u32, Vec<u8>>; 3],
}

/// Begins the ids of presets. No section's name has it.
const PRESET: &[u8] = b"\x01preset ";
const OPTIONS: &[u8] = b"\x01options ";

impl Presets {
    /// Nothing if names do not distinguish the presets: then their numbers count.
    pub(crate) fn new(files: &[ConfigFile<'_>; 3]) -> Option<Self> {
        let names = [named(&files[BASE])?, named(&files[OURS])?, named(&files[THEIRS])?];
        let base = &names[BASE];
        let in_base: HashSet<&Vec<u8>> = base.values().collect();
        let known = |names: &HashMap<u32, Vec<u8>>| -> HashMap<u32, Vec<u8>> {
            let in_side: HashSet<&Vec<u8>> = names.values().collect();
            let mut known = HashMap::new();
            for (number, name) in names {
                // Another name at the same place: it was renamed.
                let was = base.get(number);
                let renamed = was.filter(|was| !in_base.contains(name) && !in_side.contains(was));
                known.insert(*number, renamed.unwrap_or(name).clone());
            }
            known
        };
        Some(Self { names: [base.clone(), known(&names[OURS]), known(&names[THEIRS])] })
    }

    /// The id of a section of a side, if it is one of a preset.
    pub(super) fn id_of(&self, side: usize, section: &[u8]) -> Option<Vec<u8>> {
        let (number, is_options) = number_of(section)?;
        let name = self.names[side].get(&number)?;
        Some([if is_options { OPTIONS } else { PRESET }, name.as_slice()].concat())
    }

    /// Gives the presets of the result numbers without a gap: Godot reads them until one is missing
    /// (`EditorExport::load_config`, Godot 4.6.3).
    pub(super) fn renumber<'w, 'd>(
        &self,
        sides: &[SettingsSide<'d>; 3],
        all: &[Vec<u8>],
        writer: &mut Writer<'w, 'd>,
    ) {
        let mut numbers: HashMap<&[u8], u32> = HashMap::new();
        for id in all.iter().filter(|id| writer.has_section(id)) {
            if let Some(name) = id.strip_prefix(PRESET) {
                let next = numbers.len() as u32;
                numbers.entry(name).or_insert(next);
            }
        }
        for id in all {
            let (name, suffix) = match (id.strip_prefix(PRESET), id.strip_prefix(OPTIONS)) {
                (Some(name), _) => (name, ""),
                (_, Some(name)) => (name, ".options"),
                _ => continue,
            };
            let Some(number) = numbers.get(name) else { continue };
            let tag = format!("[preset.{number}{suffix}]");
            match sides[OURS].get(id) {
                Some(ours) => writer.rename_section(ours, tag.as_bytes()),
                None => writer.rename_new_section(id, tag.as_bytes()),
            }
        }
    }
}

/// The names of the presets of a file by their numbers; nothing if one has none, or two have the same.
fn named(file: &ConfigFile<'_>) -> Option<HashMap<u32, Vec<u8>>> {
    let mut names: HashMap<u32, Vec<u8>> = HashMap::new();
    let mut known = HashSet::new();
    for (section_name, section) in named_sections(file) {
        let Some((number, false)) = number_of(&section_name) else { continue };
        let name = section.properties().rfind(|property| *property.engine_key() == *b"name")?;
        if !known.insert(name.source().to_vec())
            || names.insert(number, name.source().to_vec()).is_some()
        {
            return None;
        }
    }
    Some(names)
}

/// The sections with their names, in linear time: a tag `[]` goes on with the section before it.
fn named_sections<'d>(
    file: &'d ConfigFile<'_>,
) -> impl Iterator<Item = (Vec<u8>, ConfigSection<'d>)> {
    let tags = std::iter::once(None).chain((0..).map(Some));
    let mut name = Vec::new();
    file.sections().zip(tags).map(move |(section, tag)| {
        if let Some(own) = tag.and_then(|tag| own_name(file.document(), tag)) {
            name = own.into_owned();
        }
        (name.clone(), section)
    })
}

/// For `preset.3` and `preset.3.options`, the number and whether it is the second.
fn number_of(section: &[u8]) -> Option<(u32, bool)> {
    let rest = section.strip_prefix(b"preset.")?;
    let (number, is_options) = match rest.strip_suffix(b".options") {
        Some(number) => (number, true),
        None => (rest, false),
    };
    Some((std::str::from_utf8(number).ok()?.parse().ok()?, is_options))
}
