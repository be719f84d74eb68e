//! Packed arrays, node paths and signals as a source.

use std::ffi::c_void;
use std::slice;

use engine_kernels::tuning::STRINGS_AHEAD;
use godot::builtin::StringName;
use godot_variant::{
    NodePathRef, PackedType, Refusal, Shape, Sink, StringsSink, Text, VariantType,
};

use crate::engine::ffi::api::{Api, Content, api, call, call_int};
use crate::engine::memory::text;
use crate::engine::read::prefetch::prefetch;
use crate::engine::read::value::EngineValue;

/// The elements of a packed array.
///
/// # Safety
/// `array` must point to one of type `ty` that does not change during `'a`.
pub(crate) unsafe fn packed_elements<'a>(ty: PackedType, array: Content) -> &'a [u8] {
    let functions = api().packed(ty);
    // SAFETY: `array` is of type `ty`, and does not change during `'a`. The elements are contiguous
    // from the first on and without gaps, and the first is asked for only where there is one.
    unsafe {
        match call_int(functions.size, array) as usize {
            0 => &[],
            count => {
                slice::from_raw_parts((functions.index_const)(array, 0), count * ty.element_len())
            }
        }
    }
}

/// # Safety
/// `array` must point to a `PackedStringArray` that does not change meanwhile.
pub(crate) unsafe fn emit_packed_strings<S: Sink>(array: Content, sink: S) -> Result<(), Refusal> {
    // SAFETY: `array` points to a `PackedStringArray` that does not change meanwhile.
    let elements = unsafe { strings(api(), array) };
    let mut sink = sink.packed_strings(elements.len())?;
    push_strings(api(), elements, &mut sink)?;
    sink.end()
}

/// A `String`, which is the address of its units, in place.
#[repr(transparent)]
pub(crate) struct StringPlace(*const u32);

/// The elements of a `PackedStringArray`.
///
/// # Safety
/// `array` must point to one that does not change during `'a`.
pub(crate) unsafe fn strings<'a>(api: &Api, array: Content) -> &'a [StringPlace] {
    // SAFETY: `array` points to a `PackedStringArray` that does not change during `'a`. The
    // elements stand in one row from the first on, which is asked for only where there is one.
    unsafe {
        match call_int(api.methods.packed_strings_size, array) as usize {
            0 => &[],
            count => {
                let index_const = api.interface.packed_string_array_operator_index_const;
                slice::from_raw_parts(index_const(array, 0).cast(), count)
            }
        }
    }
}

/// Pushes strings of a `PackedStringArray`.
pub(crate) fn push_strings(
    api: &Api,
    strings: &[StringPlace],
    sink: &mut impl StringsSink,
) -> Result<(), Refusal> {
    strings.iter().enumerate().try_for_each(|(index, string)| {
        if let Some(StringPlace(later)) = strings.get(index + STRINGS_AHEAD) {
            // The length is before the units.
            prefetch(later.cast::<u8>().wrapping_sub(1));
        }
        // SAFETY: what stands there is a `String`, borrowed as long as its array is.
        sink.push(Text::Utf32(unsafe { text::units(api, (&raw const *string).cast()) }))
    })
}

/// # Safety
/// `path` must point to a `NodePath`.
pub(crate) unsafe fn emit_node_path<S: Sink>(path: Content, sink: S) -> Result<(), Refusal> {
    let methods = &api().methods;
    let mut absolute = false;
    // SAFETY: `path` points to a `NodePath`; the counts bound the indices, the names are `StringName`s.
    let (names, subnames) = unsafe {
        call(methods.node_path_is_absolute, path, [], &mut absolute);
        let names = |count, method| -> Vec<_> {
            (0..call_int(count, path))
                .map(|index: i64| {
                    let mut name = StringName::default();
                    call(method, path, [(&raw const index).cast::<c_void>()], &mut name);
                    text::of_name(&name)
                })
                .collect()
        };
        (
            names(methods.node_path_name_count, methods.node_path_name),
            names(methods.node_path_subname_count, methods.node_path_subname),
        )
    };
    let names: Vec<Text<'_>> = names.iter().map(text::of).collect();
    let subnames: Vec<Text<'_>> = subnames.iter().map(text::of).collect();
    sink.node_path(NodePathRef { absolute, names: &names, subnames: &subnames })
}

/// # Safety
/// `signal` must point to a `Signal`.
pub(crate) unsafe fn emit_signal<S: Sink>(signal: Content, sink: S) -> Result<(), Refusal> {
    let methods = &api().methods;
    let mut name = StringName::default();
    // SAFETY: `signal` points to a `Signal`; the methods return a `StringName` and an int.
    let object_id = unsafe {
        call(methods.signal_name, signal, [], &mut name);
        call_int(methods.signal_object_id, signal)
    };
    sink.signal(text::of(&text::of_name(&name)), object_id.cast_unsigned())
}

impl<'v> EngineValue<'v> {
    /// The text of a `String`.
    pub(crate) fn text_units(&self) -> Option<&'v [u32]> {
        let ty = VariantType::String;
        // SAFETY: the Variant is valid, and read as a String only if it is one.
        unsafe {
            let is_string = self.api.type_id(self.variant) == u32::from(ty.id());
            is_string.then(|| text::units(self.api, self.api.near_content(ty, self.variant)))
        }
    }

    /// The type and the elements of a packed array of fixed width.
    #[inline]
    pub(crate) fn packed(&self) -> Option<(PackedType, &'v [u8])> {
        let ty = self.variant_type().filter(|ty| ty.shape() == Shape::Packed)?;
        let packed = PackedType::of(ty)?;
        // SAFETY: the Variant has this type, and does not change while it is borrowed.
        Some((packed, unsafe { packed_elements(packed, self.api.content(ty, self.variant)) }))
    }

    /// The elements of a `PackedStringArray`.
    pub(crate) fn packed_strings(&self) -> Option<&'v [StringPlace]> {
        let ty = VariantType::PackedStringArray;
        // SAFETY: the Variant is valid, and read as an array only if it is one.
        unsafe {
            let is_one = self.api.type_id(self.variant) == u32::from(ty.id());
            is_one.then(|| strings(self.api, self.api.content(ty, self.variant)))
        }
    }
}
