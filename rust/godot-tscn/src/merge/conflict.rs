//! The disagreements of the two sides, as they are found.

/// Begins the id of a resource that both sides removed, so that it is equal to no other. No text has it: Godot skips the
/// character outside strings, and ids have none.
pub(super) const GONE: &[u8] = b"\x01gone ";

/// The subject of a conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A field of the tag.
    Field(String),
    /// A property.
    Property(String),
    /// One side removed it, and the other side changed it or something below it.
    Removed {
        /// Who removed it.
        by: usize,
        /// The row that the other side changed.
        changed: u32,
    },
    /// One side removed a track of the animation, and the other side changed it.
    Track {
        /// Who removed it.
        by: usize,
        /// Its identity, as it is written.
        kind: Vec<u8>,
        path: Vec<u8>,
    },
    /// Another node has the name; it had the one given here.
    Name(String),
    /// The order of its children.
    Order,
}

/// A conflict at a row.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) row: u32,
    pub(super) item: Item,
    /// The value of each text, as it would be written in the result.
    pub(super) values: [Option<Vec<u8>>; 3],
    /// Whether the value of the base cannot be written in the result.
    pub(super) is_base_gone: bool,
}

/// Something that was settled in favour of ours, because it has no effect on the scene.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    pub(super) row: u32,
    pub(super) name: String,
    pub(super) theirs: Option<Vec<u8>>,
}

#[derive(Debug, Default)]
pub(crate) struct Conflicts {
    pub(super) found: Vec<Found>,
    pub(super) settled: Vec<Settled>,
}

impl Conflicts {
    pub(super) fn add(&mut self, row: u32, item: Item) {
        self.add_values(row, item, [None, None, None]);
    }

    pub(super) fn add_values(&mut self, row: u32, item: Item, values: [Option<Vec<u8>>; 3]) {
        let is_known = |found: &Found| found.row == row && found.item == item;
        if !self.found.last().is_some_and(is_known) {
            self.found.push(Found { row, item, values, is_base_gone: false });
        }
    }

    /// Leaves out the value of the base if it names a resource that the result does not have.
    pub(super) fn forget_gone(&mut self) {
        for found in &mut self.found {
            let base = &mut found.values[super::side::BASE];
            if base.as_ref().is_some_and(|base| memchr::memmem::find(base, GONE).is_some()) {
                *base = None;
                found.is_base_gone = true;
            }
        }
    }

    pub(super) fn settle(&mut self, row: u32, name: String, theirs: Option<Vec<u8>>) {
        self.settled.push(Settled { row, name, theirs });
    }
}
