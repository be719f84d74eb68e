//! The fields of a class, from the properties of a script or of a class of the engine's.

mod enumeration;
mod property;

use godot::builtin::{Callable, StringName, VarDictionary};
use godot::classes::{ClassDb, Object, ResourceLoader, Script};
use godot::meta::FromGodot;
use godot::obj::{EngineBitfield, Gd, Singleton};
use godot::register::info::PropertyUsageFlags;
use godot_variant::Value;
use o3de_json::{Class, Field, Kind, Schema};

use super::classes::{self, Classes, Factory, Maker};
use super::objects;
use crate::by_name;
pub(super) use enumeration::enum_of;
use property::schema_of;
pub(super) use property::schema_of_value;

/// The base of all classes, which means any registered class.
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

/// The options of a class besides its script.
#[derive(Default)]
pub(super) struct About {
    /// O3DE's UUID of the class, or nothing.
    pub(super) uuid: String,
    /// Properties of the engine class to store, too.
    pub(super) properties: Vec<String>,
    /// What makes an object, if not `new()`.
    pub(super) factory: Option<Callable>,
}

/// Registers a script under `name`, and before it the scripts that it extends, if they have names.
///
/// # Errors
/// The name is taken, or no object of the script can be made.
pub(super) fn register_script(
    name: &str,
    script: &Gd<Script>,
    about: &About,
) -> Result<(), String> {
    let base = script.get_base_script();
    let base_name = match &base {
        Some(base) => base_class(base)?,
        None => None,
    };
    let factory = about.factory.as_ref().map(Factory::new).transpose()?;
    if factory.is_none() {
        check_constructor(name, script)?;
    }
    let maker =
        Maker::Script { id: script.instance_id(), path: script.get_path().to_string(), factory };
    let made = maker.make(name)?;
    let Ok(object) = made.try_to::<Gd<Object>>() else {
        return Err(format!("cannot create an object of the script of `{name}`: see the log"));
    };
    drop(made);
    let known = classes::current();
    let inherited = base_name.as_deref().map(|base| known.registry.fields(base).to_vec());
    let fields = fields(&object, Some(script), &about.properties, &known);
    objects::free(object);
    let mut class = Class {
        full_name: name.into(),
        name: name.into(),
        uuid: about.uuid.as_str().into(),
        bases: base_name.into_iter().map(String::into_boxed_str).collect(),
        ..Class::default()
    };
    let inherited = inherited.unwrap_or_default();
    class.fields = fields?.into_iter().filter(|field| !inherited.contains(field)).collect();
    let declared: Vec<String> = class.fields.iter().flat_map(|f| named_in(&f.schema)).collect();
    classes::change(|classes| classes.register(class, maker)).map_err(|e| e.to_string())?;
    for class in declared {
        // Code and not data named the declared type of a property.
        if classes::current().registry.class(&class).is_none()
            && let Some(script) = global_script(&class)
        {
            register_script(&class, &script, &About::default())?;
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
        return Err(format!("the engine has no class `{class}` that it can instantiate"));
    }
    let made = class_db.instantiate(&StringName::from(class));
    let Ok(object) = made.try_to::<Gd<Object>>() else {
        return Err(format!("the engine cannot create a `{class}`"));
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
    let list = by_name::global_classes();
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
    register_script(&name, base, &About::default())?;
    Ok(Some(name))
}

/// Objects are made without arguments.
fn check_constructor(name: &str, script: &Gd<Script>) -> Result<(), String> {
    if !script.can_instantiate() {
        return Err(format!(
            "cannot create an object of the script of `{name}`: it is abstract, has errors, or is not a \
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
        let default = objects::value_of(&value, classes)
            .map_err(|misuse| format!("the default of `{name}`: {}", String::from(misuse)))?;
        // An object of a class that is not registered (yet) has no default to compare with.
        let is_unknown = matches!(&default, Value::Object(object) if matches!(**object, godot_variant::Object::Id(_)));
        schema.default = (!is_unknown).then_some(default);
        fields.push(Field { name: name.into(), schema });
    }
    if let Some(name) = extra.iter().find(|name| fields.iter().all(|f| *f.name != ***name)) {
        return Err(format!("the property `{name}` does not exist"));
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
