//! STR014

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::document::{Field, Section, TagKind, ValueKind};
use crate::edit_set::Edit;
use crate::model::field_name::FieldName;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports fields with a value of the wrong type, such as a number for a name, or text for a list of groups.
    ///
    /// ## Why is this bad?
    /// Godot converts the value: a node gets an empty name, groups and bindings disappear, and an index becomes 0. An
    /// empty name may crash Godot.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" groups="enemies"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" groups=["enemies"]]
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: Godot did not use the value before.
    ///
    /// ## References
    /// `ResourceLoaderText::_parse_node_tag` (scene/resources/resource_format_text.cpp)
    "STR014", "wrong-field-type", Error
}

/// The required form of a field's value.
#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    /// A string, or a `NodePath`.
    Text,
    /// The same, but no `&"…"`, which Godot turns into an empty path.
    Path,
    /// A whole number, perhaps in quotes.
    Int,
    /// A number or a string.
    Id,
    /// `[…]`, or a packed array.
    List,
    /// `ExtResource(…)` or the like.
    Resource,
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for section in context.document.sections() {
        if section.is_broken() {
            continue;
        }
        for (field, name) in context.named_fields(section) {
            let Some(name) = name else { continue };
            let Some(wanted) = wanted(section.kind_of_name(), name) else { continue };
            if field.kind() != ValueKind::Invalid && !fits(field, wanted) {
                report(context, section, (field, name), wanted, reporter);
            }
        }
    }
}

