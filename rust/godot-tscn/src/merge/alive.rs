//! Which nodes and connections the result has.

use hashbrown::HashSet;
use memchr::memmem;

use crate::document::{Property, Section, TagKind};
use crate::merge::conflict::{Conflicts, Item};
use crate::merge::names::{Names, animation_roots};
use crate::merge::side::{BASE, NONE, OURS, THEIRS, is_own_node};
use crate::merge::touched::{Touched, is_changed, other, whole};
use crate::merge::tree::Positions;

/// For each row, whether it is in the result. Resources are not decided here: they are if something uses
/// them.
pub(super) fn find(
    names: &Names<'_, '_>,
    touched: &Touched,
    conflicts: &mut Conflicts,
) -> Vec<bool> {
    let mut alive = Alive {
        names,
        is_alive: names.rows.rows.iter().map(|row| row.removed_by().is_none()).collect(),
        tops: vec![NONE; names.rows.rows.len()],
        reported: vec![false; names.rows.rows.len()],
    };
    for (row, is_alive) in alive.is_alive.iter_mut().enumerate() {
        let row = names.rows.row(row as u32);
        *is_alive &= row.is_in(OURS) || row.is_in(THEIRS);
    }
    alive.find_tops();
    alive.keep_changed(touched, conflicts);
    // A kept row may depend on another removed one.
    for _ in 0..MAX_ROUNDS {
        if !alive.keep_parents(conflicts) {
            break;
        }
    }
    alive.keep_ends(conflicts);
    alive.keep_targets(conflicts);
    alive.keep_removed_ends();
    alive.drop_ends();
    alive.is_alive
}

const MAX_ROUNDS: usize = 8;

struct Alive<'m, 'd> {
    names: &'m Names<'m, 'd>,
    is_alive: Vec<bool>,
    /// For each node that one side removed, the topmost node above it that the same side removed, or itself.
    tops: Vec<u32>,
    reported: Vec<bool>,
}

impl Alive<'_, '_> {
    fn rows(&self) -> impl Iterator<Item = u32> + use<> {
        0..self.is_alive.len() as u32
    }

    fn find_tops(&mut self) {
        for start in self.rows() {
            let Some(by) = self.removed_node(start) else { continue };
            let mut line = Vec::new();
            let mut at = start;
            let top = loop {
                if self.tops[at as usize] != NONE {
                    break self.tops[at as usize];
                }
                line.push(at);
                match self.names.places.above(at) {
                    Some((above, _)) if self.removed_node(above) == Some(by) => at = above,
                    _ => break at,
                }
            };
            for row in line {
                self.tops[row as usize] = top;
            }
        }
    }

    fn removed_node(&self, row: u32) -> Option<usize> {
        let row = self.names.rows.row(row);
        row.removed_by().filter(|_| row.kind == TagKind::Node)
    }

    fn keep_changed(&mut self, touched: &Touched, conflicts: &mut Conflicts) {
        let mut causes = Vec::new();
        for index in self.rows() {
            let row = self.names.rows.row(index);
            let Some(by) = row.removed_by() else { continue };
            if matches!(row.kind, TagKind::ExtResource | TagKind::SubResource) {
                continue;
            }
            let side = other(by);
            let section = self.names.sides[side].section(row.at[side]);
            if is_changed(self.names, index, side)
                || touched.is_in(self.names, side, section, whole(section))
            {
                causes.push(index);
            }
        }
        for cause in causes {
            self.keep(cause, cause, conflicts);
        }
        self.keep_subtrees();
    }

    /// Nodes that one side put below nodes that the other removed.
    fn keep_parents(&mut self, conflicts: &mut Conflicts) -> bool {
        let mut causes = Vec::new();
        for row in self.rows().filter(|row| self.is_alive[*row as usize]) {
            if let Some(parent) = self.needed_parent(row)
                && !self.is_alive[parent as usize]
            {
                causes.push((parent, row));
            }
        }
        for (parent, cause) in &causes {
            self.keep(*parent, *cause, conflicts);
        }
        self.keep_subtrees();
        !causes.is_empty()
    }

    /// The node above another without which that cannot be. A section that only changes a node of an instanced
    /// scene may go.
    fn needed_parent(&self, row: u32) -> Option<u32> {
        let is_change = |row: u32| {
            let row = self.names.rows.row(row);
            let Some(by) = row.removed_by() else { return false };
            let side = other(by);
            !is_own_node(self.names.sides[side].section(row.at[side]))
        };
        let (mut above, _) = self.names.places.above(row)?;
        while !self.is_alive[above as usize] && is_change(above) {
            (above, _) = self.names.places.above(above)?;
        }
        Some(above)
    }

    /// Nodes that one side connected or made editable, and that the other removed.
    fn keep_ends(&mut self, conflicts: &mut Conflicts) {
        for row in self.rows() {
            let added = *self.names.rows.row(row);
            let has_ends = matches!(added.kind, TagKind::Connection | TagKind::Editable);
            let is_added = has_ends && !added.is_in(BASE);
            if !is_added || !self.is_alive[row as usize] {
                continue;
            }
            for end in self.ends(row).into_iter().filter(|end| *end != NONE) {
                if !self.is_alive[end as usize] {
                    self.keep(end, row, conflicts);
                }
            }
        }
        self.keep_subtrees();
    }

