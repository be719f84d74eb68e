//! `uuid` (UuidSerializer.cpp).

use variant::Value;

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
    let Some(uuid) = found else {
        return unsupported(run, json, "UUID: write {01234567-89AB-CDEF-0123-456789ABCDEF}");
    };
    let is_null = uuid == NULL;
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
        let inside = &text[open + 1..];
        canonical(&inside[..inside.find('}')?])
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
