//! The session: the client's messages, one after another.

use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::RecvTimeoutError;
use ls_types::notification::{
    Cancel, DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders,
    DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit, Notification as _,
};
use ls_types::request::{Request as _, Shutdown};
use ls_types::{
    CancelParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    InitializeParams, InitializeResult, NumberOrString, ServerInfo, Uri,
    WorkspaceFoldersChangeEvent,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;

use crate::checks::Checks;
use crate::client::{self, Client};
use crate::features::{self, Feature};
use crate::projects::Projects;
use crate::reports::Reports;
use crate::snapshot::{Documents, OpenText, Snapshot, path_in};
use crate::text::Text;
use crate::workers::Workers;
use crate::{ServeError, ServeOptions, capabilities, uris};

/// After this time without a message, other files see the typed text.
const PAUSE: Duration = Duration::from_millis(250);

struct Server {
    client: Arc<Client>,
    projects: Arc<Projects>,
    reports: Arc<Reports>,
    documents: Arc<Documents>,
    checks: Checks,
    workers: Workers,
    /// The requests that have no answer yet, and whether the client has cancelled them.
    pending: Arc<Mutex<HashMap<RequestId, Arc<AtomicBool>>>>,
    /// The time when other files will see the typed text.
    due: Option<Instant>,
}

pub(crate) fn run(connection: &Connection, options: ServeOptions) -> Result<(), ServeError> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let client = Arc::new(Client::new(connection.sender.clone(), &params));
    let result = InitializeResult {
        capabilities: capabilities::of(&client),
        server_info: Some(ServerInfo {
            name: "gdscene".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
        ..InitializeResult::default()
    };
    connection.initialize_finish(id, serde_json::to_value(result)?)?;

    let mut server = Server::new(client, options)?;
    server.open_folders(&client::folders(&params));
    if server.client.features.watches_files {
        capabilities::watch_files(&server.client);
    }
    server.serve(connection)
}

impl Server {
    fn new(client: Arc<Client>, options: ServeOptions) -> Result<Self, ServeError> {
        let projects = Arc::new(Projects::new(options.cache));
        let reports = Arc::new(Reports::new(Arc::clone(&client)));
        let shared = (Arc::clone(&client), Arc::clone(&projects), Arc::clone(&reports));
        Ok(Self {
            checks: Checks::new(shared.0, shared.1, shared.2)?,
            client,
            projects,
            reports,
            documents: Arc::default(),
            workers: Workers::new()?,
            pending: Arc::default(),
            due: None,
        })
    }

    fn serve(&mut self, connection: &Connection) -> Result<(), ServeError> {
        loop {
            let message = match self.due {
                Some(due) => connection.receiver.recv_deadline(due),
                None => connection.receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match message {
                Ok(Message::Request(request)) if request.method == Shutdown::METHOD => {
                    self.client.send(Response::new_ok(request.id, ()));
                    self.wait_for_exit(connection);
                    return Ok(());
                }
                Ok(Message::Request(request)) => self.answer(request),
                Ok(Message::Notification(notification)) => self.note(notification),
                Ok(Message::Response(response)) => self.client.take_answer(&response),
                Err(RecvTimeoutError::Timeout) => self.show_to_others(),
                // The client went without a word of farewell: an editor that was killed.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// After `shutdown`, running requests may still end, and nothing new is done.
    fn wait_for_exit(&self, connection: &Connection) {
        for message in &connection.receiver {
            match message {
                Message::Notification(note) if note.method == Exit::METHOD => return,
                Message::Request(request) => {
                    let message = "the session was shut down".to_owned();
                    let code = ErrorCode::InvalidRequest as i32;
                    self.client.send(Response::new_err(request.id, code, message));
                }
                Message::Notification(_) | Message::Response(_) => {}
            }
        }
    }

    fn open_folders(&self, folders: &[std::path::PathBuf]) {
        for root in folders.iter().flat_map(|folder| features::project_roots(folder)) {
            self.checks.check_project(&self.projects.at(&root), &self.documents);
        }
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            client: Arc::clone(&self.client),
            projects: Arc::clone(&self.projects),
            reports: Arc::clone(&self.reports),
            documents: Arc::clone(&self.documents),
            cancelled: Arc::default(),
        }
    }

    // --- Requests ---------------------------------------------------------------------------------

    fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let Some(feature) = features::find(&method) else {
            let message = format!("`{method}` is not a supported request");
            let code = ErrorCode::MethodNotFound as i32;
            return self.client.send(Response::new_err(id, code, message));
        };
        let snapshot = self.snapshot();
        let (pending, client) = (Arc::clone(&self.pending), Arc::clone(&self.client));
        let cancelled = Arc::clone(&snapshot.cancelled);
        locked(&pending).insert(id.clone(), cancelled);
        self.workers.run(move || {
            let answer = answer_to(feature, &snapshot, params);
            locked(&pending).remove(&id);
            client.send(match answer {
                Ok(result) => Response::new_ok(id, result),
                Err((code, message)) => Response::new_err(id, code as i32, message),
            });
        });
    }

    // --- Notifications ----------------------------------------------------------------------------

    fn note(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => self.with(params, Self::open),
            DidChangeTextDocument::METHOD => self.with(params, Self::change),
            DidCloseTextDocument::METHOD => self.with(params, Self::close),
            DidSaveTextDocument::METHOD => self.files_changed(),
            DidChangeWatchedFiles::METHOD => self.with(params, Self::watched),
            DidChangeWorkspaceFolders::METHOD => self.with(params, Self::folders_changed),
            Cancel::METHOD => self.with(params, Self::cancel),
            // Messages that begin with `$/` may be ignored, and the rest does not matter here.
            _ => {}
        }
    }

    /// Notifications have no answer: one that makes no sense is left alone.
    fn with<P: DeserializeOwned>(&mut self, params: serde_json::Value, take: fn(&mut Self, P)) {
        if let Ok(params) = serde_json::from_value(params) {
            take(self, params);
        }
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let text = Text::new(document.text, self.client.encoding);
        self.put(&document.uri, OpenText { version: document.version, text });
        self.checks.document_opened(document.uri, &self.documents);
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri;
        let Some(old) = self.documents.get(&uri) else { return };
        let start = old.text.clone();
        let text = params.content_changes.iter().fold(start, |text, change| text.changed(change));
        self.put(&uri, OpenText { version: params.text_document.version, text });
        self.checks.document_changed(uri, &self.documents);
    }

    fn put(&mut self, uri: &Uri, document: OpenText) {
        self.tell_project(uri, Some(document.text.clone()));
        Arc::make_mut(&mut self.documents).insert(uri.clone(), document);
        self.due = Some(Instant::now() + PAUSE);
    }

    fn close(&mut self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        let Some(closed) = Arc::make_mut(&mut self.documents).remove(&uri) else { return };
        self.tell_project(&uri, None);
        self.checks.document_closed(&uri, &self.documents);
        // Unsaved text has also affected closed files.
        let saved = uris::path_of(&uri).and_then(|path| godot_project::read_file(&path).ok());
        if saved.as_deref() != Some(closed.text.bytes()) {
            let project = self.projects.of(uris::path_of(&uri).as_deref());
            self.checks.check_project(&project, &self.documents);
        }
        self.due = Some(Instant::now() + PAUSE);
    }

    fn tell_project(&self, uri: &Uri, text: Option<Text>) {
        let place = uris::path_of(uri);
        let project = self.projects.of(place.as_deref());
        let path = path_in(&project, place.as_ref(), uri);
        if path.starts_with("res://") {
            project.put(path, text);
        }
    }

    fn watched(&mut self, _: DidChangeWatchedFilesParams) {
        self.files_changed();
    }

    fn files_changed(&mut self) {
        let is_there =
            |root: &std::path::Path| godot_project::find_root(root).as_deref() == Some(root);
        let all = self.projects.all();
        let gone = all.iter().filter(|project| !project.root().is_some_and(is_there));
        let gone: Vec<_> = gone.collect();
        if !gone.is_empty() {
            gone.iter().for_each(|project| self.checks.forget(project));
            self.projects.retain(is_there);
            self.checks.check_open();
        }
        for project in self.projects.all() {
            project.set_stale();
            self.checks.check_project(&project, &self.documents);
        }
    }

    fn folders_changed(&mut self, params: DidChangeWorkspaceFoldersParams) {
        let WorkspaceFoldersChangeEvent { added, removed } = params.event;
        let paths = |folders: &[ls_types::WorkspaceFolder]| -> Vec<_> {
            folders.iter().filter_map(|folder| uris::path_of(&folder.uri)).collect()
        };
        let removed = paths(&removed);
        let is_removed = |root: &std::path::Path| removed.iter().any(|gone| root.starts_with(gone));
        for project in self.projects.all() {
            if project.root().is_some_and(is_removed) {
                self.checks.forget(&project);
            }
        }
        self.projects.retain(|root| !is_removed(root));
        self.open_folders(&paths(&added));
    }

    fn cancel(&mut self, params: CancelParams) {
        let id = match params.id {
            NumberOrString::Number(id) => id.into(),
            NumberOrString::String(id) => id.into(),
        };
        if let Some(cancelled) = locked(&self.pending).get(&id) {
            cancelled.store(true, Ordering::Relaxed);
        }
    }

    fn show_to_others(&mut self) {
        self.due = None;
        self.checks.check_others(&self.documents);
    }
}

/// The answer to a request. A panic costs this request only.
fn answer_to(
    feature: &Feature,
    snapshot: &Snapshot,
    params: serde_json::Value,
) -> Result<serde_json::Value, (ErrorCode, String)> {
    let run = || {
        snapshot.check_cancelled()?;
        (feature.answer)(snapshot, params)
    };
    match panic::catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(failure)) => Err((failure.code(), failure.to_string())),
        Err(_) => {
            let message = format!(
                "`{}` failed with an internal error of gdscene; report it with the file",
                feature.method
            );
            Err((ErrorCode::InternalError, message))
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
