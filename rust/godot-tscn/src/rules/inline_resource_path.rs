//! REF010

use hashbrown::HashMap;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Document, Reference, ReferenceKind, TagKind};
use crate::edit_set::Edit;
use crate::model::fresh_ids::FreshIds;
use crate::rules::{Reporter, declare_rule};
use crate::span::{Span, next_line_after};

declare_rule! {
    /// ## What it does
    /// Reports `Resource("res://…")` in a value. Godot loads this file directly by its path, without an `ext_resource`
    /// tag.
    ///
    /// ## Why is this bad?
    /// Godot does not find this path when it moves or renames files, or collects the files for an export. It loads any
    /// file at this path immediately.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = Resource("res://a.tres")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Resource" path="res://a.tres" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = ExtResource("1")
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the fix guesses the type in the new tag from the file's name, and Godot then loads the file before the
    /// others. The fix changes only paths that begin with `res://`.
    ///
    /// ## References
    /// `VariantParser::parse_value` (core/variant/variant_parser.cpp)
    "REF010", "inline-resource-path", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    // It lists all paths, so the first diagnostic alone has it.
    let mut fix = std::iter::once_with(|| listed(context)).flatten();
    for reference in context.document.references() {
        if reference.kind == ReferenceKind::Resource {
            let path = context.quote(reference.target);
            reporter
                .report(
                    reference.target,
                    format!(
                        "{path} is loaded by its path inside a value; declare it as `ext_resource`"
                    ),
                )
                .consequence("Godot does not update the path when the file is moved")
                .fix = fix.next();
        }
    }
}

/// Lists the paths as external resources, one for each path, or uses listed ones.
fn listed(context: &Context<'_>) -> Option<Fix> {
    let document = context.document;
    if document.is_incomplete() || context.hides_sections {
        return None;
    }
    let resources = &context.ext_resources;
    let mut fresh = FreshIds::new(document, resources);
    let mut ids: HashMap<Vec<u8>, String> = HashMap::new();
    for definition in resources.definitions.iter().filter(|definition| definition.first.is_none()) {
        let (path, id) = (definition.section.field_text("path"), definition.section.field("id"));
        if let (Some(path), Some(id)) = (path, id) {
            let id = String::from_utf8_lossy(id.source()).into_owned();
            ids.entry(path.into_owned()).or_insert(id);
        }
    }
    let (mut edits, mut tags) = (Vec::new(), String::new());
    for reference in document.references() {
        let path = document.target(reference);
        let Some(call) = call_span(document, reference).filter(|_| path.starts_with(b"res://"))
        else {
            continue;
        };
        let Ok(source) = std::str::from_utf8(reference.target.of(document.text())) else {
            continue;
        };
        let number = resources.definitions.len() + ids.len() + 1;
        let id = ids.entry(path.clone().into_owned()).or_insert_with(|| {
            let id = fresh.id(TagKind::ExtResource, &number.to_string());
            let class = class_of(&path);
            tags += &format!("[ext_resource type=\"{class}\" path={source} id={id}]\n");
            id
        });
        edits.push(Edit::replace(call, format!("ExtResource({id})")));
    }
    if edits.is_empty() {
        return None;
    }
    if !tags.is_empty() {
        edits.push(tags_to_insert(document, &tags)?);
    }
    Some(Fix::new("declare it as `ext_resource`", Applicability::Unsafe, edits))
}

/// Where `Resource("…")` is, if the path is all that it has.
fn call_span(document: &Document<'_>, reference: &Reference) -> Option<Span> {
    if reference.kind != ReferenceKind::Resource {
        return None;
    }
    let text = document.text();
    let before = text[..reference.target.start as usize].trim_ascii_end().strip_suffix(b"(")?;
    let before = before.trim_ascii_end().strip_suffix(b"Resource")?;
    let after = text[reference.target.end as usize..].trim_ascii_start().strip_prefix(b")")?;
    Some(Span::new(before.len() as u32, (text.len() - after.len()) as u32))
}

