//! JSON Patch (RFC 6902).

use super::draft::Draft;
use super::locate::index;
use super::{PatchError, by_name, refused};
use crate::json::Pointer;
use crate::limits::{Budget, Excess, check_depth};
use crate::{DocumentLimits, Json, Outcome, Task, compare, parse_pointer};

/// Applies the operations of `patch` to `document`, in place.
///
/// Members that no operation knows are ignored; of members with the same name the first counts.
///
/// # Errors
/// If the patch is none, an operation cannot be done, a `test` fails, or a limit is passed. What was
/// done before it is not taken back.
///
/// ```
/// use o3de_json::{DocumentLimits, Json, apply_json_patch};
/// let mut document = Json::parse("[1, 2]")?;
/// let patch = Json::parse(r#"[{"op": "add", "path": "/-", "value": 3}]"#)?;
/// apply_json_patch(&mut document, &patch, DocumentLimits::default()).unwrap();
/// assert_eq!(document.to_text(), "[1,2,3]");
/// # Ok::<(), o3de_json::JsonError>(())
/// ```
pub fn apply_json_patch(
    document: &mut Json,
    patch: &Json,
    limits: DocumentLimits,
) -> Result<(), PatchError> {
    let mut draft = Draft::Plain(std::mem::take(document));
    let done = apply_operations(&mut draft, patch, limits.max_depth, &mut Budget::new(limits));
    *document = draft.into_json();
    done
}

/// Applies `patch` to a part of a document that may have so many `levels`.
pub(crate) fn apply_operations(
    document: &mut Draft,
    patch: &Json,
    levels: usize,
    budget: &mut Budget,
) -> Result<(), PatchError> {
    let Json::Array(operations) = patch else {
        let message = format!("a JSON Patch is an array, not {}", patch.type_name());
        return Err(refused(Task::Merge, String::new(), Outcome::TypeMismatch, message));
    };
    for (index, operation) in operations.iter().enumerate() {
        Operation { at: format!("/{index}"), json: operation, levels }.apply(document, budget)?;
    }
    Ok(())
}

/// One operation and its place in the patch.
struct Operation<'a> {
    at: String,
    json: &'a Json,
    /// How deep the document may be.
    levels: usize,
}

impl Operation<'_> {
    fn apply(&self, document: &mut Draft, budget: &mut Budget) -> Result<(), PatchError> {
        if self.json.as_object().is_none() {
            let message = format!("an operation is an object, not {}", self.json.type_name());
            return self.refuse("", Outcome::TypeMismatch, message);
        }
        let op = self.text("op")?;
        let path = self.pointer("path")?;
        match op {
            "add" => {
                let value = self.value(&path, budget)?.clone();
                self.add(document, &path, Draft::Plain(value), budget)
            }
            "remove" => self.remove(document, &path, "path", budget).map(drop),
            "replace" => {
                let value = self.value(&path, budget)?.clone();
                *self.found(document, &path, "path")? = Draft::Plain(value);
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
                if path == from && document.find(&from).is_some() {
                    return Ok(());
                }
                let value = self.remove(document, &from, "from", budget)?;
                let measured = value.measure(self.levels_at(&path), budget);
                self.within(measured, budget)?;
                self.add(document, &path, value, budget)
            }
            "copy" => {
                let from = self.pointer("from")?;
                let value = self.found(document, &from, "from")?;
                let measured = value.measure(self.levels_at(&path), budget);
                self.within(measured, budget)?;
                let value = Draft::Plain(value.to_json());
                self.add(document, &path, value, budget)
            }
            "test" => {
                let Some(expected) = self.json.member("value") else { return self.no_value() };
                let (found, count) = self.found(document, &path, "path")?.close();
                let is_equal = compare(found, expected).is_eq();
                self.within(budget.take(count / 16), budget)?;
                if is_equal {
                    return Ok(());
                }
                self.refuse("value", Outcome::TestFailed, "the value at `path` is another one")
            }
            _ => {
                let op: String = op.chars().take(60).collect();
                let message = format!(
                    "`{op}` is not a valid operation: use add, remove, replace, move, copy or test"
                );
                self.refuse("op", Outcome::Unknown, message)
            }
        }
    }

    /// How many levels a value at `path` may have.
    fn levels_at(&self, path: &[String]) -> usize {
        self.levels.saturating_sub(path.len())
    }

    /// Refuses what passes a limit.
    fn within(&self, taken: Result<(), Excess>, budget: &Budget) -> Result<(), PatchError> {
        taken.map_err(|excess| budget.issue(excess, Task::Merge, &self.at))
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
                let message = "not a valid JSON Pointer: start it with `/`, write `~0` for `~`";
                self.refuse(name, Outcome::Invalid, message)
            }
        }
    }

    /// The `value`, which goes to `path`.
    fn value(&self, path: &[String], budget: &Budget) -> Result<&Json, PatchError> {
        let Some(value) = self.json.member("value") else { return self.no_value() };
        self.within(check_depth(value, self.levels_at(path)), budget)?;
        Ok(value)
    }

    fn no_value<T>(&self) -> Result<T, PatchError> {
        self.refuse("", Outcome::Missing, "the operation lacks `value`")
    }

    /// The value that the pointer in `member` leads to.
    fn found<'d>(
        &self,
        document: &'d mut Draft,
        path: &[String],
        member: &str,
    ) -> Result<&'d mut Draft, PatchError> {
        match document.find(path) {
            Some(value) => Ok(value),
            None => self.refuse(member, Outcome::Invalid, "no value at this place"),
        }
    }

    fn add(
        &self,
        document: &mut Draft,
        path: &[String],
        value: Draft,
        budget: &mut Budget,
    ) -> Result<(), PatchError> {
        let Some((last, parents)) = path.split_last() else {
            *document = value;
            return Ok(());
        };
        match document.find(parents).map(Draft::opened) {
            Some(Draft::Object(members)) => {
                members.set(last, value);
                Ok(())
            }
            Some(Draft::Array(elements)) if last == "-" => {
                elements.push(value);
                Ok(())
            }
            Some(Draft::Array(elements)) => match index(last) {
                Some(index) if index <= elements.len() => {
                    self.within(budget.take(moved(elements.len() - index)), budget)?;
                    elements.insert(index, value);
                    Ok(())
                }
                _ => {
                    let message =
                        format!("`{last}` is not a valid index from 0 to {}", elements.len());
                    self.refuse("path", Outcome::Invalid, message)
                }
            },
            Some(other) => {
                let message = format!("{} has no members to add to", other.type_name());
                self.refuse("path", Outcome::TypeMismatch, message)
            }
            None => self.refuse("path", Outcome::Invalid, "no value to add to"),
        }
    }

    /// Takes out the value that the pointer in `member` leads to.
    fn remove(
        &self,
        document: &mut Draft,
        path: &[String],
        member: &str,
        budget: &mut Budget,
    ) -> Result<Draft, PatchError> {
        let Some((last, parents)) = path.split_last() else {
            return self.refuse(member, Outcome::Invalid, "the whole document cannot be removed");
        };
        let removed = match document.find(parents).map(Draft::opened) {
            Some(Draft::Object(members)) => members.remove(last),
            Some(Draft::Array(elements)) => {
                match index(last).filter(|&index| index < elements.len()) {
                    Some(index) => {
                        self.within(budget.take(moved(elements.len() - index)), budget)?;
                        Some(elements.remove(index))
                    }
                    None => None,
                }
            }
            _ => None,
        };
        match removed {
            Some(value) => Ok(value),
            None => self.refuse(member, Outcome::Invalid, "no value at this place"),
        }
    }
}

