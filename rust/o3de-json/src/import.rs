//! `$import`: a document in the place of an object (`BaseJsonImporter` of O3DE).

use crate::patch::{apply_json_patch, apply_merge_patch, create_merge_patch};
use crate::{Issue, Json, Outcome, ResultCode, Task, escape_segment};

/// The member that names a document to import.
const IMPORT_MEMBER: &str = "$import";

/// How many documents may be open at once: each may itself be nested deep.
const MAX_NESTED_IMPORTS: usize = 16;

/// An import that was resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// Where the document stands now, as a JSON Pointer.
    pub path: String,
    /// The name of the document.
    pub filename: String,
}

/// Gives the document of a name, or says why it cannot. The crate itself reads no files.
pub type Resolver<'a> = &'a mut dyn FnMut(&str) -> Result<Json, String>;

/// Puts the documents that `$import` names in the place of the objects that name them: imports
/// inside them first, then the patch, which is a merge patch. Gives the imports of the outer document.
///
/// # Errors
/// `Catastrophic` if a document cannot be had or imports itself, `TypeMismatch` if the directive is
/// neither a string nor an object with `filename`. The document is then partly resolved.
pub fn resolve_imports(document: &mut Json, resolver: Resolver<'_>) -> Result<Vec<Import>, Issue> {
    let mut imports = Vec::new();
    resolve(document, "", &mut Vec::new(), resolver, &mut imports)?;
    Ok(imports)
}

fn resolve(
    json: &mut Json,
    path: &str,
    open: &mut Vec<String>,
    resolver: Resolver<'_>,
    imports: &mut Vec<Import>,
) -> Result<(), Issue> {
    if let Some(directive) = json.member(IMPORT_MEMBER) {
        let (filename, patch) = directive_parts(directive, path)?;
        let mut imported = read_import(&filename, path, open, resolver)?;
        open.push(filename.clone());
        resolve(&mut imported, path, open, resolver, &mut Vec::new())?;
        open.pop();
        if let Some(patch) = patch {
            apply_merge_patch(&mut imported, &patch);
        }
        *json = imported;
        imports.push(Import { path: path.to_owned(), filename });
        return Ok(());
    }
    match json {
        Json::Object(members) => members.iter_mut().try_for_each(|(name, value)| {
            let path = format!("{path}/{}", escape_segment(name));
            resolve(value, &path, open, resolver, imports)
        }),
        Json::Array(elements) => elements.iter_mut().enumerate().try_for_each(|(index, value)| {
            resolve(value, &format!("{path}/{index}"), open, resolver, imports)
        }),
        _ => Ok(()),
    }
}

fn directive_parts(directive: &Json, path: &str) -> Result<(String, Option<Json>), Issue> {
    match (directive, directive.member("filename")) {
        (Json::String(filename), _) => Ok((filename.clone(), None)),
        (_, Some(Json::String(filename))) => {
            Ok((filename.clone(), directive.member("patch").cloned()))
        }
        _ => {
            let message = "`$import` is a file's name, or an object with `filename` and `patch`";
            Err(refused(path, Outcome::TypeMismatch, message))
        }
    }
}

/// Builds the document anew, member by member in their order, as settings registries do: what
/// `$import` names is merged into what came before it, and what comes after changes that again.
///
/// A document whose name ends in `.jsonpatch` or `.setregpatch` is a JSON Patch of what came before;
/// any other is a merge patch. A `null` outside of imported documents is kept, it removes nothing
/// (`JsonImportResolver::ResolveImportsInOrder`, `PatchField`, `LoadAndMergeImportFile`).
///
/// # Errors
/// As [`resolve_imports`], and what a JSON Patch cannot do. The document is then unchanged.
pub fn resolve_imports_in_order(document: &mut Json, resolver: Resolver<'_>) -> Result<(), Issue> {
    *document = in_order(document, "", &mut Vec::new(), resolver)?;
    Ok(())
}

