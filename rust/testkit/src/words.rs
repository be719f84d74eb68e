//! Forms of words that messages and documentation do not use, because readers stumble over them.

/// Single words, and what to write instead.
const WORDS: &[(&str, &str)] = &[
    ("stranger", "untrusted files"),
    ("strangers", "untrusted files"),
    ("nobody", "who or what does it, or the passive voice"),
    ("whoever", "who or what does it"),
];

/// The first form in `text` that is not to be used, and what to write instead.
///
/// ```
/// use testkit::words::unwanted_form;
///
/// let found = unwanted_form("`3` is no bone").unwrap();
/// assert_eq!(found, "`is no bone`; write `is not a …`, `is not a valid …` or `… not found`");
/// assert_eq!(unwanted_form("`3` is not a valid bone; there is no longer name"), None);
/// ```
pub fn unwanted_form(text: &str) -> Option<String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '`' | '\'');
    let words: Vec<&str> = text
        .split_whitespace()
        .flat_map(|word| word.split_inclusive(|c| !is_part(c)))
        .filter(|word| word.contains(is_part))
        .collect();
    let at = |index: usize| words.get(index).copied().unwrap_or_default();
    (0..words.len()).find_map(|index| {
        let word = at(index).trim_matches(|c| !is_part(c)).to_lowercase();
        if let Some((_, instead)) = WORDS.iter().find(|(form, _)| *form == word) {
            return Some(format!("`{word}`; write {instead}"));
        }
        if word == "without" && at(index + 1) == "a" && at(index + 2).starts_with("word") {
            return Some("`without a word`; write `without a warning`".to_owned());
        }
        let is_verb = matches!(word.as_str(), "is" | "are" | "was" | "were");
        let is_there = index > 0 && at(index - 1).eq_ignore_ascii_case("there");
        let what = at(index + 2);
        (is_verb && !is_there && at(index + 1) == "no" && is_thing(what)).then(|| {
            let instead = "`is not a …`, `is not a valid …` or `… not found`";
            format!("`{word} no {what}`; write {instead}")
        })
    })
}

/// Whether a thing follows, and not a comparison.
fn is_thing(word: &str) -> bool {
    !matches!(word, "longer" | "more" | "less" | "fewer" | "slower" | "faster" | "larger")
        && word.starts_with(|first: char| first.is_lowercase() || first == '`')
}
