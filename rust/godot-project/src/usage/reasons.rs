//! Why a file may be used.

use std::fmt;

/// Why a file that nothing certainly uses is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptReason {
    /// A text has the start of its path, to which something may be added.
    PathPutTogether {
        /// The text there: `res://levels/`.
        start: String,
        /// The file with the text.
        path: String,
        /// The line, counted from 1.
        line: u32,
    },
    /// A script loads or lists files in its own folder.
    OwnFolder {
        /// The script.
        path: String,
        /// The line, counted from 1.
        line: u32,
    },
    /// Its name is somewhere, without a path to it.
    Named {
        /// The name.
        name: String,
        /// The file with the text.
        path: String,
        /// The line, counted from 1.
        line: u32,
    },
    /// A file that may be used names it.
    NeededBy(String),
    /// An export preset names it.
    Exported {
        /// The name of the preset.
        preset: String,
        /// The filter; nothing if the file is selected by itself.
        filter: Option<String>,
    },
    /// It is part of an addon.
    InAddon,
    /// A script that runs in the editor: `an EditorScript`.
    Editor(String),
    /// A script that can be run by the command line.
    CommandLine,
    /// A test, or in a folder of tests: people or a test runner start them by themselves.
    Test,
    /// A template for new scripts.
    ScriptTemplate,
    /// Code of C# that is used without a name of its own: `extension methods`.
    CSharp(&'static str),
    /// The project has no main scene, so each scene may be the first.
    NoMainScene,
}

impl fmt::Display for KeptReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PathPutTogether { start, path, line } => {
                write!(f, "its path may be built at run time: \"{start}\" in {path}:{line}")
            }
            Self::OwnFolder { path, line } => {
                write!(f, "in a folder that a script lists or loads from: {path}:{line}")
            }
            Self::Named { name, path, line } => write!(f, "its name `{name}` is in {path}:{line}"),
            Self::NeededBy(path) => write!(f, "needed by {path}, which may be used"),
            Self::Exported { preset, filter: Some(filter) } => {
                write!(f, "the export preset `{preset}` includes `{filter}`")
            }
            Self::Exported { preset, filter: None } => {
                write!(f, "selected in the export preset `{preset}`")
            }
            Self::InAddon => f.write_str("in an addon"),
            Self::Editor(what) => write!(f, "{what}, which the editor runs"),
            Self::CommandLine => f.write_str("a main loop, which can be run from the command line"),
            Self::Test => {
                f.write_str("part of tests, which people or a test runner start directly")
            }
            Self::ScriptTemplate => f.write_str("a template for new scripts"),
            Self::CSharp(what) => write!(f, "it has {what}"),
            Self::NoMainScene => {
                f.write_str("the project has no main scene, so this scene may be run directly")
            }
        }
    }
}
