//! Byte arrays that the engine does not fill with zeros.
//!
//! `PackedByteArray.resize()` writes zeros to bytes that will be overwritten, on one thread, and
//! before large pages can be requested. The engine leaves memory that it takes for itself as it is,
//! and so does `StreamPeerBuffer.resize()` (core/io/stream_peer.cpp, the same from 4.2 to 4.7),
//! which can return its array.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{ptr, slice};

use engine_kernels::huge_pages;
use engine_kernels::tuning::UNINIT_LEN;
use engine_kernels::uninit_output::Memory;
use godot::builtin::{PackedByteArray, StringName};
use godot::classes::RefCounted;
use godot::obj::Gd;
use godot_variant::PackedType;
use godot_variant_codec::checked_total;

use crate::by_name;
use crate::engine::ffi::api::{self, Api, Content, MethodBind, api};
use crate::engine::ffi::layout::FIRST_BYTE_OFFSET;

static SOURCE: Mutex<Option<Source>> = Mutex::new(None);

/// A `PackedByteArray` whose bytes are zeros, or the earlier content of the memory, which must never be read.
pub(crate) struct UninitBytes {
    array: PackedByteArray,
    len: usize,
}

impl UninitBytes {
    /// An array of `len` bytes.
    pub(crate) fn new(len: usize) -> UninitBytes {
        let mut array = PackedByteArray::new();
        // SAFETY: the array is new and ours.
        unsafe { resize((&raw mut array).cast(), len) };
        UninitBytes { array, len }
    }

    /// Makes the array longer or shorter. What stays holds what it held.
    pub(crate) fn resize(&mut self, len: usize) {
        let resize = api().packed(PackedType::Byte).resize;
        // SAFETY: the array is ours.
        unsafe { api::resize(resize, (&raw mut self.array).cast(), len) };
        self.len = len;
    }

    /// The address to write the bytes to.
    pub(crate) fn places(&mut self) -> &mut [MaybeUninit<u8>] {
        // SAFETY: the array is ours, and borrowed as long as its bytes are.
        unsafe { places((&raw mut self.array).cast(), self.len) }
    }

    /// The array, as one that may be read.
    ///
    /// # Safety
    /// All of its bytes must have been written.
    pub(crate) unsafe fn assume_init(self) -> PackedByteArray {
        self.array
    }
}

// SAFETY: an array that nobody else has keeps its bytes in one place until its length changes, wherever the array itself is.
unsafe impl Memory for UninitBytes {
    fn places(&mut self) -> &mut [MaybeUninit<u8>] {
        UninitBytes::places(self)
    }

    fn grow(&mut self, len: usize) -> bool {
        let is_possible = checked_total(len).is_ok();
        if is_possible {
            self.resize(len);
        }
        is_possible
    }
}

/// The bytes of an array.
///
/// # Safety
/// `array` must point to a `PackedByteArray` of `len` bytes that only the caller uses during `'a`.
#[inline]
pub(crate) unsafe fn places<'a>(array: Content, len: usize) -> &'a mut [MaybeUninit<u8>] {
    if len == 0 {
        return &mut [];
    }
    let api = api();
    // SAFETY: the array has `len` bytes, and only the caller uses it during `'a`. There is a first
    // byte, the others follow it without gaps, and the probe has seen where its address stands. The
    // engine has just made the array that long, so it shares the bytes with no other one. They need
    // hold nothing to be a `MaybeUninit`.
    unsafe {
        let first = match api.layout.packed_arrays {
            true => array.byte_add(FIRST_BYTE_OFFSET).cast::<*mut u8>().read(),
            false => (api.packed(PackedType::Byte).index)(array, 0),
        };
        slice::from_raw_parts_mut(first.cast(), len)
    }
}

/// Makes an array of this length, with the earlier content of the memory.
///
/// # Safety
/// `array` must point to an empty `PackedByteArray` that only the caller uses.
#[inline]
pub(crate) unsafe fn resize(array: Content, len: usize) {
    let api = api();
    // SAFETY: the array is empty, and only the caller uses it.
    unsafe {
        if len >= UNINIT_LEN && api.layout.uninit_arrays && take(api, array, len) {
            return;
        }
        api::resize(api.packed(PackedType::Byte).resize, array, len);
    }
}

