//! Which classes of a script in C# have the member.

use hashbrown::{HashMap, HashSet};

use super::{CsharpMember, MOST_PARTS};
use crate::scripts::csharp::model::Model;

/// The classes of a script with the member: the class itself, and derived ones.
#[derive(Debug)]
pub(super) struct Owners {
    has: Vec<bool>,
    hides: Vec<bool>,
    /// The names of classes inside this file that have it.
    names: HashSet<String>,
    is_ambiguous: bool,
}

impl Owners {
    pub(super) fn new(member: &CsharpMember<'_>, model: &Model<'_>, stem: &str) -> Self {
        let count = model.classes.len();
        let mut owners = Self {
            has: vec![false; count],
            hides: vec![false; count],
            names: HashSet::new(),
            is_ambiguous: false,
        };
        let mut by_base: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut found = Vec::new();
        for (index, class) in model.classes.iter().enumerate() {
            let is_named = class.name == member.class || member.heirs.contains(class.name);
            // If several files have a class, each says so.
            let is_script = class.parent.is_none() && (class.is_partial || class.name == stem);
            let extends = |base: &&str| *base == member.class || member.heirs.contains(*base);
            if is_named && is_script || class.bases.iter().any(extends) {
                found.push(index);
            } else if class.name == member.class {
                owners.is_ambiguous = true;
            }
            for base in &class.bases {
                by_base.entry(base).or_default().push(index);
            }
        }
        let overriding = overriding(model, member);
        while let Some(index) = found.pop() {
            let class = &model.classes[index];
            if owners.has[index] || owners.hides[index] {
                continue;
            }
            let declares = class.names.contains(&*member.declared_name());
            if class.name != member.class && declares && !overriding.contains(&index) {
                owners.hides[index] = true;
                continue;
            }
            owners.has[index] = true;
            owners.names.insert(class.name.to_owned());
            found.extend(by_base.remove(class.name).into_iter().flatten());
        }
        owners
    }

    /// Whether a class of the file has the member.
    pub(super) fn has(&self, class: usize) -> bool {
        self.has[class]
    }

    /// Whether a class of the file extends one with the member, and has another one of its name.
    pub(super) fn hides(&self, class: usize) -> bool {
        self.hides[class]
    }

    /// The classes of the file that have the member.
    pub(super) fn classes(&self) -> impl Iterator<Item = usize> {
        self.has.iter().enumerate().filter(|(_, has)| **has).map(|(index, _)| index)
    }

    /// Whether a type is a class with the member.
    pub(super) fn has_name(&self, member: &CsharpMember<'_>, type_name: &str) -> bool {
        type_name == member.class
            || member.heirs.contains(type_name)
            || self.names.contains(type_name)
    }

    /// Whether a class with the name of the one with the member is another one in this file.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.is_ambiguous
    }
}

/// The classes in which the name is declared with `override`.
fn overriding(model: &Model<'_>, member: &CsharpMember<'_>) -> HashSet<usize> {
    let declared = member.declared_name();
    let places = model.places.iter().filter(|place| {
        place.name == declared && place.step.field == Some("name") && place.member.is_some()
    });
    let overrides = |member: usize| {
        let node = model.members[member].node;
        let mut cursor = node.walk();
        node.named_children(&mut cursor)
            .take(MOST_PARTS)
            .any(|child| model.tree.text_of(child) == "override")
    };
    places
        .filter(|place| place.member.is_some_and(overrides))
        .filter_map(|place| place.class)
        .collect()
}
