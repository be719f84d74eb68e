//! `SceneRewriter`: the formatter, the fixes and the refactorings as GDScript sees them.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use std::borrow::Cow;

#[cfg(feature = "editor")]
use godot::builtin::PackedByteArray;
use godot::builtin::{AnyDictionary, GString, PackedStringArray, Variant};
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};

use crate::edition;
use crate::scene_refactoring::SceneRefactoring;

/// Rewrites text scenes ([code].tscn[/code]) and resources ([code].tres[/code]) without loading them.
///
/// ```gdscript
/// var fixed := SceneRewriter.fix(text, "res://level.tscn", false)
/// if fixed.is_changed:
///     print("%d fixes" % fixed.fix_count)
/// ```
///
/// The methods that return a [SceneRefactoring] work out what a new name or place of something changes in all files of the project. They write nothing: that is for [method SceneRefactoring.apply]. Paths are those of the project ([code]res://[/code]) or uids. They may be called from any thread.
///
/// ```gdscript
/// var refactoring := SceneRewriter.move_files("res://enemy.tscn", "res://enemies/enemy.tscn")
/// print(refactoring.describe())
/// if refactoring.is_ok():
///     refactoring.apply()
/// ```
///
/// Exported games contain a smaller library than the editor, which cannot rewrite files: there, each method logs an error and does not change the text.
#[derive(GodotClass)]
#[class(no_init, base = Object)]
struct SceneRewriter;

#[godot_api]
impl SceneRewriter {
    /// Formats [param text] in the form in which Godot saves it. [param path] is the path of the file, which is neither read nor written. A text that Godot cannot load or misreads is not changed, and [member SceneRewriteResult.error] contains the reason; [code].escn[/code] files are not changed either.
    #[func]
    fn format(text: GString, path: GString) -> Gd<SceneRewriteResult> {
        let text = text.to_string();
        SceneRewriteResult::new(&text, edition::format(&text, &path.to_string()))
    }

    /// Applies the fixes for the problems that [SceneLinter] finds in [param text]: the safe fixes, after which Godot loads the same data, and with [param with_unsafe] also fixes that may change the loaded data. [code].escn[/code] files are not changed.
    #[func]
    fn fix(text: GString, path: GString, with_unsafe: bool) -> Gd<SceneRewriteResult> {
        let text = text.to_string();
        SceneRewriteResult::new(&text, edition::fix(&text, &path.to_string(), with_unsafe))
    }

    /// Applies the fix of the diagnostic with this code, line and column, whether it is safe or not. If there is no such diagnostic, or it has no fix, nothing changes. A fix that changes other files too is refused; [method fix_in_project] applies it.
    #[func]
    fn fix_one(
        text: GString,
        path: GString,
        code: GString,
        line: i64,
        column: i64,
    ) -> Gd<SceneRewriteResult> {
        let (text, path, code) = (text.to_string(), path.to_string(), code.to_string());
        SceneRewriteResult::new(&text, edition::fix_one(&text, &path, &code, (line, column)))
    }

    /// Plans the fix of the diagnostic with this code, line and column of the file at [param path], whether it is safe or not, in all files that it changes. [member SceneFix.other_files] lists them.
    ///
    /// ```gdscript
    /// for diagnostic in SceneLinter.lint_file("res://level.tscn"):
    ///     for fix in diagnostic.fixes:
    ///         if not fix.other_files.is_empty():
    ///             SceneRewriter.fix_in_project(diagnostic.path, diagnostic.code, diagnostic.line, diagnostic.column).apply()
    /// ```
    #[func]
    fn fix_in_project(
        path: GString,
        code: GString,
        line: i64,
        column: i64,
    ) -> Gd<SceneRefactoring> {
        edition::fix_in_project(&path.to_string(), &code.to_string(), (line, column))
    }

    /// Applies the safe fixes of the diagnostics that [param places] lists, each as [code]CODE:LINE:COLUMN[/code], such as [code]SYN013:9:16[/code]. A diagnostic that is not found, or has no safe fix, changes nothing. If several fixes change the same place, the first one is applied.
    #[func]
    fn fix_listed(
        text: GString,
        path: GString,
        places: PackedStringArray,
    ) -> Gd<SceneRewriteResult> {
        let text = text.to_string();
        SceneRewriteResult::new(&text, edition::fix_listed(&text, &path.to_string(), &places))
    }

