//! Constants of enums, which scenes hold as numbers.

/// The number of constants that a message names at most. The enum of all keys has more.
const MAX_NAMED: usize = 24;

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

/// The length of the common beginning of all names, up to a `_`: that of `TEXTURE_FILTER_` in
/// `TEXTURE_FILTER_NEAREST`.
fn common_lead(values: &[(String, i64)]) -> usize {
    let Some((first, _)) = values.first() else { return 0 };
    let ends = first.rmatch_indices('_').map(|(at, _)| at + 1);
    let is_common =
        |end: &usize| values.iter().all(|(constant, _)| constant.starts_with(&first[..*end]));
    ends.into_iter().find(is_common).unwrap_or(0)
}
