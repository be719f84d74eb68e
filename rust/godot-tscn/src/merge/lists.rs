//! Properties that are a list together, such as `tracks/0/type` and `tracks/1/type`. If one comes or goes, all after it get
//! other numbers, so that a number means something else on each side.

use hashbrown::{HashMap, HashSet};

use crate::merge::canonical::is_same_or_none;
use crate::merge::tracks::{IDENTIFIED, TRACKS, TrackNumbers};

/// The part before the number. Numbers that name something, such as a bone or a tile, are not here.
const LISTS: &[&[u8]] = &[
    TRACKS,
    b"layer_",
    b"item_",
    b"popup/item_",
    b"tab_",
    b"blend_point_",
    b"input_",
    b"stream_",
    b"clip_",
    b"frame_",
    b"bus/",
    b"settings/",
    b"terrain_set_",
    b"physics_layer_",
    b"navigation_layer_",
    b"occlusion_layer_",
    b"custom_data_layer_",
];

/// The list that a property belongs to, and its number there.
pub(crate) fn list_of(key: &[u8]) -> Option<(&'static [u8], u32)> {
    let list = LISTS.iter().find(|list| key.starts_with(list))?;
    let rest = &key[list.len()..];
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || rest.get(digits) != Some(&b'/') {
        return None;
    }
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let first = IDENTIFIED.iter().find(|found| found.start == *list).map_or(0, |list| list.first);
    (number >= first).then_some((*list, number))
}

/// The fate of lists that both sides changed.
#[derive(Default)]
pub(super) struct Lists {
    /// Lists with added, removed or moved parts: numbers do not identify their parts. With the numbers at which the sides
    /// have something else.
    shifted: HashMap<&'static [u8], HashSet<u32>>,
    /// Tracks of animations and buses, which can.
    pub(super) tracks: Option<TrackNumbers>,
}

impl Lists {
    pub(super) fn is_shifted(&self, key: &[u8]) -> bool {
        list_of(key).is_some_and(|(list, _)| self.shifted.contains_key(list))
    }

    /// Whether the sides have different parts at the number of this property: that they have one value is chance.
    pub(super) fn is_of_different_parts(&self, key: &[u8]) -> bool {
        let Some((list, number)) = list_of(key) else { return false };
        self.shifted.get(list).is_some_and(|differing| differing.contains(&number))
    }
}

/// The facts about a list: by side, the numbers, those of parts that the side changed, and those of other things.
#[derive(Default)]
struct Known {
    numbers: [HashSet<u32>; 3],
    changed: [HashSet<u32>; 3],
    others: [HashSet<u32>; 3],
    /// Those of parts in which the sides differ.
    differing: HashSet<u32>,
}

impl Known {
    fn note(&mut self, key: &[u8], number: u32, texts: &[Option<Vec<u8>>; 3]) {
        let [base, ours, theirs] = texts.each_ref().map(Option::as_deref);
        for (numbers, text) in self.numbers.iter_mut().zip(texts) {
            if text.is_some() {
                numbers.insert(number);
            }
        }
        // The identity of a track: another one has this number.
        let is_identity = key.ends_with(b"/path") || key.ends_with(b"/type");
        for (side, text) in [(1, ours), (2, theirs)] {
            if !is_same_or_none(base, text) {
                self.changed[side].insert(number);
                if is_identity {
                    self.others[side].insert(number);
                }
            }
        }
        if !is_same_or_none(ours, theirs) {
            self.differing.insert(number);
        }
    }

    fn is_shifted(&self) -> bool {
        let [base, ours, theirs] = &self.numbers;
        let has_others = self.others.iter().any(|others| !others.is_empty());
        self.changed[1..].iter().all(|changed| !changed.is_empty())
            && (has_others || base != ours || base != theirs)
    }

    /// For tracks, if each side has all of the base, and maybe more after them: those of theirs come after those of
    /// ours.
    fn appended(&self) -> Option<TrackNumbers> {
        let counts = self.numbers.each_ref().map(|numbers| numbers.len() as u32);
        let [base, ours, theirs] = counts;
        let is_whole = |(numbers, count): (&HashSet<u32>, u32)| {
            count >= base && numbers.iter().all(|number| *number < count)
        };
        let is_kept = |others: &HashSet<u32>| others.iter().all(|number| *number >= base);
        if !self.numbers.iter().zip(counts).all(is_whole) || !self.others.iter().all(is_kept) {
            return None;
        }
        let common = (base..ours.min(theirs)).find(|number| self.differing.contains(number));
        let start = common.unwrap_or(ours.min(theirs));
        Some(TrackNumbers::behind(start, theirs, ours - start))
    }
}

/// A property, and the values of the sides.
pub(super) type Listed<'k> = (&'k [u8], [Option<Vec<u8>>; 3]);

/// The changes in the lists of a thing with these properties. `may_renumber` allows other numbers for tracks.
pub(super) fn lists(properties: &[Listed<'_>], may_renumber: bool) -> Lists {
    let mut known: HashMap<&'static [u8], Known> = HashMap::new();
    for (key, texts) in properties {
        if let Some((list, number)) = list_of(key) {
            known.entry(list).or_default().note(key, number, texts);
        }
    }
    let mut lists = Lists::default();
    for (list, known) in known.into_iter().filter(|(_, known)| known.is_shifted()) {
        let identified = IDENTIFIED.iter().find(|found| found.start == list);
        let numbers = identified.filter(|_| may_renumber).and_then(|identified| {
            let properties = identified.properties(properties);
            let found = TrackNumbers::by_identity(identified, &properties);
            found.or_else(|| (list == TRACKS).then(|| known.appended())?)
        });
        match numbers {
            Some(numbers) => lists.tracks = Some(numbers),
            None => drop(lists.shifted.insert(list, known.differing)),
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::list_of;

    #[test]
    fn lists() {
        assert_eq!(list_of(b"tracks/12/keys"), Some((&b"tracks/"[..], 12)));
        assert_eq!(list_of(b"layer_0/tile_data"), Some((&b"layer_"[..], 0)));
        assert_eq!(list_of(b"layer_0"), None);
        assert_eq!(list_of(b"layer_mode/x"), None);
        assert_eq!(list_of(b"bones/1/rotation"), None);
        assert_eq!(list_of(b"bus/1/name"), Some((&b"bus/"[..], 1)));
        assert_eq!(list_of(b"bus/0/effect/0/effect"), None);
    }
}
