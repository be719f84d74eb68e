//! The rules that need a project. Each is one file (documentation, check, fix) and one entry in
//! [`PROJECT_RULES`].
//!
//! To add a rule, write `rules/<name>.rs` after the pattern of a neighbour, and add its `mod` line and its entry here.
//! Add a folder `tests/fixtures/<code>-<name>` with a project. The file next to it with its name and `.snap` lists the
//! findings there.

use std::sync::LazyLock;

use godot_project::SceneContext;
use godot_tscn::{GodotVersion, Reporter, RuleInfo};

use crate::rules::context::{ScriptContext, SettingsContext};

mod animation_libraries;
mod arity_mismatch;
mod broken_dependency;
mod broken_script;
mod changed_by_version;
mod class_not_node;
pub(crate) mod context;
mod deep_instance_chain;
mod default_value_stored;
mod dependency_cycle;
mod duplicate_sibling;
mod duplicate_uid;
pub(crate) mod engine;
mod ext_type_mismatch;
mod external_uses;
mod generated_name;
mod instance_not_scene;
mod invalid_setting;
mod missing_file;
mod missing_folder;
mod missing_header_uid;
mod missing_load;
mod missing_preload;
mod missing_script_node;
mod missing_setting_file;
mod missing_uid;
mod node_paths_field_mismatch;
mod not_convertible;
mod not_in_vcs;
mod orphan_file;
mod override_without_editable;
mod parent_after_child;
mod path_case_mismatch;
mod property_type_mismatch;
mod referrers;
mod refers_to_ignored;
mod refused_value;
mod renamed_class;
mod renamed_property;
mod renamed_variable;
mod script_base_mismatch;
mod script_class_mismatch;
mod script_files;
mod shader_parameters;
mod stale_editable;
mod stale_uid;
mod track_members;
mod uid_path_mismatch;
mod unassigned_export;
mod unknown_action;
mod unknown_animation;
mod unknown_bus;
mod unknown_class;
mod unknown_connection_end;
mod unknown_group;
mod unknown_metadata;
mod unknown_method;
mod unknown_method_name;
mod unknown_name;
mod unknown_name_in_scene;
mod unknown_parent;
mod unknown_property;
mod unknown_property_name;
mod unknown_setting_name;
mod unknown_shader_parameter;
mod unknown_signal;
mod unknown_signal_name;
mod unresolved_node_path;
mod unresolved_track_path;
mod vanished_override;

/// All rules that need a project, by code.
///
/// A rule with the code of one in [`godot_tscn::RULES`] takes its place: it sees more.
pub static PROJECT_RULES: &[&ProjectRule] = &[
    &missing_file::RULE,
    &uid_path_mismatch::RULE,
    &stale_uid::RULE,
    &missing_uid::RULE,
    &duplicate_uid::RULE,
    &path_case_mismatch::RULE,
    &ext_type_mismatch::RULE,
    &dependency_cycle::RULE,
    &refers_to_ignored::RULE,
    &not_in_vcs::RULE,
    &script_class_mismatch::RULE,
    &missing_header_uid::RULE,
    &orphan_file::RULE,
    &missing_setting_file::RULE,
    &broken_dependency::RULE,
    &invalid_setting::RULE,
    &unknown_name_in_scene::RULE,
    &unresolved_track_path::RULE,
    &unknown_parent::RULE,
    &parent_after_child::RULE,
    &duplicate_sibling::RULE,
    &unresolved_node_path::RULE,
    &node_paths_field_mismatch::RULE,
    &vanished_override::RULE,
    &override_without_editable::RULE,
    &stale_editable::RULE,
    &unknown_class::RULE,
    &class_not_node::RULE,
    &unknown_property::RULE,
    &property_type_mismatch::RULE,
    &instance_not_scene::RULE,
    &script_base_mismatch::RULE,
    &refused_value::RULE,
    &generated_name::RULE,
    &renamed_variable::RULE,
    &unknown_connection_end::RULE,
    &unknown_signal::RULE,
    &unknown_method::RULE,
    &arity_mismatch::RULE,
    &default_value_stored::RULE,
    &deep_instance_chain::RULE,
    &renamed_class::RULE,
    &renamed_property::RULE,
    &not_convertible::RULE,
    &changed_by_version::RULE,
    &missing_preload::RULE,
    &missing_load::RULE,
    &missing_script_node::RULE,
    &broken_script::RULE,
    &unassigned_export::RULE,
    &unknown_action::RULE,
    &unknown_group::RULE,
    &unknown_bus::RULE,
    &unknown_animation::RULE,
    &unknown_shader_parameter::RULE,
    &unknown_metadata::RULE,
    &unknown_signal_name::RULE,
    &unknown_method_name::RULE,
    &unknown_property_name::RULE,
    &unknown_setting_name::RULE,
];

/// Rules that report findings of many files once, in `project.godot`.
pub(crate) static SUMMARIZING_RULES: &[&ProjectRule] = &[&not_in_vcs::RULE];

