//! A scene or resource in the making.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::list::List;
use crate::numbers::Numbers;
use crate::texts::quoted;

pub(crate) struct File<'l> {
    pub(crate) list: &'l List,
    pub(crate) numbers: Numbers,
    pub(crate) nodes: Vec<Node>,
    resources: Vec<Resource>,
    /// How deep resources may lie in each other.
    pub(crate) deepest: u32,
    /// Which share of the properties is written.
    pub(crate) share: f64,
    /// Paths of scenes that are instanced.
    pub(crate) scenes: Vec<String>,
    pub(crate) connections: String,
}

pub(crate) struct Node {
    pub(crate) class: String,
    pub(crate) path: String,
    pub(crate) parent: Option<usize>,
    /// The scene that it is an instance of.
    pub(crate) scene: Option<usize>,
    groups: bool,
    pub(crate) lines: Vec<(String, String)>,
}

struct Resource {
    class: String,
    /// How many levels lie in it, with its own.
    height: u32,
    lines: Vec<(String, String)>,
}

/// Whose properties are written.
#[derive(Default)]
pub(crate) struct Holder {
    pub(crate) class: String,
    pub(crate) node: Option<usize>,
    /// How many resources are around, with its own.
    pub(crate) level: u32,
    /// How many `vertices` there are for indices.
    pub(crate) vertices: usize,
    pub(crate) lines: Vec<(String, String)>,
}

/// The way to a resource that has to be in the file: properties of holders, and what the last one has.
#[derive(Clone, Copy)]
pub(crate) struct Way<'w> {
    pub(crate) steps: &'w [(&'static str, &'static str)],
    pub(crate) target: &'static str,
}

/// What most files leave as it is: with these at their limits, there is nothing left to see.
const QUIET: &[&str] = &[
    "visible",
    "process_mode",
    "disabled",
    "enabled",
    "top_level",
    "modulate",
    "self_modulate",
    "scale",
    "transform",
    "position",
    "rotation",
    "skew",
    "stream_paused",
    "active",
    "clip_children",
    "visibility_layer",
    "layers",
    "material",
    "emitting",
    "custom_aabb",
    "visible_characters",
    "visible_ratio",
    "offset_left",
    "offset_right",
    "offset_top",
    "offset_bottom",
    "layout_mode",
    "monitoring",
    "freeze",
];

/// Items of themes.
const ITEMS: &[&str] = &[
    "panel",
    "normal",
    "hover",
    "pressed",
    "focus",
    "font",
    "font_size",
    "font_color",
    "separation",
    "h_separation",
    "margin_left",
    "margin_top",
    "line_spacing",
    "outline_size",
    "icon",
    "grabber",
    "tick",
    "slider",
    "background",
    "fill",
    "tab_selected",
    "tab_unselected",
    "side_margin",
    "icon_max_width",
    "scroll",
    "h_grabber",
    "autohide",
    "minimum_grab_thickness",
    "normal_font",
    "bold_font_size",
    "table_h_separation",
    "shadow_offset_x",
    "shadow_outline_size",
    "paragraph_spacing",
    "separator",
    "checked",
    "arrow_max_width",
    "hover_switch_wait_msec",
    "grabber_area",
    "center_grabber",
    "margin_right",
];

impl<'l> File<'l> {
    pub(crate) fn new(list: &'l List, numbers: Numbers) -> Self {
        let (nodes, resources, scenes) = (Vec::new(), Vec::new(), Vec::new());
        let connections = String::new();
        Self { list, numbers, nodes, resources, deepest: 4, share: 1.0, scenes, connections }
    }

    /// Adds a node without properties.
    pub(crate) fn node(&mut self, class: &str, parent: Option<usize>) -> usize {
        let name = format!("{class}{}", self.nodes.len());
        let path = match parent.map(|parent| self.nodes[parent].path.as_str()) {
            None => ".".to_owned(),
            Some(".") => name,
            Some(path) => format!("{path}/{name}"),
        };
        let groups = self.numbers.chance(0.05);
        self.nodes.push(Node {
            class: class.to_owned(),
            path,
            parent,
            scene: None,
            groups,
            lines: Vec::new(),
        });
        self.nodes.len() - 1
    }

    /// Writes properties of a node, when all nodes are there.
    pub(crate) fn fill_node(&mut self, node: usize, way: Option<Way<'_>>) {
        let class = if self.nodes[node].scene.is_some() { "*" } else { &self.nodes[node].class };
        let mut holder = Holder { class: class.to_owned(), node: Some(node), ..Holder::default() };
        self.fill(&mut holder, way);
        self.nodes[node].lines.append(&mut holder.lines);
        // Without a root of its own, it would be the node above the scene.
        let is_player = self.list.inherits(&self.nodes[node].class, "AnimationMixer");
        let Node { path, lines, .. } = &mut self.nodes[node];
        if is_player && path == "." && !lines.iter().any(|(key, _)| key == "root_node") {
            lines.push(("root_node".to_owned(), "NodePath(\".\")".to_owned()));
        }
    }

