//! The owned value as a sink.

use bytemuck::{Pod, pod_collect_to_vec};

use crate::{
    Array, ArraySink, ContainerTypeRef, Dictionary, DictionarySink, MAX_RECURSION_DEPTH,
    NodePathRef, Object, ObjectSink, PackedType, Real, Refusal, RefusalKind, Signal, Sink,
    StringKind, StringsSink, Text, Value, VariantType,
};

/// Room for this many elements is made at once; a larger promise must be kept first.
const TRUSTED_COUNT: usize = 4096;

/// Methods that pass their arguments to the [`Place`] of a value.
macro_rules! to_place {
    ($($name:ident($($argument:ident: $ty:ty),*);)*) => {
        $(#[inline]
        fn $name(self, $($argument: $ty),*) -> Result<(), Refusal> {
            place(self).$name($($argument),*)
        })*
    };
}

/// The place for a value in which containers may nest only so deep, so that whatever goes through it
/// later ends. It refuses a container of the engine's that contains itself.
pub struct Place<'v> {
    value: &'v mut Value,
    levels: Levels,
}

/// How many containers with content may be in each other from here on, and from the start.
#[derive(Clone, Copy)]
struct Levels {
    left: usize,
    limit: usize,
}

impl Levels {
    /// The levels inside a container with `count` elements.
    fn inside(self, count: usize) -> Result<Levels, Refusal> {
        match self.left.checked_sub(1) {
            Some(left) => Ok(Levels { left, ..self }),
            None if count == 0 => Ok(self),
            None => Err(Refusal::new(RefusalKind::TooDeep { limit: self.limit })),
        }
    }
}

impl<'v> Place<'v> {
    /// The place of `value`, for content that is at most `limit` levels deep.
    pub fn new(value: &'v mut Value, limit: usize) -> Place<'v> {
        Place { value, levels: Levels { left: limit, limit } }
    }
}

/// A value takes what the codec takes: one level more than the engine, which counts from the outside.
impl<'v> Sink for &'v mut Value {
    type Array = ValueArraySink<'v>;
    type Dictionary = ValueDictionarySink<'v>;
    type Object = ValueObjectSink<'v>;
    type Strings = ValueStringsSink<'v>;

