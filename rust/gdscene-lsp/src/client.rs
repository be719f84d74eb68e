//! The client: its capabilities, and the connection to it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crossbeam_channel::Sender;
use ls_types::notification::Notification;
use ls_types::request::Request;
use ls_types::{
    ClientCapabilities, InitializeParams, MessageType, ProgressToken, ShowMessageParams,
};
use lsp_server::{Message, RequestId, Response};
use serde::Serialize;

use crate::text::Encoding;
use crate::uris;

/// A command of clients, with an address, a position and a list of places, which it shows. Clients that have it list it
/// under `commands.commands` of their experimental capabilities, as for rust-analyzer.
pub(crate) const SHOW_REFERENCES: &str = "gdscene.showReferences";

/// The client of a session.
#[derive(Debug)]
pub(crate) struct Client {
    sender: Sender<Message>,
    next_id: AtomicI32,
    /// Requests with relevant answers, and whether the client has agreed.
    awaited: Mutex<HashMap<RequestId, Option<bool>>>,
    pub(crate) encoding: Encoding,
    pub(crate) features: ClientFeatures,
}

/// The capabilities of the client that not every client has.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one of the protocol")]
pub(crate) struct ClientFeatures {
    /// It asks for the findings of open files.
    pub(crate) pulls_findings: bool,
    /// It asks again when it is notified that findings have changed.
    pub(crate) refreshes_findings: bool,
    /// It shows how far a long job is.
    pub(crate) shows_progress: bool,
    /// It watches files for us.
    pub(crate) watches_files: bool,
    /// It can make, move and remove files as a part of an edit.
    pub(crate) edits_files: bool,
    /// It knows versions of the texts that it edits.
    pub(crate) edits_versions: bool,
    /// It asks for the edit of a code action only when that is chosen.
    pub(crate) resolves_edits: bool,
    /// It has the command [`SHOW_REFERENCES`].
    pub(crate) shows_references: bool,
    /// It shows Markdown in a hover.
    pub(crate) shows_markdown: bool,
    /// It knows a tree of symbols, and not only a list.
    pub(crate) shows_symbol_trees: bool,
}

impl Client {
    pub(crate) fn new(sender: Sender<Message>, params: &InitializeParams) -> Self {
        let general = params.capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.as_deref());
        Self {
            sender,
            next_id: AtomicI32::new(0),
            awaited: Mutex::default(),
            encoding: Encoding::choose(encodings.unwrap_or_default()),
            features: ClientFeatures::of(&params.capabilities),
        }
    }

    /// Sends a message. After the client has gone, the message is dropped.
    pub(crate) fn send(&self, message: impl Into<Message>) {
        let _ = self.sender.send(message.into());
    }

    pub(crate) fn notify<N: Notification>(&self, params: impl Serialize) {
        self.send(lsp_server::Notification::new(N::METHOD.to_owned(), params));
    }

    /// Asks the client to do something, without waiting for its answer.
    pub(crate) fn ask<R: Request>(&self, params: impl Serialize) {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        self.send(lsp_server::Request::new(id.into(), R::METHOD.to_owned(), params));
    }

    /// [`Client::ask`] for something that the client may refuse: [`Client::has_agreed`] returns the
    /// answer.
    pub(crate) fn ask_for_consent<R: Request>(&self, params: impl Serialize) -> RequestId {
        let id = RequestId::from(self.next_id.fetch_add(1, Ordering::Relaxed));
        self.awaited().insert(id.clone(), None);
        self.send(lsp_server::Request::new(id.clone(), R::METHOD.to_owned(), params));
        id
    }

    /// The client's answer; nothing until then.
    pub(crate) fn has_agreed(&self, id: &RequestId) -> Option<bool> {
        self.awaited().get(id).copied().flatten()
    }

    /// Forgets a request when its answer does not matter any more.
    pub(crate) fn forget_answer(&self, id: &RequestId) {
        self.awaited().remove(id);
    }

    /// Takes the answer to a request.
    pub(crate) fn take_answer(&self, response: &Response) {
        if let Some(answer) = self.awaited().get_mut(&response.id) {
            *answer = Some(response.response_result.is_ok());
        }
    }

    fn awaited(&self) -> MutexGuard<'_, HashMap<RequestId, Option<bool>>> {
        self.awaited.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A name that no other job of the session has.
    pub(crate) fn new_token(&self) -> ProgressToken {
        ProgressToken::String(format!("gdscene/{}", self.next_id.fetch_add(1, Ordering::Relaxed)))
    }

    /// Shows a message to the user.
    pub(crate) fn show(&self, typ: MessageType, message: impl Into<String>) {
        let message = ShowMessageParams { typ, message: message.into() };
        self.notify::<ls_types::notification::ShowMessage>(message);
    }
}

impl ClientFeatures {
    fn of(capabilities: &ClientCapabilities) -> Self {
        let text = capabilities.text_document.as_ref();
        let workspace = capabilities.workspace.as_ref();
        let edit = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let action = text.and_then(|text| text.code_action.as_ref());
        let hover = text.and_then(|text| text.hover.as_ref()?.content_format.as_ref());
        let symbols = text.and_then(|text| text.document_symbol.as_ref());
        let is = |flag: Option<bool>| flag == Some(true);
        Self {
            pulls_findings: text.is_some_and(|text| text.diagnostic.is_some()),
            refreshes_findings: is(
                workspace.and_then(|workspace| workspace.diagnostics.as_ref()?.refresh_support)
            ),
            shows_progress: is(capabilities
                .window
                .as_ref()
                .and_then(|window| window.work_done_progress)),
            watches_files: is(workspace.and_then(|workspace| {
                workspace.did_change_watched_files.as_ref()?.dynamic_registration
            })),
            edits_files: edit.is_some_and(|edit| {
                let operations = edit.resource_operations.as_deref().unwrap_or_default();
                operations.len() == 3
            }),
            edits_versions: is(edit.and_then(|edit| edit.document_changes)),
            resolves_edits: action.and_then(|action| action.resolve_support.as_ref()).is_some_and(
                |resolve| resolve.properties.iter().any(|property| property == "edit"),
            ),
            shows_references: capabilities
                .experimental
                .as_ref()
                .and_then(|experimental| experimental["commands"]["commands"].as_array())
                .is_some_and(|commands| commands.iter().any(|name| name == SHOW_REFERENCES)),
            shows_markdown: hover
                .is_some_and(|formats| formats.contains(&ls_types::MarkupKind::Markdown)),
            shows_symbol_trees: is(
                symbols.and_then(|symbols| symbols.hierarchical_document_symbol_support)
            ),
        }
    }
}

/// The folders that the client has open.
#[expect(deprecated, reason = "older clients send only the root")]
pub(crate) fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten();
    let folders: Vec<PathBuf> = folders.filter_map(|folder| uris::path_of(&folder.uri)).collect();
    if !folders.is_empty() {
        return folders;
    }
    params.root_uri.as_ref().and_then(uris::path_of).into_iter().collect()
}
