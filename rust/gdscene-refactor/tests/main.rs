//! All integration tests of the crate, in one program: it is linked once, and its tests share the cores.

mod cleanup_corpus;
mod edit_properties;
mod moves;
mod refactor_properties;
mod rename_symbols;
