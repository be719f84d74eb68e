//! The rules. Each is one file (documentation, check, fix, tests) and one entry in [`RULES`].
//!
//! To add a rule: write `rules/<name>.rs` after the pattern of a neighbour, add its `mod` line
//! and its entry here. Everything else (`gdscene explain`, the tests of messages and examples)
//! follows from the table.

use crate::context::Context;
use crate::diagnostic::is_same;
pub(crate) use crate::rule_info::Reporter;
use crate::rule_info::RuleInfo;

mod animation_player;
mod attached_script;
mod bad_base64;
mod bad_escape;
mod bad_header;
mod binary_disguised;
mod byte_order_mark;
mod call_from_data;
mod comment_will_be_lost;
mod conflict_marker;
mod converter_damage;
mod custom_type_script_metadata;
mod decimal_bytes;
mod downgrade;
mod duplicate_connection;
mod duplicate_dict_key;
mod duplicate_ext_id;
mod duplicate_ext_path;
mod duplicate_field;
mod duplicate_group;
mod duplicate_property;
mod duplicate_section;
mod duplicate_sibling;
mod duplicate_sub_id;
mod duplicate_sub_resource;
mod duplicate_unique_id;
mod editor_connection;
mod editor_metadata;
mod embedded_data;
mod embedded_script;
mod file_naming;
mod float_noise;
mod foreign_path;
mod format_2;
mod format_mismatch;
mod format_too_new;
mod gdscript_literal;
mod hash_comment;
mod huge_file;
mod index_without_effect;
mod inline_resource_load;
mod inline_resource_path;
mod invalid_bone;
mod invalid_node_name;
mod invalid_sub_id_chars;
mod invalid_surface;
mod invalid_token;
mod invalid_track;
mod invalid_track_keys;
mod invalid_uid_text;
mod invalid_utf8;
mod large_packed_array;
mod legacy_constructor;
mod legacy_meta;
pub(crate) mod line_ends;
mod load_by_text;
mod load_steps_mismatch;
mod load_steps_obsolete;
mod malformed_root;
mod misplaced_property;
mod missing_equals;
mod missing_or_extra_comma;
mod missing_required_field;
mod multiple_roots;
mod nesting_too_deep;
mod next_key;
mod no_root;
mod node_naming;
mod node_paths_field_mismatch;
mod node_without_name;
mod not_allowed;
mod not_canonical;
pub(crate) mod not_known_harmless;
mod nul_byte;
mod number_out_of_range;
mod numeric_id;
mod object_constructor;
mod parent_after_child;
mod partial_unique_ids;
mod path_outside_project;
mod path_takeover;
mod recovered_orphan_name;
mod resource_bomb;
mod section_order;
mod self_reference;
mod sub_resource_forward_ref;
mod tag_after_resource;
mod trailing_garbage;
mod uid_redirect;
mod undefined_ext_id;
mod undefined_sub_id;
mod unique_name_duplicate;
mod unknown_bone;
mod unknown_connection_end;
mod unknown_connection_flags;
mod unknown_constructor;
pub(crate) mod unknown_field;
mod unknown_parent;
mod unknown_tag;
mod unquoted_key_chars;
mod unresolved_track_path;
mod unsorted;
mod unterminated;
mod unused_ext_resource;
mod unused_sub_resource;
mod wrong_arity;
mod wrong_field_type;

