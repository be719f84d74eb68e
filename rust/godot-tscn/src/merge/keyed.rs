//! Three-way merge of lists with keyed parts.

use std::hash::Hash;

use hashbrown::{HashMap, HashSet};

/// The keys of ours and those that theirs added, each after its predecessor there. Where both added something at one place,
/// that of ours comes first.
pub(crate) fn joined<K: Hash + Eq + Clone>(
    ours: &[K],
    theirs: &[K],
    is_taken: impl Fn(&K) -> bool,
) -> Vec<K> {
    let in_ours: HashSet<&K> = ours.iter().collect();
    let in_theirs: HashSet<&K> = theirs.iter().collect();
    // The parts of theirs, by the key before them.
    let mut behind: HashMap<Option<&K>, Vec<&K>> = HashMap::new();
    let mut last = None;
    for key in theirs {
        if in_ours.contains(key) {
            last = Some(key);
        } else if is_taken(key) {
            behind.entry(last).or_default().push(key);
        }
    }
    let mut joined = Vec::with_capacity(ours.len() + theirs.len());
    let mut waiting = behind.remove(&None).unwrap_or_default();
    for key in ours {
        if in_theirs.contains(key) {
            joined.extend(waiting.drain(..).cloned());
        }
        joined.push(key.clone());
        if let Some(more) = behind.remove(&Some(key)) {
            waiting.extend(more);
        }
    }
    joined.extend(waiting.into_iter().cloned());
    joined
}

/// The order of the parts that both sides have, three ways: that of the side which changed it. Nothing if both did,
/// differently.
pub(super) fn takes_order_of_theirs<K: Hash + Eq>(
    base: &[K],
    ours: &[K],
    theirs: &[K],
) -> Option<bool> {
    let [in_base, in_ours, in_theirs] =
        [base, ours, theirs].map(|keys| keys.iter().collect::<HashSet<_>>());
    let is_common =
        |key: &&K| in_base.contains(*key) && in_ours.contains(*key) && in_theirs.contains(*key);
    let [base, ours_common, theirs_common] =
        [base, ours, theirs].map(|keys| keys.iter().filter(is_common).collect::<Vec<_>>());
    if ours_common == theirs_common || base == theirs_common {
        Some(false)
    } else if base == ours_common {
        Some(true)
    } else {
        None
    }
}

/// As [`merged`], for a list with a relevant order; nothing if both sides changed it.
pub(super) fn merged_in_order<K: Hash + Eq + Clone, V: Clone + PartialEq>(
    lists: [&[(K, V)]; 3],
    merge: impl Fn(&K, Option<&V>, &V, &V) -> Option<V>,
) -> Option<Vec<(K, V)>> {
    let parts = merged(lists, merge)?;
    let [base, ours, theirs] = lists.map(keys_of);
    if !takes_order_of_theirs(&base, &ours, &theirs)? {
        return Some(parts);
    }
    let mut values: HashMap<K, V> = parts.into_iter().collect();
    let keys = joined(&theirs, &ours, |key| values.contains_key(key));
    Some(keys.iter().filter_map(|key| values.remove_entry(key)).collect())
}

/// A list three ways: parts by key, changed ones by `merge`, which gets the parts of the three. Nothing if a part cannot
/// be merged, or if a key is repeated. The order is that of ours: it has no meaning.
pub(super) fn merged<K: Hash + Eq + Clone, V: Clone + PartialEq>(
    lists: [&[(K, V)]; 3],
    merge: impl Fn(&K, Option<&V>, &V, &V) -> Option<V>,
) -> Option<Vec<(K, V)>> {
    let mut maps: [HashMap<&K, &V>; 3] = Default::default();
    for (map, list) in maps.iter_mut().zip(lists) {
        for (key, value) in list {
            if map.insert(key, value).is_some() {
                return None;
            }
        }
    }
    let [base, ours, theirs] = &maps;
    let mut values: HashMap<K, V> = HashMap::new();
    for (key, _) in
        lists[1].iter().chain(lists[2].iter().filter(|(key, _)| !ours.contains_key(key)))
    {
        let value = match (base.get(key), ours.get(key), theirs.get(key)) {
            (_, Some(ours), Some(theirs)) if ours == theirs => Some((*ours).clone()),
            (Some(base), Some(ours), Some(theirs)) if base == ours => Some((*theirs).clone()),
            (Some(base), Some(ours), Some(theirs)) if base == theirs => Some((*ours).clone()),
            (base, Some(ours), Some(theirs)) => Some(merge(key, base.copied(), ours, theirs)?),
            (None, Some(one), None) | (None, None, Some(one)) => Some((*one).clone()),
            // One side removed it; the other must not have changed it.
            (Some(base), Some(one), None) | (Some(base), None, Some(one)) if base == one => None,
            (Some(_), _, _) => return None,
            (None, None, None) => None,
        };
        if let Some(value) = value {
            values.insert(key.clone(), value);
        }
    }
    let [_, ours, theirs] = lists;
    let keys = joined(&keys_of(ours), &keys_of(theirs), |key| values.contains_key(key));
    Some(keys.iter().filter_map(|key| values.remove_entry(key)).collect())
}

fn keys_of<K: Clone, V>(list: &[(K, V)]) -> Vec<K> {
    list.iter().map(|(key, _)| key.clone()).collect()
}
