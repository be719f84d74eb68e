//! One refactoring with its arguments, its inverse, and similar ones that must be refused.

use gdscene_refactor::{
    RefactorError, move_files, move_node, rename_class, rename_method, rename_node,
    rename_property, rename_signal,
};
use godot_project::{FileId, Plan, Project};

/// The kinds of steps.
pub(crate) const KINDS: [&str; 7] =
    ["class", "method", "move-node", "mv", "node", "property", "signal"];

/// A refactoring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Property {
        script: String,
        old: String,
        new: String,
    },
    Method {
        script: String,
        old: String,
        new: String,
    },
    Signal {
        script: String,
        old: String,
        new: String,
    },
    Class {
        old: String,
        new: String,
    },
    /// A node of a scene, the path of its parent, which is empty for the root, and its names.
    Node {
        scene: String,
        parent: String,
        old: String,
        new: String,
    },
    /// A node, the paths of its parents, and its place among their children.
    MoveNode {
        scene: String,
        name: String,
        from: (String, usize),
        to: (String, usize),
    },
    Move {
        from: String,
        to: String,
    },
}

impl Step {
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Property { .. } => "property",
            Self::Method { .. } => "method",
            Self::Signal { .. } => "signal",
            Self::Class { .. } => "class",
            Self::Node { .. } => "node",
            Self::MoveNode { .. } => "move-node",
            Self::Move { .. } => "mv",
        }
    }

    pub(crate) fn plan(&self, project: &Project) -> Result<Plan, RefactorError> {
        match self {
            Self::Property { script, old, new } => rename_property(project, script, old, new),
            Self::Method { script, old, new } => rename_method(project, script, old, new),
            Self::Signal { script, old, new } => rename_signal(project, script, old, new),
            Self::Class { old, new } => rename_class(project, old, new),
            Self::Node { scene, parent, old, new } => {
                rename_node(project, scene, &below(parent, old), new)
            }
            Self::MoveNode { scene, name, from, to } => {
                move_node(project, scene, &below(&from.0, name), &to.0, Some(to.1))
            }
            Self::Move { from, to } => move_files(project, from, to),
        }
    }

    /// Its inverse.
    pub(crate) fn back(&self) -> Self {
        let mut back = self.clone();
        match &mut back {
            Self::Property { old, new, .. }
            | Self::Method { old, new, .. }
            | Self::Signal { old, new, .. }
            | Self::Class { old, new }
            | Self::Node { old, new, .. } => std::mem::swap(old, new),
            Self::MoveNode { from, to, .. } => std::mem::swap(from, to),
            Self::Move { from, to } => std::mem::swap(from, to),
        }
        back
    }

    /// Similar steps that are impossible.
    pub(crate) fn wrong(&self) -> Vec<Self> {
        let with = |name: &str| {
            let mut wrong = self.clone();
            match &mut wrong {
                Self::Property { new, .. }
                | Self::Method { new, .. }
                | Self::Signal { new, .. }
                | Self::Class { new, .. }
                | Self::Node { new, .. } => {
                    *new = name.to_owned();
                }
                Self::MoveNode { from, to, name: own, .. } => to.0 = below(&from.0, own),
                Self::Move { to, .. } => *to = format!("res://{name}"),
            }
            wrong
        };
        match self {
            Self::Move { .. } => vec![with("project.godot"), with("a:b.gd"), with("../a.gd")],
            Self::MoveNode { .. } => vec![with("")],
            Self::Node { .. } => vec![with("a/b"), with("")],
            Self::Class { .. } => vec![with("Node2D"), with("1a")],
            _ => vec![with("get_class"), with("func"), with("a b")],
        }
    }

    /// Whether neither changes the arguments of the other: the names and paths.
    pub(crate) fn is_independent_of(&self, other: &Self) -> bool {
        let touches = |one: &Self, other: &Self| {
            let arguments = format!("{other:?}");
            match one {
                Self::Move { from, .. } => arguments.contains(from.as_str()),
                Self::Node { old, .. } => arguments.contains(old.as_str()),
                // The order of nodes changes, too.
                Self::MoveNode { scene, name, .. } => {
                    other.is_of_scene(scene) || arguments.contains(name.as_str())
                }
                _ => one == other,
            }
        };
        !touches(self, other) && !touches(other, self)
    }

    fn is_of_scene(&self, wanted: &str) -> bool {
        matches!(self, Self::Node { scene, .. } | Self::MoveNode { scene, .. } if scene == wanted)
    }
}

