//! JSON Patch (RFC 6902).

use super::locate::{find, find_mut, index};
use super::{PatchError, refused};
use crate::{Json, Outcome, Task, compare, escape_segment, parse_pointer};

/// Applies the operations of `patch` to `document`, in place.
///
/// Members that no operation knows are ignored; of members with the same name the first counts.
///
/// # Errors
/// If the patch is none, an operation cannot be done, or a `test` fails. What was done before it
/// is not taken back.
///
/// ```
/// use o3de_json::{Json, apply_json_patch};
/// let mut document = Json::parse("[1, 2]")?;
/// let patch = Json::parse(r#"[{"op": "add", "path": "/-", "value": 3}]"#)?;
/// apply_json_patch(&mut document, &patch).unwrap();
/// assert_eq!(document.to_text(), "[1,2,3]");
/// # Ok::<(), o3de_json::JsonError>(())
/// ```
pub fn apply_json_patch(document: &mut Json, patch: &Json) -> Result<(), PatchError> {
    let Json::Array(operations) = patch else {
        let message = format!("a JSON Patch is an array, not {}", patch.type_name());
        return Err(refused(Task::Merge, String::new(), Outcome::TypeMismatch, message));
    };
    for (index, operation) in operations.iter().enumerate() {
        Operation { at: format!("/{index}"), json: operation }.apply(document)?;
    }
    Ok(())
}

/// One operation and where it stands in the patch.
struct Operation<'a> {
    at: String,
    json: &'a Json,
}

impl Operation<'_> {
    fn apply(&self, document: &mut Json) -> Result<(), PatchError> {
        if self.json.as_object().is_none() {
            let message = format!("an operation is an object, not {}", self.json.type_name());
            return self.refuse("", Outcome::TypeMismatch, message);
        }
        let op = self.text("op")?;
        let path = self.pointer("path")?;
        match op {
            "add" => self.add(document, &path, self.value()?.clone()),
            "remove" => self.remove(document, &path, "path").map(drop),
            "replace" => {
                let value = self.value()?.clone();
                *self.found_mut(document, &path)? = value;
                Ok(())
            }
            "move" => {
                let from = self.pointer("from")?;
                if path.len() > from.len() && path.starts_with(&from) {
                    return self.refuse(
                        "path",
                        Outcome::Invalid,
                        "a value cannot move into itself",
                    );
                }
                if path == from && find(document, &from).is_some() {
                    return Ok(());
                }
                let value = self.remove(document, &from, "from")?;
                self.add(document, &path, value)
            }
            "copy" => {
                let from = self.pointer("from")?;
                let Some(value) = find(document, &from).cloned() else {
                    return self.refuse(
                        "from",
                        Outcome::Invalid,
                        "there is no value at this place",
                    );
                };
                self.add(document, &path, value)
            }
            "test" => {
                let expected = self.value()?;
                let found = self.found_mut(document, &path)?;
                if compare(found, expected).is_eq() {
                    return Ok(());
                }
                self.refuse("value", Outcome::TestFailed, "the value at `path` is another one")
            }
            _ => {
                let message = format!(
                    "no operation is called `{op}`: add, remove, replace, move, copy, test"
                );
                self.refuse("op", Outcome::Unknown, message)
            }
        }
    }

    fn refuse<T>(
        &self,
        member: &str,
        outcome: Outcome,
        message: impl Into<String>,
    ) -> Result<T, PatchError> {
        let separator = if member.is_empty() { "" } else { "/" };
        Err(refused(Task::Merge, format!("{}{separator}{member}", self.at), outcome, message))
    }

    fn text(&self, name: &str) -> Result<&str, PatchError> {
        match self.json.member(name) {
            Some(Json::String(text)) => Ok(text),
            Some(json) => {
                let message = format!("`{name}` is a string, not {}", json.type_name());
                self.refuse(name, Outcome::TypeMismatch, message)
            }
            None => self.refuse("", Outcome::Missing, format!("the operation lacks `{name}`")),
        }
    }

    fn pointer(&self, name: &str) -> Result<Vec<String>, PatchError> {
        match parse_pointer(self.text(name)?) {
            Some(segments) => Ok(segments),
            None => {
                let message = "this is no JSON Pointer: start it with `/`, write `~0` for `~`";
                self.refuse(name, Outcome::Invalid, message)
            }
        }
    }

    fn value(&self) -> Result<&Json, PatchError> {
        match self.json.member("value") {
            Some(value) => Ok(value),
            None => self.refuse("", Outcome::Missing, "the operation lacks `value`"),
        }
    }

    fn found_mut<'a>(
        &self,
        document: &'a mut Json,
        path: &[String],
    ) -> Result<&'a mut Json, PatchError> {
        match find_mut(document, path) {
            Some(value) => Ok(value),
            None => self.refuse("path", Outcome::Invalid, "there is no value at this place"),
        }
    }

    fn add(&self, document: &mut Json, path: &[String], value: Json) -> Result<(), PatchError> {
        let Some((last, parents)) = path.split_last() else {
            *document = value;
            return Ok(());
        };
        match find_mut(document, parents) {
            Some(Json::Object(members)) => {
                match members.iter_mut().find(|(name, _)| name == last) {
                    Some((_, slot)) => *slot = value,
                    None => members.push((last.clone(), value)),
                }
                Ok(())
            }
            Some(Json::Array(elements)) if last == "-" => {
                elements.push(value);
                Ok(())
            }
            Some(Json::Array(elements)) => match index(last) {
                Some(index) if index <= elements.len() => {
                    elements.insert(index, value);
                    Ok(())
                }
                _ => {
                    let message = format!("`{last}` is no index from 0 to {}", elements.len());
                    self.refuse("path", Outcome::Invalid, message)
                }
            },
            Some(other) => {
                let message = format!("{} has no members to add to", other.type_name());
                self.refuse("path", Outcome::TypeMismatch, message)
            }
            None => self.refuse("path", Outcome::Invalid, "there is no value to add to"),
        }
    }

    /// Takes out the value that the pointer in `member` leads to.
    fn remove(
        &self,
        document: &mut Json,
        path: &[String],
        member: &str,
    ) -> Result<Json, PatchError> {
        let Some((last, parents)) = path.split_last() else {
            return self.refuse(member, Outcome::Invalid, "the whole document cannot be removed");
        };
        let removed = match find_mut(document, parents) {
            Some(Json::Object(members)) => {
                let at = members.iter().position(|(name, _)| name == last);
                at.map(|at| members.remove(at).1)
            }
            Some(Json::Array(elements)) => index(last)
                .filter(|&index| index < elements.len())
                .map(|index| elements.remove(index)),
            _ => None,
        };
        match removed {
            Some(value) => Ok(value),
            None => self.refuse(member, Outcome::Invalid, "there is no value at this place"),
        }
    }
}

