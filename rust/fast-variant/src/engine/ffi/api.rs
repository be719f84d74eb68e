//! The engine's functions, looked up once.
//!
//! Cached pointers rather than gdext's wrappers: a wrapper costs more than its work when that is
//! one element, and it insists on the main thread in builds with safeguards.

use std::ffi::c_void;
use std::mem::transmute;
use std::sync::OnceLock;

use godot::builtin::{PackedByteArray, StringName, Variant};
use godot::sys;
use godot_variant::{PackedType, VariantType};

use crate::engine::ffi::layout;
use crate::engine::ffi::layout::Layout;

/// A pointer to the content of a Variant, whose type the context knows.
pub(crate) type Content = *mut c_void;

/// A method of a class.
pub(crate) type MethodBind = *const c_void;

type InternalGetter = unsafe extern "C" fn(*mut Variant) -> Content;
pub(crate) type FromType = unsafe extern "C" fn(*mut Variant, *const c_void);
type BuiltinMethod = unsafe extern "C" fn(Content, *const *const c_void, *mut c_void, i32);
type Constructor = unsafe extern "C" fn(*mut c_void, *const *const c_void);
type UtilityFunction = unsafe extern "C" fn(*mut c_void, *const *const c_void, i32);
type PackedIndex = unsafe extern "C" fn(Content, i64) -> *mut u8;

static API: OnceLock<Api> = OnceLock::new();

/// The functions. Panics before [`load`].
#[inline]
pub(crate) fn api() -> &'static Api {
    API.get().expect("the library was initialised")
}

/// The functions, if they are there already.
#[inline]
pub(crate) fn loaded() -> Option<&'static Api> {
    API.get()
}

/// Looks the functions up, and has `layout` find out what may be reached without a call. Called on
/// the main thread, by a hook of the library.
pub(crate) fn load(layout: impl FnOnce(&Api) -> Layout) {
    API.get_or_init(|| {
        // SAFETY: gdext has initialised its binding before it calls any hook of the library, and
        // the hooks run on the main thread.
        let mut api = unsafe { Api::load() };
        api.layout = layout(&api);
        api
    });
}

/// Functions of the engine's interface under their own names (gdextension_interface.h, 4.4).
macro_rules! interface {
    ($($name:ident: $signature:ty,)*) => {
        pub(crate) struct Interface {
            $(pub(crate) $name: $signature,)*
        }

        impl Interface {
            /// # Safety
            /// The binding must be initialised, the thread the main one.
            unsafe fn load() -> Interface {
                Interface {
                    $($name: {
                        let name = concat!(stringify!($name), "\0");
                        // SAFETY: the binding is initialised and the thread the main one.
                        let function = unsafe { sys::get_ffi_ptr_by_cstr(name.as_bytes()) };
                        let function = function.expect(concat!("the engine has ", stringify!($name)));
                        // SAFETY: the name belongs to exactly this signature in the header; all
                        // pointers are thin, so their pointee types do not matter to the ABI.
                        unsafe { transmute::<unsafe extern "C" fn(), $signature>(function) }
                    },)*
                }
            }
        }
    };
}

