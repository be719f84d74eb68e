//! A path as it is seen from a node, before and after.

use godot_project::{NodeInTree, NodeLookup};

use crate::node_change::{ChangeKind, NodeChange, Placed, Places};

/// The names on the way from the root of a scene to a node.
pub(crate) type Names = Vec<String>;

/// The new path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// It leads to the same node as it is.
    Same,
    /// This one leads there.
    New(String),
    /// It may lead to the node, which is unknown: why.
    Unclear(&'static str),
}

/// A scene's tree, in which paths are seen.
pub(super) struct View<'a, 'p> {
    change: &'a NodeChange<'p>,
    placed: Option<&'a Places>,
    root: Option<NodeInTree>,
}

/// The names of a path of names.
pub(crate) fn names_of(path: &str) -> Names {
    path.split('/').filter(|name| !matches!(*name, "" | ".")).map(str::to_owned).collect()
}

/// The path from the root that these names are.
pub(crate) fn joined(names: &[String]) -> String {
    if names.is_empty() { ".".to_owned() } else { names.join("/") }
}

/// The path of `to` as `from` sees it, as `Node::get_path_to` writes it (scene/main/node.cpp, Godot 4.6.3).
pub(crate) fn path_between(from: &[String], to: &[String]) -> String {
    let common = from.iter().zip(to).take_while(|(one, other)| one == other).count();
    let ups = from[common..].iter().map(|_| "..");
    let steps: Vec<&str> = ups.chain(to[common..].iter().map(String::as_str)).collect();
    if steps.is_empty() { ".".to_owned() } else { steps.join("/") }
}

/// A run of steps between unique names, which are found wherever the node is.
struct Run<'t> {
    from: Names,
    pieces: Vec<&'t str>,
    /// Whether one of the steps goes between the node that moves and its parent.
    crosses: bool,
}

/// How far a path was followed.
enum End {
    /// To its end.
    Reached,
    /// Up to the piece with this index, which leads above the root.
    Above(usize),
    /// Up to the piece with this index; its target is unknown.
    Lost(usize),
}

impl<'a, 'p> View<'a, 'p> {
    pub(super) fn new(
        change: &'a NodeChange<'p>,
        placed: Option<&'a Places>,
        root: Option<NodeInTree>,
    ) -> Self {
        Self { change, placed, root }
    }

    /// Whether the scene has the node.
    pub(super) fn has_node(&self) -> bool {
        self.placed.is_some()
    }

    /// Whether a path is that of the node or of one below it.
    pub(super) fn moves(&self, path: &[String]) -> bool {
        self.prefixes(path).next().is_some()
    }

