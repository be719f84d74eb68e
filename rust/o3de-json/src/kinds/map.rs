//! The maps (MapSerializer.cpp).

use godot_variant::{Array, Dictionary, Value, VariantType};

use super::{sequence, unsupported};
use crate::load::{load_anew, load_value};
use crate::run::Run;
use crate::schema::MapKind;
use crate::store::{Step, misfit, store_value};
use crate::streaming::{Builder, Child, Fallback, StreamReader, Streamed};
use crate::{Json, Kind, Outcome, ResultCode, Schema, Task, compare};

/// The name of a member whose key is the key type's default.
const DEFAULT_KEY: &str = "{}";

pub(crate) fn load(
    run: &mut Run<'_>,
    kind: MapKind,
    types: &(Schema, Schema),
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    if !matches!(json, Json::Object(_) | Json::Array(_)) {
        return unsupported(run, json, "map: write an object, or an array of Key and Value");
    }
    let mut dictionary = match std::mem::take(target) {
        Value::Dictionary(dictionary) => *dictionary,
        _ => Dictionary::default(),
    };
    let mut code = ResultCode::started(Task::ReadField);
    if run.settings.clear_containers && !dictionary.is_empty() {
        dictionary = Dictionary::typed(dictionary.key_type, dictionary.value_type);
        code.add(run.success(Task::Clear));
    }
    let known_count = count(kind, &dictionary);
    dictionary.reserve(json.as_object().map_or(0, <[_]>::len));
    let missing = Json::explicit_default();
    // The names of an object are texts where a key may be anything.
    let text_keys;
    let types = match types {
        (Schema { kind: Kind::Any, .. }, value) if json.as_object().is_some() => {
            text_keys = (Kind::String.into(), value.clone());
            &text_keys
        }
        types => types,
    };
    for (index, (name, entry)) in entries(json).enumerate() {
        let key = match name {
            Some(DEFAULT_KEY) => Some(Json::explicit_default()),
            Some(name) => Some(Json::from(name)),
            None if entry.as_object().is_none() => None,
            None => Some(entry.member("Key").unwrap_or(&missing).clone()),
        };
        let value = if name.is_some() { entry } else { entry.member("Value").unwrap_or(&missing) };
        let segment = name.map_or(EntryStep::Index(index), EntryStep::Name);
        code.add(run.at(&segment, |run| match key {
            Some(key) => load_entry(run, kind, types, &mut dictionary, &key, value),
            None => unsupported(run, entry, "entry of a map: write an object of Key and Value"),
        }));
        if code.is_halted() {
            break;
        }
    }
    let has_more = count(kind, &dictionary) > known_count;
    *target = dictionary.into();
    // A multimap's names without values are no work; an array without entries is a success.
    if !has_more && !code.has_done_work() && json.as_array() != Some(&[]) {
        return code;
    }
    sequence::of_container(run, code, has_more)
}

/// How many values there are.
fn count(kind: MapKind, dictionary: &Dictionary) -> usize {
    let of_key = |(_, values): (&Value, &Value)| match values {
        Value::Array(array) => array.elements.len(),
        _ => 1,
    };
    match kind {
        MapKind::UnorderedMultimap => dictionary.iter().map(of_key).sum(),
        _ => dictionary.len(),
    }
}

/// The entries of both forms: members with their names, elements without.
fn entries(json: &Json) -> impl Iterator<Item = (Option<&str>, &Json)> {
    let members = json.as_object().unwrap_or_default().iter();
    let elements = json.as_array().unwrap_or_default().iter();
    members.map(|(name, value)| (Some(name.as_str()), value)).chain(elements.map(|e| (None, e)))
}

fn load_entry(
    run: &mut Run<'_>,
    kind: MapKind,
    types: &(Schema, Schema),
    dictionary: &mut Dictionary,
    key_json: &Json,
    json: &Json,
) -> ResultCode {
    let (key_type, value_type) = types;
    if kind == MapKind::UnorderedMultimap {
        return load_entries(run, types, dictionary, key_json, json);
    }
    let mut key = key_type.default_value(run.registry);
    let key_code = load_value(run, key_type, &mut key, key_json);
    if key_code.is_halted() {
        return key_code;
    }
    if key_code.is_refused() {
        // The value is read all the same, for what is wrong with it.
        let step = load_value(run, value_type, &mut sequence::fresh(run, value_type, json), json);
        return if step.is_halted() { step } else { left_out(run, "key") };
    }
    let known_count = dictionary.len();
    let slot = dictionary.entry(key);
    if *slot == Value::Nil {
        *slot = sequence::fresh(run, value_type, json);
    } else if !run.may_load_over(slot) {
        let message = "too many duplicate names in this map: keep one of each";
        return run.report(Task::ReadField, Outcome::Catastrophic, message);
    }
    // A value that is there is loaded over, and keeps what a refused one has made of it.
    let step = load_anew(run, value_type, slot, json);
    if !step.is_refused() {
        return key_code.combine(step);
    }
    if dictionary.len() > known_count {
        dictionary.pop();
    }
    if step.is_halted() { step } else { left_out(run, "value") }
}