interface! {
    variant_get_type: unsafe extern "C" fn(*const Variant) -> u32,
    variant_new_copy: unsafe extern "C" fn(*mut Variant, *const Variant),
    variant_destroy: unsafe extern "C" fn(*mut Variant),
    variant_construct:
        unsafe extern "C" fn(u32, *mut Variant, *const *const Variant, i32, *mut CallError),
    variant_can_convert_strict: unsafe extern "C" fn(u32, u32) -> u8,
    variant_get_object_instance_id: unsafe extern "C" fn(*const Variant) -> u64,
    variant_get_ptr_internal_getter: unsafe extern "C" fn(u32) -> Option<InternalGetter>,
    get_variant_from_type_constructor: unsafe extern "C" fn(u32) -> Option<FromType>,
    variant_get_ptr_builtin_method:
        unsafe extern "C" fn(u32, *const StringName, i64) -> Option<BuiltinMethod>,
    variant_get_ptr_utility_function:
        unsafe extern "C" fn(*const StringName, i64) -> Option<UtilityFunction>,
    variant_get_ptr_constructor: unsafe extern "C" fn(u32, i32) -> Option<Constructor>,
    object_get_instance_from_id: unsafe extern "C" fn(u64) -> *mut c_void,
    classdb_get_method_bind:
        unsafe extern "C" fn(*const StringName, *const StringName, i64) -> MethodBind,
    object_method_bind_ptrcall:
        unsafe extern "C" fn(MethodBind, *mut c_void, *const *const c_void, *mut c_void),
    string_to_utf32_chars: unsafe extern "C" fn(*const c_void, *mut u32, i64) -> i64,
    string_operator_index: unsafe extern "C" fn(Content, i64) -> *mut u32,
    string_operator_index_const: unsafe extern "C" fn(*const c_void, i64) -> *const u32,
    string_resize: unsafe extern "C" fn(Content, i64) -> i64,
    array_operator_index: unsafe extern "C" fn(Content, i64) -> *mut Variant,
    array_operator_index_const: unsafe extern "C" fn(*const c_void, i64) -> *const Variant,
    array_set_typed: unsafe extern "C" fn(Content, u32, *const StringName, *const Variant),
    dictionary_operator_index: unsafe extern "C" fn(Content, *const Variant) -> *mut Variant,
    dictionary_set_typed: unsafe extern "C" fn(
        Content, u32, *const StringName, *const Variant, u32, *const StringName, *const Variant,
    ),
    packed_byte_array_operator_index: PackedIndex,
    packed_int32_array_operator_index: PackedIndex,
    packed_int64_array_operator_index: PackedIndex,
    packed_float32_array_operator_index: PackedIndex,
    packed_float64_array_operator_index: PackedIndex,
    packed_string_array_operator_index: PackedIndex,
    packed_vector2_array_operator_index: PackedIndex,
    packed_vector3_array_operator_index: PackedIndex,
    packed_color_array_operator_index: PackedIndex,
    packed_vector4_array_operator_index: PackedIndex,
    packed_byte_array_operator_index_const: PackedIndex,
    packed_int32_array_operator_index_const: PackedIndex,
    packed_int64_array_operator_index_const: PackedIndex,
    packed_float32_array_operator_index_const: PackedIndex,
    packed_float64_array_operator_index_const: PackedIndex,
    packed_string_array_operator_index_const: PackedIndex,
    packed_vector2_array_operator_index_const: PackedIndex,
    packed_vector3_array_operator_index_const: PackedIndex,
    packed_color_array_operator_index_const: PackedIndex,
    packed_vector4_array_operator_index_const: PackedIndex,
}

/// `GDExtensionCallError`.
#[repr(C)]
#[derive(Default)]
pub(crate) struct CallError {
    error: u32,
    argument: i32,
    expected: i32,
}

impl CallError {
    pub(crate) fn is_ok(&self) -> bool {
        self.error == 0
    }
}

/// Methods of built-in types, each named by type, method and hash.
///
/// The hash identifies the signature (extension_api.json; these are the same from 4.2 on).
macro_rules! methods {
    ($($field:ident: $ty:ident $method:literal $hash:literal,)*) => {
        pub(crate) struct Methods {
            $(pub(crate) $field: BuiltinMethod,)*
        }

        impl Methods {
            fn load(interface: &Interface) -> Methods {
                Methods { $($field: builtin_method(interface, VariantType::$ty, $method, $hash),)* }
            }
        }
    };
}

methods! {
    array_duplicate: Array "duplicate" 636_440_122,
    array_size: Array "size" 3_173_160_232,
    array_resize: Array "resize" 848_867_239,
    array_push_back: Array "push_back" 3_316_032_543,
    array_typed_builtin: Array "get_typed_builtin" 3_173_160_232,
    array_typed_class_name: Array "get_typed_class_name" 1_825_232_092,
    array_typed_script: Array "get_typed_script" 1_460_142_086,
    dictionary_size: Dictionary "size" 3_173_160_232,
    dictionary_keys: Dictionary "keys" 4_144_163_970,
    dictionary_values: Dictionary "values" 4_144_163_970,
    dictionary_key_builtin: Dictionary "get_typed_key_builtin" 3_173_160_232,
    dictionary_key_class_name: Dictionary "get_typed_key_class_name" 1_825_232_092,
    dictionary_key_script: Dictionary "get_typed_key_script" 1_460_142_086,
    dictionary_value_builtin: Dictionary "get_typed_value_builtin" 3_173_160_232,
    dictionary_value_class_name: Dictionary "get_typed_value_class_name" 1_825_232_092,
    dictionary_value_script: Dictionary "get_typed_value_script" 1_460_142_086,
    node_path_is_absolute: NodePath "is_absolute" 3_918_633_141,
    node_path_name_count: NodePath "get_name_count" 3_173_160_232,
    node_path_name: NodePath "get_name" 2_948_586_938,
    node_path_subname_count: NodePath "get_subname_count" 3_173_160_232,
    node_path_subname: NodePath "get_subname" 2_948_586_938,
    signal_name: Signal "get_name" 1_825_232_092,
    signal_object_id: Signal "get_object_id" 3_173_160_232,
    packed_strings_size: PackedStringArray "size" 3_173_160_232,
    packed_strings_resize: PackedStringArray "resize" 848_867_239,
}

