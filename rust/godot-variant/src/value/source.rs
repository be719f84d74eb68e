//! The owned value as a source.

use bytemuck::cast_slice;

use crate::{
    Array, ArraySink, Dictionary, DictionarySink, Object, ObjectSink, PackedType, Refusal, Segment,
    Sink, Source, StringKind, StringsSink, Text, Value,
};

impl Source for Value {
    fn emit<S: Sink>(&self, sink: S) -> Result<(), Refusal> {
        let ty = self.variant_type();
        match self {
            Value::Nil => sink.nil(),
            Value::Bool(value) => sink.bool(*value),
            Value::Int(value) => sink.int(*value),
            Value::Float(value) => sink.float(*value),
            Value::String(text) => sink.string(StringKind::String, text_of(text)),
            Value::StringName(text) => sink.string(StringKind::StringName, text_of(text)),
            Value::Vector2(components) => sink.reals(ty, components),
            Value::Vector3(components) => sink.reals(ty, components),
            Value::Rect2(components)
            | Value::Vector4(components)
            | Value::Plane(components)
            | Value::Quaternion(components) => sink.reals(ty, components),
            Value::Transform2D(components) | Value::Aabb(components) => sink.reals(ty, components),
            Value::Basis(components) => sink.reals(ty, components),
            Value::Transform3D(components) => sink.reals(ty, components),
            Value::Projection(components) => sink.reals(ty, components),
            Value::Vector2i(components) => sink.ints(ty, components),
            Value::Vector3i(components) => sink.ints(ty, components),
            Value::Rect2i(components) | Value::Vector4i(components) => sink.ints(ty, components),
            Value::Color(components) => sink.color(components),
            Value::NodePath(path) => path.with_ref(|path| sink.node_path(path)),
            Value::Rid(id) => sink.rid(*id),
            Value::Object(object) => emit_object(object, sink),
            Value::Callable => sink.callable(),
            Value::Signal(signal) => sink.signal(Text::Utf8(&signal.name), signal.object_id),
            Value::Dictionary(dictionary) => emit_dictionary(dictionary, sink),
            Value::Array(array) => emit_array(array, sink),
            Value::PackedByteArray(data) => sink.packed(PackedType::Byte, data),
            Value::PackedInt32Array(data) => sink.packed(PackedType::Int32, cast_slice(data)),
            Value::PackedInt64Array(data) => sink.packed(PackedType::Int64, cast_slice(data)),
            Value::PackedFloat32Array(data) => sink.packed(PackedType::Float32, cast_slice(data)),
            Value::PackedFloat64Array(data) => sink.packed(PackedType::Float64, cast_slice(data)),
            Value::PackedStringArray(strings) => emit_strings(strings, sink),
            Value::PackedVector2Array(data) => sink.packed(PackedType::Vector2, cast_slice(data)),
            Value::PackedVector3Array(data) => sink.packed(PackedType::Vector3, cast_slice(data)),
            Value::PackedColorArray(data) => sink.packed(PackedType::Color, cast_slice(data)),
            Value::PackedVector4Array(data) => sink.packed(PackedType::Vector4, cast_slice(data)),
        }
    }
}

fn emit_object<S: Sink>(object: &Object, sink: S) -> Result<(), Refusal> {
    match object {
        Object::Null => sink.null_object(),
        Object::Id(id) => sink.object_id(*id),
        Object::Full { class, properties } => {
            let mut object = sink.object(Text::Utf8(class), properties.len())?;
            for (name, value) in properties {
                object
                    .property(Text::Utf8(name))
                    .and_then(|sink| value.emit(sink))
                    .map_err(|refusal| refusal.at(Segment::Property(name.clone())))?;
            }
            object.end()
        }
    }
}

fn emit_dictionary<S: Sink>(dictionary: &Dictionary, sink: S) -> Result<(), Refusal> {
    let (key_type, value_type) = (dictionary.key_type.as_ref(), dictionary.value_type.as_ref());
    let mut entries = sink.dictionary(key_type, value_type, dictionary.len())?;
    for (index, (key, value)) in dictionary.iter().enumerate() {
        key.emit(entries.key()).map_err(|refusal| refusal.at(Segment::EntryKey(index)))?;
        value.emit(entries.value()).map_err(|refusal| refusal.at(Segment::Key(key.clone())))?;
    }
    entries.end()
}

fn emit_array<S: Sink>(array: &Array, sink: S) -> Result<(), Refusal> {
    let mut elements = sink.array(array.element_type.as_ref(), array.elements.len())?;
    for (index, element) in array.elements.iter().enumerate() {
        element.emit(elements.element()).map_err(|refusal| refusal.at(Segment::Index(index)))?;
    }
    elements.end()
}

fn emit_strings<S: Sink>(strings: &[Box<str>], sink: S) -> Result<(), Refusal> {
    let mut sink = sink.packed_strings(strings.len())?;
    strings.iter().try_for_each(|text| sink.push(text_of(text)))?;
    sink.end()
}

/// The text, said to be ASCII if it is: sinks are faster with that.
#[inline]
fn text_of(text: &str) -> Text<'_> {
    let is_ascii = text.bytes().fold(true, |is, byte| is & (byte.wrapping_sub(1) < 0x7F));
    if is_ascii { Text::Ascii(text.as_bytes()) } else { Text::Utf8(text) }
}
