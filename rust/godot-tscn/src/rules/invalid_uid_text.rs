//! RES013

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Field, Section, TagKind};
use crate::edit_set::Edit;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports a `uid` that does not have Godot's form: `uid://`, then letters from `a` to `y` and digits from 0 to 8.
    ///
    /// ## Why is this bad?
    /// Godot does not recognize a uid with other characters, and finds the file only by its path. It accepts `z` and 9,
    /// but reads them as `0` and `a` of the next place, so that it later writes a different text.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3 uid="uid://My-Level"]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## Fix safety
    /// Safe: removes a uid that Godot does not recognize, and Godot uses the path as before. The editor gives the file
    /// a new uid when it saves it. There is no fix for `z` and 9, because such a uid is valid.
    ///
    /// ## References
    /// `ResourceUID::text_to_id`, `ResourceUID::id_to_text` (core/io/resource_uid.cpp)
    "RES013", "invalid-uid-text", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for section in context.document.sections() {
        let field = match section.kind() {
            TagKind::GdScene | TagKind::GdResource => section.field("uid"),
            TagKind::ExtResource => section.field("uid"),
            // Uids stand in the head of the file.
            TagKind::Unknown => None,
            _ => return,
        };
        if let Some(field) = field {
            look_at(context, section, field, reporter);
        }
    }
}

fn look_at(
    context: &Context<'_>,
    section: Section<'_>,
    field: Field<'_>,
    reporter: &mut Reporter<'_>,
) {
    let Some(uid) = field.text() else { return };
    // Without it, Godot goes by the path, as it does now.
    let is_needed = section.kind() == TagKind::ExtResource && section.field("path").is_none();
    let text = context.document.text();
    let (start, end) = (field.span().start, field.span().end);
    let blanks = text[..start as usize].iter().rev().take_while(|byte| **byte == b' ').count();
    let removal = Edit::remove(Span::new(start - blanks as u32, end));
    let remove = || Fix::new("remove the uid", Applicability::Safe, vec![removal]);
    let is_fixable = !is_needed && !section.is_broken();
    let Some(number) = uid.strip_prefix(b"uid://") else {
        let message = format!("{} does not begin with `uid://`", quote(&uid));
        let diagnostic = reporter.report(field.value_span(), message);
        diagnostic.consequence("Godot does not recognize it as a uid");
        if is_fixable {
            diagnostic.fix(remove());
        }
        return;
    };
    let reads = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if number.is_empty() || !number.iter().all(reads) {
        let message = format!("{} contains characters that are not valid in a uid", quote(&uid));
        let diagnostic = reporter.report(field.value_span(), message);
        diagnostic.consequence("Godot does not recognize it as a uid");
        if is_fixable {
            diagnostic.fix(remove());
        }
    } else if number.iter().any(|byte| matches!(byte, b'z' | b'9')) {
        let message = format!("{} contains a `z` or `9`, which Godot never writes", quote(&uid));
        reporter
            .report(field.value_span(), message)
            .consequence("Godot reads it, but writes it differently");
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn uids() {
        let file = |uid: &str| node("").replace("format=3", &format!("format=3 uid=\"{uid}\""));
        clean(&RULE, &file("uid://b4gkfwf4i3ydl"));
        assert_snapshot!(rendered(&RULE, &file("b4gkf")), @r#"
        1:24-1:31 warning: `b4gkf` does not begin with `uid://`
            at: "b4gkf"
            so: Godot does not recognize it as a uid
            safe fix: remove the uid
              - [gd_scene format=3 uid="b4gkf"]
              + [gd_scene format=3]
        "#);
        let mut found = String::new();
        for uid in ["uid://", "uid://<invalid>", "uid://B"] {
            found += &rendered(&RULE, &file(uid));
        }
        assert_snapshot!(found, @r#"
        1:24-1:32 warning: `uid://` contains characters that are not valid in a uid
            at: "uid://"
            so: Godot does not recognize it as a uid
            safe fix: remove the uid
              - [gd_scene format=3 uid="uid://"]
              + [gd_scene format=3]
        1:24-1:41 warning: `uid://<invalid>` contains characters that are not valid in a uid
            at: "uid://<invalid>"
            so: Godot does not recognize it as a uid
            safe fix: remove the uid
              - [gd_scene format=3 uid="uid://<invalid>"]
              + [gd_scene format=3]
        1:24-1:33 warning: `uid://B` contains characters that are not valid in a uid
            at: "uid://B"
            so: Godot does not recognize it as a uid
            safe fix: remove the uid
              - [gd_scene format=3 uid="uid://B"]
              + [gd_scene format=3]
        "#);
        assert_snapshot!(rendered(&RULE, &file("uid://z")), @r#"
        1:24-1:33 warning: `uid://z` contains a `z` or `9`, which Godot never writes
            at: "uid://z"
            so: Godot reads it, but writes it differently
        "#);
    }
}
