//! The native library of the addon `fast_variant`.
//!
//! Godot classes over the engine-free crates, and the engine's memory as a source and a sink of
//! values. Logic that needs no engine lives in those crates.
//!
//! `unsafe` is allowed in four modules, where each block proves itself: [`engine`], and the few
//! lines that gdext asks for in [`entry`], [`default_argument`] and [`options_argument`].

mod decode_options;
mod default_argument;
mod dialects;
mod engine;
mod entry;
mod fast_variant;
mod fast_variant_result;
mod o3de_json;
mod o3de_json_result;
mod options_argument;
mod project_configuration;
mod project_files;
mod rpc_packet;
mod scene_classes;
mod scene_diagnostic;
mod scene_lint_job;
mod scene_linter;
mod scene_loss;
mod scene_project;
mod scene_rewriter;
mod scene_safety;
mod threads;
mod variant_file;
mod variant_stream;
mod variant_view;
