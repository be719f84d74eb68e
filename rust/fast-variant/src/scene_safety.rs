//! `SceneSafety`: whether an untrusted file and all that it names may be loaded, and the way to load just that.
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

mod options;
mod private_copy;
mod walk;

use godot::builtin::{AnyDictionary, Array, PackedStringArray};
use godot::classes::Resource;
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};
use godot_tscn::Position;

use crate::scene_diagnostic::SceneDiagnostic;
use options::Options;
use walk::{JudgedFile, Walk};

/// What [method SceneLinter.is_safe_to_load] found.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct SceneSafety {
    /// Whether everything in the file, and in all that it names, is known to be harmless.
    #[var(no_set)]
    is_safe: bool,
    /// Why not: what the rules [code]SEC…[/code] found and what keeps files from being read as Godot reads them, with path, line, column and code. [code]FILE[/code] is the code of a file that cannot be judged, [code]LIMIT[/code] that of too many or too large ones, or of files that together bring too much, [code]CANCELLED[/code] that of a call that was cancelled, [code]OPTION[/code] that of an option or an argument that makes no sense.
    #[var(no_set)]
    reasons: Array<Gd<SceneDiagnostic>>,
    /// The paths of the files that were looked into, in that order.
    #[var(no_set)]
    files: PackedStringArray,
    /// The bytes that were judged, if they are safe.
    judged: Vec<JudgedFile>,
}

#[godot_api]
impl SceneSafety {
    /// Loads what was judged: the same bytes, whatever has become of the files since. [code]null[/code] if it is not safe, or if Godot cannot load it; the reason is then logged.
    ///
    /// The resource has no [member Resource.resource_path], and neither have those that it names, apart from the game's own: they are not files of the game, and nothing is kept in the cache. May be called from any thread.
    ///
    /// ```gdscript
    /// var safety := SceneLinter.is_safe_to_load("user://mods/level.tscn", {"paths": ["user://mods/"]})
    /// if safety.is_safe:
    ///     add_child(safety.load().instantiate())
    /// ```
    #[func]
    fn load(&self) -> Option<Gd<Resource>> {
        if !self.is_safe {
            godot::global::godot_error!("SceneSafety.load: the file is not safe; see `reasons`");
            return None;
        }
        private_copy::load(&self.judged)
            .inspect_err(|reason| godot::global::godot_error!("SceneSafety.load: {reason}"))
            .ok()
    }

    /// That the call cannot be served.
    pub(crate) fn misuse(path: &str, reason: &str) -> Gd<Self> {
        let kind = ("OPTION", "invalid-option");
        let reason = SceneDiagnostic::error(kind, path, reason, Position::START);
        SceneSafety::refused([reason].into_iter().collect(), PackedStringArray::new())
    }

    fn refused(reasons: Array<Gd<SceneDiagnostic>>, files: PackedStringArray) -> Gd<Self> {
        Gd::from_object(Self { is_safe: false, reasons, files, judged: Vec::new() })
    }
}

/// Judges the file at `path` and all that it names.
pub(crate) fn judge(path: &str, options: &AnyDictionary) -> Gd<SceneSafety> {
    let options = match Options::parse(options) {
        Ok(options) => options,
        Err(reason) => return SceneSafety::misuse(path, &reason),
    };
    let walk = Walk::from(path, options);
    let files = walk.files.iter().map(|file| file.path.as_str().into()).collect();
    if !walk.reasons.is_empty() {
        return SceneSafety::refused(walk.reasons, files);
    }
    Gd::from_object(SceneSafety { is_safe: true, reasons: walk.reasons, files, judged: walk.files })
}

/// [`judge`], and [`SceneSafety::load`] if it is safe; otherwise nothing.
pub(crate) fn load_if_safe(path: &str, options: &AnyDictionary) -> Option<Gd<Resource>> {
    let safety = judge(path, options);
    let safety = safety.bind();
    if safety.is_safe { safety.load() } else { None }
}
