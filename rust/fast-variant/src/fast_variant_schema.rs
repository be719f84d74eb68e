//! `FastVariantSchema`: compact bytes by a schema, as GDScript sees them.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

use std::sync::atomic::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;

use godot::builtin::{
    AnyArray, GString, PackedByteArray, StringName, Variant, VariantOperator, VariantType,
};
use godot::classes::Object;
use godot::global::godot_error;
use godot::meta::ToGodot;
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};
use godot_variant::{Refusal, RefusalKind, Source, Value};
use godot_variant_codec::{CollisionCounter, Limits};
use variant_schema::{Layout, Part};

use crate::engine::{self, EngineValue, Objects};
use crate::fast_variant_result::FastVariantResult;
use crate::o3de_json::{classes, descriptor, objects};

/// Encodes values in few bytes, by a schema: without names, types and padding, and numbers in as many bits as their range needs.
///
/// A [Dictionary] or object of six fields takes about a tenth of the bytes of [method FastVariant.encode]. Only the same schema can read them.
///
/// ```gdscript
/// var schema := FastVariantSchema.of({
///     "id": "u16",
///     "at": {"kind": "vector2", "min": -512, "max": 512, "step": 0.01},
///     "angle": {"kind": "float", "angle_bits": 10},
///     "hp": {"kind": "int", "min": 0, "max": 100},
///     "state": {"kind": "string", "one_of": ["idle", "running", "dead"]},
///     "is_armed": "bool",
/// })
///
/// func send(peer: PacketPeer, unit: Dictionary) -> void:
///     peer.put_packet(schema.encode(unit))  # 9 bytes
///
/// func read(peer: PacketPeer) -> void:
///     var result := schema.try_decode(peer.get_packet())
///     if result.ok:
///         handle(result.value)
/// ```
///
/// [b]Schemas[/b] are those of [O3deJson]: a type, a word such as [code]"u8"[/code], an array, a [Dictionary] of names and schemas, an enum, a script with a [code]class_name[/code] or the name of a registered class. These members of the long form change the bytes, and not the JSON:
/// - [code]min[/code] and [code]max[/code], or [code]bits[/code], of an [code]int[/code], or of the components of a [code]vector2[/code] to [code]vector4[/code] of integers: only numbers of this range, in as many bits as it needs.
/// - [code]min[/code], [code]max[/code] and [code]step[/code] of a [code]float[/code], or of the components of a vector or [code]color[/code]: each number is rounded to the nearest step.
/// - [code]angle_bits[/code] of a [code]float[/code]: an angle in radians, rounded to a multiple of [code]TAU / pow(2, angle_bits)[/code], and then from -PI to PI.
/// - [code]bits[/code] of a [code]quaternion[/code]: a rotation as its three smallest components, and the number of bits of each.
/// - [code]one_of[/code] of a [code]string[/code]: an array of all possible texts.
/// - [code]max_length[/code] of a [code]string[/code] (in characters), of [code]bytes[/code], an [code]array[/code] or a [code]map[/code] (in elements).
///
/// [code]{"kind": "smart_ptr", "item": …}[/code] is a value that can be [code]null[/code]. Values of any type, such as the elements of an untyped array, have no compact form.
///
/// A field with a [code]default[/code] can be missing in a [Dictionary] that is encoded. A value outside its range, another type, a missing or an unknown field is an error with the path to it: nothing is clamped or dropped.
///
/// [b]Hostile bytes[/b] give an error or a value of the schema, and never take more memory than a constant times their length. Objects are made only of the classes that the schema names.
///
/// The file [code]rust/docs/compact-format.md[/code] specifies the bytes.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct FastVariantSchema {
    /// The form of the bytes, or the error in the schema.
    layout: Result<Layout, String>,
    /// The names of the fields of the outermost value.
    names: Vec<StringName>,
    /// The script of an object that has all fields as properties; 0 for none.
    checked_script: AtomicI64,
}

#[godot_api]
impl FastVariantSchema {
    /// Returns the schema that [param descriptor] describes.
    ///
    /// The result is never [code]null[/code]. If the descriptor is wrong, or a part of it has no compact form, [method is_valid] returns [code]false[/code] and [method get_error] the reason, with the path to the part.
    ///
    /// ```gdscript
    /// class_name Hero extends Resource
    /// @export var hp: int
    /// @export var at: Vector2
    ///
    /// static var schema := FastVariantSchema.of(Hero)
    /// ```
    #[func]
    fn of(descriptor: Variant) -> Gd<FastVariantSchema> {
        let layout = layout_of(&descriptor);
        let names = layout.as_ref().ok().and_then(Layout::field_names);
        let names = names.into_iter().flatten().map(StringName::from).collect();
        let checked_script = AtomicI64::new(0);
        Gd::from_object(FastVariantSchema { layout, names, checked_script })
    }

