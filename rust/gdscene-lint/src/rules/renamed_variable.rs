//! TREE024

use godot_project::assignments::Assignment;
use godot_project::object_type::Member;
use godot_project::res_path::name_of;
use godot_project::{Renamed, SceneContext, renamed_in_git};
use godot_tscn::{Applicability, Fix, Property, Reporter, Section, ValueTree, quote};
use hashbrown::HashMap;

use crate::rules::declare_rule;
use crate::rules::property_type_mismatch::may_replace;
use crate::rules::unknown_property::{Given, renamed};

declare_rule! {
    /// ## What it does
    /// Reports a stored value of an exported variable that was renamed in its script, according to git: a commit, or an
    /// uncommitted change, removed the variable and added another one in its place. The rule asks git only about
    /// scripts that lack the variable. Without git, and for untrusted files, it does not report anything.
    ///
    /// There is a fix if there is exactly one candidate, which must meet all these conditions:
    /// - The lines of the script that used the old name use the new one, or no line used the old name.
    /// - The declaration differs only in the name and is in the same place.
    /// - Both names have a word in common.
    /// - The new variable has no value in the file yet, and accepts the old value.
    ///
    /// ## Why is this bad?
    /// Godot drops the value without a warning, and the next save removes it.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://enemy.gd" id="1"]
    ///
    /// [node name="Enemy" type="Node2D"]
    /// script = ExtResource("1")
    /// health = 5
    /// ```
    /// where a commit has changed `@export var health: int` in `enemy.gd` to `@export var max_health: int`.
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://enemy.gd" id="1"]
    ///
    /// [node name="Enemy" type="Node2D"]
    /// script = ExtResource("1")
    /// max_health = 5
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: a value that Godot dropped takes effect again. `gdscene rename-property res://enemy.gd health
    /// max_health` makes the same change in all files and animations.
    ///
    /// ## References
    /// `Object::set` (core/object/object.cpp), godot-proposals issue 899
    "TREE024", "renamed-variable", Warning
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if context.is_older_than_project() && !context.is_for_godot_4() {
        return;
    }
    let mut given = Given::default();
    let lost = context.assignments().iter().filter(|found| found.is_lost());
    let found: Vec<_> = lost
        .filter_map(|Assignment { section, property, key, .. }| {
            let found = new_name(context, &mut given, *section, *property, key)?;
            Some((*section, *property, key, found))
        })
        .collect();
    let mut wanted: HashMap<(u32, &str), u32> = HashMap::new();
    for (section, _, _, found) in &found {
        *wanted.entry((section.index(), found.name())).or_default() += 1;
    }
    for (section, property, key, found) in &found {
        let diagnostic = reporter.report(property.engine_key_span(), told(key, found));
        let value = quote(property.source());
        diagnostic.consequence(format!("Godot drops {value}, and the next save removes it"));
        let name = found.name();
        if wanted[&(section.index(), name)] > 1 {
            diagnostic.help("the file has several values for this variable; keep one of them");
        } else if found.is_certain {
            let title = format!("write `{name}`");
            let edits = renamed(*section, *property, name);
            diagnostic.fix(Fix::new(title, Applicability::Unsafe, edits));
        } else {
            diagnostic.help(format!("write `{name}` if the variable was renamed to it"));
        }
    }
}

/// `` `health` was renamed to `max_health` in 1a2b3c4 (2026-05-01), in `enemy.gd` ``
pub(super) fn told(old: &str, found: &Renamed) -> String {
    let was = if found.is_certain { "was" } else { "was probably" };
    let script = name_of(&found.script);
    format!(
        "the variable {} of {} {was} renamed to {}",
        quote(old.as_bytes()),
        quote(script.as_bytes()),
        found.to_whom_and_when()
    )
}

/// The current name of the variable of a stored value, if its object has nothing with the old name, and accepts the value under
/// the new one.
pub(super) fn new_name(
    context: &SceneContext<'_>,
    given: &mut Given,
    section: Section<'_>,
    property: Property<'_>,
    key: &str,
) -> Option<Renamed> {
    let attached = context.attached(section);
    let file = attached.script_file()?;
    if !matches!(attached.property(key), Member::Nothing) {
        return None;
    }
    let found = renamed_in_git(context.project, file, key)?;
    let Member::Script(variable) = attached.property(found.name()) else { return None };
    if !variable.is_exported || given.has(section, found.name()) {
        return None;
    }
    let takes = given.may_give(context, section, property, variable.type_name.as_deref());
    let value = variable.value.as_deref().filter(|_| variable.type_name.is_none());
    let fits_first = value.is_none_or(|first| {
        let (given, first) = (property.value_tree(), ValueTree::new(first.as_bytes()));
        may_replace(given.root(), first.root())
    });
    (takes && fits_first).then_some(found)
}
