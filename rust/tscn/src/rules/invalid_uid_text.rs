//! RES013

use crate::document::{Field, TagKind};
use crate::lint::{Context, quote};
use crate::rules::{Findings, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a `uid` that is not `uid://` and letters from `a` to `y` and digits from 0 to 8, which is how
    /// Godot writes them.
    ///
    /// ## Why is this bad?
    /// With other characters Godot takes it for no uid at all, and the file is found by its path only. `z` and 9
    /// it reads, but as `0` and `a` of the next place: the uid that it then writes looks different.
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

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for section in context.document.sections() {
        let field = match section.kind() {
            TagKind::GdScene | TagKind::GdResource => section.field("uid"),
            TagKind::ExtResource => section.field("uid"),
            // Uids stand in the head of the file.
            TagKind::Unknown => None,
            _ => return,
        };
        if let Some(field) = field {
            look_at(field, findings);
        }
    }
}

fn look_at(field: Field<'_>, findings: &mut Findings<'_>) {
    let Some(uid) = field.text() else { return };
    let Some(number) = uid.strip_prefix(b"uid://") else {
        let message = format!("{} does not begin with `uid://`", quote(&uid));
        findings.push(field.value_span(), message).consequence("Godot takes it for no uid");
        return;
    };
    let reads = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if number.is_empty() || !number.iter().all(reads) {
        let message = format!("{} has characters that no uid has", quote(&uid));
        findings.push(field.value_span(), message).consequence("Godot takes it for no uid");
    } else if number.iter().any(|byte| matches!(byte, b'z' | b'9')) {
        let message = format!("{} has a `z` or 9, which Godot never writes", quote(&uid));
        findings
            .push(field.value_span(), message)
            .consequence("Godot reads it, but writes it in another way");
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::{check, node};

    #[test]
    fn uids() {
        let file = |uid: &str| node("").replace("format=3", &format!("format=3 uid=\"{uid}\""));
        check(&RULE, &file("uid://b4gkfwf4i3ydl"), &[]);
        check(&RULE, &file("b4gkf"), &["1:24 `b4gkf` does not begin with `uid://`"]);
        for uid in ["uid://", "uid://<invalid>", "uid://B"] {
            let message = format!("1:24 `{uid}` has characters that no uid has");
            check(&RULE, &file(uid), &[&message]);
        }
        check(
            &RULE,
            &file("uid://z"),
            &["1:24 `uid://z` has a `z` or 9, which Godot never writes"],
        );
    }
}