fn report(
    context: &Context<'_>,
    section: Section<'_>,
    (field, field_name): (Field<'_>, FieldName),
    wanted: Wanted,
    reporter: &mut Reporter<'_>,
) {
    use FieldName::*;

    let what = match wanted {
        Wanted::Text | Wanted::Path => "a string",
        Wanted::Int => "a whole number of 32 bits",
        Wanted::Id => "a string or a number",
        Wanted::List => "a list in brackets",
        Wanted::Resource => "`ExtResource(…)`",
    };
    let name = context.quote(field.name_span());
    let value = context.quote(field.value_span());
    let diagnostic =
        reporter.report(field.value_span(), format!("{name} must be {what}, not {value}"));
    let is_harmless = matches!(field_name, ScriptClass | Uid | Format | LoadSteps);
    if is_harmless {
        diagnostic.severity = Severity::Warning;
    }
    diagnostic.consequence(match (section.kind_of_name(), field_name) {
        (TagKind::Node, Name) => "the node then has no name, which can crash Godot",
        (TagKind::Node, Parent) => "Godot crashes when it loads the file, or drops the node",
        (TagKind::Node, Instance) => "Godot cannot instantiate the scene",
        _ if is_harmless => "Godot converts the value if it can",
        _ => "Godot drops the value without a warning",
    });
    if wanted == Wanted::Path && field.kind() == ValueKind::StringName {
        let start = field.value_span().start;
        let edits = vec![Edit::remove(Span::new(start, start + 1))];
        diagnostic.fix(Fix::new("write it without `&`", Applicability::Unsafe, edits));
    } else if matches!(wanted, Wanted::Text | Wanted::Path)
        && matches!(field.kind(), ValueKind::Int | ValueKind::Float)
    {
        let quoted = format!("\"{}\"", String::from_utf8_lossy(field.source()));
        let edits = vec![Edit::replace(field.value_span(), quoted)];
        diagnostic.fix(Fix::new("put it in quotes", Applicability::Unsafe, edits));
    } else if wanted == Wanted::List && field.kind() == ValueKind::String {
        let list = format!("[{}]", String::from_utf8_lossy(field.source()));
        let edits = vec![Edit::replace(field.value_span(), list)];
        diagnostic.fix(Fix::new("put it in brackets", Applicability::Unsafe, edits));
    }
}

fn wanted(kind: TagKind, field: FieldName) -> Option<Wanted> {
    use FieldName::*;
    Some(match (kind, field) {
        (TagKind::GdScene | TagKind::GdResource, LoadSteps | Format) => Wanted::Int,
        (TagKind::GdResource, Type | ScriptClass)
        | (TagKind::ExtResource | TagKind::SubResource, Type | Path | Uid)
        | (TagKind::Node, Name | Type | InstancePlaceholder)
        | (TagKind::Connection, Signal | Method) => Wanted::Text,
        (TagKind::Node, Parent | Owner)
        | (TagKind::Connection, From | To)
        | (TagKind::Editable, Path) => Wanted::Path,
        (TagKind::ExtResource | TagKind::SubResource, Id) => Wanted::Id,
        (TagKind::Node, Index | UniqueId) | (TagKind::Connection, Flags | Unbinds) => Wanted::Int,
        (TagKind::Node, Groups | NodePaths | ParentIdPath | OwnerUidPath)
        | (TagKind::Connection, Binds | FromUidPath | ToUidPath) => Wanted::List,
        (TagKind::Node, Instance) => Wanted::Resource,
        _ => return None,
    })
}

fn fits(field: Field<'_>, wanted: Wanted) -> bool {
    let source = field.source();
    let is_construct =
        |name: &[u8]| field.kind() == ValueKind::Construct && source.starts_with(name);
    match (wanted, field.kind()) {
        (Wanted::Int, ValueKind::Int) => {
            field.int().is_some_and(|value| i32::try_from(value).is_ok())
        }
        (Wanted::Text, ValueKind::String | ValueKind::StringName)
        | (Wanted::Path, ValueKind::String)
        | (Wanted::Id, ValueKind::Int | ValueKind::String | ValueKind::StringName)
        | (Wanted::List, ValueKind::Array) => true,
        (Wanted::Text | Wanted::Path, _) => is_construct(b"NodePath"),
        (Wanted::Int, ValueKind::String) => {
            let text = field.text().unwrap_or_default();
            let digits = text.strip_prefix(b"-").unwrap_or(&text);
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        }
        (Wanted::List, _) => {
            is_construct(b"Packed")
                || is_construct(b"Pool")
                || is_construct(b"Array")
                || is_construct(b"StringArray")
                || is_construct(b"IntArray")
        }
        (Wanted::Resource, _) => {
            is_construct(b"ExtResource")
                || is_construct(b"SubResource")
                || is_construct(b"Resource")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn types() {
        let found = rendered(
            &RULE,
            &node(
                "[node name=5 type=\"Node\" parent=\".\" index=\"a\" unique_id=1.5]\n\
                 [node name=\"B\" parent=\".\" instance=\"res://b.tscn\"]\n\
                 [connection signal=[] from=\".\" to=\".\" method=\"a\" binds=1]\n",
            ),
        );
        assert_snapshot!(found, @r#"
        4:12-4:13 error: `name` must be a string, not `5`
            at: 5
            so: the node then has no name, which can crash Godot
            unsafe fix: put it in quotes
              - [node name=5 type="Node" parent="." index="a" unique_id=1.5]
              + [node name="5" type="Node" parent="." index="a" unique_id=1.5]
        4:43-4:46 error: `index` must be a whole number of 32 bits, not `"a"`
            at: "a"
            so: Godot drops the value without a warning
        4:57-4:60 error: `unique_id` must be a whole number of 32 bits, not `1.5`
            at: 1.5
            so: Godot drops the value without a warning
        5:36-5:50 error: `instance` must be `ExtResource(…)`, not `"res://b.tscn"`
            at: "res://b.tscn"
            so: Godot cannot instantiate the scene
        6:20-6:22 error: `signal` must be a string, not `[]`
            at: []
            so: Godot drops the value without a warning
        6:56-6:57 error: `binds` must be a list in brackets, not `1`
            at: 1
            so: Godot drops the value without a warning
        "#);
        clean(
            &RULE,
            &node(
                "[node name=\"B\" type=\"Node\" parent=NodePath(\".\") index=\"-1\" unique_id=\"5\" \
                 groups=PackedStringArray(\"a\") node_paths=PackedStringArray(\"b\")]\n",
            ),
        );
    }

    #[test]
    fn paths_are_no_string_names() {
        let text = node("[node name=&\"B\" type=&\"Node\" parent=&\".\"]\n");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:37-4:41 error: `parent` must be a string, not `&"."`
            at: &"."
            so: Godot crashes when it loads the file, or drops the node
            unsafe fix: write it without `&`
              - [node name=&"B" type=&"Node" parent=&"."]
              + [node name=&"B" type=&"Node" parent="."]
        "#);
        check_fix(&RULE, &text, &node("[node name=&\"B\" type=&\"Node\" parent=\".\"]\n"));
    }

    #[test]
    fn fixes() {
        check_fix(
            &RULE,
            &node("[node name=5 type=\"Node\" parent=\".\" groups=\"a\"]\n"),
            &node("[node name=\"5\" type=\"Node\" parent=\".\" groups=[\"a\"]]\n"),
        );
    }
}
