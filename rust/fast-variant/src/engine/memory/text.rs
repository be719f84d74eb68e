//! The engine's Strings.
//!
//! A `String` is a run of 32-bit units with a NUL after it, contiguous from the address of its
//! first unit on (gdext's `GString::chars` relies on the same).

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::slice;

use engine_kernels::huge_pages;
use engine_kernels::utf8_to_utf32::{ascii_to_utf32, utf8_to_utf32};
use godot::builtin::{GString, StringName, Variant};
use godot_variant::{Text, VariantType};

use crate::engine::ffi::api::{Api, Content, api};

/// The units of a `String`.
///
/// # Safety
/// `string` must point to a valid `String` that does not change during `'a`.
#[inline]
pub(crate) unsafe fn units<'a>(api: &Api, string: *const c_void) -> &'a [u32] {
    let interface = &api.interface;
    // SAFETY: `string` points to a valid `String` that does not change during `'a`. Without a
    // buffer only the length is computed; the first unit is asked for only where there is one, and
    // the others follow it. The probe has seen that the String is a pointer to it.
    unsafe {
        let len = (interface.string_to_utf32_chars)(string, std::ptr::null_mut(), 0);
        match usize::try_from(len) {
            Ok(len) if len > 0 => {
                let first = match api.layout.strings {
                    true => string.cast::<*const u32>().read(),
                    false => (interface.string_operator_index_const)(string, 0),
                };
                slice::from_raw_parts(first, len)
            }
            _ => &[],
        }
    }
}

/// The text of a `String` that a wrapper owns.
pub(crate) fn of(string: &GString) -> Text<'_> {
    // SAFETY: the wrapper is a `String`, and it is borrowed.
    Text::Utf32(unsafe { units(api(), (&raw const *string).cast()) })
}

/// The text of a `StringName`, as a `String`.
pub(crate) fn of_name(name: &StringName) -> GString {
    GString::from(name)
}

/// Fills a `String` that is empty.
///
/// # Safety
/// `string` must point to a valid, empty `String` that only the caller has.
#[inline]
pub(crate) unsafe fn fill(api: &Api, string: Content, text: Text<'_>) {
    match text {
        Text::Ascii(bytes) => {
            // SAFETY: the String is empty and the caller's alone, and all of its room is written below.
            let Some(room) = (unsafe { room(api, string, bytes.len()) }) else { return };
            ascii_to_utf32(bytes, room);
        }
        Text::Utf8(text) => {
            // SAFETY: as above.
            let Some(room) = (unsafe { room(api, string, text.chars().count()) }) else { return };
            utf8_to_utf32(text, room);
        }
        Text::Utf32(units) => {
            // SAFETY: as above.
            let Some(room) = (unsafe { room(api, string, units.len()) }) else { return };
            room.write_copy_of_slice(units);
        }
    }
}

/// Makes an empty `String` that long, with a NUL behind it; `None` if it is to stay empty.
///
/// # Safety
/// As [`fill`]; all of the room must be written before anybody else sees the String.
#[inline]
unsafe fn room<'a>(api: &Api, string: Content, len: usize) -> Option<&'a mut [MaybeUninit<u32>]> {
    if len == 0 {
        return None;
    }
    let interface = &api.interface;
    // SAFETY: `string_resize` makes room for `len` units and the NUL that it asks us to add, all
    // contiguous from the first on, if it does not say that there is no memory. The slice covers
    // exactly that room, which the String shares with no other one, as it was empty.
    let room: &mut [MaybeUninit<u32>] = unsafe {
        let error = (interface.string_resize)(string, len as i64 + 1);
        assert_eq!(error, 0, "there is not enough memory for a text of {len} characters");
        let first = match api.layout.strings {
            true => string.cast::<*mut u32>().read(),
            false => (interface.string_operator_index)(string, 0),
        };
        huge_pages::advise(first.cast(), (len + 1) * size_of::<u32>());
        slice::from_raw_parts_mut(first.cast(), len + 1)
    };
    let (nul, room) = room.split_last_mut()?;
    nul.write(0);
    Some(room)
}

/// Makes a Variant with a `String` of `text`.
pub(crate) fn make_variant(api: &'static Api, text: Text<'_>) -> Variant {
    let mut variant = Variant::nil();
    // SAFETY: the nil needs no destruction; what takes its place is an empty String of ours.
    unsafe {
        let string = api.make_default(VariantType::String, &raw mut variant);
        fill(api, string, text);
    }
    variant
}

/// Makes a `String` of `text`.
pub(crate) fn make(text: Text<'_>) -> GString {
    let mut string = GString::new();
    // SAFETY: the new string is empty and ours.
    unsafe { fill(api(), (&raw mut string).cast(), text) };
    string
}

/// Makes a `StringName` of `text`.
pub(crate) fn make_name(text: Text<'_>) -> StringName {
    StringName::from(&make(text))
}
