//! Where the engine keeps things, found out and proved when the library is loaded.
//!
//! The interface of the engine has a function for everything that is read here. A function costs
//! some nanoseconds for each element though, more than the element itself, so the places behind the
//! functions are used if they are known. They are not guaranteed. Each is compared with the
//! functions for a number of known values in the running engine. If one differs, that path, and
//! only that, uses the functions.

use std::ffi::c_void;
use std::mem::size_of;

use godot::builtin::Variant;
use godot_variant::{Plain, VariantType};

/// The paths that go past the functions of the interface.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout {
    /// A Variant is its type in the first word, and behind 8 bytes its content or, for the types
    /// of [`is_boxed`], a pointer to it (core/variant/variant.h, 4.0 to 4.7).
    pub(crate) variants: bool,
    /// A String that is not empty is a pointer to its units (core/string/ustring.h).
    pub(crate) strings: bool,
    /// The second word of a packed array is the address of its first element, the first is unused
    /// (`Vector`, core/templates/vector.h).
    pub(crate) packed_arrays: bool,
    /// The engine gives byte arrays that it has not filled.
    pub(crate) uninit_arrays: bool,
    /// What an Array points to.
    pub(crate) arrays: Option<ArrayLayout>,
    /// What a Dictionary points to.
    pub(crate) dictionaries: Option<DictionaryLayout>,
    /// Where, in what a Dictionary points to, the size of its table is, as an index into [`TABLE_SIZES`]. The table
    /// of an empty dictionary is made when the first entry comes.
    pub(crate) table_sizes: Option<usize>,
    /// The code of the busiest methods is called by the engine itself; nothing is assumed for it.
    pub(crate) calls: bool,
}

/// Offsets in what an Array points to (`ArrayPrivate`, core/variant/array.cpp).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrayLayout {
    /// The address of the first element; the others follow it without gaps.
    pub(crate) elements: usize,
    /// The id of the declared built-in type, 0 for none.
    pub(crate) element_type: usize,
}

/// Offsets in what a Dictionary points to (`DictionaryPrivate`, core/variant/dictionary.cpp).
#[derive(Clone, Copy, Debug)]
pub(crate) struct DictionaryLayout {
    /// The address of the first [`Entry`] of the chain.
    pub(crate) entries: usize,
    /// The number of entries.
    pub(crate) count: usize,
    /// The id of the declared built-in type of the keys, 0 for none.
    pub(crate) key_type: usize,
    /// The id of the declared built-in type of the values, 0 for none.
    pub(crate) value_type: usize,
}

/// How large the tables of dictionaries are (`hash_table_size_primes`, core/templates/hashfuncs.h,
/// 4.0 to 4.7), up to the largest that fit in memory.
const TABLE_SIZES: [u32; 24] = [
    5, 13, 23, 47, 97, 193, 389, 769, 1543, 3079, 6151, 12289, 24593, 49157, 98317, 196_613,
    393_241, 786_433, 1_572_869, 3_145_739, 6_291_469, 12_582_917, 25_165_843, 50_331_653,
];

/// The smallest table that a dictionary has.
const FIRST_TABLE: usize = 2;

/// The table that a dictionary of `count` entries has grown to: one that is full to three quarters at most.
pub(crate) fn table_for(count: usize) -> Option<u32> {
    let holds = |&index: &usize| count.saturating_mul(4) <= TABLE_SIZES[index] as usize * 3;
    (FIRST_TABLE..TABLE_SIZES.len()).find(holds).map(|index| index as u32)
}

/// Where the content of a Variant starts.
pub(crate) const CONTENT_OFFSET: usize = 8;

/// Where a packed array has the address of its first element.
pub(crate) const FIRST_BYTE_OFFSET: usize = 8;

/// An element of the engine's hash map, in the order of insertion.
#[repr(C)]
pub(crate) struct Entry {
    pub(crate) next: *const Entry,
    _previous: *const Entry,
    pub(crate) key: Variant,
    pub(crate) value: Variant,
}

