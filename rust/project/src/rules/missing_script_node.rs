//! SCR003

use tscn::{Reporter, Span, quote};

use crate::lint::ScriptContext;
use crate::project::{FileId, Project};
use crate::rules::declare_rule;
use crate::scripts::source::{ScriptSource, StringPlace};
use crate::tree::{NodeInTree, NodeLookup};

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports `$A/B`, `%Name` and `get_node("A/B")` in a script in GDScript, if no node is there in any scene that has a node
    /// with the script or one that extends it, wherever these scenes are instanced and inherited. Left alone are names that
    /// something in the project may give to a node while the game runs: names in texts of scripts, roots of scenes, and
    /// numbered copies of both; scripts that something loads or makes with `new`; and paths that lead above the root of a scene
    /// or into what is not known.
    ///
    /// ## Why is this bad?
    /// The script gets null, and what it does with that stops its function. Mostly a node was renamed or moved.
    ///
    /// ## Example
    /// ```gdscript
    /// extends Node2D
    ///
    /// @onready var hand: Node2D = $Arm/Hnad
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// extends Node2D
    ///
    /// @onready var hand: Node2D = $Arm/Hand
    /// ```
    ///
    /// ## References
    /// `Node::get_node` (scene/main/node.cpp), `GDScriptCompiler::_parse_expression` (modules/gdscript/gdscript_compiler.cpp)
    "SCR003", "missing-script-node", Warning
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    let Some(file) = context.file else { return };
    if !context.mentions(&["$", "%", "get_node"]) {
        return;
    }
    let places = context.project.script_places().of(file);
    let Some(source) = context.source().filter(|_| !places.is_empty()) else { return };
    let paths = paths(source);
    // Where the nodes are is only looked up for scripts with paths.
    let Some(nodes) = (!paths.is_empty()).then(|| nodes(context.project, file)).flatten() else {
        return;
    };
    for (span, path) in paths {
        report(context, &nodes, (span, path), reporter);
    }
}

/// The paths that start at the node that runs the script.
fn paths<'s>(source: &'s ScriptSource<'_>) -> Vec<(Span, &'s str)> {
    let is_inner =
        |span: Span| source.classes().iter().skip(1).any(|found| found.span.contains(span));
    let mut found = Vec::new();
    for path in source.node_paths().iter().filter(|path| path.is_certain) {
        found.extend(path.text.as_deref().map(|text| (path.span, text)));
    }
    for literal in source.strings().iter().filter(|literal| literal.is_certain) {
        let StringPlace::Argument { function, receiver, index: 0 } = &literal.place else {
            continue;
        };
        let is_own = receiver.is_none_or(|receiver| source.text_of(receiver) == "self");
        if is_own && source.text_of(*function) == "get_node" {
            found.extend(literal.text.as_deref().map(|text| (literal.span, text)));
        }
    }
    found.retain(|(span, path)| is_judged(path) && !is_inner(*span));
    found.sort_by_key(|(span, _)| span.start);
    found
}

/// Whether it can be told where a path leads: not from the root of the running game, and not by names that Godot makes up.
fn is_judged(path: &str) -> bool {
    let is_made_up = |name: &str| name.starts_with(['@', '_']);
    !path.is_empty() && !path.starts_with(['/', ':']) && !path.split('/').any(is_made_up)
}

/// The nodes that run a script; nothing if not all are known.
fn nodes(project: &Project, file: FileId) -> Option<Vec<(FileId, NodeInTree)>> {
    let made = project.made_nodes();
    let heirs = project.script_places().with_heirs(file);
    if heirs.iter().any(|heir| made.may_make_object_of(project, *heir)) {
        return None;
    }
    let mut nodes = Vec::new();
    for (scene, path) in project.script_places().everywhere(project, file)? {
        let root = NodeInTree::root(project, project.tree(scene)?);
        match root.find(project, &path) {
            NodeLookup::Node(node) => nodes.push((scene, node)),
            NodeLookup::Unknown => return None,
            // It was taken out where the scene is used.
            NodeLookup::Missing => {}
        }
    }
    Some(nodes)
}

fn report(
    context: &ScriptContext<'_>,
    nodes: &[(FileId, NodeInTree)],
    (span, path): (Span, &str),
    reporter: &mut Reporter<'_>,
) {
    let project = context.project;
    let mut lack: Option<Lack> = None;
    for (_, node) in nodes {
        let Some(found) = lacking(project, node, path) else { return };
        lack.get_or_insert(found);
    }
    let (Some(lack), Some((scene, _))) = (lack, nodes.first()) else { return };
    let scene_path = project.path(*scene);
    let others = nodes.iter().filter(|(other, _)| other != scene);
    let mut others: Vec<FileId> = others.map(|(other, _)| *other).collect();
    others.dedup();
    let nor = match others.len() {
        0 => String::new(),
        1 => format!(", nor in {}", quote(project.path(others[0]).as_bytes())),
        count => format!(", nor in {count} other scenes with the script"),
    };
    let (path, scene) = (quote(path.as_bytes()), quote(scene_path.as_bytes()));
    let diagnostic = reporter.report(span, format!("node {path} not found in {scene}{nor}"));
    diagnostic.consequence("the script gets null");
    if context.suggestions.spend() {
        let children: Vec<&str> = lack.parent.children().collect();
        let name = lack.name.trim_start_matches('%').as_bytes();
        let near = tscn::nearest(name, children.iter().map(|child| child.as_bytes()));
        if let Some(near) = near {
            diagnostic.help(format!("did you mean {}?", quote(near)));
        }
    }
}

/// What is not there on the way along a path.
struct Lack {
    parent: NodeInTree,
    name: String,
}

/// What is not there, if the node at a path is certainly not there and nothing may put it there.
fn lacking(project: &Project, from: &NodeInTree, path: &str) -> Option<Lack> {
    let mut parent = from.clone();
    for name in path.split(':').next()?.split('/').filter(|name| !matches!(*name, "" | ".")) {
        match parent.find(project, name) {
            NodeLookup::Node(next) => parent = next,
            NodeLookup::Unknown => return None,
            NodeLookup::Missing => {
                let made = project.made_nodes();
                let may_be_made = made.may_make(project, name.trim_start_matches('%'))
                    || is_foreign(project, &parent);
                return (!may_be_made).then(|| Lack { parent, name: name.to_owned() });
            }
        }
    }
    None
}

/// Whether the node is of a class that is not Godot's own, which may make children.
fn is_foreign(project: &Project, node: &NodeInTree) -> bool {
    node.node().class().is_none_or(|class| project.classes().class(class).is_none())
}
