//! Values to bytes, in any dialect.

use bytemuck::{cast_slice, pod_collect_to_vec};
use godot_variant::{
    ArraySink, ContainerTypeRef, MAX_RECURSION_DEPTH, Refusal, RefusalKind, Sink, Source, Text,
    VariantType,
};

use super::content::DialectContent;
use super::{Dialect, RealWidth, TypedContainers};
use crate::encode::{checked_len, put_text};
use crate::header::{self, ContainerKind};
use crate::output::Output;
use crate::{checked_total, encode};

/// How a value is brought into a dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeOptions {
    /// Write what comes closest to a value that the dialect does not have, and do not refuse it:
    ///
    /// | value | becomes |
    /// |---|---|
    /// | `Vector2i`, `Vector3i`, `Rect2i` | `Vector2`, `Vector3`, `Rect2` |
    /// | `Vector4`, `Vector4i` | `Quaternion`, whose components have the same names |
    /// | `Projection` | the packed array of its 16 numbers |
    /// | `StringName` | `String` |
    /// | `Callable`, `Signal`, `RID`, an object known by its id | nil; a `RID` without its id where there is one |
    /// | an object with properties | a `Dictionary` of them |
    /// | a typed `Array` or `Dictionary` | the same without its types |
    /// | `PackedInt64Array`, `PackedFloat64Array`, `PackedVector4Array` | an `Array` of the elements |
    /// | an int of more than 32 bits | the nearest int of 32 bits |
    /// | a finite float beyond the range of 32 bits | infinity |
    pub lossy: bool,
    /// Write components of vectors with 64 bits, as an engine built with `precision=double` does.
    ///
    /// No mark tells it to the reader of a documented dialect: it has to know.
    pub double_precision: bool,
}

/// Encodes `value` in a dialect.
///
/// ```
/// use godot_variant_codec::{Dialect, EncodeOptions, encode_as, variant::Value};
///
/// let bytes = encode_as(&Value::Int(7), &Dialect::DOCS_3_0, EncodeOptions::default())?;
/// assert_eq!(bytes, [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]); // there, an int always has 64 bits
///
/// let vector = Value::Vector2i([1, 2]);
/// let refusal = encode_as(&vector, &Dialect::GODOT_3, EncodeOptions::default()).unwrap_err();
/// assert_eq!(refusal.to_string(), "GODOT_3 cannot store this Vector2i: it does not have this type");
/// # Ok::<(), godot_variant_codec::variant::Refusal>(())
/// ```
///
/// # Errors
/// As [`encode`]; and [`RefusalKind::NotInDialect`] for what the dialect cannot hold, if it may not
/// be replaced. A float is not refused for being rounded to 32 bits where the dialect has no others.
pub fn encode_as(
    value: &impl Source,
    dialect: &Dialect,
    options: EncodeOptions,
) -> Result<Vec<u8>, Refusal> {
    if dialect.native && !options.double_precision {
        return encode(value);
    }
    let mut bytes = Vec::new();
    value.emit(DialectEncoder::new(&mut bytes, dialect, options)?)?;
    checked_total(bytes.len())?;
    Ok(bytes)
}

/// The sink that encodes in any dialect: a place for one value at the end of an [`Output`].
///
/// [`Encoder`](crate::Encoder) is several times faster, and speaks Godot 4.
pub struct DialectEncoder<'o, O> {
    pub(super) out: &'o mut O,
    pub(super) depth: usize,
    pub(super) dialect: &'o Dialect,
    pub(super) options: EncodeOptions,
}

impl<'o, O: Output> DialectEncoder<'o, O> {
    /// A place for one outermost value at the end of `out`.
    ///
    /// # Errors
    /// [`RefusalKind::NoDoublePrecision`] in a dialect that has none.
    pub fn new(
        out: &'o mut O,
        dialect: &'o Dialect,
        options: EncodeOptions,
    ) -> Result<Self, Refusal> {
        if options.double_precision && !dialect.has_double_precision() {
            let dialect = dialect.name;
            return Err(Refusal::new(RefusalKind::NoDoublePrecision { dialect }));
        }
        Ok(DialectEncoder { out, depth: 0, dialect, options })
    }

