//! Three-way merge of texts of several lines, such as the code of a shader, and of lists.

use std::hash::Hash;

use hashbrown::HashMap;

/// A text of several lines three ways; nothing if both sides changed the same or neighbouring lines.
pub(super) fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let [base, ours, theirs] = [base, ours, theirs]
        .map(|text| text.split_inclusive(|byte| *byte == b'\n').collect::<Vec<_>>());
    Some(merged_parts(&base, &ours, &theirs)?.concat())
}

/// A list three ways.
pub(super) fn merged_parts<P: Hash + Eq + Copy>(
    base: &[P],
    ours: &[P],
    theirs: &[P],
) -> Option<Vec<P>> {
    let (in_ours, in_theirs) = (matching(base, ours), matching(base, theirs));
    let mut merged = Vec::with_capacity(ours.len().max(theirs.len()));
    let (mut b, mut o, mut t) = (0, 0, 0);
    for index in 0..=base.len() {
        let at = match index == base.len() {
            true => Some((ours.len(), theirs.len())),
            false => in_ours[index].zip(in_theirs[index]),
        };
        let Some((at_ours, at_theirs)) = at else { continue };
        let parts = [&base[b..index], &ours[o..at_ours], &theirs[t..at_theirs]];
        merged.extend_from_slice(changed(parts)?);
        merged.extend(base.get(index));
        (b, o, t) = (index + 1, at_ours + 1, at_theirs + 1);
    }
    Some(merged)
}

/// A part that one side changed and the other side left, or both changed alike.
fn changed<P: Eq>([base, ours, theirs]: [&[P]; 3]) -> Option<&[P]> {
    if ours == theirs || theirs == base {
        Some(ours)
    } else if ours == base {
        Some(theirs)
    } else {
        None
    }
}

/// For each part of `a`, its place in `b`, in the same order in both. It finds parts that are unique in both and
/// their surroundings, in linear time except for a logarithm.
pub(crate) fn matching<P: Hash + Eq>(a: &[P], b: &[P]) -> Vec<Option<usize>> {
    let mut places = vec![None; a.len()];
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (left_a, left_b) = (&a[head..], &b[head..]);
    let tail = left_a.iter().rev().zip(left_b.iter().rev()).take_while(|(a, b)| a == b).count();
    for (index, place) in places[..head].iter_mut().enumerate() {
        *place = Some(index);
    }
    for index in 0..tail {
        places[a.len() - 1 - index] = Some(b.len() - 1 - index);
    }
    let middle = (head..a.len() - tail, head..b.len() - tail);
    for (in_a, in_b) in rising(&unique(&a[middle.0.clone()], &b[middle.1.clone()])) {
        places[head + in_a] = Some(head + in_b);
    }
    spread(a, b, &mut places);
    places
}

/// The parts that are unique in both, by their place in `a`.
fn unique<P: Hash + Eq>(a: &[P], b: &[P]) -> Vec<(usize, usize)> {
    // How often in a and in b, and where.
    let mut found: HashMap<&P, ([u32; 2], [usize; 2])> = HashMap::new();
    for (which, list) in [a, b].into_iter().enumerate() {
        for (index, part) in list.iter().enumerate() {
            let entry = found.entry(part).or_default();
            entry.0[which] += 1;
            entry.1[which] = index;
        }
    }
    let once = |(counts, places): ([u32; 2], [usize; 2])| {
        (counts == [1, 1]).then_some((places[0], places[1]))
    };
    let mut pairs: Vec<_> = found.into_values().filter_map(once).collect();
    pairs.sort_unstable();
    pairs
}

/// The longest run of pairs that rise in both: patience sorting.
pub(crate) fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut piles: Vec<usize> = Vec::new();
    let mut before = vec![None; pairs.len()];
    for (index, (_, place)) in pairs.iter().enumerate() {
        let pile = piles.partition_point(|top| pairs[*top].1 < *place);
        before[index] = pile.checked_sub(1).map(|pile| piles[pile]);
        if pile == piles.len() {
            piles.push(index);
        } else {
            piles[pile] = index;
        }
    }
    let mut run = Vec::with_capacity(piles.len());
    let mut at = piles.last().copied();
    while let Some(index) = at {
        run.push(pairs[index]);
        at = before[index];
    }
    run.reverse();
    run
}

/// Adds the equal parts right before and right after the found ones.
fn spread<P: Eq>(a: &[P], b: &[P], places: &mut [Option<usize>]) {
    // The nearest place that was found before each.
    let mut limit = None;
    let before: Vec<Option<usize>> = places
        .iter()
        .map(|place| {
            let nearest = limit;
            limit = place.or(limit);
            nearest
        })
        .collect();
    let mut next = Some(b.len());
    for index in (0..a.len()).rev() {
        if places[index].is_none() {
            let place = next.and_then(|next| next.checked_sub(1));
            let is_open = |place: &usize| before[index].is_none_or(|before| before < *place);
            places[index] = place.filter(is_open).filter(|place| a[index] == b[*place]);
        }
        next = places[index];
    }
    let mut limit = b.len();
    let mut behind = vec![b.len(); a.len()];
    for index in (0..a.len()).rev() {
        behind[index] = limit;
        limit = places[index].unwrap_or(limit);
    }
    let mut next = Some(0);
    for index in 0..a.len() {
        if places[index].is_none() {
            let is_open = |place: &usize| *place < behind[index];
            places[index] = next.filter(is_open).filter(|place| a[index] == b[*place]);
        }
        next = places[index].map(|place| place + 1);
    }
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(base: &str, ours: &str, theirs: &str, expected: Option<&str>) {
        let merged = super::merged(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
        let merged = merged.map(|text| String::from_utf8(text).unwrap());
        assert_eq!(merged.as_deref(), expected);
        let merged = super::merged(base.as_bytes(), theirs.as_bytes(), ours.as_bytes());
        assert_eq!(merged.is_some(), expected.is_some());
    }

    #[test]
    fn lines() {
        check("1\n2\n3\n4", "1\ntwo\n3\n4", "1\n2\n3\nfour", Some("1\ntwo\n3\nfour"));
        check("1\n2\n3", "1\n3", "1\n2\n3\n4", None);
        check("1\n2\n3\n", "1\n3\n", "1\n2\n3\n4\n", Some("1\n3\n4\n"));
        check("1\n2\n3\n", "0\n1\n2\n3\n", "1\n2\n3\n3\n", Some("0\n1\n2\n3\n3\n"));
        check("1\n2\n3\n", "1\na\n3\n", "1\nb\n3\n", None);
        check("1\n2\n3\n", "1\na\n3\n", "1\na\n3\n", Some("1\na\n3\n"));
        check("", "a\n", "b\n", None);
        check("\n\n\n\n", "\n\nx\n\n", "\n\n\n\ny", Some("\n\nx\n\ny"));
    }
}
