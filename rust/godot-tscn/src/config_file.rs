//! Godot's settings files: `project.godot`, `.import`, `.gdextension`, `plugin.cfg`,
//! `export_presets.cfg`. The same tokens and values as in scenes, but a tag is only a name
//! (`ConfigFile::_parse`, core/io/config_file.cpp; `VariantParser::parse_tag` with `p_simple_tag`,
//! core/variant/variant_parser.cpp; Godot 4.6.3).

use std::borrow::Cow;

use crate::document::{Document, Property, ValueKind};
use crate::span::Span;
use crate::syntax::{SyntaxError, parse_config_document};

/// A parsed settings file: `[section]`s of `key=value`.
///
/// ```
/// let text = b"config_version=5\n\n[application]\n\nconfig/name=\"Game\"\n";
/// let file = godot_tscn::parse_config(text);
/// assert_eq!(file.get(b"", b"config_version").unwrap().source(), b"5");
/// assert_eq!(file.get(b"application", b"config/name").unwrap().source(), b"\"Game\"");
/// assert!(file.errors().is_empty());
/// ```
#[derive(Debug)]
pub struct ConfigFile<'t> {
    document: Document<'t>,
}

/// The text between one `[section]` and the next.
#[derive(Clone, Copy, Debug)]
pub struct ConfigSection<'d> {
    document: &'d Document<'d>,
    /// The number of the tag, if there is one before.
    tag: Option<u32>,
}

/// Parses a settings file. Never fails: errors are in [`ConfigFile::errors`].
pub fn parse_config(text: &[u8]) -> ConfigFile<'_> {
    ConfigFile { document: parse_config_document(text) }
}

/// Whether Godot reads a file of this name as settings: `project.godot`, `override.cfg`, `plugin.cfg`,
/// `export_presets.cfg`, and all `.import` and `.gdextension` files. The path may be one of `res://`.
///
/// Other `.cfg` files may be anybody's; that of Godot 2, `engine.cfg`, has a grammar of its own.
///
/// ```
/// assert!(godot_tscn::is_config_path("res://addons/a/plugin.cfg"));
/// assert!(!godot_tscn::is_config_path("a.tscn"));
/// ```
pub fn is_config_path(path: &str) -> bool {
    const NAMES: [&str; 4] = ["project.godot", "override.cfg", "plugin.cfg", "export_presets.cfg"];
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    NAMES.contains(&name) || matches!(extension, "import" | "gdextension")
}

/// The properties of a settings file, each with the name of its section. Takes linear time.
pub(crate) fn named_properties<'d>(
    document: &'d Document<'_>,
) -> impl Iterator<Item = (Cow<'d, [u8]>, Property<'d>)> {
    let mut name: Cow<'d, [u8]> = Cow::Borrowed(b"");
    let tags = (0..document.sections().len() as u32).map(Some);
    std::iter::once(None).chain(tags).flat_map(move |tag| {
        if let Some(found) = tag.and_then(|tag| own_name(document, tag)) {
            name = found;
        }
        let name = name.clone();
        document.properties_after(tag).map(move |property| (name.clone(), property))
    })
}

/// The name in a tag, if it is not `[]`, which goes on with the section before it.
pub(crate) fn own_name<'d>(document: &'d Document<'_>, tag: u32) -> Option<Cow<'d, [u8]>> {
    let name = trimmed(document.section(tag).name_span().of(document.text()));
    (!name.is_empty()).then(|| unescaped(name))
}

impl<'t> ConfigFile<'t> {
    /// The text's tokens as a tree: a tag is a name without fields.
    pub fn document(&self) -> &Document<'t> {
        &self.document
    }

    /// The text that was parsed.
    pub fn text(&self) -> &'t [u8] {
        self.document.text()
    }

    /// Everything in the text that Godot refuses or misreads.
    pub fn errors(&self) -> &[SyntaxError] {
        self.document.errors()
    }

    /// Where the `;` comments are.
    pub fn comments(&self) -> &[Span] {
        self.document.comments()
    }

    /// The sections in the order of the text. The first is the text before any `[section]`, and has
    /// no name.
    pub fn sections(&self) -> impl Iterator<Item = ConfigSection<'_>> {
        let document = &self.document;
        let tags = 0..document.sections().len() as u32;
        std::iter::once(None).chain(tags.map(Some)).map(|tag| ConfigSection { document, tag })
    }

    /// The property that counts, of those with this section and key: the last one. `null` removes
    /// an earlier value, as in `ConfigFile::set_value`.
    pub fn get(&self, section: &[u8], key: &[u8]) -> Option<Property<'_>> {
        let mut found = None;
        for candidate in self.sections().filter(|candidate| *candidate.name() == *section) {
            found =
                candidate.properties().rfind(|property| *property.engine_key() == *key).or(found);
        }
        found.filter(|property| property.kind() != ValueKind::Null)
    }
}