/// A check of one file in its project, and its documentation.
#[derive(Debug)]
#[non_exhaustive]
pub struct ProjectRule {
    /// Its documentation. The rule derefs to it.
    pub info: RuleInfo,
    /// Whether it takes the place of the rule in [`godot_tscn::RULES`] with the same code.
    pub replaces: bool,
    pub(crate) check: Check,
}

/// The input of a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// Scenes and resources.
    Scene(fn(&SceneContext<'_>, &mut Reporter<'_>)),
    /// Settings files.
    Settings(fn(&SettingsContext<'_>, &mut Reporter<'_>)),
    /// Both.
    Both(fn(&SceneContext<'_>, &mut Reporter<'_>), fn(&SettingsContext<'_>, &mut Reporter<'_>)),
    /// Scripts in GDScript.
    Script(fn(&ScriptContext<'_>, &mut Reporter<'_>)),
    /// Scenes and resources, and settings files, by the meaning of their Godot version for them.
    Version(
        fn(&SceneContext<'_>, GodotVersion, &mut Reporter<'_>),
        fn(&SettingsContext<'_>, GodotVersion, &mut Reporter<'_>),
    ),
}

impl std::ops::Deref for ProjectRule {
    type Target = RuleInfo;

    fn deref(&self) -> &RuleInfo {
        &self.info
    }
}

/// The documentation of all rules, also those for single files, each code once.
///
/// ```
/// assert!(gdscene_lint::all_rules().any(|rule| rule.code == "RES001"));
/// assert!(gdscene_lint::all_rules().any(|rule| rule.code == "REF007"));
/// ```
pub fn all_rules() -> impl Iterator<Item = &'static RuleInfo> {
    let single = godot_tscn::RULES.iter().map(|rule| &rule.info).filter(|info| !is_replaced(info));
    let of_project = PROJECT_RULES.iter().map(|rule| &rule.info);
    single.chain(of_project).chain(engine::RULES).chain([&godot_tscn::UNUSED_SUPPRESSION])
}

/// Whether `rule` has one in [`PROJECT_RULES`] that takes its place. It is one of [`godot_tscn::RULES`] itself, not a copy.
pub(crate) fn is_replaced(rule: &RuleInfo) -> bool {
    // This is asked of each rule, for each file.
    static REPLACED: LazyLock<Vec<&RuleInfo>> = LazyLock::new(|| {
        let replaces = |info: &&RuleInfo| {
            PROJECT_RULES.iter().any(|other| other.replaces && other.code == info.code)
        };
        godot_tscn::RULES.iter().map(|rule| &rule.info).filter(replaces).collect()
    });
    REPLACED.iter().any(|replaced| std::ptr::eq(*replaced, rule))
}

/// Defines a rule; its doc comment is its documentation for users too. A rule that replaces the rule with its code in
/// [`godot_tscn::RULES`] says so: `as_in_tscn` has the documentation of that rule, `in_place_of_tscn` has its own. One of settings
/// files says `for_settings`, one of both `for_scenes_and_settings`, one of scripts `for_scripts`, one of both that needs the
/// target `for_newer_versions`.
macro_rules! declare_rule {
    (as_in_tscn $code:literal) => {
        pub(super) static RULE: $crate::rules::ProjectRule = $crate::rules::ProjectRule {
            info: godot_tscn::RuleInfo::of($code),
            replaces: true,
            check: $crate::rules::Check::Scene(check),
        };
    };
    (in_place_of_tscn $($rule:tt)*) => {
        $crate::rules::declare_rule! { @ true Scene $($rule)* }
    };
    (% Scene) => { $crate::rules::Check::Scene(check) };
    (% Script) => { $crate::rules::Check::Script(check) };
    (% Settings) => { $crate::rules::Check::Settings(check) };
    (% Both) => { $crate::rules::Check::Both(check, check_settings) };
    (% Version) => { $crate::rules::Check::Version(check, check_settings) };
    (for_newer_versions $($rule:tt)*) => {
        $crate::rules::declare_rule! { @ false Version $($rule)* }
    };
    (for_scenes_and_settings $($rule:tt)*) => {
        $crate::rules::declare_rule! { @ false Both $($rule)* }
    };
    (for_scripts $($rule:tt)*) => {
        $crate::rules::declare_rule! { @ false Script $($rule)* }
    };
    (for_settings $($rule:tt)*) => {
        $crate::rules::declare_rule! { @ false Settings $($rule)* }
    };
    (@ $replaces:literal $check:ident $(#[doc = $doc:literal])* $code:literal, $name:literal, $severity:ident $(, $what:ident)*) => {
        $(#[doc = $doc])*
        pub(super) static RULE: $crate::rules::ProjectRule = $crate::rules::ProjectRule {
            info: godot_tscn::rule_info!($(#[doc = $doc])* $code, $name, $severity $(, $what)*),
            replaces: $replaces,
            check: $crate::rules::declare_rule!(% $check),
        };
    };
    ($(#[doc = $doc:literal])* $code:literal $($rule:tt)*) => {
        $crate::rules::declare_rule! { @ false Scene $(#[doc = $doc])* $code $($rule)* }
    };
}
use declare_rule;
