//! PERF006

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hashbrown::HashSet;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Document, Property, Section, TagKind};
use crate::edit_set::Edit;
use crate::godot_version::GodotVersion;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::value::tree::{PartKind, PartRef, ValueTree};

declare_rule! {
    /// ## What it does
    /// Reports a `PackedByteArray` of more than 64 decimal numbers that Godot itself would write as base64. This
    /// concerns files of format 4 and projects for Godot 4.3 and newer. Godot writes base64 in the whole file if it
    /// finds such an array or a `PackedVector4Array`; it does not look for them in the image of an `ImageTexture`.
    ///
    /// ## Why is this bad?
    /// Base64 (since format 4) takes less than half the space and a fraction of the time.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=4]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = PackedByteArray(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2)
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=4]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = PackedByteArray("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEC")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: the bytes are the same.
    ///
    /// ## References
    /// `ResourceFormatSaverTextInstance::_find_resources` (scene/resources/resource_format_text.cpp), Godot
    /// issue 89186
    "PERF006", "decimal-bytes", Info
}

/// From this number on, Godot 4.3 writes base64.
const MOST_DECIMAL: usize = 64;

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let document = context.document;
    if document.tree.most_decimal_bytes <= MOST_DECIMAL {
        return;
    }
    let (Some(format), Some(header)) = (context.format(), context.header()) else { return };
    let reads_base64 = match context.target {
        Some(target) => target >= GodotVersion::godot4(3),
        None => format == 4,
    };
    let field = header.field("format");
    if !reads_base64 || format < 3 || header.is_broken() || !godot_writes_base64(document) {
        return;
    }
    let new_format = match field {
        Some(field) if format == 3 => Some(Edit::replace(field.value_span(), "4")),
        Some(_) => None,
        None => Some(Edit::insert(header.name_span().end, " format=4")),
    };
    for property in document.sections().flat_map(Section::properties) {
        // The shortest has as many digits and commas.
        if property.value_span().len() < 2 * MOST_DECIMAL as u32 {
            continue;
        }
        let mut edits = Vec::new();
        let tree = property.value_tree();
        collect(&tree, &mut edits);
        let Some(first) = edits.first() else { continue };
        let span = Span::new(first.span.start, first.span.start + b"PackedByteArray".len() as u32);
        edits.extend(new_format.clone());
        reporter.report(span, "the bytes are decimal numbers; write base64").fix(Fix::new(
            "write base64",
            Applicability::Safe,
            edits,
        ));
    }
}

/// Whether Godot, when it saves the file, finds something that makes it write format 4. Elsewhere the fix would be
/// undone.
fn godot_writes_base64(document: &Document<'_>) -> bool {
    let followed = followed_sub_resources(document);
    document.sections().any(|section| {
        let id = section.field_text("id");
        let is_followed = section.kind() != TagKind::SubResource
            || id.is_some_and(|id| followed.contains(id.as_ref()));
        is_followed && section.properties().any(asks_for_format_4)
    })
}

/// The ids of the resources that properties lead to, except the image of an `ImageTexture`
/// (`PROPERTY_USAGE_RESOURCE_NOT_PERSISTENT`: the saver takes it as it is).
fn followed_sub_resources(document: &Document<'_>) -> HashSet<Vec<u8>> {
    let mut followed = HashSet::new();
    for section in document.sections() {
        let is_texture = is_of_class(document, section, b"ImageTexture");
        for property in section.properties() {
            let is_taken = is_texture && property.key().as_ref() == b"image";
            if is_taken || memchr::memmem::find(property.source(), b"SubResource").is_none() {
                continue;
            }
            let tree = property.value_tree();
            let ids = tree.parts().filter_map(|part| part.inner_text("SubResource"));
            followed.extend(ids.map(std::borrow::Cow::into_owned));
        }
    }
    followed
}

fn is_of_class(document: &Document<'_>, section: Section<'_>, class: &[u8]) -> bool {
    let header = || document.sections().next();
    let tag = if section.kind() == TagKind::Resource { header() } else { Some(section) };
    tag.and_then(|tag| tag.field_text("type")).is_some_and(|found| found.as_ref() == class)
}

