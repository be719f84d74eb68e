//! SIG006

use crate::context::Context;
use crate::document::TagKind;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports `flags` of a connection with a bit other than `CONNECT_DEFERRED` (1), `CONNECT_PERSIST` (2),
    /// `CONNECT_ONE_SHOT` (4), `CONNECT_REFERENCE_COUNTED` (8) and `CONNECT_APPEND_SOURCE_OBJECT` (16).
    ///
    /// ## Why is this bad?
    /// The bit has no effect, or is the engine's own flag for connections of an instanced scene (32), which files must
    /// not set.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [connection signal="ready" from="." to="." method="_on_ready" flags=66]
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
    /// ## References
    /// `Object::ConnectFlags` (core/object/object.h)
    "SIG006", "unknown-connection-flags", Warning
}

/// Every bit that a file may set.
const KNOWN: i64 = 31;

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.facts.has_flags {
        return;
    }
    let sections = context.document.sections();
    for section in sections.filter(|section| section.kind() == TagKind::Connection) {
        let Some(field) = section.field("flags") else { continue };
        let Some(flags) = field.int().filter(|flags| flags & !KNOWN != 0) else { continue };
        let message = format!(
            "`flags` has bits that have no meaning in a file; write `flags={}`",
            flags & KNOWN
        );
        reporter.report(field.span(), message);
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn flags() {
        let file = |flags: &str| {
            node(&format!(
                "[connection signal=\"ready\" from=\".\" to=\".\" method=\"a\" flags={flags}]\n"
            ))
        };
        for known in ["0", "2", "31"] {
            clean(&RULE, &file(known));
        }
        assert_snapshot!(rendered(&RULE, &file("35")), @"
        4:55-4:63 warning: `flags` has bits that have no meaning in a file; write `flags=3`
            at: flags=35
        ");
    }
}
