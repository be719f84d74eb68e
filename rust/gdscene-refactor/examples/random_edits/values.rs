//! Random values, as Godot writes them and as JSON.

use std::collections::BTreeMap;

use fastrand::Rng;
use godot_project::{Class, Project};
use serde_json::{Map, Value as Json, json};

use crate::scene::ObjectInfo;

/// A property that can be set.
pub(crate) struct PropertyInfo {
    pub(crate) name: String,
    pub(crate) type_name: String,
    /// The class of Godot's that adds it; none for one of a script.
    pub(crate) class: Option<String>,
    pub(crate) default: Option<String>,
}

/// A value, as our operation has it and as Godot is to read it.
pub(crate) struct Both {
    pub(crate) ours: Json,
    pub(crate) engine: Json,
}

impl Both {
    fn text(text: String) -> Self {
        Self { ours: godot(text.clone()), engine: godot(text) }
    }

    fn json(ours: Json, text: String) -> Self {
        Self { ours, engine: godot(text) }
    }
}

fn godot(text: String) -> Json {
    Json::Object(Map::from_iter([("godot".to_owned(), Json::String(text))]))
}

/// The properties of an object that scenes hold.
pub(crate) fn properties(project: &Project, object: &ObjectInfo) -> Vec<PropertyInfo> {
    let classes = project.classes();
    let mut all = Vec::new();
    for class in classes.lineage(&object.class) {
        for name in class.property_names() {
            let Some(found) = class.property(name) else { continue };
            if found.is_stored() {
                all.push(PropertyInfo {
                    name: name.to_owned(),
                    type_name: found.type_name().to_owned(),
                    class: Some(class.name().to_owned()),
                    default: classes.default(&object.class, name).map(str::to_owned),
                });
            }
        }
    }
    all.extend(variables(project, object));
    all
}

/// The exported variables of its script.
pub(crate) fn variables(project: &Project, object: &ObjectInfo) -> Vec<PropertyInfo> {
    let script = object.script.as_ref().and_then(|path| project.file(path));
    let script = script.and_then(|file| project.scripts().script(file));
    let exported = script.into_iter().flat_map(|script| &script.variables);
    let exported = exported.filter(|variable| variable.is_exported);
    exported
        .map(|variable| PropertyInfo {
            name: variable.name.clone(),
            type_name: variable.type_name.clone().unwrap_or_else(|| "guess".to_owned()),
            class: None,
            default: variable.value.clone(),
        })
        .collect()
}

fn float(random: &mut Rng) -> f64 {
    match random.u32(0..6) {
        0 => 0.0,
        1 => 1.0,
        2 => f64::from(random.i32(-20..200)),
        3 => f64::from(random.i32(0..1000)) / 8.0,
        4 => f64::from(random.i32(0..100)) / 100.0,
        _ => f64::from(random.f32()),
    }
}

/// Any number as Godot and JSON write it.
fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{}", value as f32) }
}

fn float_text(value: f64) -> String {
    let text = number(value);
    if text.contains('.') { text } else { format!("{text}.0") }
}

fn numbers(random: &mut Rng, count: usize, is_whole: bool) -> Vec<String> {
    let one = |random: &mut Rng| match is_whole {
        true => random.i32(-5..200).to_string(),
        false => number(float(random)),
    };
    (0..count).map(|_| one(random)).collect()
}

