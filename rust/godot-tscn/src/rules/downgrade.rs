//! MIG009

use crate::context::Context;
use crate::diagnostic::Severity;
use crate::document::{Section, TagKind};
use crate::godot_version::GodotVersion;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::syntax::{TokenKind, tokens};

declare_rule! {
    /// ## What it does
    /// Reports data that the Godot version of the project cannot read.
    ///
    /// It reports:
    ///
    /// - a newer format
    /// - typed dictionaries before 4.4
    /// - typed arrays and ids in quotes before 4.0
    /// - a property for each animation library before 4.6
    /// - metadata of scenes, and scenes inside resources, before 4.8
    ///
    /// Data that the version ignores, such as `unique_id` before 4.6, is an info.
    ///
    /// ## Why is this bad?
    /// An addon for several versions of Godot, or a project that was opened in a newer version, works for its author
    /// and fails for others.
    ///
    /// ## Example
    /// In a project for Godot 4.2:
    ///
    /// ```tscn
    /// [gd_scene format=4]
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
    /// ## References
    /// `ResourceLoaderText::open` (scene/resources/resource_format_text.cpp), `AnimationMixer::_set`
    /// (scene/animation/animation_mixer.cpp, up to 4.5 and since), Godot issues 89186, 78656, 106837 and 110502
    "MIG009", "downgrade", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let Some(target) = context.target else { return };
    check_format(context, target, reporter);
    if target < GodotVersion::godot4(6) && context.facts.has_unique_ids {
        let first =
            context.document.sections().find_map(|section: Section<'_>| section.field("unique_id"));
        if let Some(field) = first {
            reporter
                .report(
                    field.span(),
                    format!("Godot {target} ignores `unique_id`, which requires 4.6"),
                )
                .severity = Severity::Info;
        }
    }
    if target < GodotVersion::godot4(8) {
        check_scenes_as_resources(context, target, reporter);
    }
    if target < GodotVersion::godot4(6) && target.major == 4 {
        check_libraries(context, target, reporter);
    }
    if target < GodotVersion::godot4(4) {
        check_typed_containers(context, target, reporter);
    }
}

fn check_format(context: &Context<'_>, target: GodotVersion, reporter: &mut Reporter<'_>) {
    let newest = match target {
        GodotVersion { major: 4, minor: 3.. } => 4,
        GodotVersion { major: 4, .. } => 3,
        _ => 2,
    };
    let Some(field) = context.header().and_then(|header| header.field("format")) else { return };
    let Some(format) = field.int().filter(|format| *format > newest) else { return };
    reporter
        .report(field.span(), format!("Godot {target} reads formats up to {newest}, not {format}"))
        .consequence("it does not load the file");
}

/// Reports the first scene inside a resource, and the scene's own name and metadata.
fn check_scenes_as_resources(
    context: &Context<'_>,
    target: GodotVersion,
    reporter: &mut Reporter<'_>,
) {
    let find = |kind| context.document.sections().find(|section| section.kind() == kind);
    if let Some(nested) = find(TagKind::Nested) {
        let message =
            format!("Godot {target} does not support scenes inside resources, which require 4.8");
        reporter
            .report(nested.tag_span(), message)
            .consequence("it adds the nodes to the scene itself, or does not load the file");
    }
    let is_scene = context.header().is_some_and(|header| header.kind() == TagKind::GdScene);
    if let Some(own) = find(TagKind::Resource).filter(|_| is_scene) {
        let message =
            format!("Godot {target} does not support `[resource]` in a scene, which requires 4.8");
        reporter.report(own.tag_span(), message).consequence("it does not load the file");
    }
}

/// Reports the first property `libraries/NAME` of each player. Older versions take it for `libraries`, which is a dictionary of all.
fn check_libraries(context: &Context<'_>, target: GodotVersion, reporter: &mut Reporter<'_>) {
    if !context.contains("libraries/") {
        return;
    }
    for section in context.document.sections() {
        let class = section.field_text("type").filter(|_| section.kind() == TagKind::Node);
        if !matches!(class.as_deref(), Some(b"AnimationPlayer" | b"AnimationTree")) {
            continue;
        }
        let mut properties = section.properties();
        if let Some(found) = properties.find(|found| found.engine_key().starts_with(b"libraries/"))
        {
            let message = format!(
                "Godot {target} does not support a property for each library, which requires 4.6"
            );
            reporter
                .report(found.engine_key_span(), message)
                .consequence("the node loses all its libraries and their animations");
        }
    }
}

/// Reports the first typed dictionary, or typed array, that the target does not know.
fn check_typed_containers(
    context: &Context<'_>,
    target: GodotVersion,
    reporter: &mut Reporter<'_>,
) {
    let is_godot3 = target.major < 4;
    let is_mentioned = context.contains("Dictionary[") || is_godot3 && context.contains("Array[");
    if !is_mentioned {
        return;
    }
    let text = context.document.text();
    let tokens = tokens(text);
    let opens = |name: &[u8]| -> Option<Span> {
        let pair = tokens.windows(2).find(|pair| {
            pair[0].kind == TokenKind::Identifier
                && pair[0].span.of(text) == name
                && pair[1].kind == TokenKind::BracketOpen
        });
        pair.map(|pair| pair[0].span)
    };
    let kinds: &[(&[u8], &str)] = &[
        (b"Dictionary", "typed dictionaries, which require 4.4"),
        (b"Array", "typed arrays, which require 4.0"),
    ];
    for (name, what) in &kinds[..if is_godot3 { 2 } else { 1 }] {
        if let Some(span) = opens(name) {
            reporter
                .report(span, format!("Godot {target} does not support {what}"))
                .consequence("it does not load the file");
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, clean_for, node, rendered_for};

    #[test]
    fn formats() {
        let text = node("").replace("format=3", "format=4");
        clean(&RULE, &text);
        clean_for(&RULE, "4.3", &text);
        assert_snapshot!(rendered_for(&RULE, "4.2", &text), @"
        1:11-1:19 error: Godot 4.2 reads formats up to 3, not 4
            at: format=4
            so: it does not load the file
        ");
        assert_snapshot!(rendered_for(&RULE, "3.x", &node("")), @"
        1:11-1:19 error: Godot 3.6 reads formats up to 2, not 3
            at: format=3
            so: it does not load the file
        ");
    }

    #[test]
    fn libraries() {
        let text = node("").replace("type=\"Node\"", "type=\"AnimationPlayer\"")
            + "libraries/ = null\nlibraries/b = null\n";
        clean(&RULE, &text);
        clean_for(&RULE, "4.6", &text);
        clean_for(&RULE, "4.5", &text.replace("libraries/", "library_"));
        clean_for(&RULE, "4.5", &text.replace("AnimationPlayer", "Node"));
        assert_snapshot!(rendered_for(&RULE, "4.5", &text), @"
        4:1-4:11 error: Godot 4.5 does not support a property for each library, which requires 4.6
            at: libraries/
            so: the node loses all its libraries and their animations
        ");
    }

    #[test]
    fn values() {
        let text = node("a = Array[int]([1])\nb = Dictionary[int, int]({})\nc = \"Dictionary[\"\n");
        clean_for(&RULE, "4.4", &text);
        assert_snapshot!(rendered_for(&RULE, "4.0", &text), @"
        5:5-5:15 error: Godot 4.0 does not support typed dictionaries, which require 4.4
            at: Dictionary
            so: it does not load the file
        ");
    }

    #[test]
    fn unique_ids() {
        let text = node("[node name=\"B\" type=\"Node\" parent=\".\" unique_id=1]\n");
        clean_for(&RULE, "4.6", &text);
        assert_snapshot!(rendered_for(&RULE, "4.5", &text), @"
        4:39-4:50 info: Godot 4.5 ignores `unique_id`, which requires 4.6
            at: unique_id=1
        ");
    }
}
