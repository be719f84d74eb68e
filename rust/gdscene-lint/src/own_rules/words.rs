//! Single values of a rule in a configuration: codes, names, numbers, lists of words.

use std::ops::Range;

use godot_tscn::{RuleGroup, Severity};
use hashbrown::HashMap;
use toml::Spanned;

use super::conditions::{Condition, Count};
use super::raw::{OneOrMore, RawRule};
use super::read::Wrong;
use crate::rules::all_rules;

/// The largest length of a message, a help or a name.
const MAX_TEXT: usize = 1000;
const MAX_NAME: usize = 64;

/// What is no code of a rule: later versions use these letters, or other keys give them a meaning.
pub(super) const RESERVED: [&str; 4] = ["ALL", "DEFAULT", "ENG", "EXP"];

pub(super) fn code(raw: &Spanned<String>) -> Result<&str, Wrong> {
    let code = raw.get_ref().as_str();
    let letters = code.trim_end_matches(|character: char| character.is_ascii_digit());
    let digits = code.len() - letters.len();
    let is_code = (2..=8).contains(&letters.len())
        && (1..=4).contains(&digits)
        && letters.bytes().all(|byte| byte.is_ascii_uppercase());
    if !is_code {
        let expected = "2 to 8 capital letters and then 1 to 4 digits, such as `GAME001`";
        let message = format!("{} is not a valid code; expected {expected}", shown(code));
        return Err((raw.span(), message));
    }
    if let Some(rule) = all_rules().find(|rule| rule.code == code) {
        let message = format!("`{code}` is gdscene's own rule `{}`", rule.name);
        return Err((raw.span(), format!("{message}; use another code, such as `GAME001`")));
    }
    if RuleGroup::all_letters().chain(RESERVED).any(|taken| taken == letters) {
        let message = format!("codes with the letters `{letters}` belong to gdscene");
        return Err((raw.span(), format!("{message}; use other letters, such as `GAME001`")));
    }
    Ok(code)
}

pub(super) fn rule_name(raw: &Spanned<String>) -> Result<&str, Wrong> {
    let name = raw.get_ref().as_str();
    let is_word = |word: &str| {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        !word.is_empty() && word.bytes().all(is_plain)
    };
    if name.len() > MAX_NAME || !name.split('-').all(is_word) {
        let expected = "small letters, digits and `-`, such as `area-without-shape`";
        let message = format!("{} is not a valid name; expected {expected}", shown(name));
        return Err((raw.span(), message));
    }
    match all_rules().find(|rule| rule.is_called(name)) {
        Some(rule) => {
            let message = format!("`{name}` is gdscene's own rule `{}`", rule.code);
            Err((raw.span(), format!("{message}; use another name")))
        }
        None => Ok(name),
    }
}

pub(super) fn name_span(raw: &RawRule) -> Range<usize> {
    raw.name.as_ref().unwrap_or(&raw.code).span()
}

pub(super) fn severity(raw: &Spanned<String>) -> Result<Severity, Wrong> {
    let known = [Severity::Error, Severity::Warning, Severity::Info];
    let named = known.into_iter().find(|known| known.as_str() == raw.get_ref());
    named.ok_or_else(|| {
        let name = shown(raw.get_ref());
        let message = "is not a valid severity; expected `error`, `warning` or `info`";
        (raw.span(), format!("{name} {message}"))
    })
}

/// A text that fits in one line.
pub(super) fn one_line(raw: &Spanned<String>) -> Result<&str, Wrong> {
    let text = raw.get_ref().trim();
    let reason = match () {
        () if text.is_empty() => "the text is empty".to_owned(),
        () if text.len() > MAX_TEXT => {
            format!("the text has {} bytes; the limit is {MAX_TEXT}", text.len())
        }
        () if text.contains(char::is_control) => {
            "the text has a line break or another control character; use one line".to_owned()
        }
        () => return Ok(text),
    };
    Err((raw.span(), reason))
}

