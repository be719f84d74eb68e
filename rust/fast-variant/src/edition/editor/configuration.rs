//! Changes of a project's `gdscene.toml`.

use toml_edit::{Array, DocumentMut};

/// The codes of the rules that are off.
const IGNORE: &str = "ignore";

/// The text with one more code that is off; comments and order stay.
pub(super) fn with_ignored_code(text: &str, code: &str) -> Result<String, String> {
    let mut document = text.parse::<DocumentMut>().map_err(|error| error.to_string())?;
    let list = document.entry(IGNORE).or_insert_with(|| Array::new().into());
    let list = list.as_array_mut().ok_or_else(|| format!("`{IGNORE}` is not a list of codes"))?;
    if !list.iter().any(|listed| listed.as_str() == Some(code)) {
        list.push(code);
    }
    Ok(document.to_string())
}
