//! What a descriptor can be written in: JSON, and values.

use godot_variant::Value;

use super::SchemaError;
use crate::{Json, Registry, Schema};

/// What a descriptor can be written in.
pub(in crate::schema) trait Descriptor: Sized {
    fn member(&self, name: &str) -> Option<&Self>;
    /// Names and values, if all names are text.
    fn members(&self) -> Option<Vec<(&str, &Self)>>;
    fn elements(&self) -> Option<&[Self]>;
    fn text(&self) -> Option<&str>;
    fn integer(&self) -> Option<i64>;
    fn number(&self) -> Option<f64>;
    /// The default value that is written here.
    fn default_of(&self, schema: &Schema, registry: &Registry) -> Result<Value, SchemaError>;
    fn shown(&self) -> String;
}

impl Descriptor for Json {
    fn member(&self, name: &str) -> Option<&Json> {
        self.member(name)
    }

    fn members(&self) -> Option<Vec<(&str, &Json)>> {
        Some(self.as_object()?.iter().map(|(name, value)| (name.as_str(), value)).collect())
    }

    fn elements(&self) -> Option<&[Json]> {
        self.as_array()
    }

    fn text(&self) -> Option<&str> {
        self.as_str()
    }

    fn integer(&self) -> Option<i64> {
        match self {
            Json::Int(number) => Some(*number),
            Json::Uint(number) => Some(*number as i64),
            _ => None,
        }
    }

    fn number(&self) -> Option<f64> {
        self.as_f64()
    }

    fn default_of(&self, schema: &Schema, registry: &Registry) -> Result<Value, SchemaError> {
        schema.value_from_native(self, registry)
    }

    fn shown(&self) -> String {
        self.to_text()
    }
}

impl Descriptor for Value {
    fn member(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Dictionary(dictionary) => dictionary.get(&Value::from(name)),
            _ => None,
        }
    }

    fn members(&self) -> Option<Vec<(&str, &Value)>> {
        let Value::Dictionary(dictionary) = self else { return None };
        dictionary.iter().map(|(key, value)| Some((key.text()?, value))).collect()
    }

    fn elements(&self) -> Option<&[Value]> {
        match self {
            Value::Array(array) => Some(&array.elements),
            _ => None,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Value::String(text) | Value::StringName(text) => Some(text),
            _ => None,
        }
    }

    fn integer(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Value::Int(number) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            _ => None,
        }
    }

    fn default_of(&self, _: &Schema, _: &Registry) -> Result<Value, SchemaError> {
        Ok(self.clone())
    }

    fn shown(&self) -> String {
        self.brief()
    }
}