pub(super) fn count(
    min: Option<&Spanned<u32>>,
    max: Option<&Spanned<u32>>,
) -> Result<Count, Wrong> {
    let value = |end: Option<&Spanned<u32>>| end.map(|end| *end.get_ref());
    let (least, most) = (value(min), value(max));
    let count = Count { min: least.unwrap_or(u32::from(most.is_none())), max: most };
    match max.or(min) {
        Some(end) if most.is_some_and(|most| most < count.min) => {
            Err((end.span(), impossible(count.min, most)))
        }
        Some(end) if count.min == 0 && most.is_none() => {
            let message = "every number is at least 0; use a larger `min`, or `max`";
            Err((end.span(), message.to_owned()))
        }
        _ => Ok(count),
    }
}

pub(super) fn impossible(min: u32, max: Option<u32>) -> String {
    let max = max.unwrap_or(u32::MAX);
    format!("no number is at least {min} and at most {max}; exchange `min` and `max`")
}

pub(super) fn not_empty(raw: &OneOrMore) -> Result<&[Spanned<String>], Wrong> {
    if raw.texts.is_empty() {
        let message = "the list is empty; add an entry or remove the key";
        return Err((raw.span.clone(), message.to_owned()));
    }
    match raw.texts.iter().find(|text| text.get_ref().trim().is_empty()) {
        Some(empty) => Err((empty.span(), "the text is empty".to_owned())),
        None => Ok(&raw.texts),
    }
}

pub(super) fn texts(raw: &OneOrMore) -> Result<Vec<String>, Wrong> {
    Ok(not_empty(raw)?.iter().map(|text| text.get_ref().clone()).collect())
}

/// The value that a word of a list stands for.
pub(super) fn one<T: Copy>(
    raw: &Spanned<String>,
    key: &str,
    known: &[(&str, T)],
) -> Result<T, Wrong> {
    let found = known.iter().find(|(word, _)| word == raw.get_ref());
    found.map(|(_, value)| *value).ok_or_else(|| {
        let words = known.iter().map(|(word, _)| *word);
        let near = godot_tscn::nearest(raw.get_ref().as_bytes(), words.clone().map(str::as_bytes));
        let hint = match near {
            Some(near) => format!("did you mean `{}`?", String::from_utf8_lossy(near)),
            None => format!("expected `{}`", words.collect::<Vec<_>>().join("`, `")),
        };
        (raw.span(), format!("{} is not a valid `{key}`; {hint}", shown(raw.get_ref())))
    })
}

pub(super) fn each<T: Copy>(
    raw: &OneOrMore,
    key: &str,
    known: &[(&str, T)],
) -> Result<Vec<T>, Wrong> {
    not_empty(raw)?.iter().map(|word| one(word, key, known)).collect()
}

pub(super) fn index_of(
    indexes: &mut HashMap<String, usize>,
    all: &mut Vec<String>,
    name: &str,
) -> usize {
    *indexes.entry_ref(name).or_insert_with(|| {
        all.push(name.to_owned());
        all.len() - 1
    })
}

/// The classes of what is selected.
pub(super) fn classes_in(conditions: &[Condition]) -> Vec<usize> {
    let classes = conditions.iter().find_map(|condition| match condition {
        Condition::Class(classes) => Some(classes.clone()),
        _ => None,
    });
    classes.unwrap_or_default()
}

/// A text of the file in a message.
fn shown(text: &str) -> String {
    godot_tscn::quote(text.as_bytes())
}

/// The lines of the rule with the code at an offset, if it begins with a header of its own.
pub(super) fn definition(text: &str, code: usize) -> &str {
    const HEADER: &str = "[[rule]]";
    let is_header = |line: &&str| line.trim_start().starts_with('[');
    let Some(before) = text.get(..code) else { return "" };
    let Some(start) = before.rfind(HEADER) else { return "" };
    // A code in a list without headers belongs to no header.
    let between = before[start + HEADER.len()..].lines();
    if between.clone().any(|line| is_header(&line) && !line.trim_start().starts_with("[rule.")) {
        return "";
    }
    let rest = &text[start..];
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        let is_next = is_header(&line) && !line.trim_start().starts_with("[rule.");
        if end > 0 && is_next {
            break;
        }
        end += line.len();
    }
    rest[..end].trim_end()
}
