//! Enums, from scripts, from the engine and from the hints of properties.

use godot::builtin::{AnyDictionary, StringName, VarDictionary, VariantType as GodotType};
use godot::classes::{ClassDb, Script};
use godot::obj::{EngineBitfield, EngineEnum, Gd, Singleton};
use godot::register::info::{PropertyHint, PropertyUsageFlags};
use o3de_json::{EnumSchema, IntRepr};

use super::number;
use crate::o3de_json::classes::Classes;

pub(super) fn enumeration(
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
pub(super) fn by_declaration(hint: EnumSchema, script: Option<&Gd<Script>>) -> EnumSchema {
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
pub(in crate::o3de_json) fn enum_of(values: &AnyDictionary) -> Option<EnumSchema> {
    let values = values.iter_shared().map(|(name, number)| {
        let is_text = matches!(name.get_type(), GodotType::STRING | GodotType::STRING_NAME);
        let name = is_text.then(|| name.stringify().to_string().into())?;
        Some((name, number.try_to::<i64>().ok()?))
    });
    Some(EnumSchema { underlying: IntRepr::I64, values: values.collect::<Option<_>>()? })
}

/// `A,B:4,C`: names, and numbers that count on from the last one; those of flags double.
pub(super) fn listed(names: &str, is_flags: bool) -> EnumSchema {
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
    EnumSchema { underlying: IntRepr::I64, values: values.into() }
}
