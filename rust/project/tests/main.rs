//! All integration tests of the crate, in one program: it is linked once, and its tests share the cores.

mod classes;
mod cleanup_corpus;
mod corpus;
mod edit_properties;
mod fixtures;
mod last_committed;
mod moves;
mod project;
mod refactor_properties;
mod rename_symbols;
mod renamed_variables;
mod version_control;
mod walk;
