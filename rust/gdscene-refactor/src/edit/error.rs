//! Why operations are refused.

use std::fmt;

use godot_project::{Project, PropertyPathError};
use godot_tscn::{GodotVersion, NotEditable};
use thiserror::Error;

use crate::RefactorError;

/// Why operations are refused. Nothing was changed.
#[derive(Debug)]
pub struct EditError {
    /// The number of the operation, counted from 0. None if it is about all.
    pub operation: Option<usize>,
    /// The file, if it is known: `res://…`.
    pub file: Option<String>,
    /// Why.
    pub kind: Box<EditErrorKind>,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operation) = self.operation {
            write!(f, "operation {}: ", operation + 1)?;
        }
        if let Some(file) = &self.file {
            write!(f, "`{file}`: ")?;
        }
        self.kind.fmt(f)
    }
}

impl std::error::Error for EditError {}

/// Why an operation is refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EditErrorKind {
    /// No file is named.
    #[error("`file` is missing: the file to change")]
    NoFile,
    /// The file is missing, of another kind, or cannot be read.
    #[error(transparent)]
    File(#[from] RefactorError),
    /// The text is broken.
    #[error(transparent)]
    NotEditable(#[from] NotEditable),
    /// The file holds nothing.
    #[error("the file is empty; remove it and create a new one with `gdscene new`")]
    Empty,
    /// A path cannot be one.
    #[error(transparent)]
    Path(#[from] PropertyPathError),
    /// Something is missing.
    #[error("{what} does not exist{}", .near.as_ref().map_or_else(String::new, |near| format!("; did you mean `{near}`?")))]
    NotFound {
        /// The missing thing: ``the node `A/B` ``.
        what: String,
        /// The probable intended name.
        near: Option<String>,
    },
    /// A value does not fit.
    #[error("`{value}` is not a valid value of `{property}` ({type_name}): {reason}")]
    WrongValue {
        /// The value as it was given.
        value: String,
        /// The property.
        property: String,
        /// Its type.
        type_name: String,
        /// The error, and the right form.
        reason: String,
    },
    /// Any other reason.
    #[error("{0}")]
    Refused(String),
}

impl EditErrorKind {
    pub(super) fn not_found(what: impl Into<String>, near: Option<&str>) -> Self {
        Self::NotFound { what: what.into(), near: near.map(str::to_owned) }
    }

    /// A class or a property that does not exist, or that only a newer Godot has.
    pub(super) fn not_in(project: &Project, what: String, near: Option<&str>) -> Self {
        let Some(version) = project.version_without_classes() else {
            return Self::not_found(what, near);
        };
        Self::Refused(format!(
            "{what} is unknown to this version of gdscene, which knows Godot up to {}; the project is for Godot {version}",
            GodotVersion::NEWEST_WITH_CLASSES
        ))
    }
}
