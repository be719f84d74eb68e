//! Edits of a scene by chance. No two edits of one [`Plan`] are about the same, so that those of two sides go together.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use fastrand::Rng;

use super::scene::{Key, Kind, Node, ROOT, Resource, Scene, Value, add, keys, node, plain};

/// Something that a user does.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    Set(Key, String, Value),
    Unset(Key, String),
    /// An entry of a dictionary of a node: what is in it now.
    Entry(Key, String, Option<Value>),
    Append(Key, u32),
    Cell((u16, u16), Option<u16>),
    Rename(Key, String),
    Move(Key, Key),
    /// To this place among the children of its parent.
    Reorder(Key, usize),
    Remove(Key),
    /// With its parent in it.
    Add(Node, Key),
    /// A copy of a node and all below it, with keys from this one on.
    Duplicate(Key, Key),
    /// Gives a node a resource of its own.
    Resource(Key, String, Key),
    /// Changes a property of a resource.
    Inside(Key, String, u32),
    /// Gives a node another file.
    File(Key, Key, String),
    Connect(Key, String, Key),
    Disconnect(Key, String, Key),
    Group(Key, String, bool),
    Track(Key, u32),
    Editable(Key, bool),
}

/// What the edits of both sides are about.
pub(crate) struct Plan<'s> {
    base: &'s Scene,
    has_unique_ids: bool,
    claimed: HashSet<String>,
    /// What edits need to be there, and what they remove.
    needed: HashSet<Key>,
    gone: HashSet<Key>,
    /// What has to stay where it is, and what moves.
    fixed: HashSet<Key>,
    moved: HashSet<Key>,
    next: Key,
}

impl<'s> Plan<'s> {
    pub(crate) fn new(base: &'s Scene, has_unique_ids: bool) -> Self {
        let claimed = HashSet::new();
        let [needed, gone, fixed, moved] = [(); 4].map(|()| HashSet::new());
        Self { base, has_unique_ids, claimed, needed, gone, fixed, moved, next: 1000 }
    }

    /// What one side does. Keys of what it adds begin at the next thousand, as those of the other.
    pub(crate) fn side(
        &mut self,
        rng: &mut Rng,
        count: usize,
        may_change_resources: bool,
    ) -> Vec<Edit> {
        self.next = self.next.div_ceil(1000) * 1000 + 1000;
        let mut edits = Vec::new();
        for _ in 0..count {
            self.next += 20;
            edits.extend(self.edit(rng, may_change_resources));
        }
        edits
    }

    fn edit(&mut self, rng: &mut Rng, may_change_resources: bool) -> Option<Edit> {
        let new = self.next;
        let keys: Vec<Key> = self.base.nodes.keys().copied().collect();
        let [key, goal] = [(); 2].map(|()| keys[rng.usize(..keys.len())]);
        let node = &self.base.nodes[&key];
        let has = |name: &str| node.properties.contains_key(name);
        match rng.u8(..20) {
            0 => self.claim(key, "z_index").then(|| Edit::Set(key, "z_index".into(), plain(new))),
            1 => (has("z_index") && self.claim(key, "z_index"))
                .then(|| Edit::Unset(key, "z_index".into())),
            2 => self
                .claim(key, "any")
                .then(|| Edit::Set(key, format!("metadata/m{new}"), plain(new))),
            3 => (self.claim(goal, "any") && self.claim(key, "any"))
                .then(|| Edit::Set(key, format!("metadata/p{new}"), Value::Path(goal))),
            4 => {
                let name = ["a", "b", "c", &format!("e{new}")][rng.usize(..4)].to_owned();
                let is_free = has("metadata/entries") && self.claim(key, &format!("entry {name}"));
                let value = (name.len() > 1 || rng.bool()).then(|| plain(new));
                is_free.then_some(Edit::Entry(key, name, value))
            }
            5 => (has("metadata/list") && self.claim(key, "any")).then_some(Edit::Append(key, new)),
            6 => {
                let cell = (rng.u16(..5), rng.u16(..5));
                let tile = rng.bool().then(|| 10 + rng.u16(..4));
                self.claim(2, &format!("cell {cell:?}")).then_some(Edit::Cell(cell, tile))
            }
            7 => self.claim_place(key, "name").then(|| Edit::Rename(key, format!("Renamed{new}"))),
            8 => self.claim_move(key, goal).then_some(Edit::Move(key, goal)),
            9 => {
                let parent = node.parent?;
                let count = self.base.nodes[&parent].children.len();
                let is_free = count > 1
                    && node.kind != Kind::Inside
                    && self.claim(key, "any")
                    && self.claim(parent, "order");
                is_free.then(|| Edit::Reorder(key, rng.usize(..count)))
            }
            10 => self.claim_removal(key).then_some(Edit::Remove(key)),
            11 => {
                let kind = Kind::Of(["Node2D", "Label"][rng.usize(..2)]);
                let mut added = self::node(&format!("Added{new}"), Some(key), kind);
                added.properties.insert("z_index".into(), plain(new));
                (self.is_own(key) && self.claim(key, "any")).then_some(Edit::Add(added, new))
            }
            12 => self.claim_copy(key).then_some(Edit::Duplicate(key, new)),
            13 => {
                self.claim(key, "any").then(|| Edit::Resource(key, format!("metadata/r{new}"), new))
            }
            14 => {
                let name = ["size", "weight"][rng.usize(..2)];
                let is_free = may_change_resources
                    && has("metadata/resource")
                    && self.claim(key, &format!("in resource {name}"));
                is_free.then(|| Edit::Inside(key, name.into(), new))
            }
            15 => self
                .claim(key, "texture")
                .then(|| Edit::File(key, new, format!("res://new{}.png", new % 1000))),
            16 => {
                let is_free = self.claim(goal, "any") && self.claim(key, "any");
                is_free.then(|| Edit::Connect(key, format!("signal{new}"), goal))
            }
            17 => {
                let (from, signal, to) = self.base.connections.iter().nth(rng.usize(..8))?.clone();
                let is_free =
                    self.claim(to, "any") && self.claim(from, &format!("connection {signal} {to}"));
                is_free.then_some(Edit::Disconnect(from, signal, to))
            }
            18 => {
                let name = ["all", &format!("group{}", key % 3), &format!("g{new}")]
                    [rng.usize(..3)]
                .to_owned();
                let is_in = node.groups.contains(&name);
                self.claim(key, &format!("group {name}")).then_some(Edit::Group(key, name, !is_in))
            }
            _ => match rng.u8(..4) {
                0 => self.claim(3, "editable").then_some(Edit::Editable(3, false)),
                _ => {
                    let is_free = may_change_resources && self.claim(key, "track");
                    is_free.then_some(Edit::Track(key, new))
                }
            },
        }
    }

