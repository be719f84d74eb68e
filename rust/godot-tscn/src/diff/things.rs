//! The fate of each thing: a node, a resource, a connection.

use crate::diff::entries::Texts;
use crate::diff::labels::shortened;
use crate::diff::noise::Tally;
use crate::diff::scene::{NEW, OLD};
use crate::diff::{Change, Entry, State, ThingKind};
use crate::document::{Section, TagKind};
use crate::line_index::LineIndex;
use crate::merge::names::{Names, quoted};
use crate::merge::places::place_in;
use crate::merge::rows::Row;
use crate::merge::side::{NONE, Side};
use crate::merge::tree::{path_of, push_name};

/// The maximum length of the path of an instanced scene, which appears once for each of its nodes.
const MAX_PATH: usize = 200;

/// The things of both texts.
pub(super) struct Things<'t, 'd> {
    names: &'t Names<'t, 'd>,
    texts: Texts<'t, 'd>,
    lines: [LineIndex<'d>; 2],
}

impl<'t, 'd> Things<'t, 'd> {
    pub(super) fn new(names: &'t Names<'t, 'd>, tally: Tally) -> Self {
        let lines = [OLD, NEW].map(|side| LineIndex::new(names.sides[side].document.text()));
        Self { names, texts: Texts::new(names, tally), lines }
    }

    pub(super) fn into_tally(self) -> Tally {
        self.texts.tally
    }

    /// The difference of a thing, if there is one. `own_order` is the difference in the order of its
    /// children.
    pub(super) fn change(&mut self, row: u32, own_order: Vec<Entry>) -> Option<Change> {
        let at = *self.names.rows.row(row);
        let section =
            |side: usize| at.is_in(side).then(|| self.names.sides[side].section(at.at[side]));
        let sections = [section(OLD), section(NEW)];
        let mut old_name = None;
        let (state, mut entries) = match sections {
            [Some(old), Some(new)] => {
                if self.is_untouched(old, new) && own_order.is_empty() {
                    return None;
                }
                let mut entries = self.place(row, &at, &mut old_name);
                entries.extend(self.texts.fields(old, new, !entries.is_empty()));
                entries.extend(self.texts.properties(old, new));
                (State::Changed, entries)
            }
            [old, new] => {
                let (side, section) = old.map(|old| (OLD, old)).or(new.map(|new| (NEW, new)))?;
                let state = if side == OLD { State::Removed } else { State::Added };
                (state, self.texts.whole(side, section))
            }
        };
        entries.extend(own_order);
        if state == State::Changed && entries.is_empty() {
            return None;
        }
        let [old_line, new_line] = [0, 1].map(|index: usize| {
            Some(self.lines[index].position(sections[index]?.tag_span().start).line)
        });
        let (side, section) =
            sections[1].map(|new| (NEW, new)).or(sections[0].map(|old| (OLD, old)))?;
        if at.kind == TagKind::ExtResource && state == State::Changed {
            let path = |section: Section<'d>| section.field_text("path").unwrap_or_default();
            let paths = sections.map(|section| section.map(path).unwrap_or_default());
            old_name = (paths[0] != paths[1]).then(|| readable(&paths[0]));
        }
        Some(Change {
            kind: kind_of(at.kind),
            name: self.name(side, row, section),
            type_name: type_name(&self.names.sides[side], section),
            state,
            old_name,
            entries,
            old_line,
            new_line,
        })
    }

    /// Whether the text is the same, and the same ids and paths in it mean the same.
    fn is_untouched(&self, old: Section<'d>, new: Section<'d>) -> bool {
        self.texts.is_plain
            && old.span().of(self.names.sides[OLD].document.text())
                == new.span().of(self.names.sides[NEW].document.text())
    }

