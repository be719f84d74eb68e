//! Where values end, by a table of their headers.

use godot_variant::{MAX_RECURSION_DEPTH, PackedType, Shape as TypeShape, VariantType};

use super::checked;
use super::shape::Shape;
use crate::decode::{DecodeOptions, Decoder};
use crate::header;

/// How to get behind a value.
#[derive(Clone, Copy)]
enum Step {
    /// Header and content take this many bytes.
    Fixed(u8),
    Text,
    Array,
    Dictionary,
    /// Elements of this many bytes.
    Packed(u8),
    PackedStrings,
    /// See [`checked`].
    Other,
}

/// By [`step_index`].
static STEPS: [Step; 512] = steps();

/// Type and [`header::FLAG_64`]: all that the length depends on, containers aside.
#[inline]
fn step_index(header: u32) -> usize {
    (header & header::TYPE_MASK) as usize | ((header & header::FLAG_64) >> 8) as usize
}

const fn steps() -> [Step; 512] {
    // Unknown types, too, are left to who can say so.
    let mut steps = [Step::Other; 512];
    let mut id = 0;
    while id < VariantType::ALL.len() {
        steps[id] = step(VariantType::ALL[id], false);
        steps[256 + id] = step(VariantType::ALL[id], true);
        id += 1;
    }
    steps
}

const fn step(ty: VariantType, flag_64: bool) -> Step {
    let scalar_len = if flag_64 { 8 } else { 4 };
    match ty.shape() {
        TypeShape::Empty => Step::Fixed(4),
        TypeShape::Scalar => match ty {
            VariantType::Bool => Step::Fixed(8),
            VariantType::Rid => Step::Fixed(12),
            _ => Step::Fixed(4 + scalar_len),
        },
        TypeShape::Reals(count) => Step::Fixed(4 + count as u8 * scalar_len),
        TypeShape::Ints(count) => Step::Fixed(4 + count as u8 * 4),
        TypeShape::Color => Step::Fixed(20),
        TypeShape::Text => Step::Text,
        TypeShape::Container => match ty {
            VariantType::Array => Step::Array,
            _ => Step::Dictionary,
        },
        TypeShape::Compound => match ty {
            // `FLAG_OBJECT_AS_ID` is the same bit.
            VariantType::Object if flag_64 => Step::Fixed(12),
            _ => Step::Other,
        },
        TypeShape::Packed => packed_step(ty, scalar_len),
    }
}

const fn packed_step(ty: VariantType, real_len: u8) -> Step {
    let mut index = 0;
    while index < PackedType::ALL.len() {
        let packed = PackedType::ALL[index];
        if packed.variant_type().id() == ty.id() {
            return match packed.real_count() {
                Some(count) => Step::Packed(count as u8 * real_len),
                None => Step::Packed(packed.element_len() as u8),
            };
        }
        index += 1;
    }
    Step::PackedStrings
}

/// Is told what decides where a value ends.
pub(super) trait Witness {
    /// The word at this position.
    fn word(&mut self, position: usize, word: u32);
    /// Something else.
    fn other(&mut self);
}

impl Witness for () {
    #[inline]
    fn word(&mut self, _position: usize, _word: u32) {}
    #[inline]
    fn other(&mut self) {}
}

/// Finds the ends of values; `None` stands for a broken one.
///
/// Words and comparisons, and no errors: the loops are as short as they can be, and who wants to
/// know why asks [`checked`].
pub(super) struct Steps<'a, W = ()> {
    bytes: &'a [u8],
    options: DecodeOptions,
    witness: W,
}

impl<'a> Steps<'a> {
    #[inline]
    pub(super) fn new(decoder: &mut Decoder<'a>) -> Steps<'a> {
        Steps { bytes: decoder.cursor().bytes(), options: decoder.options(), witness: () }
    }

    /// The bytes from `position` on.
    #[inline]
    pub(super) fn rest(&self, position: usize) -> &'a [u8] {
        self.bytes.get(position..).unwrap_or_default()
    }

    /// Whether the last of the `unit` values at `position` is a container.
    #[inline]
    pub(super) fn holds_container(&mut self, position: usize, unit: usize) -> bool {
        // At whatever depth: this only asks whether it is worth to learn.
        let last = match unit {
            1 => Some(position),
            _ => self.values(position, unit - 1, MAX_RECURSION_DEPTH),
        };
        let header = last.and_then(|last| self.word(last));
        let step = header.map(|header| STEPS[step_index(header)]);
        matches!(step, Some(Step::Array | Step::Dictionary))
    }

    /// As [`Steps::values`], and tells `shape` what the values look like.
    pub(super) fn learn(
        &mut self,
        position: usize,
        count: usize,
        depth: usize,
        shape: &mut Shape,
    ) -> Option<usize> {
        let witness = shape.begin(position);
        let mut steps = Steps { bytes: self.bytes, options: self.options, witness };
        let end = steps.values(position, count, depth)?;
        steps.witness.end(end);
        Some(end)
    }
}

