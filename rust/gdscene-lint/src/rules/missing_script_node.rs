//! SCR003

use std::collections::BTreeSet;

use godot_project::script::source::{ScriptSource, StringPlace, possible_node_paths};
use godot_project::{FileId, NodeInTree, NodeLookup, Project};
use godot_tscn::{Reporter, Span, quote};
use hashbrown::HashMap;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports `$A/B`, `%Name` and `get_node("A/B")` in a GDScript file if the node does not exist in any scene that
    /// has a node with this script or a script that extends it. The rule follows these scenes to wherever they are
    /// instanced and inherited.
    ///
    /// It ignores:
    /// - names that something in the project may give to a node while the game runs: names in strings of scripts, roots
    ///   of scenes, and numbered copies of both
    /// - scripts that something loads or instantiates with `new`
    /// - paths that lead above the root of a scene or into unknown content
    ///
    /// ## Why is this bad?
    /// The script gets null, and the function stops when it uses the null value. Usually a node was renamed or moved.
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
    let project = context.project;
    if project.script_places().of(file).is_empty() || finds_all(project, file, context.text) {
        return;
    }
    let paths = context.source().map(paths).unwrap_or_default();
    // Where the nodes are is only looked up for scripts with paths.
    let Some(nodes) = (!paths.is_empty()).then(|| nodes(project, file)).flatten() else { return };
    let mut lacks = HashMap::new();
    for (span, path) in paths {
        let lack = lacks.entry(path).or_insert_with(|| lack_everywhere(project, &nodes, path));
        if let Some(lack) = lack {
            report(context, &nodes, (span, path, lack), reporter);
        }
    }
}

/// Whether each path that the script may have, by its words, leads to a node of the first scene with it. Then it need not be
/// parsed, which most scripts are spared so.
fn finds_all(project: &Project, file: FileId, text: &[u8]) -> bool {
    let possible = str::from_utf8(text).ok().and_then(possible_node_paths);
    let Some(possible) = possible else { return false };
    let judged = judged_parts(&possible);
    let is_found = |node: &NodeInTree, path: &&str| lack_at(project, node, path).is_none();
    judged.is_empty()
        || first_node(project, file)
            .is_some_and(|node| judged.iter().all(|path| is_found(&node, path)))
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

/// Whether the target of a path can be determined: not from the root of the running game, and not by names that Godot
/// generates.
fn is_judged(path: &str) -> bool {
    !path.is_empty() && !path.starts_with(['/', ':']) && !path.split('/').any(is_made_up)
}

/// The checked part of paths, which may be longer than the script's: up to a name that Godot
/// generates.
fn judged_parts(paths: &BTreeSet<String>) -> Vec<&str> {
    let judged_length = |path: &str| -> usize {
        path.split_inclusive('/').take_while(|name| !is_made_up(name)).map(str::len).sum()
    };
    let parts = paths.iter().map(|path| &path[..judged_length(path)]);
    parts.filter(|path| is_judged(path)).collect()
}

fn is_made_up(name: &str) -> bool {
    name.starts_with(['@', '_'])
}

/// One of the nodes that run a script, in the scene that gives it to them.
fn first_node(project: &Project, file: FileId) -> Option<NodeInTree> {
    let (scene, tag) = project.script_places().of(file).first()?;
    let tree = project.tree(*scene)?;
    NodeInTree::root(project, tree).find(project, &tree.path_of_tag(*tag)?).place()
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
    (span, path, lack): (Span, &str, &Lack),
    reporter: &mut Reporter<'_>,
) {
    let project = context.project;
    let Some((scene, _)) = nodes.first() else { return };
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
        let near = godot_tscn::nearest(name, children.iter().map(|child| child.as_bytes()));
        if let Some(near) = near {
            diagnostic.help(format!("did you mean {}?", quote(near)));
        }
    }
}

/// The missing part of a path.
struct Lack {
    parent: NodeInTree,
    name: String,
}

/// The missing part for the first of the nodes, if the path leads to a node for none of them.
fn lack_everywhere(project: &Project, nodes: &[(FileId, NodeInTree)], path: &str) -> Option<Lack> {
    let mut first = None;
    for (_, node) in nodes {
        let found = lack_at(project, node, path)?;
        first.get_or_insert(found);
    }
    first
}

/// The missing part, if the node at a path certainly does not exist and nothing may add it.
fn lack_at(project: &Project, from: &NodeInTree, path: &str) -> Option<Lack> {
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

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::{env, fs};

    use godot_project::WalkPolicy;
    use godot_project::script::source::{ScriptSource, possible_node_paths};

    use super::{judged_parts, paths};

    /// The number of the paths of a script that its text alone must give.
    #[track_caller]
    fn check(text: &str) -> usize {
        let Some(source) = ScriptSource::parse(text.as_bytes()) else { return 0 };
        let Some(possible) = possible_node_paths(text) else { return 0 };
        let possible = judged_parts(&possible);
        let paths = paths(&source);
        for (span, path) in &paths {
            let is_here = |longer: &&str| {
                let rest = longer.strip_prefix(path);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            assert!(
                possible.iter().any(is_here),
                "{path} at {span:?}, not in {possible:?}, of\n{text}"
            );
        }
        paths.len()
    }

    /// The scripts of this repository, and the same with a few letters of each lost, doubled or put in. `SCRIPTS=folder:folder`
    /// (`;` on Windows) tries those of other projects, too.
    #[test]
    fn all_paths_are_possible_ones() {
        let (mut random, mut count) = (fastrand::Rng::with_seed(3), 0);
        let others = env::var_os("SCRIPTS");
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let own =
            ["godot_project", "addons", "rust/gdscene-lint/tests", "rust/gdscene-refactor/tests"]
                .map(|name| own.join(name));
        for folder in own.into_iter().chain(others.iter().flat_map(env::split_paths)) {
            for file in godot_project::walk(&folder, WalkPolicy::Untrusted).unwrap().files {
                let Ok(text) = fs::read_to_string(folder.join(&file.path)) else { continue };
                if file.path.extension() != Some("gd".as_ref()) || !text.contains(['$', '%']) {
                    continue;
                }
                let own = check(&text);
                let rounds = if own == 0 { 1 } else { 40_000 / text.len().max(500) };
                let of_changed = (0..rounds).map(|_| check(&changed(&text, &mut random)));
                count += own + of_changed.sum::<usize>();
            }
        }
        println!("{count} paths");
        assert!(count > 500, "only {count} paths");
    }

    fn changed(text: &str, random: &mut fastrand::Rng) -> String {
        let mut letters: Vec<char> = text.chars().collect();
        let marks: Vec<usize> =
            (0..letters.len()).filter(|at| "$%/\"".contains(letters[*at])).collect();
        for mark in marks.iter().rev() {
            if random.u8(..4) != 0 {
                continue;
            }
            let at = (mark + random.usize(..4)).min(letters.len() - 1);
            match random.u8(..3) {
                0 => drop(letters.remove(at)),
                1 => letters.insert(at, letters[at]),
                _ => letters.insert(at, char::from(random.choice(*b" \t\n\\/%$#\"_a.(9").unwrap())),
            }
        }
        letters.into_iter().collect()
    }
}
