//! Shows how far the check of a project is, if it takes long.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ls_types::request::WorkDoneProgressCreate;
use ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use lsp_server::RequestId;

use crate::client::Client;
use crate::projects::OpenProject;

/// A job that ends sooner is not shown: it would only flicker.
const QUIET: Duration = Duration::from_millis(300);
/// Between two reports.
const STEP: Duration = Duration::from_millis(100);

/// A job with a number of steps. Its end is shown when it is dropped, by a panic too.
pub(crate) struct Progress<'c> {
    client: &'c Client,
    name: String,
    count: AtomicUsize,
    done: AtomicUsize,
    shown: Mutex<Shown>,
}

struct Shown {
    state: ProgressState,
    next: Instant,
}

enum ProgressState {
    New,
    /// The client was asked whether it shows the job.
    Asked(RequestId, ProgressToken),
    Refused,
    /// The client was notified that the job has begun.
    Begun(ProgressToken),
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
            shown: Mutex::new(Shown { state: ProgressState::New, next }),
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
        shown.state = match std::mem::replace(&mut shown.state, ProgressState::Refused) {
            ProgressState::New => {
                let token = self.client.new_token();
                let params = WorkDoneProgressCreateParams { token: token.clone() };
                ProgressState::Asked(
                    self.client.ask_for_consent::<WorkDoneProgressCreate>(params),
                    token,
                )
            }
            ProgressState::Asked(id, token) => match self.client.has_agreed(&id) {
                None => ProgressState::Asked(id, token),
                Some(false) => {
                    self.client.forget_answer(&id);
                    ProgressState::Refused
                }
                Some(true) => {
                    self.client.forget_answer(&id);
                    let begin = WorkDoneProgressBegin {
                        title: format!("Checking {}", self.name),
                        cancellable: Some(false),
                        message,
                        percentage,
                    };
                    self.tell(&token, WorkDoneProgress::Begin(begin));
                    ProgressState::Begun(token)
                }
            },
            ProgressState::Begun(token) => {
                let report =
                    WorkDoneProgressReport { cancellable: Some(false), message, percentage };
                self.tell(&token, WorkDoneProgress::Report(report));
                ProgressState::Begun(token)
            }
            ProgressState::Refused => ProgressState::Refused,
        };
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
        match std::mem::replace(&mut shown.state, ProgressState::Refused) {
            ProgressState::Begun(token) => {
                let end = WorkDoneProgressEnd { message: None };
                self.tell(&token, WorkDoneProgress::End(end));
            }
            ProgressState::Asked(id, _) => self.client.forget_answer(&id),
            ProgressState::New | ProgressState::Refused => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use crossbeam_channel::{Receiver, unbounded};
    use ls_types::InitializeParams;
    use lsp_server::{Message, Response, ResponseError};
    use serde_json::json;

    use super::*;
    use crate::projects::Projects;

    /// The messages to the client about a long job of three steps, which it has agreed to or not.
    fn told(has_agreed: Option<bool>) -> Vec<String> {
        let (sender, messages) = unbounded();
        let params = json!({"capabilities": {"window": {"workDoneProgress": true}}});
        let params: InitializeParams = serde_json::from_value(params).unwrap();
        let client = Client::new(sender, &params);
        let project = Projects::new(godot_project::CachePlace::None).at("/game".as_ref());
        let progress = Progress::new(&client, &project);
        progress.set_count(3);
        progress.step();
        assert!(messages.is_empty(), "what ends soon is not shown");
        thread::sleep(QUIET);
        progress.step();
        let Ok(Message::Request(request)) = messages.recv() else { panic!("it is asked first") };
        if let Some(has_agreed) = has_agreed {
            let error = ResponseError { code: 1, message: String::new(), data: None };
            let response_result = if has_agreed { Ok(json!(null)) } else { Err(error) };
            client.take_answer(&Response { id: request.id, response_result });
        }
        thread::sleep(STEP);
        progress.step();
        drop(progress);
        kinds(&messages)
    }

    fn kinds(messages: &Receiver<Message>) -> Vec<String> {
        let kind = |message: Message| match message {
            Message::Notification(note) => {
                note.params["value"]["kind"].as_str().unwrap().to_owned()
            }
            other => panic!("{other:?}"),
        };
        messages.try_iter().map(kind).collect()
    }

    #[test]
    fn a_client_is_told_what_it_wants_to_show() {
        assert_eq!(told(Some(true)), ["begin", "end"]);
        assert_eq!(told(Some(false)), [""; 0]);
        assert_eq!(told(None), [""; 0]);
    }
}
