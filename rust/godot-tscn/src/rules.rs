//! The rules. Each is one file (documentation, check, fix, tests) and one entry in [`RULES`].
//!
//! To add a rule: write `rules/<name>.rs` after the pattern of a neighbour, add its `mod` line
//! and its entry here. Everything else (`gdscene explain`, the tests of messages and examples)
//! follows from the table.

use crate::diagnostic::{Diagnostic, Severity};
use crate::lint::Context;
use crate::span::Span;

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
mod line_ends;
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

/// What a rule says of itself.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RuleInfo {
    /// A short code that never changes: `REF007`. The letters are the group.
    pub code: &'static str,
    /// What is flagged, in kebab case: `unused-ext-resource`.
    pub name: &'static str,
    /// What kind of defect it is about.
    pub group: RuleGroup,
    /// How bad a diagnostic is, where the rule does not decide case by case.
    pub severity: Severity,
    /// Whether the rule is looked at only if [`LintOptions::all_rules`] is set.
    ///
    /// [`LintOptions::all_rules`]: crate::LintOptions::all_rules
    pub is_off_by_default: bool,
    /// Whether settings files are checked with it too ([`lint_config`](crate::lint_config)).
    pub is_for_settings_files: bool,
    /// Whether its fixes may change other files than the one that is checked.
    pub fixes_other_files: bool,
    /// The documentation, in Markdown, as the doc comment has it; [`RuleInfo::markdown`] is for readers.
    pub docs: &'static str,
}

impl RuleInfo {
    /// The documentation, without the space that each line of a doc comment starts with.
    pub fn markdown(&self) -> String {
        let mut text = String::with_capacity(self.docs.len());
        for line in self.docs.lines() {
            text.push_str(line.strip_prefix(' ').unwrap_or(line));
            text.push('\n');
        }
        text
    }
}

/// A group of rules: the letters that their codes begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleGroup {
    /// `FMT`: layout.
    Format,
    /// `MIG`: what another version of Godot wrote.
    Migration,
    /// `PERF`: what is slow.
    Performance,
    /// `REF`: ids of resources.
    Reference,
    /// `RES`: files and uids.
    Resource,
    /// `SCR`: what scripts name.
    Script,
    /// `SEC`: what an untrusted file may do.
    Security,
    /// `SIG`: signals and connections.
    Signal,
    /// `STR`: sections, fields and properties.
    Structure,
    /// `STY`: style.
    Style,
    /// `SYN`: what Godot cannot read.
    Syntax,
    /// `TREE`: nodes.
    Tree,
}

/// A check of one file, and what is told of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// What is told of it. The rule derefs to it.
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
    /// A rule that is on by default, for scenes and resources, whose fixes stay in their file.
    ///
    /// # Panics
    /// If the letters of the code are not those of a group. For a static, that is an error of the compiler.
    pub const fn new(
        code: &'static str,
        name: &'static str,
        severity: Severity,
        docs: &'static str,
    ) -> Self {
        let Some(group) = RuleGroup::of(code) else { panic!("no group has such codes") };
        Self {
            code,
            name,
            group,
            severity,
            is_off_by_default: false,
            is_for_settings_files: false,
            fixes_other_files: false,
            docs,
        }
    }

    /// The same, but looked at only if it is asked for.
    #[must_use]
    pub const fn off_by_default(self) -> Self {
        Self { is_off_by_default: true, ..self }
    }

    /// The same, but for settings files too.
    #[must_use]
    pub const fn for_settings_files(self) -> Self {
        Self { is_for_settings_files: true, ..self }
    }

    /// The same, but with fixes that may change other files.
    #[must_use]
    pub const fn fixes_other_files(self) -> Self {
        Self { fixes_other_files: true, ..self }
    }

    /// What the rule with this code in [`RULES`] says: for a rule that takes its place and sees more.
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

    /// How exactly `pattern` names the rule: 0 not at all, 1 with all others (`ALL`, `DEFAULT`), 2 with its group, 3 alone.
    ///
    /// ```
    /// let rule = godot_tscn::RuleInfo::of("REF007");
    /// let ranks = ["REF007", "unused-ext-resource", "REF", "DEFAULT", "TREE"].map(|pattern| rule.rank(pattern));
    /// assert_eq!(ranks, [3, 3, 2, 1, 0]);
    /// ```
    pub fn rank(&self, pattern: &str) -> u8 {
        if self.is_called(pattern) {
            3
        } else if self.group.letters().eq_ignore_ascii_case(pattern) {
            2
        } else {
            let is_on = !self.is_off_by_default;
            u8::from(pattern == "ALL" || pattern == "DEFAULT" && is_on)
        }
    }

    /// Whether this is the rule's code or name, in any case.
    pub fn is_called(&self, code_or_name: &str) -> bool {
        self.code.eq_ignore_ascii_case(code_or_name) || self.name.eq_ignore_ascii_case(code_or_name)
    }
}

