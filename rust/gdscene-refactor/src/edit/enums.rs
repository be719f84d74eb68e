//! Constants of enums, which scenes hold as numbers.

use crate::edit::object::Object;

/// So many values are told; an enum such as that of all keys has more.
const MAX_TOLD: usize = 24;

impl Object<'_> {
    /// What to write in the place of a word, such as `nearest`, if the property takes an enum of its class.
    pub(super) fn enum_hint(&self, key: &str, word: &str) -> Option<String> {
        let word = word.trim().trim_matches('"');
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || "_-. ".contains(letter);
        if !word.starts_with(|first: char| first.is_ascii_alphabetic())
            || !word.chars().all(is_word)
        {
            return None;
        }
        let values = self.enum_of(key)?;
        // `CanvasItem.TEXTURE_FILTER_NEAREST`, `nearest`
        let name = word.rsplit('.').next().unwrap_or(word).to_ascii_uppercase();
        let name = name.replace([' ', '-'], "_");
        let lead = common_lead(&values);
        let is_meant = |constant: &str| constant == name || constant[lead..] == name;
        if let Some((constant, number)) = values.iter().find(|(constant, _)| is_meant(constant)) {
            return Some(format!("write {number}, which is `{constant}`"));
        }
        let told = values.iter().take(MAX_TOLD);
        let told: Vec<String> =
            told.map(|(constant, number)| format!("{number} (`{constant}`)")).collect();
        let rest = if values.len() > MAX_TOLD { ", …" } else { "" };
        Some(format!("write the number of a constant: {}{rest}", told.join(", ")))
    }

    /// The constants of the enum that a property takes: the one that is called as the property is, or whose constants are.
    fn enum_of(&self, key: &str) -> Option<Vec<(&str, i64)>> {
        let start = format!("{}_", key.to_ascii_uppercase());
        let class = self.class.as_deref()?;
        let enums = self.classes().lineage(class).flat_map(|class| {
            class.enum_names().filter_map(move |name| Some((name, class.enum_values(name)?)))
        });
        let mut by_constants = None;
        for (name, values) in enums {
            // The last counts the others.
            let values: Vec<_> =
                values.filter(|(constant, _)| !constant.ends_with("_MAX")).collect();
            if name.eq_ignore_ascii_case(&key.replace('_', "")) {
                return Some(values);
            }
            if !values.is_empty() && values.iter().all(|(constant, _)| constant.starts_with(&start))
            {
                by_constants.get_or_insert(values);
            }
        }
        by_constants
    }
}

/// How much of the names of all constants is alike, up to a `_`: that of `TEXTURE_FILTER_` in `TEXTURE_FILTER_NEAREST`.
fn common_lead(values: &[(&str, i64)]) -> usize {
    let Some((first, _)) = values.first() else { return 0 };
    let ends = first.rmatch_indices('_').map(|(at, _)| at + 1);
    let is_common =
        |end: &usize| values.iter().all(|(constant, _)| constant.starts_with(&first[..*end]));
    ends.into_iter().find(is_common).unwrap_or(0)
}
