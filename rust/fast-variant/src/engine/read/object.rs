//! Objects, by id or with their properties.

use godot::builtin::{GString, StringName, Variant};
use godot::classes::{ClassDb, Object, Script};
use godot::meta::ToGodot;
use godot::obj::{EngineBitfield, Gd, Singleton};
use godot::register::info::PropertyUsageFlags;
use godot_variant::{ObjectSink, Refusal, RefusalKind, Segment, Sink, Source};

use crate::engine::ffi::api::api;
use crate::engine::memory::text;
use crate::engine::read::value::{EngineValue, Objects};

/// Emits the object that `variant` holds, which may be null or freed.
pub(crate) fn emit<S: Sink>(variant: &Variant, objects: Objects, sink: S) -> Result<(), Refusal> {
    let Some(id) = live_instance_id(variant) else {
        return sink.null_object();
    };
    match objects {
        Objects::AsIds => sink.object_id(id),
        Objects::Full => emit_full(&variant.to::<Gd<Object>>(), sink),
    }
}

/// The instance id of the object, unless it is null or was freed.
fn live_instance_id(variant: &Variant) -> Option<u64> {
    let interface = &api().interface;
    // SAFETY: the Variant is valid; both functions take any Variant and any id, and a freed
    // object's id is found no more.
    unsafe {
        let id = (interface.variant_get_object_instance_id)(variant);
        let alive = id != 0 && !(interface.object_get_instance_from_id)(id).is_null();
        alive.then_some(id)
    }
}

/// Class and stored properties, as `encode_variant` picks them (core/io/marshalls.cpp, 4.6).
fn emit_full<S: Sink>(object: &Gd<Object>, sink: S) -> Result<(), Refusal> {
    let class = object.get_class();
    if !ClassDb::singleton().can_instantiate(&StringName::from(&class)) {
        return Err(Refusal::new(RefusalKind::ClassNotInstantiable { class: class.to_string() }));
    }
    let names = stored_properties(object);
    let mut properties = sink.object(text::of(&class), names.len())?;
    for name in names {
        property_value(object, &name)
            .and_then(|value| {
                let sink = properties.property(text::of(&name))?;
                EngineValue::new(&value, Objects::Full).emit(sink)
            })
            .map_err(|refusal| refusal.at(Segment::Property(name.to_string().into())))?;
    }
    properties.end()
}

fn stored_properties(object: &Gd<Object>) -> Vec<GString> {
    let storage = PropertyUsageFlags::STORAGE.ord() as i64;
    let list = object.get_property_list();
    let stored = list.iter_shared().filter(|property| {
        property.get("usage").is_some_and(|usage| usage.to::<i64>() & storage != 0)
    });
    stored.filter_map(|property| property.get("name").map(|name| name.to::<GString>())).collect()
}

/// The property's value; for `script` the path of the script, or null without one.
fn property_value(object: &Gd<Object>, name: &GString) -> Result<Variant, Refusal> {
    // The getter of another property may have freed it.
    if !object.is_instance_valid() {
        let what = "read a property of an object that freed itself";
        return Err(Refusal::new(RefusalKind::Engine { what }));
    }
    if *name != "script" {
        return Ok(object.get(&StringName::from(name)));
    }
    match object.get_script().map(|script| script_path(&script)) {
        None => Ok(Variant::nil()),
        Some(path) => Ok(GString::from(&path?).to_variant()),
    }
}

/// The path of a script.
///
/// # Errors
/// The script is not a file of the project: it is built in, or an inner class.
pub(crate) fn script_path(script: &Gd<Script>) -> Result<String, Refusal> {
    let path = script.get_path().to_string();
    if path.starts_with("res://") {
        Ok(path)
    } else {
        Err(Refusal::new(RefusalKind::ScriptWithoutPath { path }))
    }
}
