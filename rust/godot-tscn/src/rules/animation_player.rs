//! FMT003

use crate::context::Context;
use crate::document::Section;
use crate::model::animations::{listed, players, root_path, sub_resources};
use crate::model::node_tree::Parent;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::value::tree::{PartKind, PartRef};

declare_rule! {
    /// ## What it does
    /// Checks the references of an `AnimationPlayer`: its animations (`anims/…`, or `libraries` in Godot 4) must be
    /// resources of the class `Animation` or `AnimationLibrary`, and its `root_node` must be a node of the scene.
    ///
    /// ## Why is this bad?
    /// The player does not have the animation, or the animation has no effect.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [sub_resource type="Curve" id=1]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Player" type="AnimationPlayer" parent="."]
    /// anims/run = SubResource( 1 )
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [sub_resource type="Animation" id=1]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Player" type="AnimationPlayer" parent="."]
    /// anims/run = SubResource( 1 )
    /// ```
    ///
    /// ## References
    /// `AnimationMixer::_set` (scene/animation/animation_mixer.cpp)
    "FMT003", "invalid-animation-player", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.contains("Animation") {
        return;
    }
    for (index, player) in players(&context.node_tree) {
        check_list(context, player, reporter);
        let (path, property) = root_path(player);
        if let Some(property) = property
            && !context.hides_sections
            && !path.is_empty()
            && context.node_tree.find_from(index, &path) == Err(Parent::Missing)
        {
            let message =
                format!("node {} not found in the scene; correct `root_node`", quote(&path));
            reporter
                .report(property.value_span(), message)
                .consequence("the animations have no effect");
        }
    }
    for library in sub_resources(context.document, b"AnimationLibrary") {
        check_list(context, library, reporter);
    }
}

fn check_list(context: &Context<'_>, section: Section<'_>, reporter: &mut Reporter<'_>) {
    listed(section, |part, class| {
        let found = match class_of(context, part) {
            Found::Class(found) if found == class.as_bytes() => return,
            Found::Class(found) => format!("a resource of the class {}", quote(&found)),
            Found::NoResource => quote(part.source()),
            // A file may hold anything, and undefined ids are another rule's.
            Found::Unknown => return,
        };
        reporter
            .report(
                part.span(),
                format!("expected a resource of the class `{class}`, found {found}"),
            )
            .consequence("the player does not have the animation");
    });
}

enum Found {
    Class(Vec<u8>),
    NoResource,
    Unknown,
}

/// The target of a part.
fn class_of(context: &Context<'_>, part: PartRef<'_>) -> Found {
    if let Some(id) = part.inner_text("SubResource") {
        return match context.sub_resources.find(&id) {
            Some(definition) => match definition.section.field_text("type") {
                Some(class) => Found::Class(class.into_owned()),
                None => Found::Unknown,
            },
            None => Found::Unknown,
        };
    }
    match part.kind() {
        PartKind::Construct | PartKind::Word => Found::Unknown,
        _ => Found::NoResource,
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, rendered};

    fn scene(properties: &str) -> String {
        format!(
            "[gd_scene format=3]\n\n[sub_resource type=\"Animation\" id=\"A\"]\n\n\
             [sub_resource type=\"AnimationLibrary\" id=\"L\"]\n_data = {{\n&\"a\": SubResource(\"A\")\n}}\n\n\
             [node name=\"N\" type=\"Node\"]\n\n[node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\n{properties}"
        )
    }

    #[test]
    fn players() {
        clean(
            &RULE,
            &scene("libraries = {\n\"\": SubResource(\"L\")\n}\nroot_node = NodePath(\"..\")\n"),
        );
        let found = rendered(
            &RULE,
            &scene(
                "anims/a = SubResource(\"L\")\nlibraries = {\n\"\": SubResource(\"A\"), \"x\": 1\n}\nroot_node = NodePath(\"../X\")\n",
            ),
        );
        assert_snapshot!(found, @r#"
        13:11-13:27 warning: expected a resource of the class `Animation`, found a resource of the class `AnimationLibrary`
            at: SubResource("L")
            so: the player does not have the animation
        15:5-15:21 warning: expected a resource of the class `AnimationLibrary`, found a resource of the class `Animation`
            at: SubResource("A")
            so: the player does not have the animation
        15:28-15:29 warning: expected a resource of the class `AnimationLibrary`, found `1`
            at: 1
            so: the player does not have the animation
        17:13-17:29 warning: node `../X` not found in the scene; correct `root_node`
            at: NodePath("../X")
            so: the animations have no effect
        "#);
    }

    /// Since 4.6 each library has a property of its own.
    #[test]
    fn properties_for_libraries() {
        clean(&RULE, &scene("libraries/ = SubResource(\"L\")\nlibraries/b = SubResource(\"L\")\n"));
        let found = rendered(&RULE, &scene("libraries/b = SubResource(\"A\")\n"));
        assert_snapshot!(found, @r#"
        13:15-13:31 warning: expected a resource of the class `AnimationLibrary`, found a resource of the class `Animation`
            at: SubResource("A")
            so: the player does not have the animation
        "#);
        let wrong = scene("").replace("&\"a\": SubResource(\"A\")", "&\"a\": SubResource(\"L\")");
        assert_snapshot!(rendered(&RULE, &wrong), @r#"
        7:7-7:23 warning: expected a resource of the class `Animation`, found a resource of the class `AnimationLibrary`
            at: SubResource("L")
            so: the player does not have the animation
        "#);
    }
}
