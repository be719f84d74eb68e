//! Godot's text of a value, as the type of its property asks for it.
//!
//! Arrays and dictionaries are without their type until [`in_its_type`] adds it, because the type may be a script that the
//! file must load.

use std::fmt::Write as _;

use godot_project::{FileId, ObjectClass, ValueType};
use godot_tscn::{
    GodotVersion, NotCanonical, PartKind, PartRef, ValueTree, canonical_value, quoted, quoted_name,
    write_value,
};
use godot_variant::{Value, VariantType};
use serde_json::Value as Json;

use crate::edit::enums::number_of;

/// The key of a value in Godot's own text.
pub(super) const GODOT: &str = "godot";

/// The rule on numbers that are too large.
const OUT_OF_RANGE: &str = "SYN012";

/// The advice if the type of a property is unknown.
const GIVE_TEXT: &str = "the type of the property is unknown; write Godot's text, such as {\"godot\": \"Vector2(1, 2)\"}";

/// The text of a value in JSON.
///
/// # Errors
/// With the reason, and the right form.
pub(super) fn of_json(
    json: &Json,
    holds: &ValueType,
    version: GodotVersion,
) -> Result<String, String> {
    of_godot(&godot_text(json, holds)?, holds, version)
}

/// JSON as a text that Godot reads, before the type is checked.
fn godot_text(json: &Json, holds: &ValueType) -> Result<String, String> {
    Ok(match json {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.to_string(),
            // One that does not fit is refused as a text of Godot's is.
            _ if number.is_u64() => number.to_string(),
            (None, Some(number)) => text_of(&Value::Float(number)),
            (None, None) => return Err(format!("{number} is out of range")),
        },
        Json::String(text) => return of_text(text, holds),
        Json::Array(elements) => return list(elements, holds),
        Json::Object(entries) if entries.len() == 1 && entries.contains_key(GODOT) => {
            entries[GODOT].as_str().ok_or("`godot` must be a string")?.to_owned()
        }
        Json::Object(entries) => {
            let (of_key, of_value) = match holds {
                ValueType::Dictionary(key, value) => (key.as_ref(), value.as_ref()),
                _ => (&ValueType::Any, &ValueType::Any),
            };
            let mut text = "{".to_owned();
            for (index, (key, value)) in entries.iter().enumerate() {
                let lead = if index > 0 { ", " } else { "" };
                let (key, value) = (of_text(key, of_key)?, godot_text(value, of_value)?);
                let _ = write!(text, "{lead}{key}: {value}");
            }
            text.push('}');
            text
        }
    })
}

/// A string of JSON: a text where the property takes texts, else a value as Godot writes it.
fn of_text(text: &str, holds: &ValueType) -> Result<String, String> {
    Ok(match holds {
        ValueType::Any | ValueType::Of(VariantType::String) => quoted(text),
        ValueType::Of(VariantType::StringName) => format!("&{}", quoted_name(text)),
        ValueType::Of(VariantType::NodePath) => format!("NodePath({})", quoted_name(text)),
        ValueType::Object(class) if class.is_node && text != "null" => {
            format!("NodePath({})", quoted_name(text))
        }
        ValueType::Unknown => return Err(GIVE_TEXT.to_owned()),
        ValueType::Enum { values, .. } if text.parse::<i64>().is_err() => {
            number_of(values, text)?.to_string()
        }
        _ if is_path(text) => return Err("write a file as {\"load\": \"res://…\"}".to_owned()),
        _ => {
            let readable = canonical_value(text.as_bytes(), GodotVersion::NEWEST);
            readable.map_err(|error| unreadable(text, holds, &error))?;
            text.to_owned()
        }
    })
}