impl<'d> ConfigSection<'d> {
    /// The name, without white space around it and with `\]` read as `]`. A tag `[]` goes on with
    /// the section before it.
    pub fn name(self) -> Cow<'d, [u8]> {
        let mut tags = (0..self.tag.map_or(0, |tag| tag + 1)).rev();
        tags.find_map(|tag| own_name(self.document, tag)).unwrap_or_default()
    }

    /// The place of the tag, brackets included; nothing for the text before the first.
    pub fn tag_span(self) -> Option<Span> {
        self.tag.map(|tag| self.document.section(tag).tag_span())
    }

    /// The properties, in the order of the text.
    pub fn properties(self) -> impl DoubleEndedIterator<Item = Property<'d>> {
        self.document.properties_after(self.tag)
    }
}

/// With `\]` read as `]`.
fn unescaped(name: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memmem::find(name, b"\\]").is_none() {
        return Cow::Borrowed(name);
    }
    let mut unescaped = Vec::with_capacity(name.len());
    for (index, byte) in name.iter().enumerate() {
        if *byte != b'\\' || name.get(index + 1) != Some(&b']') {
            unescaped.push(*byte);
        }
    }
    Cow::Owned(unescaped)
}

/// Without the bytes that `String::strip_edges` removes: bytes up to 32.
fn trimmed(name: &[u8]) -> &[u8] {
    let start = name.iter().take_while(|byte| **byte <= 32).count();
    let blanks = name[start..].iter().rev().take_while(|byte| **byte <= 32).count();
    &name[start..name.len() - blanks]
}

#[cfg(test)]
mod tests {
    use super::parse_config;
    use crate::syntax::{SyntaxErrorKind, Unterminated};

    #[test]
    fn names() {
        let text = b"a=1\n[ b c/d ]\na=2\n[x\\]y]\na=3\n[]\na=4 ; c\n[1.2:3]\na=5";
        let file = parse_config(text);
        let names: Vec<_> =
            file.sections().map(|section| section.name().escape_ascii().to_string()).collect();
        assert_eq!(names, ["", "b c/d", "x]y", "x]y", "1.2:3"]);
        let values = [&b""[..], b"b c/d", b"x]y", b"1.2:3"]
            .map(|section| file.get(section, b"a").unwrap().source());
        assert_eq!(values, [b"1", b"2", b"4", b"5"]);
        assert_eq!(file.comments().len(), 1);
        assert!(file.errors().is_empty(), "{:?}", file.errors());
    }

    #[test]
    fn null_removes() {
        let file = parse_config(b"[a]\nx=1\ny=1\n[b]\n[a]\nx=null\n");
        assert!(file.get(b"a", b"x").is_none());
        assert!(file.get(b"a", b"y").is_some());
        assert!(file.get(b"b", b"y").is_none());
    }

    /// One error does not hide the rest.
    #[test]
    fn broken_texts() {
        let file = parse_config(b"[a\nx=1\n[b]\ny=(\n[c]\nz=[1, 2\n[d]\nw=2\n");
        let kinds: Vec<_> = file.errors().iter().map(|error| error.kind).collect();
        assert_eq!(kinds.len(), 3, "{kinds:?}");
        assert_eq!(kinds[0], SyntaxErrorKind::Unterminated(Unterminated::Tag));
        assert_eq!(kinds[2], SyntaxErrorKind::Unterminated(Unterminated::Array));
        assert_eq!(file.get(b"d", b"w").unwrap().source(), b"2");
        for end in 0..file.text().len() {
            let joined: Vec<u8> = crate::config_tokens(&file.text()[..end])
                .iter()
                .flat_map(|token| token.span.of(file.text()))
                .copied()
                .collect();
            assert_eq!(joined, &file.text()[..end]);
        }
    }
}
