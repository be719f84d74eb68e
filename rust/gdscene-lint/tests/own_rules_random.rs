//! Random rules of projects on random scenes, compared with a plain evaluation: it copies each instanced scene, and looks at all nodes
//! for each question.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use gdscene_lint::{Scope, Workspace, WorkspaceOptions};
use godot_project::CachePlace;

/// The classes, each with all that it inherits.
const CLASSES: &[(&str, &[&str])] = &[
    ("Node", &[]),
    ("Timer", &["Node"]),
    ("Node2D", &["CanvasItem", "Node"]),
    ("Area2D", &["CollisionObject2D", "Node2D", "CanvasItem", "Node"]),
    ("Sprite2D", &["Node2D", "CanvasItem", "Node"]),
    ("Control", &["CanvasItem", "Node"]),
    ("Button", &["BaseButton", "Control", "CanvasItem", "Node"]),
];

const ASKED: &[&str] =
    &["Node", "CanvasItem", "Node2D", "Area2D", "Control", "BaseButton", "Timer"];
const GROUPS: &[&str] = &["a", "b", "c"];
const SIGNALS: &[&str] = &["ready", "renamed", "tree_exited"];

/// A scene as its text has it.
#[derive(Default)]
struct Scene {
    nodes: Vec<Tag>,
    /// The path, the signal.
    connections: Vec<(String, &'static str)>,
}

#[derive(Clone, Default)]
struct Tag {
    name: String,
    /// Nothing for the root.
    parent: Option<String>,
    class: Option<&'static str>,
    instance: Option<usize>,
    groups: BTreeSet<&'static str>,
    priority: Option<i64>,
    description: Option<&'static str>,
    has_script: bool,
    is_unique: bool,
}

/// A node with all that is below it, in instances too.
#[derive(Clone, Default)]
struct Node {
    name: String,
    class: &'static str,
    instances: Vec<usize>,
    groups: BTreeSet<&'static str>,
    priority: Option<i64>,
    description: Option<&'static str>,
    has_script: bool,
    is_unique: bool,
    signals: Vec<&'static str>,
    /// Whether the text of the scene at the top lists it.
    is_listed: bool,
    children: Vec<Node>,
}

fn pick<T: Copy>(random: &mut fastrand::Rng, list: &[T]) -> T {
    list[random.usize(..list.len())]
}

/// Adds something now and then.
fn some<T>(
    random: &mut fastrand::Rng,
    chance: f64,
    make: impl FnOnce(&mut fastrand::Rng) -> T,
) -> Option<T> {
    (random.f64() < chance).then(|| make(random))
}

fn change(random: &mut fastrand::Rng, tag: &mut Tag) {
    for group in GROUPS {
        if random.f64() < 0.2 {
            tag.groups.insert(group);
        }
    }
    tag.priority = some(random, 0.4, |random| random.i64(-2..4));
    tag.description = some(random, 0.3, |random| pick(random, &["", "x", "Yes"]));
    tag.has_script = random.f64() < 0.2;
    tag.is_unique = random.f64() < 0.2;
}

/// A scene that may instance those before it.
fn scene(random: &mut fastrand::Rng, before: &[Scene]) -> Scene {
    let mut scene = Scene::default();
    let count = random.usize(1..10);
    for number in 0..count {
        let mut tag = Tag::default();
        change(random, &mut tag);
        tag.instance = some(random, 0.35, |random| random.usize(..before.len().max(1)))
            .filter(|index| *index < before.len());
        if tag.instance.is_none() {
            tag.class = Some(pick(random, CLASSES).0);
        }
        // Not one that an instance has there, too.
        tag.name = format!("N{number}x{}", before.len());
        if number > 0 {
            let below = random.usize(..number);
            let above: &Tag = &scene.nodes[below];
            tag.parent = Some(match &above.parent {
                None => ".".to_owned(),
                Some(parent) if parent == "." => above.name.clone(),
                Some(parent) => format!("{parent}/{}", above.name),
            });
        }
        scene.nodes.push(tag);
    }
    // Some nodes of instances are changed.
    let top = expanded(&scene, before);
    let mut inner = Vec::new();
    paths(&top, "", &mut inner);
    for (path, is_listed) in &inner {
        if !is_listed && random.f64() < 0.3 {
            let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
            let mut tag =
                Tag { name: name.to_owned(), parent: Some(parent.to_owned()), ..Tag::default() };
            change(random, &mut tag);
            scene.nodes.push(tag);
        }
        if random.f64() < 0.3 {
            scene.connections.push((path.clone(), pick(random, SIGNALS)));
        }
    }
    scene
}

/// The paths of all nodes, and whether they are listed.
fn paths(node: &Node, path: &str, all: &mut Vec<(String, bool)>) {
    all.push((if path.is_empty() { ".".to_owned() } else { path.to_owned() }, node.is_listed));
    for child in &node.children {
        let path =
            if path.is_empty() { child.name.clone() } else { format!("{path}/{}", child.name) };
        paths(child, &path, all);
    }
}

fn at<'n>(top: &'n mut Node, path: &str) -> &'n mut Node {
    let names = path.split('/').filter(|name| *name != ".");
    names.fold(top, |node, name| node.children.iter_mut().find(|child| child.name == name).unwrap())
}

