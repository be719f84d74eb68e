//! `uuid` (UuidSerializer.cpp).

use godot_variant::Value;

use super::unsupported;
use crate::run::Run;
use crate::{Json, ResultCode, Task};

/// The null UUID.
pub(crate) const NULL: &str = "{00000000-0000-0000-0000-000000000000}";

pub(crate) fn load(run: &mut Run<'_>, target: &mut Value, json: &Json) -> ResultCode {
    let found = json.as_str().and_then(|text| match find_braced(text) {
        // The page's `Uuid::CreateString` takes a UUID without braces, the engine's reader does not.
        None if run.is_doc() => canonical(text.trim()),
        found => found,
    });
    let is_null = found.as_deref() == Some(NULL);
    // What is found in other text is a UUID only if it is not the null UUID.
    let is_noisy = |text: &str| text.len() > NULL.len();
    let found = found.filter(|_| !is_null || !json.as_str().is_some_and(is_noisy));
    let Some(uuid) = found else {
        return unsupported(run, json, "UUID: write {01234567-89AB-CDEF-0123-456789ABCDEF}");
    };
    *target = Value::from(uuid.as_str());
    if is_null { run.defaults_used(Task::ReadField) } else { run.success(Task::ReadField) }
}

/// A String that is a UUID, in the form in which UUIDs are written.
pub(crate) fn store(value: &Value) -> Option<Json> {
    let Value::String(text) = value else { return None };
    find_braced(text).or_else(|| canonical(text.trim())).map(Json::String)
}

/// The first UUID in braces in `text`, upper-case, with dashes.
pub(crate) fn find_braced(text: &str) -> Option<String> {
    text.match_indices('{').find_map(|(open, _)| {
        // No further than a UUID is long: a long text may have a brace at every byte.
        let inside = text.as_bytes()[open + 1..].iter().take(NULL.len());
        let len = inside.take_while(|&&byte| byte != b'}').count();
        let uuid = text.get(open + 1..open + 1 + len)?;
        text[open + 1 + len..].starts_with('}').then(|| canonical(uuid))?
    })
}

/// A UUID without braces, with all its dashes or none, as it is stored.
fn canonical(text: &str) -> Option<String> {
    const DASHES: [usize; 4] = [8, 13, 18, 23];
    let bytes = text.as_bytes();
    let digits: Vec<u8> = match bytes.len() {
        32 => bytes.to_vec(),
        36 if DASHES.iter().all(|&at| bytes[at] == b'-') => bytes
            .iter()
            .enumerate()
            .filter(|(at, _)| !DASHES.contains(at))
            .map(|(_, b)| *b)
            .collect(),
        _ => return None,
    };
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut uuid = String::from("{");
    for (index, digit) in digits.into_iter().enumerate() {
        if [8, 12, 16, 20].contains(&index) {
            uuid.push('-');
        }
        uuid.push(char::from(digit.to_ascii_uppercase()));
    }
    uuid.push('}');
    Some(uuid)
}
