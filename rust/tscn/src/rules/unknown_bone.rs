//! FMT002

use crate::document::Property;
use crate::lint::{Context, quote};
use crate::model::animations::is_of_type;
use crate::model::indexed::{Group, groups};
use crate::model::node_tree::Parent;
use crate::rules::{Findings, declare_rule};
use crate::value::tree::ValueTree;

declare_rule! {
    /// ## What it does
    /// Checks that the `bone_name` of a `BoneAttachment` (Godot 3) or `BoneAttachment3D` below a skeleton is
    /// one of its bones, and that in Godot 3 the bone lists the attachment among its `bound_children`.
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

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if !context.mentions("bone") {
        return;
    }
    let nodes = &context.node_tree.nodes;
    for (index, node) in nodes.iter().enumerate() {
        if !is_of_type(node.section, &[b"BoneAttachment", b"BoneAttachment3D"]) {
            continue;
        }
        let Parent::Known(skeleton) = node.parent else {
            continue;
        };
        let skeleton_section = nodes[skeleton as usize].section;
        let bones = groups(skeleton_section, "bones");
        let mut properties = node.section.properties();
        let property = properties.rfind(|property| property.key().as_ref() == b"bone_name");
        // Without bones here, they come from another file.
        let Some(property) = property.filter(|_| !bones.is_empty()) else {
            continue;
        };
        let tree = ValueTree::new(property.source());
        let Some(name) = tree.root().text().filter(|name| !name.is_empty()) else {
            continue;
        };
        let names: Vec<_> = bones.iter().filter_map(bone_name).collect();
        let Some(at) = names.iter().position(|(_, found)| *found == name.as_ref()) else {
            let message = format!("the skeleton has no bone {}", quote(&name));
            let finding = findings.push(property.value_span(), message);
            finding.consequence("the node does not follow a bone");
            let known = names.iter().map(|(_, name)| name.as_slice());
            if let Some(near) = context.nearest(&name, known) {
                finding.help(format!("did you mean {}?", quote(near)));
            }
            continue;
        };
        let bone = names[at].0;
        if let Some(children) = bone.get("bound_children")
            && !lists(context, skeleton, children, index as u32)
        {
            findings
                .push(
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

fn bone_name<'b, 'd>(bone: &'b Group<'d>) -> Option<(&'b Group<'d>, Vec<u8>)> {
    let property = bone.get("name")?;
    let name = ValueTree::new(property.source()).root().text()?.into_owned();
    Some((bone, name))
}

/// Whether the list of paths has one that leads to the node `attachment`.
fn lists(context: &Context<'_>, skeleton: u32, list: Property<'_>, attachment: u32) -> bool {
    let tree = ValueTree::new(list.source());
    tree.root()
        .children()
        .filter_map(|child| child.inner_text("NodePath"))
        .any(|path| context.node_tree.find_from(skeleton, &path) == Ok(attachment))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::check;

    #[test]
    fn bones() {
        let scene = |children: &str, name: &str| {
            format!(
                "[gd_scene format=2]\n\n[node name=\"S\" type=\"Skeleton\"]\nbones/0/name = \"Bone\"\n\
                 bones/0/bound_children = [{children}]\n\n\
                 [node name=\"B\" type=\"BoneAttachment\" parent=\".\"]\nbone_name = \"{name}\"\n"
            )
        };
        check(&RULE, &scene("NodePath(\"B:\")", "Bone"), &[]);
        check(&RULE, &scene("NodePath(\"B:\")", "Bona"), &["8:13 the skeleton has no bone `Bona`"]);
        check(
            &RULE,
            &scene("", "Bone"),
            &["8:13 the bone `Bone` does not list this node; add it to its `bound_children`"],
        );
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
        check(&RULE, &scene("Bone"), &[]);
        check(&RULE, &scene("Bona"), &["8:13 the skeleton has no bone `Bona`"]);
    }
}
