//! The fields of a class, from the properties of a script or of a class of the engine's.

use godot::builtin::{StringName, VarDictionary, Variant, VariantType as GodotType};
use godot::classes::{ClassDb, Object, ProjectSettings, ResourceLoader, Script};
use godot::meta::FromGodot;
use godot::obj::{EngineBitfield, EngineEnum, Gd, Singleton};
use godot::register::info::{PropertyHint, PropertyUsageFlags};
use o3de_json::{Class, EnumSchema, Field, IntRepr, Kind, MapKind, Schema, SequenceKind};
use variant::{Value, VariantType};

use super::classes::{self, Classes, Maker};
use super::objects;

/// The base of all classes, which stands for any registered one.
const OBJECT: &str = "Object";

/// What Godot keeps of a resource or object for itself.
const HOUSEKEEPING: [&str; 6] = [
    "script",
    "resource_local_to_scene",
    "resource_path",
    "resource_name",
    "resource_scene_unique_id",
    "metadata/_custom_type_script",
];

/// Registers a script under `name`, and before it the scripts that it extends, if they have names.
///
/// # Errors
/// The name is taken, or no object of the script can be made.
pub(super) fn register_script(
    name: &str,
    script: &Gd<Script>,
    uuid: &str,
    extra: &[String],
) -> Result<(), String> {
    let base = script.get_base_script();
    let base_name = match &base {
        Some(base) => base_class(base)?,
        None => None,
    };
    check_constructor(name, script)?;
    let mut script = script.clone();
    let made = script.call("new", &[]);
    let Ok(object) = made.try_to::<Gd<Object>>() else {
        return Err(format!("no object of the script of `{name}` can be made: see the log"));
    };
    drop(made);
    let known = classes::current();
    let inherited = base_name.as_deref().map(|base| known.registry.fields(base).to_vec());
    let fields = fields(&object, Some(&script), extra, &known);
    objects::free(object);
    let mut class = Class {
        full_name: name.into(),
        name: name.into(),
        uuid: uuid.into(),
        bases: base_name.into_iter().map(String::into_boxed_str).collect(),
        ..Class::default()
    };
    let inherited = inherited.unwrap_or_default();
    class.fields = fields?.into_iter().filter(|field| !inherited.contains(field)).collect();
    let path = script.get_path().to_string();
    let maker = Maker::Script { id: script.instance_id(), path };
    let declared: Vec<String> = class.fields.iter().flat_map(|f| named_in(&f.schema)).collect();
    classes::change(|classes| classes.register(class, maker)).map_err(|e| e.to_string())?;
    for class in declared {
        // What a property is declared to be was named by code and not by data.
        if classes::current().registry.class(&class).is_none()
            && let Some(script) = global_script(&class)
        {
            register_script(&class, &script, "", &[])?;
        }
    }
    Ok(())
}

/// Registers a class of the engine's.
///
/// # Errors
/// There is no such class, it cannot be made, or it is registered already.
pub(super) fn register_engine_class(name: &str, class: &str, uuid: &str) -> Result<(), String> {
    let class_db = ClassDb::singleton();
    let engine_name = StringName::from(class);
    if !class_db.class_exists(&engine_name) || !class_db.can_instantiate(&engine_name) {
        return Err(format!("the engine has no class `{class}` of which objects can be made"));
    }
    let made = class_db.instantiate(&StringName::from(class));
    let Ok(object) = made.try_to::<Gd<Object>>() else {
        return Err(format!("the engine makes no `{class}`"));
    };
    drop(made);
    let fields = fields(&object, None, &[], &classes::current());
    objects::free(object);
    let class_entry = Class {
        full_name: name.into(),
        name: name.into(),
        uuid: uuid.into(),
        fields: fields?,
        ..Class::default()
    };
    let maker = Maker::Engine(class.to_owned());
    classes::change(|classes| classes.register(class_entry, maker)).map_err(|e| e.to_string())
}