impl RuleGroup {
    const ALL: &'static [(Self, &'static str)] = &[
        (Self::Format, "FMT"),
        (Self::Migration, "MIG"),
        (Self::Performance, "PERF"),
        (Self::Reference, "REF"),
        (Self::Resource, "RES"),
        (Self::Script, "SCR"),
        (Self::Security, "SEC"),
        (Self::Signal, "SIG"),
        (Self::Structure, "STR"),
        (Self::Style, "STY"),
        (Self::Syntax, "SYN"),
        (Self::Tree, "TREE"),
    ];

    /// The group of the rule with this code.
    ///
    /// ```
    /// assert_eq!(godot_tscn::RuleGroup::of("TREE001"), Some(godot_tscn::RuleGroup::Tree));
    /// assert_eq!(godot_tscn::RuleGroup::of("TREES"), None);
    /// ```
    pub const fn of(code: &str) -> Option<Self> {
        let code = code.as_bytes();
        let mut len = 0;
        while len < code.len() && !code[len].is_ascii_digit() {
            len += 1;
        }
        let (letters, mut index) = (code.split_at(len).0, 0);
        while index < Self::ALL.len() {
            if is_same(letters, Self::ALL[index].1.as_bytes()) {
                return Some(Self::ALL[index].0);
            }
            index += 1;
        }
        None
    }

    /// The letters that the codes begin with: `SEC`.
    pub fn letters(self) -> &'static str {
        Self::ALL.iter().find(|(group, _)| *group == self).map_or("", |(_, letters)| letters)
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

/// `==`, which constants cannot use yet.
const fn is_same(left: &[u8], right: &[u8]) -> bool {
    let mut index = 0;
    while index < left.len() && index < right.len() && left[index] == right[index] {
        index += 1;
    }
    index == left.len() && index == right.len()
}

/// Where a rule puts what it finds.
#[derive(Debug)]
pub struct Reporter<'f> {
    rule: &'static RuleInfo,
    diagnostics: &'f mut Vec<Diagnostic>,
}

impl<'f> Reporter<'f> {
    /// Diagnostics of `rule`, which go to the end of `diagnostics`.
    pub fn new(rule: &'static RuleInfo, diagnostics: &'f mut Vec<Diagnostic>) -> Self {
        Self { rule, diagnostics }
    }

    /// Reports something at `span`. The message says what is wrong, why, and what to do: lower case, no final
    /// dot, code in backticks.
    pub fn report(&mut self, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        let index = self.diagnostics.len();
        self.diagnostics.push(Diagnostic {
            code: self.rule.code,
            name: self.rule.name,
            group: self.rule.group,
            severity: self.rule.severity,
            message: message.into(),
            span,
            labels: Vec::new(),
            consequence: None,
            help: None,
            fix: None,
        });
        &mut self.diagnostics[index]
    }
}

/// The [`RuleInfo`] of a doc comment, a code, a name, a [`Severity`], and what else is to be said of the rule: methods of
/// [`RuleInfo`] by name.
///
/// ```
/// use godot_tscn::RuleInfo;
/// static INFO: RuleInfo = godot_tscn::rule_info! {
///     /// ## What it does
///     /// Reports nothing.
///     "STY000", "nothing", Info, off_by_default
/// };
/// assert!(INFO.is_off_by_default);
/// ```
#[macro_export]
macro_rules! rule_info {
    ($(#[doc = $doc:literal])* $code:literal, $name:literal, $severity:ident $(, $what:ident)*) => {
        $crate::RuleInfo::new($code, $name, $crate::Severity::$severity, concat!($($doc, "\n",)*))
            $(.$what())*
    };
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
