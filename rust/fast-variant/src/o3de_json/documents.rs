//! JSON documents without a schema: patches, imports, comparing.

use godot::builtin::{AnyDictionary, Array, Callable, GString, VarArray, VarDictionary, Variant};
use godot::meta::ToGodot;
use godot::obj::Gd;
use o3de_json::{
    Import, Json, Outcome, ResultCode, Task, apply_json_patch, apply_merge_patch,
    create_json_patch, create_merge_patch, load_plain, load_plain_streaming,
    resolve_imports_in_order,
};

use super::call::{Call, Whole, tree};
use super::classes::{self, Classes};
use super::objects;
use super::work::{self, Answer};
use crate::engine;
use crate::o3de_json_result::O3deJsonResult;

/// Any JSON as values.
pub(super) fn parse(json: &Variant, options: &AnyDictionary) -> Answer {
    let call = plain_call(options)?;
    let classes = classes::current();
    let text = call.text_of(json);
    if let Some(text) = &text {
        let streamed = engine::build(call.max_collisions, |builder| {
            load_plain_streaming(text, call.limits, builder)
        });
        if let Some(value) = streamed {
            let code = ResultCode::new(Task::ReadField, Outcome::Success);
            return Ok(O3deJsonResult::loaded(value, code, &[]));
        }
    }
    match call.json(json, &classes) {
        Ok(json) => {
            let mut loaded = load_plain(&json);
            call.locate(text.as_deref(), &mut loaded.issues);
            work::finished(&loaded.value, loaded.code, &loaded.issues, &call, &classes)
        }
        Err(error) => Ok(O3deJsonResult::no_json(Task::ReadField, error)),
    }
}

/// Values that JSON has as JSON.
pub(super) fn stringify(value: &Variant, options: &AnyDictionary) -> Answer {
    let call = plain_call(options)?;
    let value = objects::value_of(value, &classes::current())?;
    let json = tree(&value, call.limits.max_depth, Whole::AsFloats)?;
    Ok(done(&json, Task::WriteValue, &call))
}

fn plain_call(options: &AnyDictionary) -> Result<Call, String> {
    let call = Call::parse(options)?;
    if call.default.is_some() || call.target.is_some() || call.report.is_some() {
        return Err("the options `default`, `target` and `report` need a schema: load() and store() take one".to_owned());
    }
    Ok(call)
}

/// The two documents of a call, or the result that names the invalid one.
fn documents(
    a: &Variant,
    b: &Variant,
    call: &Call,
    task: Task,
) -> Result<(Json, Json), Gd<O3deJsonResult>> {
    let classes = classes::current();
    let read = |json: &Variant| {
        call.json(json, &classes).map_err(|error| O3deJsonResult::no_json(task, error))
    };
    Ok((read(a)?, read(b)?))
}

pub(super) fn apply_patch(document: &Variant, patch: &Variant, options: &AnyDictionary) -> Answer {
    let call = Call::parse(options)?;
    let (mut document, patch) = match documents(document, patch, &call, Task::Merge) {
        Ok(documents) => documents,
        Err(result) => return Ok(result),
    };
    Ok(match apply_json_patch(&mut document, &patch, call.growth) {
        Ok(()) => done(&document, Task::Merge, &call),
        Err(issue) => O3deJsonResult::refused(Task::Merge, &[issue]),
    })
}

pub(super) fn merge_patch(document: &Variant, patch: &Variant, options: &AnyDictionary) -> Answer {
    let call = Call::parse(options)?;
    Ok(match documents(document, patch, &call, Task::Merge) {
        Ok((mut document, patch)) => {
            apply_merge_patch(&mut document, &patch);
            done(&document, Task::Merge, &call)
        }
        Err(result) => result,
    })
}

