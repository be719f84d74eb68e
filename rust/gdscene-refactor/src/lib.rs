//! Refactorings and edits of Godot projects: renames, moves, clean-up, and the operations of an editor.
//!
//! Each of them works out a [`godot_project::Plan`] and writes nothing. `gdscene_journal` carries a plan out, all of it or nothing.
//!
//! Certain changes become edits. Changes that may be necessary, but cannot be determined from the texts, become doubts
//! with their places: nothing is ever guessed.
//!
//! To add a refactoring, write a function that returns a [`Plan`], its command in `gdscene/src/commands`, and an
//! example in `docs/refactorings.md`, which `gdscene/tests/refactorings_page.rs` runs. Add its trials to
//! `examples/refactor_candidates.rs`, its mapping to `godot_project/tools/refactored_names.gd`, and something to
//! find to `tests/refactored_project`. For GDScript: its method in `fast-variant/src/scene_rewriter.rs`, its
//! functions in `edition/editor/refactoring.rs` and `edition/game.rs`.

#![forbid(unsafe_code)]

mod changed_lines;
mod csharp;
#[cfg(test)]
mod csharp_fixture;
mod dedupe;
mod draft;
mod edit;
mod error;
mod extract;
mod ids;
mod inline;
mod member_name;
mod move_files;
mod move_node;
mod names;
mod new_path;
mod node_change;
mod outline;
mod rename_class;
mod rename_member;
mod rename_method;
mod rename_name;
mod rename_node;
mod rename_property;
mod rename_signal;
mod resources;
mod unused;
mod unused_inside;
mod upgrade;
mod whole_word;

pub use changed_lines::changes as changes_by_line;
pub use dedupe::dedupe;
pub use edit::{
    AnimationSpec, CellsSpec, ConnectionSpec, EditError, EditErrorKind, Edited, KeySpec, NewNode,
    OPERATIONS, ObjectValues, Operation, OperationKind, OperationsError, Outcome, PropertyValue,
    Siblings, TrackSpec, ValueSource, ValueSpec, edit, get, operations, points_of,
};
pub use error::RefactorError;
pub use extract::extract;
pub use inline::inline;
pub use move_files::{move_files, repair_moved};
pub use move_node::move_node;
pub use outline::{
    ConnectionOutline, ExtResourceOutline, NodeOutline, Outline, SubResourceOutline, outline,
};
pub use rename_class::rename_class;
pub use rename_method::rename_method;
pub use rename_name::{RENAMED_KINDS, rename_name};
pub use rename_node::rename_node;
pub use rename_property::rename_property;
pub use rename_signal::rename_signal;
pub use unused::{PruneOptions, prune};
pub use unused_inside::prune_inside;
pub use upgrade::upgrade;

#[cfg(test)]
mod tests;
