//! A scene as its parts, written as Godot writes it.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;

/// What a node, resource or file is in all versions of a scene.
pub(crate) type Key = u32;

/// The root.
pub(crate) const ROOT: Key = 0;

#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) nodes: BTreeMap<Key, Node>,
    pub(crate) resources: BTreeMap<Key, Resource>,
    /// Other files, by path.
    pub(crate) files: BTreeMap<Key, String>,
    /// From, signal, to.
    pub(crate) connections: BTreeSet<(Key, String, Key)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) parent: Option<Key>,
    pub(crate) kind: Kind,
    pub(crate) children: Vec<Key>,
    pub(crate) properties: BTreeMap<String, Value>,
    pub(crate) groups: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Of(&'static str),
    /// Of a file; whether its children can be edited.
    Instance(Key, bool),
    /// A node of the instanced scene that is its parent.
    Inside,
}

#[derive(Clone, Debug)]
pub(crate) struct Resource {
    pub(crate) kind: &'static str,
    pub(crate) properties: BTreeMap<String, Value>,
    /// Of an animation.
    pub(crate) tracks: Vec<(Key, Value)>,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Plain(String),
    Resource(Key),
    File(Key),
    /// To a node, from the one that has the property.
    Path(Key),
    List(Vec<u32>),
    Dictionary(BTreeMap<String, Value>),
    /// Cells of a tile map, each with its tile.
    Cells(BTreeMap<(u16, u16), u16>),
}

/// How a text numbers its things.
pub(crate) struct Style {
    /// Nodes have a `unique_id`.
    pub(crate) has_unique_ids: bool,
    /// Resources of the scene have new ids; those of files have in each text.
    pub(crate) is_renumbered: bool,
}

impl Scene {
    pub(crate) fn text(&self, style: &Style, rng: &mut Rng) -> String {
        let salt = rng.u32(1000..10_000);
        let mut ids = Ids { files: BTreeMap::new(), resources: BTreeMap::new() };
        for (number, key) in self.files.keys().enumerate() {
            ids.files.insert(*key, format!("{}_{:05}", number + 1, salt + key));
        }
        for (number, (key, resource)) in self.resources.iter().enumerate() {
            // What a side adds has an id by chance, which may be one of the other side's.
            let id = match style.is_renumbered {
                true => format!("{}_{salt}{number}", resource.kind),
                false if *key < 1000 => format!("{}_k{key}", resource.kind),
                false => format!("{}_new{}", resource.kind, key % 1000),
            };
            ids.resources.insert(*key, id);
        }
        let mut text = "[gd_scene format=3]\n\n".to_owned();
        for (key, path) in &self.files {
            let kind = if path.ends_with(".tscn") { "PackedScene" } else { "Texture2D" };
            let id = &ids.files[key];
            text += &format!("[ext_resource type=\"{kind}\" path=\"{path}\" id=\"{id}\"]\n");
        }
        for (key, resource) in &self.resources {
            let id = &ids.resources[key];
            text += &format!("\n[sub_resource type=\"{}\" id=\"{id}\"]\n", resource.kind);
            for (name, value) in &resource.properties {
                text += &format!("{name} = {}\n", self.value(ROOT, value, &ids));
            }
            for (number, (node, value)) in resource.tracks.iter().enumerate() {
                let path = self.path(ROOT, *node);
                text += &format!(
                    "tracks/{number}/type = \"value\"\ntracks/{number}/path = NodePath(\"{path}:z_index\")\n"
                );
                text += &format!("tracks/{number}/keys = {}\n", self.value(ROOT, value, &ids));
            }
        }
        self.write_nodes(style, &ids, &mut text);
        text.push('\n');
        for (from, signal, to) in &self.connections {
            let [from, to] = [from, to].map(|node| self.path(ROOT, *node));
            text += &format!(
                "[connection signal=\"{signal}\" from=\"{from}\" to=\"{to}\" method=\"queue_free\"]\n"
            );
        }
        for (key, node) in &self.nodes {
            if matches!(node.kind, Kind::Instance(_, true)) {
                text += &format!("\n[editable path=\"{}\"]\n", self.path(ROOT, *key));
            }
        }
        text
    }

