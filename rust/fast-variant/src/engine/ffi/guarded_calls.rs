//! Arguments that do not fit, before gdext sees them.
//!
//! The engine's own methods take everything that can be converted to the declared type, and report the argument otherwise. gdext
//! converts nothing, and ends such a call with `Bug: Invalid call error code 1337`. So each call by Variants comes here first:
//! values that the engine would convert are converted, and for the rest [`wrong_arguments::answer`] reports the error. Calls of
//! typed scripts do not come here, because the engine has checked their arguments.

use std::ffi::c_void;
use std::ptr;

use godot::builtin::{AnyArray, GString, StringName, Variant};
use godot::classes::Object;
use godot::obj::Gd;
use godot::sys;
use godot_variant::VariantType;

use crate::decode_options::type_name;
use crate::engine::ffi::api::{self, Api, CallError};
use crate::engine::ffi::interception::Call;
use crate::wrong_arguments;

/// `PROPERTY_HINT_ARRAY_TYPE`
const HINT_ARRAY_TYPE: u32 = 31;

/// A method: what it declares, and the code that gdext has registered for it.
struct Method {
    class: String,
    name: String,
    parameters: Vec<Parameter>,
    /// How many of them have no default.
    required: usize,
    returns: Declared,
    call: Call,
}

struct Parameter {
    name: String,
    declared: Declared,
}

/// A type as it is registered in the engine.
struct Declared {
    /// Nil means any Variant.
    ty: VariantType,
    /// The class of an object, or the type or class of a typed array's elements; empty for none.
    inner: String,
}

/// How to handle an argument.
enum Fit {
    AsItIs,
    Converted(Variant),
    /// It does not fit: what it is instead.
    Not(String),
}

/// Puts our code in front of gdext's.
///
/// # Safety
/// `info` must be what gdext registers.
pub(super) unsafe fn guard(class: &str, name: &str, info: &mut sys::GDExtensionClassMethodInfo) {
    let Some(call) = info.call_func else { return };
    // gdext needs none, so that there is a place for ours.
    if !info.method_userdata.is_null() || info.argument_count == 0 {
        return;
    }
    // SAFETY: there are as many arguments as it says, and a return value if it says so.
    let (parameters, returns) = unsafe {
        let arguments =
            std::slice::from_raw_parts(info.arguments_info, info.argument_count as usize);
        let parameters = arguments.iter().map(|argument| Parameter {
            name: argument
                .name
                .cast::<StringName>()
                .as_ref()
                .map_or_else(String::new, ToString::to_string),
            declared: Declared::of(argument),
        });
        let returned = info.return_value_info.as_ref().filter(|_| info.has_return_value != 0);
        (
            parameters.collect::<Vec<_>>(),
            returned.map_or(Declared::ANYTHING, |value| Declared::of(value)),
        )
    };
    let required = parameters.len() - (info.default_argument_count as usize).min(parameters.len());
    let (class, name) = (class.to_owned(), name.to_owned());
    // For as long as the engine knows the method: until the library is unloaded.
    let method = Box::leak(Box::new(Method { class, name, parameters, required, returns, call }));
    info.method_userdata = ptr::from_mut(method).cast();
    info.call_func = Some(guarded_call);
}

/// # Safety
/// As the engine calls it: `userdata` is a [`Method`], and there are `count` arguments.
unsafe extern "C" fn guarded_call(
    userdata: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: promised by the caller; the result is a valid Variant, and gdext's code is called as the engine would.
    unsafe {
        let method = &*userdata.cast::<Method>();
        let call = |arguments| {
            (method.call)(ptr::null_mut(), instance, arguments, count, result, error);
        };
        let given: &[*const Variant] = match count {
            0 => &[],
            _ => std::slice::from_raw_parts(arguments.cast(), count as usize),
        };
        let Some(api) = api::loaded() else { return call(arguments) };
        if let Some((code, expected)) = method.wrong_count(given.len()) {
            *error = sys::GDExtensionCallError { error: code, argument: 0, expected };
            return;
        }
        if method.all_declared(api, given) {
            return call(arguments);
        }
        match method.converted(api, given) {
            Ok(converted) => {
                let converted: Vec<*const Variant> = converted
                    .iter()
                    .zip(given)
                    .map(|(converted, &given)| converted.as_ref().map_or(given, ptr::from_ref))
                    .collect();
                call(converted.as_ptr().cast());
            }
            Err(message) => *result.cast::<Variant>() = method.answer(&message),
        }
    }
}

