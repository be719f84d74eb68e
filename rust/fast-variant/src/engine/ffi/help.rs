//! The help on the classes, on its way from gdext to the engine.
//!
//! gdext begins the description of each method with two spaces, and the editor removes as many from each line of
//! it (`String::dedent`), also from code samples. Without them nothing is taken.
//!
//! The tests of the help read it in the folder that the environment variable [`FOLDER`] names.

use std::ffi::{CStr, c_char};
use std::mem::transmute;
use std::path::Path;
use std::sync::OnceLock;
use std::{env, fs};

use godot::global::godot_error;
use godot::sys;

/// Where the help is written to, too.
const FOLDER: &str = "FAST_VARIANT_HELP_FOLDER";
/// The name of the engine's function.
pub(super) const LOAD_XML: &CStr = c"editor_help_load_xml_from_utf8_chars_and_len";

type LoadXml = sys::GDExtensionInterfaceEditorHelpLoadXmlFromUtf8CharsAndLen;

static ORIGINAL: OnceLock<LoadXml> = OnceLock::new();

/// What takes the place of the engine's function.
///
/// # Safety
/// `original` must be the function [`LOAD_XML`].
pub(super) unsafe fn intercept(original: unsafe extern "C" fn()) -> unsafe extern "C" fn() {
    // SAFETY: promised by the caller; only the type of the pointer changes.
    unsafe {
        ORIGINAL.get_or_init(|| transmute::<unsafe extern "C" fn(), LoadXml>(original));
        transmute::<LoadXml, unsafe extern "C" fn()>(load_xml)
    }
}

/// # Safety
/// As for the engine's function: `data` must point to as many bytes of UTF-8.
unsafe extern "C" fn load_xml(data: *const c_char, size: sys::GDExtensionInt) {
    let original = ORIGINAL.get().expect("was looked up before it is called");
    let Ok(len) = usize::try_from(size) else { return };
    // SAFETY: promised by the caller.
    let given = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
    let help = readable(&String::from_utf8_lossy(given));
    write(&help);
    // SAFETY: as many bytes are there, and the engine copies what it keeps.
    unsafe { original(help.as_ptr().cast(), help.len() as i64) };
}

/// The same help, with the indentation of code samples kept, and one empty line around them instead of two.
fn readable(xml: &str) -> String {
    xml.replace("<description>\n  ", "<description>")
        .replace("[br][br][codeblock", "[br][codeblock")
}

/// Writes the help on a class to a file of its name, if that is wanted.
fn write(help: &str) {
    let Some(folder) = env::var_os(FOLDER) else { return };
    let name = help.split_once("<class name=\"").and_then(|(_, rest)| rest.split_once('"'));
    let Some((name, _)) = name else { return };
    let path = Path::new(&folder).join(format!("{name}.xml"));
    if let Err(error) = fs::write(&path, help) {
        godot_error!("{} cannot be written: {error}", path.display());
    }
}
