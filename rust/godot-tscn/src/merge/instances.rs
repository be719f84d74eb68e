//! Paths into instanced scenes with nodes that were renamed, moved or removed in the same merge.

use std::borrow::Cow;

use crate::document::{Document, Section, TagKind};
use crate::merge::MergeConflict;
use crate::merge::content::references_in;
use crate::merge::entries::is_root_path;
use crate::merge::names::{animation_roots, quoted, with_edits};
use crate::merge::scene_moves::SceneMoves;
use crate::merge::side::{NONE, Side, is_own_node};
use crate::merge::tree::{Goal, Positions, path_of, push_name};
use crate::span::Span;
use crate::syntax;

/// A path that leads to a node which an instanced scene has lost.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LostPath {
    /// The place of the path: `node "Enemy/Sprite"`.
    pub place: String,
    /// The path of the node in the instanced scene.
    pub node: String,
    /// The path of the instanced scene, as the text has it.
    pub scene: String,
}

impl From<LostPath> for MergeConflict {
    fn from(lost: LostPath) -> Self {
        let what = format!("the merge removes `{}` from {}", lost.node, lost.scene);
        Self { place: lost.place, what, base: None, ours: None, theirs: None }
    }
}

/// The instances in a scene: the path of each node, and that of its scene as the text has it. The root is one if it inherits a
/// scene.
#[must_use]
pub fn instances(text: &[u8]) -> Vec<(Vec<u8>, String)> {
    let document = syntax::parse(text);
    let side = Side::new(&document);
    let nodes = 0..side.tree.nodes.len() as u32;
    nodes.filter_map(|node| Some((path_of(&side.tree, node), scene_of(&side, node)?))).collect()
}

/// Writes all paths into instanced scenes according to the changes of their nodes. `moves` knows that by the paths of the
/// scenes.
#[must_use]
pub fn follow_instances<'t, 'm>(
    text: &'t [u8],
    moves: impl Fn(&str) -> Option<&'m SceneMoves>,
) -> Cow<'t, [u8]> {
    let document = syntax::parse(text);
    let mut edits = Followed::new(&document, moves).edits();
    if edits.is_empty() {
        return Cow::Borrowed(text);
    }
    edits.sort_by_key(|(span, _)| *span);
    edits.dedup_by_key(|(span, _)| *span);
    Cow::Owned(with_edits(text, Span::new(0, text.len() as u32), &edits))
}

/// The nodes in the text, and paths in it, that stand for nodes which their scenes no longer have.
#[must_use]
pub fn lost_in_instances<'m>(
    text: &[u8],
    moves: impl Fn(&str) -> Option<&'m SceneMoves>,
) -> Vec<LostPath> {
    let document = syntax::parse(text);
    Followed::new(&document, moves).lost()
}

/// The scene that a node is an instance of.
fn scene_of(side: &Side<'_>, node: u32) -> Option<String> {
    let section = side.section(side.tree.nodes[node as usize].section);
    let span = section.field("instance")?.value_span();
    let target = side.target(references_in(section, span).next()?)?;
    let path = side.section(target).field_text("path")?;
    String::from_utf8(path.into_owned()).ok()
}

/// Longer paths into an instance are left alone.
const MAX_PATH: usize = 4096;

/// A scene, and the places of its nodes when the scenes inside it have other ones.
struct Followed<'d, 'm> {
    side: Side<'d>,
    /// For each node that is an instance: the changes of the nodes of its scene, and the path of the
    /// scene.
    scenes: Vec<Option<(&'m SceneMoves, String)>>,
    /// For each node of an instance: the instance, and the path from there.
    inner: Vec<Option<(u32, Vec<u8>)>>,
    places: Places<'d>,
    /// For each node, whether its path is another one.
    has_moved: Vec<bool>,
}

/// For each node, its parent, the path from there, and its name.
struct Places<'d>(Vec<(u32, Vec<u8>, Cow<'d, [u8]>)>);

impl Positions for Places<'_> {
    fn above(&self, node: u32) -> Option<(u32, &[u8])> {
        let (parent, rest, _) = &self.0[node as usize];
        (*parent != NONE).then_some((*parent, rest))
    }

    fn name(&self, node: u32) -> &[u8] {
        &self.0[node as usize].2
    }
}