    /// Writes into [param text] that the diagnostic with this code at this line and column is suppressed: as [code]metadata/_lint_ignore[/code] of its node or resource, which stays when Godot saves the file, or else as a comment.
    #[func]
    fn ignore(text: GString, code: GString, line: i64, column: i64) -> Gd<SceneRewriteResult> {
        let text = text.to_string();
        SceneRewriteResult::new(&text, edition::ignore(&text, &code.to_string(), (line, column)))
    }

    /// Turns a rule off in the whole project. [param configuration] is the text of [code]gdscene.toml[/code], or empty; its comments are kept.
    #[func]
    fn ignore_rule(configuration: GString, code: GString) -> Gd<SceneRewriteResult> {
        let text = configuration.to_string();
        SceneRewriteResult::new(&text, edition::ignore_rule(&text, &code.to_string()))
    }

    /// Makes in the text [param now] the changes that lead from [param before] to [param after], line by line. Each place that changed must be in [param now] exactly once, with the lines around it; else nothing is changed, and [member SceneRewriteResult.error] says why.
    #[func]
    fn merge(before: GString, after: GString, now: GString) -> Gd<SceneRewriteResult> {
        let (before, after, now) = (before.to_string(), after.to_string(), now.to_string());
        SceneRewriteResult::new(&now, edition::merge(&before, &after, &now))
    }

    /// Changes scenes and resources by operations: adds, instances and removes nodes, sets properties, connects signals, attaches scripts, adds and loads resources, makes new files. What no operation asks for stays byte for byte, and what changes is what Godot's editor would have saved. All operations are done or none.
    ///
    /// ```gdscript
    /// var edit := SceneRewriter.edit("res://level.tscn", [
    ///     {"op": "add", "node": "Hero", "type": "CharacterBody2D", "properties": {"position": Vector2(10, 20)}},
    ///     {"op": "add", "node": "Hero/Shape", "type": "CollisionShape2D"},
    ///     {"op": "add-resource", "at": "Hero/Shape:shape", "type": "CircleShape2D", "properties": {"radius": 8.0}},
    ///     {"op": "connect", "signal": "tree_entered", "from": "Hero", "to": ".", "method": "_on_hero"},
    /// ])
    /// if not edit.apply():
    ///     print(edit.error())
    /// ```
    ///
    /// [param path] is the file of the operations that have no [code]file[/code] of their own. [param operations] is an [Array] of dictionaries, one [Dictionary], or a [String] of JSON. Values are Godot's own, or {[code]"load"[/code]: path} for the resource of a file, {[code]"new"[/code]: class, [code]"properties"[/code]: {…}} for a new resource, and {[code]"godot"[/code]: text} for a value as scenes have it. It is refused if the rules would find an error that they do not find now, unless [param allow_errors] is [code]true[/code]; other new findings are [method SceneRefactoring.doubts].
    #[func]
    fn edit(
        path: GString,
        operations: Variant,
        #[opt(default = false)] allow_errors: bool,
    ) -> Gd<SceneRefactoring> {
        edition::edit(&path.to_string(), &operations, allow_errors)
    }

    /// Changes a text by operations, as [method edit] does with files. [param path] is the path of the file in the project, which need not exist; nothing is written.
    #[func]
    fn edit_text(text: GString, path: GString, operations: Variant) -> Gd<SceneRewriteResult> {
        let text = text.to_string();
        SceneRewriteResult::new(&text, edition::edit_text(&text, &path.to_string(), &operations))
    }

    /// Renames the variable [param old] of the script at [param script] with the values that scenes and resources hold of it: on nodes and resources with the script or one that extends it, in instanced and inherited scenes, in animation tracks and node paths. Uses in scripts change where it is certain that they mean this variable. If the script has the new name already, only what others hold of it changes.
    #[func]
    fn rename_property(script: GString, old: GString, new: GString) -> Gd<SceneRefactoring> {
        edition::rename_property(&script.to_string(), &old.to_string(), &new.to_string())
    }

