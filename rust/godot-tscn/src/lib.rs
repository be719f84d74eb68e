//! Godot's text scenes and resources (`.tscn`, `.tres`, `.escn`), read as Godot 4.6.3 reads them
//! and checked without the engine.
//!
//! Three phases, as in the crate `toml_parser`:
//!
//! 1. **Lexing**: bytes to [`Token`]s. They are ranges, and put end to end they give the text.
//! 2. **Parsing**: tokens to a [`Document`] of sections, fields and properties, again as ranges.
//!    Parsing never fails: errors are in [`Document::errors`].
//! 3. **Decoding**, only where a value is asked for: [`Field::text`], [`Property::value`].
//!
//! On top, [`lint`] runs every [`Rule`] on the document and collects [`Diagnostic`]s.
//! [`apply_fixes`] applies their fixes. And [`format()`] writes a text as Godot's saver does.
//!
//! [`parse_config`] reads `project.godot` and its like by the same tokens, and [`lint`] checks them too.
//!
//! **Invariants.** The text is bytes: bytes that are not UTF-8 are input like any other. Nothing
//! here does I/O, recurses deeper than [`MAX_DEPTH`], or takes more than linear time.
#![forbid(unsafe_code)]

// Its examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

// For files that the tests of this crate and of others include.
#[cfg(test)]
extern crate self as godot_tscn;

mod allow_list;
mod budget;
mod config_file;
mod conflict_marks;
mod consequences;
mod context;
mod decode;
mod diagnostic;
pub mod diff;
mod document;
mod document_mut;
mod edit_set;
mod file_edits;
mod findings;
mod fix;
mod format;
mod godot_version;
mod harmless;
mod ignore;
mod lfs;
mod line_index;
mod lint;
mod located;
mod merge;
mod model;
mod names;
mod newer;
mod node_places;
mod number;
mod options;
mod quote;
mod refusal;
mod removal;
mod rule_choice;
mod rule_info;
mod rules;
mod safety;
mod save_diff;
mod span;
mod suggest;
mod syntax;
mod value;
mod withhold;
mod words;
mod write;

pub use allow_list::AllowList;
pub use budget::{Budget, Excess, Tally, Thing};
pub use config_file::{ConfigFile, ConfigSection, is_config_path, parse_config};
pub use context::hides_sections;
pub use diagnostic::{Applicability, Diagnostic, Fix, Label, RuleGroup, Severity};
pub use diff::{Diff, DiffRefusal, DiffSide, diff, diff_file, readable, take_back};
pub use document::nested::keeps_nested_scenes;
pub use document::{
    Document, Field, Property, Reference, ReferenceKind, Section, TagKind, ValueKind,
};
pub use document_mut::{
    DocumentMut, NotCanonical, NotEditable, SectionId, canonical_value, key_text, quoted,
    quoted_name, quoted_raw,
};
pub use edit_set::{Edit, EditSet};
pub use file_edits::FileEdits;
pub use findings::Findings;
pub use fix::{FixOptions, Fixed, apply_fixes, fix, fix_by};
pub use format::order::compare_ids;
pub use format::{FormatBug, FormatOptions, FormatRefusal, Formatted, format, project_target};
pub use godot_version::{GodotVersion, UnknownVersion};
pub use harmless::{Uses, Weight};
pub use ignore::{
    UNUSED_SUPPRESSION, apply_script_suppressions, has_suppressions, ignore_here, is_suppressible,
};
pub use lfs::LFS_POINTER;
pub use line_index::{LineIndex, Position};
pub use lint::{LintReport, lint, lint_config, lint_parsed, lint_unsuppressed};
pub use located::LocatedDiagnostic;
pub use merge::{
    LostPath, MergeConflict, MergeNote, MergeRefusal, MergeSide, Merged, Resolved, SceneMoves,
    Settlement, TakeBackRefusal, Unresolved, UnresolvedKind, follow_instances, instances,
    lost_in_instances, merge, merge_config, merge_file, resolve, resolve_by, settle, unresolved,
};
pub use model::animations::{listed as listed_animations, root_path as animation_root};
pub use model::indexed::{Group, groups as property_groups};
pub use newer::rules_of_versions;
pub use node_places::NodePlaces;
pub use options::{LintOptions, Profile};
pub use quote::{article, quote};
pub use refusal::{Refusal, refusal, value_problems};
pub use rule_choice::{NamePattern, RuleChoice, RuleState};
pub use rule_info::{Reporter, RuleInfo};
pub use rules::{RULES, Rule};
pub use safety::{
    ExternalReference, Safety, SafetyOptions, TooHeavy, TotalWeight, external_references,
    is_data_path, is_text_path, safety, total_weight,
};
pub use save_diff::{
    Edited, EditedKind, Loss, LossCause, LossKind, edits, lost, property_at, value_resource,
};
pub use span::Span;
pub use suggest::{SuggestionBudget, nearest};
pub use syntax::construct::present_construct_name;
pub use syntax::{
    Expected, GdscriptLiteral, HashLine, MAX_DEPTH, MAX_ERRORS, NumberRange, SyntaxError,
    SyntaxErrorKind, Token, TokenKind, Unterminated, config_tokens, parse, tokens,
};
pub use value::tree::{PartKind, PartRef, ValueTree};
pub use value::{ValueError, parse_value};
pub use write::{Draft, DraftSection, Expression, WriteError, write, write_value};
