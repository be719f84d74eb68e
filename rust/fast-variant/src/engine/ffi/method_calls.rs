//! Calls of the two busiest methods without gdext's wrapper.
//!
//! gdext registers `FastVariant.encode` and `decode` as it does every `#[func]`: with their
//! signatures, default arguments and documentation. The registered code checks, converts and guards
//! for some 40 ns, as long as the engine takes for a whole small value. So the functions of this
//! module take the place of those two when they are registered
//! ([`interception`](super::interception)).
//!
//! They do nothing but the plain case. For anything else, a wrong argument, a value that cannot be
//! encoded, or a panic, they call gdext's code, which does it all again and reports the error. It
//! writes its result without reading the old value at the place, so that is empty by then.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use godot::builtin::{PackedByteArray, Variant};
use godot::sys;
use godot_variant::VariantType;

use crate::engine::ffi::api;
use crate::engine::ffi::api::{Api, Content};
use crate::engine::ffi::interception::{Call, PtrCall};
use crate::engine::read::value::Objects;
use crate::engine::{decode, encode};

/// The class of these methods.
pub(super) const CLASS: &str = "FastVariant";

/// The code of a method as gdext registered it.
#[derive(Clone, Copy)]
struct Registered {
    call: Call,
    ptrcall: PtrCall,
}

static ENCODE: OnceLock<Registered> = OnceLock::new();
static DECODE: OnceLock<Registered> = OnceLock::new();

/// Puts our code in the place of gdext's, if the method is one of ours and as we know it.
pub(super) fn substitute(method: &str, info: &mut sys::GDExtensionClassMethodInfo) {
    let (original, call, ptrcall): (_, Call, PtrCall) = match method {
        "encode" => (&ENCODE, encode_call, encode_ptrcall),
        "decode" => (&DECODE, decode_call, decode_ptrcall),
        _ => return,
    };
    let (Some(gdext_call), Some(gdext_ptrcall), 1) =
        (info.call_func, info.ptrcall_func, info.argument_count)
    else {
        return;
    };
    // Registered again after a hot reload, with the same code.
    original.get_or_init(|| Registered { call: gdext_call, ptrcall: gdext_ptrcall });
    info.call_func = Some(call);
    info.ptrcall_func = Some(ptrcall);
}

unsafe extern "C" fn encode_call(
    userdata: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: the engine hands over `count` Variants, and a nil for the result. Whatever came of
    // it, that is a valid Variant, as it is filled in one piece.
    unsafe {
        let place = |api: &Api| api.make_empty_bytes(result.cast());
        if count == 1 {
            if encode_plain((*arguments).cast(), place) {
                return;
            }
            *result.cast::<Variant>() = Variant::nil();
        }
        (registered(&ENCODE).call)(userdata, instance, arguments, count, result, error);
    }
}

unsafe extern "C" fn encode_ptrcall(
    userdata: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    // SAFETY: the engine hands over one Variant, and a valid, empty array for the result. Whatever
    // came of it, that is a valid array.
    unsafe {
        if !encode_plain((*arguments).cast(), |_| result.cast()) {
            *result.cast::<PackedByteArray>() = PackedByteArray::new();
            (registered(&ENCODE).ptrcall)(userdata, instance, arguments, result);
        }
    }
}

unsafe extern "C" fn decode_call(
    userdata: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: as for `encode_call`.
    unsafe {
        if count == 1 {
            if decode_variant((*arguments).cast(), result.cast()) {
                return;
            }
            *result.cast::<Variant>() = Variant::nil();
        }
        (registered(&DECODE).call)(userdata, instance, arguments, count, result, error);
    }
}

unsafe extern "C" fn decode_ptrcall(
    userdata: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    // SAFETY: the engine hands over one PackedByteArray, and a nil for the result. Whatever came of
    // it, that is a valid Variant.
    unsafe {
        if !decode_plain((*arguments).cast(), result.cast()) {
            *result.cast::<Variant>() = Variant::nil();
            (registered(&DECODE).ptrcall)(userdata, instance, arguments, result);
        }
    }
}

fn registered(method: &OnceLock<Registered>) -> Registered {
    *method.get().expect("our code is called only after it took the place of gdext's")
}

/// Encodes into the array that `place` makes. Says so if that fails; then the array is any valid one, if it was made.
///
/// # Safety
/// `value` must be valid, and `place` name a valid, empty array that only the caller uses.
#[inline]
unsafe fn encode_plain(value: *const Variant, place: impl FnOnce(&Api) -> Content) -> bool {
    guarded(|api| {
        // SAFETY: `value` is valid, and `place` gives an empty array that only the caller uses.
        unsafe { encode::encode_to(&*value, Objects::AsIds, || place(api)).is_ok() }
    })
}

/// As [`decode_plain`], if the Variant holds a `PackedByteArray`.
///
/// # Safety
/// `bytes` must be valid, `result` a nil that only the caller uses.
#[inline]
unsafe fn decode_variant(bytes: *const Variant, result: *mut Variant) -> bool {
    guarded(|api| {
        let ty = VariantType::PackedByteArray;
        // SAFETY: `bytes` is valid, and `result` a nil that only the caller uses; the content is
        // asked for by its own type.
        unsafe {
            api.type_id(bytes) == u32::from(ty.id())
                && decode::decode_plain(api, api.content(ty, bytes), result)
        }
    })
}

/// Decodes into `result`. Says so if that fails; then `result` is any valid Variant.
///
/// # Safety
/// `bytes` must point to a `PackedByteArray`, `result` be a nil that only the caller uses.
#[inline]
unsafe fn decode_plain(bytes: *const c_void, result: *mut Variant) -> bool {
    // SAFETY: `bytes` points to a `PackedByteArray`, and `result` is a nil that only the caller uses.
    guarded(|api| unsafe { decode::decode_plain(api, bytes, result) })
}

/// What `work` says; false if it panics, or is not to be done here.
#[inline(always)]
fn guarded(work: impl FnOnce(&'static Api) -> bool) -> bool {
    match api::loaded() {
        Some(api) if api.layout.calls => {
            catch_unwind(AssertUnwindSafe(|| work(api))).unwrap_or_default()
        }
        _ => false,
    }
}
