//! The tracks of an animation, which the text numbers: they are the same by path and type, however they are numbered.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use crate::diff::Entry;
use crate::diff::labels::{shortened, text_quoted};
use crate::merge::lists::list_of;
use crate::value::tree::ValueTree;

/// At most this length of a path is in the name of a property.
const MAX_PATH: usize = 80;

/// For each of the two texts, the names of the properties of tracks, by number.
pub(super) struct Tracks {
    pub(super) names: [HashMap<u32, String>; 2],
    /// The names of tracks that both texts have, in the order of each, if that differs.
    pub(super) order: Option<[Vec<String>; 2]>,
    /// The names of tracks that only one text has.
    lonely: HashSet<String>,
}

/// The identity of a track: its path and type.
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
    let [of_old, of_new]: [HashSet<String>; 2] =
        names.each_ref().map(|names| names.values().cloned().collect());
    let lonely = of_old.symmetric_difference(&of_new).cloned().collect();
    Some(Tracks { names, order, lonely })
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

/// For each track of the old text, the place of its partner in the new one: by path and type, then by number and
/// type.
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

/// The name of the property of a track: `tracks["Sprite:frame"]/keys`.
pub(super) fn called(tracks: &Tracks, side: usize, key: &[u8]) -> Option<Vec<u8>> {
    let (b"tracks/", number) = list_of(key)? else { return None };
    let name = tracks.names[side].get(&number)?;
    let rest = &key[b"tracks/".len()..];
    let slash = memchr::memchr(b'/', rest)?;
    Some([name.as_bytes(), &rest[slash..]].concat())
}

/// Makes one entry of those of each track that only one text has: `tracks["Sprite:frame"]`, `value, 3 keys`.
pub(super) fn folded(tracks: &Tracks, entries: Vec<Entry>) -> Vec<Entry> {
    let mut told: Vec<Entry> = Vec::with_capacity(entries.len());
    // For each such track, the place of its entry, and its properties.
    let mut properties: HashMap<String, (usize, Vec<Entry>)> = HashMap::new();
    for entry in entries {
        let name = entry.name.rsplit_once("]/").map(|(name, _)| format!("{name}]"));
        let Some(name) = name.filter(|name| tracks.lonely.contains(name)) else {
            told.push(entry);
            continue;
        };
        let (_, list) = properties.entry(name).or_insert_with_key(|name| {
            let (name, parts) = (name.clone(), Vec::new());
            told.push(Entry { name, old: None, new: None, parts, summary: None });
            (told.len() - 1, Vec::new())
        });
        list.push(entry);
    }
    for (at, list) in properties.into_values() {
        let is_new = list.iter().any(|entry| entry.new.is_some());
        let values = list.into_iter().filter_map(|entry| {
            let name = entry.name.rsplit_once("]/")?.1.to_owned();
            Some((name, entry.new.or(entry.old)?))
        });
        let values: Vec<(String, String)> = values.collect();
        let entry = &mut told[at];
        entry.summary = Some(summary(&values));
        let value = |(name, value): &(String, String)| format!("{}: {value}", text_quoted(name));
        let whole = format!("{{\n{}\n}}", values.iter().map(value).collect::<Vec<_>>().join(",\n"));
        *(if is_new { &mut entry.new } else { &mut entry.old }) = Some(whole);
    }
    told
}

/// `value, 3 keys`
fn summary(values: &[(String, String)]) -> String {
    let value = |name: &str| {
        let found = values.iter().find(|(found, _)| found == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let tree = ValueTree::new(value("type").as_bytes());
    let kind = tree.root().text().unwrap_or_default();
    let mut words =
        vec![if kind.is_empty() { "track".to_owned() } else { shortened(&kind, MAX_PATH) }];
    if let Some(count) = key_count(&kind, value("keys").as_bytes()) {
        words.push(format!("{count} key{}", if count == 1 { "" } else { "s" }));
    }
    if value("enabled") == "false" {
        words.push("disabled".to_owned());
    }
    words.join(", ")
}

/// The number of keys of a track, if it is known: those of nodes in 3D are numbers in one list (`Animation::_get`,
/// scene/resources/animation.cpp, and `POSITION_TRACK_SIZE` and the like there; `transform` is Godot 3's).
fn key_count(kind: &[u8], keys: &[u8]) -> Option<usize> {
    let tree = ValueTree::new(keys);
    let root = tree.root();
    if let Some(times) = root.get("times") {
        return Some(times.number_count());
    }
    let size = match kind {
        b"position_3d" | b"scale_3d" => 5,
        b"rotation_3d" => 6,
        b"blend_shape" => 3,
        b"transform" => 12,
        _ => return None,
    };
    (root.number_count() > 0).then(|| root.number_count() / size)
}
