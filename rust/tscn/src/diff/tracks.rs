//! The tracks of an animation, which the text numbers: they are the same by path and type, however they are numbered.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::diff::labels::shortened;
use crate::merge::lists::list_of;
use crate::value::tree::ValueTree;

/// So much of a path is in the name of a property.
const MAX_PATH: usize = 80;

/// Of each of the two texts, what the properties of tracks are called, by number.
pub(super) struct Tracks {
    pub(super) names: [HashMap<u32, String>; 2],
    /// The names of tracks that both texts have, in the order of each, if that differs.
    pub(super) order: Option<[Vec<String>; 2]>,
}

/// What a track is of: its path and type.
type Track = (Vec<u8>, Vec<u8>);

/// The tracks of an animation: `keys` are its properties, `value` gives the value of one. Nothing if there are none.
pub(super) fn of<'k>(
    keys: [&[Cow<'k, [u8]>]; 2],
    value: impl Fn(usize, &[u8]) -> Option<Vec<u8>>,
) -> Option<Tracks> {
    let has_tracks = keys.iter().any(|keys| keys.iter().any(|key| key.starts_with(b"tracks/")));
    if !has_tracks {
        return None;
    }
    let [old, new] = [0, 1].map(|side: usize| tracks(keys[side], |key| value(side, key)));
    let partner = partners(&old, &new);
    let mut names: [HashMap<u32, String>; 2] = Default::default();
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut name = |path: &[u8]| {
        let path = shortened(path, MAX_PATH);
        let count = counts.entry(path.clone()).or_default();
        *count += 1;
        if *count == 1 {
            format!("tracks[\"{path}\"]")
        } else {
            format!("tracks[\"{path}\" ({count})]")
        }
    };
    for (number, (path, _)) in &new {
        names[1].insert(*number, name(path));
    }
    for (index, (number, (path, _))) in old.iter().enumerate() {
        let known = partner[index].map(|other| names[1][&new[other].0].clone());
        names[0].insert(*number, known.unwrap_or_else(|| name(path)));
    }
    let order = order(&new, &partner, &names);
    Some(Tracks { names, order })
}

fn tracks(keys: &[Cow<'_, [u8]>], value: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Vec<(u32, Track)> {
    let mut found: HashMap<u32, Track> = HashMap::new();
    for key in keys {
        let Some((b"tracks/", number)) = list_of(key) else { continue };
        let track = found.entry(number).or_default();
        if key.ends_with(b"/path") {
            let path = value(key).unwrap_or_default();
            let tree = ValueTree::new(&path);
            let inner = tree.root().inner_text("NodePath").map(Cow::into_owned);
            track.0 = inner.unwrap_or_else(|| path.clone());
        } else if key.ends_with(b"/type") {
            track.1 = value(key).unwrap_or_default();
        }
    }
    let mut tracks: Vec<_> = found.into_iter().collect();
    tracks.sort_unstable();
    tracks
}

/// Of each track of the old text the place of its partner in the new one: by path and type, then by number and type.
fn partners(old: &[(u32, Track)], new: &[(u32, Track)]) -> Vec<Option<usize>> {
    let mut partner = vec![None; old.len()];
    let mut is_taken = vec![false; new.len()];
    let mut by_track: HashMap<&Track, Vec<usize>> = HashMap::new();
    for (index, (_, track)) in new.iter().enumerate().rev() {
        by_track.entry(track).or_default().push(index);
    }
    for (index, (_, track)) in old.iter().enumerate() {
        if let Some(found) = by_track.get_mut(track).and_then(Vec::pop) {
            partner[index] = Some(found);
            is_taken[found] = true;
        }
    }
    let by_number: HashMap<u32, usize> =
        new.iter().enumerate().map(|(index, (number, _))| (*number, index)).collect();
    for (index, (number, (_, kind))) in old.iter().enumerate() {
        let Some(found) = by_number.get(number).copied() else { continue };
        if partner[index].is_none() && !is_taken[found] && new[found].1.1 == *kind {
            partner[index] = Some(found);
            is_taken[found] = true;
        }
    }
    partner
}

fn order(
    new: &[(u32, Track)],
    partner: &[Option<usize>],
    names: &[HashMap<u32, String>; 2],
) -> Option<[Vec<String>; 2]> {
    let common: Vec<usize> = partner.iter().copied().flatten().collect();
    if common.windows(2).all(|pair| pair[0] < pair[1]) {
        return None;
    }
    let mut sorted = common.clone();
    sorted.sort_unstable();
    let list = |places: &[usize]| -> Vec<String> {
        places.iter().map(|place| names[1][&new[*place].0].clone()).collect()
    };
    Some([list(&common), list(&sorted)])
}

/// What the property of a track is called: `tracks["Sprite:frame"]/keys`.
pub(super) fn called(tracks: &Tracks, side: usize, key: &[u8]) -> Option<Vec<u8>> {
    let (b"tracks/", number) = list_of(key)? else { return None };
    let name = tracks.names[side].get(&number)?;
    let rest = &key[b"tracks/".len()..];
    let slash = memchr::memchr(b'/', rest)?;
    Some([name.as_bytes(), &rest[slash..]].concat())
}
