//! Sends the findings of the rules to the client, without a request.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use gdscene_lint::{Observer, Scope, Workspace};
use godot_tscn::LocatedDiagnostic;
use ls_types::notification::PublishDiagnostics;
use ls_types::request::WorkspaceDiagnosticRefresh;
use ls_types::{Diagnostic, PublishDiagnosticsParams, Uri};

use crate::client::Client;
use crate::progress::Progress;
use crate::projects::{OpenProject, Projects};
use crate::reports::Reports;
use crate::snapshot::{Documents, path_in};
use crate::text::Text;
use crate::workers::Workers;
use crate::{findings, uris};

/// Checks, one after the other, and the findings that the client has received.
pub(crate) struct Checks {
    shared: Arc<Shared>,
    /// For open texts.
    documents: Workers,
    /// For whole projects.
    projects: Workers,
}

struct Shared {
    client: Arc<Client>,
    projects: Arc<Projects>,
    /// The texts that are open now, whatever a check began with.
    current: Mutex<Arc<Documents>>,
    /// Texts that wait for their check: one check is enough for several changes that come meanwhile.
    waiting: Mutex<HashSet<Uri>>,
    reports: Arc<Reports>,
}

impl Checks {
    pub(crate) fn new(
        client: Arc<Client>,
        projects: Arc<Projects>,
        reports: Arc<Reports>,
    ) -> io::Result<Self> {
        let (current, waiting) = (Mutex::default(), Mutex::default());
        let shared = Shared { client, projects, current, waiting, reports };
        Ok(Self { shared: Arc::new(shared), documents: Workers::one()?, projects: Workers::one()? })
    }

    /// Checks a text that was opened.
    pub(crate) fn document_opened(&self, uri: Uri, documents: &Arc<Documents>) {
        // It asks itself; findings that were sent while the file was closed would appear twice.
        if self.shared.client.features.pulls_findings {
            self.shared.reports.hide(&uri);
        }
        self.document_changed(uri, documents);
    }

    /// Checks a text that was changed.
    pub(crate) fn document_changed(&self, uri: Uri, documents: &Arc<Documents>) {
        *lock(&self.shared.current) = Arc::clone(documents);
        if self.shared.client.features.pulls_findings
            || !lock(&self.shared.waiting).insert(uri.clone())
        {
            return;
        }
        let shared = Arc::clone(&self.shared);
        self.documents.run(move || {
            lock(&shared.waiting).remove(&uri);
            shared.check_document(&uri);
        });
    }

    /// Lets the file count as it is on the disk.
    pub(crate) fn document_closed(&self, uri: &Uri, documents: &Arc<Documents>) {
        *lock(&self.shared.current) = Arc::clone(documents);
        let shared = Arc::clone(&self.shared);
        let uri = uri.clone();
        self.documents.run(move || shared.check_closed(&uri));
    }

    /// Lets all projects see the typed text, and checks the other open texts again that it may
    /// affect.
    pub(crate) fn check_others(&self, documents: &Arc<Documents>) {
        *lock(&self.shared.current) = Arc::clone(documents);
        let shared = Arc::clone(&self.shared);
        self.documents.run(move || {
            let mut is_new = false;
            for project in shared.projects.all() {
                project.sync();
                is_new |= project.take_news();
            }
            if is_new {
                shared.check_open();
            }
        });
    }

    /// Checks all files of a project.
    pub(crate) fn check_project(&self, project: &Arc<OpenProject>, documents: &Arc<Documents>) {
        *lock(&self.shared.current) = Arc::clone(documents);
        let number = project.next_check();
        let (shared, project) = (Arc::clone(&self.shared), Arc::clone(project));
        self.projects.run(move || {
            let ended = EndOfCheck { project: &project, number };
            shared.check_project(&project, number);
            drop(ended);
        });
    }

    /// Withdraws the findings that were sent for the files of a project.
    pub(crate) fn forget(&self, project: &OpenProject) {
        for uri in self.shared.reports.files(|uri| project.has(uri)) {
            self.shared.reports.set(&uri, Vec::new());
        }
    }

    /// Checks all open texts again: they lie in another project now, or in none.
    pub(crate) fn check_open(&self) {
        let shared = Arc::clone(&self.shared);
        self.documents.run(move || shared.check_open());
    }
}

impl Shared {
    fn check_document(&self, uri: &Uri) {
        let place = uris::path_of(uri);
        let project = self.projects.of(place.as_deref());
        let path = path_in(&project, place.as_ref(), uri);
        let Some(document) = lock(&self.current).get(uri).cloned() else { return };
        let found = project.look(|workspace| findings::of(workspace, &path, &document.text, uri));
        let is_current = |now: &Documents| {
            now.get(uri).is_some_and(|current| current.version == document.version)
        };
        if is_current(&lock(&self.current)) {
            let params = PublishDiagnosticsParams::new(uri.clone(), found, Some(document.version));
            self.client.notify::<PublishDiagnostics>(params);
        }
    }

