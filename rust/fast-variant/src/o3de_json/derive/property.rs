//! The schema of a property, or of a value without further information.

use godot::builtin::{StringName, VarDictionary, Variant, VariantType as GodotType};
use godot::classes::{ClassDb, Script};
use godot::obj::{Gd, Singleton};
use godot_variant::{Value, VariantType};
use o3de_json::{Kind, MapKind, Schema, SequenceKind};

use super::enumeration::{by_declaration, enumeration, listed};
use super::{OBJECT, number, text};
use crate::o3de_json::classes::{self, Classes};

/// The schema of a property, from its type, its hint and what it holds.
pub(super) fn schema_of(
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

/// A pointer to a class of the project; a class of the engine means any registered class.
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
pub(in crate::o3de_json) fn schema_of_value(variant: &Variant, value: &Value) -> Schema {
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