    /// Returns whether the schema can be used.
    #[func]
    fn is_valid(&self) -> bool {
        self.layout.is_ok()
    }

    /// Returns why the schema cannot be used, or an empty string.
    #[func]
    fn get_error(&self) -> GString {
        self.layout.as_ref().err().map(GString::from).unwrap_or_default()
    }

    /// Returns a number that changes with everything that changes the bytes: the names, order, types and ranges of the fields. Both sides of a connection can compare it. 0 if the schema is not valid.
    #[func]
    fn fingerprint(&self) -> i64 {
        self.layout.as_ref().map_or(0, |layout| layout.fingerprint().cast_signed())
    }

    /// Encodes [param value]. If it does not fit the schema, logs an error with the path to the wrong part and returns an empty array.
    #[func]
    fn encode(&self, value: Variant) -> PackedByteArray {
        self.encoded(&value).unwrap_or_else(|failure| {
            godot_error!("FastVariantSchema.encode: {}", failure.message());
            PackedByteArray::new()
        })
    }

    /// Encodes [param value] as [method encode] does. The [PackedByteArray] is the [member FastVariantResult.value] of the result. Never logs an error.
    #[func]
    fn try_encode(&self, value: Variant) -> Gd<FastVariantResult> {
        match self.encoded(&value) {
            Ok(bytes) => FastVariantResult::decoded(Variant::from(bytes), 0),
            Err(failure) => failure.into_result(),
        }
    }

    /// Decodes the value of [param bytes]. If they are not those of a value of the schema, logs an error with the offset and returns [code]null[/code].
    #[func]
    fn decode(&self, bytes: PackedByteArray) -> Variant {
        self.decoded(&bytes).unwrap_or_else(|failure| {
            godot_error!("FastVariantSchema.decode: {}", failure.message());
            Variant::nil()
        })
    }

    /// Decodes the value of [param bytes] as [method decode] does. Never logs an error.
    #[func]
    fn try_decode(&self, bytes: PackedByteArray) -> Gd<FastVariantResult> {
        match self.decoded(&bytes) {
            Ok(value) => FastVariantResult::decoded(value, bytes.len()),
            Err(failure) => failure.into_result(),
        }
    }

    /// Encodes an [Array] of values of the schema, column by column: first all of the first field, then all of the second one. Columns of equal numbers, of small differences or of few different texts take few bits. If a value does not fit, logs an error with the path to it and returns an empty array.
    ///
    /// ```gdscript
    /// var replay := [{"tick": 16, "at": Vector2(1, 2)}, {"tick": 32, "at": Vector2(1, 3)}]
    /// var rows := FastVariantSchema.of({"tick": "i64", "at": "vector2"}).encode_rows(replay)
    /// ```
    #[func]
    fn encode_rows(&self, values: AnyArray) -> PackedByteArray {
        let values = Variant::from(values);
        let encoded = self.layout().and_then(|layout| match layout.is_harmless() {
            true => Ok(layout.encode_rows(&EngineValue::new(&values, Objects::AsIds))?),
            false => Ok(layout.encode_rows(&value_of(&values)?)?),
        });
        encoded.map(PackedByteArray::from).unwrap_or_else(|failure| {
            godot_error!("FastVariantSchema.encode_rows: {}", failure.message());
            PackedByteArray::new()
        })
    }

    /// Decodes the [Array] of values that [method encode_rows] encoded. Never logs an error.
    ///
    /// A few bytes can be many equal values: more than [param max_rows] values are an error. So are more than 16 elements of inner arrays, or 256 bytes of repeated texts, for each row that is allowed.
    #[func]
    fn decode_rows(
        &self,
        bytes: PackedByteArray,
        #[opt(default = DEFAULT_MAX_ROWS)] max_rows: i64,
    ) -> Gd<FastVariantResult> {
        let max_rows = usize::try_from(max_rows).unwrap_or_default();
        let decoded = self.layout().and_then(|layout| {
            if layout.is_harmless() {
                return Ok(engine::make(|slot| {
                    layout.decode_rows(bytes.as_slice(), max_rows, slot)
                })?);
            }
            let mut value = Value::Nil;
            layout.decode_rows(bytes.as_slice(), max_rows, &mut value)?;
            made(&value)
        });
        match decoded {
            Ok(value) => FastVariantResult::decoded(value, bytes.len()),
            Err(failure) => failure.into_result(),
        }
    }

