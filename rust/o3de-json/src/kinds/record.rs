//! `record`: what O3DE has as a class, and Godot as a Dictionary of known entries.

use godot_variant::{Dictionary, Value, VariantType};

use super::class::{self, TYPE_MEMBER, outcome_of_fields};
use super::unsupported;
use crate::run::Run;
use crate::store::{Step, misfit};
use crate::streaming::{Builder, Fallback, RecordNode, StreamReader, Streamed};
use crate::{Field, Json, Kind, ResultCode, Schema, Task};

/// Loads over a Dictionary. Another target means the defaults, which are then not made for nothing.
pub(crate) fn load(
    run: &mut Run<'_>,
    fields: &[Field],
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    let Json::Object(members) = json else {
        return unsupported(run, json, "record: write an object");
    };
    let mut known = match std::mem::take(target) {
        Value::Dictionary(dictionary) => Some(dictionary),
        _ => None,
    };
    let value = |field: &Field| {
        let known =
            known.as_mut().and_then(|known| known.remove(&Value::String(field.name.clone())));
        known.unwrap_or_else(|| field.schema.default_value(run.registry))
    };
    let mut values: Vec<Value> = fields.iter().map(value).collect();
    let code = class::load_fields(run, "record", fields, members, &mut values);
    let names = fields.iter().map(|field| Value::String(field.name.clone()));
    let mut entries: Dictionary = names.zip(values).collect();
    for (key, value) in known.iter().flat_map(|known| known.iter()) {
        entries.insert(key.clone(), value.clone());
    }
    *target = entries.into();
    code
}

pub(crate) fn store(
    run: &mut Run<'_>,
    fields: &[Field],
    value: &Value,
    default: Option<&Value>,
) -> Step {
    let Value::Dictionary(dictionary) = value else {
        return misfit(run, value, &Kind::Record(fields.to_vec()));
    };
    // Most have the entries of the fields in their order.
    let is_at = |at: usize, name: &str| {
        dictionary.get_index(at).filter(|(key, _)| is_text(key, name)).map(|(_, value)| value)
    };
    let is_in_order = dictionary.len() == fields.len()
        && fields.iter().enumerate().all(|(at, field)| is_at(at, &field.name).is_some());
    let unknown = dictionary
        .iter()
        .map(|(key, _)| key)
        .find(|key| !is_in_order && fields.iter().all(|field| !is_text(key, &field.name)));
    if let Some(key) = unknown {
        let message = format!("the record has no field {}: add it to the schema", key.brief());
        let code = run.report(crate::Task::WriteValue, crate::Outcome::Unsupported, message);
        return (Json::explicit_default(), code);
    }
    let entry = |dictionary: &'_ Dictionary, at: usize| -> Option<usize> {
        let name = &fields[at].name;
        match dictionary.get_index(at) {
            Some((key, _)) if is_text(key, name) => Some(at),
            _ => dictionary.iter().position(|(key, _)| is_text(key, name)),
        }
    };
    let default_entries = match default {
        Some(Value::Dictionary(default)) => Some(default),
        _ => None,
    };
    let (members, code) = class::store_fields(
        run,
        fields,
        default.is_some(),
        |at| dictionary.get_index(entry(dictionary, at)?).map(|(_, value)| value),
        |at| {
            let default = default_entries?;
            default.get_index(entry(default, at)?).map(|(_, value)| value)
        },
    );
    (Json::Object(members), code)
}

fn is_text(key: &Value, name: &str) -> bool {
    match key {
        Value::String(text) | Value::StringName(text) => **text == *name,
        _ => false,
    }
}

/// Whether the records of `schema` can be streamed: Dictionaries of their fields, each of which is found by its name alone.
pub(crate) fn is_streamed(schema: &Schema, fields: &[Field]) -> bool {
    let is_unique = |(at, field): (usize, &Field)| {
        *field.name != *TYPE_MEMBER
            && fields[..at].iter().all(|known| !known.name.eq_ignore_ascii_case(&field.name))
    };
    schema.default.is_none()
        && schema.has_own_type(VariantType::Dictionary)
        && !fields.is_empty()
        && fields.iter().enumerate().all(is_unique)
}

impl<B: Builder> StreamReader<'_, '_, B> {
    pub(crate) fn record(
        &mut self,
        record: &RecordNode<'_, B>,
        place: &mut B::Value,
    ) -> Streamed<ResultCode> {
        self.deeper(|stream, first| {
            let code = stream.fields(record)?;
            *place = stream.builder.record(&record.names, stream.values.drain(first..));
            Ok(code)
        })
    }

    /// Appends the fields of a record, in their order, to the finished values.
    fn fields(&mut self, record: &RecordNode<'_, B>) -> Streamed<ResultCode> {
        let mut code = ResultCode::started(Task::ReadField);
        let mut has_more = self.reader.begin_object()?;
        if !has_more {
            // `{}` is the default of the whole record.
            return Err(Fallback::Value);
        }
        let mut loaded = 0;
        // While the members come in the order of the fields, each value is appended.
        while has_more && loaded < record.fields.len() && self.is_next(&record.fields[loaded])? {
            let child = &record.children[loaded];
            let mut value = self.builder.nil();
            code.add(self.value(&child.schema, &child.node, &mut value)?);
            self.values.push(value);
            loaded += 1;
            has_more = self.reader.next_member()?;
        }
        if loaded == record.fields.len() && !has_more {
            return Ok(code);
        }
        self.other_fields(record, loaded, has_more, code)
    }

    /// Reads the name of a member if it is that of `field`. Another name is read again.
    #[inline]
    fn is_next(&mut self, field: &Field) -> Streamed<bool> {
        let start = self.reader.position();
        if self.reader.name()?.text == *field.name {
            self.reader.colon()?;
            return Ok(true);
        }
        self.reader.go_back(start);
        Ok(false)
    }

    /// The fields after the first `loaded`, which came in order. Their members, if there are any, come in another order.
    fn other_fields(
        &mut self,
        record: &RecordNode<'_, B>,
        mut loaded: usize,
        mut has_more: bool,
        mut code: ResultCode,
    ) -> Streamed<ResultCode> {
        let (count, first) = (record.fields.len(), self.values.len() - loaded);
        let mut is_loaded: Vec<bool> = (0..count).map(|at| at < loaded).collect();
        while self.values.len() < first + count {
            self.values.push(self.builder.nil());
        }
        while has_more {
            let name = self.reader.name()?;
            self.reader.colon()?;
            let is_named = |field: &Field| field.name.eq_ignore_ascii_case(&name.text);
            let at = record.fields.iter().position(is_named).ok_or(Fallback::Value)?;
            // A member that occurs twice is loaded over the first value.
            if std::mem::replace(&mut is_loaded[at], true) {
                return Err(Fallback::Value);
            }
            let child = &record.children[at];
            let mut value = self.builder.nil();
            code.add(self.value(&child.schema, &child.node, &mut value)?);
            self.values[first + at] = value;
            loaded += 1;
            has_more = self.reader.next_member()?;
        }
        for (at, default) in record.defaults.iter().enumerate() {
            if !is_loaded[at] {
                self.builder.put(default.clone(), &mut self.values[first + at])?;
            }
        }
        if let Some(outcome) = outcome_of_fields(loaded, count) {
            code.add(ResultCode::new(Task::ReadField, outcome));
        }
        Ok(code)
    }
}
