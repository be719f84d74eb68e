//! Classes and enums that are registered, and the schemas of both.

use godot::builtin::{
    AnyDictionary, Callable, GString, PackedStringArray, VarDictionary, Variant, VariantType,
};
use godot::classes::Script;
use godot::global::godot_error;
use godot::obj::Gd;
use godot::register::godot_api;
use godot_variant::{Object, Value, printable};
use o3de_json::{EnumSchema, IntRepr, Json, Kind, Outcome, Schema};

use super::derive::About;
use super::{O3deJson, classes, derive, descriptor};
use crate::options_argument::OptionsArgument;
use crate::{by_name, engine};

#[godot_api(secondary)]
impl O3deJson {
    /// Registers a class, so that objects of it can be stored and loaded, and [code]$type[/code] can name it. Gives whether that could be done; if not, the reason is logged.
    ///
    /// [param class] is a script, or the name of a class of the engine's. Fields are the exported variables of a script and those whose names do not begin with [code]_[/code], or what an engine class saves; their types, enums and flags come from the declarations and hints, their defaults from a new object, so [code]_init[/code] must need no arguments, or [code]factory[/code] give them. A script that it extends becomes its base, and scripts with a [code]class_name[/code] that it names as types are registered, too. Keep a reference to a script that is not a file of its own.
    ///
    /// [param options] can contain:
    /// - [code]uuid[/code] ([String]): O3DE's UUID of the class, in braces.
    /// - [code]properties[/code] ([Array] of [String]): properties of the engine class to store with those of the script, e.g. [code]["position"][/code].
    /// - [code]factory[/code] ([Callable]): makes an object of the script where [code]_init[/code] needs arguments; a static function of the script ([code]Hero.create[/code]), or a method of an object that lives as long. A lambda cannot be kept.
    #[func]
    fn register_class(
        name: GString,
        class: Variant,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> bool {
        logged("register_class", register_class(&name.to_string(), &class, &options.0))
    }

    /// Registers an enum under a name that schemas can use: [param values] is an enum of GDScript or a [Dictionary] of names and integers, [param underlying] its width in memory, [code]"i8"[/code] to [code]"u64"[/code]. Gives whether that could be done; if not, the reason is logged.
    ///
    /// Properties of an enum with this name, e.g. [code]"Hero.State"[/code], are stored by it when their class is registered later.
    #[func]
    fn register_enum(
        name: GString,
        values: AnyDictionary,
        #[opt(default = "i64")] underlying: GString,
    ) -> bool {
        let underlying = underlying.to_string();
        logged("register_enum", register_enum(&name.to_string(), &values, &underlying))
    }

    /// Lets [code]$type[/code] name the class [param class] as [param alias], too. Gives whether that could be done; if not, the reason is logged.
    #[func]
    fn register_alias(alias: GString, class: GString) -> bool {
        let (alias, class) = (alias.to_string(), class.to_string());
        let changed = classes::change(|classes| classes.registry.register_alias(&alias, &class));
        logged("register_alias", changed.map_err(|error| error.to_string()))
    }

    /// Forgets a class or an enum. Gives whether there was one; if other classes derive from it, logs that and gives false.
    #[func]
    fn unregister(name: GString) -> bool {
        match classes::change(|classes| classes.unregister(&name.to_string())) {
            Ok(was_there) => was_there,
            Err(error) => logged("unregister", Err(error.to_string())),
        }
    }

    /// Returns the names of the registered classes in the order of their registration.
    #[func]
    fn registered_classes() -> PackedStringArray {
        let classes = classes::current();
        classes.registry.classes().map(|class| GString::from(&*class.full_name)).collect()
    }

    /// Returns the long form of a schema: for a class a [Dictionary] with its fields, each with its [code]name[/code], [code]type[/code] and default, for anything else as the description of the class says.
    ///
    /// [param script_or_class] may be any short form. If it is not valid, logs an error and returns an empty [Dictionary].
    ///
    /// ```gdscript
    /// print(O3deJson.schema_of(["u8"]))  # { "kind": "array", "item": { "kind": "int", "repr": "u8" } }
    /// ```
    #[func]
    fn schema_of(script_or_class: Variant) -> VarDictionary {
        schema_of(&script_or_class).unwrap_or_else(|message| {
            godot_error!("O3deJson.schema_of: {}", printable(&message));
            VarDictionary::new()
        })
    }

    /// Returns the schema of an enum, with its width in memory: [code]"i8"[/code] to [code]"u64"[/code].
    ///
    /// ```gdscript
    /// O3deJson.store(Flags.FIRE | Flags.WATER, O3deJson.enumeration(Flags, "u8"))  # ["FIRE", "WATER"]
    /// ```
    #[func]
    fn enumeration(
        values: AnyDictionary,
        #[opt(default = "i64")] underlying: GString,
    ) -> VarDictionary {
        enumeration(&values, &underlying.to_string())
            .map(|values| Schema::from(Kind::Enum(values)))
            .and_then(|schema| dictionary_of(&schema))
            .unwrap_or_else(|message| {
                godot_error!("O3deJson.enumeration: {}", printable(&message));
                VarDictionary::new()
            })
    }

    /// Returns a new UUID of random numbers (version 4), as O3DE writes it: [code]{8651B6DA-9792-407C-A46D-A6E2E39CA900}[/code].
    #[func]
    fn new_uuid() -> GString {
        GString::from(&new_uuid())
    }
}

fn logged(function: &str, done: Result<(), String>) -> bool {
    if let Err(message) = &done {
        godot_error!("O3deJson.{function}: {}", printable(message));
    }
    done.is_ok()
}

fn register_class(name: &str, class: &Variant, options: &AnyDictionary) -> Result<(), String> {
    let mut about = About::default();
    for (key, value) in options.iter_shared() {
        match key.stringify().to_string().as_str() {
            "uuid" => about.uuid = checked_uuid(&value.stringify().to_string())?,
            "properties" => {
                let Ok(names) = value.try_to::<godot::builtin::AnyArray>() else {
                    return Err("the option `properties` is not an Array".into());
                };
                let names = names.iter_shared().map(|name| name.stringify().to_string());
                about.properties = names.collect();
            }
            "factory" => match value.try_to::<Callable>() {
                Ok(factory) => about.factory = Some(factory),
                Err(_) => return Err("the option `factory` is not a Callable".into()),
            },
            _ => {
                return Err(format!(
                    "unknown option `{key}`; expected `uuid`, `properties` or `factory`"
                ));
            }
        }
    }
    if name.trim().is_empty() {
        return Err("a class needs a name".into());
    }
    match class.try_to::<Gd<Script>>() {
        Ok(script) => derive::register_script(name, &script, &about),
        Err(_) if about.factory.is_some() => {
            Err("the option `factory` works only with scripts".into())
        }
        Err(_) if matches!(class.get_type(), VariantType::STRING | VariantType::STRING_NAME) => {
            derive::register_engine_class(name, &class.stringify().to_string(), &about.uuid)
        }
        Err(_) => Err("`class` must be a script, or the name of an engine class".into()),
    }
}

fn checked_uuid(uuid: &str) -> Result<String, String> {
    let loaded = o3de_json::load(
        &Json::from(uuid),
        &Kind::Uuid.into(),
        None,
        &o3de_json::Registry::default(),
        o3de_json::Settings::default(),
        None,
    );
    match loaded.value {
        Value::String(uuid) if loaded.code.outcome() == Outcome::Success => Ok(uuid.into()),
        _ => Err(format!(
            "`{uuid}` is not a valid UUID; write {{01234567-89AB-CDEF-0123-456789ABCDEF}}"
        )),
    }
}

fn register_enum(name: &str, values: &AnyDictionary, underlying: &str) -> Result<(), String> {
    let values = enumeration(values, underlying)?;
    let changed = classes::change(|classes| {
        classes.register_enum(name, values);
        Ok(())
    });
    changed.map_err(|error| error.to_string())
}

fn enumeration(values: &AnyDictionary, underlying: &str) -> Result<EnumSchema, String> {
    use IntRepr::*;
    let repr = [I8, I16, I32, I64, U8, U16, U32, U64].into_iter().find(|r| r.name() == underlying);
    let Some(underlying) = repr else {
        return Err(format!("`{underlying}` is not an integer type: use i8 to i64 or u8 to u64"));
    };
    match derive::enum_of(values) {
        Some(values) => Ok(EnumSchema { underlying, ..values }),
        None => Err("an enum must be a Dictionary of names and integers".into()),
    }
}

fn schema_of(schema: &Variant) -> Result<VarDictionary, String> {
    let Some(schema) = descriptor::schema_of(schema)? else {
        return Err("null is not a valid schema".into());
    };
    if let Kind::Class(class) = &schema.kind {
        let classes = classes::current();
        let fields = classes.registry.fields(class).to_vec();
        let mut described = dictionary_of(&schema)?;
        let record = dictionary_of(&Kind::Record(fields).into())?;
        described.set("fields", &record.get("fields").unwrap_or_default());
        return Ok(described);
    }
    dictionary_of(&schema)
}

fn dictionary_of(schema: &Schema) -> Result<VarDictionary, String> {
    // Objects that are defaults are described and not made.
    let value = without_objects(schema.to_value());
    let variant = engine::variant_of(&value).map_err(|refusal| refusal.to_string())?;
    variant.try_to().map_err(|error| error.to_string())
}

fn without_objects(value: Value) -> Value {
    match value {
        Value::Object(object) => match *object {
            Object::Full { class, .. } => Value::String(class),
            _ => Value::Nil,
        },
        Value::Array(mut array) => {
            array.elements = array.elements.into_iter().map(without_objects).collect();
            Value::Array(array)
        }
        Value::Dictionary(mut dictionary) => {
            dictionary
                .iter_mut()
                .for_each(|(_, value)| *value = without_objects(std::mem::take(value)));
            Value::Dictionary(dictionary)
        }
        value => value,
    }
}

/// A random UUID in O3DE's spelling.
fn new_uuid() -> String {
    let random = by_name::random_bytes(16);
    let mut bytes: Vec<u8> = random.as_slice().to_vec();
    bytes.resize(16, 0);
    bytes[6] = bytes[6] & 0x0F | 0x40;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    let mut uuid = String::from("{");
    for (index, byte) in bytes.iter().enumerate() {
        if [4, 6, 8, 10].contains(&index) {
            uuid.push('-');
        }
        uuid.push_str(&format!("{byte:02X}"));
    }
    uuid.push('}');
    uuid
}