fn below(parent: &str, name: &str) -> String {
    match parent {
        "" => ".".to_owned(),
        "." => name.to_owned(),
        parent => format!("{parent}/{name}"),
    }
}

/// All that can be renamed or moved in a project. New names are new.
pub(crate) fn all_steps(project: &Project) -> Vec<Step> {
    let mut steps = Vec::new();
    for file in project.files() {
        let path = project.path(file);
        if path != "res://project.godot" && !path.ends_with(".uid") {
            steps.extend(moves_of(path));
        }
        let Some(script) = project.scripts().script(file) else { continue };
        let names = |name: &str| (path.to_owned(), name.to_owned(), format!("{name}_zq"));
        for variable in &script.variables {
            let (script, old, new) = names(&variable.name);
            steps.push(Step::Property { script, old, new });
        }
        for function in script.functions.iter().filter(|function| !function.name.starts_with('_')) {
            let (script, old, new) = names(&function.name);
            steps.push(Step::Method { script, old, new });
        }
        for signal in &script.signals {
            let (script, old, new) = names(&signal.name);
            steps.push(Step::Signal { script, old, new });
        }
        let class = script.class_name.iter();
        steps.extend(class.map(|old| Step::Class { old: old.clone(), new: format!("{old}Zq") }));
    }
    for file in project.text_files() {
        steps.extend(nodes_of(project, file));
    }
    steps
}

/// Into another folder, to another name, and the folder itself.
fn moves_of(path: &str) -> Vec<Step> {
    let Some((folder, name)) = path.rsplit_once('/') else { return Vec::new() };
    let mut steps = vec![
        Step::Move { from: path.to_owned(), to: format!("{folder}/zq_{name}") },
        Step::Move { from: path.to_owned(), to: format!("res://zq/deep/{name}") },
    ];
    if folder != "res:/" {
        steps.push(Step::Move { from: folder.to_owned(), to: format!("{folder}_zq") });
    }
    steps
}

fn nodes_of(project: &Project, file: FileId) -> Vec<Step> {
    let scene = project.path(file).to_owned();
    let text = project.read(file).unwrap();
    let nodes = own_nodes(&String::from_utf8_lossy(&text));
    let mut steps = Vec::new();
    for (parent, name) in &nodes {
        let (parent, old, new) = (parent.clone(), name.clone(), format!("{name}Zq"));
        steps.push(Step::Node { scene: scene.clone(), parent, old, new });
    }
    // An instance has nodes that are not counted here.
    let paths: Vec<String> = nodes.iter().map(|(parent, name)| below(parent, name)).collect();
    let parents: Vec<&String> = paths.iter().filter(|path| !path.starts_with("Inner")).collect();
    let children = |wanted: &str| -> Vec<&String> {
        let found = nodes.iter().filter(|(parent, _)| parent == wanted);
        found.map(|(_, name)| name).collect()
    };
    for (parent, name) in nodes.iter().filter(|(parent, _)| parents.contains(&parent)) {
        let place = children(parent).iter().position(|other| *other == name).unwrap_or_default();
        let path = below(parent, name);
        for to in &parents {
            if *to == parent || **to == path || to.starts_with(&format!("{path}/")) {
                continue;
            }
            let (from, to) = ((parent.clone(), place), ((*to).clone(), children(to).len()));
            steps.push(Step::MoveNode { scene: scene.clone(), name: name.clone(), from, to });
        }
    }
    steps
}

/// The nodes that a scene makes or instances itself: the path of the parent, and the name.
fn own_nodes(text: &str) -> Vec<(String, String)> {
    let field = |line: &str, name: &str| {
        let value = line.split(&format!(" {name}=\"")).nth(1)?;
        Some(value.split('"').next()?.to_owned())
    };
    let tags = text.lines().filter(|line| line.starts_with("[node "));
    let own = tags.filter(|line| line.contains(" type=") || line.contains(" instance="));
    let node = |line: &str| Some((field(line, "parent").unwrap_or_default(), field(line, "name")?));
    own.filter_map(node).collect()
}