impl<'d, 'm> Followed<'d, 'm> {
    fn new(document: &'d Document<'d>, moves: impl Fn(&str) -> Option<&'m SceneMoves>) -> Self {
        let side = Side::new(document);
        let nodes = 0..side.tree.nodes.len() as u32;
        let scene = |node| {
            let path = scene_of(&side, node)?;
            Some((moves(&path).filter(|moves| !moves.is_empty())?, path))
        };
        let scenes = nodes.clone().map(scene).collect();
        let (inner, places, has_moved) = (Vec::new(), Places(Vec::new()), Vec::new());
        let mut followed = Self { side, scenes, inner, places, has_moved };
        for node in nodes {
            followed.add(node);
        }
        followed
    }

    /// Finds the place of a node, after those of the nodes above it.
    fn add(&mut self, index: u32) {
        let node = &self.side.tree.nodes[index as usize];
        let same = (node.parent, node.rest.clone(), node.name.clone());
        let above = self.inside(node.parent, &node.rest);
        let is_own = is_own_node(self.side.section(node.section));
        let inner = above.clone().filter(|_| !is_own).map(|(instance, mut path)| {
            push_name(&mut path, &node.name);
            (instance, path)
        });
        let place = if let Some((instance, path)) = &inner {
            self.moved(*instance, path).map(|path| {
                let (above, name) = match path.iter().rposition(|byte| *byte == b'/') {
                    Some(slash) => (&path[..slash], &path[slash + 1..]),
                    None => (&b""[..], &path[..]),
                };
                (*instance, above.to_vec(), Cow::Owned(name.to_vec()))
            })
        } else {
            let moved = |(instance, path): &(u32, Vec<u8>)| {
                Some((*instance, self.moved(*instance, path)?, node.name.clone()))
            };
            above.as_ref().and_then(moved)
        };
        let is_below_moved = self.has_moved.get(node.parent as usize).is_some_and(|moved| *moved);
        self.has_moved.push(place.is_some() || is_below_moved);
        self.places.0.push(place.unwrap_or(same));
        self.inner.push(inner);
    }

    /// The instance around something at `rest` from a node, and the path from there, which is empty for the instance.
    fn inside(&self, node: u32, rest: &[u8]) -> Option<(u32, Vec<u8>)> {
        let (instance, mut path) = match self.scenes.get(node as usize)? {
            Some(_) => (node, Vec::new()),
            None => self.inner[node as usize].clone()?,
        };
        push_name(&mut path, rest);
        (path.len() <= MAX_PATH).then_some((instance, path))
    }

    /// Where a node of an instance is, if it is elsewhere.
    fn moved(&self, instance: u32, path: &[u8]) -> Option<Vec<u8>> {
        let (moves, _) = self.scenes[instance as usize].as_ref()?;
        match moves.of(path)? {
            Cow::Owned(moved) => Some(moved),
            Cow::Borrowed(_) => None,
        }
    }

    fn edits(&self) -> Vec<(Span, Vec<u8>)> {
        let mut edits = Vec::new();
        if !self.scenes.iter().any(Option::is_some) {
            return edits;
        }
        for (index, node) in self.side.tree.nodes.iter().enumerate() {
            if !self.has_moved[index] {
                continue;
            }
            let section = self.side.section(node.section);
            let (_, _, name) = &self.places.0[index];
            if let Some(field) = section.field("name").filter(|_| *name != node.name) {
                edits.push((field.value_span(), quoted(name)));
            }
            let parent =
                [path_of(&self.side.tree, index as u32), path_of(&self.places, index as u32)]
                    .map(|path| above(&path).to_vec());
            if let Some(field) = section.field("parent").filter(|_| parent[0] != parent[1]) {
                edits.push((field.value_span(), quoted(&parent[1])));
            }
        }
        self.each_path(|_, span, from, path| {
            edits.extend(self.path(from, path).map(|path| (span, quoted(&path))));
        });
        edits
    }

