//! Values of a side as they are written in the result: with its ids, and with the paths that its nodes have there.

use std::borrow::Cow;

use hashbrown::HashMap;
use memchr::memmem;

use crate::document::{Section, TagKind};
use crate::merge::content::references_in;
use crate::merge::ids::Ids;
use crate::merge::places::Places;
use crate::merge::rows::Rows;
use crate::merge::side::{NONE, Side};
use crate::merge::tree::{Positions, first_name, path_of, push_name, relative};
use crate::model::animations;
use crate::span::Span;

/// Text of a side, or the same with other ids and paths.
pub(super) type Text<'d> = Cow<'d, [u8]>;

/// The names in the result.
pub(crate) struct Names<'m, 'd> {
    pub(crate) sides: &'m [Side<'d>; 3],
    pub(crate) rows: &'m Rows,
    pub(crate) ids: &'m Ids,
    pub(crate) places: &'m Places<'d>,
    /// For each side, the node from which the tracks of an animation start, by its section.
    animation_roots: [HashMap<u32, u32>; 3],
}

impl<'m, 'd> Names<'m, 'd> {
    pub(crate) fn new(
        sides: &'m [Side<'d>; 3],
        rows: &'m Rows,
        ids: &'m Ids,
        places: &'m Places<'d>,
    ) -> Self {
        let roots = |side: usize| match places.has_moved[side] {
            true => animation_roots(&sides[side]),
            false => HashMap::new(),
        };
        Self { sides, rows, ids, places, animation_roots: [roots(0), roots(1), roots(2)] }
    }

    /// Whether all texts of the side stay as they are.
    pub(super) fn is_identity(&self, side: usize) -> bool {
        !self.ids.has_changed[side] && !self.places.has_moved[side]
    }

    /// A part of the section as it is written in the result.
    pub(super) fn value(&self, side: usize, section: Section<'d>, span: Span) -> Text<'d> {
        let text = self.sides[side].document.text();
        if self.is_identity(side) {
            return Cow::Borrowed(span.of(text));
        }
        let mut edits = Vec::new();
        if self.ids.has_changed[side] {
            self.id_edits(side, section, span, &mut edits);
        }
        if self.places.has_moved[side] {
            self.path_edits(side, section, span, &mut edits);
        }
        if edits.is_empty() {
            return Cow::Borrowed(span.of(text));
        }
        edits.sort_by_key(|(span, _): &(Span, Vec<u8>)| *span);
        Cow::Owned(with_edits(text, span, &edits))
    }

    fn id_edits(
        &self,
        side: usize,
        section: Section<'d>,
        span: Span,
        edits: &mut Vec<(Span, Vec<u8>)>,
    ) {
        for reference in references_in(section, span) {
            let Some(target) = self.sides[side].target(reference) else { continue };
            let row = self.rows.of[side][target as usize];
            let Some(id) = self.ids.resource(row) else { continue };
            let plain = id.trim_matches('"');
            if *self.sides[side].document.target(reference) == *plain.as_bytes() {
                continue;
            }
            let source = reference.target.of(self.sides[side].document.text());
            let is_number = plain.bytes().all(|byte| byte.is_ascii_digit());
            let new = match source.starts_with(b"\"") || !is_number {
                true => format!("\"{plain}\""),
                false => plain.to_owned(),
            };
            edits.push((reference.target, new.into_bytes()));
        }
    }

    /// The paths in a part of the section that are written differently in the result.
    pub(crate) fn path_edits(
        &self,
        side: usize,
        section: Section<'d>,
        span: Span,
        edits: &mut Vec<(Span, Vec<u8>)>,
    ) {
        let text = span.of(self.sides[side].document.text());
        if memmem::find(text, b"NodePath").is_none() {
            return;
        }
        let Some(from) = self.start_of_paths(side, section) else { return };
        let tree = crate::value::tree::ValueTree::in_document(text, span.start);
        for part in tree.parts() {
            let Some(path) = part.inner_text("NodePath") else { continue };
            let Some(inner) = part.children().next() else { continue };
            if let Some(new) = self.path(side, from, &path) {
                edits.push((inner.span(), quoted(&new)));
            }
        }
    }

    /// The node that paths in the section start from.
    fn start_of_paths(&self, side: usize, section: Section<'d>) -> Option<u32> {
        match section.kind() {
            TagKind::Node => Some(self.sides[side].node_of[section.index() as usize]),
            TagKind::SubResource => self.animation_roots[side].get(&section.index()).copied(),
            _ => None,
        }
    }

    /// The target of a path of the side in the result, if it must be written differently.
    fn path(&self, side: usize, from: u32, path: &[u8]) -> Option<Vec<u8>> {
        let (names, subnames) = match memchr::memchr(b':', path) {
            Some(colon) => path.split_at(colon),
            None => (path, &b""[..]),
        };
        if names.is_empty() || names.starts_with(b"/") {
            return None;
        }
        let tree = &self.sides[side].tree;
        let row = |node: u32| self.rows.of[side][tree.nodes[node as usize].section as usize];
        let change = |from: u32, names: &[u8]| {
            let goal = tree.walk(from, names);
            let before = relative(tree, from, goal.node, goal.rest);
            let after = relative(self.places, row(from), row(goal.node), goal.rest);
            if before != after {
                return Some(after);
            }
            // Another way of writing it may pass a renamed node: `../../A` for `..`.
            let is_usual = *names == *before;
            let passing = || self.passing(side, from, names).unwrap_or(after);
            if is_usual { None } else { Some(passing()).filter(|path| path != names) }
        };
        let mut after = match self.sides[side].unique_start(names) {
            None => change(from, names)?,
            Some((start, below)) => {
                let changed = if below.is_empty() { None } else { change(start, below) };
                let name = self.places.name(row(start));
                if changed.is_none() && *name == *tree.nodes[start as usize].name {
                    return None;
                }
                let mut path = [b"%", name].concat();
                push_name(&mut path, changed.as_deref().unwrap_or(below));
                path
            }
        };
        after.extend_from_slice(subnames);
        Some(after)
    }

    /// A path with the names that the nodes have in the result which it passes. Nothing if one of them is elsewhere.
    fn passing(&self, side: usize, from: u32, names: &[u8]) -> Option<Vec<u8>> {
        let tree = &self.sides[side].tree;
        let row = |node: u32| self.rows.of[side][tree.nodes[node as usize].section as usize];
        let is_below = |node: u32, parent: u32| {
            let above = self.places.above(row(node));
            above.is_some_and(|(above, rest)| above == row(parent) && rest.is_empty())
        };
        let mut path = Vec::new();
        let (mut node, mut left) = (from, names);
        while !left.is_empty() {
            let (name, after) = first_name(left);
            let goal = tree.walk(node, name);
            if !goal.rest.is_empty() {
                // The rest is the instance's.
                push_name(&mut path, left);
                break;
            }
            match name {
                b"" | b"." => push_name(&mut path, name),
                b".." if is_below(node, goal.node) => push_name(&mut path, name),
                b".." => return None,
                _ if is_below(goal.node, node) => {
                    push_name(&mut path, self.places.name(row(goal.node)));
                }
                _ => return None,
            }
            (node, left) = (goal.node, after);
        }
        Some(path)
    }

    /// A path from the root in a tag, as a string with quotes, if it must be written differently.
    pub(crate) fn root_path(&self, side: usize, path: &[u8]) -> Option<Vec<u8>> {
        if !self.places.has_moved[side] || self.sides[side].tree.nodes.is_empty() {
            return None;
        }
        self.path(side, 0, path).map(|path| quoted(&path))
    }

    /// The `parent` field of a node in the result; nothing of the root.
    pub(super) fn parent(&self, row: u32) -> Option<Vec<u8>> {
        let (parent, rest) = self.places.above(row)?;
        let mut path = path_of(self.places, parent);
        if !path.is_empty() && !rest.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(rest);
        if path.is_empty() {
            path.push(b'.');
        }
        Some(quoted(&path))
    }

    /// A list of `unique_id`s, as a tag has it, as it is written in the result.
    pub(crate) fn id_path(&self, side: usize, source: &'d [u8]) -> Text<'d> {
        let new = &self.ids.unique_ids[side];
        if new.is_empty() {
            return Cow::Borrowed(source);
        }
        let tree = crate::value::tree::ValueTree::new(source);
        let mut edits = Vec::new();
        for span in tree.root().number_spans() {
            let number = std::str::from_utf8(span.of(source)).ok();
            let id = number.and_then(|number| number.parse::<i64>().ok());
            if let Some(id) = id.and_then(|id| new.get(&id)) {
                edits.push((span, id.to_string().into_bytes()));
            }
        }
        Cow::Owned(with_edits(source, Span::new(0, source.len() as u32), &edits))
    }

    /// The row of the node that a path in a tag of the side leads to.
    pub(super) fn end(&self, side: usize, section: Section<'d>, field: &str) -> u32 {
        let tree = &self.sides[side].tree;
        match section.field_text(field) {
            Some(path) if !tree.nodes.is_empty() => {
                let goal = tree.walk(0, &path);
                self.rows.of[side][tree.nodes[goal.node as usize].section as usize]
            }
            _ => NONE,
        }
    }
}

/// A part of a text with edits, which are in order.
pub(crate) fn with_edits(text: &[u8], span: Span, edits: &[(Span, Vec<u8>)]) -> Vec<u8> {
    let mut edited = Vec::with_capacity(span.len() as usize + 64);
    let mut done = span.start;
    for (at, new) in edits {
        edited.extend_from_slice(&text[done as usize..at.start as usize]);
        edited.extend_from_slice(new);
        done = at.end;
    }
    edited.extend_from_slice(&text[done as usize..span.end as usize]);
    edited
}

/// A string as a tag has it.
pub(crate) fn quoted(text: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for byte in text {
        if matches!(byte, b'"' | b'\\') {
            quoted.push(b'\\');
        }
        quoted.push(*byte);
    }
    quoted.push(b'"');
    quoted
}

/// The nodes that the tracks of animations start from. Those of animations that several players share are left out if they
/// do not start from the same node.
pub(super) fn animation_roots(side: &Side<'_>) -> HashMap<u32, u32> {
    let mut roots: HashMap<u32, u32> = HashMap::new();
    let mut libraries: Vec<(u32, u32)> = Vec::new();
    let note = |roots: &mut HashMap<u32, u32>, section: u32, root: u32| {
        let known = roots.entry(section).or_insert(root);
        if *known != root {
            *known = NONE;
        }
    };
    let target = |part: crate::value::tree::PartRef<'_>| {
        part.inner_text("SubResource").and_then(|id| side.subs.get(&*id).copied())
    };
    for node in &side.tree.nodes {
        let section = side.section(node.section);
        let is_player = |property: crate::document::Property<'_>| {
            let key = property.key();
            key.starts_with(b"anims/") || key.starts_with(b"libraries")
        };
        if !section.properties().any(is_player) {
            continue;
        }
        let (path, _) = animations::root_path(section);
        let goal = side.tree.walk(side.node_of[node.section as usize], &path);
        let root = if goal.rest.is_empty() { goal.node } else { NONE };
        animations::listed(section, |part, class| {
            let Some(sub) = target(part) else { return };
            match class {
                "Animation" => note(&mut roots, sub, root),
                _ => libraries.push((sub, root)),
            }
        });
    }
    for (library, root) in libraries {
        animations::listed(side.section(library), |part, _| {
            if let Some(sub) = target(part) {
                note(&mut roots, sub, root);
            }
        });
    }
    roots.retain(|_, root| *root != NONE);
    roots
}