/// An array, or a value that has components: `[1, 2]` is a `Vector2` where the property is one.
fn list(elements: &[Json], holds: &ValueType) -> Result<String, String> {
    let texts = |elements: &[Json], of: &ValueType| -> Result<String, String> {
        let texts: Result<Vec<String>, String> =
            elements.iter().map(|element| godot_text(element, of)).collect();
        Ok(texts?.join(", "))
    };
    match holds {
        ValueType::Unknown => Err(GIVE_TEXT.to_owned()),
        ValueType::Array(element) => Ok(format!("[{}]", texts(elements, element)?)),
        ValueType::Of(of) if !matches!(of, VariantType::Array | VariantType::Dictionary) => {
            let flat = components(elements, *of)?;
            Ok(format!("{}({})", of.name(), texts(&flat, &ValueType::Any)?))
        }
        _ => Ok(format!("[{}]", texts(elements, &ValueType::Any)?)),
    }
}

/// The numbers of a value that has components. Each vector or color in it may be a list of its own, all of one length.
fn components(elements: &[Json], of: VariantType) -> Result<Vec<Json>, String> {
    let alpha = |list: &[Json]| (list.len() == 3).then(|| Json::from(1));
    let size = match of {
        VariantType::PackedVector2Array => Some(2),
        VariantType::PackedVector3Array => Some(3),
        VariantType::PackedVector4Array | VariantType::PackedColorArray => Some(4),
        _ => None,
    };
    let mut flat = Vec::new();
    for element in elements {
        let Json::Array(inner) = element else {
            flat.push(element.clone());
            continue;
        };
        let alpha = alpha(inner).filter(|_| of == VariantType::PackedColorArray);
        let count = inner.len() + usize::from(alpha.is_some());
        let wanted = size.or_else(|| Some(elements.first()?.as_array()?.len()));
        if wanted != Some(count) || inner.iter().any(Json::is_array) {
            let wanted = wanted.map_or("a number".to_owned(), |size| format!("{size} numbers"));
            return Err(format!("one of its elements is {element}; expected {wanted}"));
        }
        flat.extend(inner.iter().cloned().chain(alpha));
    }
    if elements.iter().any(Json::is_array) && !elements.iter().all(Json::is_array) {
        return Err("only some of its elements are lists".to_owned());
    }
    let alpha = alpha(&flat).filter(|_| of == VariantType::Color);
    flat.extend(alpha);
    Ok(flat)
}

/// A value in Godot's own text, in the form in which it is saved.
///
/// # Errors
/// When it is not a value, or not one of the property's type.
pub(super) fn of_godot(
    text: &str,
    holds: &ValueType,
    version: GodotVersion,
) -> Result<String, String> {
    if let Some(problem) = out_of_range(text) {
        return Err(problem);
    }
    // A shell takes the quotes of `"nearest"` away.
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || "_-. ".contains(letter);
    if let ValueType::Enum { values, .. } = holds
        && text.trim().starts_with(|first: char| first.is_ascii_alphabetic())
        && text.trim().chars().all(is_word)
    {
        return number_of(values, text).map(|number| number.to_string());
    }
    let canonical = canonical_value(text.as_bytes(), version)
        .map_err(|error| unreadable(text, holds, &error))?;
    let canonical = String::from_utf8(canonical).map_err(|_| "it is not UTF-8".to_owned())?;
    fit(ValueTree::new(canonical.as_bytes()).root(), holds)
}

/// Why Godot does not read a text as a value, and the right form.
fn unreadable(text: &str, holds: &ValueType, error: &NotCanonical) -> String {
    if text.trim().is_empty() {
        return format!("it is empty{}", example(holds));
    }
    if is_path(text) {
        return "give a file with `load-resource`, or in JSON as {\"load\": \"res://…\"}"
            .to_owned();
    }
    // The likely first mistake, because a shell takes quotes away.
    let is_bare = !text.contains(['"', '\'']);
    let literal = match holds {
        ValueType::Of(VariantType::String) if is_bare => Some(quoted(text)),
        ValueType::Of(VariantType::StringName) if is_bare => {
            Some(format!("&{}", quoted_name(text)))
        }
        _ => None,
    };
    if let Some(literal) = literal {
        return format!("put it in double quotes: `{literal}`, in a shell `'{literal}'`");
    }
    let problem = godot_tscn::value_problems(text.as_bytes()).into_iter().next();
    let problem = problem.map_or_else(|| error.to_string(), |(_, problem)| problem);
    let example = match holds {
        ValueType::Object(_) => String::new(),
        holds => example(holds),
    };
    match problem.rsplit_once("; ") {
        // The rule's advice fits values of any type.
        Some((problem, _)) if !example.is_empty() => format!("{problem}{example}"),
        _ => format!("{problem}{example}"),
    }
}

