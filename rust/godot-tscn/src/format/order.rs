//! The order in which Godot writes parts without an order of their own.

use std::cmp::Ordering;
use std::ops::Range;

use crate::decode;
use crate::document::TagKind;
use crate::format::style::Style;
use crate::number::Numeral;
use crate::span::Span;
use crate::syntax::lexer::number_end;
use crate::syntax::scan::identifier_end;

/// An entry of a dictionary.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The key in the text.
    pub(crate) key: Span,
    /// The output for key and value.
    pub(crate) piece: Range<usize>,
}

/// The order of the pieces by `compare`, equal ones as they were. Returns nothing if that is the
/// order they are in.
pub(crate) fn stable_order(
    count: usize,
    compare: impl Fn(usize, usize) -> Ordering,
) -> Option<Vec<usize>> {
    if (1..count).all(|next| compare(next - 1, next) != Ordering::Greater) {
        return None;
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| compare(*a, *b));
    Some(order)
}

/// The place of fields that do not belong to their tag: the last.
pub(crate) const UNKNOWN_FIELD: u8 = 255;

/// The place of a field in its tag (`ResourceFormatSaverTextInstance::save`, 4.6.3, and 3.6.2 for
/// `ext_resource`s).
pub(crate) fn field_rank(style: Style, kind: TagKind, name: &[u8]) -> u8 {
    match kind {
        TagKind::GdScene | TagKind::GdResource => match name {
            b"type" => 0,
            b"script_class" => 1,
            b"load_steps" => 2,
            b"format" => 3,
            b"uid" => 4,
            _ => UNKNOWN_FIELD,
        },
        TagKind::ExtResource => match (style, name) {
            (Style::Godot3, b"path") | (Style::Godot4, b"type") => 0,
            (Style::Godot3, b"type") | (Style::Godot4, b"uid") => 1,
            (Style::Godot4, b"path") => 2,
            (_, b"id") => 3,
            _ => UNKNOWN_FIELD,
        },
        TagKind::SubResource => match name {
            b"type" => 0,
            b"id" => 1,
            _ => UNKNOWN_FIELD,
        },
        TagKind::Node => match name {
            b"name" => 0,
            b"type" => 1,
            b"parent" => 2,
            b"parent_id_path" => 3,
            b"owner" => 4,
            b"owner_uid_path" => 5,
            b"index" => 6,
            b"unique_id" => 7,
            b"node_paths" => 8,
            b"groups" => 9,
            b"instance_placeholder" => 10,
            b"instance" => 11,
            _ => UNKNOWN_FIELD,
        },
        TagKind::Connection => match name {
            b"signal" => 0,
            b"from" => 1,
            b"to" => 2,
            b"method" => 3,
            b"flags" => 4,
            b"from_uid_path" => 5,
            b"to_uid_path" => 6,
            b"unbinds" => 7,
            b"binds" => 8,
            _ => UNKNOWN_FIELD,
        },
        TagKind::Resource | TagKind::Editable | TagKind::Nested | TagKind::Unknown => UNKNOWN_FIELD,
    }
}

/// `String::naturalnocasecmp_to` of two ids: numbers in them count as such.
pub fn compare_ids(a: &[u8], b: &[u8]) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (Some(&first), Some(&second)) = (a.first(), b.first()) else {
            return a.len().cmp(&b.len());
        };
        match (first.is_ascii_digit(), second.is_ascii_digit()) {
            (true, true) => {
                let (number, rest) = leading_number(a);
                let (other, other_rest) = leading_number(b);
                let order = number.len().cmp(&other.len()).then_with(|| number.cmp(other));
                if order != Ordering::Equal {
                    return order;
                }
                (a, b) = (rest, other_rest);
            }
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {
                let order = first.to_ascii_uppercase().cmp(&second.to_ascii_uppercase());
                if order != Ordering::Equal {
                    return order;
                }
                (a, b) = (&a[1..], &b[1..]);
            }
        }
    }
}

/// The digits at the start, without leading zeros, and the rest.
fn leading_number(text: &[u8]) -> (&[u8], &[u8]) {
    let length = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(length);
    let zeros = number.iter().take_while(|digit| **digit == b'0').count();
    (&number[zeros..], rest)
}

