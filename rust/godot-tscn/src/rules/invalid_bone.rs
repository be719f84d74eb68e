//! FMT001

use hashbrown::HashMap;

use crate::context::Context;
use crate::diagnostic::Severity;
use crate::document::{Property, ValueKind};
use crate::model::animations::is_of_type;
use crate::model::indexed::{Group, groups};
use crate::model::node_tree::Parent;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Checks the bones of a `Skeleton` (Godot 3) or `Skeleton3D`, which are properties `bones/N/…`.
    ///
    /// It checks these conditions:
    ///
    /// - The numbers start at 0 and have no gaps.
    /// - `name` comes first.
    /// - `parent` is -1 or the number of another bone, and is not part of a cycle.
    /// - `rest` and `pose` are transforms.
    /// - `bound_children` names `BoneAttachment`s.
    ///
    /// ## Why is this bad?
    /// Godot creates a bone when it reads the bone's name. It drops properties before the name, and a bone whose number
    /// is not the next one.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [node name="Skeleton" type="Skeleton"]
    /// bones/0/parent = -1
    /// bones/0/name = "Bone"
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [node name="Skeleton" type="Skeleton"]
    /// bones/0/name = "Bone"
    /// bones/0/parent = -1
    /// ```
    ///
    /// ## References
    /// `Skeleton3D::_set` (scene/3d/skeleton_3d.cpp); `Skeleton::_set` (scene/3d/skeleton.cpp, 3.6)
    "FMT001", "invalid-bone", Error
}

const SKELETONS: &[&[u8]] = &[b"Skeleton", b"Skeleton3D"];

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.contains("bone") {
        return;
    }
    for (index, node) in context.node_tree.nodes.iter().enumerate() {
        if is_of_type(node.section, SKELETONS) {
            let bones = groups(node.section, "bones");
            check_numbers(&bones, reporter);
            check_parents(&bones, reporter);
            for bone in &bones {
                check_transforms(bone, reporter);
                check_children(context, index as u32, bone, reporter);
            }
        }
    }
}

