//! The rules. Each is one file (documentation, check, fix, tests) and one entry in [`RULES`].
//!
//! To add a rule: write `rules/<name>.rs` after the pattern of a neighbour, add its `mod` line
//! and its entry here. Everything else (`gdscene explain`, the tests of messages and examples)
//! follows from the table.

use crate::diagnostic::{Diagnostic, Severity};
use crate::lint::Context;
use crate::span::Span;

mod animation_player;
mod bad_base64;
mod bad_escape;
mod bad_header;
mod binary_disguised;
mod byte_order_mark;
mod conflict_marker;
mod duplicate_dict_key;
mod duplicate_ext_id;
mod duplicate_ext_path;
mod duplicate_field;
mod duplicate_property;
mod duplicate_section;
mod duplicate_sibling;
mod duplicate_sub_id;
mod format_mismatch;
mod format_too_new;
mod gdscript_literal;
mod hash_comment;
mod inline_resource_path;
mod invalid_bone;
mod invalid_sub_id_chars;
mod invalid_surface;
mod invalid_token;
mod invalid_track;
mod invalid_track_keys;
mod invalid_utf8;
mod load_steps_mismatch;
mod malformed_root;
mod misplaced_property;
mod missing_equals;
mod missing_or_extra_comma;
mod missing_required_field;
mod multiple_roots;
mod nesting_too_deep;
mod no_root;
mod node_without_name;
mod nul_byte;
mod number_out_of_range;
mod numeric_id;
mod parent_after_child;
mod section_order;
mod self_reference;
mod sub_resource_forward_ref;
mod tag_after_resource;
mod trailing_garbage;
mod undefined_ext_id;
mod undefined_sub_id;
mod unknown_bone;
mod unknown_connection_end;
mod unknown_constructor;
mod unknown_field;
mod unknown_parent;
mod unknown_tag;
mod unquoted_key_chars;
mod unresolved_track_path;
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
    &unknown_connection_end::RULE,
];

/// A check with its name and documentation.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// A short code that never changes: `REF007`. The letters are the group.
    pub code: &'static str,
    /// What is flagged, in kebab case: `unused-ext-resource`.
    pub name: &'static str,
    /// How bad a finding is, where the rule does not decide case by case.
    pub severity: Severity,
    /// Whether the rule is looked at only if [`LintOptions::all_rules`] is set.
    ///
    /// [`LintOptions::all_rules`]: crate::LintOptions::all_rules
    pub is_off_by_default: bool,
    /// The documentation, in Markdown.
    pub docs: &'static str,
    pub(crate) check: fn(&Context<'_>, &mut Findings<'_>),
}

impl Rule {
    /// The rule with this code or name, in any case.
    ///
    /// ```
    /// assert_eq!(tscn::Rule::find("ref007").unwrap().name, "unused-ext-resource");
    /// ```
    pub fn find(code_or_name: &str) -> Option<&'static Self> {
        RULES.iter().copied().find(|rule| {
            rule.code.eq_ignore_ascii_case(code_or_name)
                || rule.name.eq_ignore_ascii_case(code_or_name)
        })
    }
}

impl Rule {
    /// Whether settings files are checked with it too ([`lint_config`](crate::lint_config)).
    pub fn is_for_settings(&self) -> bool {
        self.code.starts_with("SYN") || matches!(self.code, "STR008" | "STR018")
    }
}

/// Where a rule puts what it finds.
pub(crate) struct Findings<'f> {
    rule: &'static Rule,
    diagnostics: &'f mut Vec<Diagnostic>,
}

impl<'f> Findings<'f> {
    pub(crate) fn new(rule: &'static Rule, diagnostics: &'f mut Vec<Diagnostic>) -> Self {
        Self { rule, diagnostics }
    }

    /// Adds a finding. The message says what is wrong, why, and what to do: lower case, no final
    /// dot, code in backticks.
    pub(crate) fn push(&mut self, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        let index = self.diagnostics.len();
        self.diagnostics.push(Diagnostic {
            code: self.rule.code,
            name: self.rule.name,
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

/// Defines a rule; its doc comment is its documentation for users too.
macro_rules! declare_rule {
    ($(#[doc = $doc:literal])* $code:literal, $name:literal, $severity:ident $(, $off:ident)?) => {
        $(#[doc = $doc])*
        pub(super) static RULE: $crate::rules::Rule = $crate::rules::Rule {
            code: $code,
            name: $name,
            severity: $crate::diagnostic::Severity::$severity,
            is_off_by_default: <[&str]>::len(&[$(stringify!($off),)?]) == 1,
            docs: concat!($($doc, "\n",)*),
            check,
        };
    };
}
use declare_rule;

#[cfg(test)]
mod tests;
