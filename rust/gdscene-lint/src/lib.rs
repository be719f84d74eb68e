//! The findings in a Godot project: the rules that need more than one file, their configuration, and the one way from a file to
//! its findings.
//!
//! A [`Workspace`] is a project and its configuration: it checks one text or all files, with the rules of [`godot_tscn`] and with
//! [`PROJECT_RULES`].
#![forbid(unsafe_code)]

mod compare;
mod config;
mod fix;
mod globs;
mod naming;
mod own_rules;
mod rules;
mod run;
mod verdict;
mod workspace;

pub use compare::NewFindings;
pub use config::{CONFIG_NAME, Config, ConfigError, Overrides};
pub use fix::{ChangedFile, FixChoice, FixGroup, fix_across};
pub use godot_tscn::LocatedDiagnostic;
pub use own_rules::{KnownRule, OwnRule};
pub use rules::{PROJECT_RULES, ProjectRule, all_rules};
pub use run::lint_scene;
pub use verdict::{EngineFinding, EngineRule, Verdict, named_path};
pub use workspace::{Observer, Scope, Workspace, WorkspaceOptions, WorkspaceReport};
