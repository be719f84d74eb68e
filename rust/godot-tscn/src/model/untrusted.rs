//! The meaning of names and paths in an untrusted file for Godot.

use std::borrow::Cow;

use crate::document::{Section, TagKind};

/// Whether something of this class is code: `GDScript`, `CSharpScript`, and classes of extensions.
pub(crate) fn is_script_class(class: &[u8]) -> bool {
    // Names are too short for a search by vectors to pay.
    class.windows(6).any(|part| part == b"Script")
        || matches!(class, b"GDExtension" | b"GDNativeLibrary" | b"NativeLibrary")
}

/// Whether the file at `path` is code, by its extension.
pub(crate) fn is_script_path(path: &[u8]) -> bool {
    const EXTENSIONS: &[&[u8]] = &[
        b"gd",
        b"gdc",
        b"gde",
        b"cs",
        b"gdextension",
        b"gdnlib",
        b"gdns",
        b"vs",
        b"lua",
        b"luau",
        b"py",
        b"js",
        b"wasm",
        b"so",
        b"dll",
        b"dylib",
    ];
    let Some(dot) = memchr::memrchr(b'.', path) else { return false };
    let extension = path[dot + 1..].to_ascii_lowercase();
    EXTENSIONS.contains(&extension.as_slice())
}

/// Whether the file at `path` is a scene or resource as text, by its extension.
pub(crate) fn is_text_path(path: &[u8]) -> bool {
    has_extension(path, &["tscn", "tres"])
}

/// Whether Godot's importers make data of the file at `path`, that no code is in: textures, sounds and fonts.
pub(crate) fn is_data_path(path: &[u8]) -> bool {
    has_extension(path, PICTURES_AND_SOUNDS)
        || has_extension(path, &["otf", "ttc", "ttf", "woff", "woff2"])
}

/// Whether the file at `path` may be a font: it is neither a picture, nor a sound, nor a scene.
pub(crate) fn may_be_font(path: &[u8]) -> bool {
    !has_extension(path, PICTURES_AND_SOUNDS) && !has_extension(path, &["tscn", "scn"])
}

const PICTURES_AND_SOUNDS: &[&str] = &[
    "bmp", "dds", "exr", "hdr", "jpeg", "jpg", "ktx", "png", "svg", "tga", "webp", "mp3", "ogg",
    "wav",
];

fn has_extension(path: &[u8], extensions: &[&str]) -> bool {
    let Some(dot) = memchr::memrchr(b'.', path) else { return false };
    extensions.iter().any(|extension| path[dot + 1..].eq_ignore_ascii_case(extension.as_bytes()))
}

/// Whether a path that Godot loads may be outside the project. Uids are looked at elsewhere.
pub(crate) fn is_outside(path: &[u8]) -> bool {
    let Some(inside) = path.strip_prefix(b"res://") else {
        return !path.starts_with(b"uid://");
    };
    // Godot takes `\` for `/`, on all systems.
    inside.split(|byte| matches!(byte, b'/' | b'\\')).any(|name| name == b"..")
}

/// Whether `path` is in the folder `folder`, which ends with a slash.
pub(crate) fn is_folder_of(folder: &str, path: &str) -> bool {
    folder.ends_with('/')
        && path.starts_with(folder)
        && !path.split(['/', '\\']).any(|name| name == "..")
}

/// The class that a section creates, if it creates something.
pub(crate) fn created_class<'d>(section: Section<'d>) -> Option<Cow<'d, [u8]>> {
    match section.kind_of_name() {
        TagKind::GdResource | TagKind::SubResource | TagKind::Node => section.field_text("type"),
        _ => None,
    }
}
