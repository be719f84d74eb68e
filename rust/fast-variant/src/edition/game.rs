//! The parts of the library for games: rules for single files, and a message in the place of everything
//! else.

use std::time::Instant;

use godot::builtin::{PackedStringArray, VarDictionary, Variant};
use godot::global::godot_error;
use godot::obj::Gd;
use godot_tscn::{LintOptions, LocatedDiagnostic, RULES};

use crate::scene_lint_job::SceneLintJob;
use crate::scene_linter::titled;
use crate::scene_refactoring::SceneRefactoring;
use crate::scene_rewriter::Rewritten;

/// What the rules for single files report.
pub(crate) fn check(path: &str, text: &[u8]) -> Vec<LocatedDiagnostic> {
    let options = LintOptions::for_path(path);
    if godot_tscn::is_config_path(path) {
        return LocatedDiagnostic::all_of_config(
            text,
            godot_tscn::lint_config(text, &options).diagnostics,
        );
    }
    let document = godot_tscn::parse(text);
    LocatedDiagnostic::all(&document, godot_tscn::lint_parsed(&document, &options).diagnostics)
}

/// The documentation of the rule with this code or name.
pub(crate) fn explain(code: &str) -> Option<String> {
    let rule = RULES.iter().find(|rule| rule.is_called(code))?;
    Some(titled(rule, &rule.markdown()))
}

/// The codes of all rules.
pub(crate) fn codes() -> Vec<&'static str> {
    RULES.iter().map(|rule| rule.code).collect()
}

/// An exported game has no folder of its project.
pub(crate) fn has_project() -> bool {
    false
}

pub(crate) fn is_project_ready() -> bool {
    false
}

pub(crate) fn configuration_error() -> VarDictionary {
    VarDictionary::new()
}

pub(crate) fn shut_down(_deadline: Instant) {}

/// Declares functions that log an error and return what is behind `=>`, which gets the message.
macro_rules! editor_only {
    ($($class:ident { $(fn $name:ident($($argument:ty),*) $(-> $result:ty => $empty:expr)?;)* })*) => {$($(
        pub(crate) fn $name($(_: $argument),*) $(-> $result)? {
            let message = concat!(
                "`", stringify!($class), ".", stringify!($name), "` is part of FastVariant's library for the editor, ",
                "which exported games do not carry; call it only where `OS.has_feature(\"editor\")` is true"
            );
            godot_error!("{message}");
            $($empty(message))?
        }
    )*)*};
}

editor_only! {
    SceneLinter {
        fn lint_paths(&PackedStringArray) -> Gd<SceneLintJob> => without_files;
        fn lint_project() -> Gd<SceneLintJob> => without_files;
        fn refresh();
    }
    SceneRewriter {
        fn format(&str, &str) -> Result<Rewritten, String> => refused;
        fn fix(&str, &str, bool) -> Result<Rewritten, String> => refused;
        fn fix_one(&str, &str, &str, (i64, i64)) -> Result<Rewritten, String> => refused;
        fn fix_listed(&str, &str, &PackedStringArray) -> Result<Rewritten, String> => refused;
        fn fix_in_project(&str, &str, (i64, i64)) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn ignore(&str, &str, (i64, i64)) -> Result<Rewritten, String> => refused;
        fn ignore_rule(&str, &str) -> Result<Rewritten, String> => refused;
        fn merge(&str, &str, &str) -> Result<Rewritten, String> => refused;
        fn edit(&str, &Variant, bool) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn edit_text(&str, &str, &Variant) -> Result<Rewritten, String> => refused;
        fn rename_property(&str, &str, &str) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn rename_node(&str, &str, &str) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn move_node(&str, &str, &str, i64) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn rename_class(&str, &str) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn rename_method(&str, &str, &str) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn rename_signal(&str, &str, &str) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn move_files(&str, &str) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn repair_moved(&[(String, String)]) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn find_unused(&str) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn prune(&[String]) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn extract(&str, &str, &str) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn inline(&str, &str, bool) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn dedupe(&str) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn upgrade(&[String], &str) -> Gd<SceneRefactoring> => SceneRefactoring::refused;
        fn finish_interrupted() -> Gd<SceneRefactoring> => SceneRefactoring::refused;
    }
}

/// A job that is finished, and says so in the next frame: who awaits its signal goes on.
fn without_files(_message: &str) -> Gd<SceneLintJob> {
    SceneLintJob::start(|_| None)
}

fn refused(message: &str) -> Result<Rewritten, String> {
    Err(message.to_owned())
}
