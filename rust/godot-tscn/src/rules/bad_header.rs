//! STR001

use crate::context::{Context, FileKind};
use crate::diagnostic::Severity;
use crate::document::TagKind;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a file that does not start with `[gd_scene …]` or `[gd_resource …]`, or whose first
    /// tag does not match its extension.
    ///
    /// ## Why is this bad?
    /// Godot does not load a file without one of these two tags. It loads a resource with the extension `.tscn`, or a
    /// scene with `.tres`, but tools that rely on the extension misinterpret the file.
    ///
    /// ## Example
    /// ```tscn
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
    /// ## References
    /// `ResourceLoaderText::open` (scene/resources/resource_format_text.cpp)
    "STR001", "bad-header", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let Some(header) = context.document.sections().next() else {
        return;
    };
    let (wanted, article) = match context.file_kind {
        Some(FileKind::Resource) => ("gd_resource", "a resource"),
        _ => ("gd_scene", "a scene"),
    };
    match header.kind() {
        TagKind::GdScene if context.file_kind != Some(FileKind::Resource) => {}
        TagKind::GdResource if context.file_kind != Some(FileKind::Scene) => {}
        TagKind::GdScene | TagKind::GdResource => {
            let tag = context.quote(header.name_span());
            let message =
                format!("{tag} does not match the file extension, which is for {article}");
            reporter.report(header.name_span(), message).severity = Severity::Warning;
        }
        // Another rule reports the cause of its break.
        _ if header.name().is_empty() || header.is_broken() => {}
        _ => {
            let tag = context.quote(header.name_span());
            let message = format!("expected `[{wanted} …]` at the start of the file, found {tag}");
            reporter
                .report(header.name_span(), message)
                .consequence("Godot does not load the file");
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean_file, rendered, rendered_file};

    #[test]
    fn headers() {
        let text = "[node name=\"A\" type=\"Node\"]\n";
        assert_snapshot!(rendered(&RULE, text), @"
        1:2-1:6 error: expected `[gd_scene …]` at the start of the file, found `node`
            at: node
            so: Godot does not load the file
        ");
        let found = rendered_file(
            &RULE,
            "a.tscn",
            b"[gd_resource type=\"Resource\" format=3]\n[resource]\n",
        );
        assert_snapshot!(found, @"
        1:2-1:13 warning: `gd_resource` does not match the file extension, which is for a scene
            at: gd_resource
        ");
        clean_file(&RULE, "a.tres", b"[gd_resource type=\"Resource\" format=3]\n[resource]\n");
    }
}
