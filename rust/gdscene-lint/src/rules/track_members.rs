//! Whether a node has the property or method that a track of an animation sets or calls.

use std::cell::OnceCell;

use godot_project::class_db::nearest;
use godot_project::object_type::{Member, ObjectType};
use godot_project::scripts::Chain;
use godot_project::tree::Uses;
use godot_project::{Class, NodeInTree, SceneContext, Track, TrackEffect, renamed_in_git};
use godot_tscn::quote;
use godot_variant::VariantType;

use crate::rules::renamed_variable::told;
use crate::rules::unknown_property::{lacks, nearest_property};

/// The missing property or method of a node.
#[derive(Clone)]
pub(super) struct Lack {
    pub(super) message: String,
    pub(super) consequence: &'static str,
    /// The probable intended name.
    pub(super) near: Option<String>,
}

/// The properties and methods of the nodes of a scene.
pub(super) struct TrackMembers<'a, 'c> {
    context: &'a SceneContext<'c>,
    /// Where other scenes put this one.
    uses: OnceCell<Uses<'c>>,
}

impl<'a, 'c> TrackMembers<'a, 'c> {
    pub(super) fn new(context: &'a SceneContext<'c>) -> Self {
        Self { context, uses: OnceCell::new() }
    }

    /// The property or method that the track uses, if the node certainly does not have it.
    ///
    /// As `AnimationMixer::_blend_process` (scene/animation/animation_mixer.cpp, Godot 4.6.3), which says nothing of it.
    pub(super) fn lacking(&self, node: &NodeInTree, track: &Track) -> Option<Lack> {
        if self.context.is_older_than_project() {
            return None;
        }
        let object = self.context.attached_to_place(node);
        // A script that runs in the editor may change the node.
        if object.scripts().any(|script| script.is_tool) {
            return None;
        }
        let mut names = track.path.split(':').skip(1);
        match (&track.effect, names.next()) {
            (TrackEffect::Sets, Some(name)) => {
                self.lacking_property(node, &object, name, names.next())
            }
            (TrackEffect::Calls(methods), None) => {
                methods.iter().find_map(|name| self.lacking_method(node, &object, name))
            }
            _ => None,
        }
    }

    fn lacking_property(
        &self,
        node: &NodeInTree,
        object: &ObjectType<'_>,
        name: &str,
        component: Option<&str>,
    ) -> Option<Lack> {
        let consequence = "the track has no effect";
        match object.property(name) {
            Member::Native(property) => {
                let type_name = property.type_name();
                let component = component.filter(|found| lacks_component(type_name, found))?;
                let (name, component) = (quote(name.as_bytes()), quote(component.as_bytes()));
                let message = format!("{name} is of type {type_name}, which has no {component}");
                Some(Lack { message, consequence, near: None })
            }
            Member::Nothing if !name.is_empty() => {
                let declares = |chain: &Chain<'_>| {
                    chain.scripts.iter().any(|script| script.has_dynamic_properties)
                        || chain.variable(name).is_some()
                };
                if self.may_come_from_outside(node, declares) {
                    return None;
                }
                let native = object.native().unwrap_or_default();
                let renamed = self.context.project.classes().renamed_property(native, name);
                let near = renamed.map(|found| found.name.into_owned());
                let message = lacks(object, "property", name, None);
                let script = object.script_file().filter(|_| near.is_none());
                let in_git =
                    script.and_then(|file| renamed_in_git(self.context.project, file, name));
                if let Some(renamed) = in_git {
                    let message = format!("{message}; {}", told(name, &renamed));
                    let near = Some(renamed.name().to_owned());
                    return Some(Lack { message, consequence, near });
                }
                let nearest = || nearest_property(self.context, object, name, |_, _| true);
                let near = near.or_else(|| Some(nearest()?.0));
                Some(Lack { message, consequence, near })
            }
            _ => None,
        }
    }

    fn lacking_method(
        &self,
        node: &NodeInTree,
        object: &ObjectType<'_>,
        name: &str,
    ) -> Option<Lack> {
        if !matches!(object.method(name), Member::Nothing) {
            return None;
        }
        if self.may_come_from_outside(node, |chain| chain.function(name).is_some()) {
            return None;
        }
        let own = object.scripts().flat_map(|script| &script.functions);
        let own = own.map(|function| function.name.as_str());
        let classes = self.context.project.classes();
        let lineage = classes.lineage(object.native().unwrap_or_default());
        let inherited = lineage.flat_map(Class::method_names);
        let near =
            self.context.suggestions.spend().then(|| {
                nearest(name, own).or_else(|| nearest(name, inherited)).map(str::to_owned)
            });
        let message = lacks(object, "method", name, None);
        Some(Lack {
            message,
            consequence: "the track does not call a method",
            near: near.flatten(),
        })
    }

    /// Whether a scene that uses this one may give the node the script that has it.
    fn may_come_from_outside(&self, node: &NodeInTree, has: impl Fn(&Chain<'_>) -> bool) -> bool {
        let project = self.context.project;
        let Some(file) = self.context.file else { return false };
        let uses = self.uses.get_or_init(|| Uses::of(project, file));
        uses.give_script(project, &node.path(), has)
    }
}

/// The components of a `Color`.
const COLOR: [&str; 14] =
    ["r", "g", "b", "a", "r8", "g8", "b8", "a8", "h", "s", "v", "ok_hsl_h", "ok_hsl_s", "ok_hsl_l"];

/// Whether values of a Godot type have no component with this name, if all components are known.
fn lacks_component(type_name: &str, name: &str) -> bool {
    use VariantType::*;
    let names: &[&str] = match VariantType::from_name(type_name) {
        Some(Bool | Int | Float) => &[],
        Some(Vector2 | Vector2i) => &["x", "y"],
        Some(Vector3 | Vector3i) => &["x", "y", "z"],
        Some(Vector4 | Vector4i | Quaternion) => &["x", "y", "z", "w"],
        Some(Rect2 | Rect2i | Aabb) => &["position", "size", "end"],
        Some(Transform2D) => &["x", "y", "origin"],
        Some(Basis) => &["x", "y", "z"],
        Some(Transform3D) => &["basis", "origin"],
        Some(Color) => &COLOR,
        _ => return false,
    };
    // Godot takes indices too.
    name.parse::<u32>().is_err() && !names.contains(&name)
}
