//! The names of the members of all classes.

use std::hash::BuildHasher;
use std::sync::OnceLock;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::class_db::ClassDb;
use crate::class_db::rows::{Kind, Row};

/// The kinds of members that scripts name in texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberKind {
    Signal,
    Method,
    Property,
}

/// The names of each kind, collected when they are asked for first.
#[derive(Debug, Default)]
pub(super) struct MemberNames {
    hasher: DefaultHashBuilder,
    of_kind: [OnceLock<HashTable<Row>>; 3],
}

impl ClassDb {
    /// Whether any class has a member of this kind and name.
    pub(crate) fn has_member(&self, kind: MemberKind, name: &str) -> bool {
        let hash = self.member_names.hasher.hash_one(name);
        self.members(kind).find(hash, |row| row.name(&self.text) == name).is_some()
    }

    /// The names of the members of all classes, in no order.
    pub(crate) fn member_names(&self, kind: MemberKind) -> impl Iterator<Item = &str> {
        self.members(kind).iter().map(|row| row.name(&self.text))
    }

    fn members(&self, kind: MemberKind) -> &HashTable<Row> {
        let MemberNames { hasher, of_kind } = &self.member_names;
        let hash = |row: &Row| hasher.hash_one(row.name(&self.text));
        of_kind[kind as usize].get_or_init(|| {
            let rows_of = match kind {
                MemberKind::Signal => Kind::Signal,
                MemberKind::Method => Kind::Method,
                MemberKind::Property => Kind::Property,
            };
            let mut names = HashTable::new();
            for class in self.class_names().filter_map(|name| self.class(name)) {
                for row in class.own(rows_of) {
                    let is_same = |other: &Row| other.name(&self.text) == row.name(&self.text);
                    names.entry(hash(row), is_same, hash).or_insert(*row);
                }
            }
            names
        })
    }
}
