//! The native libraries of the addon `fast_variant`: the one for games and, with the feature `editor`, the larger one
//! that only the editor loads ([`edition`]).
//!
//! Godot classes over the engine-free crates, and the engine's memory as a source and a sink of
//! values. Logic that needs no engine lives in those crates.
//!
//! `unsafe` is allowed in four modules, where each block proves itself: [`engine`], and the few
//! lines that gdext asks for in [`entry`], [`default_argument`] and [`options_argument`].

mod by_name;
mod decode_options;
mod default_argument;
mod dialects;
mod edition;
mod engine;
mod entry;
mod fast_variant;
mod fast_variant_result;
mod fast_variant_schema;
mod frames;
mod o3de_json;
mod o3de_json_result;
mod options_argument;
mod rpc_packet;
mod salvage;
mod saved_file;
#[cfg(feature = "editor")]
mod scene_comparison;
mod scene_diagnostic;
#[cfg(feature = "editor")]
mod scene_git_job;
mod scene_lint_job;
mod scene_linter;
#[cfg(feature = "editor")]
mod scene_loss;
#[cfg(feature = "editor")]
mod scene_merge;
mod scene_place;
mod scene_refactoring;
mod scene_rewriter;
mod scene_safety;
mod threads;
mod variant_file;
mod variant_stream;
mod variant_view;
mod wrong_arguments;
mod wrong_file;
