//! JSON Merge Patch (RFC 7386).

use super::draft::Draft;
use super::{PatchError, by_name, refused};
use crate::json::Pointer;
use crate::{Json, Outcome, Task, compare};

/// Merges `patch` into `document`: members of objects one by one, `null` removes, all else replaces.
pub fn apply_merge_patch(document: &mut Json, patch: &Json) {
    let mut draft = Draft::Plain(std::mem::take(document));
    draft.merge(patch);
    *document = draft.into_json();
}

/// The merge patch that makes `target` of `source`; `{}`, or `target` if that is
/// no object, if nothing differs.
///
/// # Errors
/// `Unsupported` if it had to set a value to `null`, which means "remove". Use a JSON Patch then.
pub fn create_merge_patch(source: &Json, target: &Json) -> Result<Json, PatchError> {
    let patch = merge_patch_between(source, target)?;
    // For anything but an object `{}` is a change: the same once more is none.
    Ok(patch.unwrap_or_else(|| match target {
        Json::Object(_) => Json::explicit_default(),
        _ => target.clone(),
    }))
}

/// As [`create_merge_patch`], none if nothing differs.
pub(crate) fn merge_patch_between(
    source: &Json,
    target: &Json,
) -> Result<Option<Json>, PatchError> {
    differences(&mut Pointer::default(), source, target)
}

fn differences(
    path: &mut Pointer,
    source: &Json,
    target: &Json,
) -> Result<Option<Json>, PatchError> {
    let (Json::Object(old), Json::Object(new)) = (source, target) else {
        if compare(source, target).is_eq() {
            return Ok(None);
        }
        check_no_null(path, target)?;
        return Ok(Some(target.clone()));
    };
    let (before, after) = (by_name(old), by_name(new));
    let mut changes = Vec::new();
    for (name, value) in new {
        path.at(name, |path| match before.get(name.as_str()) {
            Some(before) => {
                let change = differences(path, before, value)?;
                changes.extend(change.map(|change| (name.clone(), change)));
                Ok(())
            }
            None => {
                check_no_null(path, value)?;
                changes.push((name.clone(), value.clone()));
                Ok(())
            }
        })?;
    }
    let removed = old.iter().filter(|(name, _)| !after.contains_key(name.as_str()));
    changes.extend(removed.map(|(name, _)| (name.clone(), Json::Null)));
    Ok(if changes.is_empty() { None } else { Some(Json::Object(changes)) })
}

/// A `null` that is written would be read as "remove"; one in an array is only a value.
fn check_no_null(path: &mut Pointer, json: &Json) -> Result<(), PatchError> {
    match json {
        Json::Null => {
            let message = "a merge patch cannot set a value to null: make a JSON Patch";
            let path = path.as_str().to_owned();
            Err(refused(Task::CreatePatch, path, Outcome::Unsupported, message))
        }
        Json::Object(members) => members
            .iter()
            .try_for_each(|(name, value)| path.at(name, |path| check_no_null(path, value))),
        _ => Ok(()),
    }
}
