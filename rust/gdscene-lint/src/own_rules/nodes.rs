//! The nodes of a scene and of its instances, made when a rule asks for them, each once.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use godot_project::object_type::ObjectType;
use godot_project::{Node, SceneContext};
use hashbrown::HashMap;

use super::conditions::Truth;

/// The nodes that were asked for.
pub(super) struct Nodes<'o, 'c> {
    context: &'o SceneContext<'c>,
    all: RefCell<Vec<Rc<Place<'c>>>>,
    /// How many nodes the rule may still look at, and all rules.
    steps: Cell<u32>,
    steps_of_all: Cell<u32>,
    listed: OnceCell<Vec<Listed>>,
}

/// A node, and where it is.
pub(super) struct Place<'c> {
    pub(super) node: Node,
    pub(super) name: String,
    pub(super) above: Above,
    /// How far below the root it is.
    pub(super) depth: u32,
    /// Whether it is below something unknown.
    is_detached: bool,
    /// The first tag of the scene's own text that is about it.
    pub(super) own_tag: Option<u32>,
    children: OnceCell<Rc<Children>>,
    object: OnceCell<Rc<ObjectType<'c>>>,
    /// Whether it is of each of the classes that rules name.
    pub(super) classes: OnceCell<Rc<[Truth]>>,
}

/// What is above a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Above {
    Nothing,
    Node(usize),
    /// A node that nothing is known of, as in an imported scene.
    Unknown,
}

/// The children of a node.
pub(super) struct Children {
    pub(super) nodes: Vec<usize>,
    /// Whether there are certainly no others.
    pub(super) are_all: bool,
}

/// A node that the scene's own text lists.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    pub(super) tag: u32,
    pub(super) node: usize,
}

/// The largest number of nodes of a scene, those in instances included, that are kept.
const MAX_NODES: usize = 100_000;

/// The largest number of nodes that a rule looks at in one file, each time it looks at one. Beyond it, nothing is certain.
const MAX_STEPS: u32 = 300_000;

/// The same for all rules together.
const MAX_STEPS_OF_ALL: u32 = 10_000_000;

impl<'o, 'c> Nodes<'o, 'c> {
    pub(super) fn new(context: &'o SceneContext<'c>) -> Self {
        let nodes = Self {
            context,
            all: RefCell::default(),
            steps: Cell::new(MAX_STEPS),
            steps_of_all: Cell::new(MAX_STEPS_OF_ALL),
            listed: OnceCell::new(),
        };
        let root = context.root();
        nodes.add(root.node().clone(), root.name().to_owned(), Above::Nothing, 0, false);
        nodes
    }

    /// The root of the scene.
    pub(super) const ROOT: usize = 0;

    pub(super) fn place(&self, node: usize) -> Rc<Place<'c>> {
        Rc::clone(&self.all.borrow()[node])
    }

    /// Lets the next rule look at as many nodes as the one before.
    pub(super) fn begin_rule(&self) {
        self.steps.set(MAX_STEPS.min(self.steps_of_all.get()));
    }

    /// Whether one more node may be looked at.
    pub(super) fn step(&self) -> bool {
        let left = self.steps.get().checked_sub(1);
        self.steps.set(left.unwrap_or(0));
        self.steps_of_all.set(self.steps_of_all.get().saturating_sub(1));
        left.is_some()
    }

    pub(super) fn children(&self, node: usize) -> Rc<Children> {
        let place = self.place(node);
        let made = || Rc::new(self.made_children(node, &place));
        Rc::clone(place.children.get_or_init(made))
    }

    fn made_children(&self, node: usize, place: &Place<'c>) -> Children {
        let made = place.node.made_children();
        if self.all.borrow().len() + made.len() > MAX_NODES {
            return Children { nodes: Vec::new(), are_all: false };
        }
        let mut nodes = Vec::with_capacity(made.len());
        for child in made {
            let name = place.node.name_of(child).to_owned();
            if let Some(child) = place.node.made_child(self.context.project, child) {
                let above = Above::Node(node);
                nodes.push(self.add(child, name, above, place.depth + 1, place.is_detached));
            }
        }
        Children { nodes, are_all: !place.node.is_opaque() }
    }

    fn add(&self, node: Node, name: String, above: Above, depth: u32, is_detached: bool) -> usize {
        let own_tag = node.said().find(|said| said.is_own).and_then(|said| said.tag);
        let place = Place {
            node,
            name,
            above,
            depth,
            is_detached,
            own_tag,
            children: OnceCell::new(),
            object: OnceCell::new(),
            classes: OnceCell::new(),
        };
        let mut all = self.all.borrow_mut();
        all.push(Rc::new(place));
        all.len() - 1
    }

    /// The nodes that the scene's own text lists, in its order: those that it adds, those that it instances, and those of
    /// instances that it changes. A node that is not certain to exist is left out.
    pub(super) fn listed(&self) -> &[Listed] {
        self.listed.get_or_init(|| {
            let mut found: HashMap<u32, usize> = HashMap::new();
            self.listed_below(Self::ROOT, &mut found);
            let count = self.context.tree().tags().len() as u32;
            for tag in 0..count {
                if found.contains_key(&tag) {
                    continue;
                }
                // What is in an imported scene, or below nodes that are not there.
                let Some(node) = self.context.made_by_tag(tag) else { continue };
                let path = self.context.tree().path_of_tag(tag).unwrap_or_default();
                let name = self.context.tree().tags()[tag as usize].name.clone();
                let depth = path.matches('/').count() as u32 + 1;
                let node = self.add(node, name, Above::Unknown, depth, true);
                self.listed_below(node, &mut found);
            }
            let mut listed: Vec<Listed> =
                found.into_iter().map(|(tag, node)| Listed { tag, node }).collect();
            listed.sort_unstable_by_key(|listed| listed.tag);
            listed
        })
    }

    /// Adds a node and all below it that have tags.
    fn listed_below(&self, top: usize, found: &mut HashMap<u32, usize>) {
        let tree = self.context.tree();
        let mut open = VecDeque::from([top]);
        while let Some(node) = open.pop_front() {
            let place = self.place(node);
            if let Some(tag) = place.own_tag {
                found.entry(tag).or_insert(node);
            }
            let own = place.node.said().find(|said| said.is_own).map(|said| said.entry);
            if own.is_some_and(|entry| tree.lists_children_of(entry)) {
                open.extend(&self.children(node).nodes);
            }
        }
    }

    /// What the node is.
    pub(super) fn object(&self, place: &Place<'c>) -> Rc<ObjectType<'c>> {
        let made = || {
            let own = place.node.said().find(|said| said.is_own).and_then(|said| said.definition);
            let tag = own.filter(|_| !place.is_detached);
            match tag.and_then(|tag| self.context.tree().tags().get(tag as usize)) {
                // The script may be inside this text.
                Some(tag) => self.context.attached(self.context.section(tag.section)),
                None => self.context.attached_to_tree_node(&place.node),
            }
        };
        Rc::clone(place.object.get_or_init(made))
    }

    /// The path from the root: `.`, `Arm/Hand`. Nothing if nodes above it are not known.
    pub(super) fn path(&self, node: usize) -> Option<String> {
        let mut names = Vec::new();
        let mut place = self.place(node);
        loop {
            match place.above {
                Above::Nothing => break,
                Above::Unknown => return None,
                Above::Node(above) => {
                    names.push(place.name.clone());
                    place = self.place(above);
                }
            }
        }
        names.reverse();
        Some(if names.is_empty() { ".".to_owned() } else { names.join("/") })
    }
}