    /// Decodes [param bytes] into the properties of [param object]. The schema must be that of a class or a record.
    ///
    /// All bytes are checked before the first property changes. If they are not valid, or the object lacks a property, logs an error, leaves the object as it is and returns [code]false[/code].
    ///
    /// ```gdscript
    /// @export var hp: int
    /// static var schema := FastVariantSchema.of({"hp": "u8"})
    ///
    /// func apply(change: PackedByteArray) -> void:
    ///     schema.decode_into(self, change)
    /// ```
    #[func]
    fn decode_into(&self, object: Option<Gd<Object>>, bytes: PackedByteArray) -> bool {
        match self.decoded_into(object, &bytes) {
            Ok(()) => true,
            Err(failure) => {
                godot_error!("FastVariantSchema.decode_into: {}", failure.message());
                false
            }
        }
    }

    /// Decodes [param bytes] into the properties of [param object] as [method decode_into] does. The object is the [member FastVariantResult.value] of the result. Never logs an error.
    #[func]
    fn try_decode_into(
        &self,
        object: Option<Gd<Object>>,
        bytes: PackedByteArray,
    ) -> Gd<FastVariantResult> {
        match self.decoded_into(object.clone(), &bytes) {
            Ok(()) => FastVariantResult::decoded(object.to_variant(), bytes.len()),
            Err(failure) => failure.into_result(),
        }
    }
}

/// The number of rows that `decode_rows` allows without being asked.
const DEFAULT_MAX_ROWS: i64 = 100_000;

/// A getter or setter has freed its object.
const FREED: &str = "the object freed itself while its properties were read or set";