    /// Renames the node at [param path] of the scene at [param scene], e.g. [code]Body/Sprite[/code], with all that names it: parents, connections, node paths and animation tracks in this scene and in scenes that instance or inherit it, and [code]$Body/Sprite[/code], [code]%Sprite[/code] or [code]get_node("Body/Sprite")[/code] in scripts.
    #[func]
    fn rename_node(scene: GString, path: GString, new: GString) -> Gd<SceneRefactoring> {
        edition::rename_node(&scene.to_string(), &path.to_string(), &new.to_string())
    }

    /// Puts the node at [param path] of the scene at [param scene], with all below it, under the node at [param new_parent], with all that names it, as [method rename_node] does. [param index] is its place among the children there; less than 0 means the last one.
    #[func]
    fn move_node(
        scene: GString,
        path: GString,
        new_parent: GString,
        #[opt(default = -1)] index: i64,
    ) -> Gd<SceneRefactoring> {
        let (scene, path) = (scene.to_string(), path.to_string());
        edition::move_node(&scene, &path, &new_parent.to_string(), index)
    }

    /// Renames the class that a script declares by [code]class_name[/code], with its uses in scripts, scenes, resources and in [code]project.godot[/code].
    #[func]
    fn rename_class(old: GString, new: GString) -> Gd<SceneRefactoring> {
        edition::rename_class(&old.to_string(), &new.to_string())
    }

    /// Renames the method [param old] of the script at [param script] with the connections and animation tracks that call it, and with its uses in scripts where it is certain that they mean this method.
    #[func]
    fn rename_method(script: GString, old: GString, new: GString) -> Gd<SceneRefactoring> {
        edition::rename_method(&script.to_string(), &old.to_string(), &new.to_string())
    }

    /// Renames the signal [param old] of the script at [param script] with its connections in scenes, and with its uses in scripts where it is certain that they mean this signal.
    #[func]
    fn rename_signal(script: GString, old: GString, new: GString) -> Gd<SceneRefactoring> {
        edition::rename_signal(&script.to_string(), &old.to_string(), &new.to_string())
    }

    /// Moves or renames the file or folder [param old] with its [code].import[/code] and [code].uid[/code] files and with everything that names its path: scenes, resources, scripts, shaders, [code]project.godot[/code], [code]export_presets.cfg[/code] and other settings files. If [param new] is a folder or ends with a slash, it goes into it. Nothing is ever replaced.
    #[func]
    fn move_files(old: GString, new: GString) -> Gd<SceneRefactoring> {
        edition::move_files(&old.to_string(), &new.to_string())
    }

    /// Repairs what still names the old path of files and folders that have moved already, e.g. in Godot's FileSystem dock, which repairs scenes and resources, and not paths in scripts. [param moves] has the new path of each by its old one.
    ///
    /// ```gdscript
    /// var refactoring := SceneRewriter.repair_moved({"res://enemy.tscn": "res://enemies/enemy.tscn"})
    /// await refactoring.finished
    /// print(refactoring.describe())
    /// ```
    ///
    /// It is refused if there is nothing at a new path, or something at an old one again.
    #[func]
    fn repair_moved(moves: AnyDictionary) -> Gd<SceneRefactoring> {
        let pairs = moves.iter_shared();
        let moves: Vec<(String, String)> = pairs
            .map(|(old, new)| (old.stringify().to_string(), new.stringify().to_string()))
            .collect();
        edition::repair_moved(&moves)
    }

    /// Finds the files below [param folder] that no scene, script or setting of the project uses: [method SceneRefactoring.unused] returns them, [method SceneRefactoring.kept] files that may be used, with the reason. [method SceneRefactoring.doubts] are places in scripts that make the result uncertain. [method SceneRefactoring.apply] removes all that are unused.
    ///
    /// ```gdscript
    /// for file: Dictionary in SceneRewriter.find_unused("res://art").unused():
    ///     print("%s: %d bytes" % [file["path"], file["size"]])
    /// ```
    #[func]
    fn find_unused(folder: GString) -> Gd<SceneRefactoring> {
        edition::find_unused(&folder.to_string())
    }

    /// Removes the files at [param paths] with their [code].import[/code] and [code].uid[/code] files. A file that is used is never removed; one that may be used only if it is named itself. A folder means the unused files in it, and an empty array means all unused files. [method SceneRefactoring.undo] brings them back.
    #[func]
    fn prune(paths: PackedStringArray) -> Gd<SceneRefactoring> {
        edition::prune(&texts(&paths))
    }

