//! "Did you mean …?"

/// The candidate nearest to `word`, if one is near enough to be what was meant.
///
/// ```
/// assert_eq!(tscn::nearest(b"nod", [&b"node"[..], b"editable"]), Some(&b"node"[..]));
/// ```
pub fn nearest<'c>(
    word: &[u8],
    candidates: impl IntoIterator<Item = &'c [u8]>,
) -> Option<&'c [u8]> {
    // In words of one or two letters, one changed letter makes another word.
    let limit = if word.len() < 3 { 0 } else { word.len().min(MAX_LENGTH) / 3 + 1 };
    candidates
        .into_iter()
        .take(MAX_CANDIDATES)
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= limit)
        .filter_map(|candidate| Some((distance(word, candidate)?, candidate)))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Words are names and ids; what is longer has no typing error worth a search.
const MAX_LENGTH: usize = 64;

/// Suggestions are made for every finding, so each looks at so many candidates only.
const MAX_CANDIDATES: usize = 1000;

/// The number of insertions, deletions, replacements (a change of case counts as none) between
/// two words; nothing for long ones.
fn distance(left: &[u8], right: &[u8]) -> Option<usize> {
    if left.len() > MAX_LENGTH || right.len() > MAX_LENGTH {
        return None;
    }
    let mut row = [0; MAX_LENGTH + 1];
    for (index, cell) in row.iter_mut().enumerate() {
        *cell = index;
    }
    for (line, left) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, right) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(!left.eq_ignore_ascii_case(right));
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    Some(row[right.len()])
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
}
