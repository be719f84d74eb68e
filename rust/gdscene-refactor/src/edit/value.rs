//! Godot's text of a value, as the type of its property asks for it.

use std::fmt::Write as _;

use godot_tscn::{
    GodotVersion, NotCanonical, PartKind, ValueTree, canonical_value, quoted, quoted_name,
    write_value,
};
use godot_variant::{Value, VariantType};
use serde_json::Value as Json;

use crate::edit::object::PropertyType;

/// The key of a value in Godot's own text.
pub(super) const GODOT: &str = "godot";

/// The rule on numbers that are too large.
const OUT_OF_RANGE: &str = "SYN012";

/// The text of a value in JSON.
///
/// # Errors
/// With the reason, and what would be right.
pub(super) fn of_json(
    json: &Json,
    property: &PropertyType,
    version: GodotVersion,
) -> Result<String, String> {
    let type_name = property.type_name.as_str();
    match json {
        Json::String(text) => match type_name {
            _ if property.is_node => Ok(format!("NodePath({})", quoted_name(text))),
            "String" | "Variant" => Ok(quoted(text)),
            "StringName" => Ok(format!("&{}", quoted_name(text))),
            "NodePath" => Ok(format!("NodePath({})", quoted_name(text))),
            _ if is_path(text) => Err("a file is {\"load\": \"res://…\"}".to_owned()),
            _ => of_godot(text, property, version),
        },
        _ => of_godot(&plain(json, type_name)?, property, version),
    }
}

/// JSON as a text that Godot reads, before the type is looked at.
fn plain(json: &Json, type_name: &str) -> Result<String, String> {
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
        Json::String(text) => quoted(text),
        Json::Array(elements) => return array(elements, type_name),
        Json::Object(entries) if entries.len() == 1 && entries.contains_key(GODOT) => {
            entries[GODOT].as_str().ok_or("`godot` is a string")?.to_owned()
        }
        Json::Object(entries) => {
            let mut text = "{".to_owned();
            for (index, (key, value)) in entries.iter().enumerate() {
                let lead = if index > 0 { ", " } else { "" };
                let _ = write!(text, "{lead}{}: {}", quoted(key), plain(value, "Variant")?);
            }
            text.push('}');
            text
        }
    })
}

/// An array, or what has components: `[1, 2]` is a `Vector2` where the property is one.
fn array(elements: &[Json], type_name: &str) -> Result<String, String> {
    let list = |elements: &[Json]| -> Result<String, String> {
        let texts: Result<Vec<String>, String> =
            elements.iter().map(|element| plain(element, "Variant")).collect();
        Ok(texts?.join(", "))
    };
    let Some(of) = VariantType::from_name(type_name) else {
        return Ok(format!("[{}]", list(elements)?));
    };
    match of {
        VariantType::Array | VariantType::Dictionary | VariantType::Nil => {
            Ok(format!("[{}]", list(elements)?))
        }
        _ => {
            // Of arrays of vectors, each may be an array.
            let mut flat = Vec::new();
            for element in elements {
                match element {
                    Json::Array(inner) => flat.extend(inner.iter().cloned()),
                    other => flat.push(other.clone()),
                }
            }
            if of == VariantType::Color && flat.len() == 3 {
                flat.push(Json::from(1));
            }
            Ok(format!("{type_name}({})", list(&flat)?))
        }
    }
}

/// A value in Godot's own text, in the form in which it is saved.
///
/// # Errors
/// When it is not a value, or not one of the property's type.
pub(super) fn of_godot(
    text: &str,
    property: &PropertyType,
    version: GodotVersion,
) -> Result<String, String> {
    if let Some(problem) = out_of_range(text) {
        return Err(problem);
    }
    let canonical = canonical_value(text.as_bytes(), version)
        .map_err(|error| unreadable(text, &property.type_name, &error))?;
    let canonical = String::from_utf8(canonical).map_err(|_| "it is not UTF-8".to_owned())?;
    fit(&canonical, property)
}

/// Why Godot does not read a text as a value, and what would be right.
fn unreadable(text: &str, type_name: &str, error: &NotCanonical) -> String {
    if text.trim().is_empty() {
        return format!("it is empty{}", example(type_name));
    }
    if is_path(text) {
        return "give a file with `load-resource`, or in JSON as {\"load\": \"res://…\"}"
            .to_owned();
    }
    // The likely first mistake, because a shell takes quotes away.
    let is_bare = !text.contains(['"', '\'']);
    let literal = match type_name {
        "String" if is_bare => Some(quoted(text)),
        "StringName" if is_bare => Some(format!("&{}", quoted_name(text))),
        _ => None,
    };
    if let Some(literal) = literal {
        return format!("put it in double quotes: `{literal}`, in a shell `'{literal}'`");
    }
    let problem = godot_tscn::value_problems(text.as_bytes()).into_iter().next();
    let problem = problem.map_or_else(|| error.to_string(), |(_, problem)| problem);
    let example = match VariantType::from_name(type_name) {
        Some(_) => example(type_name),
        None => String::new(),
    };
    match problem.rsplit_once("; ") {
        // What the rule advises fits values of any type.
        Some((problem, _)) if !example.is_empty() => format!("{problem}{example}"),
        _ => format!("{problem}{example}"),
    }
}

/// Whether a text names a file.
fn is_path(text: &str) -> bool {
    text.starts_with("res://") || text.starts_with("uid://")
}

