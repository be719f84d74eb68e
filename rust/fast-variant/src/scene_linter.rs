//! `SceneLinter`: the linter as GDScript sees it.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

use godot::builtin::{Array, GString, PackedByteArray, PackedStringArray, VarDictionary};
use godot::classes::{FileAccess, Resource};
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};

use godot_tscn::RuleInfo;

use crate::edition;
use crate::options_argument::OptionsArgument;
use crate::scene_diagnostic::SceneDiagnostic;
use crate::scene_lint_job::SceneLintJob;
#[cfg(feature = "editor")]
use crate::scene_loss::{self, SceneLoss, SceneLossJob};
use crate::scene_safety::{self, SceneSafety};

/// Finds problems in text scenes ([code].tscn[/code]) and resources ([code].tres[/code]), with their reason and place, without loading the files.
///
/// ```gdscript
/// for diagnostic in SceneLinter.lint_file("res://level.tscn"):
///     print(diagnostic.describe())
/// ```
///
/// Exported games carry a smaller library than the editor. There, [method lint_text] and [method lint_file] use the rules for single files, and [method is_safe_to_load] and [method load_if_safe] do all that they do in the editor. [method lint_paths], [method lint_project] and [method refresh] log an error; a job that they return has finished.
#[derive(GodotClass)]
#[class(no_init, base = Object)]
struct SceneLinter;

#[godot_api]
impl SceneLinter {
    /// Checks [param text] and returns the diagnostics, in the order of their places. [param path] is the path of the file, which is not read.
    ///
    /// A path in the running project ([code]res://[/code]) is checked against the project's other files too: what it names, its instances, scripts and classes. They are read in the background, beginning with the first call; until [method is_project_ready], only rules for single files answer. An exported game has no project folder to read, so only those rules are used there.
    #[func]
    fn lint_text(text: GString, path: GString) -> Array<Gd<SceneDiagnostic>> {
        diagnostics(text.to_string().as_bytes(), &path.to_string())
    }

    /// Checks the file at [param path] as [method lint_text] does. A file that cannot be read causes one diagnostic with the code [code]FILE[/code].
    #[func]
    fn lint_file(path: GString) -> Array<Gd<SceneDiagnostic>> {
        match read_bytes(&path) {
            Ok(text) => diagnostics(text.as_slice(), &path.to_string()),
            Err(reason) => {
                Array::from_iter([SceneDiagnostic::unreadable(&path.to_string(), &reason)])
            }
        }
    }

    /// Checks many files in the background, on all cores. The returned job reports its progress, and contains the diagnostics at the end.
    ///
    /// ```gdscript
    /// var job := SceneLinter.lint_paths(paths)
    /// job.progress.connect(func(done: int, total: int) -> void: print("%d of %d" % [done, total]))
    /// await job.finished
    /// for diagnostic in job.diagnostics():
    ///     print(diagnostic.describe())
    /// ```
    #[func]
    fn lint_paths(paths: PackedStringArray) -> Gd<SceneLintJob> {
        edition::lint_paths(&paths)
    }

    /// Checks all text scenes and resources of the project, and its settings files ([code]project.godot[/code], [code].import[/code], [code].gdextension[/code], [code]plugin.cfg[/code], [code]export_presets.cfg[/code]), in the background, as [method lint_paths] does, after a look at what has changed in all its files. Folders whose name begins with a dot, or with a file [code].gdignore[/code], are left out, as Godot does, and so are files that git ignores, and files that only a link leads to.
    #[func]
    fn lint_project() -> Gd<SceneLintJob> {
        edition::lint_project()
    }

    /// Reads changed files of the project in the background. Call it after files were written, added or removed; until it has finished, [method lint_text] and [method lint_file] use the old state. [method lint_project] does this itself.
    #[func]
    fn refresh() {
        edition::refresh();
    }

    /// Whether the project's files have been read, so that [method lint_text] and [method lint_file] use the rules for whole projects. If not, starts to read them in the background.
    #[func]
    fn is_project_ready() -> bool {
        edition::is_project_ready()
    }

    /// Whether the project's folder can be read; [code]false[/code] in an exported game.
    #[func]
    fn has_project() -> bool {
        edition::has_project()
    }