    /// Whether the scene itself has the node, so that it may be renamed and moved.
    fn is_own(&self, key: Key) -> bool {
        key != ROOT && matches!(self.base.nodes[&key].kind, Kind::Of(_))
    }

    /// Takes what an edit is about. Nothing that is gone is to be had.
    fn claim(&mut self, key: Key, what: &str) -> bool {
        if self.gone.contains(&key) || self.claimed.contains(&format!("{key} all")) {
            return false;
        }
        let is_new = what == "any" || self.claimed.insert(format!("{key} {what}"));
        self.needed.extend(is_new.then_some(key));
        is_new
    }

    /// Without ids a node that one side renamed or moved is known by what it has: that side changes nothing else of it, nor
    /// does the other side where it is.
    fn claim_place(&mut self, key: Key, what: &str) -> bool {
        let is_free = self.has_unique_ids || !self.needed.contains(&key);
        let what = if self.has_unique_ids { what } else { "all" };
        self.is_own(key) && is_free && self.claim(key, what)
    }

    fn claim_move(&mut self, key: Key, goal: Key) -> bool {
        let is_goal = goal == ROOT || self.is_own(goal);
        let way = self.base.way(goal);
        let node = &self.base.nodes[&key];
        // All paths of its tracks would be others.
        let is_player = self.base.below(key).contains(&1);
        if !is_goal
            || is_player
            || way.contains(&key)
            || node.parent == Some(goal)
            || self.gone.contains(&goal)
        {
            return false;
        }
        let is_circle =
            self.fixed.contains(&key) || way.iter().any(|each| self.moved.contains(each));
        let parent = node.parent.unwrap_or(ROOT);
        let has_order =
            [parent, goal].iter().any(|key| self.claimed.contains(&format!("{key} order")));
        if is_circle || has_order || !self.claim(goal, "any") || !self.claim_place(key, "parent") {
            return false;
        }
        self.claimed.extend([parent, goal].map(|key| format!("{key} order")));
        self.moved.insert(key);
        self.fixed.extend(way);
        true
    }

    /// Nothing else leads to the nodes that go.
    fn claim_removal(&mut self, key: Key) -> bool {
        let below = self.base.below(key);
        let is_used = |key: &Key| {
            let leads = |value: &Value| matches!(value, Value::Path(goal) if goal == key);
            let tracks = self.base.resources.values().flat_map(|resource| &resource.tracks);
            self.needed.contains(key)
                || self.gone.contains(key)
                || self.base.connections.iter().any(|(from, _, to)| from == key || to == key)
                || self.base.nodes.values().any(|node| node.properties.values().any(leads))
                || tracks.into_iter().any(|(goal, _)| goal == key)
        };
        let is_free = self.is_own(key)
            && !below.contains(&1)
            && !below.contains(&2)
            && !below.iter().any(is_used);
        // Whether something moves out of it, or into it, is told by what is needed.
        if is_free {
            self.gone.extend(below);
        }
        is_free
    }

    fn claim_copy(&mut self, key: Key) -> bool {
        let below = self.base.below(key);
        let is_free = self.is_own(key)
            && key > 3
            && below.iter().all(|key| !self.needed.contains(key) && !self.gone.contains(key));
        if is_free {
            self.needed.extend(&below);
            let parent = self.base.nodes[&key].parent.unwrap();
            self.needed.insert(parent);
            // The copy has what its source has now.
            self.claimed.extend(below.iter().map(|key| format!("{key} all")));
        }
        is_free && !self.gone.contains(&self.base.nodes[&key].parent.unwrap())
    }
}