    fn write_nodes(&self, style: &Style, ids: &Ids, text: &mut String) {
        let mut waiting = vec![ROOT];
        while let Some(key) = waiting.pop() {
            let node = &self.nodes[&key];
            waiting.extend(node.children.iter().rev());
            *text += &format!("\n[node name=\"{}\"", node.name);
            if let Kind::Of(class) = node.kind {
                *text += &format!(" type=\"{class}\"");
            }
            if let Some(parent) = node.parent {
                *text += &format!(" parent=\"{}\"", self.path(ROOT, parent));
            }
            if node.kind == Kind::Inside {
                *text += " index=\"0\"";
            }
            if style.has_unique_ids {
                *text += &format!(" unique_id={}", 1000 + key);
            }
            if !node.groups.is_empty() {
                let groups: Vec<_> =
                    node.groups.iter().map(|group| format!("\"{group}\"")).collect();
                *text += &format!(" groups=[{}]", groups.join(", "));
            }
            if let Kind::Instance(file, _) = node.kind {
                *text += &format!(" instance=ExtResource(\"{}\")", ids.files[&file]);
            }
            *text += "]\n";
            for (name, value) in &node.properties {
                *text += &format!("{name} = {}\n", self.value(key, value, ids));
            }
        }
    }

    fn value(&self, owner: Key, value: &Value, ids: &Ids) -> String {
        match value {
            Value::Plain(text) => text.clone(),
            Value::Resource(key) => format!("SubResource(\"{}\")", ids.resources[key]),
            Value::File(key) => format!("ExtResource(\"{}\")", ids.files[key]),
            Value::Path(goal) => format!("NodePath(\"{}\")", self.path(owner, *goal)),
            Value::List(numbers) => {
                let texts = numbers.iter().map(|number| format!("\"{number}\""));
                format!("PackedStringArray({})", joined(texts))
            }
            Value::Dictionary(entries) => {
                let entries: Vec<_> = entries
                    .iter()
                    .map(|(key, value)| format!("\"{key}\": {}", self.value(owner, value, ids)))
                    .collect();
                format!("{{\n{}\n}}", entries.join(",\n"))
            }
            Value::Cells(cells) => {
                let cells = cells.iter().flat_map(|((x, y), tile)| [*x, *y, 0, *tile, 0, 0]);
                let bytes = [0_u16].into_iter().chain(cells).flat_map(u16::to_le_bytes);
                format!("PackedByteArray({})", joined(bytes))
            }
        }
    }

    /// The path to a node from another.
    pub(crate) fn path(&self, from: Key, to: Key) -> String {
        let [above, below] = [from, to].map(|key| self.way(key));
        let common = above.iter().zip(&below).take_while(|(one, other)| one == other).count();
        let up = (common..above.len()).map(|_| "..".to_owned());
        let down = below[common..].iter().map(|key| self.nodes[key].name.clone());
        let path = up.chain(down).collect::<Vec<_>>().join("/");
        if path.is_empty() { ".".to_owned() } else { path }
    }

    /// The nodes from the root to one.
    pub(crate) fn way(&self, key: Key) -> Vec<Key> {
        let parents = std::iter::successors(Some(key), |key| self.nodes[key].parent);
        let mut way: Vec<Key> = parents.collect();
        way.reverse();
        way
    }

    /// A node and all below it.
    pub(crate) fn below(&self, key: Key) -> Vec<Key> {
        let mut found = vec![key];
        let mut next = 0;
        while let Some(node) = found.get(next).copied() {
            found.extend(&self.nodes[&node].children);
            next += 1;
        }
        found
    }
}

struct Ids {
    files: BTreeMap<Key, String>,
    resources: BTreeMap<Key, String>,
}

fn joined(values: impl Iterator<Item = impl ToString>) -> String {
    values.map(|value| value.to_string()).collect::<Vec<_>>().join(", ")
}

/// A scene by chance, with something of everything.
pub(crate) fn made(rng: &mut Rng) -> Scene {
    let mut scene = Scene::default();
    for (key, path) in ["a.png", "b.png", "part.tscn"].iter().enumerate() {
        scene.files.insert(key as Key, format!("res://{path}"));
    }
    scene.nodes.insert(ROOT, node("World", None, Kind::Of("Node2D")));
    for key in 1..rng.u32(8..24) {
        // Node 1 plays animations, 2 has tiles, 3 is an instance with a node inside.
        let parent = if key <= 3 { ROOT } else { rng.u32(..key) };
        let is_inside = key > 3 && matches!(scene.nodes[&parent].kind, Kind::Instance(..));
        let kind = match key {
            1 => Kind::Of("AnimationPlayer"),
            2 => Kind::Of("TileMapLayer"),
            3 => Kind::Instance(2, true),
            4 => Kind::Inside,
            _ => Kind::Of(["Node2D", "Sprite2D", "Label"][rng.usize(..3)]),
        };
        let parent = match kind {
            Kind::Inside => 3,
            _ if is_inside || parent == 4 => ROOT,
            _ => parent,
        };
        add(&mut scene, key, node(&format!("Node{key}"), Some(parent), kind));
    }
    for key in scene.nodes.keys().copied().collect::<Vec<_>>() {
        fill(&mut scene, key, rng);
    }
    add_animation(&mut scene, rng);
    scene
}

