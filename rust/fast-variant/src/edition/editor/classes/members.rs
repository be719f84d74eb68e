//! The members of a class according to the engine, in the spelling of the tables
//! (`scripts/data/class_db/merge.py`).

use godot::builtin::{AnyArray, GString, StringName, VarDictionary, Variant, VariantType};
use godot::classes::ClassDb as EngineClasses;
use godot::global::type_string;
use godot::meta::FromGodot;
use godot::obj::{EngineBitfield, EngineEnum, Singleton};
use godot::register::info::{PropertyHint, PropertyUsageFlags};
use godot_project::ClassDbBuilder;

/// `METHOD_FLAG_VIRTUAL`, `METHOD_FLAG_VARARG` and `METHOD_FLAG_STATIC` (core/object/object.h, Godot 4.4 to 4.6).
const VIRTUAL: u32 = 8;
const VARARG: u32 = 16;
const STATIC: u32 = 32;
/// The usage of headings in the list of properties, which are not properties.
const HEADINGS: u32 = 64 | 128 | 256;

/// Adds the class's own members to the class that was added last.
pub(super) fn read(class: &StringName, builder: &mut ClassDbBuilder) {
    let mut engine = EngineClasses::singleton();
    let methods = engine.class_get_method_list_ex(class).no_inheritance(true).done();
    for property in
        engine.class_get_property_list_ex(class).no_inheritance(true).done().iter_shared()
    {
        let taken = names_classes(&property).then(|| {
            let property = StringName::from(&name(&property));
            let setter = engine.class_get_property_setter(class, &property).to_string();
            methods
                .iter_shared()
                .find(|method| name(method) == setter)
                .and_then(|it| class_taken(&it))
        });
        add_property(&property, taken.flatten(), builder);
    }
    for signal in engine.class_get_signal_list_ex(class).no_inheritance(true).done().iter_shared() {
        let types: Vec<_> = list(&signal, "args")
            .filter_map(|argument| argument.try_to().ok())
            .map(|argument: VarDictionary| type_name(&argument, false))
            .collect();
        builder.add_signal(&name(&signal), &types);
    }
    for method in methods.iter_shared() {
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

/// `taken`: the class that the property's setter takes.
fn add_property(property: &VarDictionary, taken: Option<String>, builder: &mut ClassDbBuilder) {
    let usage: u32 = field(property, "usage");
    let is_counter = type_of(property) == VariantType::NIL.ord()
        && usage & PropertyUsageFlags::ARRAY.ord() as u32 != 0;
    if usage & HEADINGS == 0 && !is_counter {
        let is_stored = usage & PropertyUsageFlags::STORAGE.ord() as u32 != 0;
        let type_name = taken.unwrap_or_else(|| type_name(property, true));
        builder.add_property(&name(property), &type_name, is_stored);
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

/// The class of the last argument of a setter, which is the property's value. The property's hint is only what the
/// inspector offers.
fn class_taken(setter: &VarDictionary) -> Option<String> {
    let value: VarDictionary = list(setter, "args").last()?.try_to().ok()?;
    (type_of(&value) == VariantType::OBJECT.ord()).then(|| type_name(&value, false))
}

/// Whether the property's hint names the classes that it takes.
fn names_classes(property: &VarDictionary) -> bool {
    let hint: i32 = field(property, "hint");
    let names_classes = [PropertyHint::RESOURCE_TYPE, PropertyHint::NODE_TYPE];
    type_of(property) == VariantType::OBJECT.ord()
        && names_classes.iter().any(|names| names.ord() == hint)
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
    let key = if with_hint && names_classes(entry) { "hint_string" } else { "class_name" };
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