/// # Safety
/// As [`resize`].
#[cold]
unsafe fn take(api: &Api, array: Content, len: usize) -> bool {
    // No call waits: the engine's own way is always there, and its log may come back here.
    let Ok(source) = SOURCE.try_lock() else { return false };
    let (Some(source), Ok(wanted)) = (&*source, i32::try_from(len)) else { return false };
    // SAFETY: the array is empty, and only the caller uses it.
    unsafe {
        source.take(api, array, wanted.into());
        // The engine has said that there was not enough memory.
        if (*array.cast::<PackedByteArray>()).len() != len {
            return false;
        }
        let first = array.byte_add(FIRST_BYTE_OFFSET).cast::<*mut u8>().read();
        huge_pages::advise(first, len);
    }
    true
}

/// Finds the methods, and tries them. Called on the main thread, when the places in a packed array are known.
pub(crate) fn probe(api: &Api) -> bool {
    const LENS: [usize; 4] = [1, 100, UNINIT_LEN, 1 << 20];
    let Some(source) = Source::new(api) else { return false };
    let holds = LENS.into_iter().all(|len| source.gives(api, len));
    *lock() = holds.then_some(source);
    holds
}

/// Lets go of the engine's object.
pub(crate) fn shut_down() {
    *lock() = None;
}

fn lock() -> MutexGuard<'static, Option<Source>> {
    SOURCE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A `StreamPeerBuffer`, and what is called of it.
struct Source {
    object: *mut c_void,
    resize: MethodBind,
    get_data_array: MethodBind,
    clear: MethodBind,
    _buffer: Gd<RefCounted>,
}

// SAFETY: the object belongs to nobody else, its methods touch nothing but its own array, and
// whoever has the lock is the only one that calls them. It is made and let go of on the main
// thread.
unsafe impl Send for Source {}

impl Source {
    /// `None` if the engine was built without the class, or has other methods of these names.
    fn new(api: &Api) -> Option<Source> {
        let interface = &api.interface;
        let class = StringName::from("StreamPeerBuffer");
        let method = |name: &str, hash| {
            let name = StringName::from(name);
            // SAFETY: both names outlive the call; a method that the engine does not know gives null.
            let method = unsafe { (interface.classdb_get_method_bind)(&class, &name, hash) };
            (!method.is_null()).then_some(method)
        };
        let resize = method("resize", 1_286_410_249)?;
        let get_data_array = method("get_data_array", 2_362_200_018)?;
        let clear = method("clear", 3_218_959_716)?;
        let buffer: Gd<RefCounted> = by_name::made("StreamPeerBuffer").try_to().ok()?;
        let id = buffer.instance_id().to_i64().cast_unsigned();
        // SAFETY: the function takes any number.
        let object = unsafe { (interface.object_get_instance_from_id)(id) };
        (!object.is_null()).then_some(Source {
            object,
            resize,
            get_data_array,
            clear,
            _buffer: buffer,
        })
    }

    /// Makes `array` one of `len` bytes, which it does not share; an empty one if there is not enough memory.
    ///
    /// # Safety
    /// As [`resize`].
    unsafe fn take(&self, api: &Api, array: Content, len: i64) {
        let call = api.interface.object_method_bind_ptrcall;
        let none = ptr::null();
        // SAFETY: the object is alive, the first method takes an integer, the second one returns an array, which is
        // assigned to the one that is there, and the third one neither takes nor returns anything.
        unsafe {
            call(self.resize, self.object, [(&raw const len).cast()].as_ptr(), ptr::null_mut());
            call(self.get_data_array, self.object, none, array);
            call(self.clear, self.object, none, ptr::null_mut());
        }
    }

    /// Whether an array of this length is what it should be: no shorter, and not shared, or the engine would copy it
    /// for who writes to it.
    fn gives(&self, api: &Api, len: usize) -> bool {
        let mut bytes = PackedByteArray::new();
        let array: Content = (&raw mut bytes).cast();
        let functions = api.packed(PackedType::Byte);
        // SAFETY: the array is new and ours. What it holds is written before it is read.
        unsafe {
            self.take(api, array, len as i64);
            if bytes.len() != len {
                return false;
            }
            let first = (functions.index_const)(array, 0);
            first == (functions.index)(array, 0)
                && first == array.byte_add(FIRST_BYTE_OFFSET).cast::<*mut u8>().read()
        }
    }
}
