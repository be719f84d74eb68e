//! A new name for a method of a script, in the scripts and in all that calls it.

use godot_project::scripts::uses::MemberKind;
use godot_project::{Plan, Project};

use crate::RefactorError;
use crate::rename_member::rename_member;

/// Plans the changes when the method `old` of the script at `script` (`res://…`) gets the name `new`.
///
/// The declaration and those of derived scripts change, and calls where the type of the object is certain. So do texts in
/// calls like `call("old")` and `Callable(self, "old")`, connections in scenes, and tracks of animations that call it.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n");
/// # write("enemy.gd", "class_name Enemy\nextends Node\nfunc jump(): pass\n");
/// # write("game.gd", "extends Node\nvar enemy: Enemy\nfunc _ready(): enemy.jump()\n");
/// let project = godot_project::Project::open(folder.path())?;
/// let plan = gdscene_refactor::rename_method(&project, "res://enemy.gd", "jump", "leap")?;
/// assert_eq!(plan.files[1].path, "res://game.gd");
/// assert!(plan.files[1].new_text().ends_with(b"enemy.leap()\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there is no such script or method, when the new name is invalid or taken, and when a file cannot be read. Also when it
/// is a method of a base, which must be renamed there.
pub fn rename_method(
    project: &Project,
    script: &str,
    old: &str,
    new: &str,
) -> Result<Plan, RefactorError> {
    rename_member(project, script, old, new, MemberKind::Function)
}
