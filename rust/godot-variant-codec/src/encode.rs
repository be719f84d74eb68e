//! Values to bytes.

mod content;

use std::hint::select_unpredictable;

use godot_variant::{
    ContainerTypeRef, MAX_RECURSION_DEPTH, NodePathRef, PackedType, Real, Refusal, RefusalKind,
    Sink, StringKind, Text, VariantType,
};

use crate::MAX_LEN;
use crate::header::{self, ContainerKind};
use crate::output::Output;

pub use content::EncodedContent;

/// Texts and packed arrays from this length on are announced to the output.
const LONG: usize = 1024;
const HEADER_LEN: usize = 4;
const MAX_PADDING: usize = 3;

/// The sink that encodes: a place for one value at the end of an [`Output`].
///
/// ```
/// use godot_variant_codec::{Encoder, variant::{Source, Value}};
///
/// let mut stream = vec![0xAA; 4]; // Whatever stands there already stays.
/// Value::Bool(true).emit(Encoder::new(&mut stream))?;
/// assert_eq!(stream[4..], [1, 0, 0, 0, 1, 0, 0, 0]);
/// # Ok::<(), godot_variant_codec::variant::Refusal>(())
/// ```
///
/// After a refusal the output holds the part that was written before.
pub struct Encoder<'o, O> {
    out: &'o mut O,
    depth: usize,
}

impl<'o, O: Output> Encoder<'o, O> {
    /// A place for one outermost value at the end of `out`.
    pub fn new(out: &'o mut O) -> Self {
        Encoder::at_depth(out, 0)
    }

    /// A place for one value that stands `depth` levels deep in a value of which `out` holds, or
    /// will hold, the rest.
    #[inline(always)]
    pub fn at_depth(out: &'o mut O, depth: usize) -> Self {
        Encoder { out, depth }
    }

    #[inline(always)]
    fn put_header(&mut self, ty: VariantType) {
        self.out.put_array(header::plain(ty).to_le_bytes());
    }

    #[inline(always)]
    fn put_u32(&mut self, word: u32) {
        self.out.put_array(word.to_le_bytes());
    }

    #[inline(always)]
    fn put_header_and_u32(&mut self, header: u32, word: u32) {
        self.out.put_array((u64::from(header) | u64::from(word) << 32).to_le_bytes());
    }

    /// Length, bytes, padding.
    #[inline]
    fn put_text(&mut self, ty: VariantType, text: Text<'_>) -> Result<(), Refusal> {
        let length_at = self.out.position();
        self.put_u32(0);
        put_text(self.out, ty, length_at, text, 0)
    }

    #[inline(always)]
    fn put_container_type(&mut self, ty: ContainerTypeRef<'_>) -> Result<(), Refusal> {
        if ty == ContainerTypeRef::Any { Ok(()) } else { self.put_declared_type(ty) }
    }

    #[inline(never)]
    fn put_declared_type(&mut self, ty: ContainerTypeRef<'_>) -> Result<(), Refusal> {
        match ty {
            ContainerTypeRef::Any => Ok(()),
            ContainerTypeRef::Builtin(ty) => {
                self.put_u32(u32::from(ty.id()));
                Ok(())
            }
            ContainerTypeRef::Class(text) | ContainerTypeRef::Script(text) => {
                self.put_text(VariantType::String, Text::Utf8(text))
            }
        }
    }

    /// The count of a container, and the sinks of its content one level deeper.
    #[inline]
    fn open(mut self, ty: VariantType, count: usize) -> Result<EncodedContent<'o, O>, Refusal> {
        self.put_u32(checked_len(ty, count)?);
        check_position(self.out)?;
        let depth = self.depth + 1;
        if depth > MAX_RECURSION_DEPTH && count > 0 {
            return Err(Refusal::new(RefusalKind::TooDeep { limit: MAX_RECURSION_DEPTH }));
        }
        Ok(EncodedContent::at_depth(self.out, depth))
    }
}

/// Whether there may be more.
#[inline]
fn check_position(out: &impl Output) -> Result<(), Refusal> {
    if out.position() > out.limit() {
        return Err(Refusal::new(RefusalKind::ValueTooLarge { max: out.limit() }));
    }
    Ok(())
}

#[inline]
pub(crate) fn checked_len(what: VariantType, len: usize) -> Result<u32, Refusal> {
    if len > MAX_LEN {
        return Err(Refusal::new(RefusalKind::TooLarge { what, len, max: MAX_LEN }));
    }
    Ok(len as u32)
}

