//! The whole parts of damaged bytes.
//!
//! Decoding ends at the first fault. Salvaging leaves the broken value out and goes on behind it if lengths give the place of the next
//! value. It never guesses: a damaged length or header loses the rest of its container.
//!
//! ```
//! use godot_variant_codec::{DecodeOptions, encode, salvage::salvage};
//! use godot_variant_codec::variant::{Array, Value};
//!
//! let bytes = encode(&Value::from(Array::from_iter([Value::Int(7), Value::from("text"), Value::Int(8)])))?;
//! let cut = salvage(&bytes[..bytes.len() - 4], 0, DecodeOptions::default());
//! assert_eq!(cut.value, Some(Array::from_iter([Value::Int(7), Value::from("text")]).into()));
//! assert_eq!(cut.issues[0].to_string(), "unexpected end: 4 bytes needed, 0 left (at byte 32, in [2])");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod containers;

use godot_variant::{PackedType, Value, VariantType};

use crate::decode::{DecodeOptions, Decoder};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::skip::skip_checked;
use crate::{header, limits};

/// What is whole in damaged bytes.
#[derive(Debug)]
pub struct Salvaged {
    /// The value without what is broken: elements, entries and properties that are not whole are left out, and containers keep
    /// the others. None if nothing is left.
    pub value: Option<Value>,
    /// The broken parts, in the order of the bytes. A path counts elements as they were before any was left out.
    pub issues: Vec<DecodeError>,
    /// How many issues there are beyond these: at most [`MAX_ISSUES`] are kept.
    pub more_issues: usize,
}

/// How many issues are kept; fewer, where their paths are long.
pub const MAX_ISSUES: usize = 1000;
/// How many steps the paths of all issues may have together.
const MAX_STEPS: usize = 1 << 16;

/// The whole parts of the value that starts at byte number `start`. Bytes behind it are ignored.
///
/// Time and memory are bounded as those of decoding. What is intact gives the value that decoding gives, and no issue, except for
/// values that their typed containers do not take: [`Value`] can hold them, and Godot cannot.
pub fn salvage(bytes: &[u8], start: usize, options: DecodeOptions) -> Salvaged {
    let (within, is_cut) = limits::within(bytes, start, options.limits);
    let decoder = Decoder::at(within, start, options);
    let mut salvager = Salvager {
        decoder,
        issues: Vec::new(),
        more_issues: 0,
        depth: 0,
        steps_left: MAX_STEPS,
        is_lost: false,
    };
    let value = salvager.value(0);
    let explain = |error| limits::explain_cut(error, is_cut, options.limits);
    Salvaged {
        value,
        issues: salvager.issues.into_iter().map(explain).collect(),
        more_issues: salvager.more_issues,
    }
}

struct Salvager<'a> {
    decoder: Decoder<'a>,
    issues: Vec<DecodeError>,
    more_issues: usize,
    /// In how many containers the next value is.
    depth: usize,
    steps_left: usize,
    /// Nothing says where the next value begins.
    is_lost: bool,
}

