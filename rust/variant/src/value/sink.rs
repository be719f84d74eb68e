//! The owned value takes what a reader tells.

use bytemuck::{Pod, pod_collect_to_vec};

use crate::{
    Array, ArraySink, ContainerTypeRef, Dictionary, DictionarySink, NodePathRef, Object,
    ObjectSink, PackedType, Real, Refusal, Signal, Sink, StringKind, StringsSink, Text, Value,
    VariantType,
};

/// Room for this many elements is made at once; a larger promise must be kept first.
const TRUSTED_COUNT: usize = 4096;

impl<'v> Sink for &'v mut Value {
    type Array = ValueArraySink<'v>;
    type Dictionary = ValueDictionarySink<'v>;
    type Object = ValueObjectSink<'v>;
    type Strings = ValueStringsSink<'v>;

    fn nil(self) -> Result<(), Refusal> {
        *self = Value::Nil;
        Ok(())
    }

    fn bool(self, value: bool) -> Result<(), Refusal> {
        *self = Value::Bool(value);
        Ok(())
    }

    fn int(self, value: i64) -> Result<(), Refusal> {
        *self = Value::Int(value);
        Ok(())
    }

    fn float(self, value: f64) -> Result<(), Refusal> {
        *self = Value::Float(value);
        Ok(())
    }

    fn string(self, kind: StringKind, text: Text<'_>) -> Result<(), Refusal> {
        *self = match kind {
            StringKind::String => Value::String(text.to_boxed_str()),
            StringKind::StringName => Value::StringName(text.to_boxed_str()),
        };
        Ok(())
    }

    fn reals<const N: usize>(self, ty: VariantType, parts: &[Real; N]) -> Result<(), Refusal> {
        *self = match ty {
            VariantType::Vector2 => Value::Vector2(sized(parts)),
            VariantType::Rect2 => Value::Rect2(sized(parts)),
            VariantType::Vector3 => Value::Vector3(sized(parts)),
            VariantType::Transform2D => Value::Transform2D(sized(parts)),
            VariantType::Vector4 => Value::Vector4(sized(parts)),
            VariantType::Plane => Value::Plane(sized(parts)),
            VariantType::Quaternion => Value::Quaternion(sized(parts)),
            VariantType::Aabb => Value::Aabb(sized(parts)),
            VariantType::Basis => Value::Basis(Box::new(sized(parts))),
            VariantType::Transform3D => Value::Transform3D(Box::new(sized(parts))),
            VariantType::Projection => Value::Projection(Box::new(sized(parts))),
            _ => unreachable!("{ty} is not made of reals"),
        };
        Ok(())
    }

    fn ints<const N: usize>(self, ty: VariantType, parts: &[i32; N]) -> Result<(), Refusal> {
        *self = match ty {
            VariantType::Vector2i => Value::Vector2i(sized(parts)),
            VariantType::Rect2i => Value::Rect2i(sized(parts)),
            VariantType::Vector3i => Value::Vector3i(sized(parts)),
            VariantType::Vector4i => Value::Vector4i(sized(parts)),
            _ => unreachable!("{ty} is not made of integers"),
        };
        Ok(())
    }

    fn color(self, parts: &[f32; 4]) -> Result<(), Refusal> {
        *self = Value::Color(*parts);
        Ok(())
    }

    fn node_path(self, path: NodePathRef<'_>) -> Result<(), Refusal> {
        *self = Value::NodePath(Box::new(path.to_owned()));
        Ok(())
    }

    fn rid(self, id: u64) -> Result<(), Refusal> {
        *self = Value::Rid(id);
        Ok(())
    }

    fn null_object(self) -> Result<(), Refusal> {
        *self = Value::Object(Box::new(Object::Null));
        Ok(())
    }

    fn object_id(self, id: u64) -> Result<(), Refusal> {
        *self = Value::Object(Box::new(Object::Id(id)));
        Ok(())
    }

    fn object(self, class: Text<'_>, count: usize) -> Result<Self::Object, Refusal> {
        Ok(ValueObjectSink {
            place: self,
            class: class.to_boxed_str(),
            properties: Vec::with_capacity(count.min(TRUSTED_COUNT)),
        })
    }

    fn callable(self) -> Result<(), Refusal> {
        *self = Value::Callable;
        Ok(())
    }

    fn signal(self, name: Text<'_>, object_id: u64) -> Result<(), Refusal> {
        *self = Value::Signal(Box::new(Signal { name: name.to_boxed_str(), object_id }));
        Ok(())
    }