    /// Checks whether an untrusted text scene or resource (a mod, a level, a saved game) is safe to load: whether everything in it, and in all files that it refers to, is known to be harmless. Does not load the file. Can be called from any thread.
    ///
    /// ```gdscript
    /// var safety := SceneLinter.is_safe_to_load("user://mods/level.tscn", {"paths": ["user://mods/", "res://enemies/"]})
    /// if safety.is_safe:
    ///     add_child(safety.load().instantiate())
    /// else:
    ///     for reason in safety.reasons:
    ///         print(reason.describe())
    /// ```
    ///
    /// Options:
    /// - [code]classes[/code] (Array of String): the only classes that nodes and resources may have, out of the classes that are known to be harmless. Without it, all of them.
    /// - [code]paths[/code] (Array of String): the only files that may be named; a folder ends with a slash. Scripts of the game in this list may be attached. Listed files in [code]res://[/code] are the game's own and not looked into; all others are.
    /// - [code]properties[/code] (Array of String): properties of the game's own scripts and scenes in [code]paths[/code] that the file may set to plain data.
    /// - [code]budget[/code] (Dictionary): limits on the content of the files, instead of the default limits: [code]{"nodes": 5000, "tiles": 100000}[/code]. The page on untrusted files lists the names.
    /// - [code]max_files[/code] (int, 1000) and [code]max_bytes[/code] (int, 67108864): files that exceed these limits together are not safe.
    /// - [code]cancelled[/code] (Callable): called before each file; if it returns [code]true[/code], the check stops, and the result is not safe.
    ///
    /// Pictures, sounds and fonts of the game are taken for safe; binary scenes and resources, scripts and whatever else cannot be judged are not, unless listed. [method SceneSafety.load] loads the bytes that were judged; with [method @GDScript.load] the file may have changed since. What is wrong with an option is a reason, too, with the code [code]OPTION[/code].
    #[func]
    fn is_safe_to_load(
        path: GString,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<SceneSafety> {
        scene_safety::judge(&path.to_string(), &options.0)
    }

    /// Loads an untrusted text scene or resource if [method is_safe_to_load] accepts it with these options; returns [code]null[/code] otherwise. Loads exactly the bytes that were checked. Can be called from any thread.
    ///
    /// ```gdscript
    /// var level := SceneLinter.load_if_safe("user://mods/level.tscn", {"paths": ["user://mods/"]}) as PackedScene
    /// if level:
    ///     add_child(level.instantiate())
    /// ```
    ///
    /// [method is_safe_to_load] and [method SceneSafety.load] do the same, and report the reasons.
    #[func]
    fn load_if_safe(
        path: GString,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Option<Gd<Resource>> {
        scene_safety::load_if_safe(&path.to_string(), &options.0)
    }

    /// Returns the documentation of the rule with this code or name, in Markdown; an empty string if the rule does not exist. In the editor, this includes rules that the project's [code]gdscene.toml[/code] defines.
    #[func]
    fn explain(code: GString) -> GString {
        edition::explain(&code.to_string()).map_or_else(GString::new, |text| GString::from(&text))
    }

    /// Returns what is wrong with the project's [code]gdscene.toml[/code], which says what the linter looks for: the [code]line[/code], from 1, and the [code]message[/code]. An empty dictionary if the file is valid or does not exist. An invalid file is ignored.
    #[func]
    fn configuration_error() -> VarDictionary {
        edition::configuration_error()
    }

    /// Returns the codes of all rules, also of rules that the project's [code]gdscene.toml[/code] defines. In an exported game, returns the codes of rules for single files.
    #[func]
    fn codes() -> PackedStringArray {
        let mut codes = edition::codes();
        codes.sort_unstable();
        codes.into_iter().map(GString::from).collect()
    }
}

// For the addon alone: only the editor has them, and its help does not show methods with names that begin with an
// underscore.
#[cfg(feature = "editor")]
#[godot_api(secondary)]
impl SceneLinter {
    // Reads which classes the running editor has, those of other extensions too, against which the project's files are
    // checked. Returns whether all are read. Otherwise, a few milliseconds have passed, and it must be called again in the
    // next frame, and `refresh` in the end. `refresh` and `lint_project` begin with it by themselves, and look whether there
    // are other classes than before.
    #[func(rename = _read_classes)]
    fn read_classes() -> bool {
        edition::read_classes()
    }

    // Lets `_read_classes` read all again. To be called when an extension was reloaded: its classes may have other members
    // than before.
    #[func(rename = _forget_classes)]
    fn forget_classes() {
        edition::forget_classes();
    }

    // Returns the same as `configuration_error`, for a text of `gdscene.toml` that need not be
    // saved.
    #[func(rename = _configuration_error_of)]
    fn configuration_error_of(text: GString) -> VarDictionary {
        edition::configuration_error_of(&text.to_string())
    }

    // Checks a text as `lint_text` does, in the background. The job has one file.
    #[func(rename = _lint_text_in_background)]
    fn lint_text_in_background(text: GString, path: GString) -> Gd<SceneLintJob> {
        edition::lint_text_in_background(text.to_string().into_bytes(), &path)
    }

    // Compares a file before and after Godot saved it, and returns the losses that the user did not clearly cause.
    #[func(rename = _lost)]
    fn lost(before: PackedByteArray, after: PackedByteArray) -> Array<Gd<SceneLoss>> {
        scene_loss::to_objects(&edition::lost(&before, &after))
    }

    // The same as `_lost`, in the background.
    #[func(rename = _lost_in_background)]
    fn lost_in_background(before: PackedByteArray, after: PackedByteArray) -> Gd<SceneLossJob> {
        SceneLossJob::new(edition::lost_in_background(&before, &after))
    }

    // Returns the places where the project's text files mention one of `words` (paths and uids, mostly): for each, the
    // `path` of the file, the `line` and the `text` in it. Reads all files on all cores, and waits for it.
    #[func(rename = _mentions)]
    fn mentions(words: PackedStringArray) -> Array<VarDictionary> {
        edition::mentions(&words)
    }
}

fn diagnostics(text: &[u8], path: &str) -> Array<Gd<SceneDiagnostic>> {
    edition::check(path, text).iter().map(|located| SceneDiagnostic::new(located, path)).collect()
}

/// A rule's documentation below its heading.
pub(crate) fn titled(rule: &RuleInfo, markdown: &str) -> String {
    let RuleInfo { code, name, severity, .. } = rule;
    format!("# {code} {name} ({})\n\n{}", severity.as_str(), markdown.trim_end())
}

/// Whether a path is one of the running project.
pub(crate) fn is_in_project(path: &str) -> bool {
    path.starts_with("res://")
}

/// The bytes of a file, or the reason why it cannot be read.
pub(crate) fn read_bytes(path: &GString) -> Result<PackedByteArray, String> {
    let text = FileAccess::get_file_as_bytes(path);
    match FileAccess::get_open_error() {
        godot::global::Error::OK => Ok(text),
        error => Err(format!("cannot be read: {error:?}")),
    }
}