impl Salvager<'_> {
    /// The whole parts of the value that begins here, at `depth`.
    fn value(&mut self, depth: usize) -> Option<Value> {
        let start = self.at();
        match self.decoder.header() {
            Ok((header, VariantType::Array)) => self.array(header, depth, start),
            Ok((header, VariantType::Dictionary)) => self.dictionary(header, depth, start),
            Ok((header, VariantType::Object)) => self.object(header, depth, start),
            Ok((_, VariantType::PackedStringArray)) => self.strings(start),
            Ok((header, ty)) => self.leaf(header, ty, depth, start),
            Err(error) => self.lose(error),
        }
    }

    /// A value that holds no others.
    fn leaf(&mut self, header: u32, ty: VariantType, depth: usize, start: usize) -> Option<Value> {
        self.decoder.cursor().move_to(start);
        let mut value = Value::Nil;
        let Err(error) = self.decoder.value(&mut value, depth) else { return Some(value) };
        if let DecodeErrorKind::CountTooLarge { .. } = error.kind()
            && let Some(packed) = PackedType::of(ty)
        {
            let elements = self.elements_there(header, packed, start);
            self.lose::<()>(error);
            return elements;
        }
        self.step_over(error, depth, start)
    }

    /// The whole elements of a packed array that declares more than there are.
    fn elements_there(&mut self, header: u32, ty: PackedType, start: usize) -> Option<Value> {
        let wide = ty.real_count().filter(|_| header & header::FLAG_64 != 0);
        let element_len = wide.map_or(ty.element_len(), |reals| reals * 8);
        let rest = self.decoder.cursor().bytes().get(start + 8..)?;
        let count = rest.len() / element_len;
        let whole = [
            &header.to_le_bytes()[..],
            &u32::try_from(count).ok()?.to_le_bytes(),
            &rest[..count * element_len],
        ]
        .concat();
        let mut value = Value::Nil;
        Decoder::new(&whole, self.decoder.options()).decode_into(&mut value).ok()?;
        Some(value)
    }

    /// The strings that are whole.
    fn strings(&mut self, start: usize) -> Option<Value> {
        let what = VariantType::PackedStringArray;
        // The engine refuses a negative count, too.
        let declared = match self.decoder.cursor().take_i32() {
            Ok(count) => usize::try_from(count).unwrap_or(0),
            Err(error) => return self.lose(error),
        };
        let count = self.count_there(what, declared, 4, start + 4);
        if let Err(error) = self.decoder.count(count, start) {
            return self.step_over(error, 0, start);
        }
        let mut strings = Vec::new();
        for index in 0..count {
            let text_at = self.at();
            match self.decoder.str(what) {
                Ok(text) => strings.push(text.into()),
                Err(error) => {
                    self.report(error.at(godot_variant::Segment::Index(index)));
                    // A text whose length is right was stepped over.
                    if self.at() <= text_at + 4 {
                        self.end_early(declared - index - 1);
                        break;
                    }
                }
            }
        }
        Some(Value::PackedStringArray(strings))
    }

    /// How many of the `declared` elements there may be, each of at least `element_len` bytes. Reports if they cannot all be there.
    fn count_there(
        &mut self,
        what: VariantType,
        declared: usize,
        element_len: usize,
        count_at: usize,
    ) -> usize {
        let checked = self.decoder.cursor().checked_count(what, declared, element_len, count_at);
        checked.unwrap_or_else(|error| {
            self.report(error);
            self.decoder.cursor().remaining().div_ceil(element_len)
        })
    }

    /// Reports what is wrong with the value at `start` and moves behind it, if its lengths are right.
    fn step_over(&mut self, error: DecodeError, depth: usize, start: usize) -> Option<Value> {
        self.report(error);
        self.decoder.cursor().move_to(start);
        self.is_lost |= skip_checked(&mut self.decoder, depth).is_err();
        None
    }

    /// Reports the fault of a value with an unknown end.
    fn lose<T>(&mut self, error: DecodeError) -> Option<T> {
        self.report(error);
        self.is_lost = true;
        None
    }

    /// Reports the number of elements of a container that cannot be found.
    fn end_early(&mut self, count: usize) {
        self.is_lost = true;
        if count > 0 {
            let at = self.decoder.offset();
            self.report(DecodeError::new(DecodeErrorKind::LostElements { count }, at));
        }
    }

    fn report(&mut self, issue: DecodeError) {
        match self.steps_left.checked_sub(self.depth) {
            Some(left) if self.issues.len() < MAX_ISSUES => {
                self.steps_left = left;
                self.issues.push(issue);
            }
            _ => self.more_issues += 1,
        }
    }

    fn at(&mut self) -> usize {
        self.decoder.cursor().position()
    }
}