    /// Puts the resource with the id [param id] of the scene or resource at [param scene] into the separate file [param file]: a [code].tres[/code] file, or [code].gd[/code] and [code].gdshader[/code] for scripts and shaders.
    #[func]
    fn extract(scene: GString, id: GString, file: GString) -> Gd<SceneRefactoring> {
        edition::extract(&scene.to_string(), &id.to_string(), &file.to_string())
    }

    /// Puts the resource that the [code]ext_resource[/code] with the id [param id] leads to into the scene or resource at [param scene]. With [param removes_file] its file is removed, which is refused if another file uses it.
    #[func]
    fn inline(
        scene: GString,
        id: GString,
        #[opt(default = false)] removes_file: bool,
    ) -> Gd<SceneRefactoring> {
        edition::inline(&scene.to_string(), &id.to_string(), removes_file)
    }

    /// Merges identical resources inside the scene or resource at [param path]. Resources that may change at run time are doubts.
    #[func]
    fn dedupe(path: GString) -> Gd<SceneRefactoring> {
        edition::dedupe(&path.to_string())
    }

    /// Does what opening and saving all files does in the Godot of [param version], e.g. [code]4.6[/code], without loading them. An empty [param version] is that of the project. [param paths] are files and folders, which end with a slash; an empty array means the whole project.
    #[func]
    fn upgrade(paths: PackedStringArray, version: GString) -> Gd<SceneRefactoring> {
        edition::upgrade(&texts(&paths), &version.to_string())
    }

    /// Finishes a refactoring, of the editor or of the command [code]gdscene[/code], that was interrupted because its process was killed. Until then, some of its files are old and some new, and every other refactoring is refused. [method SceneRefactoring.is_empty] is [code]true[/code] if none was interrupted.
    ///
    /// The addon does this when the editor starts.
    #[func]
    fn finish_interrupted() -> Gd<SceneRefactoring> {
        edition::finish_interrupted()
    }
}

// For the addon alone, as those of `SceneLinter`.
#[cfg(feature = "editor")]
#[godot_api(secondary)]
impl SceneRewriter {
    // Writes a file so that it is the old or the new one, whenever the editor or the machine dies: FileAccess has no way to let
    // bytes reach the disk. Returns why it cannot be written; nothing if it was.
    #[func(rename = _write_file)]
    fn write_file(path: GString, bytes: PackedByteArray) -> GString {
        let written = edition::write_file(&path.to_string(), bytes.as_slice());
        written.map_or_else(|error| GString::from(&error.to_string()), |()| GString::new())
    }
}

fn texts(strings: &PackedStringArray) -> Vec<String> {
    strings.as_slice().iter().map(ToString::to_string).collect()
}

/// A text that was rewritten.
pub(crate) struct Rewritten {
    pub(crate) text: Vec<u8>,
    /// The number of applied fixes.
    pub(crate) fix_count: usize,
}

/// The result of rewriting a text with [SceneRewriter].
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct SceneRewriteResult {
    /// The new text, or the old text if there was nothing to do or an error occurred.
    #[var(no_set)]
    text: GString,
    /// Whether [member text] differs from the given text.
    #[var(no_set)]
    is_changed: bool,
    /// The number of applied fixes.
    #[var(no_set)]
    fix_count: i64,
    /// The reason why the text was not changed, or an empty string.
    #[var(no_set)]
    error: GString,
}

#[godot_api]
impl SceneRewriteResult {}

impl SceneRewriteResult {
    /// What became of the text `old`, or why it was left alone.
    pub(crate) fn new(old: &str, rewritten: Result<Rewritten, String>) -> Gd<Self> {
        let (text, fix_count, error) = match &rewritten {
            // It was UTF-8, and edits put in nothing else.
            Ok(new) => (String::from_utf8_lossy(&new.text), new.fix_count, ""),
            Err(reason) => (Cow::Borrowed(old), 0, reason.as_str()),
        };
        Gd::from_object(Self {
            text: text.as_ref().into(),
            is_changed: text != old,
            fix_count: fix_count as i64,
            error: error.into(),
        })
    }
}
