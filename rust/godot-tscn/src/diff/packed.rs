//! Values that are too large to list: cells of maps and packed arrays, as numbers of differences.

use hashbrown::HashMap;

use crate::merge::cells::{self, Form};
use crate::syntax::construct::{Shape, shape_of};
use crate::value::tree::{PartKind, PartRef};

/// How many cells of a map differ.
pub(super) fn cells(form: Form, old: &[u8], new: &[u8]) -> Option<String> {
    let (old, new) = (cells::listed(form, old)?, cells::listed(form, new)?);
    let map = |list: Vec<(Vec<u8>, Vec<u8>)>| list.into_iter().collect::<HashMap<_, _>>();
    let (old, new) = (map(old), map(new));
    let set = new.keys().filter(|place| !old.contains_key(*place)).count();
    let erased = old.keys().filter(|place| !new.contains_key(*place)).count();
    let is_other = |(place, cell): &(&Vec<u8>, &Vec<u8>)| {
        old.get(*place).is_some_and(|before| before != *cell)
    };
    let changed = new.iter().filter(is_other).count();
    Some(counts(&[(set, "cell", "set"), (erased, "cell", "erased"), (changed, "cell", "changed")]))
}

/// `12 cells set, 3 erased`, without the zeros.
fn counts(all: &[(usize, &str, &str)]) -> String {
    let mut text = String::new();
    for (count, noun, verb) in all.iter().filter(|(count, ..)| *count > 0) {
        if text.is_empty() {
            let plural = if *count == 1 { "" } else { "s" };
            text = format!("{count} {noun}{plural} {verb}");
        } else {
            text += &format!(", {count} {verb}");
        }
    }
    if text.is_empty() { "the same cells in another order".to_owned() } else { text }
}

/// How many elements of two packed arrays of one type differ.
pub(super) fn array(old: PartRef<'_>, new: PartRef<'_>) -> Option<String> {
    let name = old.name();
    let is_packed = name.starts_with(b"Packed") || name.starts_with(b"Pool");
    if !is_packed || name != new.name() {
        return None;
    }
    if let Some(Shape::Bytes) = shape_of(name) {
        let (old, new) = (old.bytes()?, new.bytes()?);
        return Some(elements(&old, &new, "byte"));
    }
    let Some(Shape::NumberGroups(size)) = shape_of(name) else { return None };
    if old.kind() != PartKind::Numbers || new.kind() != PartKind::Numbers {
        return None;
    }
    let numbers = |part: PartRef<'_>| -> Vec<Vec<u8>> {
        let numbers: Vec<&[u8]> = part.numbers().collect();
        numbers.chunks(usize::from(size)).map(|group| group.join(&b","[..])).collect()
    };
    Some(elements(&numbers(old), &numbers(new), "element"))
}

fn elements<T: PartialEq>(old: &[T], new: &[T], noun: &str) -> String {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    if new.len() > old.len() && new.starts_with(old) {
        let more = new.len() - old.len();
        return format!("{more} {noun}{} appended to {}", plural(more), old.len());
    }
    if old.len() > new.len() && old.starts_with(new) {
        let less = old.len() - new.len();
        return format!("{less} of {} {noun}s removed at the end", old.len());
    }
    if old.len() == new.len() {
        let count = old.iter().zip(new).filter(|(old, new)| old != new).count();
        return format!("{count} of {} {noun}{} differ", new.len(), plural(new.len()));
    }
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = (&old[head..], &new[head..]);
    let tail = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(a, b)| a == b).count();
    format!(
        "{} {noun}{} from place {head} on replaced by {}",
        old.len() - head - tail,
        plural(old.len() - head - tail),
        new.len() - head - tail
    )
}

#[cfg(test)]
mod tests {
    use crate::value::tree::ValueTree;

    #[test]
    fn arrays() {
        let told = |old: &str, new: &str| {
            let trees = [ValueTree::new(old.as_bytes()), ValueTree::new(new.as_bytes())];
            super::array(trees[0].root(), trees[1].root())
        };
        let points = |text: &str| format!("PackedVector2Array({text})");
        let check = |old: &str, new: &str, expected: &str| {
            assert_eq!(told(&points(old), &points(new)).as_deref(), Some(expected));
        };
        check("1, 2", "1, 2, 3, 4", "1 element appended to 1");
        check("1, 2, 3, 4", "1, 2", "1 of 2 elements removed at the end");
        check("1, 2, 3, 4", "1, 2, 3, 5", "1 of 2 elements differ");
        check("1, 2, 3, 4", "0, 0, 1, 2, 3, 4", "0 elements from place 0 on replaced by 1");
        assert_eq!(told("Vector2(1, 2)", "Vector2(1, 3)"), None);
        assert_eq!(
            told("PackedByteArray(1, 2)", "PackedByteArray(\"AQM=\")").as_deref(),
            Some("1 of 2 bytes differ")
        );
    }
}
