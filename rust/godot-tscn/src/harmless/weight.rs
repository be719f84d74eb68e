//! The weight of a file.

use std::collections::BTreeMap;

use super::letters::Letters;
use crate::budget::{Tally, Thing};

/// The weight of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Weight {
    /// The weight of each use: its nodes, or the main resource of the file, and the resources that they draw.
    pub each: Tally,
    /// The weight that counts once: its text and the other resources.
    pub once: Tally,
    /// The factor by which the nodes may enlarge the nodes below them, all together: the binary logarithm, in
    /// thousandths.
    pub scale: u64,
    /// How many distinct letters its texts have, each text for itself.
    pub letters: u64,
    /// The sizes of letters and the fonts that it brings.
    pub(crate) fonts: Letters,
    /// The scenes that are instanced, and the resources that are drawn, by path.
    pub uses: BTreeMap<String, Uses>,
}

/// The uses by a file of a scene that it instances, or of a resource that it draws.
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

/// Adds the values that follow from the other numbers: pixels of letters, pairs of things that may meet, and the
/// enlargement.
pub(crate) fn finish(tally: &mut Tally, letters: u64, fonts: &Letters, scale: u64) {
    tally.add(Thing::Pixels, fonts.pixels(letters));
    let times = 2_f64.powf(scale.min(60_000) as f64 / 1000.0);
    tally.raise(Thing::Enlargement, times.floor() as u64);
    tally.raise(Thing::Pairs, pairs(tally));
}

/// The comparisons that a step of physics, navigation or a signal may need, each with each, weighed by their cost.
/// `scripts/test/scenes/harmless.sh --limits` shows that no more than the budget is cheap.
fn pairs(tally: &Tally) -> u64 {
    use Thing::*;
    let of = |thing| tally.get(thing);
    // Each touch may show and hide all that is below a node.
    let touched = of(Touches).saturating_mul(of(MovingShapes));
    let touches = touched.saturating_mul(of(Nodes)).saturating_mul(8);
    let pairs = [
        (MovingShapes, Shapes, 230),
        (MovingShapes, Points, 300),
        // All edges of one hull with all edges of another.
        (MovingHulls, Points, 2_000),
        (Rays, Shapes, 400),
        (Rays, Points, 24),
        (Links, Polygons, 1),
        (FreeEdges, FreeEdges, 2),
        (Connections, Nodes, 4),
        (Connections, Controls, 4),
        (Connections, Texts, 40),
        // Stopping an animation clears its data on all its tracks.
        (Connections, Keys, 4),
        // A key may change all that is below a node.
        (Keys, Nodes, 4),
    ];
    let of_pair = |(one, other, cost)| of(one).saturating_mul(of(other)).saturating_mul(cost);
    pairs.into_iter().map(of_pair).fold(touches, u64::saturating_add)
}