/// The scene with edits made.
pub(crate) fn with(scene: &Scene, edits: &[Edit]) -> Scene {
    let mut scene = scene.clone();
    for edit in edits {
        apply(&mut scene, edit.clone());
    }
    scene
}

fn apply(scene: &mut Scene, edit: Edit) {
    match edit {
        Edit::Set(key, name, value) => drop(properties(scene, key).insert(name, value)),
        Edit::Unset(key, name) => drop(properties(scene, key).remove(&name)),
        Edit::Entry(key, name, value) => {
            if let Some(Value::Dictionary(entries)) =
                properties(scene, key).get_mut("metadata/entries")
            {
                match value {
                    Some(value) => drop(entries.insert(name, value)),
                    None => drop(entries.remove(&name)),
                }
            }
        }
        Edit::Append(key, number) => {
            if let Some(Value::List(numbers)) = properties(scene, key).get_mut("metadata/list") {
                numbers.push(number);
            }
        }
        Edit::Cell(cell, tile) => {
            if let Some(Value::Cells(cells)) = properties(scene, 2).get_mut("tile_map_data") {
                match tile {
                    Some(tile) => drop(cells.insert(cell, tile)),
                    None => drop(cells.remove(&cell)),
                }
            }
        }
        Edit::Rename(key, name) => scene.nodes.get_mut(&key).unwrap().name = name,
        Edit::Move(key, goal) => {
            leave_parent(scene, key);
            scene.nodes.get_mut(&key).unwrap().parent = Some(goal);
            scene.nodes.get_mut(&goal).unwrap().children.push(key);
        }
        Edit::Reorder(key, place) => {
            let parent = leave_parent(scene, key);
            let children = &mut scene.nodes.get_mut(&parent).unwrap().children;
            children.insert(place.min(children.len()), key);
        }
        Edit::Remove(key) => {
            leave_parent(scene, key);
            for key in scene.below(key) {
                scene.nodes.remove(&key);
            }
        }
        Edit::Add(node, new) => add(scene, new, node),
        Edit::Duplicate(key, new) => duplicate(scene, key, new),
        Edit::Resource(key, name, new) => {
            let properties_of = [("size".to_owned(), plain(new))].into();
            scene.resources.insert(
                new,
                Resource { kind: "Gradient", properties: properties_of, tracks: Vec::new() },
            );
            properties(scene, key).insert(name, Value::Resource(new));
        }
        Edit::Inside(key, name, value) => {
            scene.resources.get_mut(&key).unwrap().properties.insert(name, plain(value));
        }
        Edit::File(key, new, path) => {
            scene.files.insert(new, path);
            properties(scene, key).insert("texture".into(), Value::File(new));
        }
        Edit::Connect(from, signal, to) => drop(scene.connections.insert((from, signal, to))),
        Edit::Disconnect(from, signal, to) => drop(scene.connections.remove(&(from, signal, to))),
        Edit::Group(key, name, is_in) => {
            let groups: &mut BTreeSet<String> = &mut scene.nodes.get_mut(&key).unwrap().groups;
            if is_in {
                groups.insert(name)
            } else {
                groups.remove(&name)
            };
        }
        Edit::Track(key, value) => {
            let tracks = &mut scene.resources.get_mut(&500).unwrap().tracks;
            match tracks.iter_mut().find(|(goal, _)| *goal == key) {
                Some(track) => track.1 = keys(value),
                None => tracks.push((key, keys(value))),
            }
        }
        Edit::Editable(key, is_editable) => {
            if let Kind::Instance(_, editable) = &mut scene.nodes.get_mut(&key).unwrap().kind {
                *editable = is_editable;
            }
        }
    }
}

fn properties(scene: &mut Scene, key: Key) -> &mut BTreeMap<String, Value> {
    &mut scene.nodes.get_mut(&key).unwrap().properties
}

fn leave_parent(scene: &mut Scene, key: Key) -> Key {
    let parent = scene.nodes[&key].parent.unwrap();
    scene.nodes.get_mut(&parent).unwrap().children.retain(|child| *child != key);
    parent
}

/// Copies share their resources.
fn duplicate(scene: &mut Scene, key: Key, new: Key) {
    let copies: BTreeMap<Key, Key> = scene.below(key).into_iter().zip(new..).collect();
    for (old, new) in &copies {
        let mut copy = scene.nodes[old].clone();
        copy.children =
            copy.children.iter().filter_map(|child| copies.get(child)).copied().collect();
        if old == &key {
            copy.name = format!("Copy{new}");
            let parent = copy.parent.unwrap();
            scene.nodes.get_mut(&parent).unwrap().children.push(*new);
        } else {
            copy.parent = copy.parent.map(|parent| copies[&parent]);
        }
        scene.nodes.insert(*new, copy);
    }
}
