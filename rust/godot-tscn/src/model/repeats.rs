//! A quick look for names that are there twice, which nearly never are.

/// Whether two of `names` might be the same: they have the same length, first, middle and last byte, or
/// collide in the hash.
pub(crate) fn may_repeat<'t>(names: impl Iterator<Item = &'t [u8]>) -> bool {
    let mut seen = [0_u64; 4];
    for name in names {
        let [Some(first), Some(middle), Some(last)] =
            [name.first(), name.get(name.len() / 2), name.last()]
        else {
            return true;
        };
        let hash = (name.len() as u8)
            .wrapping_mul(31)
            .wrapping_add(first.wrapping_mul(7))
            .wrapping_add(middle.wrapping_mul(11))
            .wrapping_add(*last);
        let (word, bit) = (usize::from(hash >> 6), 1 << (hash & 63));
        if seen[word] & bit != 0 {
            return true;
        }
        seen[word] |= bit;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::may_repeat;

    #[test]
    fn names() {
        let check = |names: &[&str]| may_repeat(names.iter().map(|name| name.as_bytes()));
        assert!(!check(&["name", "type", "parent", "index", "groups", "instance"]));
        assert!(check(&["name", "type", "parent", "index", "name"]));
        assert!(check(&["", "a"]));
        assert!(!check(&[]));
    }
}
