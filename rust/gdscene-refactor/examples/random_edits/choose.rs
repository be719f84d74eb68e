//! Chooses operations.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use gdscene_refactor::{edit, operations};
use godot_project::Project;
use godot_tscn::TagKind;
use serde_json::{Map, Value as Json, json};

use crate::case::Case;
use crate::known;
use crate::scene::{NodeInfo, ObjectInfo, SceneInfo};
use crate::values::{self, Both, PropertyInfo, value};

/// One operation, as ours and as Godot is to do it.
pub(crate) struct Chosen {
    ours: Map<String, Json>,
    engine: Map<String, Json>,
    about: String,
}

/// At most this number of tries is made for each wanted case.
const TRIES: usize = 20;

pub(crate) fn choose(
    folder: &Path,
    list: &Path,
    count: usize,
    seed: u64,
    output: &Path,
    is_alone: bool,
) {
    let mut project = Project::open(folder).expect("a project");
    let list = fs::read_to_string(list).expect("a list of files");
    let scenes: Vec<SceneInfo> =
        list.lines().filter_map(|path| SceneInfo::read(&project, path)).collect();
    assert!(!scenes.is_empty(), "no scene is saved the same again");
    let mut random = Rng::with_seed(seed);
    let mut cases = String::new();
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut number = 0;
    for _ in 0..count * TRIES {
        if number == count {
            break;
        }
        let scene = &scenes[random.usize(0..scenes.len())];
        let wanted = if !is_alone && random.u32(0..4) == 0 { random.usize(2..6) } else { 1 };
        let chooser = Chooser { project: &project, scene };
        let chosen: Vec<Chosen> =
            (0..wanted).filter_map(|_| chooser.operation(&mut random)).collect();
        if chosen.is_empty() {
            continue;
        }
        // A new file is made alone.
        let new = chosen.iter().position(|one| one.ours["op"] == "new");
        let chosen: Vec<Chosen> = match new {
            Some(index) => chosen.into_iter().skip(index).take(1).collect(),
            None => chosen,
        };
        match case_of(&mut project, &scene.path, chosen) {
            Ok((case, text))
                if is_alone
                    && (is_old(&project, &case.file, &text)
                        || case.operations[0]["op"] == "new") => {}
            Ok((mut case, text)) => {
                number += 1;
                case.number = number;
                fs::write(output.join(format!("{number}.ours")), text).expect("it can be written");
                cases += &serde_json::to_string(&case).expect("it is JSON");
                cases.push('\n');
            }
            Err(reason) => *refused.entry(reason).or_default() += 1,
        }
    }
    fs::write(output.join("cases"), cases).expect("it can be written");
    let mut reasons: Vec<_> = refused.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let reasons: String =
        reasons.iter().map(|(reason, count)| format!("{count}\t{reason}\n")).collect();
    fs::write(output.join("refused"), reasons).expect("it can be written");
    println!("{number} cases on {} files", scenes.len());
}

/// Whether a file has this text.
fn is_old(project: &Project, path: &str, text: &[u8]) -> bool {
    let file = project.file(path);
    file.is_some_and(|file| project.read(file).is_ok_and(|old| old.as_ref() == text))
}

/// The case of some operations, and our result for them.
fn case_of(
    project: &mut Project,
    path: &str,
    chosen: Vec<Chosen>,
) -> Result<(Case, Vec<u8>), String> {
    let named = chosen[0].ours.get("file").and_then(Json::as_str);
    let file = named.unwrap_or(path).to_owned();
    let about: Vec<String> = chosen.iter().map(|one| one.about.clone()).collect();
    let ours: Vec<Json> = chosen.iter().map(|one| Json::Object(one.ours.clone())).collect();
    let text = serde_json::to_vec(&ours).expect("it is JSON");
    let parsed = operations(&text).map_err(|error| error.to_string())?;
    let before = project.file(&file).map(|id| project.read(id).expect("it is there").into_owned());
    let edited = edit(project, Some(&file), &parsed)
        .map_err(|error| format!("{}: {error}", about.join(" + ")))?;
    let changed = edited.plan.files.iter().find(|one| one.path == file);
    let after =
        changed.map(godot_tscn::FileEdits::new_text).or_else(|| before.clone()).unwrap_or_default();
    let known = before.as_deref().map(ext_ids).unwrap_or_default();
    let ext_ids =
        ext_ids(&after).into_iter().filter(|(path, _)| !known.contains_key(path)).collect();
    let engine = chosen.into_iter().map(|one| Json::Object(one.engine)).collect();
    Ok((Case { number: 0, file, operations: ours, engine, ext_ids, about }, after))
}

