//! Text scenes and resources.

use std::collections::BTreeSet;

use godot_tscn::{
    Document, Field, PartRef, Property, Reference, ReferenceKind, Section, TagKind, ValueKind,
};
use hashbrown::HashMap;

use crate::Uid;
use crate::defined_names::in_text::add_section;
use crate::facts::{
    ExtResource, FileFacts, Instance, Refusal, Scene, SceneNode, ScriptUse, Track, TrackEffect,
};
use crate::node_paths::path_in;
use crate::settings::{lossy, mentions};

pub(super) fn facts(document: &Document<'_>) -> FileFacts {
    let refusal = godot_tscn::refusal(document);
    let mut facts = FileFacts {
        is_incomplete: godot_tscn::hides_sections(document),
        refusal: refusal.map(|found| Refusal { code: found.code.to_owned(), line: found.line }),
        ..FileFacts::default()
    };
    let mut by_id: HashMap<String, u32> = HashMap::new();
    let is_scene = document.sections().next().is_some_and(|first| first.kind() == TagKind::GdScene);
    let mut scene = Scene::default();
    for section in document.sections() {
        add_section(section, &mut facts.names);
        match section.kind() {
            TagKind::GdScene | TagKind::GdResource => header(section, &mut facts),
            TagKind::ExtResource => {
                let resource = ext_resource(section);
                by_id.insert(resource.id.clone(), facts.ext_resources.len() as u32);
                facts.ext_resources.push(resource);
            }
            TagKind::SubResource => {
                facts.mentions.extend(mentioned(section));
                let is_animation = section.field_text("type").as_deref() == Some(b"Animation");
                if is_animation && facts.resource_type.as_deref() == Some("AnimationLibrary") {
                    facts.tracks.extend(tracks(section).map(|(track, _)| track));
                }
            }
            TagKind::Resource => {
                facts.mentions.extend(mentioned(section));
                if facts.resource_type.as_deref() == Some("Animation") {
                    facts.tracks.extend(tracks(section).map(|(track, _)| track));
                }
                let script = section.properties().rfind(|property| is(*property, "script"));
                if let Some(script) = script {
                    facts.resource_script = script_use(document, section, script, &by_id);
                }
            }
            TagKind::Node => {
                facts.mentions.extend(mentioned(section));
                scene.nodes.push(node(document, section, &by_id));
            }
            TagKind::Editable => scene.editables.extend(text(section, "path")),
            TagKind::Nested => facts.mentions.extend(mentioned(section)),
            TagKind::Connection | TagKind::Unknown => {}
        }
    }
    facts.scene = is_scene.then_some(scene);
    facts
}

/// An animation's tracks, each with the property that holds its path.
pub fn tracks(animation: Section<'_>) -> impl Iterator<Item = (Track, Property<'_>)> {
    godot_tscn::property_groups(animation, "tracks").into_iter().filter_map(|track| {
        let property = track.get("path")?;
        let (_, path) = path_in(property.value_tree().root())?;
        Some((Track { path, effect: effect(&track) }, property))
    })
}

fn effect(track: &godot_tscn::Group<'_>) -> TrackEffect {
    let kind = track.get("type").and_then(|kind| Some(lossy(&kind.value_tree().root().text()?)));
    let is_enabled = track.get("enabled").is_none_or(|enabled| enabled.source() != b"false");
    match kind.as_deref() {
        Some("value" | "bezier") if is_enabled => TrackEffect::Sets,
        Some("method") if is_enabled => {
            TrackEffect::Calls(track.get("keys").map(called).unwrap_or_default())
        }
        _ => TrackEffect::Other,
    }
}

/// The names of the methods in the keys of a track, each once.
fn called(keys: Property<'_>) -> Vec<String> {
    let tree = keys.value_tree();
    let calls = tree.root().get("values").into_iter().flat_map(PartRef::children);
    let names = calls.filter_map(|call| Some(lossy(&call.get("method")?.text()?)));
    names.collect::<BTreeSet<String>>().into_iter().collect()
}

fn header(section: Section<'_>, facts: &mut FileFacts) {
    let is_scene = section.kind() == TagKind::GdScene;
    facts.uid = section.field_text("uid").and_then(|uid| Uid::parse(&uid));
    facts.resource_type =
        if is_scene { Some("PackedScene".to_owned()) } else { text(section, "type") };
    facts.script_class = text(section, "script_class");
}

