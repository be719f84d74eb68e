//! Values to bytes, in any dialect.

use bytemuck::{cast_slice, pod_collect_to_vec};
use variant::{
    ArraySink, ContainerTypeRef, MAX_RECURSION_DEPTH, NodePathRef, PackedType, Real, Refusal,
    RefusalKind, Sink, Source, StringKind, Text, VariantType,
};

use super::content::DialectContent;
use super::{
    Dialect, NodePathForms, NumberWidth, ObjectForms, RealWidth, RidForm, TypedContainers,
};
use crate::encode::{check_class, checked_len, put_text};
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
/// use variant_codec::{Dialect, EncodeOptions, encode_as, variant::Value};
///
/// let bytes = encode_as(&Value::Int(7), &Dialect::DOCS_3_0, EncodeOptions::default())?;
/// assert_eq!(bytes, [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]); // there, an int always has 64 bits
///
/// let vector = Value::Vector2i([1, 2]);
/// let refusal = encode_as(&vector, &Dialect::GODOT_3, EncodeOptions::default()).unwrap_err();
/// assert_eq!(refusal.to_string(), "GODOT_3 cannot hold this Vector2i: it has no such type");
/// # Ok::<(), variant_codec::variant::Refusal>(())
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
    value.describe(DialectEncoder::new(&mut bytes, dialect, options)?)?;
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
    fn id(&self, ty: VariantType) -> Result<u32, Refusal> {
        let id = self.dialect.type_id(ty).map(u32::from);
        id.ok_or_else(|| self.refusal(ty, "it has no such type"))
    }

    fn has(&self, ty: VariantType) -> bool {
        self.dialect.type_id(ty).is_some()
    }

    /// Whether to write something else for a value that the dialect cannot hold.
    fn replace(&self, ty: VariantType, reason: &'static str) -> Result<(), Refusal> {
        if self.options.lossy { Ok(()) } else { Err(self.refusal(ty, reason)) }
    }

    #[cold]
    fn refusal(&self, what: VariantType, reason: &'static str) -> Refusal {
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
    fn put_float_header(&mut self, ty: VariantType) -> Result<bool, Refusal> {
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

    fn put_floats(&mut self, floats: &[f32], wide: bool) {
        if wide {
            floats.iter().for_each(|&float| self.out.put_array(f64::from(float).to_le_bytes()));
        } else {
            self.out.put(cast_slice(floats));
        }
    }

    /// The types of a container in the two bits from each shift on, and then in full.
    fn put_container_head(
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
    fn open(mut self, ty: VariantType, count: usize) -> Result<DialectContent<'o, O>, Refusal> {
        self.put_u32(checked_len(ty, count)?);
        let depth = self.depth + 1;
        if depth > MAX_RECURSION_DEPTH && count > 0 {
            return Err(Refusal::new(RefusalKind::TooDeep { limit: MAX_RECURSION_DEPTH }));
        }
        Ok(DialectContent { place: DialectEncoder { depth, ..self }, names_are_keys: false })
    }

    /// An `Array` in place of a packed array that the dialect does not have.
    fn array_of<T: bytemuck::Pod>(
        self,
        ty: VariantType,
        elements: &[u8],
        put: impl Fn(DialectEncoder<'_, O>, T) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        self.replace(ty, "it has no such type")?;
        // Copied, because the bytes may stand at any address.
        let elements: Vec<T> = pod_collect_to_vec(elements);
        let mut array = self.array(ContainerTypeRef::Any, elements.len())?;
        elements.into_iter().try_for_each(|element| put(array.element(), element))?;
        array.end()
    }
}

impl<'o, O: Output> Sink for DialectEncoder<'o, O> {
    type Array = DialectContent<'o, O>;
    type Dictionary = DialectContent<'o, O>;
    type Object = DialectContent<'o, O>;
    type Strings = DialectContent<'o, O>;

    fn nil(mut self) -> Result<(), Refusal> {
        let header = self.id(VariantType::Nil)?;
        self.put_u32(header);
        Ok(())
    }

    fn bool(mut self, value: bool) -> Result<(), Refusal> {
        let header = self.id(VariantType::Bool)?;
        self.put_u32(header);
        self.put_u32(u32::from(value));
        Ok(())
    }

    fn int(mut self, value: i64) -> Result<(), Refusal> {
        let ty = VariantType::Int;
        let header = self.id(ty)?;
        let narrow = match (self.dialect.int, i32::try_from(value)) {
            (NumberWidth::Always64, _) => {
                self.put_u32(header);
                self.out.put_array(value.to_le_bytes());
                return Ok(());
            }
            (_, Ok(narrow)) => narrow,
            (NumberWidth::ByValue, Err(_)) => {
                self.put_u32(header | header::FLAG_64);
                self.out.put_array(value.to_le_bytes());
                return Ok(());
            }
            (NumberWidth::Written32, Err(_)) => {
                self.replace(ty, "its ints have 32 bits")?;
                value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
            }
        };
        self.put_u32(header);
        self.put_u32(narrow as u32);
        Ok(())
    }

    fn float(mut self, value: f64) -> Result<(), Refusal> {
        let ty = VariantType::Float;
        let header = self.id(ty)?;
        let narrow = value as f32;
        let exact = f64::from(narrow) == value;
        match self.dialect.float {
            NumberWidth::ByValue if exact => {}
            NumberWidth::ByValue | NumberWidth::Always64 => {
                let by_value = self.dialect.float == NumberWidth::ByValue;
                self.put_u32(if by_value { header | header::FLAG_64 } else { header });
                self.out.put_array(value.to_le_bytes());
                return Ok(());
            }
            NumberWidth::Written32 if narrow.is_infinite() && value.is_finite() => {
                self.replace(ty, "its floats have 32 bits")?;
            }
            NumberWidth::Written32 => {}
        }
        self.put_u32(header);
        self.put_u32(narrow.to_bits());
        Ok(())
    }

    fn string(mut self, kind: StringKind, text: Text<'_>) -> Result<(), Refusal> {
        let mut ty = kind.variant_type();
        if !self.has(ty) {
            self.replace(ty, "it has no such type")?;
            ty = VariantType::String;
        }
        let header = self.id(ty)?;
        self.put_u32(header);
        self.put_text(ty, text)
    }

    fn reals<const N: usize>(mut self, ty: VariantType, parts: &[Real; N]) -> Result<(), Refusal> {
        if !self.has(ty) {
            self.replace(ty, "it has no such type")?;
            return match ty {
                VariantType::Projection => self.packed(PackedType::Float32, cast_slice(parts)),
                VariantType::Vector4 => self.reals(VariantType::Quaternion, parts),
                _ => Err(self.refusal(ty, "it has no such type")),
            };
        }
        let wide = self.put_float_header(ty)?;
        self.put_floats(parts, wide);
        Ok(())
    }

    fn ints<const N: usize>(mut self, ty: VariantType, parts: &[i32; N]) -> Result<(), Refusal> {
        if !self.has(ty) {
            self.replace(ty, "it has no such type")?;
            let nearest = match ty {
                VariantType::Vector2i => VariantType::Vector2,
                VariantType::Vector3i => VariantType::Vector3,
                VariantType::Rect2i => VariantType::Rect2,
                _ => VariantType::Quaternion,
            };
            return self.reals(nearest, &parts.map(|part| part as Real));
        }
        let header = self.id(ty)?;
        self.put_u32(header);
        self.out.put(cast_slice(parts));
        Ok(())
    }

    fn color(mut self, parts: &[f32; 4]) -> Result<(), Refusal> {
        let wide = self.put_float_header(VariantType::Color)?;
        self.put_floats(parts, wide);
        Ok(())
    }

    fn node_path(mut self, path: NodePathRef<'_>) -> Result<(), Refusal> {
        let ty = VariantType::NodePath;
        let header = self.id(ty)?;
        let has_property =
            self.dialect.node_paths == NodePathForms::NamesAndProperty && !path.subnames.is_empty();
        let subname_count = path.subnames.len() - usize::from(has_property);
        self.put_u32(header);
        self.put_u32(checked_len(ty, path.names.len())? | header::NODE_PATH_NEW_FORMAT);
        self.put_u32(checked_len(ty, subname_count)?);
        let absolute = if path.absolute { header::NODE_PATH_ABSOLUTE } else { 0 };
        let property = if has_property { header::NODE_PATH_EXTRA_SUBNAME } else { 0 };
        self.put_u32(absolute | property);
        let mut names = path.names.iter().chain(path.subnames);
        names.try_for_each(|name| self.put_text(ty, *name))
    }

    fn rid(mut self, id: u64) -> Result<(), Refusal> {
        let ty = VariantType::Rid;
        match self.dialect.rids {
            RidForm::Unsupported => {
                self.replace(ty, "it has no form for RIDs")?;
                return self.nil();
            }
            RidForm::HeaderOnly if id != 0 => self.replace(ty, "it does not keep the id")?,
            RidForm::HeaderOnly | RidForm::Id => {}
        }
        let header = self.id(ty)?;
        self.put_u32(header);
        if self.dialect.rids == RidForm::Id {
            self.out.put_array(id.to_le_bytes());
        }
        Ok(())
    }

    fn null_object(mut self) -> Result<(), Refusal> {
        let ty = VariantType::Object;
        match self.dialect.objects {
            ObjectForms::Engine => return self.nil(),
            ObjectForms::Unsupported => {
                self.replace(ty, "it has no form for objects")?;
                return self.nil();
            }
            ObjectForms::NullOnly | ObjectForms::NullWithoutClass => {}
        }
        let header = self.id(ty)?;
        self.put_u32(header);
        if self.dialect.objects == ObjectForms::NullWithoutClass {
            self.put_u32(0);
        }
        Ok(())
    }

    fn object_id(mut self, id: u64) -> Result<(), Refusal> {
        let ty = VariantType::Object;
        match self.dialect.objects {
            ObjectForms::Unsupported | ObjectForms::NullOnly => {
                self.replace(ty, "it has no form for objects")?;
                return self.nil();
            }
            ObjectForms::Engine | ObjectForms::NullWithoutClass => {}
        }
        let header = self.id(ty)? | header::FLAG_OBJECT_AS_ID;
        self.put_u32(header);
        self.out.put_array(id.to_le_bytes());
        Ok(())
    }

    fn object(mut self, class: Text<'_>, property_count: usize) -> Result<Self::Object, Refusal> {
        let ty = VariantType::Object;
        match self.dialect.objects {
            ObjectForms::Unsupported | ObjectForms::NullOnly => {
                self.replace(ty, "it has no form for objects")?;
                let any = ContainerTypeRef::Any;
                let dictionary = self.dictionary(any, any, property_count)?;
                return Ok(DialectContent { names_are_keys: true, ..dictionary });
            }
            ObjectForms::Engine | ObjectForms::NullWithoutClass => {}
        }
        check_class(class)?;
        let header = self.id(ty)?;
        self.put_u32(header);
        self.put_text(ty, class)?;
        self.open(ty, property_count)
    }

    fn callable(mut self) -> Result<(), Refusal> {
        let ty = VariantType::Callable;
        if !self.has(ty) {
            self.replace(ty, "it has no such type")?;
            return self.nil();
        }
        let header = self.id(ty)?;
        self.put_u32(header);
        Ok(())
    }

    fn signal(mut self, name: Text<'_>, object_id: u64) -> Result<(), Refusal> {
        let ty = VariantType::Signal;
        if !self.has(ty) {
            self.replace(ty, "it has no such type")?;
            return self.nil();
        }
        let header = self.id(ty)?;
        self.put_u32(header);
        self.put_text(ty, name)?;
        self.out.put_array(object_id.to_le_bytes());
        Ok(())
    }

    fn dictionary(
        mut self,
        key_type: ContainerTypeRef<'_>,
        value_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Dictionary, Refusal> {
        let ty = VariantType::Dictionary;
        let types = [
            (key_type, header::DICTIONARY_KEY_SHIFT),
            (value_type, header::DICTIONARY_VALUE_SHIFT),
        ];
        self.put_container_head(ty, TypedContainers::ArraysAndDictionaries, &types)?;
        self.open(ty, count)
    }

    fn array(
        mut self,
        element_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Array, Refusal> {
        let ty = VariantType::Array;
        let types = [(element_type, header::ARRAY_ELEMENT_SHIFT)];
        self.put_container_head(ty, TypedContainers::Arrays, &types)?;
        self.open(ty, count)
    }

    fn packed(mut self, packed: PackedType, elements: &[u8]) -> Result<(), Refusal> {
        let ty = packed.variant_type();
        if !self.has(ty) {
            return match packed {
                PackedType::Int64 => self.array_of(ty, elements, |sink, int| sink.int(int)),
                PackedType::Float64 => self.array_of(ty, elements, |sink, float| sink.float(float)),
                PackedType::Vector4 => self.array_of(ty, elements, |sink, parts: [Real; 4]| {
                    sink.reals(VariantType::Vector4, &parts)
                }),
                _ => Err(self.refusal(ty, "it has no such type")),
            };
        }
        checked_len(ty, elements.len())?;
        let count = checked_len(ty, elements.len() / packed.element_len())?;
        let has_floats = packed.real_count().is_some() || packed == PackedType::Color;
        let wide = if has_floats {
            self.put_float_header(ty)?
        } else {
            let header = self.id(ty)?;
            self.put_u32(header);
            false
        };
        self.put_u32(count);
        if packed == PackedType::Int64 && self.dialect.int64_count_len == 8 {
            self.put_u32(0);
        }
        if wide {
            self.put_floats(&pod_collect_to_vec(elements), wide);
        } else {
            self.out.put(elements);
            self.out.put_zeros(header::padding(elements.len()));
        }
        Ok(())
    }

    fn packed_strings(mut self, count: usize) -> Result<Self::Strings, Refusal> {
        let ty = VariantType::PackedStringArray;
        let header = self.id(ty)?;
        self.put_u32(header);
        self.put_u32(checked_len(ty, count)?);
        Ok(DialectContent { place: self, names_are_keys: false })
    }
}