impl Method {
    /// The engine's error for as many arguments, and how many it is to name.
    fn wrong_count(&self, count: usize) -> Option<(sys::GDExtensionCallErrorType, i32)> {
        if count < self.required {
            return Some((sys::GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS, self.required as i32));
        }
        let most = self.parameters.len();
        (count > most).then_some((sys::GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS, most as i32))
    }

    /// Whether all arguments are of just the types that are declared, as nearly all are.
    ///
    /// # Safety
    /// The arguments must be valid.
    unsafe fn all_declared(&self, api: &Api, given: &[*const Variant]) -> bool {
        given.iter().zip(&self.parameters).all(|(&argument, parameter)| {
            let declared = &parameter.declared;
            // SAFETY: the arguments are valid.
            let is_of_type = || unsafe { api.type_id(argument) } == u32::from(declared.ty.id());
            declared.ty == VariantType::Nil || (declared.inner.is_empty() && is_of_type())
        })
    }

    /// What takes the place of each argument, if anything has to.
    ///
    /// # Errors
    /// Which argument does not fit, and why.
    ///
    /// # Safety
    /// The arguments must be valid.
    unsafe fn converted(
        &self,
        api: &Api,
        given: &[*const Variant],
    ) -> Result<Vec<Option<Variant>>, String> {
        let fit = |(&argument, parameter): (&*const Variant, &Parameter)| {
            // SAFETY: the arguments are valid.
            match unsafe { parameter.declared.fit(api, &*argument) } {
                Fit::AsItIs => Ok(None),
                Fit::Converted(converted) => Ok(Some(converted)),
                Fit::Not(found) => {
                    let (name, expected) = (&parameter.name, parameter.declared.describe());
                    Err(format!("the argument `{name}` {found}, expected {expected}"))
                }
            }
        };
        given.iter().zip(&self.parameters).map(fit).collect()
    }

    /// What the call gives instead of its result.
    fn answer(&self, message: &str) -> Variant {
        match wrong_arguments::answer(&self.class, &self.name, &self.returns.inner, message) {
            Some(answer) => answer,
            None => self.returns.nothing(),
        }
    }
}

impl Declared {
    const ANYTHING: Declared = Declared { ty: VariantType::Nil, inner: String::new() };

    /// # Safety
    /// The information must be valid.
    unsafe fn of(info: &sys::GDExtensionPropertyInfo) -> Declared {
        let id = u32::try_from(info.type_).unwrap_or(u32::MAX);
        let ty = VariantType::from_id(id).unwrap_or(VariantType::Nil);
        // SAFETY: both are what the engine has for such names.
        let inner = unsafe {
            match ty {
                VariantType::Object => {
                    info.class_name.cast::<StringName>().as_ref().map(ToString::to_string)
                }
                VariantType::Array if info.hint == HINT_ARRAY_TYPE => {
                    info.hint_string.cast::<GString>().as_ref().map(ToString::to_string)
                }
                _ => None,
            }
        };
        Declared { ty, inner: inner.unwrap_or_default() }
    }

    fn describe(&self) -> String {
        match self.ty {
            VariantType::Object => self.inner.clone(),
            VariantType::Array if !self.inner.is_empty() => format!("Array[{}]", self.inner),
            ty => ty.to_string(),
        }
    }

    fn fit(&self, api: &Api, argument: &Variant) -> Fit {
        // SAFETY: a reference is valid.
        let found = unsafe { api.type_id(argument) };
        match self.ty {
            VariantType::Nil => Fit::AsItIs,
            VariantType::Object => self.fit_object(argument),
            ty if found == u32::from(ty.id()) => match self.inner.is_empty() {
                true => Fit::AsItIs,
                false => self.fit_array(argument),
            },
            ty => match convert(api, argument, ty) {
                None => Fit::Not(what_it_is(argument)),
                Some(array) if !self.inner.is_empty() => self.fit_array(&array),
                Some(converted) => Fit::Converted(converted),
            },
        }
    }