/// What Godot makes of a value when it is set (`Variant::can_convert_strict`), if it takes it.
fn fit(text: &str, property: &PropertyType) -> Result<String, String> {
    let type_name = property.type_name.as_str();
    let tree = ValueTree::new(text.as_bytes());
    if tree.root().kind() == PartKind::Typed {
        return fit_typed(text, type_name);
    }
    let is_reference = matches!(tree.root().name(), b"ExtResource" | b"SubResource" | b"Resource");
    let value = godot_tscn::parse_value(text.as_bytes()).map_err(|error| error.to_string())?;
    let found = value.variant_type();
    let element = type_name.strip_prefix("Array[").and_then(|rest| rest.strip_suffix(']'));
    if let Some(element) = element {
        return typed_array(text, found, element, property.is_node);
    }
    let wanted = VariantType::from_name(type_name);
    let wrong = || {
        let what = if is_reference { "a resource" } else { found.name() };
        Err(format!("it is {what}{}", example(type_name)))
    };
    match (wanted, &value) {
        _ if type_name == "Variant" => Ok(text.to_owned()),
        _ if property.is_node => match found {
            VariantType::NodePath | VariantType::Nil => Ok(text.to_owned()),
            _ => wrong(),
        },
        (Some(wanted), _) if wanted == found && !is_reference => Ok(text.to_owned()),
        (Some(VariantType::Float), Value::Int(whole)) => Ok(text_of(&Value::Float(*whole as f64))),
        (Some(VariantType::Int), Value::Float(number)) if number.fract() == 0.0 => {
            fitting(&format!("{number}"))
        }
        (Some(VariantType::StringName), Value::String(text)) => {
            Ok(format!("&{}", quoted_name(text)))
        }
        (Some(VariantType::NodePath), Value::String(text)) => {
            Ok(format!("NodePath({})", quoted_name(text)))
        }
        (Some(VariantType::String), Value::StringName(text)) => Ok(quoted(text)),
        (Some(wanted), value) if let Some(converted) = converted(wanted, value) => {
            Ok(text_of(&converted))
        }
        // Enums and classes: the table has the class, or several.
        (None | Some(VariantType::Object), _) if is_reference || found == VariantType::Nil => {
            Ok(text.to_owned())
        }
        (None, Value::Dictionary(_)) if type_name.starts_with("Dictionary[") => {
            Ok(format!("{type_name}({text})"))
        }
        _ => wrong(),
    }
}

/// A whole number, if it fits.
fn fitting(text: &str) -> Result<String, String> {
    match text.parse::<i64>() {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err(out_of_range(text).unwrap_or_default()),
    }
}

/// What is wrong with a number that is too large, of which Godot takes the nearest that fits.
fn out_of_range(text: &str) -> Option<String> {
    let problems = godot_tscn::value_problems(text.as_bytes());
    problems.into_iter().find(|(code, _)| *code == OUT_OF_RANGE).map(|(_, problem)| problem)
}

/// A vector or rectangle whose numbers are of the other kind, which Godot converts where nothing is lost.
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

/// `Array[int]([…])`, `Dictionary[…]({…})`
fn fit_typed(text: &str, type_name: &str) -> Result<String, String> {
    let own = text.split('(').next().unwrap_or_default();
    let kind = own.split('[').next().unwrap_or_default();
    // What is declared with a class of a script has another text in the scene.
    let fits =
        type_name == "Variant" || type_name == kind || type_name.starts_with(&format!("{kind}["));
    if fits { Ok(text.to_owned()) } else { Err(format!("it is {own}{}", example(type_name))) }
}

/// Elements of a type that scenes name by a word: one of Variant's, or a class of Godot's.
fn typed_array(
    text: &str,
    found: VariantType,
    element: &str,
    holds_nodes: bool,
) -> Result<String, String> {
    if found != VariantType::Array {
        return Err(format!("it is {}; write `[…]` with elements of {element}", found.name()));
    }
    // Of nodes, scenes hold an array of paths.
    if holds_nodes {
        return Ok(text.to_owned());
    }
    let value = godot_tscn::parse_value(text.as_bytes()).map_err(|error| error.to_string())?;
    let names_resources = !crate::edit::scene::references(text.as_bytes()).is_empty();
    match (VariantType::from_name(element), value) {
        (Some(wanted), Value::Array(array)) if !names_resources => {
            let property =
                PropertyType { type_name: wanted.name().to_owned(), default: None, is_node: false };
            let fitted = array.elements.iter().map(|value| fit(&text_of(value), &property));
            let fitted: Vec<String> = fitted.collect::<Result<_, _>>()?;
            Ok(format!("Array[{element}]([{}])", fitted.join(", ")))
        }
        _ => Ok(format!("Array[{element}]({text})")),
    }
}

/// How a value of a type is written.
pub(super) fn example(type_name: &str) -> String {
    let example = match type_name {
        "bool" => "true",
        "int" => "1",
        "float" => "1.5",
        "String" => "\"text\"",
        "StringName" => "&\"name\"",
        "NodePath" => "NodePath(\"A/B\")",
        "Vector2" | "Vector2i" => "Vector2(1, 2)",
        "Vector3" | "Vector3i" => "Vector3(1, 2, 3)",
        "Color" => "Color(1, 0.5, 0, 1)",
        "Rect2" => "Rect2(0, 0, 10, 20)",
        "Array" => "[1, 2]",
        "Dictionary" => "{\"a\": 1}",
        _ if VariantType::from_name(type_name).is_some() => return String::new(),
        _ => return "; give a resource: `load-resource`, `add-resource`, or null".to_owned(),
    };
    format!("; write it like {example}")
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
