//! Git's data on merges, for `SceneGitJob`.

use std::path::PathBuf;

use godot::builtin::{GString, PackedByteArray, PackedStringArray, VarDictionary, vdict};
use godot_project::{MergeSetup, Unmerged, unmerged};
use godot_tscn::{MergeConflict, Merged};

use super::{project_folder, readable::readable};
use crate::by_name::globalize_path;

/// What a question to git came to.
pub(crate) enum GitAnswer {
    Merged(Merged),
    Setup(Option<MergeSetup>),
    /// What a program has printed.
    Printed(String),
}

type Answer = Result<GitAnswer, String>;

pub(crate) fn merge_from_index(path: &str) -> impl FnOnce() -> Answer + Send + 'static {
    let place: PathBuf = globalize_path(path).into();
    let path = path.to_owned();
    move || {
        let name = path.rsplit('/').next().unwrap_or(&path);
        let sides = match unmerged(&place)? {
            Unmerged::Sides(sides) => sides,
            Unmerged::Nothing => {
                return Err("git has no sides of the file any more: `git add` has settled it, or the merge is over".to_owned());
            }
            Unmerged::NoRepository => {
                return Err(format!("{name} is not in a git repository"));
            }
        };
        let [base, Some(ours), Some(theirs)] = sides else {
            return Err("one side has removed the file, so there is nothing to merge".to_owned());
        };
        // Without a base both sides have added it.
        let merged = godot_tscn::merge_file(&path, &base.unwrap_or_default(), &ours, &theirs);
        merged.map(GitAnswer::Merged).map_err(|refusal| refusal.to_string())
    }
}

pub(crate) fn merge_setup() -> impl FnOnce() -> Answer + Send + 'static {
    let folder = project_folder();
    move || godot_project::merge_setup(&folder).map(GitAnswer::Setup)
}

pub(crate) fn set_up_merging() -> impl FnOnce() -> Answer + Send + 'static {
    let folder = project_folder();
    move || godot_project::set_up_merging(&folder).map(GitAnswer::Printed)
}

pub(crate) fn git_answer(answer: &GitAnswer) -> VarDictionary {
    match answer {
        GitAnswer::Merged(merged) => {
            let text = PackedByteArray::from(merged.text.as_slice());
            vdict! { "text" => &text, "notes" => &notes(merged) }
        }
        GitAnswer::Setup(None) => VarDictionary::new(),
        GitAnswer::Setup(Some(setup)) => {
            vdict! { "is_set_up" => setup.is_set_up, "has_program" => setup.program.is_some() }
        }
        GitAnswer::Printed(printed) => vdict! { "printed" => printed.as_str() },
    }
}

/// What was settled, and conflicts that do not stand in the text.
fn notes(merged: &Merged) -> PackedStringArray {
    let settled = merged.notes.iter().map(|note| format!("{}: {}", note.place, note.text));
    let in_text = godot_tscn::unresolved(&merged.text);
    let is_in_text = |conflict: &&MergeConflict| {
        in_text.iter().any(|each| each.place == conflict.place && each.what == conflict.what)
    };
    let others = merged.conflicts.iter().filter(|conflict| !is_in_text(conflict));
    let others = others.map(|conflict| format!("conflict: {}: {}", conflict.place, conflict.what));
    settled.chain(others).map(|note| GString::from(&readable(&note))).collect()
}
