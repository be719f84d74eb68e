//! FMT002

use hashbrown::{HashMap, HashSet};

use crate::context::Context;
use crate::document::{Property, Section};
use crate::model::animations::is_of_type;
use crate::model::indexed::{Group, groups};
use crate::model::node_tree::Parent;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Checks that the `bone_name` of a `BoneAttachment` (Godot 3) or `BoneAttachment3D` below a skeleton is one of its
    /// bones. In Godot 3, also checks that the bone lists the attachment among its `bound_children`. Ignores skeletons
    /// of other scenes and imported models, because their bones are not in the text.
    ///
    /// ## Why is this bad?
    /// The node does not follow the bone.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [node name="Skeleton" type="Skeleton"]
    /// bones/0/name = "Bone"
    ///
    /// [node name="Hand" type="BoneAttachment" parent="."]
    /// bone_name = "Bnoe"
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [node name="Skeleton" type="Skeleton"]
    /// bones/0/name = "Bone"
    ///
    /// [node name="Hand" type="BoneAttachment" parent="."]
    /// bone_name = "Bone"
    /// ```
    ///
    /// ## References
    /// `BoneAttachment3D::_check_bind` (scene/3d/bone_attachment_3d.cpp)
    "FMT002", "unknown-bone", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.contains("bone") {
        return;
    }
    let nodes = &context.node_tree.nodes;
    let mut skeletons = HashMap::new();
    for (index, node) in nodes.iter().enumerate() {
        if !is_of_type(node.section, &[b"BoneAttachment", b"BoneAttachment3D"]) {
            continue;
        }
        let Parent::Known(skeleton) = node.parent else {
            continue;
        };
        let section = nodes[skeleton as usize].section;
        let skeleton =
            skeletons.entry(skeleton).or_insert_with(|| Skeleton::new(skeleton, section));
        let mut properties = node.section.properties();
        let property = properties.rfind(|property| property.key().as_ref() == b"bone_name");
        let Some(property) = property.filter(|_| skeleton.is_whole) else {
            continue;
        };
        let tree = property.value_tree();
        let Some(name) = tree.root().text().filter(|name| !name.is_empty()) else {
            continue;
        };
        let Some(bone) = skeleton.by_name.get(name.as_ref()).copied() else {
            let message = format!("the skeleton has no bone {}", quote(&name));
            let diagnostic = reporter.report(property.value_span(), message);
            diagnostic.consequence("the node does not follow a bone");
            let known = skeleton.names.iter().map(Vec::as_slice);
            if let Some(near) = context.nearest(&name, known) {
                diagnostic.help(format!("did you mean {}?", quote(near)));
            }
            continue;
        };
        if let Some(children) = skeleton.bones[bone].get("bound_children")
            && !skeleton.lists(context, bone, children, index as u32)
        {
            reporter
                .report(
                    property.value_span(),
                    format!(
                        "the bone {} does not list this node; add it to its `bound_children`",
                        quote(&name)
                    ),
                )
                .label(children.value_span(), "the bone's list")
                .consequence("the node does not follow the bone");
        }
    }
}

/// A node with bones, for all that are attached to it.
struct Skeleton<'d> {
    node: u32,
    bones: Vec<Group<'d>>,
    /// Whether all bones are in the text. A node of another scene, such as an imported model, has them there, and the
    /// text only the differences: `bones/0/position`.
    is_whole: bool,
    /// The names that bones have, in the order of the text.
    names: Vec<Vec<u8>>,
    /// The first bone of each name.
    by_name: HashMap<Vec<u8>, usize>,
    /// The nodes that each of the bones lists, for those asked about.
    listed: HashMap<usize, HashSet<u32>>,
}