fn asks_for_format_4(property: Property<'_>) -> bool {
    let source = property.source();
    if memchr::memmem::find(source, b"Array").is_none() {
        return false;
    }
    ValueTree::new(source).parts().any(|part| {
        let text = part.children().next().and_then(PartRef::text);
        match text {
            _ if part.name() == b"PackedVector4Array" => true,
            _ if !is_byte_array(part) => false,
            Some(base64) => STANDARD.decode(base64).is_ok_and(|bytes| bytes.len() > MOST_DECIMAL),
            None => part.children().count() > MOST_DECIMAL,
        }
    })
}

fn is_byte_array(part: PartRef<'_>) -> bool {
    part.kind() == PartKind::Construct
        && matches!(part.name(), b"PackedByteArray" | b"PoolByteArray" | b"ByteArray")
}

/// The replacements of the long lists in a value.
fn collect(tree: &ValueTree<'_>, edits: &mut Vec<Edit>) {
    for part in tree.parts().filter(|part| is_byte_array(*part)) {
        let bytes: Option<Vec<u8>> = part.children().map(|number| to_byte(number.int()?)).collect();
        if let Some(bytes) = bytes.filter(|bytes| bytes.len() > MOST_DECIMAL) {
            let base64 = STANDARD.encode(bytes);
            edits.push(Edit::replace(part.span(), format!("PackedByteArray(\"{base64}\")")));
        }
    }
}

fn to_byte(number: i64) -> Option<u8> {
    u8::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn bytes() {
        let numbers = |count: usize| {
            let numbers = vec!["7"; count].join(", ");
            node(&format!("a = [PackedByteArray({numbers})]\n")).replace("format=3", "format=4")
        };
        clean(&RULE, &numbers(64));
        assert_snapshot!(rendered(&RULE, &numbers(65)), @r#"
        4:6-4:21 info: the bytes are decimal numbers; write base64
            at: PackedByteArray
            safe fix: write base64
              - a = [PackedByteArray(7, 7, 7, 7, 7, 7, 7, 7, 7, 7, … , 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7)]
              + a = [PackedByteArray("BwcHBwcHBwcHBwcHBwcHBwcHBwcH … wcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=")]
        "#);
        clean(&RULE, &numbers(65).replace("format=4", "format=3"));
        let base64 = format!("{}Bwc=", "BwcH".repeat(21));
        let fixed = node(&format!("a = [PackedByteArray(\"{base64}\")]\n"));
        check_fix(&RULE, &numbers(65), &fixed.replace("format=3", "format=4"));
    }

    /// The text that Godot 4.6.3 writes, with `format=3`, for an `ImageTexture`, and with `format=4` if the file has
    /// other bytes.
    #[test]
    fn images_of_textures() {
        let file = |resource: &str| {
            let numbers = vec!["0"; 65].join(", ");
            format!(
                "[gd_resource type=\"Theme\" format=4]\n\n\
                 [sub_resource type=\"Image\" id=\"i\"]\ndata = {{\n\"data\": PackedByteArray({numbers})\n}}\n\n\
                 [sub_resource type=\"ImageTexture\" id=\"t\"]\nimage = SubResource(\"i\")\n\n\
                 [resource]\nmetadata/t = SubResource(\"t\")\n{resource}"
            )
        };
        let is_found = |resource: &str| !rendered(&RULE, &file(resource)).is_empty();
        clean(&RULE, &file(""));
        clean(&RULE, &file("metadata/b = [PackedByteArray(1, 2), \"PackedVector4Array\"]\n"));
        let base64 = "AAAA".repeat(22);
        assert!(is_found(&format!("metadata/b = PackedByteArray(\"{base64}\")\n")));
        assert!(is_found("metadata/v = PackedVector4Array()\n"));
        assert!(is_found("metadata/i = [SubResource(\"i\")]\n"));
    }
}