fn in_order(
    source: &Json,
    path: &str,
    open: &mut Vec<String>,
    resolver: Resolver<'_>,
) -> Result<Json, Issue> {
    let members = match source {
        Json::Array(elements) => {
            let each = elements.iter().enumerate().map(|(index, element)| {
                in_order(element, &format!("{path}/{index}"), open, resolver)
            });
            return each.collect::<Result<_, _>>().map(Json::Array);
        }
        Json::Object(members) => members,
        scalar => return Ok(scalar.clone()),
    };
    let mut target = Json::explicit_default();
    for (name, value) in members {
        let path = format!("{path}/{}", escape_segment(name));
        if name != IMPORT_MEMBER {
            let value = in_order(value, &path, open, resolver)?;
            merge_member(&mut target, name, value);
            continue;
        }
        let (filename, patch) = directive_parts(value, &path)?;
        let mut imported = read_import(&filename, &path, open, resolver)?;
        open.push(filename.clone());
        if let Some(patch) = patch {
            apply_merge_patch(&mut imported, &patch);
        }
        if PATCH_EXTENSIONS.iter().any(|extension| filename.ends_with(extension)) {
            apply_json_patch(&mut target, &imported)
                .map_err(|issue| Issue { path: format!("{path}{}", issue.path), ..issue })?;
        } else {
            let imported = in_order(&imported, &path, open, resolver)?;
            apply_merge_patch(&mut target, &imported);
        }
        open.pop();
    }
    Ok(target)
}

/// Files whose content is a JSON Patch.
const PATCH_EXTENSIONS: [&str; 2] = [".jsonpatch", ".setregpatch"];

/// Objects are merged, all else replaces what was there.
fn merge_member(target: &mut Json, name: &str, value: Json) {
    let Json::Object(members) = target else { return };
    match members.iter_mut().find(|(known, _)| known == name) {
        Some((_, known @ Json::Object(_))) if value.as_object().is_some() => {
            let Json::Object(changes) = value else { return };
            for (name, value) in changes {
                merge_member(known, &name, value);
            }
        }
        Some((_, known)) => *known = value,
        None => members.push((name.to_owned(), value)),
    }
}

/// The document of a name, unless it is open already.
fn read_import(
    filename: &str,
    path: &str,
    open: &[String],
    resolver: Resolver<'_>,
) -> Result<Json, Issue> {
    if open.iter().any(|known| known == filename) {
        let message = format!("`{filename}` imports itself through {}", open.join(", "));
        return Err(refused(path, Outcome::Catastrophic, message));
    }
    if open.len() == MAX_NESTED_IMPORTS {
        let message = format!("more than {MAX_NESTED_IMPORTS} imports in each other: flatten them");
        return Err(refused(path, Outcome::Catastrophic, message));
    }
    resolver(filename)
        .map_err(|why| refused(path, Outcome::Catastrophic, format!("`{filename}`: {why}")))
}

/// Puts the directives back: what differs from the named document becomes the patch.
///
/// # Errors
/// As [`resolve_imports`], and `Unsupported` if a difference needs a `null`.
pub fn restore_imports(
    document: &mut Json,
    imports: &[Import],
    resolver: Resolver<'_>,
) -> Result<(), Issue> {
    for Import { path, filename } in imports {
        let place = crate::parse_pointer(path);
        let place = place.and_then(|segments| crate::patch::find_mut(document, &segments));
        let Some(place) = place else {
            return Err(refused(path, Outcome::Missing, "there is no value at this place"));
        };
        let mut imported = resolver(filename)
            .map_err(|why| refused(path, Outcome::Catastrophic, format!("`{filename}`: {why}")))?;
        let mut open = vec![filename.clone()];
        resolve(&mut imported, path, &mut open, resolver, &mut Vec::new())?;
        let patch = create_merge_patch(&imported, place)?;
        let directive = if crate::compare(&imported, place).is_eq() {
            Json::String(filename.clone())
        } else {
            Json::Object(vec![
                ("filename".into(), Json::String(filename.clone())),
                ("patch".into(), patch),
            ])
        };
        *place = Json::Object(vec![(IMPORT_MEMBER.into(), directive)]);
    }
    Ok(())
}

