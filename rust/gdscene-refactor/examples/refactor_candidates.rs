//! Chooses things in a project that can be refactored, and prints the commands that do it.
//!
//! ```text
//! cargo run --release -p gdscene-refactor --example refactor_candidates -- FOLDER KIND COUNT SEED
//! ```
//! KIND is a command of `gdscene`, or `prune-inside`. Each line has, between tabs: the number of files that would change, the
//! number of doubtful places, the change as JSON (for `godot_project/tools/dump_refactored.gd`), and the arguments of `gdscene`.
//! Nothing is written; the same seed gives the same lines, which do not touch each other's scenes and files.
//! `scripts/test/project/refactorings.sh` lets Godot load the project before and after.

use std::collections::BTreeSet;
use std::env;

use fastrand::Rng;
use gdscene_refactor::{
    PruneOptions, RefactorError, dedupe, extract, inline, move_files, move_node, prune,
    prune_inside, rename_class, rename_method, rename_node, rename_property, rename_signal,
    upgrade,
};
use godot_project::{FileId, Plan, Project};
use godot_tscn::{GodotVersion, Section, Span, TagKind};
use serde_json::{Map, Value, json};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, kind, count, seed] = arguments.as_slice() else {
        panic!("wanted: FOLDER KIND COUNT SEED");
    };
    let project = Project::open(folder).expect("a project");
    let count: usize = count.parse().expect("a number");
    let mut random = Rng::with_seed(seed.parse().expect("a number"));
    let mut candidates = candidates(&project, kind, &mut random);
    random.shuffle(&mut candidates);
    let mut touched = BTreeSet::new();
    let mut number = 0;
    for candidate in candidates {
        if number == count {
            break;
        }
        if candidate.apart.iter().any(|path| overlaps(&touched, path)) {
            continue;
        }
        let candidate = candidate.numbered(number + 1);
        let Ok(plan) = candidate.plan(&project) else { continue };
        if plan.is_empty() {
            continue;
        }
        number += 1;
        touched.extend(candidate.apart.iter().cloned());
        let doubts = doubts(&project, &plan);
        let (files, count) = (plan.file_count(), doubts.len());
        let arguments = candidate.command.join("\t");
        println!("{files}\t{count}\t{}\t{arguments}", candidate.change(&plan, &doubts));
    }
}