/// The script of a class with a global name in this project.
pub(super) fn global_script(name: &str) -> Option<Gd<Script>> {
    let list = ProjectSettings::singleton().get_global_class_list();
    let entry = list.iter_shared().find(|entry| text(entry, "class") == name)?;
    ResourceLoader::singleton().load(text(&entry, "path").as_str())?.try_cast().ok()
}

/// The class of a base script: registered, or registered now under its global name.
fn base_class(base: &Gd<Script>) -> Result<Option<String>, String> {
    if let Some(known) = classes::current().of_script(base) {
        return Ok(Some(known.to_owned()));
    }
    let name = base.get_global_name().to_string();
    if name.is_empty() || !base.can_instantiate() || check_constructor(&name, base).is_err() {
        return Ok(None);
    }
    register_script(&name, base, "", &[])?;
    Ok(Some(name))
}

/// Objects are made without arguments.
fn check_constructor(name: &str, script: &Gd<Script>) -> Result<(), String> {
    if !script.can_instantiate() {
        return Err(format!(
            "no object of the script of `{name}` can be made: it is abstract, has errors, or is no \
             @tool in the editor"
        ));
    }
    let methods = script.get_script_method_list();
    let Some(constructor) = methods.iter_shared().find(|method| text(method, "name") == "_init")
    else {
        return Ok(());
    };
    let count = |key: &str| {
        let list = constructor.get(key).map(|list| list.call("size", &[]));
        list.and_then(|size| size.try_to::<i64>().ok()).unwrap_or(0)
    };
    if count("args") > count("default_args") {
        return Err(format!("`{name}._init` needs arguments: give them default values"));
    }
    Ok(())
}

fn fields(
    object: &Gd<Object>,
    script: Option<&Gd<Script>>,
    extra: &[String],
    classes: &Classes,
) -> Result<Vec<Field>, String> {
    let mut fields: Vec<Field> = Vec::new();
    for property in object.get_property_list().iter_shared() {
        let name = text(&property, "name");
        if !is_field(&property, &name, script.is_some(), extra)
            || fields.iter().any(|field| *field.name == *name)
        {
            continue;
        }
        let value = object.get(&StringName::from(&name));
        let mut schema = schema_of(&property, &value, script, classes);
        let default = objects::value_of(&value, classes)?;
        // An object of a class that is not registered (yet) has no default to compare with.
        let is_unknown =
            matches!(&default, Value::Object(object) if matches!(**object, variant::Object::Id(_)));
        schema.default = (!is_unknown).then_some(default);
        fields.push(Field { name: name.into(), schema });
    }
    if let Some(name) = extra.iter().find(|name| fields.iter().all(|f| *f.name != ***name)) {
        return Err(format!("there is no property `{name}`"));
    }
    Ok(fields)
}

/// Exported and public variables of a script; what an engine class stores.
fn is_field(property: &VarDictionary, name: &str, has_script: bool, extra: &[String]) -> bool {
    let usage = number(property, "usage") as u64;
    let has = |flag: PropertyUsageFlags| usage & flag.ord() != 0;
    if extra.iter().any(|known| known == name) {
        return true;
    }
    let is_group = has(PropertyUsageFlags::GROUP | PropertyUsageFlags::SUBGROUP)
        || has(PropertyUsageFlags::CATEGORY)
        || has(PropertyUsageFlags::INTERNAL);
    if is_group || HOUSEKEEPING.contains(&name) {
        return false;
    }
    let is_stored = has(PropertyUsageFlags::STORAGE);
    match has_script {
        true => has(PropertyUsageFlags::SCRIPT_VARIABLE) && (is_stored || !name.starts_with('_')),
        false => is_stored,
    }
}

