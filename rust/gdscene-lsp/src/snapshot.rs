//! The state that a request sees: the texts as they were when it came, whatever changes while it
//! runs.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use godot_tscn::Document;
use ls_types::Uri;
use lsp_server::ErrorCode;

use crate::client::Client;
use crate::projects::{OpenProject, Projects};
use crate::reports::Reports;
use crate::text::Text;
use crate::{findings, uris};

/// The texts that are open in the client.
pub(crate) type Documents = HashMap<Uri, OpenText>;

/// A text that is open in the client.
#[derive(Clone, Debug)]
pub(crate) struct OpenText {
    pub(crate) version: i32,
    pub(crate) text: Text,
}

/// The state that a request sees.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) client: Arc<Client>,
    pub(crate) projects: Arc<Projects>,
    pub(crate) reports: Arc<Reports>,
    pub(crate) documents: Arc<Documents>,
    pub(crate) cancelled: Arc<AtomicBool>,
}

/// A file that a request is about.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) uri: Uri,
    /// Its path in the project, `res://…`; for a file outside projects, or an unsaved file, its address.
    pub(crate) path: String,
    pub(crate) text: Text,
    pub(crate) project: Arc<OpenProject>,
}

/// Why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The client does not want it any more.
    #[error("cancelled")]
    Cancelled,
    /// Its subject is missing, or the request is impossible: a message for the user.
    #[error("{0}")]
    Refused(String),
    /// The parameters are not those of the protocol.
    #[error("the parameters are not valid: {0}")]
    Invalid(#[from] serde_json::Error),
}

impl Failure {
    pub(crate) fn refused(reason: impl Display) -> Self {
        Self::Refused(reason.to_string())
    }

    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            Self::Cancelled => ErrorCode::RequestCanceled,
            Self::Refused(_) => ErrorCode::RequestFailed,
            Self::Invalid(_) => ErrorCode::InvalidParams,
        }
    }
}

impl Snapshot {
    /// The file at an address: as the client has it, else as it is on the disk.
    pub(crate) fn file(&self, uri: &Uri) -> Result<File, Failure> {
        let place = uris::path_of(uri);
        let project = self.projects.of(place.as_deref());
        let path = path_in(&project, place.as_ref(), uri);
        let text = match self.documents.get(uri) {
            Some(document) => document.text.clone(),
            None => self.read(uri)?,
        };
        Ok(File { uri: uri.clone(), path, text, project })
    }

    /// The text at a path of a project, as the client has it, or as it is on the disk.
    pub(crate) fn text_at(&self, project: &OpenProject, path: &str) -> Option<(Uri, Text)> {
        let uri = uris::uri_in(project.root()?, path)?;
        let text = match self.documents.get(&uri) {
            Some(document) => document.text.clone(),
            None => self.read(&uri).ok()?,
        };
        Some((uri, text))
    }

    /// Ends a request that is not wanted any more.
    pub(crate) fn check_cancelled(&self) -> Result<(), Failure> {
        if self.cancelled.load(Ordering::Relaxed) { Err(Failure::Cancelled) } else { Ok(()) }
    }

    fn read(&self, uri: &Uri) -> Result<Text, Failure> {
        let place = uris::path_of(uri)
            .ok_or_else(|| Failure::Refused(format!("`{}` is not open", uri.as_str())))?;
        let content = godot_project::read_file(&place).map_err(|error| {
            Failure::Refused(format!("cannot read `{}`: {error}", place.display()))
        })?;
        Ok(Text::new(content, self.client.encoding))
    }
}

impl File {
    /// Whether it is a text in Godot's notation, and not a script or a `gdscene.toml`, which have only findings.
    pub(crate) fn is_in_notation(&self) -> bool {
        !self.path.ends_with(".gd") && !findings::is_own_config(&self.path)
    }

    /// Whether it is a scene or resource.
    pub(crate) fn is_scene(&self) -> bool {
        self.is_in_notation() && !godot_tscn::is_config_path(&self.path)
    }

    /// The text as a tree, if it is a scene or resource.
    pub(crate) fn scene(&self) -> Option<Document<'_>> {
        self.is_scene().then(|| godot_tscn::parse(self.text.bytes()))
    }

    /// Runs `look` on the text as a tree, which those of scenes and of settings have alike.
    pub(crate) fn with_document<R>(&self, look: impl FnOnce(&Document<'_>) -> R) -> R {
        let text = self.text.bytes();
        match godot_tscn::is_config_path(&self.path) {
            true => look(godot_tscn::parse_config(text).document()),
            false => look(&godot_tscn::parse(text)),
        }
    }
}

/// The path of a file in its project, or its substitute.
pub(crate) fn path_in(project: &OpenProject, place: Option<&PathBuf>, uri: &Uri) -> String {
    let below = project.root().and_then(|root| uris::res_path(root, place?));
    below.unwrap_or_else(|| match place {
        Some(place) => place.display().to_string(),
        None => uri.as_str().to_owned(),
    })
}
