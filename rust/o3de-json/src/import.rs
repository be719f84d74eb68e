//! `$import`: a document in the place of an object (`BaseJsonImporter` of O3DE).

use crate::json::Pointer;
use crate::limits::{Budget, DocumentLimits, Excess, levels_inside};
use crate::patch::{Draft, apply_merge_patch, apply_operations, merge_patch_between};
use crate::{Issue, Json, Outcome, ResultCode, Task};

/// The member that names a document to import.
const IMPORT_MEMBER: &str = "$import";

/// How many documents may be open at once: each may itself be nested deep.
const MAX_NESTED_IMPORTS: usize = 16;

/// An import that was resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The place of the imported document, as a JSON Pointer.
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
/// `Catastrophic` if a document cannot be had or imports itself or a limit is passed, `TypeMismatch`
/// if the directive is neither a string nor an object with `filename`. The document is then partly
/// resolved.
pub fn resolve_imports(
    document: &mut Json,
    resolver: Resolver<'_>,
    limits: DocumentLimits,
) -> Result<Vec<Import>, Issue> {
    let mut imports = Vec::new();
    let mut importing = Importing::new(resolver, limits);
    importing.resolve(document, &mut Pointer::default(), limits.max_depth, &mut imports)?;
    Ok(imports)
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
pub fn resolve_imports_in_order(
    document: &mut Json,
    resolver: Resolver<'_>,
    limits: DocumentLimits,
) -> Result<(), Issue> {
    let mut importing = Importing::new(resolver, limits);
    *document = importing.in_order(document, &mut Pointer::default(), limits.max_depth)?;
    Ok(())
}

/// Puts the directives back: what differs from the named document becomes the patch.
///
/// # Errors
/// As [`resolve_imports`], and `Unsupported` if a difference needs a `null`.
pub fn restore_imports(
    document: &mut Json,
    imports: &[Import],
    resolver: Resolver<'_>,
    limits: DocumentLimits,
) -> Result<(), Issue> {
    let mut importing = Importing::new(resolver, limits);
    let mut draft = Draft::Plain(std::mem::take(document));
    let done = imports.iter().try_for_each(|import| importing.restore(&mut draft, import));
    *document = draft.into_json();
    done
}

/// Files whose content is a JSON Patch.
const PATCH_EXTENSIONS: [&str; 2] = [".jsonpatch", ".setregpatch"];

/// What all imports of a call share.
struct Importing<'a> {
    resolver: Resolver<'a>,
    /// The names of the documents around the one at hand.
    open: Vec<String>,
    budget: Budget,
}

