//! SEC011

use crate::context::Context;
use crate::document::TagKind;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::{TokenKind, tokens};

declare_rule! {
    /// ## What it does
    /// Reports strings that contain the path of a file that Godot loads: `#include` in shaders, `[img]` and `[font]` in
    /// rich text, `instance_placeholder`, and properties such as `_spawnable_scenes`, `load_path` and
    /// `_custom_type_script`.
    ///
    /// ## Why is this bad?
    /// Godot loads the file at the path, and may run its code: a script from `#include`, a scene from `[font]`. No
    /// `ext_resource` lists the file.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="RichTextLabel"]
    /// bbcode_enabled = true
    /// text = "[img]user://a.tres[/img]"
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="RichTextLabel"]
    /// bbcode_enabled = true
    /// text = "[b]A[/b]"
    /// ```
    ///
    /// ## References
    /// `ShaderPreprocessor::process_include` (servers/rendering/shader_preprocessor.cpp),
    /// `RichTextLabel::append_text` (scene/gui/rich_text_label.cpp), `SceneState::instantiate`
    /// (scene/resources/packed_scene.cpp)
    "SEC011", "load-by-text", Info, off_by_default
}

/// Properties with a text that is a path that the engine opens by itself.
const PATHS: &[&[u8]] = &[
    b"_spawnable_scenes",
    b"download_file",
    b"file",
    b"load_path",
    b"metadata/_custom_type_script",
];

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let document = context.document;
    for section in document.sections() {
        if let Some(field) = section.field("instance_placeholder")
            && section.kind_of_name() == TagKind::Node
            && !context.is_listed(&field.text().unwrap_or_default())
        {
            reporter.report(field.span(), "the game may load this scene later by its path");
        }
        for property in section.properties() {
            if PATHS.contains(&property.engine_key().as_ref()) && property.source() != b"\"\"" {
                reporter.report(property.key_span(), "Godot loads or writes the file at this path");
            }
        }
    }
    let text = document.text();
    for token in tokens(text) {
        if !matches!(token.kind, TokenKind::String | TokenKind::StringName) {
            continue;
        }
        let string = crate::decode::text(token.span.of(text));
        let what = if includes(&string) {
            "the shader includes a file"
        } else if [&b"[img"[..], b"[font", b"[dropcap"].iter().any(|tag| has_tag(&string, tag)) {
            "the rich text loads a file"
        } else {
            continue;
        };
        reporter.report(token.span, what).consequence("Godot loads the file, and runs its code");
    }
}

/// Whether the preprocessor may find an `#include`: comments between the letters do not count for it.
fn includes(string: &[u8]) -> bool {
    let Some(start) = memchr::memchr(b'#', string) else { return false };
    let mut code = Vec::with_capacity(string.len() - start);
    let mut rest = &string[start..];
    while let Some(comment) = memchr::memmem::find(rest, b"/*") {
        code.extend_from_slice(&rest[..comment]);
        let end = memchr::memmem::find(&rest[comment + 2..], b"*/");
        rest = end.map_or(&[][..], |end| &rest[comment + 2 + end + 2..]);
    }
    code.extend_from_slice(rest);
    code.retain(|byte| *byte > 32 && *byte != b'\\');
    memchr::memmem::find(&code, b"#include").is_some()
        || memchr::memmem::find(string, b"include").is_some()
}

/// Whether it is this tag, and not one with a longer name, such as `[font_size=…]`.
fn has_tag(string: &[u8], tag: &[u8]) -> bool {
    let mut ends = memchr::memmem::find_iter(string, tag).map(|at| at + tag.len());
    ends.any(|end| string.get(end) != Some(&b'_'))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn shaders() {
        let mut found = String::new();
        for code in [
            "#include \\\"res://a\\\"",
            "# include <a>",
            "#inc/* */lude \\\"a\\\"",
            "\\u0023include",
        ] {
            let text = node(&format!("code = \"{code}\"\n"));
            found += &rendered(&RULE, &text);
        }
        assert_snapshot!(found, @r##"
        4:8-4:30 info: the shader includes a file
            at: "#include \"res://a\""
            so: Godot loads the file, and runs its code
        4:8-4:23 info: the shader includes a file
            at: "# include <a>"
            so: Godot loads the file, and runs its code
        4:8-4:29 info: the shader includes a file
            at: "#inc/* */lude \"a\""
            so: Godot loads the file, and runs its code
        4:8-4:23 info: the shader includes a file
            at: "\u0023include"
            so: Godot loads the file, and runs its code
        "##);
        clean(
            &RULE,
            &node("code = \"#define A 1\"\ntext = \"Drinks include #1\"\n").replace("#1", "1"),
        );
    }

    #[test]
    fn rich_text() {
        let mut found = String::new();
        for code in [
            "[img]a[/img]",
            "[dropcap font=a]",
            "[img=20]a",
            "x [font=res://a]",
            "[\\u0066ont name=a]",
        ] {
            let text = node(&format!("text = \"{code}\"\n"));
            found += &rendered(&RULE, &text);
        }
        assert_snapshot!(found, @r#"
        4:8-4:22 info: the rich text loads a file
            at: "[img]a[/img]"
            so: Godot loads the file, and runs its code
        4:8-4:26 info: the rich text loads a file
            at: "[dropcap font=a]"
            so: Godot loads the file, and runs its code
        4:8-4:19 info: the rich text loads a file
            at: "[img=20]a"
            so: Godot loads the file, and runs its code
        4:8-4:26 info: the rich text loads a file
            at: "x [font=res://a]"
            so: Godot loads the file, and runs its code
        4:8-4:28 info: the rich text loads a file
            at: "[\u0066ont name=a]"
            so: Godot loads the file, and runs its code
        "#);
        clean(&RULE, &node("text = \"[b]a[/b] [url] [font_size=9]\"\n"));
    }

    #[test]
    fn paths() {
        assert_snapshot!(rendered(&RULE, &node("load_path = \"a\"\n")), @"
        4:1-4:10 info: Godot loads or writes the file at this path
            at: load_path
        ");
        let placeholder = "[node name=\"B\" parent=\".\" instance_placeholder=\"res://a\"]\n";
        assert_snapshot!(rendered(&RULE, &node(placeholder)), @r#"
        4:27-4:57 info: the game may load this scene later by its path
            at: instance_placeholder="res://a"
        "#);
    }
}