/// Puts tags behind the last `ext_resource`, or behind the header.
fn tags_to_insert(document: &Document<'_>, tags: &str) -> Option<Edit> {
    let (text, header) = (document.text(), document.sections().next()?);
    let listed =
        document.sections().filter(|section| section.kind() == TagKind::ExtResource).last();
    let last = listed.unwrap_or(header);
    if !matches!(header.kind(), TagKind::GdScene | TagKind::GdResource) {
        return None;
    }
    let end = last.tag_span().end;
    let line = next_line_after(text, end);
    let tags = tags.trim_end();
    Some(match (line, listed) {
        (Some(line), Some(_)) if line > end => Edit::insert(line, format!("{tags}\n")),
        (Some(line), None) if line > end => Edit::insert(line, format!("\n{tags}\n")),
        _ => Edit::insert(end, format!("\n{tags}\n")),
    })
}

/// The class that Godot finds a loader by.
fn class_of(path: &[u8]) -> &'static str {
    let extension = path.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    match extension.to_ascii_lowercase().as_slice() {
        b"tscn" | b"scn" | b"escn" | b"glb" | b"gltf" | b"fbx" | b"dae" | b"blend" => "PackedScene",
        b"gd" | b"cs" => "Script",
        b"gdshader" | b"shader" => "Shader",
        b"gdshaderinc" => "ShaderInclude",
        b"png" | b"jpg" | b"jpeg" | b"webp" | b"svg" | b"bmp" | b"tga" | b"exr" | b"hdr" => {
            "Texture2D"
        }
        b"ogg" | b"wav" | b"mp3" => "AudioStream",
        b"ttf" | b"otf" | b"woff" | b"woff2" | b"fnt" => "FontFile",
        _ => "Resource",
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, diagnostics, node, rendered};

    #[test]
    fn paths() {
        let found =
            rendered(&RULE, &node("a = [Resource(\"res://a.tres\")]\nb = ExtResource(\"1\")\n"));
        assert_snapshot!(found, @r#"
        4:15-4:29 warning: `"res://a.tres"` is loaded by its path inside a value; declare it as `ext_resource`
            at: "res://a.tres"
            so: Godot does not update the path when the file is moved
            unsafe fix: declare it as `ext_resource`
              + [ext_resource type="Resource" path="res://a.tres" id="1_2k5dc"]
              +
              - a = [Resource("res://a.tres")]
              + a = [ExtResource("1_2k5dc")]
        "#);
    }

    #[test]
    fn fixes() {
        let text = node(
            "a = [Resource(\"res://a.gd\"), Resource( \"res://b.tres\" )]\nb = Resource(\"res://a.gd\")\n",
        );
        let found = diagnostics(&RULE, text.as_bytes());
        let tags = &found[0].fix.as_ref().unwrap().edits()[0].replacement;
        let id = |line: usize| {
            tags.lines().nth(line).unwrap().rsplit_once("id=").unwrap().1.trim_end_matches(']')
        };
        let (a, b) = (id(1), id(2));
        assert_ne!(a, b);
        check_fix(
            &RULE,
            &text,
            &format!(
                "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id={a}]\n\
                 [ext_resource type=\"Resource\" path=\"res://b.tres\" id={b}]\n\n\
                 [node name=\"A\" type=\"Node\"]\na = [ExtResource({a}), ExtResource({b})]\nb = ExtResource({a})\n"
            ),
        );
    }

    #[test]
    fn what_is_listed_already() {
        let file = |value: &str| {
            format!(
                "[gd_scene format=2]\n\n[ext_resource path=\"res://a\" type=\"A\" id=4]\n\n\
                 [node name=\"A\" type=\"Node\"]\na = {value}\n"
            )
        };
        check_fix(&RULE, &file("Resource( \"res://a\" )"), &file("ExtResource(4)"));
        for value in [
            "Resource(\"uid://a\")",
            "Resource(\"user://a\")",
            "Resource(\"res://a\", \"res://b\")",
        ] {
            let found = diagnostics(&RULE, file(value).as_bytes());
            assert!(found.iter().all(|found| found.fix.is_none()), "{value}");
        }
    }
}