/// Whether a text names a file.
pub(super) fn is_path(text: &str) -> bool {
    text.starts_with("res://") || text.starts_with("uid://")
}

/// Godot's result when a value is set (`Variant::can_convert_strict`), if it takes it.
fn fit(value: PartRef<'_>, holds: &ValueType) -> Result<String, String> {
    match holds {
        ValueType::Unknown | ValueType::Any => Ok(source(value)),
        ValueType::Of(wanted) => fit_plain(value, *wanted, holds),
        ValueType::Enum { values, .. } => match value.text() {
            Some(word) => {
                number_of(values, &String::from_utf8_lossy(&word)).map(|number| number.to_string())
            }
            None => fit_plain(value, VariantType::Int, holds),
        },
        ValueType::Object(class) => fit_object(value, class, holds),
        ValueType::Array(element) => {
            let list = container(value, PartKind::Array, holds)?;
            if **element == ValueType::Unknown && value.kind() != PartKind::Typed {
                return Err(GIVE_TEXT.to_owned());
            }
            let fitted = list.children().map(|part| fit_element(part, element));
            Ok(format!("[{}]", fitted.collect::<Result<Vec<_>, _>>()?.join(", ")))
        }
        ValueType::Dictionary(of_key, of_value) => {
            let entries = container(value, PartKind::Dictionary, holds)?.entries();
            let fitted: Result<Vec<String>, String> = entries
                .map(|(key, value)| {
                    Ok(format!("{}: {}", fit_element(key, of_key)?, fit_element(value, of_value)?))
                })
                .collect();
            let fitted = fitted?;
            Ok(if fitted.is_empty() {
                "{}".to_owned()
            } else {
                format!("{{\n{}\n}}", fitted.join(",\n"))
            })
        }
    }
}

fn fit_element(value: PartRef<'_>, holds: &ValueType) -> Result<String, String> {
    fit(value, holds).map_err(|reason| format!("of `{}`, {reason}", shortened(&source(value))))
}

/// The array or dictionary itself, of one with or without a type in front.
fn container<'v>(
    value: PartRef<'v>,
    kind: PartKind,
    holds: &ValueType,
) -> Result<PartRef<'v>, String> {
    let inner = match value.kind() {
        PartKind::Typed => value.children().last().unwrap_or(value),
        _ => value,
    };
    if inner.kind() == kind { Ok(inner) } else { wrong(value, holds) }
}

fn fit_object(
    value: PartRef<'_>,
    class: &ObjectClass,
    holds: &ValueType,
) -> Result<String, String> {
    let is_null = value.source() == b"null";
    let fits = match class.is_node {
        true => value.name() == b"NodePath",
        false => matches!(value.name(), b"ExtResource" | b"SubResource" | b"Resource"),
    };
    match value.text() {
        _ if is_null || fits => Ok(source(value)),
        Some(path) if class.is_node => {
            Ok(format!("NodePath({})", quoted_name(&String::from_utf8_lossy(&path))))
        }
        _ => wrong(value, holds),
    }
}

