//! Dictionaries of values.

use hashbrown::DefaultHashBuilder;
use indexmap::IndexMap;

use crate::key::{Key, KeyRef};
use crate::{ContainerType, Value};

/// A `Dictionary`: entries in the order in which their keys first came.
///
/// Two keys are the same when the engine says so: NaN finds NaN, `1` and `1.0` are two keys, and a
/// `String` finds the `StringName` of the same text. The key and value types are carried, not
/// enforced.
///
/// ```
/// use godot_variant::{Dictionary, Value};
/// let mut dictionary = Dictionary::default();
/// dictionary.insert(Value::from("a"), Value::Int(5));
/// dictionary.insert(Value::StringName("a".into()), Value::Int(6));
/// assert_eq!(dictionary.len(), 1);
/// assert_eq!(dictionary.get(&Value::from("a")), Some(&Value::Int(6)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    /// What the keys are declared to be.
    pub key_type: ContainerType,
    /// What the values are declared to be.
    pub value_type: ContainerType,
    entries: IndexMap<Key, Value, DefaultHashBuilder>,
}

impl Dictionary {
    /// An empty dictionary with declared types.
    pub fn typed(key_type: ContainerType, value_type: ContainerType) -> Dictionary {
        Dictionary { key_type, value_type, entries: IndexMap::default() }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value under `key`.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.entries.get(&KeyRef(key))
    }

    /// The entry with this number, counted from 0 in the order of the keys.
    pub fn get_index(&self, index: usize) -> Option<(&Value, &Value)> {
        self.entries.get_index(index).map(|(key, value)| (&key.0, value))
    }

    /// Puts `value` under `key` and returns what stood there. The first key and its place stay.
    pub fn insert(&mut self, key: Value, value: Value) -> Option<Value> {
        self.entries.insert(Key(key), value)
    }

    /// The place of the value under `key`, made with a `Nil` if it is new.
    pub fn entry(&mut self, key: Value) -> &mut Value {
        self.entries.entry(Key(key)).or_insert(Value::Nil)
    }

    /// Makes room for this many more entries.
    pub fn reserve(&mut self, additional: usize) {
        self.entries.reserve(additional);
    }

    /// Takes the last entry out.
    pub fn pop(&mut self) -> Option<(Value, Value)> {
        self.entries.pop().map(|(key, value)| (key.0, value))
    }

    /// Takes the value under `key` out; the order of the others stays.
    pub fn remove(&mut self, key: &Value) -> Option<Value> {
        self.entries.shift_remove(&KeyRef(key))
    }

    /// Keys, and values that can be changed, in order.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&Value, &mut Value)> {
        self.entries.iter_mut().map(|(key, value)| (&key.0, value))
    }

    /// Keys and values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
        self.entries.iter().map(|(key, value)| (&key.0, value))
    }
}

impl FromIterator<(Value, Value)> for Dictionary {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Self {
        Dictionary {
            entries: entries.into_iter().map(|(key, value)| (Key(key), value)).collect(),
            ..Dictionary::default()
        }
    }
}
