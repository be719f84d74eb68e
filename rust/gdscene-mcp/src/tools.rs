//! One file for each tool.

mod check;
mod class;
mod edit;
mod explain;
mod fix;
mod format;
mod get;
mod move_file;
mod move_node;
mod project;
mod references;
mod rename;
mod tree;
mod undo;

use crate::tool::{Tool, ToolEntry};

/// All tools, in the order in which they are listed.
pub(crate) const TOOLS: &[ToolEntry] = &[
    ToolEntry::of::<self::project::ProjectFacts>(),
    ToolEntry::of::<tree::Tree>(),
    ToolEntry::of::<get::Get>(),
    ToolEntry::of::<check::Check>(),
    ToolEntry::of::<explain::Explain>(),
    ToolEntry::of::<class::ClassInfo>(),
    ToolEntry::of::<references::References>(),
    ToolEntry::of::<edit::Edit>(),
    ToolEntry::of::<rename::Rename>(),
    ToolEntry::of::<move_file::MoveFile>(),
    ToolEntry::of::<move_node::MoveNode>(),
    ToolEntry::of::<fix::Fix>(),
    ToolEntry::of::<format::Format>(),
    ToolEntry::of::<undo::Undo>(),
];

/// The name of the tool that undoes the change of a killed run; the others finish it.
pub(crate) const UNDO: &str = undo::Undo::NAME;
