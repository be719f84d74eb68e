//! JSON without a schema: what it says, and nothing else.
//!
//! An object is a Dictionary. Where a name occurs twice, the last value counts, at the place of the first. A number without fraction
//! and exponent is an integer if 64 bits with a sign hold it; any other is a float. If the float differs from the written integer,
//! there is an issue.

use std::collections::HashMap;

use godot_variant::{Dictionary, Sink, StringKind, Value};

use crate::json::{Number, Reader, without_mark};
use crate::run::Run;
use crate::streaming::Builder;
use crate::{
    Json, JsonError, Loaded, Outcome, ReadLimits, Registry, ResultCode, Settings, Task, locate,
};

/// Loads any JSON. Integers that 64 bits with a sign do not hold become floats, each with an issue if that is another number.
///
/// ```
/// use godot_variant::Value;
/// use o3de_json::{Json, load_plain};
/// let loaded = load_plain(&Json::parse("9007199254740993")?);
/// assert_eq!(loaded.value, Value::Int(9007199254740993));
/// assert_eq!(load_plain(&Json::parse("1.0")?).value, Value::Float(1.0));
/// # Ok::<(), o3de_json::JsonError>(())
/// ```
pub fn load_plain(json: &Json) -> Loaded {
    let registry = Registry::default();
    let mut run = Run::new(&registry, Settings::default(), None);
    let mut code = ResultCode::new(Task::ReadField, Outcome::Success);
    let value = value_of(json, &mut run, &mut code);
    Loaded { value, code, issues: run.into_issues(code) }
}

/// [`load_plain`] of a text; each issue has its place in it.
///
/// # Errors
/// As [`Json::parse_limited`].
pub fn load_plain_text(text: &str, limits: ReadLimits) -> Result<Loaded, JsonError> {
    let mut loaded = load_plain(&Json::parse_limited(text, limits)?);
    locate(text, limits, &mut loaded.issues);
    Ok(loaded)
}

/// [`load_plain`] of a text, into the values of `builder`. None if the tree path has to do it, which finds out why: the text is
/// not JSON, a name comes twice, or there is something to report.
pub fn load_plain_streaming<B: Builder>(
    text: &str,
    limits: ReadLimits,
    builder: &B,
) -> Option<B::Value> {
    let text = without_mark(text);
    if text.len() > limits.max_len {
        return None;
    }
    let mut reader = Reader::new(text, limits.max_depth);
    let mut value = builder.nil();
    reader.begin().ok()?;
    PlainReader { builder, values: Vec::new() }.value(&mut reader, &mut value)?;
    reader.end().ok()?;
    Some(value)
}

fn value_of(json: &Json, run: &mut Run<'_>, code: &mut ResultCode) -> Value {
    match json {
        Json::Null => Value::Nil,
        Json::Bool(value) => Value::Bool(*value),
        Json::Int(number) => Value::Int(*number),
        Json::Uint(_) | Json::Big(_) => Value::Float(float_of(json, run, code)),
        Json::Double(number) => Value::Float(*number),
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(elements) => {
            let elements = elements.iter().enumerate();
            let element = |(index, element)| run.at(index, |run| value_of(element, run, code));
            elements.map(element).collect::<godot_variant::Array>().into()
        }
        Json::Object(members) => {
            let mut dictionary = Dictionary::default();
            let last: HashMap<_, _> = members.iter().map(|(name, member)| (name, member)).collect();
            for (name, member) in members {
                // A value that another one replaces has nothing to lose.
                let value = match std::ptr::eq(last[name], member) {
                    true => run.at(name, |run| value_of(member, run, code)),
                    false => Value::Nil,
                };
                dictionary.insert(Value::from(name.as_str()), value);
            }
            dictionary.into()
        }
    }
}

/// The float nearest to an integer that 64 bits with a sign do not hold, with an issue if it is another number.
fn float_of(json: &Json, run: &mut Run<'_>, code: &mut ResultCode) -> f64 {
    let float = json.as_f64().unwrap_or_default();
    if !json.is_number(float) {
        let message = format!(
            "{} does not fit in a signed 64-bit integer: it is read as the float {float:.0}",
            json.to_text()
        );
        code.add(run.report(Task::ReadField, Outcome::Unsupported, message));
    }
    float
}

/// Makes the values of a text.
struct PlainReader<'b, B: Builder> {
    builder: &'b B,
    /// Finished elements of the arrays that are open.
    values: Vec<B::Value>,
}

