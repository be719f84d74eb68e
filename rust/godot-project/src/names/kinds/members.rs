//! The members of all classes of Godot and of all scripts.

use godot_tscn::GodotVersion;
use memchr::memmem;

use crate::class_db::{Class, ClassDb};
use crate::names::Known;
use crate::project::{FileId, Project};
use crate::script::Script;

/// Adds the members of all classes and of all scripts, with those inside them. An extension may have classes that are not known.
pub(super) fn define_all<'p>(
    project: &'p Project,
    known: &mut Known,
    mut of_class: impl FnMut(Class<'p>, &mut Known),
    mut of_script: impl FnMut(FileId, &'p Script, &mut Known),
) {
    if project.has_unknown_classes() || project.version_without_classes().is_some() {
        known.open();
        return;
    }
    // Addons for several versions of Godot call members of newer ones by their names.
    let newest = ClassDb::for_version(GodotVersion::NEWEST_WITH_CLASSES);
    for classes in [project.classes(), newest] {
        for class in classes.class_names().filter_map(|name| classes.class(name)) {
            of_class(class, known);
        }
    }
    for file in project.files() {
        if let Some(script) = project.scripts().script(file) {
            let is_complete = add_script(file, script, known, &mut of_script);
            if !is_complete || makes_scripts(project, file) {
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

/// Whether a script has the code of other scripts in its texts.
fn makes_scripts(project: &Project, file: FileId) -> bool {
    let text = project.read(file).unwrap_or_default();
    MAKERS.iter().any(|maker| memmem::find(&text, maker).is_some())
}

const MAKERS: &[&[u8]] = &[b"source_code", b"GDScript.new", b"SourceCode"];

/// Takes all words of a script for members.
fn add_words(project: &Project, file: FileId, known: &mut Known) {
    let Ok(text) = project.read(file) else { return known.open() };
    let text = String::from_utf8_lossy(&text);
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty()).for_each(|word| known.define(file, word));
}