/// A value of one of Variant's types.
fn fit_plain(value: PartRef<'_>, wanted: VariantType, holds: &ValueType) -> Result<String, String> {
    let text = source(value);
    if value.kind() == PartKind::Typed {
        let is_same = value.name() == wanted.name().as_bytes();
        return if is_same { Ok(text) } else { wrong(value, holds) };
    }
    let is_reference = matches!(value.name(), b"ExtResource" | b"SubResource" | b"Resource");
    let parsed = godot_tscn::parse_value(text.as_bytes()).map_err(|error| error.to_string())?;
    match (wanted, &parsed) {
        (wanted, parsed) if wanted == parsed.variant_type() && !is_reference => Ok(text),
        (VariantType::Float, Value::Int(whole)) => Ok(text_of(&Value::Float(*whole as f64))),
        (VariantType::Int, Value::Float(number)) if number.fract() == 0.0 => {
            fitting(&format!("{number}"))
        }
        (VariantType::StringName, Value::String(text)) => Ok(format!("&{}", quoted_name(text))),
        (VariantType::NodePath, Value::String(text)) => {
            Ok(format!("NodePath({})", quoted_name(text)))
        }
        (VariantType::String, Value::StringName(text)) => Ok(quoted(text)),
        (wanted, parsed) if let Some(converted) = converted(wanted, parsed) => {
            Ok(text_of(&converted))
        }
        _ => wrong(value, holds),
    }
}

/// The error that a value has another type than the property.
fn wrong<T>(value: PartRef<'_>, holds: &ValueType) -> Result<T, String> {
    let what = match value.name() {
        b"ExtResource" | b"SubResource" | b"Resource" => "a resource".to_owned(),
        _ if value.kind() == PartKind::Typed => {
            let text = source(value);
            text.split('(').next().unwrap_or_default().to_owned()
        }
        _ => match godot_tscn::parse_value(value.source()) {
            Ok(value) => value.variant_type().name().to_owned(),
            Err(_) => source(value),
        },
    };
    Err(format!("it is {what}{}", example(holds)))
}

fn source(value: PartRef<'_>) -> String {
    String::from_utf8_lossy(value.source()).into_owned()
}

/// The type in front of an array or dictionary in a scene: `Array[int]`. `script_id` gives the id of the `ext_resource` of a
/// script that is a type. `None` for other values, for nodes, and for an unknown type.
pub(super) fn saved_type(
    holds: &ValueType,
    script_id: impl Fn(FileId) -> Option<String>,
) -> Option<String> {
    let word = |of: &ValueType| match of {
        ValueType::Object(class) => match class.script {
            Some(script) => {
                script_id(script).map(|id| format!("ExtResource({})", quoted_name(&id)))
            }
            None => Some(class.name.clone()),
        },
        ValueType::Unknown => None,
        of => Some(of.variant_type().map_or("Variant", VariantType::name).to_owned()),
    };
    match holds {
        _ if holds.holds_nodes() => None,
        ValueType::Array(element) => Some(format!("Array[{}]", word(element)?)),
        ValueType::Dictionary(key, value) => {
            Some(format!("Dictionary[{}, {}]", word(key)?, word(value)?))
        }
        _ => None,
    }
}

/// A whole number, if it fits.
fn fitting(text: &str) -> Result<String, String> {
    match text.parse::<i64>() {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err(out_of_range(text).unwrap_or_default()),
    }
}

/// The problem with a number that is too large; Godot takes the nearest that fits.
fn out_of_range(text: &str) -> Option<String> {
    let problems = godot_tscn::value_problems(text.as_bytes());
    problems.into_iter().find(|(code, _)| *code == OUT_OF_RANGE).map(|(_, problem)| problem)
}

