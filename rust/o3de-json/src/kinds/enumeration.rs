//! Enums (JsonDeserializer::LoadEnum, JsonSerializer::StoreEnum).

use godot_variant::{Refusal, Text, Value, VariantType};

use super::{integer, unsupported};
use crate::json::{Reader, TextWriter};
use crate::run::Run;
use crate::schema::{EnumSchema, IntRepr};
use crate::streaming::{Fallback, Streamed, not_plain};
use crate::{Json, ResultCode, Schema, Task};

pub(crate) fn load(
    run: &mut Run<'_>,
    schema: &EnumSchema,
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    let Json::Array(elements) = json else {
        return load_one(run, schema, json, |number| *target = Value::Int(number));
    };
    if elements.is_empty() {
        return run.defaults_used(Task::ReadField);
    }
    // The good elements count even if others are refused.
    let mut code = ResultCode::started(Task::ReadField);
    let mut all = 0;
    for (index, element) in elements.iter().enumerate() {
        code.add(run.at(index, |run| load_one(run, schema, element, |number| all |= number)));
    }
    *target = Value::Int(all);
    code
}

fn load_one(
    run: &mut Run<'_>,
    schema: &EnumSchema,
    json: &Json,
    found: impl FnOnce(i64),
) -> ResultCode {
    let number = match json {
        Json::String(text) if text.is_empty() => return run.defaults_used(Task::ReadField),
        Json::String(text) => {
            let named = schema.values.number_of(text);
            let counted = integer::from_json(schema.underlying, json);
            // The orders differ for a name that starts with a digit only.
            if run.is_doc() { named.or(counted) } else { counted.or(named) }
        }
        Json::Int(_) | Json::Uint(_) | Json::Big(_) => integer::from_json(schema.underlying, json),
        _ => None,
    };
    match number {
        Some(number) => {
            found(number);
            run.success(Task::ReadField)
        }
        None => {
            let (name, options) = (schema.underlying.name(), options(schema));
            unsupported(run, json, &format!("constant or {name} of the enum: use {options}"))
        }
    }
}

/// The accepted constants for a message: only the first ones if there are many.
fn options(schema: &EnumSchema) -> String {
    const SHOWN: usize = 20;
    let shown = schema.values.iter().take(SHOWN);
    let shown: Vec<String> = shown.map(|(name, number)| format!("\"{name}\" ({number})")).collect();
    match schema.values.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} or one of {more} more", shown.join(", ")),
    }
}

/// A constant's name, names of which the bits make up the value, or the number.
pub(crate) fn store(run: &Run<'_>, schema: &EnumSchema, value: &Value) -> Option<Json> {
    let Value::Int(number) = *value else { return None };
    if let Some(name) = schema.values.name_of(number) {
        return Some(Json::from(name));
    }
    let integer =
        |number: u64| integer::store(schema.underlying, &Value::Int(widened(schema, number)));
    let bits = number as u64 & mask(schema.underlying);
    let mut constants: Vec<(&str, u64)> = Vec::new();
    for (name, constant) in schema.values.iter() {
        let constant = *constant as u64 & mask(schema.underlying);
        if constant != 0 && constant & bits == constant {
            constants.push((name, constant));
        }
    }
    // Of those with one number the first one counts.
    constants.sort_by_key(|(_, constant)| std::cmp::Reverse(*constant));
    constants.dedup_by_key(|(_, constant)| *constant);
    let mut left = bits;
    if run.is_doc() {
        // What reproduces every example of the page: no bit twice, the smallest first, and a value
        // with all bits set is a number.
        if bits == mask(schema.underlying) {
            constants.clear();
        }
        constants.retain(|(_, constant)| {
            let is_needed = constant & left != 0;
            left &= !constant;
            is_needed
        });
        constants.reverse();
    } else {
        constants.iter().for_each(|(_, constant)| left &= !constant);
    }
    if constants.is_empty() {
        return integer(bits);
    }
    let mut parts: Vec<Json> = constants.iter().map(|(name, _)| Json::from(*name)).collect();
    if left != 0 {
        parts.push(integer(left)?);
    }
    Some(Json::Array(parts))
}

/// The bits of the underlying type.
fn mask(repr: IntRepr) -> u64 {
    match repr {
        IntRepr::I8 | IntRepr::U8 => u8::MAX.into(),
        IntRepr::I16 | IntRepr::U16 => u16::MAX.into(),
        IntRepr::I32 | IntRepr::U32 => u32::MAX.into(),
        IntRepr::I64 | IntRepr::U64 => u64::MAX,
    }
}

/// The bits as a number of the underlying type.
fn widened(schema: &EnumSchema, bits: u64) -> i64 {
    match schema.underlying {
        IntRepr::I8 => (bits as i8).into(),
        IntRepr::I16 => (bits as i16).into(),
        IntRepr::I32 => (bits as i32).into(),
        _ => bits as i64,
    }
}

/// The constants of a schema that can be streamed: single ones, by name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamedEnum<'s>(&'s EnumSchema);

impl<'s> StreamedEnum<'s> {
    pub(crate) fn new(schema: &Schema, values: &'s EnumSchema) -> Option<Self> {
        schema.has_own_type(VariantType::Int).then_some(Self(values))
    }

    pub(crate) fn read(self, reader: &mut Reader<'_>) -> Streamed<i64> {
        if reader.peek() != Some(b'"') {
            return Err(Fallback::Value);
        }
        let name = reader.string()?.text;
        // Another name may be read as a number, too.
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return Err(Fallback::Value);
        }
        self.0.values.number_of(&name).ok_or(Fallback::Value)
    }

    pub(crate) fn write(self, value: i64, text: &mut TextWriter) -> Result<(), Refusal> {
        match self.0.values.name_of(value) {
            Some(name) => text.string(Text::Utf8(name)),
            None => return not_plain(),
        }
        Ok(())
    }
}
