//! `SceneSafety`: whether an untrusted file and all that it names may be loaded, and the way to load just that.
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod confine;
mod options;
mod private_copy;
mod trial;
mod walk;

use godot::builtin::{AnyDictionary, Array, PackedStringArray, VarDictionary};
use godot::classes::Resource;
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};
use godot_tscn::Position;

use crate::options_argument::OptionsArgument;
use crate::scene_diagnostic::SceneDiagnostic;
use options::Options;
use walk::{JudgedFile, Walk};

pub(crate) use trial::enter as enter_trial;

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
    /// The resource and the resources that it names have no [member Resource.resource_path], apart from the game's own: they are not files of the game, and nothing is kept in the cache. May be called from any thread.
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

    /// Runs the judged file in a process of its own, and waits until it ends, so call it from a thread. The process is the game's own program without a window, autoloads, the main scene, and the network. It loads the judged bytes, instantiates them, runs 30 frames and frees them.
    ///
    /// Options:
    /// - [code]seconds[/code] (float, 2.0): the most time, without the start of the program.
    /// - [code]megabytes[/code] (int, 256): the most memory, above that of the program itself.
    ///
    /// Returns a dictionary:
    /// - [code]passed[/code] (bool): whether the file ran within the limits.
    /// - [code]tried[/code] (bool): whether the file ran at all. It and [code]passed[/code] are [code]false[/code] if the file is not safe, and on other systems than Linux on x86-64 and ARM64.
    /// - [code]error[/code] (String): the reason if the file did not run or did not pass; else empty.
    /// - [code]seconds[/code] (float) and [code]megabytes[/code] (float): the time and memory of the file.
    ///
    /// ```gdscript
    /// var safety := SceneLinter.is_safe_to_load("user://mods/level.tscn")
    /// var trial := safety.try_run({"seconds": 2.0, "megabytes": 256})
    /// if not trial.passed:
    ///     print(trial.error)
    /// ```
    #[func]
    fn try_run(
        &self,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> VarDictionary {
        let error = "the file is not safe; see `reasons`";
        if !self.is_safe {
            return trial::Report::untried(error).to_dictionary();
        }
        let limits = trial::Limits::parse(&options.0);
        let report = limits.map(|limits| trial::run(&self.judged, &limits));
        report.unwrap_or_else(|error| trial::Report::untried(&error)).to_dictionary()
    }

    /// The call cannot be served.
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
