//! `SceneLinter`: the linter as GDScript sees it.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

use godot::builtin::{Array, GString, PackedByteArray, PackedStringArray};
use godot::classes::{FileAccess, ProjectSettings};
use godot::obj::{Gd, Singleton};
use godot::register::{GodotClass, godot_api};
use tscn::{LineIndex, LintOptions};

use crate::scene_diagnostic::SceneDiagnostic;
use crate::scene_lint_job::{SceneLintJob, Source};

/// Finds what is wrong in text scenes ([code].tscn[/code]) and resources ([code].tres[/code]), with the reason and the place, without loading them.
///
/// [codeblock]
/// for diagnostic in SceneLinter.lint_file("res://level.tscn"):
///     print(diagnostic.describe())
/// [/codeblock]
#[derive(GodotClass)]
#[class(no_init, base = Object)]
struct SceneLinter;

#[godot_api]
impl SceneLinter {
    /// Checks [param text] and returns what was found, in the order of the places. [param path] names the file; nothing is read from it.
    #[func]
    fn lint_text(text: GString, path: GString) -> Array<Gd<SceneDiagnostic>> {
        diagnostics(text.to_string().as_bytes(), &path.to_string())
    }

    /// Checks the file at [param path] as [method lint_text] does. A file that cannot be read gives one diagnostic with the code [code]FILE[/code].
    #[func]
    fn lint_file(path: GString) -> Array<Gd<SceneDiagnostic>> {
        match read(&path) {
            Ok(text) => diagnostics(text.as_slice(), &path.to_string()),
            Err(reason) => {
                Array::from_iter([SceneDiagnostic::unreadable(&path.to_string(), &reason)])
            }
        }
    }

    /// Checks many files in the background, on all cores. The returned job tells how far it is, and has the diagnostics in the end.
    ///
    /// [codeblock]
    /// var job := SceneLinter.lint_paths(paths)
    /// job.progress.connect(func(done: int, total: int) -> void: print("%d of %d" % [done, total]))
    /// await job.finished
    /// for diagnostic in job.diagnostics():
    ///     print(diagnostic.describe())
    /// [/codeblock]
    #[func]
    fn lint_paths(paths: PackedStringArray) -> Gd<SceneLintJob> {
        let settings = ProjectSettings::singleton();
        let sources = paths.as_slice().iter().map(|path| {
            let place = settings.globalize_path(path).to_string();
            // What lies in a package, only the engine can read, and only here.
            let packed = !std::path::Path::new(&place).exists() && FileAccess::file_exists(path);
            let text = packed.then(|| read(path).map(|text| text.to_vec()));
            Source { path: path.to_string(), place: place.into(), text }
        });
        SceneLintJob::start(sources.collect())
    }
}

pub(crate) fn diagnostics(text: &[u8], path: &str) -> Array<Gd<SceneDiagnostic>> {
    let report = tscn::lint(text, &LintOptions::for_path(path));
    let lines = LineIndex::new(text);
    report.diagnostics.iter().map(|found| SceneDiagnostic::new(found, path, &lines)).collect()
}

/// The bytes of a file, or why there are none.
fn read(path: &GString) -> Result<PackedByteArray, String> {
    let text = FileAccess::get_file_as_bytes(path);
    match FileAccess::get_open_error() {
        godot::global::Error::OK => Ok(text),
        error => Err(format!("cannot be read: {error:?}")),
    }
}