fn builtin_method(interface: &Interface, ty: VariantType, name: &str, hash: i64) -> BuiltinMethod {
    let method_name = StringName::from(name);
    // SAFETY: the name outlives the call; a name or hash that the engine does not know gives null.
    let method = unsafe {
        (interface.variant_get_ptr_builtin_method)(ty.id().into(), &raw const method_name, hash)
    };
    method.unwrap_or_else(|| panic!("the engine has {ty}.{name}"))
}

/// A function of the global scope, named by name and hash as [`Methods`] are.
fn utility_function(interface: &Interface, name: &str, hash: i64) -> UtilityFunction {
    let name = StringName::from(name);
    // SAFETY: the name outlives the call; one that the engine does not know gives null.
    let function = unsafe { (interface.variant_get_ptr_utility_function)(&raw const name, hash) };
    function.unwrap_or_else(|| panic!("the engine has {name}"))
}

/// A constructor: number 0 is the one without arguments, number 1 the one that copies.
fn constructor(interface: &Interface, ty: VariantType, number: i32) -> Constructor {
    // SAFETY: the function takes any type, and every type has both.
    let constructor = unsafe { (interface.variant_get_ptr_constructor)(ty.id().into(), number) };
    constructor.unwrap_or_else(|| panic!("the engine has a constructor of {ty}"))
}

fn empty_bytes(interface: &Interface) -> [u64; 2] {
    const { assert!(size_of::<PackedByteArray>() == size_of::<[u64; 2]>()) };
    let mut bytes = [0; 2];
    let constructor = constructor(interface, VariantType::PackedByteArray, 0);
    // SAFETY: there is room for the array, and the constructor takes no argument.
    unsafe { constructor(bytes.as_mut_ptr().cast(), std::ptr::null()) };
    bytes
}

/// The functions of a packed array of fixed width.
pub(crate) struct Packed {
    pub(crate) size: BuiltinMethod,
    pub(crate) resize: BuiltinMethod,
    pub(crate) index: PackedIndex,
    pub(crate) index_const: PackedIndex,
}

/// Everything the readers and writers call.
pub(crate) struct Api {
    /// What may be reached without a call.
    pub(crate) layout: Layout,
    pub(crate) interface: Interface,
    pub(crate) methods: Methods,
    /// By [`PackedType`], in the order of its `ALL`.
    packed: [Packed; PackedType::ALL.len()],
    /// By type; `None` for nil.
    getters: [Option<InternalGetter>; VariantType::ALL.len()],
    from_type: [Option<FromType>; VariantType::ALL.len()],
    /// `Array()` and `Dictionary()`.
    array_constructor: Constructor,
    dictionary_constructor: Constructor,
    /// `var_to_bytes(variable: Variant) -> PackedByteArray`.
    pub(crate) var_to_bytes: UtilityFunction,
    /// `bytes_to_var(bytes: PackedByteArray) -> Variant`.
    pub(crate) bytes_to_var: UtilityFunction,
    /// `String(from: String)`.
    pub(crate) string_copy: Constructor,
    /// An empty `PackedByteArray`, which owns nothing.
    empty_bytes: [u64; 2],
}

impl Api {
    /// # Safety
    /// The binding must be initialised, the thread the main one.
    unsafe fn load() -> Api {
        // SAFETY: the binding is initialised and the thread the main one.
        let interface = unsafe { Interface::load() };
        // Nil has neither, and the engine logs an error when asked.
        let known = |ty: VariantType| (ty != VariantType::Nil).then(|| u32::from(ty.id()));
        let getter = |ty| {
            // SAFETY: the function takes the id of any type but nil.
            known(ty).and_then(|id| unsafe { (interface.variant_get_ptr_internal_getter)(id) })
        };
        let from_type = |ty| {
            // SAFETY: as above.
            known(ty).and_then(|id| unsafe { (interface.get_variant_from_type_constructor)(id) })
        };
        Api {
            layout: Layout::PORTABLE,
            methods: Methods::load(&interface),
            packed: PackedType::ALL.map(|packed| Packed::load(&interface, packed)),
            getters: VariantType::ALL.map(getter),
            from_type: VariantType::ALL.map(from_type),
            var_to_bytes: utility_function(&interface, "var_to_bytes", 2_947_269_930),
            bytes_to_var: utility_function(&interface, "bytes_to_var", 4_249_819_452),
            array_constructor: constructor(&interface, VariantType::Array, 0),
            dictionary_constructor: constructor(&interface, VariantType::Dictionary, 0),
            string_copy: constructor(&interface, VariantType::String, 1),
            empty_bytes: empty_bytes(&interface),
            interface,
        }
    }

