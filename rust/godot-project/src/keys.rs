//! The properties of sections by their keys: a question about another property does not walk through its section again.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use godot_tscn::{Property, Section};
use hashbrown::HashMap;

/// The properties of a section by their keys, each in the order of the text.
#[derive(Default)]
pub(crate) struct Keys<'c> {
    by_key: HashMap<Cow<'c, [u8]>, Vec<Property<'c>>>,
}

impl<'c> Keys<'c> {
    pub(crate) fn of(section: Section<'c>) -> Self {
        let mut by_key: HashMap<_, Vec<_>> = HashMap::new();
        for property in section.properties() {
            by_key.entry(property.engine_key()).or_default().push(property);
        }
        Self { by_key }
    }

    /// The last property with a key, which is the one that counts.
    pub(crate) fn last(&self, key: impl AsRef<[u8]>) -> Option<Property<'c>> {
        self.by_key.get(key.as_ref())?.last().copied()
    }

    /// The last property with a key before another property: the value that Godot has read when it comes to that
    /// one.
    pub(crate) fn before(
        &self,
        property: Property<'_>,
        key: impl AsRef<[u8]>,
    ) -> Option<Property<'c>> {
        let all = self.by_key.get(key.as_ref())?;
        let start = property.key_span().start;
        let count = all.partition_point(|found| found.key_span().start < start);
        Some(all[count.checked_sub(1)?])
    }

    /// Whether a property is the last one with its key.
    pub(crate) fn is_last(&self, property: Property<'_>) -> bool {
        let all = self.by_key.get(&*property.engine_key());
        let last = all.and_then(|all| all.last());
        last.is_some_and(|last| last.key_span() == property.key_span())
    }
}

/// The keys of sections, made when they are asked for.
#[derive(Default)]
pub(crate) struct AllKeys<'c> {
    by_section: RefCell<HashMap<u32, Rc<Keys<'c>>>>,
}

impl<'c> AllKeys<'c> {
    pub(crate) fn of(&self, section: Section<'c>) -> Rc<Keys<'c>> {
        let mut all = self.by_section.borrow_mut();
        Rc::clone(all.entry(section.index()).or_insert_with(|| Rc::new(Keys::of(section))))
    }
}

/// Whether a value is short enough to be read once for each of many other properties, as references, numbers and
/// conditions are. A long one in a hostile file would make that quadratic.
pub(crate) fn is_short(property: &Property<'_>) -> bool {
    const MOST: usize = 4096;
    property.source().len() <= MOST
}
