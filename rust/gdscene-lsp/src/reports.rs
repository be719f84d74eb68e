//! The findings in files on the disk, and how the client receives them: most are sent, and some clients ask.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ls_types::notification::PublishDiagnostics;
use ls_types::{Diagnostic, PublishDiagnosticsParams, Uri};

use crate::client::Client;

/// The last findings of each file that has some.
#[derive(Debug)]
pub(crate) struct Reports {
    client: Arc<Client>,
    state: Mutex<ReportsState>,
}

/// The findings of a file.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// Another for other findings: a client that has these asks with it.
    pub(crate) id: String,
    pub(crate) found: Vec<Diagnostic>,
}

#[derive(Debug, Default)]
struct ReportsState {
    by_file: HashMap<Uri, Report>,
    last_id: u64,
    /// Whether the client asks for the findings of all files. Findings that are also sent would be shown
    /// twice.
    is_pulled: bool,
}

impl Reports {
    pub(crate) fn new(client: Arc<Client>) -> Self {
        Self { client, state: Mutex::default() }
    }

    /// Remembers the findings in a file, and sends them to a client that does not ask.
    pub(crate) fn set(&self, uri: &Uri, found: Vec<Diagnostic>) {
        let mut state = self.lock();
        if state.by_file.get(uri).map_or(&[][..], |report| &report.found) != found {
            self.tell(&state, uri, &found);
            state.set(uri, found);
        }
    }

    /// [`Reports::set`] for a file that the client has closed. It has shown other findings meanwhile.
    pub(crate) fn set_closed(&self, uri: &Uri, found: Vec<Diagnostic>) {
        let mut state = self.lock();
        self.tell(&state, uri, &found);
        state.set(uri, found);
    }

    /// Withdraws the findings of a file that the client has opened: it asks for the findings of its text.
    pub(crate) fn hide(&self, uri: &Uri) {
        let state = self.lock();
        if state.by_file.contains_key(uri) {
            self.tell(&state, uri, &[]);
        }
    }

    /// The files for which something is known, of those for which this is true.
    pub(crate) fn files(&self, is_meant: impl Fn(&Uri) -> bool) -> Vec<Uri> {
        self.lock().by_file.keys().filter(|uri| is_meant(uri)).cloned().collect()
    }

    /// All, for a client that asks from now on. The findings were sent for the files with `is_told`.
    pub(crate) fn pull(&self, is_told: impl Fn(&Uri) -> bool) -> HashMap<Uri, Report> {
        let mut state = self.lock();
        for uri in state.by_file.keys().filter(|uri| is_told(uri)) {
            self.tell(&state, uri, &[]);
        }
        state.is_pulled = true;
        state.by_file.clone()
    }

    fn tell(&self, state: &ReportsState, uri: &Uri, found: &[Diagnostic]) {
        if !state.is_pulled {
            let params = PublishDiagnosticsParams::new(uri.clone(), found.to_vec(), None);
            self.client.notify::<PublishDiagnostics>(params);
        }
    }

    fn lock(&self) -> MutexGuard<'_, ReportsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReportsState {
    fn set(&mut self, uri: &Uri, found: Vec<Diagnostic>) {
        if found.is_empty() {
            self.by_file.remove(uri);
            return;
        }
        self.last_id += 1;
        let report = Report { id: self.last_id.to_string(), found };
        self.by_file.insert(uri.clone(), report);
    }
}
