//! The ids that resources and nodes have in the result: ours where there is one.

use hashbrown::{HashMap, HashSet};

use crate::document::{Field, ReferenceKind, TagKind};
use crate::merge::conflict::GONE;
use crate::merge::rows::Rows;
use crate::merge::side::{BASE, NONE, OURS, Side, THEIRS, is_own_node};
use crate::model::fresh_ids::FreshIds;
use crate::model::resource_ids::ResourceIds;

/// New ids, if they differ from those of a side.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    /// For each row that is a resource, its id with its quotes in a tag.
    resources: HashMap<u32, String>,
    /// For each row that is a node and has another `unique_id` than in theirs.
    nodes: HashMap<u32, i64>,
    /// Whether a resource of the side has another id in the result.
    pub(crate) has_changed: [bool; 3],
    /// The `unique_id`s of the base and theirs that are others in the result.
    pub(super) unique_ids: [HashMap<i64, i64>; 3],
}

impl Ids {
    pub(crate) fn new(sides: &[Side<'_>; 3], rows: &Rows) -> Self {
        let mut ids = Self::default();
        for (tag, kind) in [
            (TagKind::ExtResource, ReferenceKind::ExtResource),
            (TagKind::SubResource, ReferenceKind::SubResource),
        ] {
            ids.give_resources(sides, rows, tag, kind);
        }
        ids.give_nodes(sides, rows);
        ids
    }

    /// The id of a resource in the result.
    pub(super) fn resource(&self, row: u32) -> Option<&str> {
        self.resources.get(&row).map(String::as_str)
    }

    /// The `unique_id` of a node that theirs added, if it cannot keep its own.
    pub(super) fn node(&self, row: u32) -> Option<i64> {
        self.nodes.get(&row).copied()
    }

    fn give_resources(
        &mut self,
        sides: &[Side<'_>; 3],
        rows: &Rows,
        tag: TagKind,
        kind: ReferenceKind,
    ) {
        let known = ResourceIds::new(sides[OURS].document, kind);
        let mut fresh = FreshIds::new(sides[OURS].document, &known);
        let taken_by_theirs = ResourceIds::new(sides[THEIRS].document, kind);
        fresh.avoid(taken_by_theirs.definitions.iter().map(|definition| definition.id.clone()));
        let mut taken: HashSet<Vec<u8>> =
            known.definitions.iter().map(|definition| definition.id.to_vec()).collect();
        for (index, row) in rows.rows.iter().enumerate().filter(|(_, row)| row.kind == tag) {
            let id_in = |side: usize| {
                let section = sides[side].section(row.at[side]);
                let field = section.field("id")?;
                Some((field.text()?, String::from_utf8_lossy(field.source()).into_owned()))
            };
            let id = if row.is_in(OURS) {
                id_in(OURS).map(|(_, source)| source)
            } else if row.is_in(THEIRS) {
                id_in(THEIRS).map(|(id, source)| {
                    if taken.insert(id.to_vec()) {
                        return source;
                    }
                    let section = sides[THEIRS].section(row.at[THEIRS]);
                    let before = match tag {
                        TagKind::ExtResource => number_of(&id),
                        _ => section.field_text("type").unwrap_or_default().into_owned(),
                    };
                    let id = fresh.id(tag, &String::from_utf8_lossy(&before));
                    taken.insert(id.trim_matches('"').as_bytes().to_vec());
                    id
                })
            } else {
                Some(format!("\"{}{index}\"", String::from_utf8_lossy(GONE)))
            };
            let Some(id) = id else { continue };
            for side in [BASE, OURS, THEIRS].into_iter().filter(|side| row.is_in(*side)) {
                let old = sides[side].section(row.at[side]).field_text("id");
                self.has_changed[side] |=
                    old.is_some_and(|old| *old != *id.trim_matches('"').as_bytes());
            }
            self.resources.insert(index as u32, id);
        }
    }

    fn give_nodes(&mut self, sides: &[Side<'_>; 3], rows: &Rows) {
        let id_of = |side: usize, section: u32| {
            sides[side].section(section).field("unique_id").and_then(Field::int)
        };
        let nodes = sides[OURS].tree.nodes.iter();
        let mut taken: HashSet<i64> = nodes.filter_map(|node| id_of(OURS, node.section)).collect();
        for (index, row) in rows.rows.iter().enumerate() {
            if row.kind != TagKind::Node {
                continue;
            }
            let theirs = if row.is_in(THEIRS) { id_of(THEIRS, row.at[THEIRS]) } else { None };
            let result = if row.is_in(OURS) {
                id_of(OURS, row.at[OURS]).or(theirs)
            } else {
                theirs.map(|id| {
                    let is_own = is_own_node(sides[THEIRS].section(row.at[THEIRS]));
                    if !is_own || taken.insert(id) {
                        return id;
                    }
                    let fresh = fresh_unique_id(id, &mut taken);
                    self.nodes.insert(index as u32, fresh);
                    fresh
                })
            };
            for side in [BASE, THEIRS] {
                let old = (row.at[side] != NONE).then(|| id_of(side, row.at[side])).flatten();
                if let (Some(old), Some(result)) = (old, result)
                    && old != result
                {
                    self.unique_ids[side].insert(old, result);
                }
            }
        }
    }
}

/// The part before the `_` of the id of an `ext_resource`.
fn number_of(id: &[u8]) -> Vec<u8> {
    id.split(|byte| *byte == b'_').next().unwrap_or_default().to_vec()
}

/// A number that no node has; positive and of 31 bits as Godot's own (`SceneState::_parse_node`, 4.6.3).
fn fresh_unique_id(id: i64, taken: &mut HashSet<i64>) -> i64 {
    let mut fresh = id;
    loop {
        let mixed = (fresh as u64 ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        fresh = ((mixed >> 33) as i64 & 0x7fff_ffff).max(1);
        if taken.insert(fresh) {
            return fresh;
        }
    }
}
