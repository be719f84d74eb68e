//! Shows how far the check of a project is, if it takes long.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ls_types::request::WorkDoneProgressCreate;
use ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};

use crate::client::Client;
use crate::projects::OpenProject;

/// What ends sooner is not shown: it would only flicker.
const QUIET: Duration = Duration::from_millis(300);
/// Between two reports.
const STEP: Duration = Duration::from_millis(100);

/// A job of so many steps. Its end is shown when it is dropped, by a panic too.
pub(crate) struct Progress<'c> {
    client: &'c Client,
    name: String,
    count: AtomicUsize,
    done: AtomicUsize,
    shown: Mutex<Shown>,
}

struct Shown {
    /// Nothing before the client was told that the job has begun.
    token: Option<ProgressToken>,
    next: Instant,
}

impl<'c> Progress<'c> {
    pub(crate) fn new(client: &'c Client, project: &OpenProject) -> Self {
        let folder = project.root().and_then(|root| root.file_name()).unwrap_or_default();
        let next = Instant::now() + QUIET;
        Self {
            client,
            name: folder.to_string_lossy().into_owned(),
            count: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            shown: Mutex::new(Shown { token: None, next }),
        }
    }

    pub(crate) fn set_count(&self, count: usize) {
        self.count.store(count, Ordering::Relaxed);
    }

    /// One more step is done.
    pub(crate) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if !self.client.features.shows_progress {
            return;
        }
        // Another thread is telling the client.
        let Ok(mut shown) = self.shown.try_lock() else { return };
        if Instant::now() < shown.next {
            return;
        }
        shown.next = Instant::now() + STEP;
        let count = self.count.load(Ordering::Relaxed);
        let percentage = Some((100 * done / count.max(1)).min(100) as u32);
        let message = Some(format!("{done} of {count} files"));
        if let Some(token) = &shown.token {
            let report = WorkDoneProgressReport { cancellable: Some(false), message, percentage };
            return self.tell(token, WorkDoneProgress::Report(report));
        }
        let token = self.client.new_token();
        self.client
            .ask::<WorkDoneProgressCreate>(WorkDoneProgressCreateParams { token: token.clone() });
        let begin = WorkDoneProgressBegin {
            title: format!("Checking {}", self.name),
            cancellable: Some(false),
            message,
            percentage,
        };
        self.tell(&token, WorkDoneProgress::Begin(begin));
        shown.token = Some(token);
    }

    fn tell(&self, token: &ProgressToken, progress: WorkDoneProgress) {
        let value = ProgressParamsValue::WorkDone(progress);
        self.client.notify::<ls_types::notification::Progress>(ProgressParams {
            token: token.clone(),
            value,
        });
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        let shown = self.shown.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(token) = shown.token.take() {
            self.tell(&token, WorkDoneProgress::End(WorkDoneProgressEnd { message: None }));
        }
    }
}
