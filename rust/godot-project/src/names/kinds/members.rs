//! The members of all classes of Godot and of all scripts.

use crate::class_db::MemberKind;
use crate::names::Known;
use crate::project::{FileId, Project};
use crate::script::Script;

/// Adds the members of all classes and of all scripts, with those inside them. An extension may have classes that are not known.
pub(super) fn define_all<'p>(
    project: &'p Project,
    known: &mut Known,
    kind: MemberKind,
    mut of_script: impl FnMut(FileId, &'p Script, &mut Known),
) {
    if project.has_unknown_classes() || project.version_without_classes().is_some() {
        known.open();
        return;
    }
    known.define_members(kind);
    for file in project.files() {
        if let Some(script) = project.scripts().script(file) {
            let is_complete = add_script(file, script, known, &mut of_script);
            if !is_complete || script.makes_scripts {
                add_words(project, file, known);
            }
        }
    }
}

/// Whether the script and those inside it are complete.
fn add_script<'p>(
    file: FileId,
    script: &'p Script,
    known: &mut Known,
    of_script: &mut impl FnMut(FileId, &'p Script, &mut Known),
) -> bool {
    of_script(file, script, known);
    let inner = script.classes.iter().map(|(_, inner)| inner);
    inner.fold(script.is_complete, |all, inner| add_script(file, inner, known, of_script) && all)
}

/// Takes all words of a script for members.
fn add_words(project: &Project, file: FileId, known: &mut Known) {
    let Ok(text) = project.read(file) else { return known.open() };
    let text = String::from_utf8_lossy(&text);
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty()).for_each(|word| known.define(file, word));
}