    fn dictionary(
        self,
        key_type: ContainerTypeRef<'_>,
        value_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Dictionary, Refusal> {
        let mut dictionary = Dictionary::typed(key_type.to_owned(), value_type.to_owned());
        dictionary.reserve(count.min(TRUSTED_COUNT));
        Ok(ValueDictionarySink { place: self, dictionary, key: Value::Nil })
    }

    fn array(
        self,
        element_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Array, Refusal> {
        let array = Array {
            element_type: element_type.to_owned(),
            elements: Vec::with_capacity(count.min(TRUSTED_COUNT)),
        };
        Ok(ValueArraySink { place: self, array })
    }

    fn packed(self, ty: PackedType, elements: &[u8]) -> Result<(), Refusal> {
        *self = match ty {
            PackedType::Byte => Value::PackedByteArray(elements.to_vec()),
            PackedType::Int32 => Value::PackedInt32Array(pod_collect_to_vec(elements)),
            PackedType::Int64 => Value::PackedInt64Array(pod_collect_to_vec(elements)),
            PackedType::Float32 => Value::PackedFloat32Array(pod_collect_to_vec(elements)),
            PackedType::Float64 => Value::PackedFloat64Array(pod_collect_to_vec(elements)),
            PackedType::Vector2 => Value::PackedVector2Array(pod_collect_to_vec(elements)),
            PackedType::Vector3 => Value::PackedVector3Array(pod_collect_to_vec(elements)),
            PackedType::Color => Value::PackedColorArray(pod_collect_to_vec(elements)),
            PackedType::Vector4 => Value::PackedVector4Array(pod_collect_to_vec(elements)),
        };
        Ok(())
    }

    fn packed_strings(self, count: usize) -> Result<Self::Strings, Refusal> {
        Ok(ValueStringsSink { place: self, strings: Vec::with_capacity(count.min(TRUSTED_COUNT)) })
    }
}

/// The same array under the length that the type asks for.
fn sized<T: Pod, const N: usize, const M: usize>(parts: &[T; N]) -> [T; M] {
    parts[..].try_into().expect("the number of components is the one in the table of types")
}

/// Appends `element` and gives its place.
fn push<T>(elements: &mut Vec<T>, element: T) -> &mut T {
    elements.push(element);
    elements.last_mut().expect("an element was just pushed")
}

/// Fills [`Value::Array`].
pub struct ValueArraySink<'v> {
    place: &'v mut Value,
    array: Array,
}

impl ArraySink for ValueArraySink<'_> {
    type Element<'a>
        = &'a mut Value
    where
        Self: 'a;

    fn element(&mut self) -> &mut Value {
        push(&mut self.array.elements, Value::Nil)
    }

    fn end(self) -> Result<(), Refusal> {
        *self.place = Value::Array(Box::new(self.array));
        Ok(())
    }
}

/// Fills [`Value::Dictionary`].
pub struct ValueDictionarySink<'v> {
    place: &'v mut Value,
    dictionary: Dictionary,
    key: Value,
}

impl DictionarySink for ValueDictionarySink<'_> {
    type Key<'a>
        = &'a mut Value
    where
        Self: 'a;
    type Value<'a>
        = &'a mut Value
    where
        Self: 'a;

    fn key(&mut self) -> &mut Value {
        &mut self.key
    }

    fn value(&mut self) -> &mut Value {
        self.dictionary.entry(std::mem::take(&mut self.key))
    }

    fn end(self) -> Result<(), Refusal> {
        *self.place = Value::Dictionary(Box::new(self.dictionary));
        Ok(())
    }
}

/// Fills [`Object::Full`].
pub struct ValueObjectSink<'v> {
    place: &'v mut Value,
    class: Box<str>,
    properties: Vec<(Box<str>, Value)>,
}

impl ObjectSink for ValueObjectSink<'_> {
    type Value<'a>
        = &'a mut Value
    where
        Self: 'a;

    fn property(&mut self, name: Text<'_>) -> Result<&mut Value, Refusal> {
        Ok(&mut push(&mut self.properties, (name.to_boxed_str(), Value::Nil)).1)
    }

    fn end(self) -> Result<(), Refusal> {
        *self.place = Value::Object(Box::new(Object::Full {
            class: self.class,
            properties: self.properties,
        }));
        Ok(())
    }
}

/// Fills [`Value::PackedStringArray`].
pub struct ValueStringsSink<'v> {
    place: &'v mut Value,
    strings: Vec<Box<str>>,
}

impl StringsSink for ValueStringsSink<'_> {
    fn push(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        self.strings.push(text.to_boxed_str());
        Ok(())
    }

    fn end(self) -> Result<(), Refusal> {
        *self.place = Value::PackedStringArray(self.strings);
        Ok(())
    }
}
