//! What is wrong with a Godot project: the rules that need more than one file, their configuration, and the one way from a file to
//! its findings.
//!
//! A [`Workspace`] is a project and its configuration: it checks one text or all files, with the rules of [`godot_tscn`] and with
//! [`PROJECT_RULES`].
#![forbid(unsafe_code)]

mod compare;
mod config;
mod fix;
mod rules;
mod run;
mod workspace;

pub use compare::NewFindings;
pub use config::{CONFIG_NAME, Config, ConfigError, Overrides};
pub use fix::{ChangedFile, FixChoice, FixGroup, fix_across};
pub use godot_tscn::LocatedDiagnostic;
pub use rules::{PROJECT_RULES, ProjectRule, all_rules};
pub use run::lint_scene;
pub use workspace::{Observer, Scope, Workspace, WorkspaceOptions, WorkspaceReport};