    fn lost(&self) -> Vec<LostPath> {
        let mut lost = Vec::new();
        if !self.scenes.iter().any(Option::is_some) {
            return lost;
        }
        let mut note = |place: Vec<u8>, instance: u32, path: &[u8]| {
            let Some((moves, scene)) = &self.scenes[instance as usize] else { return };
            if moves.of(path).is_none() {
                let place = if place.is_empty() { b"." } else { place.as_slice() };
                let place = format!("node \"{}\"", String::from_utf8_lossy(place));
                let node = String::from_utf8_lossy(path).into_owned();
                lost.push(LostPath { place, node, scene: scene.clone() });
            }
        };
        for (index, node) in self.side.tree.nodes.iter().enumerate() {
            let above = || self.inside(node.parent, &node.rest);
            if let Some((instance, path)) = self.inner[index].clone().or_else(above) {
                note(path_of(&self.side.tree, index as u32), instance, &path);
            }
        }
        self.each_path(|section, _, from, path| {
            let Some(goal) = self.goal(from, names_of(path)) else { return };
            if let Some((instance, inner)) = self.inside(goal.node, goal.rest) {
                let node = self.side.node_of[section.index() as usize];
                let from = if node == NONE { goal.node } else { node };
                note(path_of(&self.side.tree, from), instance, &inner);
            }
        });
        lost
    }

    /// Calls `found` with each path in the text: its section, where it is written, the node that it starts from, and the path.
    fn each_path(&self, mut found: impl FnMut(Section<'d>, Span, u32, &[u8])) {
        let text = self.side.document.text();
        let roots = animation_roots(&self.side);
        for section in self.side.document.sections() {
            for field in section.fields().filter(|field| is_root_path(section.kind(), field.name()))
            {
                let Ok(name) = std::str::from_utf8(field.name()) else { continue };
                if let Some(path) = section.field_text(name) {
                    found(section, field.value_span(), 0, &path);
                }
            }
            let from = match section.kind() {
                TagKind::Node => Some(self.side.node_of[section.index() as usize]),
                TagKind::SubResource => roots.get(&section.index()).copied(),
                _ => None,
            };
            let Some(from) = from else { continue };
            for property in section.properties() {
                let span = property.value_span();
                if memchr::memmem::find(span.of(text), b"NodePath").is_none() {
                    continue;
                }
                let tree = crate::value::tree::ValueTree::in_document(span.of(text), span.start);
                for part in tree.parts() {
                    let Some(path) = part.inner_text("NodePath") else { continue };
                    if let Some(inner) = part.children().next() {
                        found(section, inner.span(), from, &path);
                    }
                }
            }
        }
    }

    /// Where a path leads; nothing if it does not start in the scene.
    fn goal<'p>(&self, from: u32, names: &'p [u8]) -> Option<Goal<'p>> {
        if names.is_empty() || names.starts_with(b"/") || self.side.tree.nodes.is_empty() {
            return None;
        }
        Some(self.side.walk(from, names))
    }

    /// A path as it has to be written, if that is otherwise.
    fn path(&self, from: u32, path: &[u8]) -> Option<Vec<u8>> {
        let names = names_of(path);
        let goal = self.goal(from, names)?;
        let inside = self.inside(goal.node, goal.rest);
        let moved =
            inside.and_then(|(instance, path)| Some((instance, self.moved(instance, &path)?)));
        let unique = self.side.unique_start(names);
        let from = unique.map_or(from, |(start, _)| start);
        if moved.is_none() && !self.has_moved[from as usize] && !self.has_moved[goal.node as usize]
        {
            return None;
        }
        let end = |start: u32, rest: &[u8], positions: &dyn Fn(u32) -> Vec<u8>| {
            let mut path = positions(start);
            push_name(&mut path, rest);
            path
        };
        let before = |node| path_of(&self.side.tree, node);
        let after = |node| path_of(&self.places, node);
        let old = relative(&before(from), &end(goal.node, goal.rest, &before));
        let new = match &moved {
            Some((instance, path)) => end(*instance, path, &after),
            None => end(goal.node, goal.rest, &after),
        };
        let new = relative(&after(from), &new);
        // Other ways of writing a path may pass a renamed node: `../../A` for `..`.
        let below = unique.map_or(names, |(_, below)| below);
        if old == new && (below.is_empty() || *below == *old) {
            return None;
        }
        let mut written = Vec::new();
        if unique.is_some() {
            written.extend_from_slice(&names[..names.len() - unique?.1.len()]);
        }
        written.extend_from_slice(&new);
        written.extend_from_slice(&path[names.len()..]);
        Some(written)
    }
}

/// A path without its properties.
fn names_of(path: &[u8]) -> &[u8] {
    path.split(|byte| *byte == b':').next().unwrap_or_default()
}