pub(crate) fn word(random: &mut Rng) -> String {
    const WORDS: &[&str] = &[
        "",
        "hero",
        "Two words",
        "quote \" and \\",
        "line\nbreak",
        "tab\there",
        "ümlaut ✓",
        "a:b/c",
        "%x",
        "res",
        "100",
    ];
    (*random.choice(WORDS).expect("there are some")).to_owned()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The numbers of an enum with the name of the property, or of no enum.
fn enum_value(random: &mut Rng, class: Class<'_>, property: &str) -> Option<i64> {
    let pascal: String = property
        .split('_')
        .map(|part| part[..1.min(part.len())].to_uppercase() + &part[1.min(part.len())..])
        .collect();
    let name = class.enum_names().find(|name| {
        pascal.ends_with(name) || name.ends_with(&pascal) || name.starts_with(&pascal)
    })?;
    let values = class.enum_values(name)?.filter(|(name, _)| !name.ends_with("_MAX"));
    let values: Vec<i64> = values.map(|(_, value)| value).collect();
    random.choice(values)
}

/// A value for a property; nothing if no value of its type is made here.
pub(crate) fn value(
    random: &mut Rng,
    project: &Project,
    property: &PropertyInfo,
    nodes: &[&str],
) -> Option<Both> {
    let classes = project.classes();
    if random.u32(0..12) == 0
        && let Some(default) = property.default.as_ref().filter(|_| property.class.is_some())
    {
        return Some(Both::text(default.clone()));
    }
    let array = |ours: &[String]| -> Json {
        ours.iter().map(|text| serde_json::from_str::<Json>(text).expect("a number")).collect()
    };
    let vector = |random: &mut Rng, name: &str, count: usize, is_whole: bool| {
        let all = numbers(random, count, is_whole);
        let text = format!("{name}({})", all.join(", "));
        match random.bool() {
            true => Both::text(text),
            false => Both::json(array(&all), text),
        }
    };
    Some(match property.type_name.as_str() {
        "bool" => {
            let value = random.bool();
            Both::json(json!(value), value.to_string())
        }
        "int" => {
            let class = property.class.as_ref().and_then(|class| classes.class(class));
            let named = class.and_then(|class| enum_value(random, class, &property.name));
            let value = named.unwrap_or_else(|| i64::from(random.u8(0..4)));
            Both::json(json!(value), value.to_string())
        }
        "float" => {
            let value = float(random);
            let text = float_text(value);
            Both::json(serde_json::from_str(&number(value)).ok()?, text)
        }
        "String" => {
            let value = word(random);
            Both::json(json!(value), quoted(&value))
        }
        "StringName" => {
            let value = word(random);
            Both::json(json!(value), format!("&{}", quoted(&value)))
        }
        "NodePath" => {
            let path = random.choice(nodes).copied().unwrap_or("..");
            Both::json(json!(path), format!("NodePath({})", quoted(path)))
        }
        "Vector2" => vector(random, "Vector2", 2, false),
        "Vector2i" => vector(random, "Vector2i", 2, true),
        "Vector3" => vector(random, "Vector3", 3, false),
        "Vector3i" => vector(random, "Vector3i", 3, true),
        "Vector4" => vector(random, "Vector4", 4, false),
        "Rect2" => vector(random, "Rect2", 4, false),
        "Rect2i" => vector(random, "Rect2i", 4, true),
        "AABB" => vector(random, "AABB", 6, false),
        "Color" => {
            let all: Vec<String> =
                (0..4).map(|_| number(f64::from(random.u8(0..5)) / 4.0)).collect();
            let text = format!("Color({})", all.join(", "));
            match random.bool() {
                true => Both::text(text),
                false => Both::json(array(&all), text),
            }
        }
        "Transform2D" => {
            Both::text(format!("Transform2D(1, 0, 0, 1, {})", numbers(random, 2, false).join(", ")))
        }
        "Transform3D" => Both::text(format!(
            "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, {})",
            numbers(random, 3, false).join(", ")
        )),
        "Array" | "Array[String]" => {
            let word = word(random);
            let inner = format!("[{}]", quoted(&word));
            match property.type_name.as_str() {
                "Array" => return None,
                _ => Both::json(json!([word]), format!("Array[String]({inner})")),
            }
        }
        "Dictionary" if property.class.is_none() => Both::json(
            json!({"a": 1, "b": [true, "x"]}),
            "{\"a\": 1, \"b\": [true, \"x\"]}".to_owned(),
        ),
        "PackedInt32Array" | "PackedFloat32Array" | "PackedVector2Array" | "PackedStringArray" => {
            let count = random.usize(0..3) * 2;
            let inner = match property.type_name.as_str() {
                "PackedStringArray" => {
                    (0..count).map(|_| quoted(&word(random))).collect::<Vec<_>>().join(", ")
                }
                name => numbers(random, count, name == "PackedInt32Array").join(", "),
            };
            Both::text(format!("{}({inner})", property.type_name))
        }
        "guess" => {
            let default = property.default.as_deref()?;
            let value = float(random);
            match default {
                "true" | "false" => Both::json(json!(true), "true".to_owned()),
                _ if default.starts_with("Color") => {
                    Both::text("Color(0.25, 0.5, 0, 1)".to_owned())
                }
                _ if default.starts_with("&\"") => {
                    Both::json(json!("other"), "&\"other\"".to_owned())
                }
                _ if default.starts_with('"') => Both::json(json!("other"), "\"other\"".to_owned()),
                _ if default.contains('.') => {
                    Both::json(serde_json::from_str(&number(value)).ok()?, float_text(value))
                }
                _ => Both::json(json!(value as i64), (value as i64).to_string()),
            }
        }
        name => resource(random, project, name)?,
    })
}

/// The classes of a type that a resource inside the file can have.
pub(crate) fn concrete<'p>(project: &'p Project, type_name: &str) -> Vec<&'p str> {
    let classes = project.classes();
    let of = |name: &&str| {
        type_name.split(',').any(|base| classes.inherits(name, base))
            && !type_name
                .split(',')
                .any(|base| base.strip_prefix('-').is_some_and(|base| classes.inherits(name, base)))
            && classes.inherits(name, "Resource")
            && !crate::known::is_class_left_out(name)
            && classes
                .class(name)
                .is_some_and(|class| class.is_instantiable() && !class.is_editor_only())
    };
    let mut all: Vec<&str> = classes.class_names().filter(of).collect();
    all.sort_unstable();
    all
}

