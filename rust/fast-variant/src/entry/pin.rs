//! Keeping the library in memory.

/// Sees to it that the library stays loaded until the process ends, even if it is unloaded: whether that could be done.
#[cfg(unix)]
pub(super) fn keep_loaded() -> bool {
    use std::ffi::c_void;
    use std::mem::MaybeUninit;

    let somewhere_in_it: *const c_void = (&raw const ANCHOR).cast();
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the function fills the structure unless it returns 0. The name that it gives lives as long as the library, which
    // is loaded while this runs. The library is not loaded again, so no initialiser runs; it is marked, and counted once
    // more.
    unsafe {
        libc::dladdr(somewhere_in_it, info.as_mut_ptr()) != 0 && {
            let name = info.assume_init().dli_fname;
            let flags = libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_NODELETE;
            !libc::dlopen(name, flags).is_null()
        }
    }
}

/// As above.
#[cfg(windows)]
pub(super) fn keep_loaded() -> bool {
    use std::ptr;

    use windows_sys::Win32::System::LibraryLoader::{
        GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_PIN, GetModuleHandleExW,
    };

    let flags = GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS;
    let mut module = ptr::null_mut();
    // SAFETY: with these flags the second argument is any address in the module, and there is room for a handle.
    unsafe { GetModuleHandleExW(flags, (&raw const ANCHOR).cast(), &raw mut module) != 0 }
}

/// Elsewhere no library is ever unloaded.
#[cfg(not(any(unix, windows)))]
pub(super) fn keep_loaded() -> bool {
    let _ = &ANCHOR;
    true
}

/// An address in this library, and in no other one.
static ANCHOR: u8 = 0;
