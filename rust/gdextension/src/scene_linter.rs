//! `SceneLinter`: the linter as GDScript sees it.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

use std::fs;
use std::path::PathBuf;

use godot::builtin::{Array, GString, PackedByteArray, PackedStringArray, VarDictionary, vdict};
use godot::classes::{FileAccess, ProjectSettings};
use godot::obj::{Gd, Singleton};
use godot::register::{GodotClass, godot_api};
use tscn::{RULES, Rule};

use crate::engine;
use crate::project_configuration;
use crate::project_files;
use crate::scene_diagnostic::{SceneDiagnostic, find};
use crate::scene_lint_job::{SceneLintJob, Source};
use crate::scene_loss::{self, SceneLoss, SceneLossJob};

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
        let sources: Vec<_> = sources.collect();
        SceneLintJob::start(ignored_codes(), || sources)
    }

    /// Checks all text scenes and resources of the project in the background, as [method lint_paths] does. Folders whose name begins with a dot, or with a file [code].gdignore[/code], are left out, as Godot does.
    #[func]
    fn lint_project() -> Gd<SceneLintJob> {
        let root = project_folder();
        SceneLintJob::start(ignored_codes(), move || {
            let files = project_files::find(&root, project_files::SCENES);
            let source = |file: project_files::ProjectFile| Source {
                path: file.path,
                place: file.place,
                text: None,
            };
            files.into_iter().map(source).collect()
        })
    }

    /// Returns what is to be known about the rule with this code or name, in Markdown; an empty string if there is none.
    #[func]
    fn explain(code: GString) -> GString {
        let Some(rule) = Rule::find(&code.to_string()) else {
            return GString::new();
        };
        let docs: Vec<_> =
            rule.docs.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        let severity = rule.severity.as_str();
        let title = format!("# {} {} ({severity})\n\n", rule.code, rule.name);
        GString::from(&(title + &docs.join("\n")))
    }

    /// Returns the codes of all rules.
    #[func]
    fn codes() -> PackedStringArray {
        RULES.iter().map(|rule| GString::from(rule.code)).collect()
    }

    /// Compares a file before and after Godot saved it, and returns what is gone that was not plainly removed by the user.
    #[func]
    fn lost(before: PackedByteArray, after: PackedByteArray) -> Array<Gd<SceneLoss>> {
        scene_loss::lost(before.as_slice(), after.as_slice())
    }

    /// Does what [method lost] does in the background.
    #[func]
    fn lost_in_background(before: PackedByteArray, after: PackedByteArray) -> Gd<SceneLossJob> {
        SceneLossJob::start(before.to_vec(), after.to_vec())
    }

    /// Returns where the project's text files mention one of [param words] (paths and uids, mostly): for each place the path of the file, the line and what stands in it. Reads all files on all cores, and waits for it.
    ///
    /// [codeblock]
    /// for place in SceneLinter.mentions(["res://icon.svg", "uid://cq1xlr7s3k0jp"]):
    ///     print("%s:%d: %s" % [place.path, place.line, place.text])
    /// [/codeblock]
    #[func]
    fn mentions(words: PackedStringArray) -> Array<VarDictionary> {
        let words: Vec<_> = words.as_slice().iter().map(ToString::to_string).collect();
        let root = project_folder();
        let mentions = engine::in_pool(|| project_files::mentions(&root, &words));
        let dictionary = |mention: project_files::Mention| {
            vdict! { "path" => mention.path, "line" => mention.line, "text" => mention.text }
        };
        mentions.into_iter().map(dictionary).collect()
    }
}

/// The codes that are off in the whole project.
fn ignored_codes() -> Vec<String> {
    let text = fs::read_to_string(project_folder().join(project_configuration::FILE));
    text.map(|text| project_configuration::ignored_codes(&text)).unwrap_or_default()
}

/// Where `res://` is.
fn project_folder() -> PathBuf {
    ProjectSettings::singleton().globalize_path("res://").to_string().into()
}

pub(crate) fn diagnostics(text: &[u8], path: &str) -> Array<Gd<SceneDiagnostic>> {
    find(text, path, &ignored_codes())
        .iter()
        .map(|finding| SceneDiagnostic::new(finding, path))
        .collect()
}

/// The bytes of a file, or why there are none.
fn read(path: &GString) -> Result<PackedByteArray, String> {
    let text = FileAccess::get_file_as_bytes(path);
    match FileAccess::get_open_error() {
        godot::global::Error::OK => Ok(text),
        error => Err(format!("cannot be read: {error:?}")),
    }
}
