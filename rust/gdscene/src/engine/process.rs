//! A process of an engine: what it prints, its limits, and its end.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::debugger::Message;

/// What happens while an engine runs.
#[derive(Debug)]
pub(super) enum Event {
    /// A line on standard error.
    Line(String),
    /// Something on standard output.
    Output,
    /// Standard error is closed.
    Silence,
    /// Something that the debugger sends.
    Message(Message),
}

/// What a process may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// For one file.
    pub(crate) time: Duration,
    /// For the process, in bytes.
    pub(crate) memory: u64,
}

/// A running engine, which ends with this.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    events: Receiver<Event>,
}

/// A line is cut after this number of bytes, because a program may print one without end.
const MAX_LINE: u64 = 1 << 16;

/// A process that waits for nothing more than its end.
const END_LIMIT: Duration = Duration::from_secs(10);

/// The kernel ends what we cannot, because we were killed.
#[cfg(target_os = "linux")]
const MAX_PROCESSOR_SECONDS: u64 = 4 * 60 * 60;

impl Process {
    /// Starts a program whose standard error, and standard output if `with_output`, become events.
    pub(super) fn start(
        command: &mut Command,
        limits: Limits,
        with_output: bool,
        (sender, events): (Sender<Event>, Receiver<Event>),
    ) -> io::Result<Self> {
        let output = if with_output { Stdio::piped() } else { Stdio::null() };
        let mut child =
            command.stdin(Stdio::null()).stdout(output).stderr(Stdio::piped()).spawn()?;
        restrict(&child, limits);
        if let Some(output) = child.stdout.take() {
            let sender = sender.clone();
            thread::Builder::new()
                .name("engine output".to_owned())
                .spawn(move || read_lines(output, |_| sender.send(Event::Output).is_ok()))?;
        }
        if let Some(errors) = child.stderr.take() {
            thread::Builder::new().name("engine errors".to_owned()).spawn(move || {
                read_lines(errors, |line| sender.send(Event::Line(line)).is_ok());
                let _ = sender.send(Event::Silence);
            })?;
        }
        Ok(Self { child, events })
    }

    /// The next event, or nothing at that time.
    pub(super) fn next(&self, until: Instant) -> Option<Event> {
        let left = until.saturating_duration_since(Instant::now());
        match self.events.recv_timeout(left) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::Silence),
        }
    }

    /// Whether the process has ended.
    pub(super) fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }

    /// How the process ended, which has closed its outputs.
    pub(super) fn status(&mut self) -> io::Result<ExitStatus> {
        let end = Instant::now() + END_LIMIT;
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if Instant::now() > end {
                self.child.kill()?;
                return self.child.wait();
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads lines as long as somebody wants them.
fn read_lines(stream: impl Read, send: impl Fn(String) -> bool) {
    let mut stream = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        match stream.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if !send(String::from_utf8_lossy(&line).into_owned()) {
            return;
        }
    }
}

/// Limits memory and the time on processors.
#[cfg(target_os = "linux")]
fn restrict(child: &Child, limits: Limits) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};

    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return };
    let limit = |value| Rlimit { current: Some(value), maximum: Some(value) };
    // A process that is gone needs none.
    let _ = prlimit(Some(pid), Resource::Data, limit(limits.memory));
    let _ = prlimit(Some(pid), Resource::Cpu, limit(MAX_PROCESSOR_SECONDS));
}

/// Other systems have no limit that one process can set for another: there is the time for each file only.
#[cfg(not(target_os = "linux"))]
fn restrict(_: &Child, limits: Limits) {
    let Limits { memory: _, time: _ } = limits;
}