/// The order of a dictionary's entries, or nothing if it stays.
///
/// Types come in the order of their ids; `String` and `StringName` are one (`StringLikeVariantOrder`,
/// core/variant/variant.cpp). Types that have no `<` are all equal for the engine, and its sort is
/// not stable: their order is unknown and stays. So does that of a mix of StringNames and types
/// between the two ids, for which the comparison is not transitive.
pub(crate) fn entry_order(source: &[u8], entries: &[Entry]) -> Option<Vec<usize>> {
    let is_sorted =
        |pair: &[Entry]| plain_strings(source, &pair[0], &pair[1]).is_some_and(Ordering::is_le);
    if entries.windows(2).all(is_sorted) {
        return None;
    }
    let keys: Option<Vec<Key>> =
        entries.iter().map(|entry| Key::of(entry.key.of(source))).collect();
    let keys = keys?;
    let has_names = keys.iter().any(|key| matches!(key, Key::StringName(_)));
    let is_between = |key: &Key| (STRING_RANK + 1..STRING_NAME_RANK).contains(&key.rank());
    if has_names && keys.iter().any(is_between) {
        return None;
    }
    stable_order(keys.len(), |a, b| keys[a].compare(&keys[b]))
}

/// How two keys compare that are strings without escapes, as nearly all are.
#[inline]
fn plain_strings(source: &[u8], a: &Entry, b: &Entry) -> Option<Ordering> {
    let ([b'"', a @ .., b'"'], [b'"', b @ .., b'"']) = (a.key.of(source), b.key.of(source)) else {
        return None;
    };
    (!a.contains(&b'\\') && !b.contains(&b'\\')).then(|| a.cmp(b))
}

/// `Variant::Type` of strings and of StringNames, Godot 4.6.
const STRING_RANK: u8 = 4;
const STRING_NAME_RANK: u8 = 21;

enum Key {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(Vec<u8>),
    StringName(Vec<u8>),
    /// The type's id, and components that are compared one after the other.
    Vector(u8, Vec<f64>),
}

impl Key {
    fn of(text: &[u8]) -> Option<Self> {
        Some(match *text.first()? {
            b'"' => Self::String(decode::text(text).into_owned()),
            b'&' | b'@' => Self::StringName(decode::text(text).into_owned()),
            b'-' | b'0'..=b'9' if !text.ends_with(b"inf") && !text.ends_with(b"inf_neg") => {
                let numeral = Numeral::parse(text);
                match numeral.to_i64() {
                    Some(int) => Self::Int(int),
                    None if numeral.is_float => Self::Float(numeral.to_f64()),
                    None => return None,
                }
            }
            _ => match text {
                b"null" | b"nil" => Self::Null,
                b"true" => Self::Bool(true),
                b"false" => Self::Bool(false),
                b"inf" => Self::Float(f64::INFINITY),
                b"-inf" | b"inf_neg" => Self::Float(f64::NEG_INFINITY),
                _ => return Self::vector(text),
            },
        })
    }

    /// The types that have a `<`.
    fn vector(text: &[u8]) -> Option<Self> {
        let name_end = identifier_end(text, 0);
        let rank = match &text[..name_end] {
            b"Vector2" => 5,
            b"Vector2i" => 6,
            b"Vector3" => 9,
            b"Vector3i" => 10,
            b"Vector4" => 12,
            b"Vector4i" => 13,
            _ => return None,
        };
        let mut components = Vec::new();
        let mut pos = name_end;
        while let Some(&byte) = text.get(pos) {
            if byte == b'-' || byte.is_ascii_digit() {
                let end = number_end(text, pos + usize::from(byte == b'-'));
                components.push(f64::from(Numeral::parse(&text[pos..end]).to_f32()));
                pos = end;
            } else if byte <= b' ' || b"(,)".contains(&byte) {
                pos += 1;
            } else {
                return None;
            }
        }
        Some(Self::Vector(rank, components))
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(_) => 1,
            Self::Int(_) => 2,
            Self::Float(_) => 3,
            Self::String(_) | Self::StringName(_) => STRING_RANK,
            Self::Vector(rank, _) => *rank,
        }
    }

    /// No key is NaN.
    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Int(a), Self::Int(b)) => a.cmp(b),
            (Self::Float(a), Self::Float(b)) => a.total_cmp(b),
            (Self::Vector(rank, a), Self::Vector(other, b)) if rank == other => a
                .iter()
                .map(|component| component + 0.0)
                .partial_cmp(b.iter().map(|component| component + 0.0))
                .unwrap_or(Ordering::Equal),
            (Self::String(a) | Self::StringName(a), Self::String(b) | Self::StringName(b)) => {
                a.cmp(b)
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }
}