/// Refuses a class without a name, which stands for null: nobody would read the properties. A reader
/// takes a byte order mark off a text, and ends it at a NUL.
pub(crate) fn check_class(class: Text<'_>) -> Result<(), Refusal> {
    const MARK: u32 = 0xFEFF;
    let first = match class {
        Text::Ascii(bytes) => bytes.first().map(|&byte| u32::from(byte)),
        Text::Utf8(text) => text.trim_start_matches('\u{FEFF}').chars().next().map(u32::from),
        Text::Utf32(units) => units.iter().copied().find(|&unit| unit != MARK),
    };
    match first {
        None | Some(0) => Err(Refusal::new(RefusalKind::ObjectWithoutClass)),
        Some(_) => Ok(()),
    }
}

/// Text, a NUL or none that counts, and padding, behind the place of the length at `length_at`.
#[inline]
pub(crate) fn put_text<O: Output>(
    out: &mut O,
    ty: VariantType,
    length_at: usize,
    text: Text<'_>,
    nul: usize,
) -> Result<(), Refusal> {
    match text {
        Text::Ascii(bytes) => out.put(bytes),
        Text::Utf8(text) => {
            if text.len() >= LONG {
                check_position(out)?;
                out.expect(text.len() + nul + MAX_PADDING);
            }
            out.put(text.as_bytes());
        }
        Text::Utf32(units) => {
            if units.len() >= LONG {
                check_position(out)?;
            }
            out.put_utf32(units);
        }
    }
    let len = out.position() - length_at - 4 + nul;
    out.patch(length_at, checked_len(ty, len)?);
    out.put_zeros(nul + header::padding(len));
    Ok(())
}

/// Appends a whole text, with what `head` makes of its length in front and a NUL or none that counts behind it, if it is
/// a short one, nothing but ASCII, and the output has room, for which is asked once.
#[inline]
pub(crate) fn put_short<O: Output, const HEAD_LEN: usize>(
    out: &mut O,
    units: &[u32],
    nul: usize,
    head: impl FnOnce(u32) -> [u8; HEAD_LEN],
) -> bool {
    const MAX_UNITS: usize = 16;
    const ROOM_LEN: usize = 8 + MAX_UNITS + 1 + MAX_PADDING;
    if units.len() > MAX_UNITS {
        return false;
    }
    let Some(room) = out.room(ROOM_LEN).and_then(|room| room.first_chunk_mut::<ROOM_LEN>()) else {
        return false;
    };
    let mut all = 0;
    for (byte, &unit) in room[HEAD_LEN..].iter_mut().zip(units) {
        all |= unit;
        *byte = unit as u8;
    }
    if all >= 0x80 {
        return false;
    }
    let (text_len, len) = (units.len(), units.len() + nul);
    room[HEAD_LEN + text_len..][..1 + MAX_PADDING].fill(0);
    room[..HEAD_LEN].copy_from_slice(&head(len as u32));
    out.advance(HEAD_LEN + len + header::padding(len));
    true
}

impl<'o, O: Output> Sink for Encoder<'o, O> {
    type Array = EncodedContent<'o, O>;
    type Dictionary = EncodedContent<'o, O>;
    type Object = EncodedContent<'o, O>;
    type Strings = EncodedContent<'o, O>;

    #[inline(always)]
    fn nil(mut self) -> Result<(), Refusal> {
        self.put_header(VariantType::Nil);
        Ok(())
    }

    #[inline(always)]
    fn bool(mut self, value: bool) -> Result<(), Refusal> {
        self.put_header_and_u32(header::plain(VariantType::Bool), u32::from(value));
        Ok(())
    }

    #[inline(always)]
    fn int(mut self, value: i64) -> Result<(), Refusal> {
        let header = header::plain(VariantType::Int);
        if let Ok(narrow) = i32::try_from(value) {
            self.put_header_and_u32(header, narrow as u32);
        } else {
            self.put_u32(header | header::FLAG_64);
            self.out.put_array(value.to_le_bytes());
        }
        Ok(())
    }

    #[inline(always)]
    fn float(self, value: f64) -> Result<(), Refusal> {
        const NARROW: u32 = header::plain(VariantType::Float);
        let narrow = value as f32;
        // False for NaN, which therefore keeps all its bits.
        let is_narrow = f64::from(narrow) == value;
        // Nobody can guess which one comes next: so both are written alike, without a branch.
        let header = select_unpredictable(is_narrow, NARROW, NARROW | header::FLAG_64);
        let bits = select_unpredictable(is_narrow, u64::from(narrow.to_bits()), value.to_bits());
        let len = select_unpredictable(is_narrow, 8, 12);
        let bytes = (u128::from(bits) << 32 | u128::from(header)).to_le_bytes();
        let [front @ .., _, _, _, _] = bytes;
        self.out.put_front::<12>(front, len);
        Ok(())
    }

