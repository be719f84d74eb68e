//! "Did you mean …?"

use std::cell::Cell;

use rapidfuzz::distance::levenshtein::{Args, BatchComparator};

/// The candidate nearest to `word`, if one is near enough to be intended. Of several with the same distance, the
/// first.
///
/// Near is a small number of insertions, deletions and replacements; a change of case counts as none.
///
/// ```
/// assert_eq!(godot_tscn::nearest(b"nod", [&b"node"[..], b"editable"]), Some(&b"node"[..]));
/// ```
pub fn nearest<'c>(
    word: &[u8],
    candidates: impl IntoIterator<Item = &'c [u8]>,
) -> Option<&'c [u8]> {
    if word.len() > MAX_LENGTH {
        return None;
    }
    // In words of one or two letters, one changed letter makes another word.
    let mut limit = if word.len() < 3 { 0 } else { word.len() / 3 + 1 };
    let comparator = BatchComparator::new(folded(word));
    let letters = letters(word);
    let mut found = None;
    for candidate in candidates.into_iter().take(MAX_CANDIDATES) {
        if candidate.len() > MAX_LENGTH
            || candidate.len().abs_diff(word.len()) > limit
            || least_distance(letters, self::letters(candidate)) > limit
        {
            continue;
        }
        let within = Args::default().score_cutoff(limit);
        let Some(distance) = comparator.distance_with_args(folded(candidate), &within) else {
            continue;
        };
        found = Some(candidate);
        // Only a nearer candidate counts from here on.
        let Some(nearer) = distance.checked_sub(1) else { break };
        limit = nearer;
    }
    found
}

/// How many diagnostics of one text still get a "did you mean …?": each takes a look at a thousand candidates.
#[derive(Debug)]
pub struct SuggestionBudget(Cell<u32>);

impl SuggestionBudget {
    /// For one text.
    pub const fn new() -> Self {
        Self(Cell::new(100))
    }

    /// Whether one more may be made, which then counts.
    pub fn spend(&self) -> bool {
        let left = self.0.get().checked_sub(1);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }

    /// [`nearest`], while the budget lasts.
    pub fn nearest<'c>(
        &self,
        word: &[u8],
        candidates: impl IntoIterator<Item = &'c [u8]>,
    ) -> Option<&'c [u8]> {
        self.spend().then(|| nearest(word, candidates))?
    }
}

impl Default for SuggestionBudget {
    fn default() -> Self {
        Self::new()
    }
}

/// Words are names and ids; a longer text has no typing error worth a search.
const MAX_LENGTH: usize = 64;

/// Suggestions are made for every diagnostic, so each checks only this number of candidates.
const MAX_CANDIDATES: usize = 1000;

fn folded(word: &[u8]) -> impl DoubleEndedIterator<Item = u8> + Clone {
    word.iter().map(u8::to_ascii_lowercase)
}

/// Which letters are in a word: a bit for each, which some of them share.
fn letters(word: &[u8]) -> u64 {
    folded(word).fold(0, |letters, letter| letters | 1 << (letter % 64))
}

/// The minimum distance of two words, by their letters: each that only one of them has is an edit.
fn least_distance(left: u64, right: u64) -> usize {
    (left & !right).count_ones().max((right & !left).count_ones()) as usize
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(word: &str, candidates: &[&str], expected: Option<&str>) {
        let candidates = candidates.iter().map(|candidate| candidate.as_bytes());
        assert_eq!(super::nearest(word.as_bytes(), candidates), expected.map(str::as_bytes));
    }

    #[test]
    fn suggestions() {
        check("nod", &["node", "editable"], Some("node"));
        check("Vector5", &["Color", "Vector2"], Some("Vector2"));
        check("1_abcdf", &["2_zzzzz", "1_abcde"], Some("1_abcde"));
        check("something", &["node"], None);
        check("", &["node"], None);
        check("B", &["C"], None);
        check(&"x".repeat(100), &["node"], None);
    }

    /// The number of edits, from the whole table.
    fn distance(left: &[u8], right: &[u8]) -> usize {
        let mut row: Vec<usize> = (0..=right.len()).collect();
        for (line, left) in left.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = line + 1;
            for (column, right) in right.iter().enumerate() {
                let replaced = diagonal + usize::from(!left.eq_ignore_ascii_case(right));
                diagonal = row[column + 1];
                row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
            }
        }
        row[right.len()]
    }

    /// A word of few letters, so that many are near to each other; sometimes one that is near to `other`.
    fn word(random: &mut fastrand::Rng, other: &[u8]) -> Vec<u8> {
        let mut word = if random.bool() {
            other.to_vec()
        } else {
            (0..random.usize(..70)).map(|_| b"abAB/_.\xff"[random.usize(..8)]).collect()
        };
        for _ in 0..random.usize(..8) {
            let place = random.usize(..=word.len());
            match random.u8(..3) {
                0 => word.insert(place, b"abcC"[random.usize(..4)]),
                1 if place < word.len() => drop(word.remove(place)),
                2 if place < word.len() => word[place] = b'c',
                _ => {}
            }
        }
        word
    }

    #[test]
    fn the_first_of_the_nearest() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut found_count = 0;
        for _ in 0..5000 {
            let wanted = word(&mut random, b"res://levels/first.tscn");
            let candidates: Vec<_> =
                (0..random.usize(..8)).map(|_| word(&mut random, &wanted)).collect();
            let limit = if wanted.len() < 3 { 0 } else { wanted.len() / 3 + 1 };
            let expected = candidates
                .iter()
                .filter(|candidate| candidate.len() <= 64 && wanted.len() <= 64)
                .map(|candidate| (distance(&wanted, candidate), candidate.as_slice()))
                .filter(|(distance, _)| *distance <= limit)
                .min_by_key(|(distance, _)| *distance)
                .map(|(_, candidate)| candidate);
            let found = super::nearest(&wanted, candidates.iter().map(Vec::as_slice));
            assert_eq!(found, expected, "{wanted:?} among {candidates:?}");
            found_count += usize::from(found.is_some());
        }
        assert!(found_count > 1000, "only {found_count} suggestions were compared");
    }
}