    /// Another name or parent of a node.
    fn place(&self, row: u32, at: &Row, old_name: &mut Option<String>) -> Vec<Entry> {
        let mut entries = Vec::new();
        if at.kind != TagKind::Node {
            return entries;
        }
        let place = |side| place_in(self.names.sides, self.names.rows, row, side);
        let (Some(old), Some(new)) = (place(OLD), place(NEW)) else { return entries };
        if old == new {
            return entries;
        }
        let entry = |name: &str, old: &[u8], new: &[u8]| Entry {
            name: name.to_owned(),
            old: Some(readable(&quoted(old))),
            new: Some(readable(&quoted(new))),
            parts: Vec::new(),
            summary: None,
        };
        if old.name != new.name {
            entries.push(entry("name", &old.name, &new.name));
        }
        let [before, after] = [OLD, NEW].map(|side| self.parent(side, at.at[side]));
        match (before, after) {
            (Some(before), Some(after)) => {
                let written = self.names.root_path(OLD, &before);
                let is_same = written.map_or(before == after, |path| path == quoted(&after));
                if !is_same {
                    entries.push(entry("parent", &before, &after));
                }
            }
            (None, None) => {}
            (before, after) => {
                let path = |path: Option<Vec<u8>>| path.map(|path| readable(&quoted(&path)));
                entries.push(Entry {
                    name: "parent".to_owned(),
                    old: path(before),
                    new: path(after),
                    parts: Vec::new(),
                    summary: None,
                });
            }
        }
        if !entries.is_empty() {
            let path = self.path(OLD, at.at[OLD]);
            *old_name = (path != self.path(NEW, at.at[NEW])).then_some(path);
        }
        entries
    }

    /// The path of the parent of a node; nothing of the root.
    fn parent(&self, side: usize, section: u32) -> Option<Vec<u8>> {
        let side = &self.names.sides[side];
        let node = &side.tree.nodes[side.node_of[section as usize] as usize];
        if node.parent == NONE {
            return None;
        }
        let mut path = path_of(&side.tree, node.parent);
        push_name(&mut path, &node.rest);
        Some(if path.is_empty() { b".".to_vec() } else { path })
    }

    fn path(&self, side: usize, section: u32) -> String {
        let side = &self.names.sides[side];
        let path = path_of(&side.tree, side.node_of[section as usize]);
        if path.is_empty() { ".".to_owned() } else { readable(&path) }
    }

    fn name(&self, side: usize, row: u32, section: Section<'d>) -> String {
        let text = |field: &str| readable(&section.field_text(field).unwrap_or_default());
        match section.kind() {
            TagKind::Node => self.path(side, section.index()),
            TagKind::ExtResource | TagKind::Editable => text("path"),
            TagKind::SubResource => self.texts.labels.get(row).unwrap_or_default().to_owned(),
            TagKind::Connection => format!(
                "{}: {} -> {} :: {}",
                text("signal"),
                text("from"),
                text("to"),
                text("method")
            ),
            _ => readable(section.name()),
        }
    }
}

fn kind_of(kind: TagKind) -> ThingKind {
    match kind {
        TagKind::GdScene | TagKind::GdResource | TagKind::Nested | TagKind::Unknown => {
            ThingKind::Header
        }
        TagKind::ExtResource => ThingKind::ExtResource,
        TagKind::SubResource => ThingKind::SubResource,
        TagKind::Resource => ThingKind::Resource,
        TagKind::Node => ThingKind::Node,
        TagKind::Connection => ThingKind::Connection,
        TagKind::Editable => ThingKind::Editable,
    }
}

/// The class that a section names, or the scene that a node is an instance of.
pub(super) fn type_name(side: &Side<'_>, section: Section<'_>) -> Option<String> {
    if let Some(class) = section.field_text("type") {
        return Some(shortened(&class, MAX_PATH));
    }
    if section.kind() == TagKind::Resource {
        let class = side.document.sections().next()?.field_text("type")?;
        return Some(shortened(&class, MAX_PATH));
    }
    if let Some(path) = section.field_text("instance_placeholder") {
        return Some(shortened(&path, MAX_PATH));
    }
    let instance = section.field("instance")?.value_tree();
    let id = instance.root().inner_text("ExtResource")?;
    let target = side.section(*side.exts.get(&*id)?);
    Some(shortened(&target.field_text("path")?, MAX_PATH))
}

fn readable(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