impl<'a> Importing<'a> {
    fn new(resolver: Resolver<'a>, limits: DocumentLimits) -> Importing<'a> {
        Importing { resolver, open: Vec::new(), budget: Budget::new(limits) }
    }

    fn resolve(
        &mut self,
        json: &mut Json,
        path: &mut Pointer,
        levels: usize,
        imports: &mut Vec<Import>,
    ) -> Result<(), Issue> {
        if let Some(directive) = json.member(IMPORT_MEMBER) {
            let (filename, patch) = directive_parts(directive, path)?;
            let mut imported = self.read(&filename, path, levels)?;
            self.open.push(filename.clone());
            self.resolve(&mut imported, path, levels, &mut Vec::new())?;
            self.open.pop();
            if let Some(patch) = patch {
                apply_merge_patch(&mut imported, &patch);
            }
            *json = imported;
            let path = path.as_str().to_owned();
            imports.push(Import { path, filename });
            return Ok(());
        }
        match json {
            Json::Object(members) => {
                let levels = self.within(levels_inside(levels, members.len()), path)?;
                members.iter_mut().try_for_each(|(name, value)| {
                    path.at(name, |path| self.resolve(value, path, levels, imports))
                })
            }
            Json::Array(elements) => {
                let levels = self.within(levels_inside(levels, elements.len()), path)?;
                elements.iter_mut().enumerate().try_for_each(|(index, value)| {
                    path.at_index(index, |path| self.resolve(value, path, levels, imports))
                })
            }
            _ => Ok(()),
        }
    }

    fn in_order(
        &mut self,
        source: &Json,
        path: &mut Pointer,
        levels: usize,
    ) -> Result<Json, Issue> {
        let members = match source {
            Json::Array(elements) => {
                let inside = self.within(levels_inside(levels, elements.len()), path)?;
                let each = elements.iter().enumerate().map(|(index, element)| {
                    path.at_index(index, |path| self.in_order(element, path, inside))
                });
                return each.collect::<Result<_, _>>().map(Json::Array);
            }
            Json::Object(members) => members,
            scalar => return Ok(scalar.clone()),
        };
        let inside = self.within(levels_inside(levels, members.len()), path)?;
        let mut target = Draft::Plain(Json::explicit_default());
        for (name, value) in members {
            path.at(name, |path| {
                if name == IMPORT_MEMBER {
                    return self.import_in_order(&mut target, value, path, levels);
                }
                let value = self.in_order(value, path, inside)?;
                merge_member(&mut target, name, value);
                Ok(())
            })?;
        }
        Ok(target.into_json())
    }

    /// Merges the document that `directive` names into `target`.
    fn import_in_order(
        &mut self,
        target: &mut Draft,
        directive: &Json,
        path: &mut Pointer,
        levels: usize,
    ) -> Result<(), Issue> {
        let (filename, patch) = directive_parts(directive, path)?;
        let mut imported = self.read(&filename, path, levels)?;
        if let Some(patch) = patch {
            apply_merge_patch(&mut imported, &patch);
        }
        let is_patch = PATCH_EXTENSIONS.iter().any(|extension| filename.ends_with(extension));
        self.open.push(filename);
        if is_patch {
            apply_operations(target, &imported, levels, &mut self.budget).map_err(|issue| {
                Issue::new(format!("{}{}", path.as_str(), issue.path), issue.message, issue.code)
            })?;
        } else {
            target.merge(&self.in_order(&imported, path, levels)?);
        }
        self.open.pop();
        Ok(())
    }

    /// The document of a name, unless it is open already; it may have so many `levels`.
    fn read(&mut self, filename: &str, path: &Pointer, levels: usize) -> Result<Json, Issue> {
        if self.open.iter().any(|known| known == filename) {
            let open: Vec<&str> = self.open.iter().map(|name| shown(name)).collect();
            let message =
                format!("`{}` imports itself through {}", shown(filename), open.join(", "));
            return Err(refused(path, Outcome::Catastrophic, message));
        }
        if self.open.len() == MAX_NESTED_IMPORTS {
            let message = format!("more than {MAX_NESTED_IMPORTS} nested imports: flatten them");
            return Err(refused(path, Outcome::Catastrophic, message));
        }
        let allowed = self.budget.take_import();
        self.within(allowed, path)?;
        let imported = (self.resolver)(filename).map_err(|why| {
            refused(path, Outcome::Catastrophic, format!("`{}`: {why}", shown(filename)))
        })?;
        // Each import is recorded with its path.
        let taken = self.budget.take_text(path.as_str());
        let taken = taken.and_then(|()| self.budget.take_json(&imported, levels));
        self.within(taken, path)?;
        Ok(imported)
    }

    fn restore(
        &mut self,
        document: &mut Draft,
        Import { path, filename }: &Import,
    ) -> Result<(), Issue> {
        let mut pointer = Pointer::new(path);
        let place = crate::parse_pointer(path);
        let levels = place.as_ref().map_or(0, Vec::len);
        let levels = self.budget.limits.max_depth.saturating_sub(levels);
        let Some(place) = place.and_then(|segments| document.find(&segments)) else {
            let message = "no value at this place";
            return Err(refused(&pointer, Outcome::Missing, message));
        };
        let mut imported = self.read(filename, &pointer, levels)?;
        self.open.push(filename.clone());
        self.resolve(&mut imported, &mut pointer, levels, &mut Vec::new())?;
        self.open.pop();
        let (found, count) = place.close();
        let patch = merge_patch_between(&imported, found)?;
        let directive = match patch {
            None => Json::String(filename.clone()),
            Some(patch) => Json::Object(vec![
                ("filename".into(), Json::String(filename.clone())),
                ("patch".into(), patch),
            ]),
        };
        // Whoever names the same place again and again gets a patch of a patch.
        let taken = self.budget.take(count / 16);
        let directive = Json::Object(vec![(IMPORT_MEMBER.into(), directive)]);
        let taken = taken.and_then(|()| self.budget.take_json(&directive, levels));
        self.within(taken, &pointer)?;
        *place = Draft::Plain(directive);
        Ok(())
    }

    /// Refuses what passes a limit.
    fn within<T>(&self, taken: Result<T, Excess>, path: &Pointer) -> Result<T, Issue> {
        taken.map_err(|excess| self.budget.issue(excess, Task::Import, path.as_str()))
    }
}

fn directive_parts(directive: &Json, path: &Pointer) -> Result<(String, Option<Json>), Issue> {
    match (directive, directive.member("filename")) {
        (Json::String(filename), _) => Ok((filename.clone(), None)),
        (_, Some(Json::String(filename))) => {
            Ok((filename.clone(), directive.member("patch").cloned()))
        }
        _ => {
            let message = "`$import` must be a file name, or an object with `filename` and `patch`";
            Err(refused(path, Outcome::TypeMismatch, message))
        }
    }
}

/// Objects are merged, all else replaces what was there.
fn merge_member(target: &mut Draft, name: &str, value: Json) {
    let Some(members) = target.members() else { return };
    match (members.get(name), value) {
        (Some(known), Json::Object(changes)) if known.is_object() => {
            for (name, value) in changes {
                merge_member(known, &name, value);
            }
        }
        (Some(known), value) => *known = Draft::Plain(value),
        (None, value) => members.set(name, Draft::Plain(value)),
    }
}

/// A name that anyone may have made up, for a message.
fn shown(name: &str) -> &str {
    name.char_indices().nth(200).map_or(name, |(cut, _)| &name[..cut])
}

fn refused(path: &Pointer, outcome: Outcome, message: impl Into<String>) -> Issue {
    let code = ResultCode::new(Task::Import, outcome);
    Issue::new(path.as_str(), message, code)
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
        let issue =
            resolve_imports(&mut document, &mut endless, DocumentLimits::default()).unwrap_err();
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
            _ => return Err("file not found".into()),
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
            resolve_imports_in_order(&mut document, &mut files, DocumentLimits::default())
                .expect(text);
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
            let issue =
                resolve_imports_in_order(&mut document, &mut files, DocumentLimits::default())
                    .expect_err(text);
            assert_eq!((issue.code.outcome(), issue.path.as_str()), (outcome, path), "{text}");
            assert_eq!(document, Json::parse(text).unwrap());
        }
    }
}