fn ext_resource(section: Section<'_>) -> ExtResource {
    ExtResource {
        section: section.index(),
        id: text(section, "id").unwrap_or_default(),
        resource_type: text(section, "type").unwrap_or_default(),
        path: text(section, "path"),
        uid: section.field_text("uid").and_then(|uid| Uid::parse(&uid)),
    }
}

/// The place among siblings, which is written as a text: `index="2"`.
fn index(field: Field<'_>) -> Option<i64> {
    let text = field.text().map_or_else(|| lossy(field.source()), |text| lossy(&text));
    text.parse().ok()
}

fn node(document: &Document<'_>, section: Section<'_>, by_id: &HashMap<String, u32>) -> SceneNode {
    let mut node = SceneNode {
        section: section.index(),
        name: text(section, "name").unwrap_or_default(),
        class: text(section, "type"),
        parent: text(section, "parent"),
        parent_ids: id_path(section, "parent_id_path"),
        owner: text(section, "owner"),
        instance: instance(document, section, by_id),
        index: section.field("index").and_then(index),
        unique_id: section.field("unique_id").and_then(|field| field.int()?.try_into().ok()),
        is_unique: None,
        script: ScriptUse::Unset,
    };
    for property in section.properties() {
        if is(property, "unique_name_in_owner") {
            node.is_unique = Some(property.source() == b"true");
        } else if is(property, "script") {
            node.script = script_use(document, section, property, by_id);
        }
    }
    node
}

/// The ids in a field like `parent_id_path=PackedInt32Array(1, 2)`.
pub fn id_path(section: Section<'_>, name: &str) -> Vec<i32> {
    let Some(field) = section.field(name) else {
        return Vec::new();
    };
    let tree = field.value_tree();
    let root = tree.root();
    if root.kind() != godot_tscn::PartKind::Numbers {
        return Vec::new();
    }
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse().ok();
    root.numbers().filter_map(number).collect()
}

fn instance(
    document: &Document<'_>,
    section: Section<'_>,
    by_id: &HashMap<String, u32>,
) -> Option<Instance> {
    if let Some(path) = section.field("instance_placeholder") {
        return Some(
            path.text().map_or(Instance::Unknown, |path| Instance::Placeholder(lossy(&path))),
        );
    }
    let field = section.field("instance")?;
    if field.kind() == ValueKind::Null {
        return None;
    }
    let reference = section.reference_in(field.value_span());
    let found = reference.and_then(|reference| external(document, reference, by_id));
    Some(found.map_or(Instance::Unknown, Instance::Scene))
}

fn script_use(
    document: &Document<'_>,
    section: Section<'_>,
    property: Property<'_>,
    by_id: &HashMap<String, u32>,
) -> ScriptUse {
    if property.kind() == ValueKind::Null {
        return ScriptUse::Removed;
    }
    let reference = section.reference_in(property.value_span());
    let found = reference.and_then(|reference| external(document, reference, by_id));
    found.map_or(ScriptUse::Inline, ScriptUse::External)
}

/// The index of the `ext_resource` that is meant.
fn external(
    document: &Document<'_>,
    reference: &Reference,
    by_id: &HashMap<String, u32>,
) -> Option<u32> {
    if reference.kind != ReferenceKind::ExtResource {
        return None;
    }
    let id = document.target(reference);
    by_id.get(std::str::from_utf8(&id).ok()?).copied()
}

/// Paths and uids in the properties and the placeholder of a section.
fn mentioned(section: Section<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for property in section.properties() {
        let is_plain = matches!(
            property.kind(),
            ValueKind::Null
                | ValueKind::Bool
                | ValueKind::Int
                | ValueKind::Float
                | ValueKind::Color
        );
        if !is_plain {
            found.extend(mentions(property.source()));
        }
    }
    found.extend(text(section, "instance_placeholder"));
    found
}

fn is(property: Property<'_>, key: &str) -> bool {
    property.engine_key().as_ref() == key.as_bytes()
}

fn text(section: Section<'_>, field: &str) -> Option<String> {
    section.field_text(field).map(|text| lossy(&text))
}