/// Whether one of the paths is this one, or a folder around it, or below it.
fn overlaps(touched: &BTreeSet<String>, path: &str) -> bool {
    let is_below = |one: &str, other: &str| {
        one.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    touched.iter().any(|known| is_below(known, path) || is_below(path, known))
}

/// The doubts of a plan, with the subject of each: `godot_project/tools/refactored_doubts.gd` compares it with the
/// differences.
fn doubts(project: &Project, plan: &Plan) -> Vec<Value> {
    // The doubt that Godot must scan the project again is about its files in `.godot`: it does so before it loads.
    let doubts = plan.doubts.iter().filter(|doubt| !doubt.path.starts_with("res://.godot/"));
    let told = doubts.map(|doubt| {
        let span = [doubt.span.start, doubt.span.end];
        let mut told =
            json!({"path": doubt.path, "line": doubt.line, "span": span, "what": doubt.what});
        let text = project.file(&doubt.path).and_then(|file| project.read(file).ok());
        let text = text.filter(|_| doubt.span != Span::default()).unwrap_or_default();
        // Without a text, it is about the whole file.
        if !text.is_empty() {
            told["text"] = json!(String::from_utf8_lossy(doubt.span.of(&text)));
            if doubt.path.ends_with(".tscn") || doubt.path.ends_with(".tres") {
                let (object, property) = object_at(&text, doubt.span);
                told["object"] = json!(object);
                told["property"] = json!(property);
            }
        }
        told
    });
    told.collect()
}

/// The object around a place in the text of a scene or resource, and its property or signal there.
fn object_at(text: &[u8], place: Span) -> (String, String) {
    let document = godot_tscn::parse(text);
    let Some(section) = document.section_at(place.start) else { return Default::default() };
    let mut properties = section.properties();
    let property = properties
        .find(|it| it.key_span().start <= place.start && place.end <= it.value_span().end);
    let property =
        property.map(|property| String::from_utf8_lossy(&property.engine_key()).into_owned());
    match section.kind() {
        TagKind::Node => {
            let path = field(section, "parent").map_or(".".to_owned(), |parent| {
                path_of(&(parent, field(section, "name").unwrap_or_default()))
            });
            (path, property.unwrap_or("node".to_owned()))
        }
        TagKind::Connection => {
            let signal = field(section, "signal").unwrap_or_default();
            (field(section, "from").unwrap_or_default(), format!("signal {signal}"))
        }
        TagKind::SubResource | TagKind::Resource => {
            ("sub_resource".to_owned(), property.unwrap_or_default())
        }
        _ => Default::default(),
    }
}

fn field(section: Section<'_>, name: &str) -> Option<String> {
    Some(String::from_utf8_lossy(&section.field_text(name)?).into_owned())
}

/// The path of a node with this parent and this name.
fn path_of((parent, name): &(String, String)) -> String {
    match parent.as_str() {
        "." => name.clone(),
        parent => format!("{parent}/{name}"),
    }
}

/// Something that can be refactored.
struct Candidate {
    /// The arguments of `gdscene`. `{}` means the suffix that makes a new name unique in the project.
    command: Vec<String>,
    /// The change, by name.
    change: Vec<(&'static str, String)>,
    /// The scenes and files that no other candidate may have.
    apart: Vec<String>,
}

impl Candidate {
    fn new(
        command: &[&str],
        change: &[(&'static str, &str)],
        apart: impl IntoIterator<Item = String>,
    ) -> Self {
        Self {
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            change: change.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(),
            apart: apart.into_iter().collect(),
        }
    }

    fn numbered(mut self, number: usize) -> Self {
        let mark = format!("zq{number}q");
        let values = self.change.iter_mut().map(|(_, value)| value);
        for word in self.command.iter_mut().chain(values) {
            *word = word.replace("{}", &mark);
        }
        self
    }

    fn plan(&self, project: &Project) -> Result<Plan, RefactorError> {
        let command: Vec<&str> = self.command.iter().map(String::as_str).collect();
        match command[..] {
            ["rename-property", script, old, new] => rename_property(project, script, old, new),
            ["rename-method", script, old, new] => rename_method(project, script, old, new),
            ["rename-signal", script, old, new] => rename_signal(project, script, old, new),
            ["rename-class", old, new] => rename_class(project, old, new),
            ["rename-node", scene, path, new] => rename_node(project, scene, path, new),
            ["move-node", scene, path, parent] => move_node(project, scene, path, parent, None),
            ["mv", old, new] => move_files(project, old, new),
            ["extract", scene, id, new] => extract(project, scene, id, new),
            ["inline", scene, id] => inline(project, scene, id, false),
            ["inline", scene, id, "--remove"] => inline(project, scene, id, true),
            ["dedupe", scene] => dedupe(project, scene),
            ["upgrade", "--target", "4.6"] => upgrade(project, None, GodotVersion::godot4(6), &[]),
            ["prune", "--inside", "--yes"] => prune_inside(project, &[]),
            ["prune", "--yes"] => prune(project, &PruneOptions::default()),
            _ => panic!("no candidates for {command:?}"),
        }
    }

    fn change(&self, plan: &Plan, doubts: &[Value]) -> Value {
        let mut change: Map<String, Value> =
            self.change.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        let is_inside = self.command.iter().any(|word| word == "--inside");
        let kind = if is_inside { "prune-inside" } else { &self.command[0] };
        change.insert("kind".to_owned(), json!(kind));
        change.insert("gone".to_owned(), json!(plan.removals));
        let made = plan.files.iter().filter(|file| kind == "extract" && file.text().is_none());
        let made: Vec<&str> = made.map(|file| file.path.as_str()).collect();
        change.insert("made".to_owned(), json!(made));
        change.insert("doubts".to_owned(), json!(doubts));
        Value::Object(change)
    }
}

fn candidates(project: &Project, kind: &str, random: &mut Rng) -> Vec<Candidate> {
    match kind {
        "rename-property" | "rename-method" | "rename-signal" => members(project, kind),
        "rename-class" => classes(project),
        "rename-node" | "move-node" => nodes(project, kind == "move-node", random),
        "mv" => files(project, random),
        "extract" | "inline" => resources(project, kind == "inline", random),
        "dedupe" => {
            let scenes = texts(project).into_iter().map(|file| project.path(file));
            scenes
                .map(|scene| {
                    Candidate::new(&[kind, scene], &[("scene", scene)], [scene.to_owned()])
                })
                .collect()
        }
        "upgrade" => vec![Candidate::new(&[kind, "--target", "4.6"], &[], [])],
        "prune" => vec![Candidate::new(&[kind, "--yes"], &[], [])],
        "prune-inside" => vec![Candidate::new(&["prune", "--inside", "--yes"], &[], [])],
        other => panic!("no candidates for `{other}`"),
    }
}

/// The exported variables, methods or signals of all scripts.
fn members(project: &Project, kind: &str) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for file in project.files() {
        let Some(script) = project.scripts().script(file) else { continue };
        let names: Vec<&String> = match kind {
            "rename-property" => {
                let exported = script.variables.iter().filter(|variable| variable.is_exported);
                exported.map(|variable| &variable.name).collect()
            }
            "rename-method" => script.functions.iter().map(|function| &function.name).collect(),
            _ => script.signals.iter().map(|signal| &signal.name).collect(),
        };
        let path = project.path(file);
        for old in names {
            let new = format!("{old}_{{}}");
            let change = [("script", path), ("old", old.as_str()), ("new", &new)];
            candidates.push(Candidate::new(&[kind, path, old, &new], &change, []));
        }
    }
    candidates
}

fn classes(project: &Project) -> Vec<Candidate> {
    let scripts = project.scripts();
    let classes = scripts.class_names().filter_map(|name| Some((name, scripts.class(name)?)));
    let candidates = classes.map(|(old, file)| {
        let new = format!("{old}_{{}}");
        let change = [("script", project.path(file)), ("old", old), ("new", new.as_str())];
        Candidate::new(&["rename-class", old, &new], &change, [])
    });
    candidates.collect()
}

/// Scenes and resources that are texts.
fn texts(project: &Project) -> Vec<FileId> {
    let is_text = |file: &FileId| project.path(*file).ends_with(['n', 's']);
    project.text_files().into_iter().filter(is_text).collect()
}

/// The nodes that scenes make, to be renamed or to be moved to another node of theirs.
fn nodes(project: &Project, is_moved: bool, random: &mut Rng) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for file in project.text_files() {
        let Ok(text) = project.read(file) else { continue };
        let scene = project.path(file);
        let document = godot_tscn::parse(&text);
        let nodes = document.sections().filter(|section| section.kind() == TagKind::Node);
        let placed = nodes.filter_map(|node| Some((field(node, "parent")?, field(node, "name")?)));
        let placed: Vec<(String, String)> = placed.collect();
        for node in &placed {
            let (old, (parent, name)) = (path_of(node), node);
            let apart = [scene.to_owned()];
            if is_moved {
                let others = placed.iter().map(path_of).chain([".".to_owned()]);
                let Some(to) = random.choice(others.collect::<Vec<_>>()) else { continue };
                let new = path_of(&(to.clone(), name.clone()));
                let change = [("scene", scene), ("old", old.as_str()), ("new", new.as_str())];
                candidates.push(Candidate::new(&["move-node", scene, &old, &to], &change, apart));
            } else {
                let name = format!("{name}_{{}}");
                let new = path_of(&(parent.clone(), name.clone()));
                let change = [("scene", scene), ("old", old.as_str()), ("new", new.as_str())];
                let command = ["rename-node", scene, &old, &name];
                candidates.push(Candidate::new(&command, &change, apart));
            }
        }
    }
    candidates
}

/// Files that get a new name or folder, and folders.
fn files(project: &Project, random: &mut Rng) -> Vec<Candidate> {
    let mut folders = BTreeSet::new();
    let mut found = Vec::new();
    for file in project.files() {
        let path = project.path(file);
        let Some((folder, name)) = path.rsplit_once('/') else { continue };
        let is_moved_with = [".import", ".uid"].iter().any(|end| path.ends_with(end));
        if path.starts_with("res://.") || is_moved_with {
            continue;
        }
        let folder_path = folder.trim_end_matches('/');
        if folder_path != "res:" {
            folders.insert(folder.to_owned());
        }
        let new = match random.bool() {
            true => format!("res://{{}}/{name}"),
            false => format!("{folder}/{{}}_{name}"),
        };
        found.push((path.to_owned(), new));
    }
    // There are few folders, and much depends on each.
    random.shuffle(&mut found);
    found.truncate(folders.len().max(20) * 3);
    for folder in folders {
        let (parent, name) = folder.rsplit_once('/').unwrap_or_default();
        let new = match random.bool() {
            true => format!("res://{{}}/{name}"),
            false => format!("{parent}/{{}}_{name}"),
        };
        found.push((folder.clone(), new));
    }
    let candidates = found.iter().map(|(old, new)| {
        let change = [("old", old.as_str()), ("new", new.as_str())];
        Candidate::new(&["mv", old, new], &change, [old.clone()])
    });
    candidates.collect()
}

/// The resources in files that can get one of their own, or that can be put into the file that uses them.
fn resources(project: &Project, is_inlined: bool, random: &mut Rng) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for file in texts(project) {
        let Ok(text) = project.read(file) else { continue };
        let (scene, document) = (project.path(file), godot_tscn::parse(&text));
        for section in document.sections() {
            let field = |name: &str| field(section, name).unwrap_or_default();
            let (id, path) = (field("id"), field("path"));
            match section.kind() {
                TagKind::ExtResource if is_inlined && path.ends_with(".tres") => {
                    let mut command = vec!["inline", scene, &id];
                    command.extend(random.bool().then_some("--remove"));
                    let change = [("scene", scene), ("file", path.as_str())];
                    candidates.push(Candidate::new(
                        &command,
                        &change,
                        [scene.to_owned(), path.clone()],
                    ));
                }
                TagKind::SubResource if !is_inlined => {
                    let ending = match field("type").as_str() {
                        "GDScript" => "gd",
                        "Shader" => "gdshader",
                        _ => "tres",
                    };
                    let new = format!("res://{{}}.{ending}");
                    let change = [("scene", scene), ("new", new.as_str())];
                    let command = ["extract", scene, &id, &new];
                    candidates.push(Candidate::new(&command, &change, [scene.to_owned()]));
                }
                _ => {}
            }
        }
    }
    candidates
}