    fn check_open(&self) {
        if self.client.features.pulls_findings {
            return self.refresh();
        }
        let documents = Arc::clone(&lock(&self.current));
        documents.keys().for_each(|uri| self.check_document(uri));
    }

    fn check_closed(&self, uri: &Uri) {
        let place = uris::path_of(uri);
        let project = self.projects.of(place.as_deref());
        let path = path_in(&project, place.as_ref(), uri);
        let content = place.and_then(|place| godot_project::read_file(&place).ok());
        let is_of_project = project.root().is_some() && path.starts_with("res://");
        let found = content.filter(|_| is_of_project).map(|content| {
            let text = Text::new(content, self.client.encoding);
            project.look_at_all(|workspace| findings::of(workspace, &path, &text, uri))
        });
        let current = lock(&self.current);
        if !current.contains_key(uri) {
            self.reports.set_closed(uri, found.unwrap_or_default());
        }
    }

    fn check_project(&self, project: &OpenProject, number: u64) {
        if project.root().is_none() || !project.is_last_check(number) {
            return;
        }
        let progress = Progress::new(&self.client, project);
        let all = project.look_at_all(|workspace| {
            let collector = Collector {
                workspace,
                project,
                number,
                client: &self.client,
                progress: &progress,
                paths: OnceLock::new(),
                found: Mutex::default(),
            };
            workspace.check_all(Scope::All, &collector);
            let mut all = collector.found.into_inner().unwrap_or_else(PoisonError::into_inner);
            all.extend(findings::of_saved_config(workspace, self.client.encoding));
            all
        });
        // The next check reports everything.
        if !project.is_last_check(number) {
            return;
        }
        for uri in self.reports.files(|uri| project.has(uri) && !all.contains_key(uri)) {
            self.set_closed(&uri, Vec::new());
        }
        for (uri, found) in all {
            self.set_closed(&uri, found);
        }
        self.check_open();
    }

    /// Reports the findings in a file on the disk, unless the client has it open.
    fn set_closed(&self, uri: &Uri, found: Vec<Diagnostic>) {
        let current = lock(&self.current);
        if !current.contains_key(uri) {
            self.reports.set(uri, found);
        }
    }

    fn refresh(&self) {
        if self.client.features.refreshes_findings {
            self.client.ask::<WorkspaceDiagnosticRefresh>(());
        }
    }
}

/// Ends a check when it is dropped, by a panic too: who waits for it goes on.
struct EndOfCheck<'p> {
    project: &'p OpenProject,
    number: u64,
}

impl Drop for EndOfCheck<'_> {
    fn drop(&mut self) {
        self.project.end_check(self.number);
    }
}

/// Keeps the findings of a check of a project.
struct Collector<'w> {
    workspace: &'w Workspace,
    project: &'w OpenProject,
    number: u64,
    client: &'w Client,
    progress: &'w Progress<'w>,
    paths: OnceLock<Vec<String>>,
    found: Mutex<HashMap<Uri, Vec<Diagnostic>>>,
}

impl Observer for Collector<'_> {
    fn begin(&self, paths: &[&str]) {
        let _ = self.paths.set(paths.iter().map(|path| (*path).to_owned()).collect());
        self.progress.set_count(paths.len());
    }

    fn done(&self, index: usize, found: io::Result<Vec<LocatedDiagnostic>>) {
        self.progress.step();
        let Some(found) = found.ok().filter(|found| !found.is_empty()) else { return };
        let Some(path) = self.paths.get().and_then(|paths| paths.get(index)) else { return };
        if let Some((uri, found)) = self.converted(path, &found) {
            lock(&self.found).insert(uri, found);
        }
    }

    fn is_cancelled(&self) -> bool {
        !self.project.is_last_check(self.number)
    }
}

impl Collector<'_> {
    fn converted(&self, path: &str, found: &[LocatedDiagnostic]) -> Option<(Uri, Vec<Diagnostic>)> {
        let project = self.workspace.project()?;
        let uri = uris::uri_in(self.workspace.root()?, path)?;
        let content = project.read(project.file(path)?).ok()?;
        let text = Text::new(content.into_owned(), self.client.encoding);
        let found = found.iter().map(|found| findings::converted(&found.diagnostic, &text, &uri));
        let found = found.collect();
        Some((uri, found))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
