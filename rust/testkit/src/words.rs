//! Forms of words that messages and documentation do not use, because readers stumble over them.

/// Words and phrases in lower case, and what to write instead.
const FORMS: &[(&str, &str)] = &[
    ("stranger", "untrusted files"),
    ("strangers", "untrusted files"),
    ("nobody", "who or what does it, or the passive voice"),
    ("somebody", "who or what does it, or the passive voice"),
    ("whoever", "who or what does it, or the passive voice"),
    ("tell", "`report`, `show` or `distinguish`"),
    ("tells", "`reports`, `shows` or `distinguishes`"),
    ("told", "`reported`, `shown` or `notified`"),
    ("stands", "`is`, `is in` or `means`"),
    ("stood", "`was` or `was in`"),
    ("lies", "`is` or `is in`"),
    ("lay", "`was` or `was in`"),
    ("anew", "`again`, or a verb with `re-`"),
    ("beside", "`next to` or `in addition to`"),
    ("likewise", "`also`, or the same verb again"),
    ("but for", "`except`"),
    ("as far as", "`if`"),
    ("so many", "`at most N`, or the number"),
    ("so much", "`at most N`, or the amount"),
    ("put together", "`built`"),
    ("by chance", "`random`"),
    ("in turns", "`alternating`"),
    ("inside of", "`inside` or `in`"),
    ("outside of", "`outside`"),
    ("of godot's own", "`Godot's …`"),
    ("of which", "a sentence of its own"),
    ("those that", "the noun again"),
    ("those which", "the noun again"),
    ("those who", "the noun again"),
    ("not there", "`missing` or `does not exist`"),
    ("may not", "`must not` or `cannot`"),
    ("is none", "`is not a …` or `does not exist`"),
    ("are none", "`are not …` or `do not exist`"),
    ("is to be", "`must be`, or an active verb"),
    ("are to be", "`must be`, or an active verb"),
    ("is not known", "`is unknown` or `cannot be determined`"),
    ("are not known", "`are unknown` or `cannot be determined`"),
];

/// Phrases that begin with one of [`FORMS`], and are good all the same.
const ALLOWED: &[&str] = &[
    // The heading of a table that `scripts/bench.sh` makes.
    "beside a busy program",
    "is not known to",
    "are not known to",
];

/// The first word of sentences that begin with something other than their actor.
const STARTS: &[&str] = &["Of", "That", "Whose"];

/// The first form in `text` that is not to be used, and what to write instead.
///
/// ```
/// use testkit::words::unwanted_form;
///
/// let found = unwanted_form("`3` is no bone").unwrap();
/// assert_eq!(found, "`is no bone`; write `is not a …`, `is not a valid …` or `… not found`");
/// assert_eq!(unwanted_form("`3` is not a valid bone; there is no longer name"), None);
///
/// let found = unwanted_form("All files, but for those in `addons`.").unwrap();
/// assert_eq!(found, "`but for`; write `except`");
/// assert_eq!(unwanted_form("It is good, but, for now, not known to be complete."), None);
///
/// assert!(unwanted_form("It has two files. Of these, one is missing.").is_some());
/// assert_eq!(unwanted_form("The class is not known to be harmless."), None);
/// ```
pub fn unwanted_form(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split_whitespace()
        .flat_map(|word| word.split_inclusive(|c| !is_part(c)))
        .filter(|word| word.contains(is_part))
        .collect();
    let at = |index: usize| words.get(index).copied().unwrap_or_default();
    (0..words.len()).find_map(|index| {
        let rest = words.get(index..).unwrap_or_default();
        if ALLOWED.iter().any(|phrase| begins_with(rest, phrase)) {
            return None;
        }
        if let Some((form, instead)) = FORMS.iter().find(|(form, _)| begins_with(rest, form)) {
            return Some(format!("`{form}`; write {instead}"));
        }
        let word = bare(at(index));
        let is_start = index == 0 || at(index - 1).ends_with(['.', '!', '?']);
        if is_start && STARTS.contains(&word) {
            return Some(format!("`{word}` at the start; write who or what does it first"));
        }
        let word = word.to_lowercase();
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

/// Whether the character is a part of a word.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '`' | '\'')
}

/// The word without the punctuation after it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c| !is_part(c))
}

/// Whether `words` begin with the words of `phrase`, without punctuation between them.
fn begins_with(words: &[&str], phrase: &str) -> bool {
    let count = phrase.split(' ').count();
    count <= words.len()
        && phrase.split(' ').zip(words).enumerate().all(|(index, (wanted, word))| {
            bare(word).to_lowercase() == wanted && (index + 1 == count || bare(word) == *word)
        })
}

/// Whether a thing follows, and not a comparison.
fn is_thing(word: &str) -> bool {
    !matches!(word, "longer" | "more" | "less" | "fewer" | "slower" | "faster" | "larger")
        && word.starts_with(|first: char| first.is_lowercase() || first == '`')
}