pub(crate) fn node(name: &str, parent: Option<Key>, kind: Kind) -> Node {
    let name = name.to_owned();
    Node {
        name,
        parent,
        kind,
        children: Vec::new(),
        properties: BTreeMap::new(),
        groups: BTreeSet::new(),
    }
}

/// The last of its parent's children.
pub(crate) fn add(scene: &mut Scene, key: Key, node: Node) {
    scene.nodes.get_mut(&node.parent.unwrap()).unwrap().children.push(key);
    scene.nodes.insert(key, node);
}

/// Gives a node what others do not have, and things to edit.
fn fill(scene: &mut Scene, key: Key, rng: &mut Rng) {
    let goal = rng.u32(..scene.nodes.len() as Key);
    let numbers = (0..rng.u32(1..5)).map(|number| 10 * key + number).collect();
    let entries = ["a", "b", "c"].map(|name| (name.to_owned(), plain(rng.u32(..100))));
    let mut properties = BTreeMap::from([
        ("editor_description".to_owned(), Value::Plain(format!("\"Node {key}\nof the base\""))),
        ("z_index".to_owned(), plain(rng.u32(1..100))),
    ]);
    for (name, value) in [
        ("metadata/path", Value::Path(goal)),
        ("metadata/list", Value::List(numbers)),
        ("metadata/entries", Value::Dictionary(entries.into())),
        ("texture", Value::File(rng.u32(..2))),
    ] {
        if rng.bool() {
            properties.insert(name.to_owned(), value);
        }
    }
    if rng.bool() {
        let resource = Resource {
            kind: ["RectangleShape2D", "Gradient"][rng.usize(..2)],
            properties: [("size", key), ("weight", 1)]
                .map(|(name, value)| (name.to_owned(), plain(value)))
                .into(),
            tracks: Vec::new(),
        };
        scene.resources.insert(key, resource);
        properties.insert("metadata/resource".to_owned(), Value::Resource(key));
    }
    if key == 2 {
        let cells = (0..rng.u16(1..20)).map(|cell| ((cell % 4, cell / 4), rng.u16(..4)));
        properties.insert("tile_map_data".to_owned(), Value::Cells(cells.collect()));
    }
    let node = scene.nodes.get_mut(&key).unwrap();
    node.properties.append(&mut properties);
    if rng.bool() {
        node.groups.extend(["all".to_owned(), format!("group{}", key % 3)]);
    }
    if rng.bool() {
        scene.connections.insert((key, "ready".to_owned(), goal));
    }
}

pub(crate) fn plain(number: u32) -> Value {
    Value::Plain(number.to_string())
}

pub(crate) fn keys(number: u32) -> Value {
    let times = Value::Plain("PackedFloat32Array(0)".to_owned());
    let values = Value::Plain(format!("[{number}]"));
    Value::Dictionary([("times".to_owned(), times), ("values".to_owned(), values)].into())
}

/// Resource 500 is the animation, 501 its library.
fn add_animation(scene: &mut Scene, rng: &mut Rng) {
    let goals = scene.nodes.keys().copied().filter(|_| rng.bool());
    let tracks = goals.collect::<Vec<_>>().into_iter().map(|key| (key, keys(key))).collect();
    let properties = [("length".to_owned(), plain(1))].into();
    scene.resources.insert(500, Resource { kind: "Animation", properties, tracks });
    let data = Value::Dictionary([("walk".to_owned(), Value::Resource(500))].into());
    let properties = [("_data".to_owned(), data)].into();
    scene
        .resources
        .insert(501, Resource { kind: "AnimationLibrary", properties, tracks: Vec::new() });
    let libraries = Value::Dictionary([(String::new(), Value::Resource(501))].into());
    let player = scene.nodes.get_mut(&1).unwrap();
    player.properties.insert("libraries".to_owned(), libraries);
}