    /// Writes the properties of the one resource that the file is.
    pub(crate) fn fill_main(&mut self, class: &str) -> Vec<(String, String)> {
        let mut holder = Holder { class: class.to_owned(), level: 1, ..Holder::default() };
        self.fill(&mut holder, None);
        holder.lines
    }

    fn fill(&mut self, holder: &mut Holder, way: Option<Way<'_>>) {
        if let Some(Way { steps: [(_, property), rest @ ..], target }) = way {
            let key = self.spelled(&holder.class, property);
            let class = rest.first().map_or(target, |step| step.0);
            if let Some(value) =
                self.make_resource(class, holder.level + 1, &[Way { steps: rest, target }])
            {
                holder.lines.push((key, value));
            }
        }
        let mut properties = self.list.properties(&holder.class);
        self.numbers.random.shuffle(&mut properties);
        // What others are counted by comes first; the order in the file is another one.
        properties.sort_by_key(|(name, _)| {
            !matches!(
                *name,
                "vertices"
                    | "instance_count"
                    | "transform_format"
                    | "use_colors"
                    | "use_custom_data"
                    | "map_width"
                    | "map_depth"
            )
        });
        for (name, shape) in properties {
            let left_out = name.starts_with("tracks/")
                || QUIET.contains(&name) && self.numbers.chance(0.8)
                || !self.numbers.chance(self.share)
                || shape == "data" && self.numbers.chance(0.9);
            if left_out {
                continue;
            }
            let times = if name.contains(['*', '#']) { self.numbers.random.usize(1..4) } else { 1 };
            for _ in 0..times {
                let key = self.spelled(&holder.class, name);
                // `*/constants/*` may have become `*/constants/outline_size`.
                let fits =
                    name == key || !key.ends_with("outline_size") || name.ends_with("outline_size");
                if !fits || holder.lines.iter().any(|(known, _)| *known == key) {
                    continue;
                }
                if let Some(value) = self.value(holder, &key, shape) {
                    if key == "vertices" {
                        let size = if holder.class == "NavigationMesh" { 3 } else { 2 };
                        holder.vertices = value.matches(',').count().div_ceil(size);
                    }
                    holder.lines.push((key, value));
                }
            }
        }
        if holder.class == "Animation" && self.nodes.is_empty() {
            self.tracks_of_any_node(&mut holder.lines);
        }
        if self.numbers.random.bool() {
            self.numbers.random.shuffle(&mut holder.lines);
        }
    }

    /// A property's name, with names for the stars.
    fn spelled(&mut self, class: &str, name: &str) -> String {
        if !name.contains(['*', '#']) {
            return name.to_owned();
        }
        let types =
            ["Label", "Button", "Panel", "HSlider", "TabContainer", "RichTextLabel", "Mine"];
        let pieces: Vec<String> = name
            .split('/')
            .enumerate()
            .map(|(index, piece)| match piece {
                "*" if class == "Theme" && index == 0 => (*self.numbers.pick(&types)).to_owned(),
                "*" if name.starts_with("metadata") => format!("m{}", self.numbers.random.u8(..9)),
                "*" => (*self.numbers.pick(ITEMS)).to_owned(),
                "#" => self.numbers.random.u8(..3).to_string(),
                piece => piece.to_owned(),
            })
            .collect();
        pieces.join("/")
    }

    // --- Resources ------------------------------------------------------------------------------------

    /// A resource of one of the classes that the shape names, or null.
    pub(crate) fn resource(&mut self, holder: &Holder, key: &str, shape: &str) -> Option<String> {
        let own = match shape {
            "resource TileSet" => Some("tiles"),
            "resource AudioStream" => Some("sound"),
            _ => None,
        };
        if let Some(own) = own {
            return self.numbers.chance(0.8).then(|| format!("ExtResource(\"{own}\")"));
        }
        let bases: Vec<&str> = shape.split(' ').skip(1).collect();
        if holder.level > 0 && self.numbers.chance(0.3) || self.numbers.chance(0.05) {
            return self.numbers.chance(0.2).then(|| "null".to_owned());
        }
        let known: Vec<usize> = (0..self.resources.len())
            .filter(|index| {
                let found = &self.resources[*index];
                found.height + holder.level <= 12
                    && bases.iter().any(|base| self.list.inherits(&found.class, base))
            })
            .collect();
        if !known.is_empty() && self.numbers.chance(0.35) {
            return Some(format!("SubResource(\"{}\")", self.numbers.pick(&known)));
        }
        let classes: Vec<&'static str> =
            bases.iter().flat_map(|base| self.list.makeable(base)).collect();
        let is_chain = matches!(key, "next_pass" | "base_font");
        if classes.is_empty()
            || holder.level >= self.deepest
            || is_chain && self.numbers.chance(0.6)
        {
            return None;
        }
        let class = *self.numbers.pick(&classes);
        self.make_resource(class, holder.level + 1, &[])
    }

