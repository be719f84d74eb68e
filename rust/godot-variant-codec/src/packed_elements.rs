//! The elements of an encoded packed array, where they stand.

use bytemuck::pod_read_unaligned;
use godot_variant::{PackedType, Real, Value};

use crate::decode::Decoder;
use crate::error::DecodeError;

/// The elements of a packed array of fixed width.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedElements<'a> {
    ty: PackedType,
    /// The components are written with 64 bits, whatever the engine was built with.
    wide: bool,
    bytes: &'a [u8],
}

impl<'a> PackedElements<'a> {
    /// Reads count and elements.
    pub(crate) fn read(
        decoder: &mut Decoder<'a>,
        ty: PackedType,
        wide: bool,
    ) -> Result<PackedElements<'a>, DecodeError> {
        let elements = PackedElements { ty, wide, bytes: &[] };
        let bytes = decoder.packed_elements(ty, elements.element_len())?;
        Ok(PackedElements { bytes, ..elements })
    }

    /// The number of elements.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / self.element_len()
    }

    /// The elements as the engine keeps them, if they are written so.
    pub(crate) fn as_bytes(&self) -> Option<(PackedType, &'a [u8])> {
        (!self.wide).then_some((self.ty, self.bytes))
    }

    /// An element by itself, as the engine gives it for `array[index]`.
    pub(crate) fn get(&self, index: usize) -> Option<Value> {
        let element = self.bytes.chunks_exact(self.element_len()).nth(index)?;
        Some(match self.ty {
            PackedType::Byte => Value::Int(i64::from(element[0])),
            PackedType::Int32 => Value::Int(i64::from(pod_read_unaligned::<i32>(element))),
            PackedType::Int64 => Value::Int(pod_read_unaligned(element)),
            PackedType::Float32 => Value::Float(f64::from(pod_read_unaligned::<f32>(element))),
            PackedType::Float64 => Value::Float(pod_read_unaligned(element)),
            PackedType::Vector2 => Value::Vector2(self.reals(element)),
            PackedType::Vector3 => Value::Vector3(self.reals(element)),
            PackedType::Vector4 => Value::Vector4(self.reals(element)),
            PackedType::Color => Value::Color(pod_read_unaligned(element)),
        })
    }

    fn element_len(&self) -> usize {
        match self.ty.real_count() {
            Some(reals) if self.wide => reals * size_of::<f64>(),
            _ => self.ty.element_len(),
        }
    }

    fn reals<const N: usize>(&self, element: &[u8]) -> [Real; N] {
        if self.wide {
            pod_read_unaligned::<[f64; N]>(element).map(|real| real as Real)
        } else {
            pod_read_unaligned(element)
        }
    }
}
