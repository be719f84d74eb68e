//! Text scenes and resources.

use godot_project::{ResolvedPath, Uid};
use godot_tscn::{Document, Field, PartKind, PartRef, Section, Span, TagKind, ValueKind};

use crate::draft::FileDraft;
use crate::move_files::literal::{Extent, Moving, Verdict};

/// Adds the changes of the paths in a scene or resource.
pub(super) fn change(moving: Moving<'_>, draft: &mut FileDraft) {
    let text = draft.text.clone();
    let document = godot_tscn::parse(&text);
    for section in document.sections() {
        match section.kind() {
            TagKind::ExtResource => external(moving, section, draft),
            TagKind::Node => {
                if let Some(field) = section.field("instance_placeholder") {
                    let verdict = |path: &str| moving.absolute(path, Extent::Whole);
                    field_string(field, "path of the placeholder's scene", verdict, draft);
                }
            }
            _ => {}
        }
        properties(moving, &document, section, draft);
    }
}

/// The path in the tag of an external resource. A known uid has priority over it (`ResourceLoaderText::load`,
/// scene/resources/resource_format_text.cpp, Godot 4.6.3), and Godot's saver writes the path of the uid's file.
fn external(moving: Moving<'_>, section: Section<'_>, draft: &mut FileDraft) {
    let Some(field) = section.field("path") else { return };
    let base = draft.path.clone();
    let uid = section.field_text("uid").and_then(|uid| Uid::parse(&uid));
    let of_uid = uid.map_or(&[][..], |uid| moving.project.files_with_uid(uid));
    let verdict = |path: &str| {
        let of_path = match moving.project.resolve(&base, path) {
            ResolvedPath::File(file) => Some(file),
            _ => None,
        };
        let leads_elsewhere =
            !of_uid.is_empty() && !of_path.is_some_and(|file| of_uid.contains(&file));
        if !leads_elsewhere {
            return moving.path_in(&base, path);
        }
        let target = moving.project.path(of_uid[0]);
        if let Some(new) = moving.renames.new_path(target) {
            return Verdict::Becomes(new.into_owned());
        }
        match moving.path_in(&base, path) {
            Verdict::Keep => Verdict::Keep,
            _ => Verdict::Doubt(
                "is the moved path, but the uid next to it leads to another file".into(),
            ),
        }
    };
    field_string(field, "path of the external resource", verdict, draft);
}

fn field_string(
    field: Field<'_>,
    what: &'static str,
    verdict: impl Fn(&str) -> Verdict,
    draft: &mut FileDraft,
) {
    if matches!(field.kind(), ValueKind::String | ValueKind::StringName) {
        string(field.value_span(), what, verdict, draft);
    }
}

/// Strings in properties, at any depth.
fn properties(
    moving: Moving<'_>,
    document: &Document<'_>,
    section: Section<'_>,
    draft: &mut FileDraft,
) {
    for property in section.properties() {
        let source = property.source();
        if holds_code(section, &property.engine_key()) {
            inline_code(moving, document, property.value_span(), draft);
        } else if memchr::memmem::find(source, b"res://").is_some() {
            let tree = property.value_tree();
            for part in tree.parts().filter(is_string) {
                let verdict = |path: &str| moving.absolute(path, Extent::Whole);
                string(part.span(), "path in a property", verdict, draft);
            }
        }
    }
}

pub(super) fn is_string(part: &PartRef<'_>) -> bool {
    matches!(part.kind(), PartKind::String | PartKind::StringName)
}

/// Adds the change of the string at `span`, quotes included.
pub(super) fn string(
    span: Span,
    what: &'static str,
    verdict: impl Fn(&str) -> Verdict,
    draft: &mut FileDraft,
) {
    let source = span.of(&draft.text);
    let Some(open) = source.iter().position(|byte| *byte == b'"') else { return };
    let inner = Span::new(span.start + open as u32 + 1, span.end.saturating_sub(1));
    if inner.start > inner.end {
        return;
    }
    let Ok(content) = std::str::from_utf8(inner.of(&draft.text)) else { return };
    let is_escaped = content.contains('\\');
    match verdict(content) {
        Verdict::Keep => {}
        Verdict::Becomes(new) if !is_escaped => draft.edit(inner, new, what),
        Verdict::Becomes(_) => draft.doubt(inner, "is a moved path, written with escapes"),
        Verdict::Doubt(why) => draft.doubt(inner, why),
    }
}

/// Whether the property is the code of a script or shader inside the file.
fn holds_code(section: Section<'_>, key: &[u8]) -> bool {
    let class = || section.field_text("type");
    match key {
        b"script/source" => class().as_deref() == Some(b"GDScript"),
        b"code" => matches!(class().as_deref(), Some(b"Shader" | b"ShaderInclude")),
        _ => false,
    }
}

/// Code inside the file: among quoted paths, whole `res://…` paths, and relative ones after `preload`, `extends` and
/// `#include`, which start at the folder of the file.
fn inline_code(moving: Moving<'_>, document: &Document<'_>, span: Span, draft: &mut FileDraft) {
    const PATHS: [&[u8]; 3] = [b"preload(", b"extends ", b"#include "];
    let code = span.of(document.text());
    let mut at = 1;
    while let Some(open) = code.get(at..).and_then(quote) {
        let start = at + open.end;
        let before = &code[..at + open.start];
        let Some(close) = code
            .get(start..)
            .and_then(quote)
            .filter(|close| memchr::memchr(b'\n', &code[start..start + close.start]).is_none())
        else {
            at = start;
            continue;
        };
        let inner = &code[start..start + close.start];
        at = start + close.end;
        let Ok(text) = std::str::from_utf8(inner) else { continue };
        let is_path = PATHS.iter().any(|word| before.ends_with(word));
        let verdict = match text.contains("res://") {
            true => moving.absolute(text, Extent::Part),
            false if is_path => moving.path_in(&draft.path, text),
            false => continue,
        };
        let first = span.start + start as u32;
        let place = Span::new(first, first + inner.len() as u32);
        match verdict {
            Verdict::Keep => {}
            Verdict::Becomes(new) => draft.edit(place, new, "path in the code inside the file"),
            Verdict::Doubt(why) => draft.doubt(place, why),
        }
    }
}

/// The next quote of code in a string: `\"` or `'`.
fn quote(code: &[u8]) -> Option<std::ops::Range<usize>> {
    let mut at = 0;
    while let Some(found) = code.get(at..).and_then(|rest| memchr::memchr2(b'\\', b'\'', rest)) {
        let start = at + found;
        if code[start] == b'\'' {
            return Some(start..start + 1);
        }
        if code.get(start + 1) == Some(&b'"') {
            return Some(start..start + 2);
        }
        at = start + 2;
    }
    None
}
