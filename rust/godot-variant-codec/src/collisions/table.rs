//! How many steps the engine's tables need.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// So many steps are free: they take no time.
const FREE: usize = 4096;

/// The steps that were needed, and how many there may be for each key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    taken: usize,
    keys: usize,
    max: usize,
}

impl Steps {
    pub(super) fn new(max: usize) -> Steps {
        Steps { taken: 0, keys: 0, max }
    }

    /// One key more, that takes so many steps. Says whether that is within the limit.
    fn add(&mut self, steps: usize) -> bool {
        self.taken += steps;
        self.keys += 1;
        self.taken <= self.max.saturating_mul(self.keys).saturating_add(FREE)
    }
}

/// The places of the keys of a dictionary: open addressing, one step after the other, in a table whose
/// size is a prime (`HashMap`, core/templates/hash_map.h).
#[derive(Clone, Debug)]
pub(super) struct Table {
    hashes: Vec<u32>,
    /// A bit for each place.
    taken: Vec<u64>,
    size_index: usize,
    steps: Steps,
    is_within: bool,
}

/// `hash_table_size_primes`, without those that nobody fills.
const SIZES: [usize; 27] = [
    5,
    13,
    23,
    47,
    97,
    193,
    389,
    769,
    1543,
    3079,
    6151,
    12289,
    24593,
    49157,
    98317,
    196_613,
    393_241,
    786_433,
    1_572_869,
    3_145_739,
    6_291_469,
    12_582_917,
    25_165_843,
    50_331_653,
    100_663_319,
    201_326_611,
    402_653_189,
];

impl Table {
    pub(super) fn new(max_steps: usize) -> Table {
        Table {
            hashes: Vec::new(),
            taken: Vec::new(),
            size_index: 2,
            steps: Steps::new(max_steps),
            is_within: true,
        }
    }

    /// Whether no more steps were needed than are allowed.
    pub(super) fn is_within(&self) -> bool {
        self.is_within
    }

    /// Puts a key in. Once there were too many steps, nothing is done any more.
    pub(super) fn add(&mut self, hash: u32) {
        if !self.is_within {
            return;
        }
        self.hashes.push(hash);
        let size = SIZES[self.size_index];
        if self.hashes.len() * 4 > size * 3 && self.size_index + 1 < SIZES.len() {
            self.size_index += 1;
            self.fill();
        } else if self.taken.is_empty() {
            self.fill();
        } else {
            self.place(hash);
        }
    }

    /// Puts all keys into a new table.
    fn fill(&mut self) {
        self.taken = vec![0; SIZES[self.size_index].div_ceil(64)];
        self.steps = Steps::new(self.steps.max);
        for at in 0..self.hashes.len() {
            if self.is_within {
                self.place(self.hashes[at]);
            }
        }
    }

    fn place(&mut self, hash: u32) {
        let size = SIZES[self.size_index];
        let wanted = hash as usize % size;
        let found = self.free_from(wanted, size).or_else(|| self.free_from(0, wanted));
        let Some(found) = found else { return };
        self.taken[found / 64] |= 1 << (found % 64);
        let steps = if found >= wanted { found - wanted } else { found + size - wanted };
        self.is_within = self.steps.add(steps);
    }

    /// The first free place from `start` on, before `end`.
    fn free_from(&self, start: usize, end: usize) -> Option<usize> {
        let mut at = start;
        while at < end {
            let free = !self.taken[at / 64] >> (at % 64);
            if free != 0 {
                let found = at + free.trailing_zeros() as usize;
                return (found < end).then_some(found);
            }
            at = (at / 64 + 1) * 64;
        }
        None
    }
}

/// The engine's table of names, 65,536 chains that never grow in number (`StringName`,
/// core/string/string_name.cpp).
#[derive(Debug)]
pub(super) struct Names {
    seen: HashSet<u64>,
    chains: Vec<u32>,
    steps: Steps,
    random: RandomState,
}

const CHAINS: usize = 1 << 16;

impl Names {
    pub(super) fn new(max_steps: usize) -> Names {
        Names {
            seen: HashSet::new(),
            chains: Vec::new(),
            steps: Steps::new(max_steps),
            random: RandomState::new(),
        }
    }

    /// Takes a name with the engine's `hash`. Says whether no more steps were needed than are allowed.
    pub(super) fn add(&mut self, name: &str, hash: u32) -> bool {
        if !self.seen.insert(self.random.hash_one(name)) {
            return true;
        }
        self.chains.resize(CHAINS, 0);
        let chain = &mut self.chains[hash as usize % CHAINS];
        let steps = *chain as usize;
        *chain += 1;
        self.steps.add(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "tens of thousands of keys take hours")]
    fn keys_that_spread_are_within() {
        let mut table = Table::new(8);
        (0..100_000_u32).for_each(|n| table.add(n.wrapping_mul(0x9E37_79B1)));
        assert!(table.is_within());
    }

    #[test]
    #[cfg_attr(miri, ignore = "tens of thousands of keys take hours")]
    fn keys_of_one_place_are_not() {
        for size in [24_593_u32, 1] {
            let mut table = Table::new(8);
            // One hash, or one place in the table that so many keys need.
            (0..18_000_u32).for_each(|n| table.add(if size == 1 { 7 } else { n * size }));
            assert!(!table.is_within(), "{size}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "tens of thousands of keys take hours")]
    fn names_count_once() {
        let mut names = Names::new(8);
        assert!((0..100_000).all(|_| names.add("same", 5)));
        assert!(!(0..1000).all(|n| names.add(&n.to_string(), 5)));
    }
}
