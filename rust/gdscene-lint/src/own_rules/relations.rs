//! Which nodes are around a node, and which connections begin there.

use std::cell::Cell;
use std::rc::Rc;

use super::conditions::{Connection, Counted, Relation, Truth};
use super::nodes::{Above, Nodes, Place};
use super::objects::Objects;
use super::scene_text::{ConnectionText, Connections};

impl Objects<'_, '_> {
    pub(super) fn is_connected(&self, node: usize, wanted: &Connection) -> Truth {
        let is_named = |names: &[String], name: &String| names.is_empty() || names.contains(name);
        let is_wanted = |found: &ConnectionText| {
            is_named(&wanted.signals, &found.signal) && is_named(&wanted.methods, &found.method)
        };
        let own = self.connections.get_or_init(|| Connections::new(self.context.document));
        let mut count = 0;
        let mut add = |connections: &Connections, path: &str| {
            count += connections.from(path).iter().filter(|found| is_wanted(found)).count();
        };
        let mut are_all = !self.nodes().place(node).node.is_opaque();
        // The texts in which the node is: those with it, or a node above it, at their root.
        let (mut place, mut path) = (self.nodes().place(node), ".".to_owned());
        loop {
            for said in place.node.said().filter(|said| said.is_root && !said.is_own) {
                match self.text_of(said.path) {
                    Some((_, text)) => add(&text.connections, &path),
                    None => are_all = false,
                }
            }
            match place.above {
                Above::Nothing => break add(own, &path),
                Above::Unknown => break are_all = false,
                Above::Node(above) => {
                    path = match path.as_str() {
                        "." => place.name.clone(),
                        path => format!("{}/{path}", place.name),
                    };
                    place = self.nodes().place(above);
                }
            }
        }
        wanted.count.of(std::iter::repeat_n(Truth::Yes, count), || are_all)
    }

    pub(super) fn count(
        &self,
        node: usize,
        place: &Place<'_>,
        relation: Relation,
        Counted { conditions, count }: &Counted,
    ) -> Truth {
        let nodes = self.nodes();
        let of = |node: usize| match nodes.step() {
            true => self.are_all(node, conditions),
            false => Truth::Unknown,
        };
        let parent = match place.above {
            Above::Nothing => None,
            Above::Node(parent) => Some(parent),
            Above::Unknown if matches!(relation, Relation::Child | Relation::Descendant) => None,
            Above::Unknown => return Truth::Unknown,
        };
        match relation {
            Relation::Child => {
                let children = nodes.children(node);
                count.of(children.nodes.iter().map(|child| of(*child)), || children.are_all)
            }
            Relation::Sibling => {
                let Some(parent) = parent else { return count.of([], || true) };
                let children = nodes.children(parent);
                let others = children.nodes.iter().filter(|other| **other != node);
                count.of(others.map(|other| of(*other)), || children.are_all)
            }
            Relation::Parent => count.of(parent.map(of), || true),
            Relation::Ancestor => {
                let mut above = Above::Nothing;
                let ancestors = std::iter::successors(parent, |node| {
                    above = nodes.place(*node).above;
                    match above {
                        Above::Node(parent) => Some(parent),
                        Above::Nothing | Above::Unknown => None,
                    }
                });
                let truths: Vec<Truth> = ancestors.map(of).collect();
                count.of(truths, || above != Above::Unknown)
            }
            Relation::Descendant => {
                let below = Below::new(nodes, node);
                let is_complete = Rc::clone(&below.is_complete);
                count.of(below.map(of), || is_complete.get())
            }
        }
    }

    /// Whether there is the right number of nodes in the whole scene.
    pub(super) fn count_all(&self, Counted { conditions, count }: &Counted) -> Truth {
        let below = Below::new(self.nodes(), Nodes::ROOT);
        let is_complete = Rc::clone(&below.is_complete);
        let of = |node| self.are_all(node, conditions);
        count.of(std::iter::once(Nodes::ROOT).chain(below).map(of), || is_complete.get())
    }
}

/// All nodes below another one, each before those below it.
struct Below<'n, 'o, 'c> {
    nodes: &'n Nodes<'o, 'c>,
    open: Vec<usize>,
    /// Whether there are certainly no others than those that have come.
    is_complete: Rc<Cell<bool>>,
}

impl<'n, 'o, 'c> Below<'n, 'o, 'c> {
    fn new(nodes: &'n Nodes<'o, 'c>, top: usize) -> Self {
        let mut below = Self { nodes, open: Vec::new(), is_complete: Rc::default() };
        below.is_complete.set(true);
        below.enter(top);
        below
    }

    fn enter(&mut self, node: usize) {
        let children = self.nodes.children(node);
        self.open.extend(children.nodes.iter().rev());
        if !children.are_all {
            self.is_complete.set(false);
        }
    }
}

impl Iterator for Below<'_, '_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let node = self.open.pop()?;
        if !self.nodes.step() {
            self.is_complete.set(false);
            self.open.clear();
            return None;
        }
        self.enter(node);
        Some(node)
    }
}
