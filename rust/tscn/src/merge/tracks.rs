//! The tracks of an animation, which the text numbers: a track is the same by its type and path, whatever its number.

use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};

use crate::merge::canonical::is_same_or_none;
use crate::merge::keyed;
use crate::merge::side::{BASE, OURS, THEIRS};

/// What stands before the number. Nothing else in a scene names a track by its number.
pub(super) const TRACKS: &[u8] = b"tracks/";

/// Of each side the numbers that its tracks have in the result, by those that they have there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TrackNumbers([HashMap<u32, u32>; 3]);

/// A property of a track: its name behind the number, the number, and the values of the sides.
pub(super) type TrackProperty<'t> = (&'t [u8], u32, [Option<&'t [u8]>; 3]);

/// What a track is of: its type and path.
type Identity<'t> = [Option<&'t [u8]>; 2];

/// The values of a track, by name.
type Values<'t> = BTreeMap<&'t [u8], &'t [u8]>;

impl TrackNumbers {
    /// What a property is called in the result, if that is something else.
    pub(super) fn renamed(&self, side: usize, key: &[u8]) -> Option<Vec<u8>> {
        let rest = key.strip_prefix(TRACKS)?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let old: u32 = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        let new = self.0[side].get(&old).filter(|new| **new != old)?;
        Some([TRACKS, new.to_string().as_bytes(), &rest[digits..]].concat())
    }

    /// Tracks of theirs that are put behind those of ours.
    pub(super) fn behind(first: u32, count: u32, by: u32) -> Self {
        let numbers = (first..count).map(|number| (number, number + by)).collect();
        Self([HashMap::new(), HashMap::new(), numbers])
    }

    /// Where each track of the three sides goes. Nothing where tracks cannot be told apart, where theirs has them in
    /// another order, and where one side removed what the other changed.
    pub(super) fn by_path(properties: &[TrackProperty<'_>]) -> Option<Self> {
        let tracks = [BASE, OURS, THEIRS].map(|side| tracks(properties, side));
        let [base, ours, theirs] = tracks.each_ref().map(Option::as_ref);
        let [base, ours, theirs] = [base?, ours?, theirs?];
        if loses_changes(base, ours, theirs) || loses_changes(base, theirs, ours) {
            return None;
        }
        if common(base, theirs) != common(theirs, base) {
            return None;
        }
        let is_kept = |identity: &&Identity<'_>| {
            theirs.values.contains_key(*identity) || !base.values.contains_key(*identity)
        };
        let kept: Vec<Identity<'_>> = ours.order.iter().filter(is_kept).copied().collect();
        let is_new = |identity: &Identity<'_>| !base.values.contains_key(identity);
        let all = keyed::joined(&kept, &theirs.order, is_new);
        // Those that go have numbers of their own, too.
        let sides = [base, ours, theirs];
        let mut new: HashMap<Identity<'_>, u32> = HashMap::new();
        for identity in all.iter().chain(sides.iter().flat_map(|side| &side.order)) {
            let next = new.len() as u32;
            new.entry(*identity).or_insert(next);
        }
        let numbers =
            |side: &Tracks<'_>| (0..).zip(&side.order).map(|(old, it)| (old, new[it])).collect();
        Some(Self(sides.map(numbers)))
    }
}

/// The tracks of a side.
struct Tracks<'t> {
    order: Vec<Identity<'t>>,
    values: HashMap<Identity<'t>, Values<'t>>,
}

/// The tracks of a side, if there are no gaps in their numbers, and no two are of the same.
fn tracks<'t>(properties: &[TrackProperty<'t>], side: usize) -> Option<Tracks<'t>> {
    let mut numbered: BTreeMap<u32, Values<'t>> = BTreeMap::new();
    for (name, number, values) in properties {
        if let Some(value) = values[side] {
            numbered.entry(*number).or_default().insert(name, value);
        }
    }
    let mut tracks = Tracks { order: Vec::new(), values: HashMap::new() };
    for (expected, (number, values)) in (0..).zip(numbered) {
        let identity = [&b"/type"[..], b"/path"].map(|name| values.get(name).copied());
        tracks.order.push(identity);
        if number != expected || tracks.values.insert(identity, values).is_some() {
            return None;
        }
    }
    Some(tracks)
}

/// The tracks of one side that another has, too.
fn common<'t>(of: &Tracks<'t>, and: &Tracks<'t>) -> Vec<Identity<'t>> {
    let is_common = |identity: &&Identity<'_>| and.values.contains_key(*identity);
    of.order.iter().filter(is_common).copied().collect()
}

/// Whether one side has not got a track that the other changed.
fn loses_changes(base: &Tracks<'_>, one: &Tracks<'_>, other: &Tracks<'_>) -> bool {
    let is_lost = |(identity, before): (&Identity<'_>, &Values<'_>)| {
        let Some(after) = other.values.get(identity) else { return false };
        let names: HashSet<&&[u8]> = before.keys().chain(after.keys()).collect();
        let is_same = |name: &&&[u8]| {
            is_same_or_none(before.get(**name).copied(), after.get(**name).copied())
        };
        !one.values.contains_key(identity) && !names.iter().all(is_same)
    };
    base.values.iter().any(is_lost)
}
