//! MIG004

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::edit_set::Edit;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::construct::present_construct_name;
use crate::syntax::{TokenKind, tokens};

declare_rule! {
    /// ## What it does
    /// Reports names of constructs that Godot 4 still reads but no longer writes: `PoolByteArray`, `Transform`, `Quat`,
    /// `Rect3`, `Matrix32`, `IntArray` and so on. The rule ignores files of Godot 3.
    ///
    /// ## Why is this bad?
    /// Godot reads these names only for compatibility with old files, and other tools might not support them. `Transform`
    /// in particular is easily confused with `Transform2D`.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = PoolIntArray(1, 2)
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = PackedInt32Array(1, 2)
    /// ```
    ///
    /// ## Fix safety
    /// Safe: both names give the same value.
    ///
    /// ## References
    /// `VariantParser::parse_value` (core/variant/variant_parser.cpp)
    "MIG004", "legacy-constructor", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.document.tree.has_older_constructs || !context.is_for_godot4() {
        return;
    }
    let text = context.document.text();
    let tokens = tokens(text);
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Identifier {
            continue;
        }
        let Some(name) = present_construct_name(token.span.of(text)) else { continue };
        let mut next = tokens[index + 1..].iter().filter(|token| !token.kind.is_trivia());
        if next.next().is_none_or(|next| next.kind != TokenKind::ParenthesisOpen) {
            continue;
        }
        let message = format!("Godot 4 renamed {} to `{name}`", quote(token.span.of(text)));
        let edits = vec![Edit::replace(token.span, name)];
        reporter.report(token.span, message).fix(Fix::new(
            format!("write `{name}`"),
            Applicability::Safe,
            edits,
        ));
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered, rendered_for};

    #[test]
    fn names() {
        let (old, new) = ("a = [Quat( 0, 0, 0, 1 ), \"Quat(1)\"]\nTransform = 1\n", "Quaternion");
        assert_snapshot!(rendered(&RULE, &node(old)), @r#"
        4:6-4:10 info: Godot 4 renamed `Quat` to `Quaternion`
            at: Quat
            safe fix: write `Quaternion`
              - a = [Quat( 0, 0, 0, 1 ), "Quat(1)"]
              + a = [Quaternion( 0, 0, 0, 1 ), "Quat(1)"]
        "#);
        check_fix(&RULE, &node(old), &node(&old.replacen("Quat", new, 1)));
        let old = node(old).replace("format=3", "format=2");
        clean(&RULE, &old);
        assert_snapshot!(rendered_for(&RULE, "4.6", &old), @r#"
        4:6-4:10 info: Godot 4 renamed `Quat` to `Quaternion`
            at: Quat
            safe fix: write `Quaternion`
              - a = [Quat( 0, 0, 0, 1 ), "Quat(1)"]
              + a = [Quaternion( 0, 0, 0, 1 ), "Quat(1)"]
        "#);
    }
}
