//! Whether two values are the same to Godot, however they are written.

use crate::number::parse_float;
use crate::value::tree::{PartKind, PartRef, ValueTree};

/// Whether Godot reads both as the same value: white space, escapes in strings, and digits that make no difference. A whole
/// number is not the same as one with a point, except where all numbers have points.
pub(super) fn is_alike(one: &[u8], other: &[u8]) -> bool {
    if one == other {
        return true;
    }
    let trees = [ValueTree::new(one), ValueTree::new(other)];
    let mut parts = trees[0].parts();
    let mut others = trees[1].parts();
    loop {
        match (parts.next(), others.next()) {
            (None, None) => return true,
            (Some(part), Some(other)) if is_same_part(part, other) => {}
            _ => return is_same_bytes(trees[0].root(), trees[1].root()),
        }
    }
}

/// Whether two parts are the same except for the parts inside them.
fn is_same_part(one: PartRef<'_>, other: PartRef<'_>) -> bool {
    if one.kind() != other.kind() {
        return false;
    }
    match one.kind() {
        PartKind::String | PartKind::StringName => one.text() == other.text(),
        PartKind::Number => is_same_number(one, other),
        PartKind::Word => one.source() == other.source(),
        PartKind::Color => one.source().eq_ignore_ascii_case(other.source()),
        PartKind::Numbers => is_same_numbers(one, other),
        PartKind::Construct | PartKind::Typed | PartKind::Array | PartKind::Dictionary => {
            one.name() == other.name() && one.children().count() == other.children().count()
        }
    }
}

fn is_same_number(one: PartRef<'_>, other: PartRef<'_>) -> bool {
    match (one.int(), other.int()) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.number() == other.number(),
        _ => false,
    }
}

/// For constructs with nothing but numbers: whole numbers are exact; most of the others have 32 bits each (`real_t`,
/// core/math/math_defs.h, Godot 4.6.3).
fn is_same_numbers(one: PartRef<'_>, other: PartRef<'_>) -> bool {
    const WIDE: &[&[u8]] = &[b"PackedFloat64Array", b"PackedInt64Array", b"PackedInt32Array"];
    let name = one.name();
    let is_wide = WIDE.contains(&name);
    let is_same = |(one, other): (&[u8], &[u8])| {
        if one == other {
            return true;
        }
        let whole = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<i64>().ok();
        if let (Some(one), Some(other)) = (whole(one), whole(other)) {
            return one == other;
        }
        let (one, other) = (parse_float(one), parse_float(other));
        if is_wide { one == other } else { one as f32 == other as f32 }
    };
    name == other.name()
        && one.number_count() == other.number_count()
        && one.numbers().zip(other.numbers()).all(is_same)
}

/// A `PackedByteArray` in Base64 and one of numbers.
fn is_same_bytes(one: PartRef<'_>, other: PartRef<'_>) -> bool {
    matches!((one.bytes(), other.bytes()), (Some(one), Some(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::is_alike;

    #[test]
    fn spellings() {
        let alike = [
            ("Vector2(1, 2)", "Vector2( 1.0, 2 )"),
            ("Vector2(0.1, 2)", "Vector2(0.100000001, 2)"),
            ("0.50", "0.5"),
            ("\"a\\nb\"", "\"a\nb\""),
            ("{\"a\":1}", "{\n\"a\": 1\n}"),
            ("PackedByteArray(1, 2)", "PackedByteArray(\"AQI=\")"),
            ("#FF0000", "#ff0000"),
        ];
        for (one, other) in alike {
            assert!(is_alike(one.as_bytes(), other.as_bytes()), "{one} {other}");
        }
        let others = [
            ("1", "1.0"),
            ("Vector2(1, 2)", "Vector2i(1, 2)"),
            ("[1, [2]]", "[1, 2]"),
            ("[[1], 2]", "[[1, 2]]"),
            ("PackedInt64Array(9007199254740993)", "PackedInt64Array(9007199254740992)"),
            ("&\"a\"", "\"a\""),
            ("true", "false"),
        ];
        for (one, other) in others {
            assert!(!is_alike(one.as_bytes(), other.as_bytes()), "{one} {other}");
        }
    }
}
