//! Which files are made: of each class several, and some of what classes do together.

use std::fmt::Write as _;

use crate::file::{File, Way};
use crate::full;
use crate::list::List;
use crate::numbers::{Numbers, Temper};
use crate::texts::quoted;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The class alone, as a resource or a node among those that belong to it.
    Class(&'static str),
    /// A resource of the class where a node uses it.
    Used(&'static str),
    /// All properties of a node that may be animated.
    Animated(&'static str),
    /// Signals that call methods.
    Connected,
    /// Many nodes of any classes.
    Mixed,
    /// As deep as nodes may hang.
    Deep,
    /// Instances of the scenes before it, and of their instances.
    Instances,
    /// Bodies in each other, which fall for a while.
    Falling,
    /// As many of a class as there may be.
    Many(&'static str),
    /// As many of one class below another as there may be.
    Pair(&'static str, &'static str),
    /// As deep as nodes may hang, of two classes by turns.
    Nested(&'static str, &'static str),
    /// Controls that wrap, fit and stretch.
    Layout,
    /// As much text as there may be.
    LongText(&'static str),
    /// As many calls by timers as there may be.
    Calls(&'static str),
    /// As much of one thing of the budget as there may be.
    Full(&'static str),
}

/// A file that is to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) kind: Kind,
    pub(crate) temper: Temper,
    pub(crate) share: f64,
}

/// What a round of files consists of.
pub(crate) fn round(list: &List, tempers: &[Temper], share: f64) -> Vec<Plan> {
    let mut plans = Vec::new();
    let nodes = list.makeable("Node");
    let resources = list.makeable("Resource");
    for temper in tempers {
        let mut add = |kind| plans.push(Plan { kind, temper: *temper, share });
        nodes.iter().chain(&resources).for_each(|class| add(Kind::Class(class)));
        resources.iter().for_each(|class| add(Kind::Used(class)));
        nodes.iter().for_each(|class| add(Kind::Animated(class)));
        for _ in 0..15 {
            [Kind::Connected, Kind::Mixed, Kind::Falling].into_iter().for_each(&mut add);
        }
        [Kind::Deep, Kind::Instances, Kind::Instances, Kind::Instances]
            .into_iter()
            .for_each(&mut add);
    }
    plans
}

/// Files at the limits of the budget, without those that [`round`] has. `random` says which classes meet.
pub(crate) fn limits(list: &List, random: &mut fastrand::Rng) -> Vec<Plan> {
    let tempers = [Temper::Plain, Temper::Most, Temper::Mixed, Temper::Middle];
    let mut plans = Vec::new();
    let mut add = |kind, temper| plans.push(Plan { kind, temper, share: 0.3 });
    let nodes = list.makeable("Node");
    for class in &nodes {
        tempers.iter().for_each(|temper| add(Kind::Many(class), *temper));
        let mut other = || nodes[random.usize(..nodes.len())];
        add(Kind::Pair(class, other()), Temper::Mixed);
        add(Kind::Pair(other(), class), Temper::Plain);
        add(Kind::Nested(class, class), Temper::Plain);
        add(Kind::Nested(class, other()), Temper::Mixed);
    }
    for class in ["Label", "RichTextLabel", "Button", "Label3D", "CheckBox"] {
        (0..20).for_each(|_| add(Kind::LongText(class), Temper::Plain));
    }
    for class in ["Node2D", "Control", "Label", "Button", "Node3D", "MeshInstance3D", "Sprite2D"] {
        (0..3).for_each(|_| add(Kind::Calls(class), Temper::Plain));
    }
    full::NAMES.iter().for_each(|name| add(Kind::Full(name), Temper::Plain));
    (0..400).for_each(|_| add(Kind::Layout, Temper::Plain));
    plans
}

/// The classes that nodes of a class are put below.
const PARENTS: &[(&str, &[&str])] = &[
    (
        "CollisionShape2D",
        &["RigidBody2D", "Area2D", "StaticBody2D", "CharacterBody2D", "AnimatableBody2D"],
    ),
    ("CollisionPolygon2D", &["RigidBody2D", "Area2D", "StaticBody2D"]),
    (
        "CollisionShape3D",
        &["RigidBody3D", "Area3D", "StaticBody3D", "CharacterBody3D", "AnimatableBody3D"],
    ),
    ("CollisionPolygon3D", &["RigidBody3D", "Area3D", "StaticBody3D"]),
    ("PathFollow2D", &["Path2D"]),
    ("PathFollow3D", &["Path3D"]),
    ("ParallaxLayer", &["ParallaxBackground"]),
    ("Joint2D", &["RigidBody2D", "Node2D"]),
];

/// The classes of nodes that are put below those of a class.
const CHILDREN: &[(&str, &[&str])] = &[
    ("CollisionObject2D", &["CollisionShape2D", "CollisionPolygon2D", "CollisionShape2D"]),
    ("CollisionObject3D", &["CollisionShape3D", "CollisionPolygon3D", "CollisionShape3D"]),
    ("Path2D", &["PathFollow2D"]),
    ("Path3D", &["PathFollow3D"]),
    ("ParallaxBackground", &["ParallaxLayer"]),
    ("ParallaxLayer", &["Sprite2D", "Polygon2D"]),
    ("Parallax2D", &["Sprite2D", "Polygon2D", "Line2D"]),
    ("CanvasGroup", &["Sprite2D", "Polygon2D"]),
    ("CanvasLayer", &["Sprite2D", "Label", "ParallaxLayer"]),
    ("Joint2D", &["RigidBody2D", "StaticBody2D"]),
    ("Light2D", &["LightOccluder2D", "Sprite2D"]),
    (
        "Container",
        &[
            "Label",
            "Button",
            "TextureRect",
            "ColorRect",
            "RichTextLabel",
            "VBoxContainer",
            "HSlider",
            "ScrollContainer",
        ],
    ),
    ("Control", &["Label", "Button", "Panel"]),
    ("WorldEnvironment", &["MeshInstance3D", "DirectionalLight3D"]),
];

impl File<'_> {
    /// Makes the file: its text, and whether it is a scene. `count` says how often something is repeated.
    pub(crate) fn make(&mut self, kind: Kind, count: usize) -> (String, bool) {
        if self.numbers.chance(0.05) {
            self.deepest = 11;
        }
        match kind {
            Kind::Class(class) if self.list.inherits(class, "Resource") => {
                let lines = self.fill_main(class);
                return (self.main_resource(class, &lines), false);
            }
            Kind::Class(class) => {
                let nodes = self.stage(class);
                self.fill_nodes(&nodes);
            }
            Kind::Used(class) => self.used(class),
            Kind::Animated(class) => {
                let nodes = self.stage(class);
                let filled = self.share;
                self.share = 0.1;
                self.fill_nodes(&nodes);
                self.share = filled;
                self.animate(&nodes);
            }
            Kind::Connected => self.connected(),
            Kind::Mixed => self.mixed(),
            Kind::Deep => self.deep(),
            Kind::Instances => self.instances(),
            Kind::Falling => self.falling(),
            Kind::Many(class) => self.many(class, count),
            Kind::Pair(above, below) => self.pair(above, below, count),
            Kind::Nested(above, below) => self.nested(above, below, count),
            Kind::Layout => self.layout(count),
            Kind::LongText(class) => self.long_text(class, count),
            Kind::Calls(class) => self.calls(class, count),
            Kind::Full(name) => return (full::text(name, count), true),
        }
        (self.scene(), true)
    }

    pub(crate) fn fill_nodes(&mut self, nodes: &[usize]) {
        for node in nodes {
            self.fill_node(*node, None);
        }
    }

    /// Nodes of the class with those around them that belong there. What is in space is lit and seen.
    pub(crate) fn stage(&mut self, class: &'static str) -> Vec<usize> {
        let root = if self.list.inherits(class, "Control") {
            "Control"
        } else if self.list.inherits(class, "Node3D") {
            "Node3D"
        } else {
            "Node2D"
        };
        // The list lets no shape be a root.
        if !class.starts_with("Collision") && self.numbers.chance(0.15) {
            let node = self.node(class, None);
            self.children(node);
            return vec![node];
        }
        let root = self.node(root, None);
        let mut nodes = Vec::new();
        for _ in 0..2 {
            let parents = PARENTS.iter().find(|(base, _)| self.list.inherits(class, base));
            let parent = parents.map(|(_, parents)| *self.numbers.pick(parents));
            let parent = parent.map_or(root, |parent| self.node(parent, Some(root)));
            let node = self.node(class, Some(parent));
            nodes.push(node);
            self.children(node);
        }
        if self.nodes[root].class == "Node3D" {
            let camera = self.node("Camera3D", Some(root));
            let place = "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 5)";
            self.nodes[camera].lines.push(("transform".to_owned(), place.to_owned()));
            let light = self.node("OmniLight3D", Some(root));
            self.nodes[light].lines.push(("shadow_enabled".to_owned(), "true".to_owned()));
        }
        nodes
    }

    /// Nodes below a node that make it do something. Their properties are few.
    fn children(&mut self, node: usize) {
        let class = self.nodes[node].class.clone();
        let Some((_, children)) =
            CHILDREN.iter().find(|(base, _)| self.list.inherits(&class, base))
        else {
            return;
        };
        let share = self.share;
        for _ in 0..self.numbers.random.usize(..4) {
            let child = *self.numbers.pick(children);
            let child = self.node(child, Some(node));
            self.share = 0.25;
            self.fill_node(child, None);
        }
        self.share = share;
    }

    fn used(&mut self, class: &'static str) {
        let way = self.list.way_to(class);
        let Some((holder, _)) = way.first() else {
            // No node has it: it is plain data of one.
            let node = self.node("Node", None);
            if let Some(value) = self.make_resource(class, 1, &[]) {
                self.nodes[node].lines.push(("metadata/used".to_owned(), value));
            }
            return;
        };
        let nodes = self.stage(holder);
        let share = self.share;
        self.share = share.max(0.5);
        for node in &nodes {
            self.fill_node(*node, Some(Way { steps: &way, target: class }));
        }
        self.share = share;
    }

    fn connected(&mut self) {
        let root = self.node("Node2D", None);
        let classes = [
            "Timer",
            "Button",
            "Area2D",
            "RigidBody2D",
            "AnimatedSprite2D",
            "CPUParticles2D",
            "VisibleOnScreenNotifier2D",
            "Label",
            "AudioStreamPlayer",
        ];
        for _ in 0..self.numbers.random.usize(2..12) {
            let class = *self.numbers.pick(&classes);
            self.node(class, Some(root));
        }
        self.share = 0.2;
        let nodes: Vec<usize> = (0..self.nodes.len()).collect();
        self.fill_nodes(&nodes);
        for node in nodes {
            if self.nodes[node].class == "Timer" {
                self.nodes[node]
                    .lines
                    .retain(|(key, _)| !matches!(key.as_str(), "wait_time" | "autostart"));
                self.nodes[node].lines.extend(
                    [("wait_time", "0.1"), ("autostart", "true")]
                        .map(|(key, value)| (key.to_owned(), value.to_owned())),
                );
            }
        }
        let signals = [
            "area_entered",
            "body_entered",
            "pressed",
            "ready",
            "screen_entered",
            "timeout",
            "ready",
            "timeout",
        ];
        for _ in 0..self.numbers.random.usize(1..30) {
            let from = self.numbers.random.usize(..self.nodes.len());
            let to = self.numbers.random.usize(..self.nodes.len());
            let class = self.nodes[to].class.as_str();
            let methods: &[&str] = match class {
                "Timer" => &["start", "stop"],
                "AnimatedSprite2D" => &["play", "stop", "pause", "hide", "show", "queue_redraw"],
                "AudioStreamPlayer" => &["play", "stop"],
                _ => &["hide", "show", "queue_redraw"],
            };
            let (signal, method) = (*self.numbers.pick(&signals), *self.numbers.pick(methods));
            let (flags, unbinds) = (self.numbers.random.u8(..32), self.numbers.random.u8(..4));
            let binds = match self.numbers.random.u8(..4) {
                0 => format!(" binds=[{}, 1.5, true]", quoted(&self.numbers.name())),
                1 => format!(" binds=[{}]", quoted(&self.numbers.name())),
                _ => String::new(),
            };
            let line = format!(
                "\n[connection signal=\"{signal}\" from={} to={} method=\"{method}\" flags={flags} unbinds={unbinds}{binds}]\n",
                quoted(&self.nodes[from].path),
                quoted(&self.nodes[to].path)
            );
            // Two of one kind are an error.
            let start = line.split(" flags").next().unwrap_or_default();
            if !self.connections.contains(start) {
                self.connections.write_str(&line).ok();
            }
        }
    }

    fn mixed(&mut self) {
        let classes = self.list.makeable("Node");
        let root = self.numbers.pick(&["Node2D", "Control", "Node3D", "Node"]);
        self.node(root, None);
        for _ in 0..self.numbers.random.usize(2..30) {
            let parent = self.numbers.random.usize(..self.nodes.len());
            let class = *self.numbers.pick(&classes);
            self.node(class, Some(parent));
        }
        self.share = [0.05, 0.2, 0.5][self.numbers.random.usize(..3)];
        let nodes: Vec<usize> = (0..self.nodes.len()).collect();
        self.fill_nodes(&nodes);
        self.animate(&nodes[1..3]);
    }

    /// 32 nodes, one below the other, of one class: containers ask all below them for their size.
    fn deep(&mut self) {
        let classes = [
            "Node2D",
            "Control",
            "MarginContainer",
            "VBoxContainer",
            "CanvasGroup",
            "RichTextLabel",
            "ScrollContainer",
            "Node3D",
            "RigidBody2D",
            "HFlowContainer",
            "Label",
            "CenterContainer",
            "HSplitContainer",
            "GridContainer",
        ];
        let class = *self.numbers.pick(&classes);
        let mut last = self.node(class, None);
        self.share = 0.03;
        for _ in 0..31 {
            let node = self.node(class, Some(last));
            self.fill_node(node, None);
            last = node;
        }
    }

    fn instances(&mut self) {
        let root = self.node("Node2D", None);
        for _ in 0..self.numbers.random.usize(1..12) {
            let scene = self.numbers.random.usize(..self.scenes.len().max(1));
            let node = self.node("Instance", Some(root));
            if scene < self.scenes.len() {
                self.nodes[node].scene = Some(scene);
                self.fill_node(node, None);
            } else {
                self.nodes[node].class = "Node2D".to_owned();
            }
        }
    }

    fn falling(&mut self) {
        let flat = self.numbers.random.bool();
        let root = self.node(if flat { "Node2D" } else { "Node3D" }, None);
        let bodies: &[&str] = if flat {
            &[
                "RigidBody2D",
                "RigidBody2D",
                "StaticBody2D",
                "Area2D",
                "AnimatableBody2D",
                "CharacterBody2D",
            ]
        } else {
            &[
                "RigidBody3D",
                "RigidBody3D",
                "StaticBody3D",
                "Area3D",
                "AnimatableBody3D",
                "CharacterBody3D",
            ]
        };
        let mut nodes = Vec::new();
        for _ in 0..self.numbers.random.usize(2..16) {
            let class = *self.numbers.pick(bodies);
            let body = self.node(class, Some(root));
            for _ in 0..self.numbers.random.usize(1..3) {
                nodes.push(
                    self.node(
                        if flat { "CollisionShape2D" } else { "CollisionShape3D" },
                        Some(body),
                    ),
                );
            }
            nodes.push(body);
        }
        if flat {
            for _ in 0..self.numbers.random.usize(..6) {
                let class =
                    *self.numbers.pick(&["PinJoint2D", "GrooveJoint2D", "DampedSpringJoint2D"]);
                nodes.push(self.node(class, Some(root)));
            }
        }
        nodes.push(self.node(if flat { "RayCast2D" } else { "RayCast3D" }, Some(root)));
        self.share = [0.15, 0.4, 1.0][self.numbers.random.usize(..3)];
        let steps =
            [if flat { ("CollisionShape2D", "shape") } else { ("CollisionShape3D", "shape") }];
        let shapes = self.list.makeable(if flat { "Shape2D" } else { "Shape3D" });
        for node in nodes {
            let is_shape = self.nodes[node].class == steps[0].0;
            let target = *self.numbers.pick(&shapes);
            self.fill_node(node, is_shape.then_some(Way { steps: &steps, target }));
        }
    }
}

/// Numbers for a plan.
pub(crate) fn numbers(plan: Plan, seed: u64, level: i32) -> Numbers {
    Numbers { random: fastrand::Rng::with_seed(seed), temper: plan.temper, level }
}
