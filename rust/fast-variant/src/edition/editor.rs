//! The parts of the editor's library: rules for whole projects, and all functions that rewrite, compare and search
//! files.

mod classes;
mod comparison;
mod configuration;
mod conflicts;
mod git;
mod lint_job;
mod losses;
mod mentions;
mod readable;
mod refactoring;
mod rewrite;
mod running_project;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gdscene_lint::{ConfigError, Workspace};
use godot::builtin::{Array, GString, PackedStringArray, VarDictionary, vdict};
use godot::obj::Gd;
use godot_tscn::LocatedDiagnostic;

use crate::by_name::globalize_path;
use crate::engine;
use crate::scene_lint_job::SceneLintJob;
use crate::scene_linter::{is_in_project, titled};

use lint_job::{Files, Source};

pub(crate) use classes::{forget as forget_classes, read_on as read_classes};
pub(crate) use comparison::{comparison, differences, taken_back};
pub(crate) use conflicts::{conflict_resource, conflicts, has_markers, marks, merge_texts, settle};
pub(crate) use git::{GitAnswer, git_answer, merge_from_index, merge_setup, set_up_merging};
pub(crate) use losses::{
    edits, lost, lost_in_background, nearest, property_at, side_by_side, value_resource,
};
pub(crate) use refactoring::{
    dedupe, edit, edit_text, extract, find_unused, finish_interrupted, fix_in_project, inline,
    move_files, move_node, prune, rename_class, rename_method, rename_node, rename_property,
    rename_signal, repair_moved, upgrade,
};
pub(crate) use rewrite::{fix, fix_listed, fix_one, format, ignore, ignore_rule, merge};
pub(crate) use running_project::shut_down;

/// What the rules report: those for single files, and those for projects if the file is one of the running project and that
/// has been read.
pub(crate) fn check(path: &str, text: &[u8]) -> Vec<LocatedDiagnostic> {
    if is_in_project(path) {
        loaded_or_begin();
    }
    with_workspace(|workspace| workspace.check(path, text))
}

/// The documentation of the rule with this code or name.
pub(crate) fn explain(code: &str) -> Option<String> {
    let config = workspace().config();
    let rule = config.known_rules().find(|rule| rule.is_called(code))?;
    Some(titled(&rule, &rule.markdown()))
}

/// The codes of all rules.
pub(crate) fn codes() -> Vec<&'static str> {
    workspace().config().known_rules().map(|rule| rule.code).collect()
}

pub(crate) fn has_project() -> bool {
    running_project::is_project(&project_folder())
}

pub(crate) fn is_project_ready() -> bool {
    loaded_or_begin().is_some()
}

pub(crate) fn configuration_error() -> VarDictionary {
    error_dictionary(workspace().config_error())
}

pub(crate) fn configuration_error_of(text: &str) -> VarDictionary {
    error_dictionary(workspace().error_in_config(text))
}

pub(crate) fn lint_paths(paths: &PackedStringArray) -> Gd<SceneLintJob> {
    lint_sources(paths.as_slice().iter().map(Source::find).collect())
}

pub(crate) fn lint_text_in_background(text: Vec<u8>, path: &GString) -> Gd<SceneLintJob> {
    lint_sources(vec![Source::with_text(path, text)])
}

pub(crate) fn lint_project() -> Gd<SceneLintJob> {
    let root = project_folder();
    classes::read_on();
    lint_job::start(move || running_project::reload_blocking(&root), Files::OfProject)
}

pub(crate) fn refresh() {
    classes::read_on();
    running_project::reload_in_background(project_folder());
}

pub(crate) fn mentions(words: &PackedStringArray) -> Array<VarDictionary> {
    let words: Vec<_> = words.as_slice().iter().map(ToString::to_string).collect();
    let root = project_folder();
    let mentions = engine::in_pool(|| mentions::find_mentions(&root, &words));
    let dictionary = |mention: mentions::Mention| {
        vdict! { "path" => mention.path, "line" => mention.line, "text" => mention.text }
    };
    mentions.into_iter().map(dictionary).collect()
}

/// Writes a file of the project as a whole or not at all, unless a link leads out of the project.
pub(crate) fn write_file(path: &str, bytes: &[u8]) -> io::Result<()> {
    godot_project::write_file(Path::new(&globalize_path(path)), bytes)
}

fn lint_sources(sources: Vec<Source>) -> Gd<SceneLintJob> {
    let root = project_folder();
    classes::read_on();
    lint_job::start(move || running_project::open_blocking(&root), Files::Given(sources))
}

fn error_dictionary(error: Option<ConfigError>) -> VarDictionary {
    error.map_or_else(VarDictionary::new, |error| {
        let line = error.position.map_or(1, |(line, _)| i64::from(line));
        vdict! { "line" => line, "message" => error.message }
    })
}

/// The part of the project that has been read, with its configuration.
fn workspace() -> Arc<Workspace> {
    running_project::current(&project_folder())
}

/// Lets `work` use the project on the main thread, which waits for no program: what the check of the whole project has
/// learnt from git is known.
fn with_workspace<T>(work: impl FnOnce(&Workspace) -> T) -> T {
    godot_project::without_asking_git(|| work(&workspace()))
}

/// The project, if it has been read; otherwise that begins.
fn loaded_or_begin() -> Option<Arc<Workspace>> {
    let workspace = running_project::loaded();
    if workspace.is_none() {
        classes::read_on();
        running_project::open_in_background(project_folder());
    }
    workspace
}

/// Where `res://` is.
fn project_folder() -> PathBuf {
    globalize_path("res://").into()
}