/// The path of the parent, as tags have it.
fn above(path: &[u8]) -> &[u8] {
    path.iter().rposition(|byte| *byte == b'/').map_or(b".", |slash| &path[..slash])
}

/// The path from one node to another, by their paths from the root.
fn relative(from: &[u8], to: &[u8]) -> Vec<u8> {
    let names = |path: &'_ [u8]| -> Vec<Vec<u8>> {
        let names = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
        names.map(<[u8]>::to_vec).collect()
    };
    let (from, to) = (names(from), names(to));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[common..].iter().map(|_| &b".."[..]);
    let path = up.chain(to[common..].iter().map(Vec::as_slice)).collect::<Vec<_>>().join(&b'/');
    if path.is_empty() { b".".to_vec() } else { path }
}

#[cfg(test)]
mod tests {
    use super::{follow_instances, lost_in_instances};
    use crate::merge::SceneMoves;

    const OLD: &str = "[gd_scene format=3]\n\n[node name=\"E\" type=\"Node\"]\n\n\
        [node name=\"A\" type=\"Node\" parent=\".\"]\nunique_name_in_owner = true\n\n\
        [node name=\"B\" type=\"Node\" parent=\"A\"]\n\n[node name=\"C\" type=\"Timer\" parent=\".\"]\n";

    fn moves() -> SceneMoves {
        let new = OLD.replace("\"A\"", "\"Z\"");
        let new = new.split("\n\n[node name=\"C\"").next().unwrap().to_owned();
        SceneMoves::between(OLD.as_bytes(), new.as_bytes())
    }

    fn followed(text: &str) -> String {
        let moves = moves();
        let followed = follow_instances(text.as_bytes(), |_| Some(&moves));
        String::from_utf8(followed.into_owned()).unwrap()
    }

    #[test]
    fn an_heir_and_an_instance() {
        let scene = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://e.tscn\" id=\"1\"]\n\n";
        let heir = "[node name=\"Heir\" instance=ExtResource(\"1\")]\np = NodePath(\"A/B:x\")\n\n\
            [node name=\"A\" parent=\".\"]\n\n[node name=\"Own\" type=\"Node\" parent=\"A/B\"]\nq = NodePath(\"..\")\n\n\
            [node name=\"B\" parent=\"A\"]\np = [NodePath(\"../../A\"), NodePath(\"/root/A\"), NodePath(\"Own\")]\n\n\
            [connection signal=\"s\" from=\"A\" to=\"A/B/Own\" method=\"m\"]\n";
        let heir = format!("{scene}{heir}");
        let wanted = heir.replace("\"A\"", "\"Z\"").replace("\"A/", "\"Z/").replace("../A", "../Z");
        assert_eq!(followed(&heir), wanted.replace("../../Z", ".."));
        let user = "[node name=\"U\" type=\"Node\"]\np = NodePath(\"E/%A\")\n\n\
            [node name=\"E\" parent=\".\" instance=ExtResource(\"1\")]\np = NodePath(\"A\")\n\n\
            [node name=\"A\" type=\"Node\" parent=\".\"]\np = NodePath(\"../E/A/B\")\n\n[editable path=\"E\"]\n";
        let user = format!("{scene}{user}");
        let wanted = user.replace("E/A", "E/Z").replace("%A", "%Z");
        assert_eq!(followed(&user), wanted.replace("p = NodePath(\"A\")", "p = NodePath(\"Z\")"));
    }

    #[test]
    fn what_is_gone() {
        let text = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://e.tscn\" id=\"1\"]\n\n\
            [node name=\"U\" type=\"Node\"]\np = NodePath(\"E/C:time_left\")\n\n\
            [node name=\"E\" parent=\".\" instance=ExtResource(\"1\")]\n\n\
            [node name=\"C\" parent=\"E\"]\n\n[node name=\"X\" type=\"Node\" parent=\"E/C\"]\n";
        assert_eq!(followed(text), text);
        let moves = moves();
        let lost = lost_in_instances(text.as_bytes(), |_| Some(&moves));
        let places: Vec<_> =
            lost.iter().map(|lost| (lost.place.as_str(), lost.node.as_str())).collect();
        assert_eq!(places, [("node \"E/C\"", "C"), ("node \"E/C/X\"", "C"), ("node \".\"", "C")]);
        assert!(lost_in_instances(text.as_bytes(), |_| None).is_empty());
    }
}