/// Makes a Variant of a plain value that is stored in the Variant itself.
///
/// # Safety
/// `place` must be that of a Variant, and hold nothing that needs to be destroyed. `T` must not be one that
/// [`is_boxed`], and the probe must have seen where type and content stand.
#[inline(always)]
pub(crate) unsafe fn write_plain<T: Plain>(place: *mut Variant, value: T) {
    debug_assert!(CONTENT_OFFSET + size_of::<T>() <= size_of::<Variant>());
    // SAFETY: the place is that of a Variant that holds nothing to be destroyed; there is room.
    unsafe {
        place.cast::<u64>().write(T::TYPE.id().into());
        place.byte_add(CONTENT_OFFSET).cast::<T>().write(value);
    }
}

/// Whether the content is too large for a Variant, which then holds a pointer to it.
pub(crate) const fn is_boxed(ty: VariantType) -> bool {
    matches!(
        ty,
        VariantType::Transform2D
            | VariantType::Aabb
            | VariantType::Basis
            | VariantType::Transform3D
            | VariantType::Projection
    )
}

/// Whether a Variant of this type holds nothing that needs to be destroyed.
const fn is_plain_type(ty: VariantType) -> bool {
    use VariantType as T;
    match ty {
        T::Nil | T::Bool | T::Int | T::Float | T::Color | T::Rid => true,
        T::Vector2 | T::Vector2i | T::Rect2 | T::Rect2i | T::Vector3 | T::Vector3i => true,
        T::Vector4 | T::Vector4i | T::Plane | T::Quaternion => true,
        T::Transform2D | T::Aabb | T::Basis | T::Transform3D | T::Projection => false,
        T::String | T::StringName | T::NodePath | T::Object | T::Callable | T::Signal => false,
        T::Dictionary | T::Array | T::PackedByteArray | T::PackedInt32Array => false,
        T::PackedInt64Array | T::PackedFloat32Array | T::PackedFloat64Array => false,
        T::PackedStringArray | T::PackedVector2Array | T::PackedVector3Array => false,
        T::PackedColorArray | T::PackedVector4Array => false,
    }
}

/// A bit for the id of each type that [`is_plain_type`].
const PLAIN_TYPES: u64 = {
    let (mut types, mut index) = (0, 0);
    while index < VariantType::ALL.len() {
        let ty = VariantType::ALL[index];
        types |= (is_plain_type(ty) as u64) << ty.id();
        index += 1;
    }
    types
};

/// Whether a Variant with this type id holds nothing that needs to be destroyed. For a type that only a newer engine
/// has, this cannot be determined.
#[inline]
pub(crate) const fn is_plain(type_id: u32) -> bool {
    type_id < u64::BITS && PLAIN_TYPES >> type_id & 1 != 0
}

/// Reads from what a container points to.
///
/// # Safety
/// `container` must point to an `Array` or a `Dictionary`, and a `T` stand at the offset.
#[inline]
pub(crate) unsafe fn private<T>(container: *mut c_void, offset: usize) -> T {
    // SAFETY: `container` points to an `Array` or a `Dictionary`, and a `T` stands at the offset; both are one pointer.
    unsafe { container.cast::<*const T>().read().byte_add(offset).read() }
}

impl Layout {
    /// Only the functions.
    pub(crate) const PORTABLE: Layout = Layout {
        variants: false,
        strings: false,
        packed_arrays: false,
        uninit_arrays: false,
        arrays: None,
        dictionaries: None,
        table_sizes: None,
        calls: false,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By their ids, as the engine's `needs_deinit` has them (core/variant/variant.h, 4.6): nil, bool, int and float;
    /// Vector2 to Vector3i; Vector4 to Quaternion; Color; RID.
    #[test]
    fn what_is_plain_needs_no_destruction() {
        for id in 0..100 {
            let needs_deinit = !matches!(id, 0..=3 | 5..=10 | 12..=15 | 20 | 23);
            assert_eq!(is_plain(id), !needs_deinit, "{id}");
        }
    }

    #[test]
    fn a_table_is_at_most_three_quarters_full() {
        assert_eq!(table_for(0), Some(FIRST_TABLE as u32));
        for (index, &size) in TABLE_SIZES.iter().enumerate().skip(FIRST_TABLE) {
            let most = size as usize * 3 / 4;
            assert_eq!(table_for(most), Some(index as u32), "{most}");
            let next = Some(index as u32 + 1).filter(|&next| (next as usize) < TABLE_SIZES.len());
            assert_eq!(table_for(most + 1), next, "{}", most + 1);
        }
        assert_eq!(table_for(usize::MAX), None);
    }
}