/// The schema of a property, from its type, its hint and what it holds.
fn schema_of(
    property: &VarDictionary,
    value: &Variant,
    script: Option<&Gd<Script>>,
    classes: &Classes,
) -> Schema {
    let id = u32::try_from(number(property, "type")).unwrap_or(0);
    let ty = VariantType::from_id(id).unwrap_or(VariantType::Nil);
    let hint = number(property, "hint");
    let hint_string = text(property, "hint_string");
    let class_name = text(property, "class_name");
    match ty {
        VariantType::Int => enumeration(property, hint, &hint_string, &class_name, script, classes)
            .map_or_else(|| Schema::of_type(ty), |values| Kind::Enum(values).into()),
        VariantType::Object => {
            let declared = if class_name.is_empty() { &hint_string } else { &class_name };
            pointer(declared)
        }
        VariantType::Array | VariantType::Dictionary => container(value, script, &hint_string),
        ty => Schema::of_type(ty),
    }
}

/// A pointer to a class of the project; one of the engine's stands for any registered class.
fn pointer(declared: &str) -> Schema {
    let is_engine =
        declared.is_empty() || ClassDb::singleton().class_exists(&StringName::from(declared));
    let is_registered = classes::current().registry.class(declared).is_some();
    let class = if is_engine && !is_registered || declared.contains([',', '/']) {
        OBJECT
    } else {
        declared
    };
    Kind::Pointer(Box::new(Kind::Class(class.into()).into())).into()
}

/// The schema of a value about which nothing else is known.
pub(super) fn schema_of_value(variant: &Variant, value: &Value) -> Schema {
    match value {
        Value::Array(_) | Value::Dictionary(_) => container(variant, None, ""),
        value => Schema::of_value(value),
    }
}

fn container(value: &Variant, script: Option<&Gd<Script>>, hint_string: &str) -> Schema {
    if value.get_type() == GodotType::ARRAY {
        let item = match hint_string.strip_prefix("2/2:") {
            // Elements of an enum, exported.
            Some(names) => Kind::Enum(by_declaration(listed(names, false), script)).into(),
            None => declared_part(
                value,
                "get_typed_builtin",
                "get_typed_class_name",
                "get_typed_script",
            ),
        };
        return Kind::Sequence(SequenceKind::Array, Box::new(item)).into();
    }
    let part = |which: &str| {
        declared_part(
            value,
            &format!("get_typed_{which}_builtin"),
            &format!("get_typed_{which}_class_name"),
            &format!("get_typed_{which}_script"),
        )
    };
    Kind::Map(MapKind::Map, Box::new((part("key"), part("value")))).into()
}

/// What a container is declared to hold.
fn declared_part(container: &Variant, builtin: &str, class: &str, script: &str) -> Schema {
    let id = container.call(builtin, &[]).try_to::<i64>().unwrap_or(0);
    let ty = u32::try_from(id).ok().and_then(VariantType::from_id).unwrap_or(VariantType::Nil);
    if ty != VariantType::Object {
        return Schema::of_type(ty);
    }
    if let Ok(script) = container.call(script, &[]).try_to::<Gd<Script>>() {
        let known = classes::current();
        let name = known.of_script(&script).map(str::to_owned);
        return pointer(&name.unwrap_or_else(|| script.get_global_name().to_string()));
    }
    pointer(&container.call(class, &[]).stringify().to_string())
}

fn enumeration(
    property: &VarDictionary,
    hint: i64,
    hint_string: &str,
    class_name: &str,
    script: Option<&Gd<Script>>,
    classes: &Classes,
) -> Option<EnumSchema> {
    let usage = number(property, "usage") as u64;
    let is_enum = PropertyUsageFlags::CLASS_IS_ENUM | PropertyUsageFlags::CLASS_IS_BITFIELD;
    if usage & is_enum.ord() != 0 {
        if let Some(known) = classes.enumeration(class_name) {
            return Some(known.clone());
        }
        // An exported enum's hint has its names changed for reading.
        let short = class_name.rsplit('.').next().unwrap_or(class_name);
        let values = script_enum(script, short).or_else(|| engine_enum(class_name));
        if values.is_some() {
            return values;
        }
    }
    if hint == i64::from(PropertyHint::ENUM.ord()) {
        return Some(listed(hint_string, false));
    }
    (hint == i64::from(PropertyHint::FLAGS.ord()))
        .then(|| EnumSchema { underlying: IntRepr::U32, ..listed(hint_string, true) })
}

