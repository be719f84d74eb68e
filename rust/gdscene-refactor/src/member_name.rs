//! Whether a variable, method or signal of a script in GDScript can get a name.

use godot_project::Project;
use godot_project::scripts::types::ClassRef;
use godot_project::scripts::uses::MemberUses;

use crate::RefactorError;
use crate::names::check_no_native_class;

/// Functions that Godot calls by name, on every object (`Object` and `GDScriptInstance`, Godot 4.6.3).
const CALLED_BY_GODOT: &[&str] = &[
    "_init",
    "_static_init",
    "_notification",
    "_get",
    "_set",
    "_get_property_list",
    "_validate_property",
    "_property_can_revert",
    "_property_get_revert",
    "_to_string",
    "_iter_init",
    "_iter_next",
    "_iter_get",
];

/// Every object has it, and no list of properties shows it (`has_member_name_conflict_in_native_type`,
/// modules/gdscript/gdscript_analyzer.cpp, Godot 4.6.3).
const SCRIPT: &str = "script";

/// The constants of nodes that are in no enum begin so. The class tables contain only enums.
const NOTIFICATIONS: &str = "NOTIFICATION_";

/// Whether Godot itself calls methods with this name.
pub(super) fn is_called_by_godot(name: &str) -> bool {
    CALLED_BY_GODOT.contains(&name)
}

/// Whether no other member, class or local variable has the name `new`.
///
/// Looks at the script at `path`, which declares the member, at the scripts that it extends and that extend it, and at Godot's
/// classes.
///
/// # Errors
/// When something has the name.
pub(super) fn check_free(
    project: &Project,
    uses: &MemberUses<'_>,
    path: &str,
    new: &str,
) -> Result<(), RefactorError> {
    let clash = |what: String| Err(RefactorError::Clash { what });
    if is_called_by_godot(new) {
        return clash(format!("Godot itself calls methods with the name `{new}`"));
    }
    check_no_native_class(project, new)?;
    for class in uses.types.lineage(uses.owner()).classes {
        if uses.types.member(class, new).is_some() {
            let holder = project.path(class.file);
            return clash(format!("`{holder}` already has a member `{new}`"));
        }
    }
    if let Some(native) = native_with(project, uses, new) {
        return clash(format!("`{native}`, which `{path}` extends, already has a member `{new}`"));
    }
    for file in uses.owners() {
        let heir = project.path(file);
        if uses.types.member(ClassRef::of(file), new).is_some() {
            return clash(format!(
                "`{heir}`, which extends `{path}`, already has a member `{new}`"
            ));
        }
        if let Some((line, why)) = uses.clash_in(file, new) {
            return clash(format!("`{heir}`, line {line}: {why}"));
        }
    }
    Ok(())
}

/// The native class that the script extends, if it has a property, method, signal, enum or constant with this name.
pub(super) fn native_with(project: &Project, uses: &MemberUses<'_>, name: &str) -> Option<String> {
    let native = uses.types.lineage(uses.owner()).native?;
    let classes = project.classes();
    let has_enum = || {
        classes.lineage(&native).any(|class| {
            class.enum_names().any(|found| {
                let mut values = class.enum_values(found).into_iter().flatten();
                found == name || values.any(|(value, _)| value == name)
            })
        })
    };
    let has = name == SCRIPT
        || name.starts_with(NOTIFICATIONS)
        || classes.property(&native, name).is_some()
        || classes.method(&native, name).is_some()
        || classes.signal(&native, name).is_some()
        || has_enum();
    has.then_some(native)
}
