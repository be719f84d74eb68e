//! Number tokens in the form in which Godot writes the number that it reads.

use std::borrow::Cow;

use crate::format::printer::Printer;
use crate::format::profile::NumberRule;
use crate::format::spacing::Spacing;
use crate::number::{Numeral, write_f32, write_f64, write_six_digits};
use crate::span::Span;

/// The meaning of a number token for Godot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    /// A value of its own: an int, or a float of 64 bits that shows that it is one.
    Bare,
    /// A component of 32 bits.
    Narrow,
    /// An element of a `PackedFloat64Array`.
    Wide,
    /// A component or an element that is a whole number.
    Int,
}

impl Context {
    /// For the numbers between the parentheses of a construct, by the name that Godot 4 writes for it, for an engine with
    /// a `real_t` of 32 bits.
    pub(crate) fn of_construct(name: &[u8]) -> Self {
        match name {
            b"PackedFloat64Array" => Self::Wide,
            b"Vector2i" | b"Rect2i" | b"Vector3i" | b"Vector4i" | b"PackedByteArray"
            | b"PackedInt32Array" | b"PackedInt64Array" => Self::Int,
            _ => Self::Narrow,
        }
    }
}

/// Up to this number of digits, every 32-bit number in its simplest form is canonical by every
/// rule; a test checks all of them.
const SHORT: usize = 6;

/// Whether the number is short, and no zero with a sign.
#[inline]
fn is_short(numeral: Numeral) -> bool {
    numeral.digit_count <= SHORT && !(numeral.is_negative && numeral.is_zero())
}

/// Whether the text is a whole number in its simplest form, and then `.0`.
#[inline]
fn is_plain_whole(text: &[u8]) -> bool {
    let [whole @ .., b'.', b'0'] = text else { return false };
    let digits = whole.strip_prefix(b"-").unwrap_or(whole);
    digits.iter().all(u8::is_ascii_digit) && (digits == b"0" || !digits.starts_with(b"0"))
}

impl NumberRule {
    /// Writes a 32-bit number.
    pub(crate) fn write_f32(self, out: &mut Vec<u8>, value: f32) {
        match self {
            Self::SixDigits => write_six_digits(out, f64::from(value)),
            Self::Shortest | Self::Either => write_f32(out, value),
        }
    }
}

impl Printer<'_> {
    /// Writes the number that was read last.
    #[inline]
    pub(crate) fn number(&mut self, spacing: Spacing, context: Context) {
        self.spacing(spacing);
        let text = self.token.span.of(self.source);
        let numeral = Numeral::parse(text);
        let is_same = match context {
            Context::Narrow => {
                // Both zeros are one number for Godot's `==`, and written alike.
                self.fingerprint.number(u64::from((numeral.to_f32() + 0.0).to_bits()));
                is_short(numeral) && numeral.is_plain
            }
            Context::Bare if !numeral.is_float => return self.int(numeral, text),
            Context::Int => return self.whole(numeral, text),
            Context::Bare => {
                self.fingerprint.number((numeral.to_f64() + 0.0).to_bits());
                // The right form for a property of 32 bits is right.
                is_short(numeral) && (numeral.is_plain || is_plain_whole(text))
            }
            Context::Wide => {
                let value = numeral.to_f64() + 0.0;
                self.fingerprint.number(value.to_bits());
                is_short(numeral) && numeral.is_plain && f64::from(value as f32) == value
            }
        };
        if is_same { self.copy() } else { self.long_number(numeral, context) }
    }

    /// Writes the next numbers of 32 bits in their right form, each with the comma after it, up to
    /// the last one or one that needs a closer look. Returns whether there were any.
    ///
    /// Nearly all numbers of a scene are like this, and need no tokens.
    #[inline]
    pub(crate) fn plain_numbers(&mut self, needs_space: bool) -> bool {
        let start = self.lexer.pos;
        if needs_space && self.source.get(start) != Some(&b' ') {
            return false;
        }
        let (mut pos, mut end) = (start + usize::from(needs_space), start);
        let mut printed = std::mem::take(&mut self.scratch);
        let is_shortest = self.profile.numbers != NumberRule::SixDigits;
        while let Some([b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..]) = self.source.get(pos..) {
            let (numeral, length) = Numeral::scan(&self.source[pos..]);
            let text = &self.source[pos..pos + length];
            pos += length;
            let value = numeral.to_f32();
            let mut is_printed = || {
                printed.clear();
                write_f32(&mut printed, value);
                printed == text
            };
            let is_followed = matches!(self.source.get(pos..), Some([b',', b' ', ..]));
            let is_right = numeral.is_plain && is_short(numeral) || is_shortest && is_printed();
            if !is_followed || !is_right {
                break;
            }
            self.fingerprint.number(u64::from((value + 0.0).to_bits()));
            end = pos + 1;
            pos += 2;
        }
        self.scratch = printed;
        if end > start {
            self.lexer.pos = end;
            self.copy_span(Span::new(start as u32, end as u32));
        }
        end > start
    }

    /// Writes a number after comparing its form with the canonical one.
    fn long_number(&mut self, numeral: Numeral, context: Context) {
        let text = self.token.span.of(self.source);
        let mut out = std::mem::take(&mut self.scratch);
        if is_canonical(self.profile.numbers, context, numeral, text, &mut out) {
            self.copy();
        } else {
            self.put(&out);
        }
        self.scratch = out;
    }

    /// Writes an int. A number that does not fit into 64 bits stays.
    fn int(&mut self, numeral: Numeral, text: &[u8]) {
        match numeral.to_i64() {
            Some(value) => {
                self.fingerprint.number(value as u64);
                let is_same = numeral.is_plain && (value != 0 || text == b"0");
                if is_same { self.copy() } else { self.put(value.to_string().as_bytes()) }
            }
            None => {
                self.fingerprint.bytes(b'0', text);
                self.copy();
            }
        }
    }

    /// Writes a number where Godot takes a whole one; it cuts off the digits after the period.
    fn whole(&mut self, numeral: Numeral, text: &[u8]) {
        if !numeral.is_float {
            return self.int(numeral, text);
        }
        let value = numeral.to_f64();
        // Beyond the 32-bit range the outcome depends on the machine.
        if value.abs() < f64::from(i32::MAX) {
            let value = value as i64;
            self.fingerprint.number(value as u64);
            self.put(value.to_string().as_bytes());
        } else {
            self.fingerprint.bytes(b'0', text);
            self.copy();
        }
    }
}