fn refused(path: &str, outcome: Outcome, message: impl Into<String>) -> Issue {
    let code = ResultCode::new(Task::Import, outcome);
    Issue { path: path.to_owned(), message: message.into(), code }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_end() {
        let mut count = 0;
        let mut endless = |_: &str| {
            count += 1;
            Json::parse(&format!("{{\"a\": {{\"$import\": \"{count}\"}}}}"))
                .map_err(|e| e.to_string())
        };
        let mut document = Json::parse("{\"$import\": \"start\"}").unwrap();
        let issue = resolve_imports(&mut document, &mut endless).unwrap_err();
        assert_eq!(issue.code.outcome(), Outcome::Catastrophic);
        assert!(issue.message.contains("flatten"), "{}", issue.message);
    }

    fn files(name: &str) -> Result<Json, String> {
        let text = match name {
            "base.setreg" => r#"{"a": {"x": 1, "y": [1, 2]}, "b": 2}"#,
            "more.setregpatch" | "more.jsonpatch" => {
                r#"[{"op": "remove", "path": "/b"}, {"op": "add", "path": "/a/y/-", "value": 3}]"#
            }
            "nested.setreg" => r#"{"$import": "base.setreg", "a": {"x": 7}}"#,
            "bad.jsonpatch" => r#"[{"op": "remove", "path": "/none"}]"#,
            "self.setreg" => r#"{"q": {"$import": "self.setreg"}}"#,
            _ => return Err("there is no such file".into()),
        };
        Json::parse(text).map_err(|error| error.to_string())
    }

    #[test]
    fn imports_in_order() {
        let table = [
            // What comes after an import changes it, what came before is changed by it.
            (
                r#"{"b": 1, "$import": "base.setreg", "a": {"x": 5}}"#,
                r#"{"b":2,"a":{"x":5,"y":[1,2]}}"#,
            ),
            (
                r#"{"$import": "base.setreg", "$import": "more.jsonpatch"}"#,
                r#"{"a":{"x":1,"y":[1,2,3]}}"#,
            ),
            (
                r#"{"$import": "base.setreg", "$import": "more.setregpatch", "b": null}"#,
                r#"{"a":{"x":1,"y":[1,2,3]},"b":null}"#,
            ),
            (
                r#"{"c": [{"$import": "nested.setreg"}]}"#,
                r#"{"c":[{"a":{"x":7,"y":[1,2]},"b":2}]}"#,
            ),
            (r#"{"$import": {"filename": "base.setreg", "patch": {"a": null}}}"#, r#"{"b":2}"#),
        ];
        for (text, expected) in table {
            let mut document = Json::parse(text).unwrap();
            resolve_imports_in_order(&mut document, &mut files).expect(text);
            assert_eq!(document.to_text(), expected);
        }
        let fails = [
            (r#"{"$import": "none"}"#, Outcome::Catastrophic, "/$import"),
            (r#"{"$import": "self.setreg"}"#, Outcome::Catastrophic, "/$import/q/$import"),
            (r#"{"$import": "bad.jsonpatch"}"#, Outcome::Invalid, "/$import/0/path"),
            (r#"{"a": {"$import": 1}}"#, Outcome::TypeMismatch, "/a/$import"),
        ];
        for (text, outcome, path) in fails {
            let mut document = Json::parse(text).unwrap();
            let issue = resolve_imports_in_order(&mut document, &mut files).expect_err(text);
            assert_eq!((issue.code.outcome(), issue.path.as_str()), (outcome, path), "{text}");
            assert_eq!(document, Json::parse(text).unwrap());
        }
    }
}
