//! SIG004

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Field, Section, TagKind};
use crate::edit_set::Edit;
use crate::quote::quote;
use crate::removal::line_to_remove;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a connection that repeats an earlier one: the same signal, nodes and method. Godot ignores differences
    /// in bound arguments and flags.
    ///
    /// ## Why is this bad?
    /// Godot keeps the first connection, and prints an error about the second one whenever the scene is instantiated.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [connection signal="ready" from="." to="." method="_on_ready"]
    /// [connection signal="ready" from="." to="." method="_on_ready"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [connection signal="ready" from="." to="." method="_on_ready"]
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot ignores the second connection.
    ///
    /// ## References
    /// `Object::connect` (core/object/object.cpp)
    "SIG004", "duplicate-connection", Warning
}

/// `Object::CONNECT_REFERENCE_COUNTED`: such connections count how often they are made.
const REFERENCE_COUNTED: i64 = 8;

const FIELDS: [&str; 4] = ["signal", "from", "to", "method"];

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if context.facts.connection_count < 2 {
        return;
    }
    let mut first: HashMap<[Cow<'_, [u8]>; 4], Section<'_>> = HashMap::new();
    let sections = context.document.sections();
    for section in sections.filter(|section| section.kind() == TagKind::Connection) {
        let [Some(signal), Some(from), Some(to), Some(method)] =
            FIELDS.map(|name| section.field_text(name))
        else {
            continue;
        };
        if section.is_broken() {
            continue;
        }
        let key = [signal, from, to, method];
        let Some(first) = first.get(&key).copied() else {
            first.insert(key, section);
            continue;
        };
        let flags = first.field("flags").and_then(Field::int).unwrap_or(0);
        if flags & REFERENCE_COUNTED != 0 {
            continue;
        }
        let message = format!("{} is already connected to {}", quote(&key[0]), quote(&key[3]));
        let line = line_to_remove(context.document.text(), section.tag_span());
        reporter
            .report(section.tag_span(), message)
            .label(first.tag_span(), "first connected here")
            .consequence("Godot prints an error whenever the scene is instantiated")
            .fix(Fix::new("remove the line", Applicability::Safe, vec![Edit::remove(line)]));
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn connections() {
        let line = |rest: &str| {
            format!("[connection signal=\"ready\" from=\".\" to=\".\" method=\"a\"{rest}]\n")
        };
        let file = |first: &str, second: &str| node(&format!("\n{}{}", line(first), line(second)));
        assert_snapshot!(rendered(&RULE, &file("", " flags=3 binds= [1]")), @r#"
        6:1-6:74 warning: `ready` is already connected to `a`
            at: [connection signal="ready" from="." to="." method="a" flags=3 binds= [1]]
            label 5:1-5:55: first connected here: [connection signal="ready" from="." to="." method="a"]
            so: Godot prints an error whenever the scene is instantiated
            safe fix: remove the line
              - [connection signal="ready" from="." to="." method="a" flags=3 binds= [1]]
        "#);
        check_fix(&RULE, &file("", " unbinds=1"), &node(&format!("\n{}", line(""))));
        clean(&RULE, &file(" flags=10", " flags=10"));
        let other = node(&format!("{}{}", line(""), line("").replace("\"a\"", "\"b\"")));
        clean(&RULE, &other);
    }
}
