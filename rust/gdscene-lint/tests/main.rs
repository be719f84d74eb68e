//! All integration tests of the crate, in one program: it is linked once, and its tests share the cores.

mod classes;
mod corpus;
mod fixtures;
mod own_rules;
mod own_rules_random;
mod project;
mod renamed_variables;
mod version_control;
mod walk;