/// Why a call failed.
enum Failure {
    /// A wrong call, or an object that cannot be made: a code and a message.
    Call(&'static str, String),
    Refused(Refusal),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl Failure {
    fn message(&self) -> String {
        match self {
            Self::Call(_, message) => message.clone(),
            Self::Refused(refusal) => refusal.to_string(),
        }
    }

    fn into_result(self) -> Gd<FastVariantResult> {
        match self {
            Self::Call(code, message) => FastVariantResult::misuse(code, &message, 0),
            Self::Refused(refusal) => FastVariantResult::refused(refusal),
        }
    }
}

fn layout_of(descriptor: &Variant) -> Result<Layout, String> {
    let schema = descriptor::schema_of(descriptor)?;
    let Some(schema) = schema else {
        return Err(
            "null is not a valid schema; expected a type, a dictionary or a script".to_owned()
        );
    };
    let classes = classes::current();
    Layout::new(&schema, &classes.registry).map_err(|error| error.to_string())
}

impl FastVariantSchema {
    fn layout(&self) -> Result<&Layout, Failure> {
        let invalid = |error: &String| Failure::Call("invalid_schema", error.clone());
        self.layout.as_ref().map_err(invalid)
    }

    fn encoded(&self, value: &Variant) -> Result<PackedByteArray, Failure> {
        let layout = self.layout()?;
        let bytes = if let Ok(object) = value.try_to::<Gd<Object>>()
            && layout.field_names().is_some()
        {
            self.encoded_object(layout, &object)?
        } else if layout.has_objects() {
            layout.encode(&value_of(value)?)?
        } else {
            layout.encode(&EngineValue::new(value, Objects::AsIds))?
        };
        Ok(PackedByteArray::from(bytes))
    }

    /// The properties of an object of the schema's class, or of any object for a record.
    fn encoded_object(&self, layout: &Layout, object: &Gd<Object>) -> Result<Vec<u8>, Failure> {
        let classes = classes::current();
        if let Some(class) = layout.class().filter(|class| classes.of_object(object) != Some(class))
        {
            let found = object.get_class();
            let reason =
                format!("an object of `{found}` is not valid here; expected one of `{class}`");
            return Err(Refusal::new(RefusalKind::DoesNotFit { reason }).into());
        }
        if layout.class().is_none() {
            // Null for a property that does not exist would fit a field that can be null.
            self.check_properties(object)?;
        }
        let has_objects = layout.has_objects_in_fields();
        let mut parts = Vec::with_capacity(self.names.len());
        for name in &self.names {
            // The getter of another property may have freed it.
            if !object.is_instance_valid() {
                return Err(Failure::Call("object_freed", FREED.to_owned()));
            }
            parts.push(object.get(name));
        }
        let mut failure = None;
        let encoded = layout.encode_fields(|index, place| {
            if !has_objects {
                return EngineValue::new(&parts[index], Objects::AsIds).emit(place);
            }
            match value_of(&parts[index]) {
                Ok(value) => value.emit(place),
                Err(misuse) => {
                    failure = Some(misuse);
                    Err(does_not_fit(""))
                }
            }
        });
        failure.map_or_else(|| Ok(encoded?), Err)
    }

    fn decoded(&self, bytes: &PackedByteArray) -> Result<Variant, Failure> {
        let layout = self.layout()?;
        if layout.is_harmless() {
            return Ok(engine::make(|slot| layout.decode(bytes.as_slice(), slot))?);
        }
        let mut value = Value::Nil;
        layout.decode(bytes.as_slice(), &mut value)?;
        made(&value)
    }

    fn decoded_into(
        &self,
        object: Option<Gd<Object>>,
        bytes: &PackedByteArray,
    ) -> Result<(), Failure> {
        let layout = self.layout()?;
        let Some(mut object) = object else {
            let message = "the object is null; expected an object to decode into";
            return Err(Failure::Call("invalid_argument", message.to_owned()));
        };
        if layout.field_names().is_none() {
            let message = "the schema is not one of a class or a record, so it has no properties";
            return Err(Failure::Call("invalid_schema", message.to_owned()));
        }
        let mut parts = Vec::with_capacity(self.names.len());
        let mut failure = None;
        let taken = layout.decode_fields(bytes.as_slice(), |_, part| {
            match variant_of(layout, part) {
                Ok(value) => parts.push(value),
                Err(Failure::Refused(refusal)) => return Err(refusal),
                Err(call) => drop(failure.get_or_insert(call)),
            }
            Ok(())
        });
        taken?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        self.check_properties(&object)?;
        for (name, part) in self.names.iter().zip(&parts) {
            // The setter of another property may have freed it.
            if !object.is_instance_valid() {
                return Err(Failure::Call("object_freed", FREED.to_owned()));
            }
            if matches!(part.get_type(), VariantType::ARRAY | VariantType::DICTIONARY) {
                // The engine drops an array of another element type.
                let known = object.get(name);
                object.set(name, &objects::of_the_type_of(&known, part.clone()));
            } else {
                object.set(name, part);
            }
        }
        Ok(())
    }
}

impl FastVariantSchema {
    /// The engine drops values of properties that do not exist.
    fn check_properties(&self, object: &Gd<Object>) -> Result<(), Failure> {
        let script = object.get_script().map(|script| script.instance_id().to_i64());
        // Most objects have the script of the one before.
        if script.is_some_and(|script| self.checked_script.load(Relaxed) == script) {
            return Ok(());
        }
        let object = Variant::from(object.clone());
        let has = |name: &&StringName| {
            let found = Variant::from((*name).clone()).evaluate(&object, VariantOperator::IN);
            found.is_some_and(|found| found.booleanize())
        };
        match self.names.iter().find(|name| !has(name)) {
            None => {
                self.checked_script.store(script.unwrap_or_default(), Relaxed);
                Ok(())
            }
            Some(name) => {
                let message = format!(
                    "the object has no property `{name}`; expected one of a class with the fields of the schema"
                );
                Err(Failure::Call("unknown_property", message))
            }
        }
    }
}

fn variant_of(layout: &Layout, part: Part<'_>) -> Result<Variant, Failure> {
    if layout.has_harmless_fields() {
        return Ok(engine::make(|slot| part.emit(slot))?);
    }
    let mut value = Value::Nil;
    part.emit(&mut value)?;
    made(&value)
}

/// The value, with the fields of objects of registered classes.
fn value_of(variant: &Variant) -> Result<Value, Failure> {
    let value = objects::value_of(variant, &classes::current());
    value.map_err(|misuse| Failure::Call("does_not_fit", misuse.into()))
}

/// The engine's value, with new objects of registered classes.
fn made(value: &Value) -> Result<Variant, Failure> {
    CollisionCounter::new(Limits::STRICT.max_collisions).value(value)?;
    let made = objects::variant_of(value, &classes::current());
    made.map_err(|message| Failure::Call("class_not_instantiable", message))
}

/// A value that is not what the call expects.
fn does_not_fit(reason: &str) -> Refusal {
    Refusal::new(RefusalKind::DoesNotFit { reason: reason.to_owned() })
}