/// Adds the values of one key to a multimap.
fn load_entries(
    run: &mut Run<'_>,
    (key_type, value_type): &(Schema, Schema),
    dictionary: &mut Dictionary,
    key_json: &Json,
    json: &Json,
) -> ResultCode {
    let explicit_default = [Json::explicit_default()];
    let elements = match json {
        Json::Array(elements) => elements,
        _ if json.is_explicit_default() => &explicit_default[..],
        _ => return unsupported(run, json, "value of a multimap: write an array of values"),
    };
    let mut code = ResultCode::started(Task::ReadField);
    if elements.is_empty() {
        return code;
    }
    let mut key = key_type.default_value(run.registry);
    let key_code = load_value(run, key_type, &mut key, key_json);
    if key_code.is_halted() {
        return key_code;
    }
    if key_code.is_refused() {
        code.add(left_out(run, "key"));
    }
    for (index, element) in elements.iter().enumerate() {
        let mut value = value_type.default_value(run.registry);
        let step = run.at(index, |run| load_value(run, value_type, &mut value, element));
        if step.is_halted() {
            return code.combine(step);
        }
        if step.is_refused() {
            code.add(run.at(index, |run| left_out(run, "value")));
        } else if !key_code.is_refused() {
            code.add(key_code.combine(step));
            match dictionary.entry(key.clone()) {
                Value::Array(array) => array.elements.push(value),
                slot => *slot = Array::from(vec![value]).into(),
            }
        }
    }
    code
}

/// The code of an entry that is left out. It says nothing of why: that is an issue before.
fn left_out(run: &mut Run<'_>, part: &str) -> ResultCode {
    let message = format!("the entry is left out, because its {part} cannot be read: correct it");
    run.report(Task::ReadField, Outcome::Unavailable, message)
}

pub(crate) fn store(
    run: &mut Run<'_>,
    kind: MapKind,
    types: &(Schema, Schema),
    value: &Value,
    default: Option<&Value>,
) -> Step {
    let Value::Dictionary(dictionary) = value else {
        return misfit(run, value, &Kind::Map(kind, Box::new(types.clone())));
    };
    if dictionary.is_empty() {
        return sequence::empty(run, default.is_some_and(|default| default == value));
    }
    let (mut key_type, value_type) = (&types.0, &types.1);
    // A StringName comes back as a String, which is the same key.
    let is_text = |key: &Value| match key {
        Value::String(text) | Value::StringName(text) => **text != *DEFAULT_KEY,
        _ => false,
    };
    let text: Schema;
    if key_type.kind == Kind::Any && dictionary.iter().all(|(key, _)| is_text(key)) {
        text = Kind::String.into();
        key_type = &text;
    }
    let defaults = default
        .map(|_| (key_type.default_value(run.registry), value_type.default_value(run.registry)));
    let defaults = defaults.as_ref().map(|(key, value)| (key, value)).unzip();
    let mut code = ResultCode::started(Task::WriteValue);
    let mut pairs = Vec::with_capacity(dictionary.len());
    for (index, (key, value)) in dictionary.iter().enumerate() {
        // As a pointer into what is written has it.
        let name = match key {
            Value::String(text) | Value::StringName(text) if key_type.kind == Kind::String => {
                EntryStep::Name(text)
            }
            _ => EntryStep::Index(index),
        };
        let (key, step) = run.at(&name, |run| store_value(run, key_type, key, defaults.0));
        code.add(step);
        let (value, step) = run.at(&name, |run| {
            if kind == MapKind::UnorderedMultimap {
                store_values(run, value_type, value, defaults.1)
            } else {
                store_value(run, value_type, value, defaults.1)
            }
        });
        code.add(step);
        if code.is_halted() {
            return (Json::explicit_default(), code);
        }
        pairs.push((key, value));
    }
    if let [(_, Json::Array(values))] = &mut pairs[..]
        && kind == MapKind::UnorderedMultimap
        && matches!(&values[..], [value] if value.is_explicit_default())
    {
        pairs[0].1 = Json::explicit_default();
    }
    if kind != MapKind::Map {
        pairs.sort_by(|a, b| compare(&a.0, &b.0).then_with(|| compare(&a.1, &b.1)));
    }
    let code = sequence::of_stored_container(run, code, default);
    (assembled(run, key_type, pairs), code)
}