/// The ids of the external resources of a text, by path.
pub(crate) fn ext_ids(text: &[u8]) -> BTreeMap<String, String> {
    let document = godot_tscn::parse(text);
    let tags = document.sections().filter(|section| section.kind() == TagKind::ExtResource);
    let field = |section: godot_tscn::Section<'_>, name| {
        section.field_text(name).map(|text| String::from_utf8_lossy(&text).into_owned())
    };
    tags.filter_map(|tag| Some((field(tag, "path")?, field(tag, "id")?))).collect()
}

struct Chooser<'p> {
    project: &'p Project,
    scene: &'p SceneInfo,
}

impl Chooser<'_> {
    fn operation(&self, random: &mut Rng) -> Option<Chosen> {
        if random.u32(0..40) == 0 {
            return self.new_file(random);
        }
        if !self.scene.is_scene {
            return self.property_of(random, "", self.scene.main.as_ref()?);
        }
        let node = &self.scene.nodes[random.usize(0..self.scene.nodes.len())];
        match random.u32(0..22) {
            0..8 => self.property_of(random, &node.path, &node.object),
            8..12 => self.add(random),
            12..14 => self.instance(random),
            14 => self.remove(random),
            15 | 16 => group(random, node),
            17 | 18 => self.connect(random),
            19 => self.disconnect(random),
            20 => self.script(random, node),
            _ => self.editable(random),
        }
    }

    /// `set`, `unset`, `add-resource`, `load-resource`
    fn property_of(&self, random: &mut Rng, path: &str, object: &ObjectInfo) -> Option<Chosen> {
        let class = &object.class;
        if known::is_class_left_out(class) {
            return None;
        }
        if !object.properties.is_empty() && random.u32(0..4) == 0 {
            let (key, _) = &object.properties[random.usize(0..object.properties.len())];
            if key == "script"
                || key.contains('/') && !key.starts_with("metadata/")
                || self.is_left_out(class, key)
            {
                return None;
            }
            let at = format!("{path}:{key}");
            return Some(Chosen::same(
                json!({"op": "unset", "at": at}),
                format!("unset {class}.{key}"),
            ));
        }
        if random.u32(0..12) == 0 {
            let key = format!("metadata/{}", random.choice(["a", "kind", "_x"])?);
            let at = format!("{path}:{key}");
            let text = random.choice([
                "Vector2i(1, 2)",
                "[1, \"a\", Vector2(0.5, 1)]",
                "true",
                "&\"name\"",
            ])?;
            let value = json!({ "godot": text });
            return Some(Chosen::same(
                json!({"op": "set", "at": at, "value": value}),
                "set metadata".to_owned(),
            ));
        }
        let all = values::properties(self.project, object);
        let own = values::variables(self.project, object);
        let all = if !own.is_empty() && random.bool() { own } else { all };
        // Properties that are set already, and the class's own, more often than those of all
        // classes.
        let property = random.choice(&all)?;
        if self.is_left_out(class, &property.name) {
            return None;
        }
        let at = format!("{path}:{}", property.name);
        let about = format!("{}.{}", property.class.as_deref().unwrap_or("script"), property.name);
        let paths: Vec<String> =
            self.scene.nodes.iter().map(|node| relative(path, &node.path)).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let value = self.value(random, property, &paths)?;
        if let Some(class) = value.ours.get("new").filter(|_| random.bool()) {
            let of = |value: &Json| json!({"op": "add-resource", "at": at, "type": class, "properties": value["properties"]});
            return Some(Chosen::new(
                of(&value.ours),
                of(&value.engine),
                format!("add-resource {about}"),
            ));
        }
        if let Some(file) = value.ours.get("load").filter(|_| random.bool()) {
            let operation = json!({"op": "load-resource", "at": at, "path": file});
            return Some(Chosen::same(operation, format!("load-resource {about}")));
        }
        Some(Chosen::set(&at, value, &format!("set {about}")))
    }

    fn is_left_out(&self, class: &str, key: &str) -> bool {
        known::is_left_out(self.project.classes(), class, key)
    }

    fn value(&self, random: &mut Rng, property: &PropertyInfo, nodes: &[&str]) -> Option<Both> {
        let classes = self.project.classes();
        let type_name = &property.type_name;
        if property.class.is_none() && classes.inherits(type_name, "Node") {
            // A node of that type.
            let of_type = self.scene.nodes.iter().zip(nodes);
            let of_type =
                of_type.filter(|(node, _)| classes.inherits(&node.object.class, type_name));
            let paths: Vec<&str> = of_type.map(|(_, path)| *path).collect();
            let path = random.choice(paths)?;
            return Some(Both {
                ours: json!(path),
                engine: json!({"godot": format!("NodePath(\"{path}\")")}),
            });
        }
        let script = self.project.scripts().class(type_name);
        if script.is_some() {
            return Some(Both {
                ours: json!({"new": type_name, "properties": {}}),
                engine: json!({"new": type_name, "properties": {}}),
            });
        }
        value(random, self.project, property, nodes)
    }

    fn add(&self, random: &mut Rng) -> Option<Chosen> {
        let classes = self.project.classes();
        let mut all: Vec<&str> = classes
            .class_names()
            .filter(|name| classes.inherits(name, "Node"))
            .filter(|name| {
                classes
                    .class(name)
                    .is_some_and(|class| class.is_instantiable() && !class.is_editor_only())
            })
            .collect();
        all.sort_unstable();
        all.retain(|name| !known::is_class_left_out(name));
        let class = random.choice(all)?;
        let (ours, engine) = values::some_properties(random, self.project, class, 3);
        let mut chosen =
            self.new_node(random, json!({"op": "add", "type": class}), &format!("add {class}"))?;
        if !ours.is_empty() {
            chosen.ours.insert("properties".to_owned(), Json::Object(ours));
            chosen.engine.insert("properties".to_owned(), Json::Object(engine));
        }
        Some(chosen)
    }

    fn instance(&self, random: &mut Rng) -> Option<Chosen> {
        let mut all: Vec<&str> = self
            .project
            .files()
            .map(|file| self.project.path(file))
            .filter(|path| path.ends_with(".tscn") && *path != self.scene.path)
            .collect();
        all.sort_unstable();
        let inner = random.choice(all)?;
        self.new_node(random, json!({"op": "instance", "scene": inner}), "instance")
    }

    /// The place and the contents of a new node.
    fn new_node(&self, random: &mut Rng, mut operation: Json, about: &str) -> Option<Chosen> {
        let parent = &self.scene.nodes[random.usize(0..self.scene.nodes.len())];
        if self.has_tabs(parent) || parent.is_instance && random.u32(0..3) != 0 {
            return None;
        }
        let children: Vec<&str> = self
            .scene
            .nodes
            .iter()
            .filter_map(|node| child_name(&parent.path, &node.path))
            .collect();
        let name = match random.u32(0..4) {
            0 => random.choice(&children).copied().unwrap_or("Node9"),
            _ => random.choice(["New", "Thing", "Node2D", "Enemy07", "With Space", "Ünï"])?,
        };
        operation["node"] = match parent.path.as_str() {
            "." => json!(name),
            parent => json!(format!("{parent}/{name}")),
        };
        // Instances have children that are not listed.
        match random.u32(0..6) {
            0 if !parent.is_instance => operation["before"] = json!(random.choice(&children)?),
            1 if !parent.is_instance => operation["after"] = json!(random.choice(&children)?),
            2 => {
                let most = if parent.is_instance { 0 } else { children.len() };
                operation["index"] = json!(random.usize(0..=most));
            }
            _ => {}
        }
        if random.u32(0..6) == 0 {
            operation["groups"] = json!(["zeta", "alpha group", "beta"]);
        }
        if random.u32(0..8) == 0 {
            operation["unique_name"] = json!(true);
        }
        Some(Chosen::same(operation, about.to_owned()))
    }

    fn remove(&self, random: &mut Rng) -> Option<Chosen> {
        let node = &self.scene.nodes[random.usize(0..self.scene.nodes.len())];
        let parent = node.path.rsplit_once('/').map_or(".", |(parent, _)| parent);
        let parent = self.scene.nodes.iter().find(|node| node.path == parent)?;
        if self.has_tabs(parent) {
            return None;
        }
        let operation = json!({"op": "remove", "node": node.path});
        (node.is_own && node.path != ".").then(|| Chosen::same(operation, "remove".to_owned()))
    }

    /// Whether Godot writes into each child which tab it is, and hides it.
    fn has_tabs(&self, parent: &NodeInfo) -> bool {
        self.project.classes().inherits(&parent.object.class, "TabContainer")
    }

    fn connect(&self, random: &mut Rng) -> Option<Chosen> {
        let nodes = &self.scene.nodes;
        let (from, to) =
            (&nodes[random.usize(0..nodes.len())], &nodes[random.usize(0..nodes.len())]);
        let mut signals: Vec<&str> = self
            .project
            .classes()
            .lineage(&from.object.class)
            .flat_map(|class| class.signal_names().collect::<Vec<_>>())
            .collect();
        signals.retain(|signal| !known::EMITTED.contains(signal));
        signals.sort_unstable();
        let signal = random.choice(signals)?;
        let method = self.method(random, &to.object)?;
        let mut ours = json!({"op": "connect", "signal": signal, "from": from.path, "to": to.path, "method": method});
        let mut engine = ours.clone();
        match random.u32(0..6) {
            0 => {
                ours["binds"] = json!([1, {"godot": "Vector2(1, 2)"}, "x"]);
                engine["binds"] =
                    json!([{"godot": "1"}, {"godot": "Vector2(1, 2)"}, {"godot": "\"x\""}]);
            }
            1 => {
                ours["unbinds"] = json!(1);
                engine["unbinds"] = json!(1);
            }
            2 => {
                let flags = random.choice([3, 6, 7, 2])?;
                ours["flags"] = json!(flags);
                engine["flags"] = json!(flags);
            }
            _ => {}
        }
        Some(Chosen::new(ours, engine, "connect".to_owned()))
    }

    /// One of its script, or of all nodes.
    fn method(&self, random: &mut Rng, object: &ObjectInfo) -> Option<String> {
        let script = object.script.as_ref().and_then(|path| self.project.file(path));
        let script = script.and_then(|file| self.project.scripts().script(file));
        let own = script.into_iter().flat_map(|script| &script.functions);
        let own = own.map(|function| function.name.clone());
        random.choice(
            own.chain(["queue_free".to_owned(), "add_child".to_owned()]).collect::<Vec<_>>(),
        )
    }

    fn disconnect(&self, random: &mut Rng) -> Option<Chosen> {
        let [signal, from, to, method] = random.choice(&self.scene.connections)?;
        let operation =
            json!({"op": "disconnect", "signal": signal, "from": from, "to": to, "method": method});
        Some(Chosen::same(operation, "disconnect".to_owned()))
    }

    fn script(&self, random: &mut Rng, node: &NodeInfo) -> Option<Chosen> {
        if node.object.script.is_some() && random.bool() {
            let operation = json!({"op": "detach", "node": node.path});
            return Some(Chosen::same(operation, "detach".to_owned()));
        }
        let mut all: Vec<&str> = self
            .project
            .files()
            .map(|file| self.project.path(file))
            .filter(|path| path.ends_with(".gd"))
            .collect();
        all.sort_unstable();
        let script = random.choice(all)?;
        if script.starts_with("res://tools/") {
            return None;
        }
        let operation = json!({"op": "attach", "node": node.path, "script": script});
        Some(Chosen::same(operation, "attach".to_owned()))
    }

    fn editable(&self, random: &mut Rng) -> Option<Chosen> {
        let instances: Vec<&NodeInfo> =
            self.scene.nodes.iter().filter(|node| node.is_instance).collect();
        let node = random.choice(instances)?;
        let on = !self.scene.editables.contains(&node.path);
        Some(Chosen::same(
            json!({"op": "editable", "node": node.path, "on": on}),
            format!("editable {on}"),
        ))
    }

    fn new_file(&self, random: &mut Rng) -> Option<Chosen> {
        if random.u32(0..3) == 0 && self.scene.is_scene {
            let operation = json!({
                "op": "new", "file": "res://made_new.tscn", "inherits": self.scene.path, "name": "Heir"
            });
            return Some(Chosen::same(operation, "new inherits".to_owned()));
        }
        let classes = self.project.classes();
        let base = if random.bool() { "Node" } else { "Resource" };
        let mut all = values::concrete(self.project, "Resource");
        if base == "Node" {
            all = classes.class_names().filter(|name| classes.inherits(name, "Node")).collect();
            all.retain(|name| {
                classes
                    .class(name)
                    .is_some_and(|class| class.is_instantiable() && !class.is_editor_only())
            });
            all.sort_unstable();
        }
        all.retain(|name| !known::is_class_left_out(name));
        let class = random.choice(all)?;
        let (ours, engine) = values::some_properties(random, self.project, class, 3);
        let of = |properties| {
            let mut operation = json!({
                "op": "new", "file": "res://made_new.tres", "type": class, "properties": properties
            });
            if base == "Node" {
                operation["file"] = json!("res://made_new.tscn");
                operation["name"] = json!("Root");
            }
            operation
        };
        Some(Chosen::new(of(ours), of(engine), format!("new {class}")))
    }
}