/// A new resource, or one of a file.
fn resource(random: &mut Rng, project: &Project, type_name: &str) -> Option<Both> {
    let classes = project.classes();
    let is_of = |class: &str| type_name.split(',').any(|base| classes.inherits(class, base));
    if random.bool() {
        let mut files: Vec<&str> = project
            .files()
            .filter(|file| project.resource_type(*file).is_some_and(is_of))
            .map(|file| project.path(file))
            .filter(|path| path.ends_with(".tres"))
            .collect();
        files.sort_unstable();
        if let Some(path) = random.choice(files) {
            return Some(Both { ours: json!({ "load": path }), engine: json!({ "load": path }) });
        }
    }
    let all = concrete(project, type_name);
    let class = random.choice(all)?;
    let (ours, engine) = some_properties(random, project, class, 2);
    Some(Both {
        ours: json!({ "new": class, "properties": ours }),
        engine: json!({ "new": class, "properties": engine }),
    })
}

/// Properties for something new, each way.
pub(crate) fn some_properties(
    random: &mut Rng,
    project: &Project,
    class: &str,
    most: usize,
) -> (Map<String, Json>, Map<String, Json>) {
    let object = ObjectInfo { class: class.to_owned(), ..ObjectInfo::default() };
    let all = properties(project, &object);
    let mut chosen = BTreeMap::new();
    for _ in 0..random.usize(0..=most) {
        let Some(property) = random.choice(&all) else { break };
        // Nested resources are random elsewhere.
        let is_plain = !property.type_name.contains(',')
            && (project.classes().class(&property.type_name).is_none() || random.u32(0..3) == 0);
        if !is_plain || crate::known::is_left_out(project.classes(), class, &property.name) {
            continue;
        }
        if let Some(value) = value(random, project, property, &[".."]) {
            chosen.insert(property.name.clone(), value);
        }
    }
    let mut ours = Map::new();
    let mut engine = Map::new();
    for (name, value) in chosen {
        ours.insert(name.clone(), value.ours);
        engine.insert(name, value.engine);
    }
    (ours, engine)
}
