//! RES017

use std::borrow::Cow;

use godot_project::{FileId, Instance, ResolvedPath, SceneContext};
use godot_tscn::{ReferenceKind, Reporter, Severity, quote};
use hashbrown::{HashMap, HashSet};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` that refers to a scene or resource which Godot cannot load because its text is broken.
    /// It is an error if this file uses the broken file itself, and a warning if only a scene that this file instances
    /// uses it.
    ///
    /// ## Why is this bad?
    /// The editor does not open this file and shows an error about missing dependencies, although the files exist. A
    /// game loads a scene without the nodes and values that need the broken file. It does not load a resource or an
    /// inherited scene at all.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="PackedScene" path="res://broken.tscn" id="1"]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B" parent="." instance=ExtResource("1")]
    /// ```
    /// where a bracket is missing in `broken.tscn`.
    ///
    /// ## Use instead
    /// Repair the broken file. This file needs no change.
    ///
    /// ## References
    /// `ResourceLoaderText::_parse_ext_resource` (scene/resources/resource_format_text.cpp), `EditorNode::load_scene`
    /// (editor/editor_node.cpp)
    "RES017", "broken-dependency", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let project = context.project;
    let mut uses = None;
    for (index, resource) in context.facts.ext_resources.iter().enumerate() {
        let ResolvedPath::File(target) = context.targets()[index] else { continue };
        let is_broken = project.facts(target).refusal.is_some();
        let below = project.broken_instances().below(target);
        let Some(broken) = is_broken.then_some(target).or(below) else { continue };
        let uses = uses.get_or_insert_with(|| Uses::new(context));
        let Some(use_) = uses.of(index as u32, &resource.id) else { continue };
        // A resource that is used as a value is not instanced with it.
        if !is_broken && use_ == Use::Value {
            continue;
        }
        let Some(field) = context.section(resource.section).field("path") else { continue };
        let diagnostic =
            reporter.report(field.value_span(), message(context, use_, target, broken));
        if !is_broken {
            diagnostic.severity = Severity::Warning;
        }
        diagnostic.consequence(match use_ == Use::Root || context.facts.scene.is_none() {
            true => "Godot does not load the file",
            false => {
                "the editor does not open the scene, and a game loads it without the broken file"
            }
        });
    }
}

/// `this file cannot be opened: it instances …, which is broken (SYN007 in line 4)`
fn message(context: &SceneContext<'_>, use_: Use, target: FileId, broken: FileId) -> String {
    let project = context.project;
    let path = |file| quote(project.path(file).as_bytes());
    let verb = match use_ {
        Use::Root => "inherits",
        Use::Instance => "instances",
        Use::Value => "uses",
    };
    let needs = if target == broken {
        String::new()
    } else {
        format!(", and that one needs {}", path(broken))
    };
    let reason = project.facts(broken).refusal.as_ref();
    let reason = reason.map(|found| format!(" ({} in line {})", found.code, found.line));
    format!(
        "this file cannot be opened: it {verb} {}{needs}, which is broken{}",
        path(target),
        reason.unwrap_or_default()
    )
}

/// The need for a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// The root is made of it.
    Root,
    /// Another node is.
    Instance,
    /// A value refers to it.
    Value,
}

/// The uses of the `ext_resource`s of a text.
struct Uses<'d> {
    ids: HashSet<Cow<'d, [u8]>>,
    instances: HashMap<u32, Use>,
}

impl<'d> Uses<'d> {
    fn new(context: &'d SceneContext<'_>) -> Self {
        let document = context.document;
        let references = document.references().iter();
        let external = references.filter(|found| found.kind == ReferenceKind::ExtResource);
        let ids = external.map(|found| document.target(found)).collect();
        let mut instances = HashMap::new();
        let nodes = context.facts.scene.as_ref().map_or(&[][..], |scene| &scene.nodes);
        for (index, node) in nodes.iter().enumerate() {
            if let Some(Instance::Scene(resource)) = node.instance {
                let use_ = if index == 0 { Use::Root } else { Use::Instance };
                instances.entry(resource).or_insert(use_);
            }
        }
        Self { ids, instances }
    }

    /// Godot loads unused files, too, but does not need them.
    fn of(&self, index: u32, id: &str) -> Option<Use> {
        let is_value = || self.ids.contains(id.as_bytes()).then_some(Use::Value);
        self.instances.get(&index).copied().or_else(is_value)
    }
}