    to_place! {
        nil();
        bool(value: bool);
        int(value: i64);
        float(value: f64);
        string(kind: StringKind, text: Text<'_>);
        color(components: &[f32; 4]);
        node_path(path: NodePathRef<'_>);
        rid(id: u64);
        null_object();
        object_id(id: u64);
        callable();
        signal(name: Text<'_>, object_id: u64);
        packed(ty: PackedType, elements: &[u8]);
    }

    fn reals<const N: usize>(self, ty: VariantType, components: &[Real; N]) -> Result<(), Refusal> {
        place(self).reals(ty, components)
    }

    fn ints<const N: usize>(self, ty: VariantType, components: &[i32; N]) -> Result<(), Refusal> {
        place(self).ints(ty, components)
    }

    fn object(self, class: Text<'_>, count: usize) -> Result<Self::Object, Refusal> {
        place(self).object(class, count)
    }

    fn dictionary(
        self,
        key_type: ContainerTypeRef<'_>,
        value_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Dictionary, Refusal> {
        place(self).dictionary(key_type, value_type, count)
    }

    fn array(
        self,
        element_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Array, Refusal> {
        place(self).array(element_type, count)
    }

    fn packed_strings(self, count: usize) -> Result<Self::Strings, Refusal> {
        place(self).packed_strings(count)
    }
}

fn place(value: &mut Value) -> Place<'_> {
    Place::new(value, MAX_RECURSION_DEPTH + 1)
}

impl<'v> Sink for Place<'v> {
    type Array = ValueArraySink<'v>;
    type Dictionary = ValueDictionarySink<'v>;
    type Object = ValueObjectSink<'v>;
    type Strings = ValueStringsSink<'v>;

    fn nil(self) -> Result<(), Refusal> {
        *self.value = Value::Nil;
        Ok(())
    }

    fn bool(self, value: bool) -> Result<(), Refusal> {
        *self.value = Value::Bool(value);
        Ok(())
    }

    fn int(self, value: i64) -> Result<(), Refusal> {
        *self.value = Value::Int(value);
        Ok(())
    }

    fn float(self, value: f64) -> Result<(), Refusal> {
        *self.value = Value::Float(value);
        Ok(())
    }

    fn string(self, kind: StringKind, text: Text<'_>) -> Result<(), Refusal> {
        *self.value = match kind {
            StringKind::String => Value::String(text.to_boxed_str()),
            StringKind::StringName => Value::StringName(text.to_boxed_str()),
        };
        Ok(())
    }

    fn reals<const N: usize>(self, ty: VariantType, components: &[Real; N]) -> Result<(), Refusal> {
        *self.value = match ty {
            VariantType::Vector2 => Value::Vector2(sized(components)),
            VariantType::Rect2 => Value::Rect2(sized(components)),
            VariantType::Vector3 => Value::Vector3(sized(components)),
            VariantType::Transform2D => Value::Transform2D(sized(components)),
            VariantType::Vector4 => Value::Vector4(sized(components)),
            VariantType::Plane => Value::Plane(sized(components)),
            VariantType::Quaternion => Value::Quaternion(sized(components)),
            VariantType::Aabb => Value::Aabb(sized(components)),
            VariantType::Basis => Value::Basis(Box::new(sized(components))),
            VariantType::Transform3D => Value::Transform3D(Box::new(sized(components))),
            VariantType::Projection => Value::Projection(Box::new(sized(components))),
            _ => unreachable!("{ty} is not made of reals"),
        };
        Ok(())
    }

    fn ints<const N: usize>(self, ty: VariantType, components: &[i32; N]) -> Result<(), Refusal> {
        *self.value = match ty {
            VariantType::Vector2i => Value::Vector2i(sized(components)),
            VariantType::Rect2i => Value::Rect2i(sized(components)),
            VariantType::Vector3i => Value::Vector3i(sized(components)),
            VariantType::Vector4i => Value::Vector4i(sized(components)),
            _ => unreachable!("{ty} is not made of integers"),
        };
        Ok(())
    }

    fn color(self, components: &[f32; 4]) -> Result<(), Refusal> {
        *self.value = Value::Color(*components);
        Ok(())
    }

    fn node_path(self, path: NodePathRef<'_>) -> Result<(), Refusal> {
        *self.value = Value::NodePath(Box::new(path.to_owned()));
        Ok(())
    }

    fn rid(self, id: u64) -> Result<(), Refusal> {
        *self.value = Value::Rid(id);
        Ok(())
    }

    fn null_object(self) -> Result<(), Refusal> {
        *self.value = Value::Object(Box::new(Object::Null));
        Ok(())
    }

    fn object_id(self, id: u64) -> Result<(), Refusal> {
        *self.value = Value::Object(Box::new(Object::Id(id)));
        Ok(())
    }

    fn object(self, class: Text<'_>, count: usize) -> Result<Self::Object, Refusal> {
        Ok(ValueObjectSink {
            levels: self.levels.inside(count)?,
            place: self.value,
            class: class.to_boxed_str(),
            properties: Vec::with_capacity(count.min(TRUSTED_COUNT)),
        })
    }

    fn callable(self) -> Result<(), Refusal> {
        *self.value = Value::Callable;
        Ok(())
    }

    fn signal(self, name: Text<'_>, object_id: u64) -> Result<(), Refusal> {
        *self.value = Value::Signal(Box::new(Signal { name: name.to_boxed_str(), object_id }));
        Ok(())
    }

    fn dictionary(
        self,
        key_type: ContainerTypeRef<'_>,
        value_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Dictionary, Refusal> {
        let levels = self.levels.inside(count)?;
        let mut dictionary = Dictionary::typed(key_type.to_owned(), value_type.to_owned());
        dictionary.reserve(count.min(TRUSTED_COUNT));
        Ok(ValueDictionarySink { place: self.value, dictionary, key: Value::Nil, levels })
    }

    fn array(
        self,
        element_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Array, Refusal> {
        let levels = self.levels.inside(count)?;
        let array = Array {
            element_type: element_type.to_owned(),
            elements: Vec::with_capacity(count.min(TRUSTED_COUNT)),
        };
        Ok(ValueArraySink { place: self.value, array, levels })
    }

    fn packed(self, ty: PackedType, elements: &[u8]) -> Result<(), Refusal> {
        *self.value = match ty {
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
        Ok(ValueStringsSink {
            place: self.value,
            strings: Vec::with_capacity(count.min(TRUSTED_COUNT)),
        })
    }
}

/// The same array under the length that the type asks for.
fn sized<T: Pod, const N: usize, const M: usize>(components: &[T; N]) -> [T; M] {
    components[..].try_into().expect("the number of components is the one in the table of types")
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
    levels: Levels,
}

impl ArraySink for ValueArraySink<'_> {
    type Element<'a>
        = Place<'a>
    where
        Self: 'a;

    #[inline]
    fn element(&mut self) -> Place<'_> {
        Place { value: push(&mut self.array.elements, Value::Nil), levels: self.levels }
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
    levels: Levels,
}

impl DictionarySink for ValueDictionarySink<'_> {
    type Key<'a>
        = Place<'a>
    where
        Self: 'a;
    type Value<'a>
        = Place<'a>
    where
        Self: 'a;

    #[inline]
    fn key(&mut self) -> Place<'_> {
        Place { value: &mut self.key, levels: self.levels }
    }

    #[inline]
    fn value(&mut self) -> Place<'_> {
        let value = self.dictionary.entry(std::mem::take(&mut self.key));
        Place { value, levels: self.levels }
    }

    fn key_count(&self) -> Option<usize> {
        Some(self.dictionary.len())
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
    levels: Levels,
}

impl ObjectSink for ValueObjectSink<'_> {
    type Value<'a>
        = Place<'a>
    where
        Self: 'a;

    fn property(&mut self, name: Text<'_>) -> Result<Place<'_>, Refusal> {
        let (_, value) = push(&mut self.properties, (name.to_boxed_str(), Value::Nil));
        Ok(Place { value, levels: self.levels })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    /// Arrays in each other, the innermost with an element.
    fn nested(depth: usize) -> Value {
        (0..depth).fold(Value::Nil, |value, _| Array::from(vec![value]).into())
    }

    #[test]
    fn a_place_ends() {
        let mut copy = Value::Nil;
        nested(8).emit(Place::new(&mut copy, 8)).unwrap();
        assert_eq!(copy, nested(8));
        let refusal = nested(9).emit(Place::new(&mut Value::Nil, 8)).unwrap_err();
        assert_eq!(*refusal.kind(), RefusalKind::TooDeep { limit: 8 });
        assert_eq!(refusal.path().to_string(), "[0]".repeat(8));
    }
}
