//! All integration tests of the crate, in one program: it is linked once, and its tests share the cores.

mod config_corpus;
mod corpus;
mod diff_properties;
mod fixtures;
mod format_corpus;
mod format_engine;
mod format_properties;
mod format_spoil;
mod fuzz_bodies;
mod hostile;
mod malformed;
mod merge_corpus;
mod merge_model;
mod merge_properties;
mod merge_settings;
mod merge_things;
mod properties;
mod security;
mod write_engine;
