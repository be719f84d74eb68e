//! Random operations, each with its inverse.

use fastrand::Rng;
use godot_project::Project;
use serde_json::{Value as Json, json};

use super::scene::{NodeInfo, SceneInfo};

/// An operation and its inverse.
pub(crate) struct Step {
    pub(crate) kind: &'static str,
    pub(crate) there: Json,
    pub(crate) back: Json,
}

pub(crate) const KINDS: &[&str] = &[
    "set",
    "set again",
    "add",
    "instance",
    "group",
    "connect",
    "attach",
    "editable",
    "add-resource",
];

pub(crate) fn step(project: &Project, scene: &SceneInfo, random: &mut Rng) -> Option<Step> {
    let node = &scene.nodes[random.usize(0..scene.nodes.len())];
    let path = &node.path;
    let step = |kind, there, back| Some(Step { kind, there, back });
    match KINDS[random.usize(0..KINDS.len())] {
        "set" => {
            let (key, value) = property(project, node, random)?;
            let at = format!("{path}:{key}");
            let back = json!({"op": "unset", "at": at});
            let is_set = node.object.properties.iter().any(|(known, _)| *known == key);
            (!is_set).then_some(())?;
            step("set", json!({"op": "set", "at": at, "value": {"godot": value}}), back)
        }
        "set again" => {
            let simple =
                |set: &&(String, String)| set.1.parse::<f64>().is_ok() && !is_of_layout(&set.0);
            let set: Vec<&(String, String)> =
                node.object.properties.iter().filter(simple).collect();
            let (key, old) = random.choice(set)?;
            let at = format!("{path}:{key}");
            let value = if old.contains('.') { "77.5" } else { "3" };
            let of = |value: &str| json!({"op": "set", "at": at, "value": {"godot": value}});
            step("set again", of(value), of(old))
        }
        "add" => {
            let name =
                format!("{}Xq", if path == "." { String::new() } else { format!("{path}/") });
            let class = random.choice(["Node", "Node2D", "Timer", "Label", "Node3D"])?;
            let mut there = json!({"op": "add", "node": name, "type": class});
            if random.bool() {
                there["index"] = json!(0);
            }
            step("add", there, json!({"op": "remove", "node": name}))
        }
        "instance" => {
            let name =
                format!("{}Xq", if path == "." { String::new() } else { format!("{path}/") });
            let mut all: Vec<&str> = project.files().map(|file| project.path(file)).collect();
            all.retain(|path| path.ends_with(".tscn"));
            all.sort_unstable();
            let inner = random.choice(all)?;
            let there = json!({"op": "instance", "node": name, "scene": inner});
            step("instance", there, json!({"op": "remove", "node": name}))
        }
        "group" => {
            let of = |what: &str| json!({"op": "group", "node": path, what: ["xq"]});
            step("group", of("add"), of("remove"))
        }
        "connect" => {
            let to = &scene.nodes[random.usize(0..scene.nodes.len())].path;
            let signal = random.choice(["ready", "tree_entered", "renamed"])?;
            let of = |op: &str| json!({"op": op, "signal": signal, "from": path, "to": to, "method": "queue_free"});
            step("connect", of("connect"), of("disconnect"))
        }
        "attach" => {
            let without = |node: &&NodeInfo| node.object.script.is_none();
            let path = &random.choice(scene.nodes.iter().filter(without).collect::<Vec<_>>())?.path;
            let mut all: Vec<&str> = project.files().map(|file| project.path(file)).collect();
            all.retain(|path| path.ends_with(".gd"));
            all.sort_unstable();
            let script = random.choice(all)?;
            let there = json!({"op": "attach", "node": path, "script": script});
            step("attach", there, json!({"op": "detach", "node": path}))
        }
        "editable" => {
            let closed =
                |node: &&NodeInfo| node.is_instance && !scene.editables.contains(&node.path);
            let path = &random.choice(scene.nodes.iter().filter(closed).collect::<Vec<_>>())?.path;
            let of = |on: bool| json!({"op": "editable", "node": path, "on": on});
            step("editable", of(true), of(false))
        }
        _ => {
            let (key, class) = match node.object.class.as_str() {
                "Sprite2D" => ("material", "CanvasItemMaterial"),
                "MeshInstance3D" => ("material_override", "ORMMaterial3D"),
                "Button" | "Label" | "VBoxContainer" => ("theme", "Theme"),
                _ => return None,
            };
            let is_set = node.object.properties.iter().any(|(known, _)| known == key);
            (!is_set).then_some(())?;
            let at = format!("{path}:{key}");
            let there = json!({"op": "add-resource", "at": at, "type": class});
            step("add-resource", there, json!({"op": "unset", "at": at}))
        }
    }
}

/// A property of the node's class that a scene holds, with a value.
fn property(
    project: &Project,
    node: &NodeInfo,
    random: &mut Rng,
) -> Option<(String, &'static str)> {
    let classes = project.classes();
    let mut all = Vec::new();
    for class in classes.lineage(&node.object.class) {
        for name in class.property_names() {
            let Some(found) = class.property(name).filter(|found| found.is_stored()) else {
                continue;
            };
            let value = match found.type_name() {
                "bool" => random.choice(["true", "false"])?,
                "float" => "0.25",
                "String" => "\"two words\"",
                "Vector2" => "Vector2(3, 0.5)",
                "Color" => "Color(1, 0, 0.5, 1)",
                _ => continue,
            };
            all.push((name.to_owned(), value));
        }
    }
    all.retain(|(name, _)| !is_of_layout(name));
    random.choice(all)
}

/// Layouts take several properties together.
fn is_of_layout(name: &str) -> bool {
    ["anchor", "offset", "grow", "layout_mode"].iter().any(|start| name.starts_with(start))
}