    /// Nodes to which one side made a path and which the other removed.
    fn keep_targets(&mut self, conflicts: &mut Conflicts) {
        let is_removed =
            |row: u32| self.removed_node(row).is_some() && !self.is_alive[row as usize];
        if !self.rows().any(is_removed) {
            return;
        }
        let mut causes = Vec::new();
        for side in [OURS, THEIRS] {
            let roots = animation_roots(&self.names.sides[side]);
            for section in self.names.sides[side].document.sections() {
                let row = self.names.rows.of[side][section.index() as usize];
                let from = match section.kind() {
                    TagKind::Node => self.names.sides[side].node_of[section.index() as usize],
                    TagKind::SubResource => roots.get(&section.index()).copied().unwrap_or(NONE),
                    _ => NONE,
                };
                if from != NONE && self.is_alive[row as usize] {
                    let targets = self.new_targets(side, section, row, from);
                    causes.extend(targets.into_iter().map(|target| (target, row)));
                }
            }
        }
        for (target, cause) in causes {
            if self.removed_node(target).is_some() && !self.is_alive[target as usize] {
                self.keep(target, cause, conflicts);
            }
        }
        self.keep_subtrees();
    }

    /// The nodes to which paths from a node lead that the base does not have in this section.
    fn new_targets(&self, side: usize, section: Section<'_>, row: u32, from: u32) -> Vec<u32> {
        let has_path =
            |property: &Property<'_>| memmem::find(property.source(), b"NodePath").is_some();
        if !section.properties().any(|property| has_path(&property)) {
            return Vec::new();
        }
        let base = self.names.rows.row(row).at[BASE];
        let known: HashSet<_> = (base != NONE)
            .then(|| self.names.sides[BASE].section(base).properties())
            .into_iter()
            .flatten()
            .map(|property| (property.engine_key(), property.source()))
            .collect();
        let tree = &self.names.sides[side].tree;
        let mut targets = Vec::new();
        for property in section.properties().filter(has_path) {
            if known.contains(&(property.engine_key(), property.source())) {
                continue;
            }
            for part in property.value_tree().parts() {
                let Some(path) = part.inner_text("NodePath") else { continue };
                let names = path.split(|byte| *byte == b':').next().unwrap_or_default();
                let goal = self.names.sides[side].walk(from, names);
                if !names.is_empty() && !names.starts_with(b"/") && goal.rest.is_empty() {
                    let section = tree.nodes[goal.node as usize].section;
                    targets.push(self.names.rows.of[side][section as usize]);
                }
            }
        }
        targets
    }

    /// Connections and editable instances that a side removed along with a node that is kept: who takes the other side gets
    /// them, too.
    fn keep_removed_ends(&mut self) {
        for row in self.rows() {
            let Some(by) = self.names.rows.row(row).removed_by() else { continue };
            let is_kept = |end: &u32| {
                *end != NONE && self.removed_node(*end) == Some(by) && self.is_alive[*end as usize]
            };
            if self.ends(row).iter().any(is_kept) {
                self.is_alive[row as usize] = true;
            }
        }
    }

    /// Connections and editable instances go with their nodes.
    fn drop_ends(&mut self) {
        for row in self.rows() {
            let is_dead = |end: &u32| *end != NONE && !self.is_alive[*end as usize];
            if self.ends(row).iter().any(is_dead) {
                self.is_alive[row as usize] = false;
            }
        }
    }

    /// The nodes that a connection or an editable instance names.
    fn ends(&self, index: u32) -> [u32; 2] {
        let row = self.names.rows.row(index);
        let fields = match row.kind {
            TagKind::Connection => ["from", "to"],
            TagKind::Editable => ["path", "path"],
            _ => return [NONE; 2],
        };
        let side = row.origin();
        if !row.is_in(side) {
            return [NONE; 2];
        }
        let section = self.names.sides[side].section(row.at[side]);
        fields.map(|field| self.names.end(side, section, field))
    }

    /// Keeps a thing that one side removed, with everything removed along with it.
    fn keep(&mut self, row: u32, cause: u32, conflicts: &mut Conflicts) {
        let Some(by) = self.names.rows.row(row).removed_by() else {
            self.is_alive[row as usize] = true;
            return;
        };
        let top = match self.tops[row as usize] {
            NONE => row,
            top => top,
        };
        if std::mem::replace(&mut self.reported[top as usize], true) {
            return;
        }
        conflicts.add(top, Item::Removed { by, changed: cause });
        self.is_alive[top as usize] = true;
    }

    /// With a node that was kept comes all that was removed along with it.
    fn keep_subtrees(&mut self) {
        for row in self.rows() {
            let top = self.tops[row as usize];
            if top != NONE && self.reported[top as usize] {
                self.is_alive[row as usize] = true;
            }
        }
    }
}
