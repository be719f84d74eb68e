//! A new name for a signal of a script, in the scripts and in all that connects or emits it.

use godot_project::scripts::uses::MemberKind;
use godot_project::{Plan, Project};

use crate::RefactorError;
use crate::rename_member::rename_member;

/// Plans the changes when the signal `old` of the script at `script` (`res://…`) gets the name `new`.
///
/// The declaration changes, uses where the type of the object is certain (`hit.emit()`, `await enemy.hit`), texts in calls like
/// `connect("hit", …)` and `emit_signal("hit")`, and connections in scenes.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n");
/// # write("enemy.gd", "extends Node\nsignal hit\nfunc f(): hit.emit()\n");
/// let project = godot_project::Project::open(folder.path())?;
/// let plan = gdscene_refactor::rename_signal(&project, "res://enemy.gd", "hit", "was_hit")?;
/// assert!(plan.files[0].new_text().ends_with(b"signal was_hit\nfunc f(): was_hit.emit()\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`crate::rename_method`].
pub fn rename_signal(
    project: &Project,
    script: &str,
    old: &str,
    new: &str,
) -> Result<Plan, RefactorError> {
    rename_member(project, script, old, new, MemberKind::Signal)
}