    #[inline]
    fn string(mut self, kind: StringKind, text: Text<'_>) -> Result<(), Refusal> {
        let ty = kind.variant_type();
        if let Text::Utf32(units) = text
            && put_short(self.out, units, 0, |len| {
                let head = u64::from(header::plain(ty)) | u64::from(len) << 32;
                head.to_le_bytes()
            })
        {
            return Ok(());
        }
        self.put_header_and_u32(header::plain(ty), 0);
        let length_at = self.out.position() - 4;
        put_text(self.out, ty, length_at, text, 0)
    }

    #[inline(always)]
    fn reals<const N: usize>(
        mut self,
        ty: VariantType,
        components: &[Real; N],
    ) -> Result<(), Refusal> {
        self.put_header(ty);
        self.out.put(bytemuck::bytes_of(components));
        Ok(())
    }

    #[inline(always)]
    fn ints<const N: usize>(
        mut self,
        ty: VariantType,
        components: &[i32; N],
    ) -> Result<(), Refusal> {
        self.put_header(ty);
        self.out.put(bytemuck::cast_slice(components));
        Ok(())
    }

    #[inline(always)]
    fn color(mut self, components: &[f32; 4]) -> Result<(), Refusal> {
        self.put_header(VariantType::Color);
        self.out.put(bytemuck::cast_slice(components));
        Ok(())
    }

    fn node_path(mut self, path: NodePathRef<'_>) -> Result<(), Refusal> {
        let ty = VariantType::NodePath;
        self.put_header(ty);
        self.put_u32(checked_len(ty, path.names.len())? | header::NODE_PATH_NEW_FORMAT);
        self.put_u32(checked_len(ty, path.subnames.len())?);
        self.put_u32(if path.absolute { header::NODE_PATH_ABSOLUTE } else { 0 });
        let mut names = path.names.iter().chain(path.subnames);
        names.try_for_each(|name| self.put_text(ty, *name))
    }

    fn rid(mut self, id: u64) -> Result<(), Refusal> {
        self.put_header(VariantType::Rid);
        self.out.put_array(id.to_le_bytes());
        Ok(())
    }

    /// The engine writes a bare nil: that it was an object is lost.
    fn null_object(self) -> Result<(), Refusal> {
        self.nil()
    }

    fn object_id(mut self, id: u64) -> Result<(), Refusal> {
        self.put_u32(header::plain(VariantType::Object) | header::FLAG_OBJECT_AS_ID);
        self.out.put_array(id.to_le_bytes());
        Ok(())
    }

    fn object(mut self, class: Text<'_>, property_count: usize) -> Result<Self::Object, Refusal> {
        check_class(class)?;
        self.put_header(VariantType::Object);
        self.put_text(VariantType::Object, class)?;
        self.open(VariantType::Object, property_count)
    }

    fn callable(mut self) -> Result<(), Refusal> {
        self.put_header(VariantType::Callable);
        Ok(())
    }

    fn signal(mut self, name: Text<'_>, object_id: u64) -> Result<(), Refusal> {
        self.put_header(VariantType::Signal);
        self.put_text(VariantType::Signal, name)?;
        self.out.put_array(object_id.to_le_bytes());
        Ok(())
    }

    #[inline]
    fn dictionary(
        mut self,
        key_type: ContainerTypeRef<'_>,
        value_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Dictionary, Refusal> {
        let ty = VariantType::Dictionary;
        let key_kind = (ContainerKind::of(key_type) as u32) << header::DICTIONARY_KEY_SHIFT;
        let value_kind = (ContainerKind::of(value_type) as u32) << header::DICTIONARY_VALUE_SHIFT;
        self.put_u32(header::plain(ty) | key_kind | value_kind);
        self.put_container_type(key_type)?;
        self.put_container_type(value_type)?;
        self.open(ty, count)
    }

    #[inline]
    fn array(
        mut self,
        element_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Array, Refusal> {
        let ty = VariantType::Array;
        let kind = (ContainerKind::of(element_type) as u32) << header::ARRAY_ELEMENT_SHIFT;
        self.put_u32(header::plain(ty) | kind);
        self.put_container_type(element_type)?;
        self.open(ty, count)
    }

    #[inline]
    fn packed(mut self, ty: PackedType, elements: &[u8]) -> Result<(), Refusal> {
        let count = elements.len() / ty.element_len();
        let ty = ty.variant_type();
        checked_len(ty, elements.len())?;
        if elements.len() >= LONG {
            self.out.expect(HEADER_LEN + 4 + elements.len() + MAX_PADDING);
        }
        self.put_header_and_u32(header::plain(ty), count as u32);
        self.out.put(elements);
        self.out.put_zeros(header::padding(elements.len()));
        Ok(())
    }

    fn packed_strings(mut self, count: usize) -> Result<Self::Strings, Refusal> {
        let ty = VariantType::PackedStringArray;
        self.put_header(ty);
        self.put_u32(checked_len(ty, count)?);
        Ok(EncodedContent::at_depth(self.out, self.depth))
    }
}
