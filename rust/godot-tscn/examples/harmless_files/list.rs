//! The list of what is known to be harmless, read once more: the linter's own reading of it is what the files put to the test.

use std::collections::{BTreeMap, BTreeSet};

/// Written by `scripts/data/harmless.sh`.
const LIST: &str = include_str!("../../data/harmless.txt");
const ANIMATED: &str = include_str!("../../data/animated.txt");

pub(crate) struct Class {
    base: &'static str,
    pub(crate) can_be_made: bool,
    /// Own properties with the shapes of their values.
    properties: Vec<(&'static str, &'static str)>,
    /// Properties that objects cost more by.
    counted: Vec<&'static str>,
}

pub(crate) struct List {
    pub(crate) classes: BTreeMap<&'static str, Class>,
    /// For each class of resource, a property that leads nearer to one that a node has: `(holder, property)`.
    uses: BTreeMap<&'static str, (&'static str, &'static str)>,
}

impl List {
    pub(crate) fn read() -> Self {
        let mut classes = BTreeMap::new();
        for block in LIST.split("\n=").skip(1) {
            let mut lines = block.lines();
            let mut head = lines.next().unwrap_or_default().split('\t');
            let (name, base) = (head.next().unwrap_or_default(), head.next().unwrap_or_default());
            let can_be_made = head.next() == Some("+");
            let mut class =
                Class { base, can_be_made, properties: Vec::new(), counted: Vec::new() };
            for line in lines {
                match line.strip_prefix('$') {
                    Some(cost) => class.counted.extend(counted(cost)),
                    None => class.properties.extend(line.split_once('\t')),
                }
            }
            classes.insert(name, class);
        }
        let mut list = Self { classes, uses: BTreeMap::new() };
        list.uses = list.find_uses();
        list
    }

    pub(crate) fn inherits(&self, class: &str, base: &str) -> bool {
        self.line(class).any(|found| found == base)
    }

    /// The class and its bases.
    fn line(&self, class: &str) -> impl Iterator<Item = &'static str> {
        let first = self.classes.get_key_value(class).map(|(name, _)| *name);
        std::iter::successors(first, |name| {
            self.classes.get_key_value(self.classes[name].base).map(|(name, _)| *name)
        })
    }

    /// All properties of a class with their shapes.
    pub(crate) fn properties(&self, class: &str) -> Vec<(&'static str, &'static str)> {
        let line = self.line(class);
        line.flat_map(|class| self.classes[class].properties.iter().copied()).collect()
    }

    pub(crate) fn is_counted(&self, class: &str, property: &str) -> bool {
        self.line(class).any(|class| self.classes[class].counted.contains(&property))
    }

    /// What animations may do with a property of this name, of whichever class it turns out to be: nothing (0), set it to keys
    /// (1), to what is between them (2), or beyond (3).
    pub(crate) fn in_tracks(&self, property: &str) -> u8 {
        let of_class = |(name, class): (&&'static str, &Class)| {
            let shape = class.properties.iter().find(|(own, _)| *own == property)?.1;
            let is_never = **name == *"AnimationMixer"
                || !ANIMATED.lines().any(|line| line == property)
                || class.counted.contains(&property);
            Some(if is_never { 0 } else { in_tracks(shape) })
        };
        self.classes.iter().filter_map(of_class).min().unwrap_or(0)
    }

    /// The classes that can be made and inherit `base`.
    pub(crate) fn makeable(&self, base: &str) -> Vec<&'static str> {
        let all = self.classes.iter().filter(|(_, class)| class.can_be_made);
        all.map(|(name, _)| *name).filter(|name| self.inherits(name, base)).collect()
    }

    /// The way from a node to a resource of the class: `[(holder, property), …]`, the node first. Empty if there is none.
    pub(crate) fn way_to(&self, class: &str) -> Vec<(&'static str, &'static str)> {
        let mut way = Vec::new();
        let mut class = class;
        while let Some(step) = self.uses.get(class) {
            way.insert(0, *step);
            class = step.0;
        }
        way
    }

    fn find_uses(&self) -> BTreeMap<&'static str, (&'static str, &'static str)> {
        let mut uses = BTreeMap::new();
        let mut reached: BTreeSet<&'static str> = self.makeable("Node").into_iter().collect();
        loop {
            let mut more = Vec::new();
            for holder in &reached {
                for (property, shape) in self.properties(holder) {
                    for class in self.wanted(property, shape) {
                        if !reached.contains(class) {
                            more.push((class, (*holder, property)));
                        }
                    }
                }
            }
            if more.is_empty() {
                return uses;
            }
            for (class, step) in more {
                if reached.insert(class) {
                    uses.insert(class, step);
                }
            }
        }
    }

    /// The classes that values of a property may have.
    pub(crate) fn wanted(&self, property: &str, shape: &str) -> Vec<&'static str> {
        // Deep in each other, these would be a part of themselves.
        if matches!(property, "next_pass" | "base_font") {
            return Vec::new();
        }
        match shape.split_once(' ') {
            Some(("resource", bases)) => {
                bases.split(' ').flat_map(|base| self.makeable(base)).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn in_tracks(shape: &str) -> u8 {
    let words: Vec<&str> = shape.split(' ').collect();
    let limit = |back: usize| words[words.len() - back].parse::<f64>().unwrap_or_default();
    let is_wide = words.len() > 2 && limit(1) >= 1000.0 && (limit(2) <= -1000.0 || limit(2) == 0.0);
    match words[0] {
        "text" | "name" | "resource" => 1,
        "float" | "numbers" if is_wide => 3,
        "bool" | "int" | "float" | "numbers" => 2,
        _ => 0,
    }
}

/// The properties in `vertices 4*rings=32*amount=8/0.5`, `draws amount=8 mesh` and `points path bake_interval=5`.
fn counted(row: &'static str) -> Vec<&'static str> {
    let (thing, row) = row.split_once(' ').unwrap_or((row, ""));
    if row.starts_with("path ") {
        return vec!["_data", "bake_interval"];
    }
    if row == "collider" {
        return vec!["polygon"];
    }
    if thing == "draws" {
        return row.split(' ').map(|word| word.split('=').next().unwrap_or(word)).collect();
    }
    row.split('*').filter_map(|factor| Some(factor.split_once('=')?.0)).collect()
}
