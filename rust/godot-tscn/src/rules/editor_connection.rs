//! SIG007

use crate::context::Context;
use crate::document::TagKind;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports every connection, for teams that connect signals in scripts only.
    ///
    /// ## Why is this bad?
    /// A connection in a scene is not visible in the script, and is easily overlooked when the method is renamed.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [connection signal="ready" from="." to="." method="_on_ready"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## References
    /// gdtoolkit issue 315
    "SIG007", "editor-connection", Info, off_by_default
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let sections = context.document.sections();
    for section in sections.filter(|section| section.kind() == TagKind::Connection) {
        reporter.report(
            section.tag_span(),
            "the scene makes this connection; connect the signal in a script instead",
        );
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn connections() {
        let line = "[connection signal=\"ready\" from=\".\" to=\".\" method=\"a\"]\n";
        assert_snapshot!(rendered(&RULE, &node(line)), @r#"
        4:1-4:55 info: the scene makes this connection; connect the signal in a script instead
            at: [connection signal="ready" from="." to="." method="a"]
        "#);
        clean(&RULE, &node(""));
    }
}
