//! Removing resources inside files that nothing there refers to.

use std::borrow::Cow;

use godot_project::res_path::FactsKind;
use godot_project::res_path::extension_of;
use godot_project::{FileId, Plan, Project};
use godot_tscn::{Applicability, LintOptions, RULES, RuleChoice, RuleState};

use crate::draft::{FileDraft, plan_of_files};
use crate::{RefactorError, changed_lines};

/// A plan that removes the `sub_resource`s and `ext_resource`s that nothing refers to. It changes the text scenes and
/// resources with a path that starts with one of `starts`, or all if it is empty, as the safe fixes of the rules REF007
/// and REF008 do. An unsafe removal, such as of a script that may be nowhere else, is a doubt.
///
/// # Errors
/// When a file cannot be read.
pub fn prune_inside(project: &Project, starts: &[String]) -> Result<Plan, RefactorError> {
    let is_meant = |file: &FileId| {
        let path = project.path(*file);
        FactsKind::of(path) == FactsKind::Text
            && extension_of(path) != "escn"
            && is_below(path, starts)
            && !project.is_unchecked(*file)
    };
    let files = project.files().filter(is_meant).collect();
    let choice = only(&["REF007", "REF008"]);
    plan_of_files(project, "remove unused resources inside files", files, |_, draft| {
        let (path, text) = (draft.path.clone(), std::sync::Arc::clone(&draft.text));
        let mut options = LintOptions::default();
        options.path = Some(&path);
        options.rules = Some(&choice);
        let lint = |text: &[u8]| godot_tscn::lint(text, &options).diagnostics;
        let fixed = godot_tscn::fix_by(&text, Applicability::Safe, lint);
        changed_lines::add(draft, &fixed.text, &|before: &[u8], _: &str| what(before))?;
        doubts(draft, &lint(&text));
        Ok(())
    })
}

/// Whether a path starts with one of `starts`; any does if it is empty.
pub(crate) fn is_below(path: &str, starts: &[String]) -> bool {
    starts.is_empty() || starts.iter().any(|start| path.starts_with(start.as_str()))
}

fn what(before: &[u8]) -> Cow<'static, str> {
    let is_there = |tag: &[u8]| memchr::memmem::find(before, tag).is_some();
    match (is_there(b"[ext_resource"), is_there(b"[sub_resource")) {
        (true, true) => "unused resources".into(),
        (true, false) => "unused ext_resource".into(),
        _ => "unused sub_resource".into(),
    }
}

/// The parts that only a user can remove.
fn doubts(draft: &mut FileDraft, found: &[godot_tscn::Diagnostic]) {
    for diagnostic in found {
        let is_safe =
            diagnostic.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe);
        if !is_safe {
            let why = "nothing refers to it, but its text, a comment, or a cut-off part of the file may be needed";
            draft.doubt(diagnostic.span, why);
        }
    }
}

/// Only these rules.
pub(crate) fn only(codes: &[&str]) -> RuleChoice {
    let mut choice = RuleChoice::default();
    for rule in RULES {
        let state = if codes.contains(&rule.info.code) { RuleState::On } else { RuleState::Off };
        choice.set(&rule.info, state);
    }
    choice
}
