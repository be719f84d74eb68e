//! Names that are known when this crate is built: another one is compared with one of them alone, the one in its slot.

/// How many slots rows are spread over.
const SLOTS: usize = 256;

/// Up to this number of rows, there is a factor among some thousands with which no two share a slot. With more, the slots
/// have to be more, too.
const MAX_ROWS: usize = 64;

/// A table of names and their meanings.
pub(crate) struct Names<T: 'static, const COUNT: usize> {
    rows: [(&'static str, T); COUNT],
    /// For each slot the index of its only row, plus one; 0 if it has none.
    slots: [u8; SLOTS],
    /// With it, [`slot`] gives each row a slot of its own.
    factor: u64,
}

impl<T: Copy, const COUNT: usize> Names<T, COUNT> {
    /// Looks for the factor. No two names may have all of this in common: length, first, middle, sixth last, second last and last
    /// byte. The crate could not be built with them.
    pub(crate) const fn new(rows: [(&'static str, T); COUNT]) -> Self {
        assert!(COUNT <= MAX_ROWS);
        // Factors are the numbers of a linear congruential generator; all are odd.
        let mut factor = 0x9e37_79b9_7f4a_7c15_u64;
        loop {
            let mut slots = [0; SLOTS];
            let mut index = 0;
            while index < COUNT {
                let slot = slot(rows[index].0.as_bytes(), factor);
                if slots[slot] != 0 {
                    break;
                }
                slots[slot] = index as u8 + 1;
                index += 1;
            }
            if index == COUNT {
                return Self { rows, slots, factor };
            }
            factor = factor.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(2);
        }
    }

    /// The meaning of `name`.
    #[inline]
    pub(crate) fn get(&self, name: &[u8]) -> Option<T> {
        let row = self.slots[slot(name, self.factor)];
        let (known, value) = self.rows.get(usize::from(row).wrapping_sub(1))?;
        (known.as_bytes() == name).then_some(*value)
    }
}

/// The slot in which the row of `name` is, if it has one.
#[inline]
const fn slot(name: &[u8], factor: u64) -> usize {
    let length = name.len();
    if length == 0 {
        return 0;
    }
    let sixth_last = name[length.saturating_sub(6)];
    let second_last = name[length.saturating_sub(2)];
    let key =
        [length as u8, name[0], name[length / 2], sixth_last, second_last, name[length - 1], 0, 0];
    (u64::from_le_bytes(key).wrapping_mul(factor) >> (u64::BITS - SLOTS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_are_found_and_others_are_not() {
        static NAMES: Names<u8, 4> =
            Names::new([("a", 1), ("name", 2), ("node_paths", 3), ("name_", 4)]);
        assert_eq!(NAMES.get(b"a"), Some(1));
        assert_eq!(NAMES.get(b"name"), Some(2));
        assert_eq!(NAMES.get(b"node_paths"), Some(3));
        assert_eq!(NAMES.get(b"name_"), Some(4));
        // The second to the fourth are like a known one in all bytes that give its slot.
        for other in
            ["", "nodf_paths", "noXe_paths", "node_pXths", "b", "nam", "Name", "name\0", "\u{ff}"]
        {
            assert_eq!(NAMES.get(other.as_bytes()), None, "{other}");
        }
    }
}
