//! Calls by name, for classes that gdext has no functions for here.
//!
//! With functions for all of the engine's classes, gdext looks up fifteen thousand methods when the library is loaded. That
//! code would take two megabytes, a quarter of the library in a game. So Cargo.toml leaves them out
//! (`default-features = false`), and this module contains the needed calls of classes other than the few that gdext always
//! has.

use godot::builtin::{
    Array, GString, PackedByteArray, PackedStringArray, StringName, VarArray, VarDictionary,
    Variant,
};
use godot::classes::{ClassDb, Engine, Object, RefCounted};
use godot::global::Error;
use godot::meta::error::ConvertError;
use godot::meta::shape::{ClassHeritage, GodotShape};
use godot::meta::{ClassId, FromGodot, GodotConvert, ToGodot};
use godot::obj::{Gd, Singleton};

/// The place of a file or folder on this machine.
pub(crate) fn globalize_path(path: &str) -> String {
    called::<GString>("ProjectSettings", "globalize_path", &[path.to_variant()]).to_string()
}

/// Whether the thread that calls is the engine's main one.
pub(crate) fn is_main_thread() -> bool {
    let own: i64 = called("OS", "get_thread_caller_id", &[]);
    own == called::<i64>("OS", "get_main_thread_id", &[])
}

/// A setting of the project.
pub(crate) fn project_setting(name: &str, default: &Variant) -> Variant {
    singleton("ProjectSettings").call("get_setting", &[name.to_variant(), default.clone()])
}

/// Sets a setting of the running game; `null` takes it away.
pub(crate) fn set_project_setting(name: &str, value: &Variant) {
    singleton("ProjectSettings").call("set_setting", &[name.to_variant(), value.clone()]);
}

/// The names of all settings of the running game.
pub(crate) fn project_setting_names() -> Vec<String> {
    let settings: Array<VarDictionary> = called("ProjectSettings", "get_property_list", &[]);
    settings.iter_shared().filter_map(|setting| Some(setting.get("name")?.to_string())).collect()
}

/// The program that runs, and the arguments that it was started with.
pub(crate) fn own_command() -> (String, Vec<String>) {
    let program: GString = called("OS", "get_executable_path", &[]);
    let arguments: PackedStringArray = called("OS", "get_cmdline_args", &[]);
    (program.to_string(), arguments.as_slice().iter().map(GString::to_string).collect())
}

/// The scripts with a global name, each with its `class` and its `path`.
pub(crate) fn global_classes() -> Array<VarDictionary> {
    called("ProjectSettings", "get_global_class_list", &[])
}

/// The path that a uid (`uid://…`) leads to, if the engine knows it.
pub(crate) fn path_of_uid(uid: &str) -> Option<String> {
    /// `ResourceUID.INVALID_ID`
    const INVALID: i64 = -1;
    let id: i64 = called("ResourceUID", "text_to_id", &[uid.to_variant()]);
    let is_known = id != INVALID && called("ResourceUID", "has_id", &[id.to_variant()]);
    is_known
        .then(|| called::<GString>("ResourceUID", "get_id_path", &[id.to_variant()]).to_string())
}

/// Bytes that cannot be guessed.
pub(crate) fn random_bytes(count: i64) -> PackedByteArray {
    made("Crypto").call("generate_random_bytes", &[count.to_variant()]).to()
}

/// An `EncodedObjectAsID` for the object with this instance id.
pub(crate) fn encoded_object(id: u64) -> Variant {
    let encoded = made("EncodedObjectAsID");
    encoded.call("set_object_id", &[id.cast_signed().to_variant()]);
    encoded
}

/// A new object of a class that counts references.
pub(crate) fn made(class: &str) -> Variant {
    ClassDb::singleton().instantiate(&StringName::from(class))
}

/// Panics if the engine has no such method, or it returns another type: it has been there since Godot 4.0.
fn called<R: FromGodot>(singleton_name: &str, method: &str, arguments: &[Variant]) -> R {
    singleton(singleton_name).call(method, arguments).to()
}

fn singleton(name: &str) -> Gd<Object> {
    Engine::singleton().get_singleton(name).unwrap_or_else(|| panic!("the engine has no {name}"))
}

/// An argument of the type `StreamPeer`, which may be null.
#[derive(Clone, Debug)]
pub(crate) struct StreamPeerArgument(Option<Gd<RefCounted>>);

impl StreamPeerArgument {
    pub(crate) fn get(self) -> Option<StreamPeer> {
        self.0.map(StreamPeer)
    }
}

/// A `StreamPeer`.
pub(crate) struct StreamPeer(Gd<RefCounted>);

impl StreamPeer {
    /// How many bytes can be read without waiting; less than 0 if it is not connected.
    pub(crate) fn available_bytes(&mut self) -> i32 {
        self.0.call("get_available_bytes", &[]).to()
    }

    /// Reads as many bytes, or fewer if fewer are there.
    ///
    /// # Errors
    /// What the engine says.
    pub(crate) fn partial_data(&mut self, len: i32) -> Result<PackedByteArray, Error> {
        let answer: VarArray = self.0.call("get_partial_data", &[len.to_variant()]).to();
        let code = answer.get(0).and_then(|code| code.try_to().ok()).unwrap_or(Error::FAILED);
        let bytes = answer.get(1).and_then(|bytes| bytes.try_to().ok());
        if code == Error::OK { bytes.ok_or(Error::FAILED) } else { Err(code) }
    }

    /// Sends bytes, and waits until they are sent.
    pub(crate) fn put_data(&mut self, bytes: &PackedByteArray) -> Error {
        self.0.call("put_data", &[bytes.to_variant()]).to()
    }
}

impl GodotConvert for StreamPeerArgument {
    type Via = Option<Gd<RefCounted>>;

    fn godot_shape() -> GodotShape {
        GodotShape::Class {
            class_id: ClassId::new_dynamic("StreamPeer"),
            heritage: ClassHeritage::Other,
            is_nullable: true,
        }
    }
}

impl FromGodot for StreamPeerArgument {
    fn try_from_godot(via: Option<Gd<RefCounted>>) -> Result<Self, ConvertError> {
        match via {
            Some(object) if !object.is_class("StreamPeer") => {
                Err(ConvertError::new(format!("a {} is not a StreamPeer", object.get_class())))
            }
            peer => Ok(Self(peer)),
        }
    }
}