impl<B: Builder> PlainReader<'_, B> {
    /// The value that begins here into `place`, which is nil.
    fn value(&mut self, reader: &mut Reader<'_>, place: &mut B::Value) -> Option<()> {
        match reader.peek()? {
            b'"' => {
                let string = reader.string().ok()?;
                self.builder.string(StringKind::String, string.text(), place).ok()
            }
            b'{' => self.object(reader, place),
            b'[' => self.array(reader, place),
            b't' => {
                reader.word("true").ok()?;
                self.builder.place(place).bool(true).ok()
            }
            b'f' => {
                reader.word("false").ok()?;
                self.builder.place(place).bool(false).ok()
            }
            b'n' => reader.word("null").ok(),
            _ if reader.is_at_number() => match reader.number().ok()? {
                Number::Int(number) => self.builder.place(place).int(number).ok(),
                Number::Uint(_) | Number::Big(_) => None,
                Number::Double(number) => self.builder.place(place).float(number).ok(),
            },
            _ => None,
        }
    }

    fn array(&mut self, reader: &mut Reader<'_>, place: &mut B::Value) -> Option<()> {
        let known = self.values.len();
        let mut has_more = reader.begin_array().ok()?;
        while has_more {
            let mut element = self.builder.nil();
            self.value(reader, &mut element)?;
            self.values.push(element);
            has_more = reader.next_element().ok()?;
        }
        *place = self.builder.array(self.values.drain(known..));
        Some(())
    }

    fn object(&mut self, reader: &mut Reader<'_>, place: &mut B::Value) -> Option<()> {
        let mut map = self.builder.map();
        let mut count = 0;
        let mut has_more = reader.begin_object().ok()?;
        while has_more {
            let name = reader.name().ok()?;
            reader.colon().ok()?;
            let mut member = self.builder.nil();
            self.value(reader, &mut member)?;
            self.builder.entry(&mut map, name.text(), member);
            count += 1;
            has_more = reader.next_member().ok()?;
        }
        let (dictionary, len) = self.builder.end_map(map);
        *place = dictionary;
        (len == count).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::streaming::ValueBuilder;

    #[test]
    fn numbers_keep_what_they_are() {
        let loaded = load_plain(
            &Json::parse(
                "[9007199254740993, -9223372036854775808, 1.0, 1e2, 18446744073709551615]",
            )
            .unwrap(),
        );
        let Value::Array(array) = &loaded.value else { panic!("an array") };
        let expected = [
            Value::Int(9_007_199_254_740_993),
            Value::Int(i64::MIN),
            Value::Float(1.0),
            Value::Float(100.0),
            Value::Float(18_446_744_073_709_551_615.0),
        ];
        assert_eq!(array.elements, expected);
        assert_eq!(loaded.issues.len(), 1);
        assert_eq!(loaded.issues[0].path, "/4");
        assert_ne!(loaded.code.outcome(), Outcome::Success);
    }

    #[test]
    fn of_equal_names_the_last_counts_at_the_place_of_the_first() {
        let loaded = load_plain(&Json::parse(r#"{"a": 1, "b": 2, "a": {"c": []}}"#).unwrap());
        let Value::Dictionary(dictionary) = loaded.value else { panic!("a dictionary") };
        let names: Vec<_> = dictionary.iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(names, [Value::from("a"), Value::from("b")]);
        assert!(matches!(dictionary.get(&Value::from("a")), Some(Value::Dictionary(_))));
    }

    fn json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::Bool),
            any::<i64>().prop_map(Json::Int),
            any::<u64>()
                .prop_map(|number| i64::try_from(number).map_or(Json::Uint(number), Json::Int)),
            (-1e9..1e9).prop_map(Json::Double),
            "[a-cä\"\\\\\n]{0,3}".prop_map(Json::String),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Json::Array),
                prop::collection::vec(("[a-c]", inner), 0..4).prop_map(Json::Object),
            ]
        })
    }

    proptest! {
        #[test]
        fn both_ways_agree(json in json()) {
            let text = json.to_text_pretty();
            let by_tree = load_plain(&Json::parse(&text).unwrap());
            if let Some(value) = load_plain_streaming(&text, ReadLimits::default(), &ValueBuilder) {
                prop_assert_eq!(value, by_tree.value);
                prop_assert!(by_tree.issues.is_empty());
            }
        }
    }
}
