//! Properties that are a list together, such as `tracks/0/type` and `tracks/1/type`: if one comes or goes, all behind it get
//! other numbers, so that a number means something else on each side.

use hashbrown::{HashMap, HashSet};

use crate::merge::canonical::is_same_or_none;

/// What stands before the number. Numbers that name something, such as a bone or a tile, are not here.
const LISTS: &[&[u8]] = &[
    b"tracks/",
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
    Some((list, std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?))
}

/// What is known of a list: the numbers of each side, and who changed it.
#[derive(Default)]
struct Known {
    numbers: [HashSet<u32>; 3],
    is_changed: [bool; 3],
    has_others: bool,
}

/// The lists that both sides changed, and in which something came, went or moved: their parts cannot be told apart by
/// numbers.
pub(super) fn shifted<'k>(
    keys: impl Iterator<Item = (&'k [u8], [Option<Vec<u8>>; 3])>,
) -> HashSet<&'static [u8]> {
    let mut lists: HashMap<&'static [u8], Known> = HashMap::new();
    for (key, texts) in keys {
        let Some((list, number)) = list_of(key) else { continue };
        let known = lists.entry(list).or_default();
        let [base, ours, theirs] = texts.each_ref().map(Option::as_deref);
        for (numbers, text) in known.numbers.iter_mut().zip(&texts) {
            if text.is_some() {
                numbers.insert(number);
            }
        }
        let changed = [false, !is_same_or_none(base, ours), !is_same_or_none(base, theirs)];
        for (is_changed, now) in known.is_changed.iter_mut().zip(changed) {
            *is_changed |= now;
        }
        // What a track is of: another one is at this number.
        known.has_others |=
            (changed[1] || changed[2]) && (key.ends_with(b"/path") || key.ends_with(b"/type"));
    }
    let is_shifted = |known: &Known| {
        let [base, ours, theirs] = &known.numbers;
        known.is_changed[1]
            && known.is_changed[2]
            && (known.has_others || base != ours || base != theirs)
    };
    lists.retain(|_, known| is_shifted(known));
    lists.into_keys().collect()
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
    }
}
