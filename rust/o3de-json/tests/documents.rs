//! Result codes, patches, imports, type names and the wrapper: `patch.jsonl`.

use crate::vectors::{Counts, Vector, outcome_fits, outcome_named, registry, run_all, task_named};
use o3de_json::{
    Class, DocumentLimits, Import, Issue, Json, Outcome, Registry, ResultCode, Settings, Task,
    TypeId, apply_json_patch, apply_merge_patch, compare, create_json_patch, create_merge_patch,
    escape_segment, load_wrapped, resolve_imports, restore_imports,
};

const COUNTS: Counts =
    Counts { doc: 0, engine: 0, both: 0, without_mode: 126, without_outcome: 36 };

type Check = Result<(), String>;

#[test]
fn documents() {
    run_all("patch.jsonl", "kind", COUNTS, &[], |vector, _| match vector.text("kind") {
        "apply_json_patch" => check_json_patch(vector),
        "apply_merge_patch" => {
            let mut document = vector.member("target").clone();
            apply_merge_patch(&mut document, vector.member("patch"));
            same(&document, vector.member("expected"))
        }
        "create_json_patch" => check_create_json_patch(vector),
        "create_merge_patch" => check_create_merge_patch(vector),
        "compare" => {
            let order = compare(vector.member("lhs"), vector.member("rhs"));
            same(&Json::from(&*format!("{order:?}")), vector.member("expected"))
        }
        "combine" => check_combine(vector),
        "resolve_imports" => check_resolve(vector),
        "restore_imports" => check_restore(vector),
        "load_type_id" => check_load_type_id(vector),
        "store_type_id" => check_store_type_id(vector),
        "deserialize_path" => check_path(vector),
        "load_wrapper" => check_wrapper(vector),
        "write_text" => {
            same(&Json::String(vector.member("input").to_text_pretty()), vector.member("expected"))
        }
        "parse_error" => {
            let message = Json::parse(vector.text("text")).map_err(|error| error.to_string());
            let prefix = vector.text("expected_message_prefix");
            match message {
                Err(message) if message.starts_with(prefix) => Ok(()),
                other => Err(format!("{other:?}")),
            }
        }
        kind => Err(format!("no check knows the kind `{kind}`")),
    });
}

fn same(found: &Json, expected: &Json) -> Check {
    if found == expected {
        return Ok(());
    }
    Err(format!("{}, not {}", found.to_text(), expected.to_text()))
}

fn check_code(vector: &Vector, code: ResultCode) -> Check {
    let processing = vector.get("processing").and_then(Json::as_str);
    let is_processing = processing.is_none_or(|name| name == format!("{:?}", code.processing()));
    if outcome_fits(vector.member("outcome"), code.outcome()) && is_processing {
        return Ok(());
    }
    Err(format!("{code:?}"))
}

/// The code of a success, or of the issue that stopped it.
fn code_of<T>(result: &Result<T, Issue>, task: Task) -> ResultCode {
    result
        .as_ref()
        .err()
        .map_or_else(|| ResultCode::new(task, Outcome::Success), |issue| issue.code)
}

fn check_json_patch(vector: &Vector) -> Check {
    let text =
        vector.get("patch_text").and_then(Json::as_str).map(|text| Json::parse(text).unwrap());
    let mut document = vector.member("target").clone();
    let patch = text.as_ref().unwrap_or_else(|| vector.member("patch"));
    let result = apply_json_patch(&mut document, patch, DocumentLimits::default());
    check_code(vector, code_of(&result, Task::Merge))?;
    vector.get("expected").map_or(Ok(()), |expected| same(&document, expected))
}

fn check_create_json_patch(vector: &Vector) -> Check {
    let (source, target) = (vector.member("from_"), vector.member("to"));
    let patch =
        create_json_patch(source, target, DocumentLimits::default()).expect("within limits");
    same(&patch, vector.member("expected"))?;
    let mut document = source.clone();
    apply_json_patch(&mut document, &patch, DocumentLimits::default())
        .map_err(|issue| issue.message)?;
    if compare(&document, target).is_eq() { Ok(()) } else { same(&document, target) }
}

fn check_create_merge_patch(vector: &Vector) -> Check {
    let (source, target) = (vector.member("from_"), vector.member("to"));
    let result = create_merge_patch(source, target);
    check_code(vector, code_of(&result, Task::CreatePatch))?;
    let Ok(patch) = result else { return Ok(()) };
    same(&patch, vector.member("expected"))?;
    let mut document = source.clone();
    apply_merge_patch(&mut document, &patch);
    same(&document, target)
}

fn check_combine(vector: &Vector) -> Check {
    let code = |name| {
        let parts =
            vector.member(name).as_array().unwrap().iter().map(|part| part.as_str().unwrap());
        match *parts.collect::<Vec<_>>() {
            [task] => ResultCode::started(task_named(task)),
            [task, outcome] => ResultCode::new(task_named(task), outcome_named(outcome)),
            ref parts => panic!("a code has a task and an outcome, not {parts:?}"),
        }
    };
    let combined = code("a").combine(code("b"));
    for (name, expected) in vector.member("expected").as_object().unwrap() {
        let found = match name.as_str() {
            "task" => format!("{:?}", combined.task()),
            "processing" => format!("{:?}", combined.processing()),
            "outcome" => format!("{:?}", combined.outcome()),
            other => return Err(format!("no part is called {other}")),
        };
        same(&Json::String(found), expected)?;
    }
    Ok(())
}

