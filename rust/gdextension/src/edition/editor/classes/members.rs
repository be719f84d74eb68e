//! What a class has by the engine's word, in the spelling of the tables (`scripts/lib/class_db/merge.py`).

use ::project::ClassDbBuilder;
use godot::builtin::{AnyArray, GString, StringName, VarDictionary, Variant, VariantType};
use godot::classes::ClassDb as EngineClasses;
use godot::global::type_string;
use godot::meta::FromGodot;
use godot::obj::{EngineBitfield, EngineEnum, Singleton};
use godot::register::info::{PropertyHint, PropertyUsageFlags};

/// `METHOD_FLAG_VIRTUAL`, `METHOD_FLAG_VARARG` and `METHOD_FLAG_STATIC` (core/object/object.h, Godot 4.4 to 4.6).
const VIRTUAL: u32 = 8;
const VARARG: u32 = 16;
const STATIC: u32 = 32;
/// Of headings in the list of properties, which are not properties.
const HEADINGS: u32 = 64 | 128 | 256;

/// Adds the class's own members to the class that was added last.
pub(super) fn read(class: &StringName, builder: &mut ClassDbBuilder) {
    let engine = EngineClasses::singleton();
    for property in
        engine.class_get_property_list_ex(class).no_inheritance(true).done().iter_shared()
    {
        add_property(&property, builder);
    }
    for signal in engine.class_get_signal_list_ex(class).no_inheritance(true).done().iter_shared() {
        let types: Vec<_> = list(&signal, "args")
            .filter_map(|argument| argument.try_to().ok())
            .map(|argument: VarDictionary| type_name(&argument, false))
            .collect();
        builder.add_signal(&name(&signal), &types);
    }
    for method in engine.class_get_method_list_ex(class).no_inheritance(true).done().iter_shared() {
        add_method(&method, builder);
    }
    for name in engine.class_get_enum_list_ex(class).no_inheritance(true).done().as_slice() {
        let enum_name = StringName::from(name);
        let keys =
            engine.class_get_enum_constants_ex(class, &enum_name).no_inheritance(true).done();
        let value = |key: &GString| {
            let value = engine.class_get_integer_constant(class, &StringName::from(key));
            (key.to_string(), value)
        };
        let values: Vec<_> = keys.as_slice().iter().map(value).collect();
        builder.add_enum(&name.to_string(), &values);
    }
}

fn add_property(property: &VarDictionary, builder: &mut ClassDbBuilder) {
    let usage: u32 = field(property, "usage");
    let is_counter = type_of(property) == VariantType::NIL.ord()
        && usage & PropertyUsageFlags::ARRAY.ord() as u32 != 0;
    if usage & HEADINGS == 0 && !is_counter {
        let is_stored = usage & PropertyUsageFlags::STORAGE.ord() as u32 != 0;
        builder.add_property(&name(property), &type_name(property, true), is_stored);
    }
}

fn add_method(method: &VarDictionary, builder: &mut ClassDbBuilder) {
    let arguments = list(method, "args").count();
    let defaults = list(method, "default_args").count();
    let flags: u32 = field(method, "flags");
    let most = (flags & VARARG == 0).then_some(arguments);
    let least = arguments.saturating_sub(defaults);
    builder.add_method(&name(method), least, most, (flags & VIRTUAL != 0, flags & STATIC != 0));
}

fn name(entry: &VarDictionary) -> String {
    field::<GString>(entry, "name").to_string()
}

fn type_of(entry: &VarDictionary) -> i32 {
    field(entry, "type")
}

/// `with_hint`: a property's hint may name the classes that it takes.
fn type_name(entry: &VarDictionary, with_hint: bool) -> String {
    let type_id = type_of(entry);
    if type_id == VariantType::NIL.ord() {
        return "Variant".to_owned();
    }
    if type_id != VariantType::OBJECT.ord() {
        return type_string(i64::from(type_id)).to_string();
    }
    let hint: i32 = field(entry, "hint");
    let names_classes = [PropertyHint::RESOURCE_TYPE, PropertyHint::NODE_TYPE];
    let key = match names_classes.iter().any(|names| names.ord() == hint) && with_hint {
        true => "hint_string",
        false => "class_name",
    };
    let name: GString = field(entry, key);
    if name.is_empty() { "Object".to_owned() } else { name.to_string() }
}

/// The default of the type, where there is no such field.
fn field<T: FromGodot + Default>(entry: &VarDictionary, key: &str) -> T {
    entry.get(key).and_then(|value| value.try_to().ok()).unwrap_or_default()
}

fn list(entry: &VarDictionary, key: &str) -> impl Iterator<Item = Variant> {
    let array: Option<AnyArray> = entry.get(key).and_then(|value| value.try_to().ok());
    array.into_iter().flat_map(|array| array.iter_shared().collect::<Vec<_>>())
}
