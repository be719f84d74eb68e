//! Threads that answer requests. They are not those of `rayon`: one that waits for a project there could be needed to read it.

use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Sender, unbounded};

/// At most this number of requests is answered at once.
const COUNT: usize = 4;

type Job = Box<dyn FnOnce() + Send>;

/// Threads that run jobs in the order in which they come.
#[derive(Debug)]
pub(crate) struct Workers {
    jobs: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    pub(crate) fn new() -> io::Result<Self> {
        Self::with_count(COUNT)
    }

    /// One thread: later jobs wait.
    pub(crate) fn one() -> io::Result<Self> {
        Self::with_count(1)
    }

    fn with_count(count: usize) -> io::Result<Self> {
        let (jobs, receiver) = unbounded::<Job>();
        let threads = (0..count).map(|_| {
            let receiver = receiver.clone();
            let run = move || {
                for job in receiver {
                    // The owner of the job reports it; the thread continues.
                    let _ = panic::catch_unwind(AssertUnwindSafe(job));
                }
            };
            thread::Builder::new().name("gdscene lsp".to_owned()).spawn(run)
        });
        Ok(Self { jobs: Some(jobs), threads: threads.collect::<io::Result<_>>()? })
    }

    pub(crate) fn run(&self, job: impl FnOnce() + Send + 'static) {
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(Box::new(job));
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