    /// The header's number for a type that the dialect has.
    pub(super) fn id(&self, ty: VariantType) -> Result<u32, Refusal> {
        let id = self.dialect.type_id(ty).map(u32::from);
        id.ok_or_else(|| self.refusal(ty, "it does not have this type"))
    }

    pub(super) fn has(&self, ty: VariantType) -> bool {
        self.dialect.type_id(ty).is_some()
    }

    /// Whether to write something else for a value that the dialect cannot hold.
    pub(super) fn replace(&self, ty: VariantType, reason: &'static str) -> Result<(), Refusal> {
        if self.options.lossy { Ok(()) } else { Err(self.refusal(ty, reason)) }
    }

    #[cold]
    pub(super) fn refusal(&self, what: VariantType, reason: &'static str) -> Refusal {
        let dialect = self.dialect.name;
        Refusal::new(RefusalKind::NotInDialect { what, dialect, reason })
    }

    pub(super) fn put_u32(&mut self, word: u32) {
        self.out.put_array(word.to_le_bytes());
    }

    pub(super) fn put_text(&mut self, ty: VariantType, text: Text<'_>) -> Result<(), Refusal> {
        let length_at = self.out.position();
        self.put_u32(0);
        put_text(self.out, ty, length_at, text, 0)
    }

    /// The header of a type made of floats, and whether they are wide.
    pub(super) fn put_float_header(&mut self, ty: VariantType) -> Result<bool, Refusal> {
        let flag = match self.dialect.reals {
            RealWidth::ByFlag if self.options.double_precision && !super::is_color(ty) => {
                header::FLAG_64
            }
            _ => 0,
        };
        let header = self.id(ty)? | flag;
        self.put_u32(header);
        Ok(self.dialect.wide_reals(ty, header, self.options.double_precision))
    }

    pub(super) fn put_floats(&mut self, floats: &[f32], wide: bool) {
        if wide {
            floats.iter().for_each(|&float| self.out.put_array(f64::from(float).to_le_bytes()));
        } else {
            self.out.put(cast_slice(floats));
        }
    }

    /// The types of a container in the two bits from each shift on, and then in full.
    pub(super) fn put_container_head(
        &mut self,
        ty: VariantType,
        needed: TypedContainers,
        types: &[(ContainerTypeRef<'_>, u32)],
    ) -> Result<(), Refusal> {
        let mut header = self.id(ty)?;
        let typed = types.iter().any(|(element_type, _)| !element_type.is_any());
        if typed && self.dialect.typed < needed {
            self.replace(ty, "its containers are not typed")?;
            self.put_u32(header);
            return Ok(());
        }
        for (element_type, shift) in types {
            header |= (ContainerKind::of(*element_type) as u32) << shift;
        }
        self.put_u32(header);
        for (element_type, _) in types {
            match element_type {
                ContainerTypeRef::Any => {}
                ContainerTypeRef::Builtin(element_type) => {
                    let id = self.id(*element_type)?;
                    self.put_u32(id);
                }
                ContainerTypeRef::Class(text) | ContainerTypeRef::Script(text) => {
                    self.put_text(VariantType::String, Text::Utf8(text))?;
                }
            }
        }
        Ok(())
    }

    /// The count of a container, and the sinks of its content one level deeper.
    pub(super) fn open(
        mut self,
        ty: VariantType,
        count: usize,
    ) -> Result<DialectContent<'o, O>, Refusal> {
        self.put_u32(checked_len(ty, count)?);
        let depth = self.depth + 1;
        if depth > MAX_RECURSION_DEPTH && count > 0 {
            return Err(Refusal::new(RefusalKind::TooDeep { limit: MAX_RECURSION_DEPTH }));
        }
        Ok(DialectContent { place: DialectEncoder { depth, ..self }, names_are_keys: false })
    }

    /// An `Array` in place of a packed array that the dialect does not have.
    pub(super) fn array_of<T: bytemuck::Pod>(
        self,
        ty: VariantType,
        elements: &[u8],
        put: impl Fn(DialectEncoder<'_, O>, T) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        self.replace(ty, "it does not have this type")?;
        // Copied, because the bytes may stand at any address.
        let elements: Vec<T> = pod_collect_to_vec(elements);
        let mut array = self.array(ContainerTypeRef::Any, elements.len())?;
        elements.into_iter().try_for_each(|element| put(array.element(), element))?;
        array.end()
    }
}
