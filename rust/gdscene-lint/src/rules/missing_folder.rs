//! The cause that findings on missing files have in common.

use godot_project::Project;
use godot_tscn::{Diagnostic, quote};

/// Names the missing folder or addon as the cause, if the path of a missing file is in one.
pub(super) fn name_cause(project: &Project, path: &str, diagnostic: &mut Diagnostic) {
    let Some(folder) = project.missing_folder(path) else { return };
    let addon = folder.strip_prefix("res://addons/").filter(|name| !name.contains('/'));
    diagnostic.cause(match addon {
        Some(name) => format!("the addon {} is missing", quote(name.as_bytes())),
        None => format!("the folder {} is missing", quote(folder.as_bytes())),
    });
}
