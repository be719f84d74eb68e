//! The tracks of an animation and the buses of a layout, which the text numbers: a track keeps its identity by its type and path, a
//! bus by its name, whatever its number.

use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};

use crate::merge::canonical::is_same_or_none;
use crate::merge::keyed;
use crate::merge::lists::Listed;
use crate::merge::side::{BASE, OURS, THEIRS};
use crate::merge::touched::other;

/// The part before the number. Nothing else in a scene names a track by its number.
pub(super) const TRACKS: &[u8] = b"tracks/";

/// A list of elements with their own identities.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Identified {
    /// The text in front of the number.
    pub(super) start: &'static [u8],
    /// The first number. The bus 0 has no name, because it is the master bus of every layout.
    pub(super) first: u32,
    /// The properties that make up the identity.
    identity: [&'static [u8]; 2],
}

/// The lists with elements that are numbered by their identities.
pub(super) const IDENTIFIED: [Identified; 2] = [
    Identified { start: TRACKS, first: 0, identity: [b"/type", b"/path"] },
    Identified { start: b"bus/", first: 1, identity: [b"/name", b"/name"] },
];

impl Identified {
    /// The number of an element, and the rest of the name of one of its properties.
    fn property<'k>(&self, key: &'k [u8]) -> Option<(u32, &'k [u8])> {
        let rest = key.strip_prefix(self.start)?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        let is_element = number >= self.first && rest[digits..].starts_with(b"/");
        is_element.then(|| (number, &rest[digits..]))
    }

    fn key(&self, number: u32, name: &[u8]) -> Vec<u8> {
        [self.start, number.to_string().as_bytes(), name].concat()
    }

    /// The properties of its elements.
    pub(super) fn properties<'t>(&self, listed: &'t [Listed<'_>]) -> Vec<TrackProperty<'t>> {
        let of_element = |(key, texts): &'t Listed<'_>| {
            let (number, name) = self.property(key)?;
            Some((name, number, texts.each_ref().map(Option::as_deref)))
        };
        listed.iter().filter_map(of_element).collect()
    }
}

/// The names of tracks in the result.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TrackNumbers {
    /// The list that they are in.
    list: &'static Identified,
    /// For each side, the numbers in the result, by the numbers of its tracks.
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
    /// Its identity, as it is written.
    pub(super) kind: Vec<u8>,
    pub(super) path: Vec<u8>,
}

/// A property of a track: its name behind the number, the number, and the values of the sides.
pub(super) type TrackProperty<'t> = (&'t [u8], u32, [Option<&'t [u8]>; 3]);

/// The identity of a track: its type and path.
type Identity<'t> = [Option<&'t [u8]>; 2];

/// The values of a track, by name.
type Values<'t> = BTreeMap<&'t [u8], &'t [u8]>;

impl TrackNumbers {
    /// The name of a property in the result, if it is another one.
    pub(super) fn renamed(&self, side: usize, key: &[u8]) -> Option<Vec<u8>> {
        let (old, name) = self.list.property(key)?;
        let new = self.new[side].get(&old).filter(|new| **new != old)?;
        Some(self.list.key(*new, name))
    }

    /// Whether a property belongs to one of them.
    pub(super) fn hold(&self, key: &[u8]) -> bool {
        self.list.property(key).is_some()
    }

    /// The side that has the track of this property, if the other removed it.
    pub(super) fn kept_from(&self, key: &[u8]) -> Option<usize> {
        let (number, _) = self.list.property(key)?;
        let disputed = self.disputed.iter().find(|disputed| disputed.number == number)?;
        Some(other(disputed.by))
    }

    /// Tracks of theirs that are put behind those of ours.
    pub(super) fn behind(first: u32, count: u32, by: u32) -> Self {
        let numbers = (first..count).map(|number| (number, number + by)).collect();
        let new = [HashMap::new(), HashMap::new(), numbers];
        Self { list: &IDENTIFIED[0], new, disputed: Vec::new() }
    }

    /// Where each track of the three sides goes. Nothing if tracks cannot be distinguished, or if theirs has them in
    /// another order.
    pub(super) fn by_identity(
        list: &'static Identified,
        properties: &[TrackProperty<'_>],
    ) -> Option<Self> {
        let tracks = [BASE, OURS, THEIRS].map(|side| tracks(list, properties, side));
        let [base, ours, theirs] = tracks.each_ref().map(Option::as_ref);
        let sides = [base?, ours?, theirs?];
        let [base, ours, theirs] = sides;
        if common(base, theirs) != common(theirs, base) {
            return None;
        }
        let disputed: HashMap<Identity<'_>, usize> =
            [OURS, THEIRS].into_iter().flat_map(|side| disputed(&sides, side)).collect();
        // Only a record of a conflict about a track says which one it is.
        if list.start != TRACKS && !disputed.is_empty() {
            return None;
        }
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
        // Removed ones have their own numbers, too.
        let mut new: HashMap<Identity<'_>, u32> = HashMap::new();
        for identity in all.iter().chain(sides.iter().flat_map(|side| &side.order)) {
            let next = list.first + new.len() as u32;
            new.entry(*identity).or_insert(next);
        }
        let text = |text: Option<&[u8]>| text.unwrap_or_default().to_vec();
        let mut disputed: Vec<Disputed> = disputed
            .into_iter()
            .map(|(of, by)| Disputed { number: new[&of], by, kind: text(of[0]), path: text(of[1]) })
            .collect();
        disputed.sort_by_key(|disputed| disputed.number);
        let numbers = |side: &Tracks<'_>| {
            (list.first..).zip(&side.order).map(|(old, it)| (old, new[it])).collect()
        };
        Some(Self { list, new: sides.map(numbers), disputed })
    }
}

/// The name for people of a track with a path that is written like this.
pub(super) fn shown(path: &[u8]) -> String {
    let inside = path.strip_prefix(b"NodePath(").and_then(|path| path.strip_suffix(b")"));
    format!("track {}", String::from_utf8_lossy(inside.unwrap_or(path)))
}

/// The number of a track and the rest of the name of a property.
pub(super) fn track_property(key: &[u8]) -> Option<(u32, &[u8])> {
    IDENTIFIED[0].property(key)
}

pub(super) fn track_key(number: u32, name: &[u8]) -> Vec<u8> {
    IDENTIFIED[0].key(number, name)
}

/// The tracks of a side.
struct Tracks<'t> {
    order: Vec<Identity<'t>>,
    values: HashMap<Identity<'t>, Values<'t>>,
}

/// The tracks of a side, if there are no gaps in their numbers, and no two are of the same.
fn tracks<'t>(
    list: &Identified,
    properties: &[TrackProperty<'t>],
    side: usize,
) -> Option<Tracks<'t>> {
    let mut numbered: BTreeMap<u32, Values<'t>> = BTreeMap::new();
    for (name, number, values) in properties {
        if let Some(value) = values[side] {
            numbered.entry(*number).or_default().insert(name, value);
        }
    }
    let mut tracks = Tracks { order: Vec::new(), values: HashMap::new() };
    for (expected, (number, values)) in (list.first..).zip(numbered) {
        let identity = list.identity.map(|name| values.get(name).copied());
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