    /// A new resource, which has to stand on the way if there is one.
    pub(crate) fn make_resource(
        &mut self,
        class: &'static str,
        level: u32,
        way: &[Way<'_>],
    ) -> Option<String> {
        if level > 11 || self.resources.len() > 300 {
            return None;
        }
        let mut holder = Holder { class: class.to_owned(), level, ..Holder::default() };
        let share = self.share;
        // Not all of what lies deep: a scene would have thousands of resources.
        self.share = if level > 1 && way.is_empty() { share / f64::from(level) } else { share };
        self.fill(&mut holder, way.first().copied());
        self.share = share;
        Some(self.add_resource(class, holder.lines))
    }

    pub(crate) fn add_resource(&mut self, class: &str, lines: Vec<(String, String)>) -> String {
        let inside = |value: &String| {
            let mut ids =
                value.split("SubResource(\"").skip(1).filter_map(|rest| rest.split_once('"'));
            std::iter::from_fn(move || ids.next()?.0.parse::<usize>().ok()).collect::<Vec<_>>()
        };
        let inner = lines
            .iter()
            .flat_map(|(_, value)| inside(value))
            .map(|id| self.resources[id].height)
            .max();
        self.resources.push(Resource {
            class: class.to_owned(),
            height: 1 + inner.unwrap_or(0),
            lines,
        });
        format!("SubResource(\"{}\")", self.resources.len() - 1)
    }

    // --- Paths ----------------------------------------------------------------------------------------

    /// The path from a node to any other.
    pub(crate) fn path_from(&mut self, from: usize) -> String {
        let to = self.numbers.random.usize(..self.nodes.len());
        let steps = |path: &str| {
            if path == "." {
                Vec::new()
            } else {
                path.split('/').map(str::to_owned).collect::<Vec<_>>()
            }
        };
        let (from, to) = (steps(&self.nodes[from].path), steps(&self.nodes[to].path));
        let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
        let up = std::iter::repeat_n("..".to_owned(), from.len() - common);
        let path: Vec<String> = up.chain(to[common..].iter().cloned()).collect();
        if path.is_empty() { ".".to_owned() } else { path.join("/") }
    }

    // --- Text -----------------------------------------------------------------------------------------

    pub(crate) fn scene(&self) -> String {
        let mut text = "[gd_scene format=3]\n".to_owned();
        self.write_resources(&mut text);
        for node in &self.nodes {
            let name = if node.path == "." {
                "Root"
            } else {
                node.path.rsplit('/').next().unwrap_or_default()
            };
            write!(text, "\n[node name={}", quoted(name)).ok();
            match node.scene {
                Some(scene) => write!(text, " instance=ExtResource(\"scene{scene}\")").ok(),
                None => write!(text, " type=\"{}\"", node.class).ok(),
            };
            if let Some(parent) = node.parent {
                write!(text, " parent={}", quoted(&self.nodes[parent].path)).ok();
            }
            text += if node.groups { " groups=[\"a\", \"res://canary.gd\"]]\n" } else { "]\n" };
            write_lines(&mut text, &node.lines);
        }
        text + &self.connections
    }

    pub(crate) fn main_resource(&self, class: &str, lines: &[(String, String)]) -> String {
        let mut text = format!("[gd_resource type=\"{class}\" format=3]\n");
        self.write_resources(&mut text);
        text += "\n[resource]\n";
        write_lines(&mut text, lines);
        text
    }

    fn write_resources(&self, text: &mut String) {
        *text += "\n[ext_resource type=\"TileSet\" path=\"res://own/tiles.tres\" id=\"tiles\"]\n";
        *text += "[ext_resource type=\"AudioStream\" path=\"res://own/sound.tres\" id=\"sound\"]\n";
        for (index, path) in self.scenes.iter().enumerate() {
            writeln!(
                text,
                "[ext_resource type=\"PackedScene\" path={} id=\"scene{index}\"]",
                quoted(path)
            )
            .ok();
        }
        for (id, resource) in self.resources.iter().enumerate() {
            writeln!(text, "\n[sub_resource type=\"{}\" id=\"{id}\"]", resource.class).ok();
            write_lines(text, &resource.lines);
        }
    }

    /// How many objects of each class there are.
    pub(crate) fn counts(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        let nodes =
            self.nodes.iter().filter(|node| node.scene.is_none()).map(|node| node.class.as_str());
        for class in nodes.chain(self.resources.iter().map(|resource| resource.class.as_str())) {
            *counts.entry(class).or_default() += 1;
        }
        counts
    }
}

fn write_lines(text: &mut String, lines: &[(String, String)]) {
    for (key, value) in lines {
        let key = if key.contains(' ') { quoted(key) } else { key.clone() };
        writeln!(text, "{key} = {value}").ok();
    }
}

impl Holder {
    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        self.lines.iter().find(|(known, _)| known == key)?.1.parse().ok()
    }

    pub(crate) fn is_on(&self, key: &str) -> bool {
        self.lines.iter().any(|(known, value)| known == key && value == "true")
    }

    pub(crate) fn product(&self, keys: &[&str], default: f64) -> f64 {
        keys.iter().map(|key| self.number(key).unwrap_or(default)).product()
    }
}
