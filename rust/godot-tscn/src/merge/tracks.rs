//! The tracks of an animation, which the text numbers: a track is the same by its type and path, whatever its number.

use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};

use crate::merge::canonical::is_same_or_none;
use crate::merge::keyed;
use crate::merge::side::{BASE, OURS, THEIRS};
use crate::merge::touched::other;

/// What stands before the number. Nothing else in a scene names a track by its number.
pub(super) const TRACKS: &[u8] = b"tracks/";

/// What tracks are called in the result.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TrackNumbers {
    /// Of each side the numbers in the result, by those that its tracks have there.
    new: [HashMap<u32, u32>; 3],
    /// Tracks that one side removed and the other changed. They stay.
    pub(super) disputed: Vec<Disputed>,
}

/// A track that one side removed and the other changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Disputed {
    /// Its number in the result.
    number: u32,
    /// Who removed it.
    pub(super) by: usize,
    /// What it is of, as it is written.
    pub(super) kind: Vec<u8>,
    pub(super) path: Vec<u8>,
}

/// A property of a track: its name behind the number, the number, and the values of the sides.
pub(super) type TrackProperty<'t> = (&'t [u8], u32, [Option<&'t [u8]>; 3]);

/// What a track is of: its type and path.
type Identity<'t> = [Option<&'t [u8]>; 2];

/// The values of a track, by name.
type Values<'t> = BTreeMap<&'t [u8], &'t [u8]>;

impl TrackNumbers {
    /// What a property is called in the result, if that is something else.
    pub(super) fn renamed(&self, side: usize, key: &[u8]) -> Option<Vec<u8>> {
        let (old, name) = track_property(key)?;
        let new = self.new[side].get(&old).filter(|new| **new != old)?;
        Some(track_key(*new, name))
    }

    /// The side that has the track of this property, if the other removed it.
    pub(super) fn kept_from(&self, key: &[u8]) -> Option<usize> {
        let (number, _) = track_property(key)?;
        let disputed = self.disputed.iter().find(|disputed| disputed.number == number)?;
        Some(other(disputed.by))
    }

    /// Tracks of theirs that are put behind those of ours.
    pub(super) fn behind(first: u32, count: u32, by: u32) -> Self {
        let numbers = (first..count).map(|number| (number, number + by)).collect();
        Self { new: [HashMap::new(), HashMap::new(), numbers], disputed: Vec::new() }
    }

    /// Where each track of the three sides goes. Nothing where tracks cannot be told apart, and where theirs has them in
    /// another order.
    pub(super) fn by_path(properties: &[TrackProperty<'_>]) -> Option<Self> {
        let tracks = [BASE, OURS, THEIRS].map(|side| tracks(properties, side));
        let [base, ours, theirs] = tracks.each_ref().map(Option::as_ref);
        let sides = [base?, ours?, theirs?];
        let [base, ours, theirs] = sides;
        if common(base, theirs) != common(theirs, base) {
            return None;
        }
        let disputed: HashMap<Identity<'_>, usize> =
            [OURS, THEIRS].into_iter().flat_map(|side| disputed(&sides, side)).collect();
        let is_kept = |identity: &&Identity<'_>| {
            let is_removed =
                base.values.contains_key(*identity) && !theirs.values.contains_key(*identity);
            !is_removed || disputed.contains_key(*identity)
        };
        let kept: Vec<Identity<'_>> = ours.order.iter().filter(is_kept).copied().collect();
        let is_new = |identity: &Identity<'_>| {
            !base.values.contains_key(identity) || disputed.contains_key(identity)
        };
        let all = keyed::joined(&kept, &theirs.order, is_new);
        // Those that go have numbers of their own, too.
        let mut new: HashMap<Identity<'_>, u32> = HashMap::new();
        for identity in all.iter().chain(sides.iter().flat_map(|side| &side.order)) {
            let next = new.len() as u32;
            new.entry(*identity).or_insert(next);
        }
        let text = |text: Option<&[u8]>| text.unwrap_or_default().to_vec();
        let mut disputed: Vec<Disputed> = disputed
            .into_iter()
            .map(|(of, by)| Disputed { number: new[&of], by, kind: text(of[0]), path: text(of[1]) })
            .collect();
        disputed.sort_by_key(|disputed| disputed.number);
        let numbers =
            |side: &Tracks<'_>| (0..).zip(&side.order).map(|(old, it)| (old, new[it])).collect();
        Some(Self { new: sides.map(numbers), disputed })
    }
}

/// What people call a track whose path is written like this.
pub(super) fn shown(path: &[u8]) -> String {
    let inside = path.strip_prefix(b"NodePath(").and_then(|path| path.strip_suffix(b")"));
    format!("track {}", String::from_utf8_lossy(inside.unwrap_or(path)))
}

/// The number of a track and what stands behind it in the name of a property.
pub(super) fn track_property(key: &[u8]) -> Option<(u32, &[u8])> {
    let rest = key.strip_prefix(TRACKS)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    Some((number, &rest[digits..])).filter(|(_, name)| name.starts_with(b"/"))
}

pub(super) fn track_key(number: u32, name: &[u8]) -> Vec<u8> {
    [TRACKS, number.to_string().as_bytes(), name].concat()
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

/// The tracks that a side removed and the other changed.
fn disputed<'s, 't>(
    [base, ours, theirs]: &'s [&'s Tracks<'t>; 3],
    by: usize,
) -> impl Iterator<Item = (Identity<'t>, usize)> + use<'s, 't> {
    let [one, other] = if by == OURS { [ours, theirs] } else { [theirs, ours] };
    let is_disputed = move |(identity, before): &(&Identity<'t>, &Values<'t>)| {
        let Some(after) = other.values.get(*identity) else { return false };
        let names: HashSet<&&[u8]> = before.keys().chain(after.keys()).collect();
        let is_same = |name: &&&[u8]| {
            is_same_or_none(before.get(**name).copied(), after.get(**name).copied())
        };
        !one.values.contains_key(*identity) && !names.iter().all(is_same)
    };
    base.values.iter().filter(is_disputed).map(move |(identity, _)| (*identity, by))
}
