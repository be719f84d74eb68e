//! A bar on the terminal while the work takes long.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that ends sooner shows no bar.
const DELAY: Duration = Duration::from_millis(300);

/// How often the bar is drawn even if no file is done.
const TICK: Duration = Duration::from_millis(100);

/// A bar on standard error, if that is a terminal, once the work has taken a while. Dropping it removes the bar.
pub(crate) struct Progress {
    bar: ProgressBar,
    watch: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts with the search for files, when their number is unknown.
    pub(crate) fn start() -> Self {
        let bar = ProgressBar::hidden();
        if !stderr().is_terminal() {
            return Self { bar, watch: None };
        }
        bar.set_style(style("{spinner} looking for files"));
        let (sender, receiver) = mpsc::channel();
        let shown = bar.clone();
        let watch = move || {
            if receiver.recv_timeout(DELAY) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(TICK);
            }
        };
        // If there is no thread, there is no bar; the work goes on.
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(watch);
        Self { bar, watch: thread.ok().map(|thread| (sender, thread)) }
    }

    /// Continues with `count` files to work on.
    pub(crate) fn set_files(&self, count: usize) {
        self.bar.set_length(count as u64);
        self.bar.set_style(style("{bar:40} {pos} of {len} files"));
    }

    /// One more file is done.
    pub(crate) fn file_done(&self) {
        self.bar.inc(1);
    }

    /// Prints something, above the bar if there is one.
    pub(crate) fn above<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.watch.take() {
            drop(sender);
            // The thread returns nothing.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