impl Chosen {
    fn new(ours: Json, engine: Json, about: String) -> Self {
        let object = |json| match json {
            Json::Object(object) => object,
            _ => unreachable!("an operation is an object"),
        };
        Self { ours: object(ours), engine: object(engine), about }
    }

    fn same(operation: Json, about: String) -> Self {
        Self::new(operation.clone(), operation, about)
    }

    fn set(at: &str, value: Both, about: &str) -> Self {
        let of = |value: Json| json!({"op": "set", "at": at, "value": value});
        Self::new(of(value.ours), of(value.engine), about.to_owned())
    }
}

fn group(random: &mut Rng, node: &NodeInfo) -> Option<Chosen> {
    let operation = match random.choice(&node.groups) {
        Some(group) if random.bool() => {
            json!({"op": "group", "node": node.path, "remove": [group]})
        }
        _ => {
            json!({"op": "group", "node": node.path, "add": [random.choice(["zoo", "alpha", "b c", "enemies"])?]})
        }
    };
    Some(Chosen::same(operation, "group".to_owned()))
}

/// The path of a node as seen from another.
fn relative(from: &str, to: &str) -> String {
    let names = |path: &str| -> Vec<String> {
        path.split('/').filter(|name| *name != ".").map(str::to_owned).collect()
    };
    let (from, to) = (names(from), names(to));
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..", from.len() - common);
    let path: Vec<&str> = up.chain(to[common..].iter().map(String::as_str)).collect();
    if path.is_empty() { ".".to_owned() } else { path.join("/") }
}

/// The name of a node right below another.
fn child_name<'p>(parent: &str, path: &'p str) -> Option<&'p str> {
    let rest = match parent {
        "." => path,
        parent => path.strip_prefix(parent)?.strip_prefix('/')?,
    };
    (!rest.contains('/') && rest != ".").then_some(rest)
}
