//! The maximum length of answers: a model pays for each word, and overlooks important ones among too
//! many.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

/// No text of an answer has more characters. Lists in it end before.
pub(crate) const MAX_TEXT: usize = 20_000;

/// No list in an answer has more characters, as text.
pub(crate) const MAX_LIST: usize = 8_000;

/// No text inside of data has more characters: a diff has less.
const MAX_DATA_TEXT: usize = 7_500;

/// No list inside of data has more items. Those that may be long end before.
const MAX_DATA_ITEMS: usize = 1_000;

/// So much of what somebody gave is repeated to them.
const MAX_EXCERPT: usize = 200;

/// The beginning of a list, and how much more there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Shown<T> {
    /// The shown items.
    pub(crate) items: Vec<T>,
    /// The number of further items; absent if all are shown.
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(extend("default" = 0))]
    pub(crate) more: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl<T> Default for Shown<T> {
    fn default() -> Self {
        Self { items: Vec::new(), more: 0 }
    }
}

impl<T> Shown<T> {
    /// As many as fit, of `limit` at most. `len` is how many characters one takes.
    pub(crate) fn new(all: Vec<T>, limit: usize, len: impl Fn(&T) -> usize) -> Self {
        let count = all.len();
        let mut left = MAX_LIST;
        let fits = |item: &T| {
            let rest = left.checked_sub(len(item) + 1);
            left = rest.unwrap_or(0);
            rest.is_some()
        };
        let mut items: Vec<T> = Vec::new();
        let mut fits = fits;
        for item in all.into_iter().take(limit) {
            // One is always shown: it may be all that there is.
            if !fits(&item) && !items.is_empty() {
                break;
            }
            items.push(item);
        }
        let more = count - items.len();
        Self { items, more }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.items.len() + self.more
    }
}

impl Shown<String> {
    pub(crate) fn of_texts(all: Vec<String>, limit: usize) -> Self {
        Self::new(all, limit, String::len)
    }
}

/// Leaves out what is too much, and says so.
pub(crate) fn shorten(text: &mut String) {
    let Some((end, _)) = text.char_indices().nth(MAX_TEXT) else { return };
    let left_out = text[end..].chars().count();
    text.truncate(end);
    text.push_str(&format!("\n… {left_out} more characters; ask for less at once"));
}

/// Cuts what is too long in data, whatever it is: a file may hold a name of a megabyte.
pub(crate) fn shorten_data(data: &mut Json) {
    match data {
        Json::String(text) => {
            if let Some((end, _)) = text.char_indices().nth(MAX_DATA_TEXT) {
                text.truncate(end);
                text.push('…');
            }
        }
        Json::Array(items) => {
            items.truncate(MAX_DATA_ITEMS);
            items.iter_mut().for_each(shorten_data);
        }
        Json::Object(fields) => fields.values_mut().for_each(shorten_data),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

/// [`shorten`].
pub(crate) fn short(text: &str) -> String {
    let mut text = text.to_owned();
    shorten(&mut text);
    text
}

/// The beginning of what somebody gave, to be repeated in a message.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MAX_EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
