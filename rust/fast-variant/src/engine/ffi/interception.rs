//! The functions that gdext asks the engine for, and gets from us.
//!
//! gdext looks the engine's functions up by name. It gets two of ours in the place of the engine's. One registers methods
//! with our code in front of gdext's ([`guarded_calls`], [`method_calls`]). In the library for the editor, one takes the
//! help on the classes ([`help`]). Both hand on to the engine's own.

use std::ffi::{CStr, c_char, c_void};
use std::mem::transmute;
use std::sync::OnceLock;

use godot::builtin::StringName;
use godot::sys;

#[cfg(feature = "editor")]
use crate::engine::ffi::help;
use crate::engine::ffi::{guarded_calls, method_calls};

pub(super) type Call = unsafe extern "C" fn(
    *mut c_void,
    sys::GDExtensionClassInstancePtr,
    *const sys::GDExtensionConstVariantPtr,
    sys::GDExtensionInt,
    sys::GDExtensionVariantPtr,
    *mut sys::GDExtensionCallError,
);
pub(super) type PtrCall = unsafe extern "C" fn(
    *mut c_void,
    sys::GDExtensionClassInstancePtr,
    *const sys::GDExtensionConstTypePtr,
    sys::GDExtensionTypePtr,
);
type GetProcAddress = unsafe extern "C" fn(*const c_char) -> sys::GDExtensionInterfaceFunctionPtr;
type RegisterMethod = sys::GDExtensionInterfaceClassdbRegisterExtensionClassMethod;

const REGISTER_METHOD: &CStr = c"classdb_register_extension_class_method";

static GET_PROC_ADDRESS: OnceLock<GetProcAddress> = OnceLock::new();
static REGISTER: OnceLock<RegisterMethod> = OnceLock::new();

/// What gdext is to look up the engine's functions with, instead of `original`.
pub(crate) fn intercept(
    original: sys::GDExtensionInterfaceGetProcAddress,
) -> sys::GDExtensionInterfaceGetProcAddress {
    GET_PROC_ADDRESS
        .get_or_init(|| original.expect("the engine gives a function to look others up"));
    Some(get_proc_address)
}

/// # Safety
/// As for the engine's function: `name` must be a C string.
unsafe extern "C" fn get_proc_address(name: *const c_char) -> sys::GDExtensionInterfaceFunctionPtr {
    let original = GET_PROC_ADDRESS.get()?;
    // SAFETY: `name` is a C string, which is all that the engine's function asks.
    let (function, name) = unsafe { (original(name)?, CStr::from_ptr(name)) };
    #[cfg(feature = "editor")]
    if name == help::LOAD_XML {
        // SAFETY: the name belongs to exactly this signature.
        return Some(unsafe { help::intercept(function) });
    }
    if name != REGISTER_METHOD {
        return Some(function);
    }
    // SAFETY: the name belongs to exactly this signature.
    REGISTER
        .get_or_init(|| unsafe { transmute::<unsafe extern "C" fn(), RegisterMethod>(function) });
    // SAFETY: only the type of the pointer changes; who asked by this name calls it with this
    // signature.
    Some(unsafe { transmute::<RegisterMethod, unsafe extern "C" fn()>(register_method) })
}

/// # Safety
/// As for the engine's function.
unsafe extern "C" fn register_method(
    library: sys::GDExtensionClassLibraryPtr,
    class: sys::GDExtensionConstStringNamePtr,
    info: *const sys::GDExtensionClassMethodInfo,
) {
    let register = REGISTER.get().expect("was looked up before it is called");
    // SAFETY: the engine's own function is called in the same way; both names are StringNames, and
    // the registration copies what it needs from the information.
    unsafe {
        let mut info = *info;
        let names = (class.cast::<StringName>().as_ref(), info.name.cast::<StringName>().as_ref());
        if let (Some(class_name), Some(method)) = names {
            let (class_name, method) = (class_name.to_string(), method.to_string());
            guarded_calls::guard(&class_name, &method, &mut info);
            if class_name == method_calls::CLASS {
                method_calls::substitute(&method, &mut info);
            }
        }
        register(library, class, &raw const info);
    }
}
