//! Differences that say nothing, counted.

use crate::diff::Noise;

pub(super) const IDS: &str = "ids of resources";
pub(super) const UNIQUE_IDS: &str = "unique ids";
pub(super) const UIDS: &str = "uids";
pub(super) const LOAD_STEPS: &str = "load_steps";
pub(super) const EDITOR: &str = "state of the editor";
pub(super) const ORDER_OF_RESOURCES: &str = "order of resources";
pub(super) const ORDER_OF_CONNECTIONS: &str = "order of connections";
pub(super) const ORDER_OF_PROPERTIES: &str = "order of properties";
pub(super) const ORDER_OF_SECTIONS: &str = "order of sections";
pub(super) const SPELLING: &str = "how values are written";
pub(super) const DOUBLED: &str = "values that Godot does not read";
pub(super) const COMMENTS: &str = "comments";
pub(super) const IMPORT: &str = "what the import makes";
pub(super) const NUMBERS: &str = "numbers of export presets";
pub(super) const MARK: &str = "byte order mark";
pub(super) const LINE_ENDS: &str = "line ends";
pub(super) const LAYOUT: &str = "how the text is written";

/// How many there are of each kind, in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Tally(Vec<Noise>);

impl Tally {
    pub(super) fn add(&mut self, what: &'static str, count: usize) {
        if count == 0 {
            return;
        }
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        match self.0.iter_mut().find(|noise| noise.what == what) {
            Some(noise) => noise.count = noise.count.saturating_add(count),
            None => self.0.push(Noise { what, count }),
        }
    }

    pub(super) fn into_noise(self) -> Vec<Noise> {
        self.0
    }
}
