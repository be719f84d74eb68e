//! PERF006

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::diagnostic::{Applicability, Edit, Fix};
use crate::document::Section;
use crate::godot_version::GodotVersion;
use crate::lint::Context;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::value::tree::{PartKind, ValueTree};

declare_rule! {
    /// ## What it does
    /// Reports a `PackedByteArray` of more than 64 decimal numbers in a file of format 4, or of a project for
    /// Godot 4.3 and newer.
    ///
    /// ## Why is this bad?
    /// As base64, which came with format 4, it takes less than half the space and a fraction of the time.
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

/// From so many on Godot 4.3 writes base64.
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
    if !reads_base64 || format < 3 || header.is_broken() {
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

/// The replacements of the long lists in a value.
fn collect(tree: &ValueTree<'_>, edits: &mut Vec<Edit>) {
    for part in tree.parts().filter(|part| part.kind() == PartKind::Construct) {
        if !matches!(part.name(), b"PackedByteArray" | b"PoolByteArray" | b"ByteArray") {
            continue;
        }
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
}