impl<W: Witness> Steps<'_, W> {
    /// Behind `count` values, of which the first starts at `position` and all stand at `depth`.
    pub(super) fn values(
        &mut self,
        mut position: usize,
        count: usize,
        depth: usize,
    ) -> Option<usize> {
        // Neighbours are often of one type and length. To compare headers lets the processor go on
        // before it has read them, where to look up a length would make it wait.
        let (mut last_header, mut last_len) = (None, 0);
        for _ in 0..count {
            let header = self.word(position)?;
            if last_header == Some(header) {
                position = self.within(position + last_len)?;
                continue;
            }
            position = match STEPS[step_index(header)] {
                Step::Fixed(len) => {
                    (last_header, last_len) = (Some(header), usize::from(len));
                    self.within(position + last_len)?
                }
                Step::Text => self.text(position + 4)?,
                step => self.many(step, header, position, depth)?,
            };
        }
        Some(position)
    }

    /// Behind a value that holds many others.
    fn many(&mut self, step: Step, header: u32, start: usize, depth: usize) -> Option<usize> {
        let position = start + 4;
        match step {
            Step::Array => {
                let at = self.types(VariantType::Array, header, position)?;
                let count = self.word(at)? & !header::COUNT_SHARED;
                self.content(at + 4, count, 1, depth)
            }
            Step::Dictionary => {
                let at = self.types(VariantType::Dictionary, header, position)?;
                let count = self.word(at)? & !header::COUNT_SHARED;
                self.content(at + 4, count, 2, depth)
            }
            Step::Packed(element_len) => {
                let count = usize::try_from(self.word(position)?.cast_signed()).ok()?;
                let len = count.checked_mul(usize::from(element_len))?;
                let end = self.within((position + 4).checked_add(len)?)?;
                // Counted without looking whether it is there: see `Cursor::skip_padding`.
                Some(end + header::padding(len))
            }
            Step::PackedStrings => {
                // A negative count is no string at all.
                let count = self.word(position)?.cast_signed().max(0);
                (0..count).try_fold(position + 4, |position, _| self.text(position))
            }
            Step::Fixed(_) | Step::Text | Step::Other => {
                self.witness.other();
                let mut decoder = Decoder::at(self.bytes, start, self.options);
                checked::skip(&mut decoder, depth).ok()?;
                Some(decoder.cursor().position())
            }
        }
    }

    fn content(&mut self, start: usize, count: u32, unit: usize, depth: usize) -> Option<usize> {
        if depth >= MAX_RECURSION_DEPTH && count > 0 {
            return None;
        }
        self.values(start, (count as usize).checked_mul(unit)?, depth + 1)
    }

    /// Behind the declared types of a container's elements, which most have not.
    #[inline]
    fn types(&mut self, what: VariantType, header: u32, position: usize) -> Option<usize> {
        let declared = match what {
            VariantType::Array => header & header::ARRAY_TYPE_MASK,
            _ => header & header::DICTIONARY_TYPES_MASK,
        };
        if declared == 0 { Some(position) } else { self.declared_types(what, header, position) }
    }

    #[inline(never)]
    fn declared_types(&mut self, what: VariantType, header: u32, position: usize) -> Option<usize> {
        let mut decoder = Decoder::at(self.bytes, position, self.options);
        let shifts: &[u32] = match what {
            VariantType::Array => &[header::ARRAY_ELEMENT_SHIFT],
            _ => &[header::DICTIONARY_KEY_SHIFT, header::DICTIONARY_VALUE_SHIFT],
        };
        for &shift in shifts {
            match header::ContainerKind::from_header(header, shift) {
                header::ContainerKind::None => {}
                header::ContainerKind::Builtin => {
                    self.word(decoder.cursor().position())?;
                }
                _ => self.witness.other(),
            }
            decoder.container_type(what, header, shift).ok()?;
        }
        Some(decoder.cursor().position())
    }

    /// Behind the text whose length stands at `position`, and its padding.
    #[inline]
    fn text(&mut self, position: usize) -> Option<usize> {
        let len = usize::try_from(self.word(position)?.cast_signed()).ok()?;
        self.within((position + 4).checked_add(len + header::padding(len))?)
    }

    /// A word that decides where a value ends.
    #[inline]
    fn word(&mut self, position: usize) -> Option<u32> {
        let word = u32::from_le_bytes(*self.bytes.get(position..)?.first_chunk()?);
        self.witness.word(position, word);
        Some(word)
    }

    #[inline]
    fn within(&self, end: usize) -> Option<usize> {
        (end <= self.bytes.len()).then_some(end)
    }
}