    /// Where the node goes, if the path is its own.
    pub(super) fn target(&self, path: &[String]) -> Option<&'a Placed> {
        self.placed?.at(path)
    }

    /// The path of a node afterwards.
    pub(super) fn after(&self, path: &[String]) -> Names {
        let mut after = path.to_vec();
        // The longest first: those around it still have their old paths.
        for (length, placed) in self.prefixes(path) {
            after.splice(..length, placed.new.iter().cloned());
        }
        after
    }

    /// The nodes that move on the way to the one at `path`, the innermost first, with the lengths of their paths.
    fn prefixes<'s>(
        &'s self,
        path: &'s [String],
    ) -> impl Iterator<Item = (usize, &'a Placed)> + 's {
        let places = self.placed.into_iter();
        places.flat_map(move |places| {
            let lengths = places.lengths.iter();
            lengths.filter_map(move |length| Some((*length, places.at(path.get(..*length)?)?)))
        })
    }

    /// The new form of `path`, from the node at `base`. The text after a `:` stays.
    pub(super) fn rewrite(&self, base: &[String], path: &str) -> Seen {
        let (nodes, rest) = path.split_at(path.find(':').unwrap_or(path.len()));
        if nodes.is_empty() {
            return Seen::Same;
        }
        if nodes.starts_with('/') {
            return self.absolute(nodes, rest);
        }
        let pieces: Vec<&str> = nodes.split('/').collect();
        let (new, end) = match &self.change.kind {
            ChangeKind::Rename(name) => self.renamed(base, &pieces, name),
            ChangeKind::Move => self.moved(base, &pieces),
        };
        if let Some(new) = new {
            return Seen::New(new + rest);
        }
        match end {
            End::Above(at) if self.names_node(&pieces[at..]) => {
                Seen::Unclear("the path leads above the root of the scene")
            }
            End::Lost(at) if self.names_node(&pieces[at..]) => {
                Seen::Unclear("cannot determine which node the unique name in the path means")
            }
            _ => Seen::Same,
        }
    }

    /// The names of the node that `path` leads to, seen from the one at `base`.
    pub(super) fn follow(&self, base: &[String], path: &str) -> Option<Names> {
        let nodes = path.split(':').next().unwrap_or_default();
        let mut at = base.to_vec();
        let is_known = !nodes.starts_with('/')
            && nodes
                .split('/')
                .all(|piece| !matches!(self.step(&mut at, piece), Step::Above | Step::Lost));
        is_known.then_some(at)
    }

    /// Whether one of the pieces is the name of the node.
    fn names_node(&self, pieces: &[&str]) -> bool {
        pieces.iter().any(|piece| piece.strip_prefix('%').unwrap_or(piece) == self.change.name)
    }

    /// Paths that begin with `/`: those of autoloads are known.
    fn absolute(&self, nodes: &str, rest: &str) -> Seen {
        let mut parts = nodes.splitn(4, '/').skip(1);
        let autoload = match (parts.next(), parts.next()) {
            (Some("root"), Some(name)) => self.change.autoload_scene(name),
            _ => None,
        };
        // Not one that begins with `/` again: such paths could go on for long.
        let below = parts.next().map(|below| below.trim_start_matches('/'));
        if let (Some(scene), Some(below)) = (autoload, below) {
            let view = self.change.view(scene);
            return match view.rewrite(&[], below) {
                Seen::New(new) => {
                    let start = &nodes[..nodes.len() - below.len()];
                    Seen::New(format!("{start}{new}{rest}"))
                }
                seen => seen,
            };
        }
        let pieces: Vec<&str> = nodes.split('/').collect();
        if self.names_node(&pieces) {
            return Seen::Unclear("the path starts at the root of the running game");
        }
        Seen::Same
    }

    fn renamed(&self, base: &[String], pieces: &[&str], name: &str) -> (Option<String>, End) {
        let mut at = base.to_vec();
        let mut new: Vec<String> = Vec::new();
        let mut end = End::Reached;
        for (index, piece) in pieces.iter().enumerate() {
            match self.step(&mut at, piece) {
                Step::Same => {}
                Step::Above => {
                    end = End::Above(index);
                    break;
                }
                Step::Lost => {
                    end = End::Lost(index);
                    break;
                }
                Step::Down | Step::Unique if self.target(&at).is_some() => {
                    new.resize(index, String::new());
                    let sign = if piece.starts_with('%') { "%" } else { "" };
                    new.push(format!("{sign}{name}"));
                }
                Step::Up | Step::Down | Step::Unique => {}
            }
        }
        if new.is_empty() {
            return (None, end);
        }
        new.resize(pieces.len(), String::new());
        let both = pieces.iter().zip(&new);
        let written: Vec<&str> =
            both.map(|(piece, new)| if new.is_empty() { *piece } else { new.as_str() }).collect();
        (Some(written.join("/")), end)
    }

    fn moved(&self, base: &[String], pieces: &[&str]) -> (Option<String>, End) {
        let mut at = base.to_vec();
        let mut run = Run { from: at.clone(), pieces: Vec::new(), crosses: false };
        let mut written: Vec<String> = Vec::new();
        let mut crosses = false;
        let mut end = End::Reached;
        for (index, piece) in pieces.iter().enumerate() {
            let was_target = *piece == ".." && self.target(&at).is_some();
            let start = if piece.starts_with('%') { at.clone() } else { Names::new() };
            match self.step(&mut at, piece) {
                Step::Same => run.pieces.push(*piece),
                Step::Up => {
                    run.crosses |= was_target;
                    run.pieces.push(*piece);
                }
                Step::Down => {
                    run.crosses |= self.target(&at).is_some();
                    run.pieces.push(*piece);
                }
                Step::Unique => {
                    crosses |= run.crosses;
                    self.close(&run, &start, &mut written);
                    written.push((*piece).to_owned());
                    run = Run { from: at.clone(), pieces: Vec::new(), crosses: false };
                }
                Step::Above => {
                    end = End::Above(index);
                    break;
                }
                Step::Lost => {
                    end = End::Lost(index);
                    break;
                }
            }
        }
        crosses |= run.crosses;
        if !crosses {
            return (None, end);
        }
        self.close(&run, &at, &mut written);
        if let End::Above(index) | End::Lost(index) = end {
            written.extend(pieces[index..].iter().map(|piece| (*piece).to_owned()));
            written.retain(|piece| piece != ".");
        }
        (Some(written.join("/")), end)
    }

    /// Writes a run that ends at `to`.
    fn close(&self, run: &Run<'_>, to: &[String], written: &mut Vec<String>) {
        if run.crosses {
            written.push(path_between(&self.after(&run.from), &self.after(to)));
        } else {
            written.extend(run.pieces.iter().map(|piece| (*piece).to_owned()));
        }
    }

    /// Goes on by one piece of a path. Only names give the target, as at run time.
    fn step(&self, at: &mut Names, piece: &str) -> Step {
        match piece {
            "" | "." => Step::Same,
            ".." if at.pop().is_some() => Step::Up,
            ".." => Step::Above,
            piece if piece.starts_with('%') => self.unique(at, piece),
            piece => {
                at.push(piece.to_owned());
                Step::Down
            }
        }
    }

    fn unique(&self, at: &mut Names, piece: &str) -> Step {
        let Some(root) = &self.root else { return Step::Lost };
        let project = self.change.project;
        let NodeLookup::Node(place) = root.find(project, &joined(at)) else { return Step::Lost };
        match place.find(project, piece) {
            NodeLookup::Node(found) => {
                *at = names_of(&found.path());
                Step::Unique
            }
            _ => Step::Lost,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Same,
    Up,
    Down,
    Unique,
    Above,
    Lost,
}

impl NodeChange<'_> {
    /// The scene that is always at `/root/<name>`.
    fn autoload_scene(&self, name: &str) -> Option<godot_project::FileId> {
        let settings = self.project.settings();
        let autoload = settings.autoloads.iter().find(|autoload| autoload.name == name)?;
        match self.project.resolve("res://project.godot", &autoload.path) {
            godot_project::ResolvedPath::File(file) if self.project.tree(file).is_some() => {
                Some(file)
            }
            _ => None,
        }
    }
}