/// `name` first, and one number after the other.
fn check_numbers(bones: &[Group<'_>], reporter: &mut Reporter<'_>) {
    let mut next = 0;
    for bone in bones {
        let (what, first) = &bone.properties[0];
        let number = bone.number;
        if number == next && what.as_ref() == b"name" {
            next += 1;
        } else if number == next {
            reporter
                .report(
                    first.key_span(),
                    format!("`bones/{number}/name` must be the first property of the bone"),
                )
                .consequence("Godot drops the properties before the name");
            next += 1;
        } else if number > next {
            reporter
                .report(
                    first.key_span(),
                    format!("expected bone {next}, found bone {number}; number the bones from 0 without gaps"),
                )
                .consequence("Godot drops the bone");
            next = number + 1;
        }
    }
}

fn check_parents(bones: &[Group<'_>], reporter: &mut Reporter<'_>) {
    let count = i64::from(bones.iter().map(|bone| bone.number + 1).max().unwrap_or(0));
    let mut parents = HashMap::new();
    for bone in bones {
        let Some(property) = bone.get("parent") else {
            continue;
        };
        let number = i64::from(bone.number);
        let parent = property.value_tree().root().int();
        match parent {
            Some(-1) => {}
            Some(parent) if parent >= 0 && parent < count && parent != number => {
                parents.insert(number, (parent, property));
            }
            _ => {
                let value = quote(property.source());
                let message = if parent == Some(number) {
                    "a bone cannot be its own parent; expected -1 or another bone".to_owned()
                } else {
                    let last = count - 1;
                    format!("{value} is not a valid parent bone; expected -1 or 0..={last}")
                };
                reporter
                    .report(property.value_span(), message)
                    .consequence("Godot drops the value");
            }
        }
    }
    report_circle(&parents, reporter);
}

/// Reports one bone of each circle of parents.
fn report_circle(parents: &HashMap<i64, (i64, Property<'_>)>, reporter: &mut Reporter<'_>) {
    let mut seen = HashMap::new();
    let mut starts: Vec<_> = parents.keys().copied().collect();
    starts.sort_unstable();
    for start in starts {
        let mut bone = start;
        while let Some((parent, property)) = parents.get(&bone) {
            match seen.insert(bone, start) {
                Some(earlier) if earlier == start => {
                    let message =
                        "the parents form a cycle through this bone; set one of them to -1";
                    reporter
                        .report(property.value_span(), message)
                        .consequence("Godot drops one of the `parent` values");
                    break;
                }
                Some(_) => break,
                None => bone = *parent,
            }
        }
    }
}

fn check_transforms(bone: &Group<'_>, reporter: &mut Reporter<'_>) {
    for what in ["rest", "pose"] {
        let Some(property) = bone.get(what) else {
            continue;
        };
        let tree = property.value_tree();
        if property.kind() != ValueKind::Invalid
            && !matches!(tree.root().name(), b"Transform" | b"Transform3D")
        {
            let message = format!("`{what}` must be a transform: `Transform(…)` with 12 numbers");
            reporter.report(property.value_span(), message).consequence("Godot drops the value");
        }
    }
}

/// `bound_children` of Godot 3: paths of `BoneAttachment`s below the skeleton.
fn check_children(
    context: &Context<'_>,
    skeleton: u32,
    bone: &Group<'_>,
    reporter: &mut Reporter<'_>,
) {
    let Some(property) = bone.get("bound_children") else {
        return;
    };
    if context.hides_sections {
        return;
    }
    let tree = property.value_tree();
    for child in tree.root().children() {
        let Some(path) = child.inner_text("NodePath") else {
            continue;
        };
        let span = child.span();
        let message = match context.node_tree.find_from(skeleton, &path) {
            Ok(found)
                if is_of_type(
                    context.node_tree.nodes[found as usize].section,
                    &[b"BoneAttachment", b"BoneAttachment3D"],
                ) =>
            {
                continue;
            }
            Ok(_) => format!("{} is not a `BoneAttachment`", quote(&path)),
            Err(Parent::Missing) => format!("node {} not found below the skeleton", quote(&path)),
            Err(_) => continue,
        };
        reporter.report(span, message).severity = Severity::Warning;
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, rendered};

    fn skeleton(rest: &str) -> String {
        format!("[gd_scene format=2]\n\n[node name=\"S\" type=\"Skeleton\"]\n{rest}")
    }

    #[test]
    fn numbers() {
        let found = rendered(
            &RULE,
            &skeleton(
                "bones/0/name = \"a\"\nbones/2/name = \"b\"\nbones/3/parent = -1\nbones/3/name = \"c\"\n",
            ),
        );
        assert_snapshot!(found, @"
        5:1-5:13 error: expected bone 1, found bone 2; number the bones from 0 without gaps
            at: bones/2/name
            so: Godot drops the bone
        6:1-6:15 error: `bones/3/name` must be the first property of the bone
            at: bones/3/parent
            so: Godot drops the properties before the name
        ");
    }

    #[test]
    fn parents() {
        let bones = |parents: [&str; 3]| {
            let bones = parents.iter().enumerate().map(|(number, parent)| {
                format!("bones/{number}/name = \"b\"\nbones/{number}/parent = {parent}\n")
            });
            skeleton(&bones.collect::<String>())
        };
        clean(&RULE, &bones(["-1", "0", "1"]));
        clean(&RULE, &bones(["2", "0", "-1"]));
        assert_snapshot!(rendered(&RULE, &bones(["3", "1", "-2"])), @"
        5:18-5:19 error: `3` is not a valid parent bone; expected -1 or 0..=2
            at: 3
            so: Godot drops the value
        7:18-7:19 error: a bone cannot be its own parent; expected -1 or another bone
            at: 1
            so: Godot drops the value
        9:18-9:20 error: `-2` is not a valid parent bone; expected -1 or 0..=2
            at: -2
            so: Godot drops the value
        ");
        assert_snapshot!(rendered(&RULE, &bones(["1", "2", "0"])), @"
        5:18-5:19 error: the parents form a cycle through this bone; set one of them to -1
            at: 1
            so: Godot drops one of the `parent` values
        ");
    }

    #[test]
    fn transforms_and_children() {
        let found = rendered(
            &RULE,
            &skeleton(
                "bones/0/name = \"a\"\nbones/0/rest = Vector3(1, 2, 3)\n\
                 bones/0/bound_children = [NodePath(\"B:\"), NodePath(\"N\"), NodePath(\"Gone\")]\n\n\
                 [node name=\"B\" type=\"BoneAttachment\" parent=\".\"]\n\n[node name=\"N\" type=\"Spatial\" parent=\".\"]\n",
            ),
        );
        assert_snapshot!(found, @r#"
        5:16-5:32 error: `rest` must be a transform: `Transform(…)` with 12 numbers
            at: Vector3(1, 2, 3)
            so: Godot drops the value
        6:43-6:56 warning: `N` is not a `BoneAttachment`
            at: NodePath("N")
        6:58-6:74 warning: node `Gone` not found below the skeleton
            at: NodePath("Gone")
        "#);
    }

    #[test]
    fn godot_4() {
        let skeleton = |rest: &str| {
            format!("[gd_scene format=3]\n\n[node name=\"S\" type=\"Skeleton3D\"]\n{rest}")
        };
        let bone = "bones/0/name = \"a\"\nbones/0/parent = -1\nbones/0/rest = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)\n\
                    bones/0/enabled = true\nbones/0/position = Vector3(0, 0, 0)\nbones/0/rotation = Quaternion(0, 0, 0, 1)\n\
                    bones/0/scale = Vector3(1, 1, 1)\n";
        clean(&RULE, &skeleton(bone));
        let found = rendered(
            &RULE,
            &skeleton(&format!(
                "{bone}bones/1/parent = 1\nbones/1/name = \"b\"\nbones/1/rest = Basis(1, 0, 0, 0, 1, 0, 0, 0, 1)\n\
                 bones/3/name = \"c\"\n"
            )),
        );
        assert_snapshot!(found, @"
        11:1-11:15 error: `bones/1/name` must be the first property of the bone
            at: bones/1/parent
            so: Godot drops the properties before the name
        11:18-11:19 error: a bone cannot be its own parent; expected -1 or another bone
            at: 1
            so: Godot drops the value
        13:16-13:48 error: `rest` must be a transform: `Transform(…)` with 12 numbers
            at: Basis(1, 0, 0, 0, 1, 0, 0, 0, 1)
            so: Godot drops the value
        14:1-14:13 error: expected bone 2, found bone 3; number the bones from 0 without gaps
            at: bones/3/name
            so: Godot drops the bone
        ");
    }
}
