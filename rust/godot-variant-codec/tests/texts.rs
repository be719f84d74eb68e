//! The engine's texts, which are units of 32 bits, through each kind of output.

use godot_variant_codec::variant::{Sink, StringKind, Text, VariantType};
use godot_variant_codec::{Buffer, Encoder, Exact, Measure};

/// Lengths on both sides of every width that is written at once.
const LENS: [usize; 12] = [0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 33, 100];

const KINDS: [StringKind; 2] = [StringKind::String, StringKind::StringName];

/// Each length with nothing but ASCII, and with one other unit at each place.
fn each_text(mut check: impl FnMut(&[u32])) {
    for len in LENS {
        let units: Vec<u32> = (0..len as u32).map(|index| 0x20 + index % 0x60).collect();
        check(&units);
        for other in [0, 0x80, 0x7FF, 0x800, 0xD800, 0xFFFF, 0x1_0000, 0x10_FFFF] {
            for index in 0..len {
                let mut units = units.clone();
                units[index] = other;
                check(&units);
            }
        }
    }
}

/// UTF-8 by its definition, for surrogates too, as Godot writes them.
fn utf8(units: &[u32]) -> Vec<u8> {
    let tail = |unit: u32, shift: u32| (0x80 | unit >> shift & 0x3F) as u8;
    let bytes = units.iter().flat_map(|&unit| match unit {
        0..=0x7F => vec![unit as u8],
        0x80..=0x7FF => vec![0xC0 | (unit >> 6) as u8, tail(unit, 0)],
        0x800..=0xFFFF => vec![0xE0 | (unit >> 12) as u8, tail(unit, 6), tail(unit, 0)],
        _ => vec![0xF0 | (unit >> 18) as u8, tail(unit, 12), tail(unit, 6), tail(unit, 0)],
    });
    bytes.collect()
}

/// Header, length, text, and zeros up to a whole word.
fn expected(kind: StringKind, units: &[u32]) -> Vec<u8> {
    let ty = match kind {
        StringKind::String => VariantType::String,
        StringKind::StringName => VariantType::StringName,
    };
    let text = utf8(units);
    let mut bytes = u32::from(ty.id()).to_le_bytes().to_vec();
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

#[test]
fn every_output_gets_the_same_bytes() {
    each_text(|units| {
        for kind in KINDS {
            let expected = expected(kind, units);
            let text = Text::Utf32(units);

            let mut growing = Vec::new();
            Encoder::new(&mut growing).string(kind, text).unwrap();
            assert_eq!(growing, expected, "{units:x?}");

            let mut kept = Buffer::default();
            Encoder::new(&mut kept).string(kind, text).unwrap();
            assert_eq!(kept.kept(), Some(&*expected), "{units:x?}");

            let mut counted = Measure::default();
            Encoder::new(&mut counted).string(kind, text).unwrap();
            assert_eq!(counted.len(), expected.len(), "{units:x?}");
        }
    });
}

/// What was there before shines through wherever something is left out, and what follows shows what is too much.
#[test]
fn texts_in_a_row_leave_no_gaps_and_overwrite_nothing() {
    let row = |units: &[u32]| [expected(KINDS[0], units), expected(KINDS[0], &[0x61])].concat();
    each_text(|units| {
        let expected = row(units);
        let texts = [Text::Utf32(units), Text::Utf32(&[0x61])];

        let mut exact = vec![0xAA; expected.len()];
        let mut out = Exact::new(&mut exact);
        for text in texts {
            Encoder::new(&mut out).string(KINDS[0], text).unwrap();
        }
        assert_eq!(exact, expected, "{units:x?}");

        let mut used = Buffer::default();
        Encoder::new(&mut used).string(KINDS[0], Text::Utf32(&[0x7A; 500])).unwrap();
        used.reset(usize::MAX);
        for text in texts {
            Encoder::new(&mut used).string(KINDS[0], text).unwrap();
        }
        assert_eq!(used.kept(), Some(&*expected), "{units:x?}");
    });
}

#[test]
fn a_buffer_with_a_limit_counts_what_it_does_not_keep() {
    each_text(|units| {
        let expected = expected(KINDS[0], units);
        for limit in [0, 7, 8, 16, expected.len().saturating_sub(1)] {
            let mut buffer = Buffer::with_limit(limit);
            Encoder::new(&mut buffer).string(KINDS[0], Text::Utf32(units)).unwrap();
            assert_eq!(buffer.written(), expected.len(), "{units:x?} with {limit}");
            assert_eq!(buffer.kept(), None, "{units:x?} with {limit}");
        }
    });
}
