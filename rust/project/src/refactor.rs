//! Refactorings: what a new name or place of something changes in all files of a project.
//!
//! Each of them works out a [`Plan`] and writes nothing. Who carries a plan out has to do all of it or nothing.
//!
//! What is certain becomes an edit. What may have to change too, but cannot be told from the texts, becomes a doubt with its
//! place: nothing is ever guessed.

pub(crate) mod changed_lines;
mod csharp;
#[cfg(test)]
mod csharp_fixture;
mod dedupe;
pub(crate) mod draft;
mod error;
mod extract;
pub(crate) mod ids;
mod inline;
mod member_name;
mod move_files;
mod move_node;
pub(crate) mod names;
pub(crate) mod new_path;
mod node_change;
mod plan;
mod rename_class;
mod rename_member;
mod rename_method;
mod rename_node;
mod rename_property;
mod rename_signal;
pub(crate) mod resources;
mod unused;
mod unused_inside;
mod upgrade;

pub use dedupe::dedupe;
pub use error::RefactorError;
pub use extract::extract;
pub use inline::inline;
pub use move_files::{move_files, repair_moved};
pub use move_node::move_node;
pub use plan::{FileMove, Place, Plan};
pub use rename_class::rename_class;
pub use rename_method::rename_method;
pub use rename_node::rename_node;
pub(crate) use rename_property::key_of;
pub use rename_property::rename_property;
pub use rename_signal::rename_signal;
pub use unused::{PruneOptions, prune};
pub use unused_inside::prune_inside;
pub use upgrade::upgrade;

#[cfg(test)]
pub(crate) mod tests;
