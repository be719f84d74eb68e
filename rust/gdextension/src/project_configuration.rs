//! The linter's settings of a project, `gdscene.toml`, as far as the editor writes them.

use toml_edit::{Array, DocumentMut, Item, Value};

/// The file's name; it lies beside `project.godot`.
pub(crate) const FILE: &str = "gdscene.toml";
/// The codes of the rules that are off.
const IGNORE: &str = "ignore";

/// The codes that are off in the whole project. A file that is no TOML has none.
pub(crate) fn ignored_codes(text: &str) -> Vec<String> {
    let Ok(document) = text.parse::<DocumentMut>() else { return Vec::new() };
    let Some(list) = document.get(IGNORE).and_then(Item::as_array) else { return Vec::new() };
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The text with one more code that is off; comments and order stay.
pub(crate) fn with_ignored_code(text: &str, code: &str) -> Result<String, String> {
    let mut document = text.parse::<DocumentMut>().map_err(|error| error.to_string())?;
    let list = document.entry(IGNORE).or_insert_with(|| Array::new().into());
    let list = list.as_array_mut().ok_or_else(|| format!("`{IGNORE}` is no list of codes"))?;
    if !list.iter().any(|listed| listed.as_str() == Some(code)) {
        list.push(code);
    }
    Ok(document.to_string())
}