/// An enum of a script or of one that it extends.
fn script_enum(script: Option<&Gd<Script>>, name: &str) -> Option<EnumSchema> {
    let mut script = script.cloned();
    while let Some(current) = script {
        let constants = current.get_script_constant_map();
        if let Some(values) = constants.get(name)
            && let Ok(values) = values.try_to::<VarDictionary>()
        {
            return enum_of(&values);
        }
        script = current.get_base_script();
    }
    None
}

/// The constants as they are declared: a hint has names like `Very Tired` for `VERY_TIRED`.
fn by_declaration(hint: EnumSchema, script: Option<&Gd<Script>>) -> EnumSchema {
    let plain = |values: &EnumSchema| -> Vec<(String, i64)> {
        let letters = |name: &str| name.replace(['_', ' '], "").to_lowercase();
        values.values.iter().map(|(name, number)| (letters(name), *number)).collect()
    };
    let wanted = plain(&hint);
    let mut script = script.cloned();
    while let Some(current) = script {
        for (_, constant) in current.get_script_constant_map().iter_shared() {
            let values =
                constant.try_to::<VarDictionary>().ok().and_then(|values| enum_of(&values));
            if let Some(values) = values.filter(|values| plain(values) == wanted) {
                return values;
            }
        }
        script = current.get_base_script();
    }
    hint
}

/// An enum of the engine's, e.g. `Node.ProcessMode`.
fn engine_enum(class_name: &str) -> Option<EnumSchema> {
    let (class, name) = class_name.split_once('.')?;
    let (class, name) = (StringName::from(class), StringName::from(name));
    let class_db = ClassDb::singleton();
    if !class_db.class_has_enum(&class, &name) {
        return None;
    }
    let constants = class_db.class_get_enum_constants(&class, &name);
    let values = constants.as_slice().iter().map(|constant| {
        let number = class_db.class_get_integer_constant(&class, &StringName::from(constant));
        (constant.to_string().into(), number)
    });
    Some(EnumSchema { underlying: IntRepr::I64, values: values.collect() })
}

/// An enum of GDScript's, which is a Dictionary of names and numbers.
pub(super) fn enum_of(values: &VarDictionary) -> Option<EnumSchema> {
    let values = values.iter_shared().map(|(name, number)| {
        let is_text = matches!(name.get_type(), GodotType::STRING | GodotType::STRING_NAME);
        let name = is_text.then(|| name.stringify().to_string().into())?;
        Some((name, number.try_to::<i64>().ok()?))
    });
    Some(EnumSchema { underlying: IntRepr::I64, values: values.collect::<Option<_>>()? })
}

/// `A,B:4,C`: names, and numbers that count on from the last one; those of flags double.
fn listed(names: &str, is_flags: bool) -> EnumSchema {
    let mut next = i64::from(is_flags);
    let mut values = Vec::new();
    for (index, part) in names.split(',').enumerate() {
        let (name, number) = match part.rsplit_once(':') {
            Some((name, number)) => (name, number.trim().parse().unwrap_or(next)),
            None if is_flags => (part, 1_i64.checked_shl(index as u32).unwrap_or(0)),
            None => (part, next),
        };
        next = number.saturating_add(1);
        values.push((name.trim().into(), number));
    }
    EnumSchema { underlying: IntRepr::I64, values }
}

/// The classes that a schema points to.
fn named_in(schema: &Schema) -> Vec<String> {
    match &schema.kind {
        Kind::Class(class) if **class != *OBJECT => vec![class.to_string()],
        Kind::Pointer(item) | Kind::Sequence(_, item) => named_in(item),
        Kind::Map(_, types) => [named_in(&types.0), named_in(&types.1)].concat(),
        _ => Vec::new(),
    }
}

fn text(dictionary: &VarDictionary, key: &str) -> String {
    dictionary.get(key).map_or_else(String::new, |value| value.stringify().to_string())
}

fn number(dictionary: &VarDictionary, key: &str) -> i64 {
    dictionary.get(key).and_then(|value| i64::try_from_variant(&value).ok()).unwrap_or(0)
}