/// The JSON Patch that makes `target` of `source`: members in the order of `target`, then what goes;
/// arrays index by index.
pub fn create_json_patch(source: &Json, target: &Json) -> Json {
    let mut operations = Vec::new();
    add_differences(&mut operations, "", source, target);
    Json::Array(operations)
}

fn add_differences(operations: &mut Vec<Json>, path: &str, source: &Json, target: &Json) {
    match (source, target) {
        (Json::Object(old), Json::Object(new)) => {
            for (name, value) in new {
                let path = format!("{path}/{}", escape_segment(name));
                match source.member(name) {
                    Some(before) => add_differences(operations, &path, before, value),
                    None => operations.push(operation("add", &path, Some(value))),
                }
            }
            for (name, _) in old.iter().filter(|(name, _)| target.member(name).is_none()) {
                let path = format!("{path}/{}", escape_segment(name));
                operations.push(operation("remove", &path, None));
            }
        }
        (Json::Array(old), Json::Array(new)) => {
            for (index, value) in new.iter().enumerate() {
                let path = format!("{path}/{index}");
                match old.get(index) {
                    Some(before) => add_differences(operations, &path, before, value),
                    None => operations.push(operation("add", &path, Some(value))),
                }
            }
            for index in (new.len()..old.len()).rev() {
                operations.push(operation("remove", &format!("{path}/{index}"), None));
            }
        }
        _ if compare(source, target).is_eq() => {}
        _ => operations.push(operation("replace", path, Some(target))),
    }
}

fn operation(op: &str, path: &str, value: Option<&Json>) -> Json {
    let mut members = vec![("op".into(), Json::from(op)), ("path".into(), Json::from(path))];
    members.extend(value.map(|value| ("value".into(), value.clone())));
    Json::Object(members)
}