/// What it takes to move so many elements aside, compared with copying a value.
fn moved(count: usize) -> usize {
    count / 64
}

/// The JSON Patch that makes `target` of `source`: members in the order of `target`, then what goes;
/// arrays index by index.
///
/// # Errors
/// The patch passes a limit.
pub fn create_json_patch(
    source: &Json,
    target: &Json,
    limits: DocumentLimits,
) -> Result<Json, PatchError> {
    let mut making = Making { operations: Vec::new(), budget: Budget::new(limits) };
    match making.differences(&mut Pointer::default(), source, target) {
        Ok(()) => Ok(Json::Array(making.operations)),
        Err(excess) => Err(making.budget.issue(excess, Task::CreatePatch, "")),
    }
}

/// A patch that is being made.
struct Making {
    operations: Vec<Json>,
    budget: Budget,
}

impl Making {
    fn differences(
        &mut self,
        path: &mut Pointer,
        source: &Json,
        target: &Json,
    ) -> Result<(), Excess> {
        match (source, target) {
            (Json::Object(old), Json::Object(new)) => {
                let (before, after) = (by_name(old), by_name(new));
                for (name, value) in new {
                    path.at(name, |path| match before.get(name.as_str()) {
                        Some(before) => self.differences(path, before, value),
                        None => self.operation("add", path, Some(value)),
                    })?;
                }
                for (name, _) in old.iter().filter(|(name, _)| !after.contains_key(name.as_str())) {
                    path.at(name, |path| self.operation("remove", path, None))?;
                }
                Ok(())
            }
            (Json::Array(old), Json::Array(new)) => {
                for (index, value) in new.iter().enumerate() {
                    path.at_index(index, |path| match old.get(index) {
                        Some(before) => self.differences(path, before, value),
                        None => self.operation("add", path, Some(value)),
                    })?;
                }
                for index in (new.len()..old.len()).rev() {
                    path.at_index(index, |path| self.operation("remove", path, None))?;
                }
                Ok(())
            }
            _ if compare(source, target).is_eq() => Ok(()),
            _ => self.operation("replace", path, Some(target)),
        }
    }

    /// Paths count against the limits: where names are long, each of a million may be a megabyte. Values
    /// are there once.
    fn operation(&mut self, op: &str, path: &Pointer, value: Option<&Json>) -> Result<(), Excess> {
        self.budget.take_text(path.as_str())?;
        let mut members =
            vec![("op".to_owned(), Json::from(op)), ("path".to_owned(), Json::from(path.as_str()))];
        members.extend(value.map(|value| ("value".to_owned(), value.clone())));
        self.operations.push(Json::Object(members));
        Ok(())
    }
}