fn resolver(vector: &Vector) -> impl FnMut(&str) -> Result<Json, String> {
    |name| vector.member("files").member(name).cloned().ok_or_else(|| "file not found".into())
}

fn check_resolve(vector: &Vector) -> Check {
    let input = vector.member("input");
    let mut document = input.clone();
    let result = resolve_imports(&mut document, &mut resolver(vector), DocumentLimits::default());
    check_code(vector, code_of(&result, Task::Import))?;
    let Ok(imports) = result else { return Ok(()) };
    same(&document, vector.member("expected"))?;
    let restored =
        restore_imports(&mut document, &imports, &mut resolver(vector), DocumentLimits::default());
    restored.map_err(|issue| issue.message)?;
    same(&document, input)
}

fn check_restore(vector: &Vector) -> Check {
    let directives = vector.member("directives").as_object().unwrap();
    let imports: Vec<Import> = directives
        .iter()
        .map(|(path, file)| Import { path: path.clone(), filename: file.as_str().unwrap().into() })
        .collect();
    let mut document = vector.member("input").clone();
    let result =
        restore_imports(&mut document, &imports, &mut resolver(vector), DocumentLimits::default());
    check_code(vector, code_of(&result, Task::Import))?;
    same(&document, vector.member("expected"))
}

/// The classes that a vector registers; their UUIDs are those of the shared classes.
fn registered(vector: &Vector) -> Registry {
    let shared = registry();
    let mut registry = Registry::default();
    let classes = vector.member("registered").as_array().unwrap_or_default();
    let text = |json: &Json, name: &str| json.member(name).and_then(Json::as_str).map(Box::from);
    let class = |json: &Json| {
        let full_name: Box<str> = text(json, "cpp").expect("a class has a name");
        let known = shared.class(&full_name.replace("::", "_"));
        let bases = json.member("bases").and_then(Json::as_array).unwrap_or_default();
        Class {
            name: text(json, "name").unwrap_or_else(|| full_name.clone()),
            uuid: text(json, "uuid")
                .or_else(|| known.map(|class| class.uuid.clone()))
                .unwrap_or_default(),
            bases: bases.iter().filter_map(Json::as_str).map(Box::from).collect(),
            full_name,
            ..Class::default()
        }
    };
    let all: Vec<Class> = classes.iter().map(class).collect();
    // The vectors leave out a base that has no part in what they ask.
    for base in all.iter().flat_map(|class| &class.bases) {
        if all.iter().all(|class| class.full_name != *base) && registry.class(base).is_none() {
            let class = Class { full_name: base.clone(), name: base.clone(), ..Class::default() };
            registry.register(class).unwrap();
        }
    }
    for class in all {
        registry.register(class).unwrap();
    }
    registry
}

fn check_load_type_id(vector: &Vector) -> Check {
    let registry = registered(vector);
    let base = vector.get("base").and_then(Json::as_str);
    let expected = vector.member("expected");
    let found = match registry.load_type_id(vector.member("input"), base) {
        Ok(found) => found,
        Err(issue) => {
            same(&Json::Null, expected)?;
            return check_code(vector, issue.code);
        }
    };
    check_code(vector, ResultCode::new(Task::ReadField, Outcome::Success))?;
    let wanted = expected.as_str().ok_or_else(|| format!("{found:?}, not {expected:?}"))?;
    let is_wanted = match &found {
        TypeId::Uuid(uuid) => **uuid == *wanted,
        TypeId::Class(class) if wanted.starts_with('{') => {
            registry.class(class).is_some_and(|class| *class.uuid == *wanted)
        }
        // Without a namespace, the last part of the name is meant.
        TypeId::Class(class) => {
            let wanted = wanted.trim_start_matches("typeid(").trim_end_matches(')');
            **class == *wanted || class.rsplit("::").next() == Some(wanted)
        }
    };
    if is_wanted { Ok(()) } else { Err(format!("{found:?}, not {wanted}")) }
}

fn check_store_type_id(vector: &Vector) -> Check {
    match registered(vector).store_type_id(vector.text("input")) {
        Ok(named) => {
            same(&Json::from(&*named), vector.member("expected"))?;
            check_code(vector, ResultCode::new(Task::WriteValue, Outcome::Success))
        }
        Err(issue) => {
            // O3DE writes `{}` where it knows no name.
            let expected = vector.member("expected");
            if *expected != Json::explicit_default() {
                same(&Json::Null, expected)?;
            }
            check_code(vector, issue.code)
        }
    }
}

fn check_path(vector: &Vector) -> Check {
    let segments = vector.member("segments").as_array().unwrap();
    let path: String = segments
        .iter()
        .map(|segment| match segment {
            Json::String(name) => format!("/{}", escape_segment(name)),
            index => format!("/{}", index.to_text()),
        })
        .collect();
    same(&Json::String(path), vector.member("expected"))
}

/// A text that is not JSON is a failure like any other.
fn check_wrapper(vector: &Vector) -> Check {
    let class = vector.text("expected_class");
    let result = match Json::parse(vector.text("text")) {
        Ok(document) => load_wrapped(&document, class, &registry(), Settings::default())
            .map_err(|issues| format!("{issues:?}")),
        Err(error) => Err(error.to_string()),
    };
    if let (Some(prefix), Err(message)) = (vector.get("expected_message_prefix"), &result) {
        let prefix = prefix.as_str().unwrap_or_default();
        return if message.starts_with(prefix) { Ok(()) } else { Err(message.clone()) };
    }
    same(&Json::Bool(result.is_ok()), vector.member("success"))
        .map_err(|e| format!("{e}: {result:?}"))
}