/// All rules, by code.
pub static RULES: &[&Rule] = &[
    &invalid_token::RULE,
    &missing_equals::RULE,
    &hash_comment::RULE,
    &trailing_garbage::RULE,
    &unquoted_key_chars::RULE,
    &conflict_marker::RULE,
    &unterminated::RULE,
    &bad_escape::RULE,
    &byte_order_mark::RULE,
    &invalid_utf8::RULE,
    &wrong_arity::RULE,
    &number_out_of_range::RULE,
    &gdscript_literal::RULE,
    &missing_or_extra_comma::RULE,
    &unknown_constructor::RULE,
    &duplicate_dict_key::RULE,
    &nesting_too_deep::RULE,
    &nul_byte::RULE,
    &bad_base64::RULE,
    &binary_disguised::RULE,
    &bad_header::RULE,
    &format_too_new::RULE,
    &unknown_tag::RULE,
    &section_order::RULE,
    &missing_required_field::RULE,
    &unknown_field::RULE,
    &duplicate_field::RULE,
    &duplicate_property::RULE,
    &no_root::RULE,
    &multiple_roots::RULE,
    &malformed_root::RULE,
    &node_without_name::RULE,
    &tag_after_resource::RULE,
    &wrong_field_type::RULE,
    &load_steps_mismatch::RULE,
    &format_mismatch::RULE,
    &misplaced_property::RULE,
    &duplicate_section::RULE,
    &undefined_ext_id::RULE,
    &undefined_sub_id::RULE,
    &sub_resource_forward_ref::RULE,
    &duplicate_ext_id::RULE,
    &duplicate_sub_id::RULE,
    &duplicate_ext_path::RULE,
    &unused_ext_resource::RULE,
    &unused_sub_resource::RULE,
    &invalid_sub_id_chars::RULE,
    &inline_resource_path::RULE,
    &self_reference::RULE,
    &numeric_id::RULE,
    &foreign_path::RULE,
    &invalid_uid_text::RULE,
    &invalid_bone::RULE,
    &unknown_bone::RULE,
    &animation_player::RULE,
    &invalid_track::RULE,
    &invalid_track_keys::RULE,
    &unresolved_track_path::RULE,
    &invalid_surface::RULE,
    &unknown_parent::RULE,
    &parent_after_child::RULE,
    &duplicate_sibling::RULE,
    &invalid_node_name::RULE,
    &node_paths_field_mismatch::RULE,
    &duplicate_unique_id::RULE,
    &partial_unique_ids::RULE,
    &unique_name_duplicate::RULE,
    &index_without_effect::RULE,
    &duplicate_group::RULE,
    &recovered_orphan_name::RULE,
    &unknown_connection_end::RULE,
    &duplicate_connection::RULE,
    &unknown_connection_flags::RULE,
    &editor_connection::RULE,
    &not_canonical::RULE,
    &line_ends::RULE,
    &editor_metadata::RULE,
    &custom_type_script_metadata::RULE,
    &float_noise::RULE,
    &comment_will_be_lost::RULE,
    &node_naming::RULE,
    &file_naming::RULE,
    &unsorted::RULE,
    &embedded_script::RULE,
    &object_constructor::RULE,
    &inline_resource_load::RULE,
    &path_outside_project::RULE,
    &uid_redirect::RULE,
    &attached_script::RULE,
    &call_from_data::RULE,
    &not_allowed::RULE,
    &resource_bomb::RULE,
    &path_takeover::RULE,
    &load_by_text::RULE,
    &not_known_harmless::RULE,
    &large_packed_array::RULE,
    &embedded_data::RULE,
    &huge_file::RULE,
    &duplicate_sub_resource::RULE,
    &decimal_bytes::RULE,
    &format_2::RULE,
    &legacy_constructor::RULE,
    &legacy_meta::RULE,
    &load_steps_obsolete::RULE,
    &converter_damage::RULE,
    &downgrade::RULE,
];

/// A check of one file, and its description.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// Its description. The rule derefs to it.
    pub info: RuleInfo,
    pub(crate) check: fn(&Context<'_>, &mut Reporter<'_>),
}

impl std::ops::Deref for Rule {
    type Target = RuleInfo;

    fn deref(&self) -> &RuleInfo {
        &self.info
    }
}

impl RuleInfo {
    /// The description of the rule with this code in [`RULES`]: for a rule that replaces it and sees
    /// more.
    ///
    /// ```
    /// static INFO: godot_tscn::RuleInfo = godot_tscn::RuleInfo::of("TREE001");
    /// assert_eq!(INFO.name, "unknown-parent");
    /// ```
    ///
    /// # Panics
    /// If no rule has the code. For a static, that is an error of the compiler.
    pub const fn of(code: &str) -> Self {
        let mut index = 0;
        while index < RULES.len() {
            let info = RULES[index].info;
            if is_same(info.code.as_bytes(), code.as_bytes()) {
                return info;
            }
            index += 1;
        }
        panic!("no rule has the code");
    }
}

impl Rule {
    /// The rule with this code or name, in any case.
    ///
    /// ```
    /// assert_eq!(godot_tscn::Rule::find("ref007").unwrap().name, "unused-ext-resource");
    /// ```
    pub fn find(code_or_name: &str) -> Option<&'static Self> {
        RULES.iter().copied().find(|rule| rule.is_called(code_or_name))
    }
}

/// Defines a rule; its doc comment is its documentation for users too.
macro_rules! declare_rule {
    ($(#[doc = $doc:literal])* $code:literal, $name:literal, $severity:ident $(, $what:ident)*) => {
        $(#[doc = $doc])*
        pub(crate) static RULE: $crate::rules::Rule = $crate::rules::Rule {
            info: $crate::rule_info!($(#[doc = $doc])* $code, $name, $severity $(, $what)*),
            check,
        };
    };
}
use declare_rule;

#[cfg(test)]
mod tests;
