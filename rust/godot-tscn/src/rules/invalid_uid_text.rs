//! RES013

use crate::context::Context;
use crate::document::{Field, TagKind};
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a `uid` that is not `uid://` and letters from `a` to `y` and digits from 0 to 8, which is how
    /// Godot writes them.
    ///
    /// ## Why is this bad?
    /// With other characters Godot does not recognize it as a uid at all, and the file is found by its path only. `z`
    /// and 9 it reads, but as `0` and `a` of the next place: the uid that it then writes looks different.
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
    /// [gd_scene format=3 uid="uid://b4gkfwf4i3ydl"]
    ///
    /// [node name="A" type="Node"]
    /// ```
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
            look_at(field, reporter);
        }
    }
}

fn look_at(field: Field<'_>, reporter: &mut Reporter<'_>) {
    let Some(uid) = field.text() else { return };
    let Some(number) = uid.strip_prefix(b"uid://") else {
        let message = format!("{} does not begin with `uid://`", quote(&uid));
        reporter
            .report(field.value_span(), message)
            .consequence("Godot does not recognize it as a uid");
        return;
    };
    let reads = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if number.is_empty() || !number.iter().all(reads) {
        let message = format!("{} contains characters that are not valid in a uid", quote(&uid));
        reporter
            .report(field.value_span(), message)
            .consequence("Godot does not recognize it as a uid");
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
        "#);
        let mut found = String::new();
        for uid in ["uid://", "uid://<invalid>", "uid://B"] {
            found += &rendered(&RULE, &file(uid));
        }
        assert_snapshot!(found, @r#"
        1:24-1:32 warning: `uid://` contains characters that are not valid in a uid
            at: "uid://"
            so: Godot does not recognize it as a uid
        1:24-1:41 warning: `uid://<invalid>` contains characters that are not valid in a uid
            at: "uid://<invalid>"
            so: Godot does not recognize it as a uid
        1:24-1:33 warning: `uid://B` contains characters that are not valid in a uid
            at: "uid://B"
            so: Godot does not recognize it as a uid
        "#);
        assert_snapshot!(rendered(&RULE, &file("uid://z")), @r#"
        1:24-1:33 warning: `uid://z` contains a `z` or `9`, which Godot never writes
            at: "uid://z"
            so: Godot reads it, but writes it differently
        "#);
    }
}
