//! The route of a value to its encoded bytes.
//!
//! | route | for | what happens |
//! |---|---|---|
//! | [`Route::Engine`] | short packed arrays | the engine's own `var_to_bytes` |
//! | [`Route::PackedCopy`] | packed arrays of [`PACKED_COPY_LEN`] bytes and more | one copy into an array that was never written |
//! | [`Route::PackedParallel`] | those of [`PACKED_PARALLEL_LEN`] bytes and more | the same, by all cores |
//! | [`Route::LongText`] | a `String` of [`LONG_TEXT_COUNT`] units and more | where it stays: ASCII by itself, else as UTF-8 |
//! | [`Route::Direct`] | containers and `PackedStringArray`s of probably more than [`ENCODE_BUFFER_LEN`] bytes | one pass to where it stays |
//! | [`Route::Buffer`] | all else | one pass into a buffer that stays, then a copy; a second pass if it is too long |

use godot_variant::PackedType;

use crate::tuning::{
    ENCODE_BUFFER_LEN, LONG_TEXT_COUNT, PACKED_COPY_LEN, PACKED_PARALLEL_LEN, TRUSTED_ESTIMATE_LEN,
};

/// How a value is encoded: see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// By the engine's own function.
    Engine,
    /// By one copy of a packed array's elements.
    PackedCopy,
    /// By a copy that all cores share.
    PackedParallel,
    /// In one or two passes, straight to where it stays.
    LongText,
    /// In one pass, straight to where it stays, for which so much room is made.
    Direct {
        /// About how many bytes it takes.
        estimate: usize,
    },
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
    /// An `Array`, a `Dictionary` or a `PackedStringArray`.
    Container {
        /// About how many bytes it takes, if it is, or holds near its surface, something large.
        estimate: usize,
    },
    /// A value of another type.
    Other,
}

/// The route of a value. `uninit_arrays` says whether the engine gives byte arrays that are not filled with zeros.
#[inline]
pub const fn route(subject: Subject, uninit_arrays: bool) -> Route {
    match subject {
        Subject::Packed { ty, len } => packed_route(ty, len, uninit_arrays),
        Subject::Text { count } if count >= LONG_TEXT_COUNT => Route::LongText,
        Subject::Container { estimate }
            if estimate > ENCODE_BUFFER_LEN && estimate <= TRUSTED_ESTIMATE_LEN =>
        {
            Route::Direct { estimate }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: bool = true;
    const PORTABLE: bool = false;

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
            }
        }
    }

    #[test]
    fn what_is_long_is_encoded_where_it_stays() {
        let text = |count| Subject::Text { count };
        let container = |estimate| Subject::Container { estimate };
        let direct = |estimate| Route::Direct { estimate };
        for (subject, expected) in [
            (text(LONG_TEXT_COUNT - 1), Route::Buffer),
            (text(LONG_TEXT_COUNT), Route::LongText),
            (container(0), Route::Buffer),
            (container(ENCODE_BUFFER_LEN), Route::Buffer),
            (container(ENCODE_BUFFER_LEN + 1), direct(ENCODE_BUFFER_LEN + 1)),
            (container(TRUSTED_ESTIMATE_LEN), direct(TRUSTED_ESTIMATE_LEN)),
            (container(TRUSTED_ESTIMATE_LEN + 1), Route::Buffer),
            (Subject::Other, Route::Buffer),
        ] {
            assert_eq!(route(subject, ALL), expected, "{subject:?}");
            assert_eq!(route(subject, PORTABLE), expected, "{subject:?}, portable");
        }
    }
}
