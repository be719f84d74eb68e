//! Constants of enums, which scenes hold as numbers.

use godot_project::ValueType;

use crate::edit::object::Object;

/// The number of constants that a message names at most. The enum of all keys has more.
const MAX_NAMED: usize = 24;

impl Object<'_> {
    /// The enum that a property of its class takes: the one that is named as the property is, or whose constants are.
    pub(super) fn enum_of(&self, key: &str) -> Option<ValueType> {
        let start = format!("{}_", key.to_ascii_uppercase());
        let class = self.class.as_deref()?;
        let enums = self.classes().lineage(class).flat_map(|class| {
            class.enum_names().filter_map(move |name| Some((name, class.enum_values(name)?)))
        });
        let mut by_constants = None;
        for (name, values) in enums {
            // The last counts the others.
            let values = values.filter(|(constant, _)| !constant.ends_with("_MAX"));
            let values: Vec<_> =
                values.map(|(constant, number)| (constant.to_owned(), number)).collect();
            let is_named = name.eq_ignore_ascii_case(&key.replace('_', ""));
            let has_name = !values.is_empty()
                && values.iter().all(|(constant, _)| constant.starts_with(&start));
            let found = ValueType::Enum { name: name.to_owned(), values };
            if is_named {
                return Some(found);
            }
            if has_name {
                by_constants.get_or_insert(found);
            }
        }
        by_constants
    }
}

/// The number of the constant that a word means, such as `nearest` or `CanvasItem.TEXTURE_FILTER_NEAREST`.
///
/// # Errors
/// If no constant has that name, with the names.
pub(super) fn number_of(values: &[(String, i64)], word: &str) -> Result<i64, String> {
    let word = word.trim().trim_matches('"');
    let name = word.rsplit('.').next().unwrap_or(word).to_ascii_uppercase();
    let name = name.replace([' ', '-'], "_");
    let lead = common_lead(values);
    let is_meant = |constant: &str| {
        let constant = constant.to_ascii_uppercase();
        constant == name || constant[lead..] == name
    };
    if let Some((_, number)) = values.iter().find(|(constant, _)| is_meant(constant)) {
        return Ok(*number);
    }
    let named = values.iter().take(MAX_NAMED);
    let named: Vec<String> =
        named.map(|(constant, number)| format!("`{constant}` ({number})")).collect();
    let rest = if values.len() > MAX_NAMED { ", …" } else { "" };
    Err(format!("expected one of {}{rest}", named.join(", ")))
}

/// The length of what all names begin with, up to a `_`: that of `TEXTURE_FILTER_` in `TEXTURE_FILTER_NEAREST`.
fn common_lead(values: &[(String, i64)]) -> usize {
    let Some((first, _)) = values.first() else { return 0 };
    let ends = first.rmatch_indices('_').map(|(at, _)| at + 1);
    let is_common =
        |end: &usize| values.iter().all(|(constant, _)| constant.starts_with(&first[..*end]));
    ends.into_iter().find(is_common).unwrap_or(0)
}
