//! A whole Godot project: its files and what they refer to, node trees across instances, classes, scripts, and the rules
//! that need more than one file.
//!
//! [`Project::open`] finds the files, as Godot's editor does, and reads what each tells the others ([`FileFacts`]).
//! A [`Workspace`] is a project and its configuration: it checks one text or all files, with the rules of [`tscn`] and with
//! [`PROJECT_RULES`].
//!
//! Nothing here prints, and nothing knows the engine.
#![forbid(unsafe_code)]

mod animation_roots;
mod assignments;
mod beneath;
mod cache;
mod class_db;
mod class_uses;
mod config;
mod dependencies;
mod edit;
mod facts;
mod fix;
mod git;
mod graph;
mod history;
mod instances;
pub mod journal;
mod left_out;
mod lint;
mod merge_lines;
mod merged_scenes;
mod node_paths;
mod object_type;
mod outline;
mod project;
mod projects_below;
mod property_path;
mod read;
mod refactor;
mod res_path;
mod rules;
mod scripts;
mod settings;
mod source;
mod temporary;
mod three_way;
mod tree;
mod uid;
mod uid_cache;
mod usage;
mod version_control;
mod workspace;
mod write;

pub use cache::CachePlace;
pub use class_db::{
    Class, ClassDb, ClassDbBuilder, LiveClass, MethodInfo, PropertyInfo, RenamedClass,
    RenamedProperty, SignalInfo,
};
pub use config::{CONFIG_NAME, Config, ConfigError, Overrides};
pub use dependencies::{Dependencies, Dependency, DependencyKind};
pub use edit::{
    CheckedEdit, ConnectionSpec, EditError, EditErrorKind, Edited, NewNode, ObjectValues,
    Operation, OperationsError, Outcome, PropertyValue, Siblings, ValueSource, ValueSpec, edit,
    get, operations,
};
pub use facts::{
    ExtResource, FileFacts, Instance, Refusal, Scene, SceneNode, ScriptUse, Track, TrackEffect,
};
pub use fix::{ChangedFile, FixGroup, fix_across};
pub use git::{
    Blobs, Committed, Compared, Difference, FileVersion, Git, OwnFolder, Uncommitted,
    last_committed,
};
pub use history::{RenameStep, Renamed, renamed_in_git, without_asking_git};
pub use lint::SceneContext;
pub use merge_lines::{git_program, merge_lines};
pub use merged_scenes::MergedScenes;
pub use outline::{
    ConnectionOutline, ExtResourceOutline, NodeOutline, Outline, SubResourceOutline, outline,
};
pub use project::{FileId, Project, ProjectError, ResolvedPath};
pub use projects_below::projects_below;
pub use property_path::{ObjectPath, PropertyPath, PropertyPathError};
pub use read::{MAX_FILE_SIZE, read_file, read_file_up_to};
pub use refactor::changed_lines::changes as changes_by_line;
pub use refactor::{
    FileMove, Place, Plan, PruneOptions, RefactorError, dedupe, extract, inline, move_files,
    move_node, prune, prune_inside, rename_class, rename_method, rename_node, rename_property,
    rename_signal, repair_moved, upgrade,
};
pub use res_path::resolve_path;
pub use rules::{PROJECT_RULES, ProjectRule, all_rules};
pub use scripts::{Base, Function, Script, Scripts, Signal, Variable};
pub use settings::{Autoload, ProjectSettings, ScriptClass};
pub use source::{
    FileSource, Folder, FoundFile, LINK, ListedFiles, Listing, Skipped, Surroundings, WalkPolicy,
    Walked, WalkedFile, is_checkable, walk,
};
pub use temporary::remove_stale_files;
pub use three_way::three_way;
pub use tree::{Node, NodeInTree, NodeLookup, SceneTree, UnknownScript};
pub use tscn::LocatedDiagnostic;
pub use uid::Uid;
pub use usage::{FileKind, KeptFile, KeptReason, Unused, UnusedFile, unused_files};
pub use workspace::{Observer, Scope, Workspace, WorkspaceOptions, WorkspaceReport};
pub use write::{create_folders, is_of_system, open_stream, replace_file, write_file};
