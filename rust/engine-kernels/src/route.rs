//! The route of a value to its encoded bytes.
//!
//! | route | for | what happens |
//! |---|---|---|
//! | [`Route::Engine`] | short packed arrays | the engine's own `var_to_bytes` |
//! | [`Route::PackedCopy`] | packed arrays of [`PACKED_COPY_LEN`] bytes and more | one copy into an array that was never written |
//! | [`Route::PackedParallel`] | those of [`PACKED_PARALLEL_LEN`] bytes and more | the same, by all cores |
//! | [`Route::LongText`] | a `String` of [`LONG_TEXT_COUNT`] units and more | ASCII by all cores; else UTF-8 in chunks |
//! | [`Route::Chunks`] | large containers and `PackedStringArray`s | cut into chunks, which all cores encode |
//! | [`Route::Buffer`] | all else | one pass into a buffer that stays, then a copy; a second pass if it is too long |
//!
//! A value that cannot be cut, or whose chunks cannot be encoded, takes [`Route::Buffer`], whose single pass
//! also finds the path to what is wrong.

use variant::PackedType;

use crate::tuning::{LONG_TEXT_COUNT, PACKED_COPY_LEN, PACKED_PARALLEL_LEN, PARALLEL_TEXTS_COUNT};

/// How a value is encoded: see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// By the engine's own function.
    Engine,
    /// By one copy of a packed array's elements.
    PackedCopy,
    /// By a copy that all cores share.
    PackedParallel,
    /// By all cores, in runs of units.
    LongText,
    /// By all cores, chunk by chunk.
    Chunks,
    /// In one pass into the buffer.
    Buffer,
}

/// What the route of a value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A packed array of fixed width.
    Packed {
        /// The type of its elements.
        ty: PackedType,
        /// How many bytes they take.
        len: usize,
    },
    /// A `String` of `count` units.
    Text {
        /// How many units it has.
        count: usize,
    },
    /// A `PackedStringArray`.
    Strings {
        /// How many strings it has.
        count: usize,
    },
    /// An `Array` or a `Dictionary`.
    Container {
        /// Whether it is, or holds near its surface, a container that is worth cutting.
        holds_large: bool,
    },
    /// A value of another type.
    Other,
}

/// What a call and the running engine allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// The engine gives byte arrays that are not filled with zeros.
    pub uninit_arrays: bool,
    /// Objects are encoded as ids: no script runs, so that several threads may read the value.
    pub parallel: bool,
}

/// The route of a value.
#[inline]
pub const fn route(subject: Subject, abilities: Abilities) -> Route {
    match subject {
        Subject::Packed { ty, len } => packed_route(ty, len, abilities.uninit_arrays),
        Subject::Text { count } if abilities.parallel && count >= LONG_TEXT_COUNT => {
            Route::LongText
        }
        Subject::Strings { count } if abilities.parallel && count >= PARALLEL_TEXTS_COUNT => {
            Route::Chunks
        }
        Subject::Container { holds_large: true } if abilities.parallel => Route::Chunks,
        _ => Route::Buffer,
    }
}

/// The engine copies a `PackedByteArray` at once, and any other packed array element by element.
const fn packed_route(ty: PackedType, len: usize, uninit_arrays: bool) -> Route {
    if !uninit_arrays {
        Route::Engine
    } else if len >= PACKED_PARALLEL_LEN {
        Route::PackedParallel
    } else if len >= PACKED_COPY_LEN && !matches!(ty, PackedType::Byte) {
        Route::PackedCopy
    } else {
        Route::Engine
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const ALL: Abilities = Abilities { uninit_arrays: true, parallel: true };
    const PORTABLE: Abilities = Abilities { uninit_arrays: false, parallel: true };
    const WITH_OBJECTS: Abilities = Abilities { uninit_arrays: true, parallel: false };

    fn packed(ty: PackedType, len: usize) -> Subject {
        Subject::Packed { ty, len }
    }

    #[test]
    fn packed_arrays_are_copied_from_the_length_on_that_pays() {
        let ints = |len| route(packed(PackedType::Int32, len), ALL);
        assert_eq!(ints(0), Route::Engine);
        assert_eq!(ints(PACKED_COPY_LEN - 4), Route::Engine);
        assert_eq!(ints(PACKED_COPY_LEN), Route::PackedCopy);
        assert_eq!(ints(PACKED_PARALLEL_LEN - 4), Route::PackedCopy);
        assert_eq!(ints(PACKED_PARALLEL_LEN), Route::PackedParallel);
    }

    #[test]
    fn the_engine_copies_bytes_itself_until_several_cores_are_faster() {
        let bytes = |len| route(packed(PackedType::Byte, len), ALL);
        assert_eq!(bytes(PACKED_COPY_LEN), Route::Engine);
        assert_eq!(bytes(PACKED_PARALLEL_LEN - 1), Route::Engine);
        assert_eq!(bytes(PACKED_PARALLEL_LEN), Route::PackedParallel);
    }

    #[test]
    fn packed_arrays_are_the_engine_s_where_it_fills_what_it_gives() {
        for ty in PackedType::ALL {
            for len in [0, PACKED_COPY_LEN, PACKED_PARALLEL_LEN] {
                assert_eq!(route(packed(ty, len), PORTABLE), Route::Engine, "{ty:?}, {len}");
                let with_objects = route(packed(ty, len), WITH_OBJECTS);
                assert_eq!(with_objects, route(packed(ty, len), ALL), "no array holds objects");
            }
        }
    }

    #[test]
    fn what_is_large_is_for_all_cores() {
        let text = |count| Subject::Text { count };
        let strings = |count| Subject::Strings { count };
        let large = Subject::Container { holds_large: true };
        for (subject, expected) in [
            (text(LONG_TEXT_COUNT - 1), Route::Buffer),
            (text(LONG_TEXT_COUNT), Route::LongText),
            (strings(PARALLEL_TEXTS_COUNT - 1), Route::Buffer),
            (strings(PARALLEL_TEXTS_COUNT), Route::Chunks),
            (Subject::Container { holds_large: false }, Route::Buffer),
            (large, Route::Chunks),
            (Subject::Other, Route::Buffer),
        ] {
            assert_eq!(route(subject, ALL), expected, "{subject:?}");
            assert_eq!(route(subject, PORTABLE), expected, "{subject:?}, portable");
            assert_eq!(route(subject, WITH_OBJECTS), Route::Buffer, "{subject:?}, with objects");
        }
    }
}