impl<'d> Skeleton<'d> {
    fn new(node: u32, section: Section<'d>) -> Self {
        let bones = groups(section, "bones");
        let (mut names, mut by_name) = (Vec::new(), HashMap::new());
        for (index, bone) in bones.iter().enumerate() {
            if let Some(name) = bone_name(bone) {
                names.push(name.clone());
                by_name.entry(name).or_insert(index);
            }
        }
        let is_whole =
            section.field("type").is_some() && names.len() == bones.len() && !names.is_empty();
        Self { node, bones, is_whole, names, by_name, listed: HashMap::new() }
    }

    /// Whether the list of paths of a bone has one that leads to the node `attachment`.
    fn lists(
        &mut self,
        context: &Context<'_>,
        bone: usize,
        list: Property<'_>,
        attachment: u32,
    ) -> bool {
        let listed = self.listed.entry(bone).or_insert_with(|| {
            let tree = list.value_tree();
            let paths = tree.root().children().filter_map(|child| child.inner_text("NodePath"));
            paths.filter_map(|path| context.node_tree.find_from(self.node, &path).ok()).collect()
        });
        listed.contains(&attachment)
    }
}

fn bone_name(bone: &Group<'_>) -> Option<Vec<u8>> {
    let property = bone.get("name")?;
    Some(property.value_tree().root().text()?.into_owned())
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, rendered};

    #[test]
    fn bones() {
        let scene = |children: &str, name: &str| {
            format!(
                "[gd_scene format=2]\n\n[node name=\"S\" type=\"Skeleton\"]\nbones/0/name = \"Bone\"\n\
                 bones/0/bound_children = [{children}]\n\n\
                 [node name=\"B\" type=\"BoneAttachment\" parent=\".\"]\nbone_name = \"{name}\"\n"
            )
        };
        clean(&RULE, &scene("NodePath(\"B:\")", "Bone"));
        assert_snapshot!(rendered(&RULE, &scene("NodePath(\"B:\")", "Bona")), @r#"
        8:13-8:19 warning: the skeleton has no bone `Bona`
            at: "Bona"
            so: the node does not follow a bone
            help: did you mean `Bone`?
        "#);
        assert_snapshot!(rendered(&RULE, &scene("", "Bone")), @r#"
        8:13-8:19 warning: the bone `Bone` does not list this node; add it to its `bound_children`
            at: "Bone"
            label 5:26-5:28: the bone's list: []
            so: the node does not follow the bone
        "#);
    }

    /// The bones are in the model, which the scene instances or inherits; some have a pose of their own.
    #[test]
    fn bones_of_a_model() {
        let bones =
            "bones/0/position = Vector3(0, 1, 0)\nbones/2/rotation = Quaternion(0, 0, 0, 1)\n";
        let attached = |skeleton: &str| {
            format!(
                "[gd_scene format=4]\n\n[ext_resource type=\"PackedScene\" path=\"res://a.glb\" id=\"1\"]\n\n\
                 [node name=\"A\" instance=ExtResource(\"1\")]\n\n\
                 [node name=\"S\" {skeleton}parent=\".\" index=\"0\"]\n{bones}\n\
                 [node name=\"B\" type=\"BoneAttachment3D\" parent=\"S\" index=\"0\"]\nbone_name = \"Hand\"\n"
            )
        };
        clean(&RULE, &attached(""));
        // A script makes them.
        clean(&RULE, &attached("type=\"Skeleton3D\" "));
    }

    /// There is no list at the bone any more.
    #[test]
    fn godot_4() {
        let scene = |name: &str| {
            format!(
                "[gd_scene format=3]\n\n[node name=\"S\" type=\"Skeleton3D\"]\nbones/0/name = \"Bone\"\n\
                 bones/0/parent = -1\n\n[node name=\"B\" type=\"BoneAttachment3D\" parent=\".\"]\n\
                 bone_name = \"{name}\"\nbone_idx = 0\n"
            )
        };
        clean(&RULE, &scene("Bone"));
        assert_snapshot!(rendered(&RULE, &scene("Bona")), @r#"
        8:13-8:19 warning: the skeleton has no bone `Bona`
            at: "Bona"
            so: the node does not follow a bone
            help: did you mean `Bone`?
        "#);
    }
}