fn unlisted(node: &mut Node) {
    node.is_listed = false;
    node.children.iter_mut().for_each(unlisted);
}

/// The scene with all that it instances.
fn expanded(scene: &Scene, before: &[Scene]) -> Node {
    let mut top = Node::default();
    for tag in &scene.nodes {
        let mut made = Node { class: tag.class.unwrap_or_default(), ..Node::default() };
        if let Some(index) = tag.instance {
            made = expanded(&before[index], &before[..index]);
            unlisted(&mut made);
            made.instances.insert(0, index);
        }
        made.name.clone_from(&tag.name);
        let node = match &tag.parent {
            None => {
                top = made;
                &mut top
            }
            Some(parent) if tag.class.is_some() || tag.instance.is_some() => {
                let parent = at(&mut top, parent);
                parent.children.push(made);
                parent.children.last_mut().unwrap()
            }
            Some(parent) => at(at(&mut top, parent), &tag.name),
        };
        node.groups.extend(&tag.groups);
        node.priority = tag.priority.or(node.priority);
        node.description = tag.description.or(node.description);
        node.has_script |= tag.has_script;
        node.is_unique |= tag.is_unique;
        node.is_listed = true;
    }
    for (path, signal) in &scene.connections {
        at(&mut top, path).signals.push(signal);
    }
    top
}

fn text(scene: &Scene) -> String {
    let mut text = "[gd_scene format=3]\n\n".to_owned();
    let instances: BTreeSet<usize> = scene.nodes.iter().filter_map(|tag| tag.instance).collect();
    for index in instances {
        writeln!(
            text,
            "[ext_resource type=\"PackedScene\" path=\"res://s{index}.tscn\" id=\"{index}_s\"]"
        )
        .unwrap();
    }
    if scene.nodes.iter().any(|tag| tag.has_script) {
        text.push_str("[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"a_a\"]\n");
    }
    for tag in &scene.nodes {
        write!(text, "\n[node name=\"{}\"", tag.name).unwrap();
        if let Some(class) = tag.class {
            write!(text, " type=\"{class}\"").unwrap();
        }
        if let Some(parent) = &tag.parent {
            write!(text, " parent=\"{parent}\"").unwrap();
        }
        if !tag.groups.is_empty() {
            write!(text, " groups={:?}", tag.groups.iter().collect::<Vec<_>>()).unwrap();
        }
        if let Some(index) = tag.instance {
            write!(text, " instance=ExtResource(\"{index}_s\")").unwrap();
        }
        text.push_str("]\n");
        if tag.is_unique {
            text.push_str("unique_name_in_owner = true\n");
        }
        if let Some(priority) = tag.priority {
            writeln!(text, "process_priority = {priority}").unwrap();
        }
        if let Some(description) = tag.description {
            writeln!(text, "editor_description = \"{description}\"").unwrap();
        }
        if tag.has_script {
            text.push_str("script = ExtResource(\"a_a\")\n");
        }
    }
    for (path, signal) in &scene.connections {
        write!(
            text,
            "\n[connection signal=\"{signal}\" from=\"{path}\" to=\".\" method=\"queue_free\"]\n"
        )
        .unwrap();
    }
    text
}