/// Whether a number may stay as it is; else its new form is in `out`.
///
/// Only the engine knows whether a bare float belongs to a property of 32 bits or of 64: the printed
/// form for either stays. If one must be chosen, it is the shorter. Godot reads some numbers as a
/// neighbour of the nearest (see [`Numeral`]). A text that is the printed form of the nearest stays, or
/// the engine's own output would change; so does a text with a new form that would be read as yet
/// another number.
fn is_canonical(
    rule: NumberRule,
    context: Context,
    numeral: Numeral,
    text: &[u8],
    out: &mut Vec<u8>,
) -> bool {
    let value = match context {
        Context::Narrow => f64::from(numeral.to_f32()),
        _ => numeral.to_f64(),
    };
    let is_read_back = |text: &[u8]| match context {
        Context::Narrow => f64::from(Numeral::parse(text).to_f32()) == value,
        _ => Numeral::parse(text).to_f64() == value,
    };
    print(rule, context, value, out);
    if out == text {
        return true;
    }
    let mut narrow = Vec::new();
    if context == Context::Bare && rule != NumberRule::SixDigits {
        print(rule, context, f64::from(value as f32), &mut narrow);
        if narrow == text {
            return true;
        }
    }
    let mut six_digits = Vec::new();
    if rule != NumberRule::Shortest {
        print(NumberRule::SixDigits, context, value, &mut six_digits);
        if six_digits == text || six_digits[..] == without_third_digit(text)[..] {
            return true;
        }
    }
    if is_nearest(rule, context, value, text) {
        return true;
    }
    // If the version is unknown, an exponent shows that it was the older rule.
    let has_exponent = text.iter().any(|byte| matches!(byte, b'e' | b'E'));
    if rule == NumberRule::Either && has_exponent && is_read_back(&six_digits) {
        *out = six_digits;
    } else if !narrow.is_empty() && is_read_back(&narrow) {
        *out = narrow;
    }
    !is_read_back(out)
}

/// Whether `text` is the printed form of the nearest number, if Godot reads it as another one than
/// that, `value`.
fn is_nearest(rule: NumberRule, context: Context, value: f64, text: &[u8]) -> bool {
    let nearest = std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok());
    nearest.is_some_and(|nearest| {
        let mut printed = Vec::new();
        if nearest != value {
            print(rule, context, nearest, &mut printed);
        }
        printed == text
    })
}

/// Godot's builds for Windows wrote `1e-005` (godotengine/godot#24137): returns `1e-05`.
fn without_third_digit(text: &[u8]) -> Cow<'_, [u8]> {
    match text {
        [start @ .., b'e', sign @ (b'-' | b'+'), b'0', first, second]
            if first.is_ascii_digit() && second.is_ascii_digit() =>
        {
            Cow::Owned([start, &[b'e', *sign, *first, *second]].concat())
        }
        _ => Cow::Borrowed(text),
    }
}

fn print(rule: NumberRule, context: Context, value: f64, out: &mut Vec<u8>) {
    out.clear();
    match (rule, context) {
        (NumberRule::SixDigits, _) => write_six_digits(out, value),
        (_, Context::Narrow) => write_f32(out, value as f32),
        _ => write_f64(out, value),
    }
    // `Append ".0" to floats to ensure they are float literals` (`VariantWriter::write`).
    let is_whole = |out: &[u8]| out.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-');
    if context == Context::Bare && is_whole(out) {
        out.extend_from_slice(b".0");
    }
}
