//! Runs of elements of one plain type, of which large arrays consist.
//!
//! The loop over an array's elements asks for each one what it is, and whether its bytes are there. Here both
//! are found out for a whole run before any of it is emitted, so that what is left is a loop that moves words.

use bytemuck::{Pod, pod_read_unaligned};
use godot_variant::plain::{Color, Plain, Transform3D, Vector2, Vector3};
use godot_variant::{ArraySink, Real, Refusal};

use crate::cursor::Cursor;
use crate::header::{
    self, BOOL, COLOR, FLOAT, FLOAT_64, INT, INT_64, TRANSFORM3D, VECTOR2, VECTOR3,
};

/// How many elements a run has: few enough for the nearest cache.
const PLAIN_RUN_COUNT: usize = 64;
const HEADER_LEN: usize = 4;

/// What became of a run.
type RunResult = Result<(), (usize, Refusal)>;

/// Where in an array it is worth to look for a run.
#[derive(Default)]
pub(super) struct Runs {
    /// After a look in vain the same elements are not looked at again.
    next: usize,
}

impl Runs {
    /// Tells the elements from `index` on, if they are a run, and says how many they were.
    #[inline]
    pub(super) fn emit<A: ArraySink>(
        &mut self,
        cursor: &mut Cursor<'_>,
        index: usize,
        count: usize,
        elements: &mut A,
    ) -> Option<(usize, RunResult)> {
        if index < self.next || count - index < PLAIN_RUN_COUNT {
            return None;
        }
        let result = emit_run(cursor, elements);
        if result.is_none() {
            self.next = index + PLAIN_RUN_COUNT;
        }
        result.map(|result| (PLAIN_RUN_COUNT, result))
    }
}

#[inline]
fn emit_run<A: ArraySink>(cursor: &mut Cursor<'_>, elements: &mut A) -> Option<RunResult> {
    match cursor.peek_u32()? {
        BOOL => tell_alike(cursor, BOOL, elements, |word: u32| word != 0),
        INT | INT_64 => {
            let narrow = |word: u32| i64::from(word.cast_signed());
            match tell_alike(cursor, INT, elements, narrow) {
                Some(result) => Some(result),
                None => tell_numbers(cursor, INT, elements, narrow, u64::cast_signed),
            }
        }
        FLOAT | FLOAT_64 => {
            let narrow = |word| f64::from(f32::from_bits(word));
            tell_numbers(cursor, FLOAT, elements, narrow, f64::from_bits)
        }
        VECTOR2 => tell_alike(cursor, VECTOR2, elements, |parts: [Real; 2]| Vector2(parts)),
        VECTOR3 => tell_alike(cursor, VECTOR3, elements, |parts: [Real; 3]| Vector3(parts)),
        COLOR => tell_alike(cursor, COLOR, elements, |parts: [f32; 4]| Color(parts)),
        TRANSFORM3D => {
            tell_alike(cursor, TRANSFORM3D, elements, |parts: [Real; 12]| Transform3D(parts))
        }
        _ => None,
    }
}

/// Elements that all have the same header, and content of the same length.
#[inline(always)]
fn tell_alike<A: ArraySink, C: Pod, T: Plain>(
    cursor: &mut Cursor<'_>,
    header: u32,
    elements: &mut A,
    value: impl Fn(C) -> T,
) -> Option<RunResult> {
    let stride = HEADER_LEN + size_of::<C>();
    let run = cursor.peek(PLAIN_RUN_COUNT * stride)?.chunks_exact(stride);
    let is_alike = |element: &[u8]| element.first_chunk() == Some(&header.to_le_bytes());
    if !run.clone().all(is_alike) {
        return None;
    }
    cursor.move_to(cursor.position() + PLAIN_RUN_COUNT * stride);
    Some(elements.run(run.map(|element| value(pod_read_unaligned(&element[HEADER_LEN..])))))
}

/// Numbers of 32 and of 64 bits as they come. Nobody can guess which is next, so there is no branch between them,
/// and the headers at both places where the next number may start are loaded before it is known which one it is.
#[inline(always)]
fn tell_numbers<A: ArraySink, T: Plain + Default>(
    cursor: &mut Cursor<'_>,
    header: u32,
    elements: &mut A,
    narrow: impl Fn(u32) -> T,
    wide: impl Fn(u64) -> T,
) -> Option<RunResult> {
    const NARROW_LEN: usize = HEADER_LEN + size_of::<u32>();
    const WIDE_LEN: usize = HEADER_LEN + size_of::<u64>();
    let bytes: &[u8; PLAIN_RUN_COUNT * WIDE_LEN + HEADER_LEN] =
        cursor.peek(PLAIN_RUN_COUNT * WIDE_LEN + HEADER_LEN)?.try_into().ok()?;
    let mut numbers = [T::default(); PLAIN_RUN_COUNT];
    let (mut at, mut all_numbers) = (0, true);
    let mut found = u32::from_le_bytes(*bytes.first_chunk()?);
    for number in &mut numbers {
        let next: &[u8; WIDE_LEN] = bytes.get(at + HEADER_LEN..)?.first_chunk()?;
        let [low @ .., _, _, _, _, _, _, _, _] = *next;
        let [content @ .., _, _, _, _] = *next;
        let [_, _, _, _, behind_narrow @ .., _, _, _, _] = *next;
        let [_, _, _, _, _, _, _, _, behind_wide @ ..] = *next;
        let is_wide = found & header::FLAG_64 != 0;
        all_numbers &= found & !header::FLAG_64 == header;
        *number = match is_wide {
            true => wide(u64::from_le_bytes(content)),
            false => narrow(u32::from_le_bytes(low)),
        };
        at += if is_wide { WIDE_LEN } else { NARROW_LEN };
        found = u32::from_le_bytes(if is_wide { behind_wide } else { behind_narrow });
    }
    if !all_numbers {
        return None;
    }
    cursor.move_to(cursor.position() + at);
    Some(elements.run(numbers.into_iter()))
}