pub(super) fn create_patch(
    source: &Variant,
    target: &Variant,
    kind: &str,
    options: &AnyDictionary,
) -> Answer {
    let call = Call::parse(options)?;
    let (source, target) = match documents(source, target, &call, Task::CreatePatch) {
        Ok(documents) => documents,
        Err(result) => return Ok(result),
    };
    let patch = match kind {
        "json_patch" => create_json_patch(&source, &target, call.growth),
        "merge_patch" => create_merge_patch(&source, &target),
        _ => {
            return Err(
                "expected one of the two kinds of patch: \"json_patch\" and \"merge_patch\"".into(),
            );
        }
    };
    Ok(match patch {
        Ok(patch) => done(&patch, Task::CreatePatch, &call),
        Err(issue) => O3deJsonResult::refused(Task::CreatePatch, &[issue]),
    })
}

pub(super) fn resolve_imports(
    document: &Variant,
    resolver: &Callable,
    in_order: bool,
    options: &AnyDictionary,
) -> Answer {
    let call = Call::parse(options)?;
    let classes = classes::current();
    let mut document = match call.json(document, &classes) {
        Ok(document) => document,
        Err(error) => return Ok(O3deJsonResult::no_json(Task::Import, error)),
    };
    let mut resolve = |name: &str| resolved(resolver, name, &call, &classes);
    let imports = if in_order {
        resolve_imports_in_order(&mut document, &mut resolve, call.growth).map(|()| Vec::new())
    } else {
        o3de_json::resolve_imports(&mut document, &mut resolve, call.growth)
    };
    Ok(match imports {
        Ok(imports) => {
            let mut result = done(&document, Task::Import, &call);
            result.bind_mut().set_imported(&imports);
            result
        }
        Err(issue) => O3deJsonResult::refused(Task::Import, &[issue]),
    })
}

/// The document that the resolver of a call has for a name.
fn resolved(
    resolver: &Callable,
    name: &str,
    call: &Call,
    classes: &Classes,
) -> Result<Json, String> {
    let found = resolver.callv(&VarArray::from_iter([GString::from(name).to_variant()]));
    if found.is_nil() {
        return Err("the resolver returns nothing".to_owned());
    }
    call.json(&found, classes).map_err(String::from)
}

pub(super) fn restore_imports(
    document: &Variant,
    imports: &Array<AnyDictionary>,
    resolver: &Callable,
    options: &AnyDictionary,
) -> Answer {
    let call = Call::parse(options)?;
    let classes = classes::current();
    let import = |entry: AnyDictionary| {
        let text = |key: &str| entry.get(key).and_then(|value| value.try_to::<GString>().ok());
        match (text("path"), text("filename")) {
            (Some(path), Some(filename)) => {
                Ok(Import { path: path.to_string(), filename: filename.to_string() })
            }
            _ => Err("an import must be a dictionary of `path` and `filename`".to_owned()),
        }
    };
    let imports = imports.iter_shared().map(import).collect::<Result<Vec<_>, _>>()?;
    let mut document = match call.json(document, &classes) {
        Ok(document) => document,
        Err(error) => return Ok(O3deJsonResult::no_json(Task::Import, error)),
    };
    let mut resolve = |name: &str| resolved(resolver, name, &call, &classes);
    Ok(match o3de_json::restore_imports(&mut document, &imports, &mut resolve, call.growth) {
        Ok(()) => done(&document, Task::Import, &call),
        Err(issue) => O3deJsonResult::refused(Task::Import, &[issue]),
    })
}

fn done(json: &Json, task: Task, call: &Call) -> Gd<O3deJsonResult> {
    O3deJsonResult::written(&call.text(json), ResultCode::new(task, Outcome::Success), &[])
}

pub(super) fn compare(a: &Variant, b: &Variant) -> Result<i64, String> {
    let call = Call::parse(&VarDictionary::new())?;
    let classes = classes::current();
    let read = |json| call.json(json, &classes).map_err(String::from);
    Ok(o3de_json::compare(&read(a)?, &read(b)?) as i64)
}