/// A vector or rectangle with numbers of the other kind, which Godot converts if nothing is lost.
fn converted(wanted: VariantType, value: &Value) -> Option<Value> {
    fn whole<const N: usize>(numbers: [f32; N]) -> Option<[i32; N]> {
        let is_whole = |number: &f32| number.fract() == 0.0 && number.abs() < 16_777_216.0;
        numbers.iter().all(is_whole).then(|| numbers.map(|number| number as i32))
    }
    fn reals<const N: usize>(numbers: [i32; N]) -> [f32; N] {
        numbers.map(|number| number as f32)
    }
    Some(match (wanted, value) {
        (VariantType::Vector2i, Value::Vector2(numbers)) => Value::Vector2i(whole(*numbers)?),
        (VariantType::Vector3i, Value::Vector3(numbers)) => Value::Vector3i(whole(*numbers)?),
        (VariantType::Vector4i, Value::Vector4(numbers)) => Value::Vector4i(whole(*numbers)?),
        (VariantType::Rect2i, Value::Rect2(numbers)) => Value::Rect2i(whole(*numbers)?),
        (VariantType::Vector2, Value::Vector2i(numbers)) => Value::Vector2(reals(*numbers)),
        (VariantType::Vector3, Value::Vector3i(numbers)) => Value::Vector3(reals(*numbers)),
        (VariantType::Vector4, Value::Vector4i(numbers)) => Value::Vector4(reals(*numbers)),
        (VariantType::Rect2, Value::Rect2i(numbers)) => Value::Rect2(reals(*numbers)),
        _ => return None,
    })
}

/// How a value of a type is written.
pub(super) fn example(holds: &ValueType) -> String {
    let example = match holds {
        ValueType::Object(class) if class.is_node => "NodePath(\"A/B\")",
        ValueType::Object(_) => {
            return "; give a resource: `load-resource`, `add-resource`, or null".to_owned();
        }
        ValueType::Array(element) => return format!("; write `[…]` with elements of {element}"),
        ValueType::Dictionary(key, value) => {
            return format!("; write `{{…}}` with keys of {key} and values of {value}");
        }
        ValueType::Enum { .. } => "1",
        ValueType::Unknown | ValueType::Any => return String::new(),
        ValueType::Of(of) => match of {
            VariantType::Bool => "true",
            VariantType::Int => "1",
            VariantType::Float => "1.5",
            VariantType::String => "\"text\"",
            VariantType::StringName => "&\"name\"",
            VariantType::NodePath => "NodePath(\"A/B\")",
            VariantType::Vector2 | VariantType::Vector2i => "Vector2(1, 2)",
            VariantType::Vector3 | VariantType::Vector3i => "Vector3(1, 2, 3)",
            VariantType::Color => "Color(1, 0.5, 0, 1)",
            VariantType::Rect2 => "Rect2(0, 0, 10, 20)",
            VariantType::Array => "[1, 2]",
            VariantType::Dictionary => "{\"a\": 1}",
            _ => return String::new(),
        },
    };
    format!("; write it like {example}")
}

/// A value for messages.
pub(super) fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(MAX_CHARS).collect();
    let plain = start.replace('\n', " ");
    if chars.next().is_some() { format!("{plain}…") } else { plain }
}

/// Whether Godot takes two values for equal, and leaves one out that is the default
/// (`PropertyUtils::is_property_value_different`, scene/property_utils.cpp, 4.6.3).
pub(super) fn are_equal(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (Ok(one), Ok(other)) =
        (godot_tscn::parse_value(one.as_bytes()), godot_tscn::parse_value(other.as_bytes()))
    else {
        return false;
    };
    match (&one, &other) {
        (Value::Float(one), Value::Float(other)) => is_equal_approx(*one as f32, *other as f32),
        (Value::Object(_), _) | (_, Value::Object(_)) => false,
        _ => match (write_value(&one), write_value(&other)) {
            (Ok(one), Ok(other)) => one == other,
            _ => false,
        },
    }
}

/// `Math::is_equal_approx`
fn is_equal_approx(one: f32, other: f32) -> bool {
    const EPSILON: f32 = 1e-5;
    one == other || (one - other).abs() < (EPSILON * one.abs()).max(EPSILON)
}

fn text_of(value: &Value) -> String {
    let text = write_value(value).unwrap_or_default();
    String::from_utf8(text).unwrap_or_default()
}