    /// Null fits: the method says what is wrong with it.
    fn fit_object(&self, argument: &Variant) -> Fit {
        if is_freed(argument) {
            return Fit::Not(what_it_is(argument));
        }
        match argument.try_to::<Option<Gd<Object>>>() {
            Ok(Some(object)) if !object.is_class(&self.inner) => {
                Fit::Not(format!("is an object of the class {}", object.get_class()))
            }
            Ok(_) => Fit::AsItIs,
            Err(_) => Fit::Not(what_it_is(argument)),
        }
    }

    /// An array of another type fits if each of its elements does.
    fn fit_array(&self, argument: &Variant) -> Fit {
        let element = argument.call("get_typed_builtin", &[]).try_to::<i64>();
        if element.is_ok_and(|element| element == i64::from(self.element_type().id())) {
            return Fit::AsItIs;
        }
        let Ok(array) = argument.try_to::<AnyArray>() else {
            return Fit::Not(what_it_is(argument));
        };
        let is_wanted = |element: &Variant| type_name(element) == self.inner;
        if let Some(wrong) = array.iter_shared().position(|element| !is_wanted(&element)) {
            let found =
                array.get(wrong).map_or_else(|| "null".to_owned(), |element| type_name(&element));
            return Fit::Not(format!("has {found} at index {wrong}"));
        }
        let typed = self.nothing();
        typed.call("append_array", std::slice::from_ref(argument));
        Fit::Converted(typed)
    }

    /// The type of a typed array's elements.
    fn element_type(&self) -> VariantType {
        VariantType::from_name(&self.inner).unwrap_or(VariantType::Object)
    }

    /// The empty value of this type: false, 0, an empty array, null.
    fn nothing(&self) -> Variant {
        if matches!(self.ty, VariantType::Nil | VariantType::Object) {
            return Variant::nil();
        }
        let (api, mut value) = (api::api(), Variant::nil());
        // SAFETY: a nil holds nothing that needs to be destroyed, and the array is new.
        unsafe {
            let content = api.make_default(self.ty, &raw mut value);
            if self.ty == VariantType::Array && !self.inner.is_empty() {
                let element = self.element_type();
                let class = match element {
                    VariantType::Object => StringName::from(&self.inner),
                    _ => StringName::default(),
                };
                let (id, no_script) = (element.id().into(), Variant::nil());
                (api.interface.array_set_typed)(
                    content,
                    id,
                    &raw const class,
                    &raw const no_script,
                );
            }
        }
        value
    }
}

/// The argument as a value of another type, if the engine would convert it.
fn convert(api: &Api, argument: &Variant, ty: VariantType) -> Option<Variant> {
    let (mut converted, mut error) = (Variant::nil(), CallError::default());
    // SAFETY: the argument is valid, and a nil holds nothing that needs to be destroyed.
    unsafe {
        let (from, to) = (api.type_id(argument), u32::from(ty.id()));
        if (api.interface.variant_can_convert_strict)(from, to) == 0 {
            return None;
        }
        let argument = ptr::from_ref(argument);
        (api.interface.variant_construct)(
            to,
            &raw mut converted,
            &raw const argument,
            1,
            &raw mut error,
        );
    }
    error.is_ok().then_some(converted)
}

/// The text after the name of an argument.
fn what_it_is(argument: &Variant) -> String {
    match type_name(argument).as_str() {
        "Nil" => "is null".to_owned(),
        "Object" if is_freed(argument) => "is a freed object".to_owned(),
        name => format!("is of type {name}"),
    }
}

fn is_freed(argument: &Variant) -> bool {
    let interface = &api::api().interface;
    // SAFETY: the argument is valid; the engine takes any id, and that of null or of no object is 0.
    unsafe {
        let id = (interface.variant_get_object_instance_id)(argument);
        id != 0 && (interface.object_get_instance_from_id)(id).is_null()
    }
}
