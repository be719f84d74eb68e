//! What a file brings with it, and how much of it there may be.

use std::collections::BTreeMap;

pub use crate::harmless::crowd::Crowd;

/// What a file brings with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Weight {
    /// The nodes of the file itself. An instance counts as one.
    pub nodes: u64,
    /// How many nodes are above the deepest one.
    pub depth: u64,
    /// What the nodes cost, or the resource that the file is there for, and the resources that they draw: each time that the
    /// file is used.
    pub node_cost: u64,
    /// What the other resources cost, once.
    pub resource_cost: u64,
    /// What the engine may have to compare with each other, each time that the file is used.
    pub crowd: Crowd,
    /// How much the nodes may enlarge what is below them, all together: the binary logarithm, in thousandths.
    pub scale: u64,
    /// The scenes that are instanced, and the resources that are drawn, by path.
    pub uses: BTreeMap<String, Uses>,
}

/// What a file makes of a scene that it instances, or of a resource that it draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Uses {
    /// How many instances there are, or how often it is drawn.
    pub count: u64,
    /// How many nodes are above the deepest one.
    pub depth: u64,
    /// How much the largest one is enlarged, as [`Weight::scale`].
    pub scale: u64,
}

/// The most nodes of all files together, and how deep they may hang.
pub(crate) const MOST_NODES: u64 = 20_000;
pub(crate) const MOST_DEPTH: u64 = 128;
/// How much nodes may enlarge what is below them, as [`Weight::scale`]: 16,384 times. What is larger than numbers can be
/// makes physics and navigation hang.
pub(crate) const MOST_SCALE: u64 = 14_000;
/// The most that all files together may cost.
pub(crate) const MOST_COST: u64 = 64 << 20;