    /// The functions of a packed array.
    #[inline]
    pub(crate) fn packed(&self, ty: PackedType) -> &Packed {
        &self.packed[ty as usize]
    }

    /// The type id of a Variant.
    ///
    /// # Safety
    /// `variant` must be valid.
    #[inline]
    pub(crate) unsafe fn type_id(&self, variant: *const Variant) -> u32 {
        if self.layout.variants {
            // SAFETY: the probe has seen that the type is the first word.
            unsafe { variant.cast::<u32>().read() }
        } else {
            // SAFETY: the Variant is valid.
            unsafe { (self.interface.variant_get_type)(variant) }
        }
    }

    /// Where the content of a Variant of type `ty` is, which must be one of the types that the engine keeps in the
    /// Variant itself or behind a single pointer. It may be written to if `variant` was
    /// made of a pointer through which that may be.
    ///
    /// # Safety
    /// As [`Api::content`].
    #[inline]
    pub(crate) unsafe fn near_content(&self, ty: VariantType, variant: *const Variant) -> Content {
        // SAFETY: the probe has seen this place to be the one that the engine names.
        unsafe {
            if !self.layout.variants {
                return self.content(ty, variant);
            }
            let inside = variant.byte_add(layout::CONTENT_OFFSET).cast_mut();
            if layout::is_boxed(ty) { inside.cast::<Content>().read() } else { inside.cast() }
        }
    }

    /// Where the content of a Variant of type `ty` is.
    ///
    /// # Safety
    /// `variant` must be valid and of type `ty`, which must not be nil.
    #[inline]
    pub(crate) unsafe fn content(&self, ty: VariantType, variant: *const Variant) -> Content {
        let getter = self.getters[ty as usize].expect("every type but nil has a content");
        // SAFETY: the Variant is valid and of type `ty`, which is not nil; the getter itself does not write.
        unsafe { getter(variant.cast_mut()) }
    }

    /// A nil, without a call where that is possible.
    #[inline]
    pub(crate) fn nil(&self) -> Variant {
        if !self.layout.variants {
            return Variant::nil();
        }
        // SAFETY: the probe has seen that a Variant is three words and its type is the first of
        // them; nil is type 0, and has no content.
        unsafe { transmute::<[u64; 3], Variant>([0; 3]) }
    }

    /// Makes a Variant of type `ty` out of a bare value.
    ///
    /// # Safety
    /// `place` must be writable and hold nothing that needs to be destroyed; `value` must point to
    /// what the engine has for that type.
    #[inline]
    pub(crate) unsafe fn make(&self, ty: VariantType, place: *mut Variant, value: *const c_void) {
        // SAFETY: the place holds nothing to be destroyed, and `value` points to what the engine has for `ty`.
        unsafe { self.maker(ty)(place, value) }
    }

    /// The function behind [`Api::make`].
    #[inline]
    pub(crate) fn maker(&self, ty: VariantType) -> FromType {
        self.from_type[ty as usize].expect("every type but nil can be made")
    }

    /// Makes a Variant of type `ty` with the type's default content, and says where that is.
    ///
    /// # Safety
    /// `place` must be writable and hold nothing that needs to be destroyed.
    pub(crate) unsafe fn make_default(&self, ty: VariantType, place: *mut Variant) -> Content {
        let constructor = match ty {
            VariantType::Array => Some(self.array_constructor),
            VariantType::Dictionary => Some(self.dictionary_constructor),
            _ => None,
        };
        if let Some(constructor) = constructor.filter(|_| self.layout.variants) {
            let content: Content = place.wrapping_byte_add(layout::CONTENT_OFFSET).cast();
            // SAFETY: the place is writable and holds nothing to be destroyed; the probe has seen
            // where type and content stand.
            unsafe {
                place.cast::<u64>().write(ty.id().into());
                constructor(content, std::ptr::null());
            }
            return content;
        }
        let mut error = CallError::default();
        // SAFETY: the place is writable and holds nothing to be destroyed; no argument is read as
        // none is counted. Every type can be made without arguments, so `place` then holds a `ty`.
        unsafe {
            let (ty, none) = (u32::from(ty.id()), std::ptr::null());
            (self.interface.variant_construct)(ty, place, none, 0, &raw mut error);
        }
        // SAFETY: as above.
        unsafe { self.content(ty, place) }
    }
}

