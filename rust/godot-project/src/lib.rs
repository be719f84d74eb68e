//! A whole Godot project as data: its files and their references, node trees across instances, classes, scripts, and git.
//!
//! [`Project::open`] finds the files, as Godot's editor does, and reads their data for the others ([`FileFacts`]). A
//! [`SceneContext`] is one text in its project. A [`Plan`] is a change of one.
//!
//! Nothing here prints, and nothing knows the engine.
#![forbid(unsafe_code)]

pub mod animation_roots;
pub mod assignments;
pub mod beneath;
pub mod cache;
pub mod class_db;
pub mod class_uses;
mod defined_names;
mod dependencies;
pub mod facts;
pub mod families;
mod git;
pub mod graph;
pub mod history;
pub mod inside;
pub mod instances;
mod keys;
mod known_settings;
pub mod lengths;
pub mod load_cycles;
mod merge_lines;
mod merged_scenes;
pub mod missing_sidecars;
pub mod names;
pub mod node_paths;
pub mod object_type;
mod plan;
mod project;
mod projects_below;
pub mod property_path;
pub mod read;
pub mod res_path;
mod routes;
mod scene_context;
pub mod script;
pub mod scripts;
mod setting_table;
pub mod settings;
mod shader;
pub mod source;
pub mod temporary;
mod temporary_name;
pub mod three_way;
pub mod tree;
mod uid;
pub mod uid_cache;
pub mod usage;
mod value_type;
pub mod version_changes;
pub mod version_control;
pub mod write;

pub use cache::CachePlace;
pub use class_db::{
    Class, ClassDb, ClassDbBuilder, LiveClass, MethodInfo, PropertyInfo, RenamedClass,
    RenamedProperty, SignalInfo,
};
pub use dependencies::{Dependencies, Dependency, DependencyKind};
pub use facts::{
    ExtResource, FileFacts, Instance, Refusal, Scene, SceneNode, ScriptUse, Track, TrackEffect,
};
pub use git::{
    Blobs, Committed, Compared, Difference, FileVersion, Git, MergeSetup, OwnFolder, Uncommitted,
    Unmerged, last_committed, merge_setup, set_up_merging, unmerged,
};
pub use godot_tscn::LocatedDiagnostic;
pub use history::{RenameStep, Renamed, renamed_in_git, without_asking_git};
pub use known_settings::KnownSetting;
pub use merge_lines::{git_program, merge_lines};
pub use merged_scenes::MergedScenes;
pub use plan::{FileMove, Place, Plan};
pub use project::{FileId, Project, ProjectError, ResolvedPath};
pub use projects_below::projects_below;
pub use property_path::{ObjectPath, PropertyPath, PropertyPathError};
pub use read::{MAX_FILE_SIZE, read_file, read_file_up_to};
pub use res_path::resolve_path;
pub use routes::Routes;
pub use scene_context::SceneContext;
pub use script::{Base, Enum, Function, Script, Signal, Variable};
pub use scripts::Scripts;
pub use settings::{Autoload, ProjectSettings, ScriptClass};
pub use shader::{Shader, Uniform};
pub use source::{
    FileSource, Folder, FoundFile, LINK, LeftOut, ListedFiles, Listing, Skipped, Surroundings,
    WalkPolicy, Walked, WalkedFile, find_root, is_checkable, walk,
};
pub use temporary::remove_stale_files;
pub use temporary_name::temporary_name_of;
pub use three_way::three_way;
pub use tree::{Node, NodeInTree, NodeLookup, SceneTree, UnknownScript, in_sibling_order};
pub use uid::Uid;
pub use usage::{FileKind, KeptFile, KeptReason, Unused, UnusedFile, unused_files};
pub use value_type::{ObjectClass, ValueType};
pub use version_changes::{ChangedUse, VersionChange, VersionChanges};
pub use write::{create_folders, is_of_system, open_stream, replace_file, write_file};