/// The step to an entry in the path of an issue.
enum EntryStep<'a> {
    Name(&'a str),
    Index(usize),
}

impl std::fmt::Display for EntryStep<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EntryStep::Name(name) => f.write_str(name),
            EntryStep::Index(index) => index.fmt(f),
        }
    }
}

/// The values of one key of a multimap, sorted.
fn store_values(
    run: &mut Run<'_>,
    value_type: &Schema,
    value: &Value,
    default: Option<&Value>,
) -> Step {
    let Value::Array(array) = value else {
        return misfit(run, value, &value_type.kind);
    };
    let mut code = ResultCode::started(Task::WriteValue);
    let mut values = Vec::with_capacity(array.elements.len());
    for element in &array.elements {
        let (json, step) = store_value(run, value_type, element, default);
        code.add(step);
        values.push(json);
    }
    values.sort_by(compare);
    (Json::Array(values), code)
}

/// An object, or an array of `Key` and `Value`: the page asks the type of the keys, the engine
/// what has become of them.
fn assembled(run: &Run<'_>, key_type: &Schema, pairs: Vec<(Json, Json)>) -> Json {
    let is_object = if run.is_doc() {
        // A text that is spelt as the default's name is kept apart from it.
        let is_taken = |key: &Json| key.as_str() == Some(DEFAULT_KEY);
        key_type.kind == Kind::String && !pairs.iter().any(|(key, _)| is_taken(key))
    } else {
        // Where a key may be anything, the names of an object are texts, and none is the default.
        key_type.kind != Kind::Any
            && pairs.iter().all(|(key, _)| key.as_str().is_some() || key.is_explicit_default())
    };
    if !is_object {
        let entry = |(key, value)| Json::Object(vec![("Key".into(), key), ("Value".into(), value)]);
        return Json::Array(pairs.into_iter().map(entry).collect());
    }
    let member = |(key, value): (Json, Json)| match key {
        Json::String(name) => (name, value),
        _ => (DEFAULT_KEY.to_owned(), value),
    };
    Json::Object(pairs.into_iter().map(member).collect())
}

/// Whether the maps of `schema` can be streamed: those with strings for keys.
pub(crate) fn is_streamed(schema: &Schema, kind: MapKind, key: &Schema) -> bool {
    matches!(kind, MapKind::Map | MapKind::UnorderedMap)
        && schema.has_own_type(VariantType::Dictionary)
        && sequence::begins_empty(schema)
        && (*key == Kind::String.into() || key.kind == Kind::Any)
}

impl<B: Builder> StreamReader<'_, '_, B> {
    pub(crate) fn map(
        &mut self,
        value_type: &Child<'_, B>,
        place: &mut B::Value,
    ) -> Streamed<ResultCode> {
        self.deeper(|stream, _| {
            let mut code = ResultCode::started(Task::ReadField);
            let mut map = stream.builder.map();
            let mut count = 0;
            let mut has_more = stream.reader.begin_object()?;
            if !has_more {
                return Err(Fallback::Value);
            }
            while has_more {
                let name = stream.reader.name()?;
                stream.reader.colon()?;
                if name.text == DEFAULT_KEY {
                    return Err(Fallback::Value);
                }
                let mut value = stream.builder.nil();
                let key_code = stream.run.success(Task::ReadField);
                let step = stream.value(&value_type.schema, &value_type.node, &mut value)?;
                code.add(key_code.combine(step));
                stream.builder.entry(&mut map, name.text(), value);
                count += 1;
                has_more = stream.reader.next_member()?;
            }
            let (value, len) = stream.builder.end_map(map);
            // If a name occurs twice, the second value is loaded over the first.
            if len < count {
                return Err(Fallback::Value);
            }
            *place = value;
            Ok(sequence::of_container(&stream.run, code, true))
        })
    }
}