/// Something that a rule asks.
#[derive(Debug)]
enum Condition {
    Class(Vec<&'static str>),
    Root(bool),
    Depth(usize, usize),
    Name(&'static str),
    Unique(bool),
    Script(bool),
    Instance(bool),
    InstanceOf(usize),
    Group(Vec<&'static str>),
    Priority(i64, i64),
    PriorityIs(Vec<i64>),
    PrioritySet(bool),
    Description(&'static str),
    DescriptionSet(bool),
    Connection(Vec<&'static str>, Count),
    Near(&'static str, Vec<Condition>, Count),
}

#[derive(Clone, Copy, Debug)]
struct Count {
    min: Option<usize>,
    max: Option<usize>,
}

impl Count {
    fn random(random: &mut fastrand::Rng) -> Self {
        let min = some(random, 0.3, |random| random.usize(1..3));
        let max = some(random, 0.3, |random| min.unwrap_or(0) + random.usize(..3));
        Self { min, max }
    }

    fn holds(self, count: usize) -> bool {
        let least = self.min.unwrap_or(usize::from(self.max.is_none()));
        count >= least && self.max.is_none_or(|most| count <= most)
    }

    fn keys(self) -> Vec<String> {
        let min = self.min.map(|min| format!("min = {min}"));
        min.into_iter().chain(self.max.map(|max| format!("max = {max}"))).collect()
    }
}

/// The conditions of a table, with no key twice.
fn conditions(
    random: &mut fastrand::Rng,
    scenes: usize,
    depth: usize,
    count: usize,
) -> Vec<Condition> {
    let mut all: BTreeMap<&'static str, Condition> = BTreeMap::new();
    for _ in 0..count {
        let condition = match random.u32(..if depth < 2 { 16 } else { 12 }) {
            0 | 1 => {
                Condition::Class((0..random.usize(1..3)).map(|_| pick(random, ASKED)).collect())
            }
            2 => Condition::Root(random.bool()),
            3 => {
                let min = random.usize(..3);
                Condition::Depth(min, min + random.usize(..2))
            }
            4 => Condition::Name(pick(random, &["N[0-3]x.*", "PascalCase", ".*x0", "snake_case"])),
            5 => Condition::Unique(random.bool()),
            6 => Condition::Script(random.bool()),
            7 => match random.bool() {
                true => Condition::Instance(random.bool()),
                false => Condition::InstanceOf(random.usize(..scenes)),
            },
            8 => Condition::Group((0..random.usize(1..3)).map(|_| pick(random, GROUPS)).collect()),
            9 => match random.u32(..3) {
                0 => {
                    let min = random.i64(-2..3);
                    Condition::Priority(min, min + random.i64(0..3))
                }
                1 => Condition::PriorityIs(vec![random.i64(-2..3), random.i64(-2..3)]),
                _ => Condition::PrioritySet(random.bool()),
            },
            10 => match random.bool() {
                true => Condition::Description(pick(random, &["", "Yes", "no"])),
                false => Condition::DescriptionSet(random.bool()),
            },
            11 => {
                let signals = (0..random.usize(1..3)).map(|_| pick(random, SIGNALS)).collect();
                Condition::Connection(signals, Count::random(random))
            }
            _ => {
                let relation =
                    pick(random, &["child", "descendant", "parent", "ancestor", "sibling"]);
                let count = match relation {
                    "parent" => Count { min: None, max: None },
                    _ => Count::random(random),
                };
                let inner = random.usize(..3);
                Condition::Near(relation, conditions(random, scenes, depth + 1, inner), count)
            }
        };
        all.insert(condition.key(), condition);
    }
    all.into_values().collect()
}

impl Condition {
    fn key(&self) -> &'static str {
        match self {
            Self::Class(_) => "class",
            Self::Root(_) => "root",
            Self::Depth(..) => "depth",
            Self::Name(_) => "name",
            Self::Unique(_) => "unique-name",
            Self::Script(_) => "script",
            Self::Instance(_) | Self::InstanceOf(_) => "instance-of",
            Self::Group(_) => "group",
            Self::Priority(..) | Self::PriorityIs(_) | Self::PrioritySet(_) => "properties",
            Self::Description(_) | Self::DescriptionSet(_) => "properties",
            Self::Connection(..) => "connection",
            Self::Near(relation, ..) => relation,
        }
    }

    fn value(&self) -> String {
        match self {
            Self::Class(list) | Self::Group(list) => format!("{list:?}"),
            Self::Root(is) | Self::Unique(is) | Self::Script(is) | Self::Instance(is) => {
                is.to_string()
            }
            Self::Depth(min, max) if min == max => min.to_string(),
            Self::Depth(min, max) => format!("{{ min = {min}, max = {max} }}"),
            Self::Name(pattern) => format!("'{pattern}'"),
            Self::InstanceOf(index) => format!("\"s{index}.tscn\""),
            Self::Priority(min, max) => {
                format!("{{ process_priority = {{ min = {min}, max = {max} }} }}")
            }
            Self::PriorityIs(list) => format!("{{ process_priority = {list:?} }}"),
            Self::PrioritySet(is) => format!("{{ process_priority = {{ set = {is} }} }}"),
            Self::Description(is) => format!("{{ editor_description = \"{is}\" }}"),
            Self::DescriptionSet(is) => format!("{{ editor_description = {{ set = {is} }} }}"),
            Self::Connection(signals, count) => {
                let keys = [vec![format!("signal = {signals:?}")], count.keys()].concat();
                format!("{{ {} }}", keys.join(", "))
            }
            Self::Near(_, conditions, count) => {
                let keys =
                    conditions.iter().map(|found| format!("{} = {}", found.key(), found.value()));
                let keys: Vec<String> = keys.chain(count.keys()).collect();
                format!("{{ {} }}", keys.join(", "))
            }
        }
    }

    /// Whether the condition holds for the last of these nodes. Each node is the parent of the next one.
    fn holds(&self, way: &[&Node]) -> bool {
        let (node, above) = way.split_last().unwrap();
        let all = |way: &[&Node], conditions: &[Self]| {
            conditions.iter().all(|condition| condition.holds(way))
        };
        let extended = |other| -> Vec<&Node> { way.iter().copied().chain([other]).collect() };
        match self {
            Self::Class(names) => {
                let (name, bases) = CLASSES.iter().find(|(name, _)| *name == node.class).unwrap();
                names.iter().any(|wanted| wanted == name || bases.contains(wanted))
            }
            Self::Root(is) => above.is_empty() == *is,
            Self::Depth(min, max) => (*min..=*max).contains(&above.len()),
            Self::Name(pattern) => match *pattern {
                "N[0-3]x.*" => {
                    let digit = node.name.as_bytes()[1];
                    (b'0'..=b'3').contains(&digit) && node.name.as_bytes()[2] == b'x'
                }
                "PascalCase" => true,
                ".*x0" => node.name.ends_with("x0"),
                _ => false,
            },
            Self::Unique(is) => node.is_unique == *is,
            Self::Script(is) => node.has_script == *is,
            Self::Instance(is) => node.instances.is_empty() != *is,
            Self::InstanceOf(index) => node.instances.contains(index),
            Self::Group(names) => names.iter().any(|name| node.groups.contains(name)),
            Self::Priority(min, max) => (*min..=*max).contains(&node.priority.unwrap_or(0)),
            Self::PriorityIs(list) => list.contains(&node.priority.unwrap_or(0)),
            Self::PrioritySet(is) => (node.priority.unwrap_or(0) != 0) == *is,
            Self::Description(wanted) => node.description.unwrap_or("") == *wanted,
            Self::DescriptionSet(is) => node.description.unwrap_or("").is_empty() != *is,
            Self::Connection(signals, count) => {
                count.holds(node.signals.iter().filter(|signal| signals.contains(signal)).count())
            }
            Self::Near(relation, conditions, count) => count.holds(match *relation {
                "child" => {
                    node.children.iter().filter(|child| all(&extended(child), conditions)).count()
                }
                "descendant" => {
                    let mut below = Vec::new();
                    each_below(way, &mut |way| below.push(all(way, conditions)));
                    below.into_iter().filter(|holds| *holds).count()
                }
                "parent" => usize::from(!above.is_empty() && all(above, conditions)),
                "ancestor" => {
                    (1..=above.len()).filter(|length| all(&above[..*length], conditions)).count()
                }
                _ => above.last().map_or(0, |parent| {
                    let others =
                        parent.children.iter().filter(|other| !std::ptr::eq(*other, *node));
                    let with =
                        |other| -> Vec<&Node> { above.iter().copied().chain([other]).collect() };
                    others.filter(|other| all(&with(other), conditions)).count()
                }),
            }),
        }
    }
}

/// Calls `each` with the way to each node below the last one.
fn each_below<'n>(way: &[&'n Node], each: &mut dyn FnMut(&[&'n Node])) {
    let node: &'n Node = way.last().unwrap();
    for child in &node.children {
        let way: Vec<&'n Node> = way.iter().copied().chain([child]).collect();
        each(&way);
        each_below(&way, each);
    }
}

/// A rule, as a table and as questions.
struct Rule {
    select: Vec<Condition>,
    except: Vec<Condition>,
    must: Vec<Condition>,
    must_not: Vec<Condition>,
}

impl Rule {
    fn random(random: &mut fastrand::Rng, scenes: usize) -> Self {
        let mut some = |most: usize| {
            let count = random.usize(..=most);
            conditions(random, scenes, 0, count)
        };
        let (select, except, mut must, must_not) = (some(2), some(1), some(2), some(2));
        if must.is_empty() && must_not.is_empty() {
            must.push(Condition::Class(vec!["Node2D"]));
        }
        Self { select, except, must, must_not }
    }

    fn text(&self, code: &str) -> String {
        let mut text =
            format!("[[rule]]\ncode = \"{code}\"\nmessage = \"{{path}}\"\nseverity = \"info\"\n");
        for (key, list) in [
            ("nodes", Some(&self.select)),
            ("except", Some(&self.except).filter(|list| !list.is_empty())),
            ("must", Some(&self.must).filter(|list| !list.is_empty())),
            ("must-not", Some(&self.must_not).filter(|list| !list.is_empty())),
        ] {
            let Some(list) = list else { continue };
            let keys = list.iter().map(|found| format!("{} = {}", found.key(), found.value()));
            writeln!(text, "{key} = {{ {} }}", keys.collect::<Vec<_>>().join(", ")).unwrap();
        }
        text
    }

    fn is_broken(&self, way: &[&Node]) -> bool {
        let all = |list: &[Condition]| list.iter().all(|condition| condition.holds(way));
        let is_excepted = !self.except.is_empty() && all(&self.except);
        let has_forbidden = self.must_not.iter().any(|condition| condition.holds(way));
        all(&self.select) && !is_excepted && (!all(&self.must) || has_forbidden)
    }
}

#[test]
fn random_rules_on_random_scenes() {
    let mut random = fastrand::Rng::with_seed(50);
    let (mut found_count, mut question_count) = (0, 0);
    for round in 0..60 {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write(
            "project.godot",
            "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n",
        );
        write("a.gd", "extends Node\n");
        let mut scenes = Vec::new();
        for index in 0..random.usize(1..6) {
            let made = scene(&mut random, &scenes);
            write(&format!("s{index}.tscn"), &text(&made));
            scenes.push(made);
        }
        let rules: Vec<Rule> = (0..40).map(|_| Rule::random(&mut random, scenes.len())).collect();
        let codes: Vec<String> = (0..rules.len()).map(|number| format!("RND{number:03}")).collect();
        let tables = rules.iter().zip(&codes).map(|(rule, code)| rule.text(code));
        let config: String = format!("select = [\"RND\"]\n{}", tables.collect::<String>());
        write("gdscene.toml", &config);

        let mut expected: BTreeSet<(String, &str, String)> = BTreeSet::new();
        for (index, scene) in scenes.iter().enumerate() {
            let top = expanded(scene, &scenes[..index]);
            let mut ways = vec![vec![&top]];
            each_below(&[&top], &mut |way| ways.push(way.to_vec()));
            for way in ways.iter().filter(|way| way.last().unwrap().is_listed) {
                let names: Vec<&str> = way[1..].iter().map(|node| node.name.as_str()).collect();
                let path = if names.is_empty() { ".".to_owned() } else { names.join("/") };
                for (rule, code) in rules.iter().zip(&codes) {
                    question_count += 1;
                    if rule.is_broken(way) {
                        expected.insert((format!("res://s{index}.tscn"), code, path.clone()));
                    }
                }
            }
        }
        let options = WorkspaceOptions { cache: CachePlace::None, ..WorkspaceOptions::default() };
        let workspace = Workspace::open(folder.path(), &options).unwrap();
        assert_eq!(workspace.config_error().map(|error| error.to_string()), None, "{config}");
        let report = workspace.report(Scope::Scenes);
        let mut found = BTreeSet::new();
        for (path, all) in &report.files {
            for located in all {
                let diagnostic = &located.diagnostic;
                found.insert((path.clone(), diagnostic.code, diagnostic.message.clone()));
            }
        }
        let texts = || -> String { scenes.iter().map(text).collect() };
        let table =
            |code: &str| rules[codes.iter().position(|known| known == code).unwrap()].text(code);
        if let Some((path, code, node)) = found.symmetric_difference(&expected).next() {
            let is_expected = expected.contains(&(path.clone(), code, node.clone()));
            panic!(
                "round {round}, {path}, {node}, expected {is_expected}:\n{}\n{}",
                table(code),
                texts()
            );
        }
        found_count += found.len();
    }
    assert!(
        found_count > 2000 && found_count * 10 < question_count * 9,
        "{found_count} of {question_count}"
    );
}
