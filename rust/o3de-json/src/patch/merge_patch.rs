//! JSON Merge Patch (RFC 7386).

use super::{PatchError, refused};
use crate::{Json, Outcome, Task, compare, escape_segment};

/// Merges `patch` into `document`: members of objects one by one, `null` removes, all else replaces.
pub fn apply_merge_patch(document: &mut Json, patch: &Json) {
    let Json::Object(changes) = patch else {
        *document = patch.clone();
        return;
    };
    if document.as_object().is_none() {
        *document = Json::Object(Vec::new());
    }
    let Json::Object(members) = document else { return };
    for (name, change) in changes {
        let at = members.iter().position(|(known, _)| known == name);
        match (change, at) {
            (Json::Null, Some(at)) => _ = members.remove(at),
            (Json::Null, None) => {}
            (change, Some(at)) => apply_merge_patch(&mut members[at].1, change),
            (change, None) => {
                let mut value = Json::Null;
                apply_merge_patch(&mut value, change);
                members.push((name.clone(), value));
            }
        }
    }
}

/// The merge patch that makes `target` of `source`; `{}`, or `target` if that is
/// no object, if nothing differs.
///
/// # Errors
/// `Unsupported` if it had to set a value to `null`, which means "remove". Use a JSON Patch then.
pub fn create_merge_patch(source: &Json, target: &Json) -> Result<Json, PatchError> {
    let patch = differences("", source, target)?;
    // For anything but an object `{}` is a change: the same once more is none.
    Ok(patch.unwrap_or_else(|| match target {
        Json::Object(_) => Json::explicit_default(),
        _ => target.clone(),
    }))
}

fn differences(path: &str, source: &Json, target: &Json) -> Result<Option<Json>, PatchError> {
    let (Json::Object(old), Json::Object(new)) = (source, target) else {
        if compare(source, target).is_eq() {
            return Ok(None);
        }
        check_no_null(path, target)?;
        return Ok(Some(target.clone()));
    };
    let mut changes = Vec::new();
    for (name, value) in new {
        let path = format!("{path}/{}", escape_segment(name));
        match source.member(name) {
            Some(before) => {
                let change = differences(&path, before, value)?;
                changes.extend(change.map(|change| (name.clone(), change)));
            }
            None => {
                check_no_null(&path, value)?;
                changes.push((name.clone(), value.clone()));
            }
        }
    }
    let removed = old.iter().filter(|(name, _)| target.member(name).is_none());
    changes.extend(removed.map(|(name, _)| (name.clone(), Json::Null)));
    Ok(if changes.is_empty() { None } else { Some(Json::Object(changes)) })
}

/// A `null` that is written would be read as "remove"; one in an array is only a value.
fn check_no_null(path: &str, json: &Json) -> Result<(), PatchError> {
    match json {
        Json::Null => {
            let message = "a merge patch cannot set a value to null: make a JSON Patch";
            Err(refused(Task::CreatePatch, path.to_owned(), Outcome::Unsupported, message))
        }
        Json::Object(members) => members.iter().try_for_each(|(name, value)| {
            check_no_null(&format!("{path}/{}", escape_segment(name)), value)
        }),
        _ => Ok(()),
    }
}
