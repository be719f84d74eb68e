//! `$import`: a document in the place of an object (`BaseJsonImporter` of O3DE).

use crate::patch::{apply_merge_patch, create_merge_patch};
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
        if open.contains(&filename) {
            let message = format!("`{filename}` imports itself through {}", open.join(", "));
            return Err(refused(path, Outcome::Catastrophic, message));
        }
        if open.len() == MAX_NESTED_IMPORTS {
            let message =
                format!("more than {MAX_NESTED_IMPORTS} imports in each other: flatten them");
            return Err(refused(path, Outcome::Catastrophic, message));
        }
        let mut imported = resolver(&filename)
            .map_err(|why| refused(path, Outcome::Catastrophic, format!("`{filename}`: {why}")))?;
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
}