impl Api {
    /// Makes a Variant with an empty `PackedByteArray`, and says where that is.
    ///
    /// # Safety
    /// As [`Api::make_default`].
    #[inline]
    pub(crate) unsafe fn make_empty_bytes(&self, place: *mut Variant) -> Content {
        let ty = VariantType::PackedByteArray;
        // SAFETY: the place is writable and holds nothing to be destroyed; the empty array is copied.
        unsafe {
            self.make(ty, place, self.empty_bytes.as_ptr().cast());
            self.content(ty, place)
        }
    }
}

impl Packed {
    fn load(interface: &Interface, packed: PackedType) -> Packed {
        let i = interface;
        let (index, index_const) = match packed {
            PackedType::Byte => {
                (i.packed_byte_array_operator_index, i.packed_byte_array_operator_index_const)
            }
            PackedType::Int32 => {
                (i.packed_int32_array_operator_index, i.packed_int32_array_operator_index_const)
            }
            PackedType::Int64 => {
                (i.packed_int64_array_operator_index, i.packed_int64_array_operator_index_const)
            }
            PackedType::Float32 => {
                (i.packed_float32_array_operator_index, i.packed_float32_array_operator_index_const)
            }
            PackedType::Float64 => {
                (i.packed_float64_array_operator_index, i.packed_float64_array_operator_index_const)
            }
            PackedType::Vector2 => {
                (i.packed_vector2_array_operator_index, i.packed_vector2_array_operator_index_const)
            }
            PackedType::Vector3 => {
                (i.packed_vector3_array_operator_index, i.packed_vector3_array_operator_index_const)
            }
            PackedType::Color => {
                (i.packed_color_array_operator_index, i.packed_color_array_operator_index_const)
            }
            PackedType::Vector4 => {
                (i.packed_vector4_array_operator_index, i.packed_vector4_array_operator_index_const)
            }
        };
        let ty = packed.variant_type();
        Packed {
            size: builtin_method(interface, ty, "size", 3_173_160_232),
            resize: builtin_method(interface, ty, "resize", 848_867_239),
            index,
            index_const,
        }
    }
}

/// Calls a built-in method that takes nothing and returns an integer.
///
/// # Safety
/// `base` must point to a value of the type that `method` belongs to, and it must return an int.
#[inline]
pub(crate) unsafe fn call_int(method: BuiltinMethod, base: *const c_void) -> i64 {
    let mut result = 0i64;
    // SAFETY: `base` is of the type that the method belongs to, and the method returns an int; an
    // int is returned as 64 bits.
    unsafe { method(base.cast_mut(), std::ptr::null(), (&raw mut result).cast(), 0) };
    result
}

/// Calls a built-in method that takes the arguments `args` and assigns its result to `result`.
///
/// # Safety
/// `base` must point to a value of the type that `method` belongs to, `args` to values of the types
/// that it takes, and `R` must be the type that it returns.
pub(crate) unsafe fn call<R, const N: usize>(
    method: BuiltinMethod,
    base: *const c_void,
    args: [*const c_void; N],
    result: &mut R,
) {
    // SAFETY: `base` is of the type that the method belongs to, `args` are of those that it takes,
    // and `R` is what it returns.
    unsafe { method(base.cast_mut(), args.as_ptr(), (&raw mut *result).cast(), N as i32) };
}

/// Resizes an array of any kind. Panics if there is not enough memory.
///
/// # Safety
/// `array` must point to an array that `method` resizes, which only the caller uses.
#[inline]
pub(crate) unsafe fn resize(method: BuiltinMethod, array: Content, count: usize) {
    let (count, mut error) = (count as i64, 0i64);
    // SAFETY: `array` is one that `method` resizes, and only the caller uses it; the method takes
    // an int and returns one.
    unsafe { call(method, array, [(&raw const count).cast()], &mut error) };
    // The caller is about to write to the elements.
    assert_eq!(error, 0, "there is not enough memory for an array of {count} elements");
}
