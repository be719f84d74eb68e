//! Sound files to break.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use godot_tscn::{Document, Edit, Field, LintOptions, Section, Severity, Span, TagKind};
use memchr::memmem;

use crate::case::{extension, files};

/// A file of the corpus, with stand-ins for what it refers to.
#[derive(Debug)]
pub(crate) struct Base {
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) extension: &'static str,
    pub(crate) text: Vec<u8>,
}

/// Larger files take the engine long, and a mutation of them shows no more.
const MAX_LEN: usize = 6000;

/// How many stand-ins of each kind scripts/test/scenes/linter.sh makes.
const STAND_INS: usize = 20;

/// How many files are broken.
const MAX_COUNT: usize = 400;

/// What the corpus is good for here.
#[derive(Debug, Default)]
pub(crate) struct Bases {
    /// The files to break.
    pub(crate) sound: Vec<Base>,
    /// Files of which the text alone says what the engine will make of them, but the linter has errors: the
    /// engine has to say whether they are broken.
    pub(crate) doubtful: Vec<Base>,
    /// How many files are left out, by reason.
    pub(crate) left_out: BTreeMap<&'static str, usize>,
}

/// The files whose text alone says what the engine will make of them.
pub(crate) fn bases(corpus: &Path) -> Bases {
    let mut found = Bases::default();
    let mut bases = Vec::new();
    for path in files(corpus) {
        let name = path.strip_prefix(corpus).unwrap_or(&path).display().to_string();
        let (Some(extension), Ok(text)) = (extension(&path), fs::read(&path)) else { continue };
        if name.starts_with("BROKEN") || name.starts_with("RARE") {
            continue;
        }
        if let Some(reason) = unfit(&text) {
            *found.left_out.entry(reason).or_default() += 1;
            continue;
        }
        let base = Base { index: 0, name, extension, text: with_stand_ins(&text) };
        if has_errors(&base) { found.doubtful.push(base) } else { bases.push(base) }
    }
    // From all projects alike.
    let step = (bases.len() / MAX_COUNT).max(1);
    let mut bases: Vec<_> = bases.into_iter().step_by(step).collect();
    for (index, base) in bases.iter_mut().enumerate() {
        base.index = index;
    }
    found.sound = bases;
    found
}

fn has_errors(base: &Base) -> bool {
    let path = format!("res://case.{}", base.extension);
    let found = godot_tscn::lint(&base.text, &LintOptions::for_path(&path));
    found.count(Severity::Error) > 0
}

/// Why the engine's word on a file says nothing about the linter.
fn unfit(text: &[u8]) -> Option<&'static str> {
    if text.len() > MAX_LEN {
        return Some("large");
    }
    let document = godot_tscn::parse(text);
    let is_of_godot_4 = document
        .sections()
        .next()
        .is_some_and(|header| matches!(header.field_text("format").as_deref(), Some(b"3" | b"4")));
    let has = |part: &[u8]| memmem::find(text, part).is_some();
    if !is_of_godot_4 {
        Some("not of Godot 4")
    } else if names_another_scene(text) {
        Some("nodes of another scene")
    } else if has(b" Resource(") {
        Some("a path in a value")
    } else if has(b"type=\"GDScript\"") {
        Some("a script inside")
    } else if has(b"_stencil_owned") {
        Some("a material that sets properties of another one")
    } else {
        None
    }
}

/// Whether the text says something of nodes that another file has.
pub(crate) fn names_another_scene(text: &[u8]) -> bool {
    godot_tscn::parse(text).sections().any(depends_on_another_scene)
}

/// Whether the section speaks of nodes that another file has.
fn depends_on_another_scene(section: Section<'_>) -> bool {
    let is_instance = section.field("instance").is_some();
    let is_root = section.field("parent").is_none();
    section.kind() == TagKind::Editable
        || section.kind() == TagKind::Node
            && (section.field("type").is_none() && !is_instance || is_instance && is_root)
}

/// The text with the paths of its external resources replaced by those of stand-ins, and without
/// uids, which would lead elsewhere.
pub(crate) fn with_stand_ins(text: &[u8]) -> Vec<u8> {
    let document = godot_tscn::parse(text);
    let mut edits = Vec::new();
    let mut paths: Vec<&[u8]> = Vec::new();
    for section in document.sections() {
        if matches!(section.kind(), TagKind::GdScene | TagKind::GdResource) {
            edits.extend(section.field("uid").map(|uid| without_uid(text, uid)));
        } else if section.kind() == TagKind::ExtResource {
            let path = section.field("path").map_or(&b""[..], Field::source);
            let number = paths.iter().position(|other| *other == path).unwrap_or_else(|| {
                paths.push(path);
                paths.len() - 1
            });
            edits.extend(stand_in(&document, section, number % STAND_INS));
        }
    }
    let mut replaced = Vec::with_capacity(text.len());
    let mut copied = 0;
    for edit in edits {
        replaced.extend_from_slice(&text[copied..edit.span.start as usize]);
        replaced.extend_from_slice(edit.replacement.as_bytes());
        copied = edit.span.end as usize;
    }
    replaced.extend_from_slice(&text[copied..]);
    replaced
}

/// A uid that nobody knows shows nowhere.
fn without_uid(text: &[u8], uid: Field<'_>) -> Edit {
    let span = uid.span();
    let blank = text.get(span.end as usize) == Some(&b' ');
    Edit::remove(Span::new(span.start, span.end + u32::from(blank)))
}

/// Makes `section` point to a stand-in.
fn stand_in(document: &Document<'_>, section: Section<'_>, number: usize) -> Vec<Edit> {
    let (kind, extension) = match section.field_text("type").as_deref() {
        Some(b"PackedScene") => ("scene", "tscn"),
        Some(b"Script" | b"GDScript" | b"CSharpScript") => ("script", "gd"),
        Some(b"Texture" | b"Texture2D" | b"CompressedTexture2D") => ("texture", "tres"),
        Some(b"Material") => ("material", "tres"),
        Some(b"Shader") => ("shader", "tres"),
        Some(b"Theme") => ("theme", "tres"),
        Some(b"StyleBox") => ("style_box", "tres"),
        _ => ("resource", "tres"),
    };
    let mut edits = Vec::new();
    for field in section.fields() {
        if field.name() == b"uid" {
            edits.push(without_uid(document.text(), field));
        } else if field.name() == b"path" {
            edits.push(Edit::replace(
                field.value_span(),
                format!("\"res://stand_in/{kind}_{number}.{extension}\""),
            ));
        }
    }
    edits
}
