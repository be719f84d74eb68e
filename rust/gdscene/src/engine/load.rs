//! Lets an engine load files, one after another, and starts it again after a file that ends it.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::debugger::{Connection, Message, Warning, listen};
use super::output::{Mark, Parser, Printed, Report};
use super::process::{Event, Limits, Process};

/// What an engine is to load.
#[derive(Debug)]
pub(super) struct Job<'j> {
    pub(super) program: &'j Path,
    /// The folder of the project.
    pub(super) root: &'j Path,
    /// `res://…`
    pub(super) paths: &'j [String],
    /// Those of them that an importer made a resource of.
    pub(super) imported: &'j HashSet<String>,
    pub(super) limits: Limits,
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    /// What the engine reported, with the number of the file that it loaded meanwhile.
    pub(super) reports: Vec<(Option<usize>, Report)>,
    pub(super) warnings: BTreeSet<Warning>,
    /// The files for which the engine gave nothing.
    pub(super) refused: Vec<usize>,
    /// The files at which it ended, and how.
    pub(super) ended: Vec<(usize, End)>,
    /// The files that it was not asked to load, because they need one at which it ended.
    pub(super) left_out: Vec<usize>,
    /// How many files were loaded or refused.
    pub(super) count: usize,
    /// Why not everything was done.
    pub(super) gaps: Vec<String>,
    /// What is left out of what is known.
    pub(super) notes: Vec<String>,
}

/// How the engine ended at a file.
#[derive(Debug)]
pub(super) enum End {
    /// By itself, with this status. The crash handler's words, or the script and line where it was.
    Crash { status: String, words: Option<String>, place: Option<(String, u32)> },
    /// It took too long.
    Timeout,
}

/// The engine comes to the first file within this time, or the time for a file if that is more.
const START_LIMIT: Duration = Duration::from_secs(60);

/// After this number of ends, the cause is not a file.
const MAX_ENDS: usize = 20;

/// At most this number of reports is kept for one file.
const MAX_REPORTS: usize = 500;

/// The engine forgets how many warnings it has sent after a second.
const PAUSE: Duration = Duration::from_millis(1050);

/// What our script is.
const SCRIPT: &str = include_str!("load_files.gd");

impl Job<'_> {
    /// Loads all files. `needs` returns those that need a file; `progress` is called for each file.
    pub(super) fn run(
        &self,
        needs: &dyn Fn(usize) -> Vec<usize>,
        progress: &dyn Fn(),
    ) -> io::Result<Loaded> {
        let mut loaded = Loaded::default();
        let mut left: VecDeque<usize> = (0..self.paths.len()).collect();
        let mut is_incomplete = false;
        loop {
            let mut run = Run::start(self, &left)?;
            let ended = run.load(&mut loaded, progress)?;
            is_incomplete |= run.has_dropped;
            let Some((at, end)) = ended else {
                if run.connection.is_none() {
                    loaded.gaps.push(
                        "the engine's debugger did not connect, so no warnings of scripts are known"
                            .to_owned(),
                    );
                } else if is_incomplete {
                    run.compile_again(&mut loaded)?;
                }
                return Ok(loaded);
            };
            // What it had not sent is lost.
            is_incomplete = true;
            let Some(at) = at else {
                loaded.gaps.push(end.at_start(left.len() == self.paths.len()));
                return Ok(loaded);
            };
            left.retain(|number| *number > at);
            let affected: BTreeSet<usize> = needs(at).into_iter().collect();
            let (out, kept): (VecDeque<_>, VecDeque<_>) =
                left.into_iter().partition(|number| affected.contains(number));
            loaded.left_out.extend(out);
            left = kept;
            loaded.ended.push((at, end));
            if loaded.ended.len() == MAX_ENDS && !left.is_empty() {
                loaded.gaps.push(format!(
                    "the engine ended {MAX_ENDS} times; {} more files were not loaded",
                    left.len()
                ));
                return Ok(loaded);
            }
        }
    }
}

impl End {
    fn crash(status: ExitStatus, words: Vec<String>) -> Self {
        let place = words.iter().find_map(|word| {
            let (path, line) = word.strip_prefix("res://").and(word.rsplit_once(':'))?;
            Some((path.to_owned(), line.parse().ok()?))
        });
        let words = words.into_iter().find(|word| !word.contains("://"));
        Self::Crash { status: status.to_string(), words, place }
    }

    /// The message if it was at no file.
    fn at_start(&self, is_first: bool) -> String {
        let when = if is_first { "before the first file" } else { "between two files" };
        match self {
            Self::Timeout => format!("the engine did not go on {when}"),
            Self::Crash { status, words, .. } => {
                let words = words.as_ref().map_or(String::new(), |words| format!(": {words}"));
                format!("the engine ended {when} ({status}){words}")
            }
        }
    }
}

/// One process.
struct Run<'j> {
    job: &'j Job<'j>,
    process: Process,
    parser: Parser,
    /// Whether the engine knows where to connect.
    has_debugger: bool,
    connection: Option<Connection>,
    /// The file that is loaded.
    current: Option<usize>,
    /// How many reports there are of it.
    report_count: usize,
    /// What the crash handler says.
    crash: Vec<String>,
    has_dropped: bool,
    is_done: bool,
    is_closed: bool,
    compiled: Option<usize>,
    /// How many warnings came since the last pause.
    warning_count: usize,
    /// The script and its lists. They are gone with it.
    _folder: tempfile::TempDir,
}

/// What a wait was for.
enum Waited {
    Event,
    TooLong,
    Ended,
}

impl<'j> Run<'j> {
    fn start(job: &'j Job<'j>, numbers: &VecDeque<usize>) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("gdscene-engine-").tempdir()?;
        let mut token = [0; 16];
        getrandom::fill(&mut token).map_err(io::Error::other)?;
        let token: String = token.iter().map(|byte| format!("{byte:02x}")).collect();
        let numbers: BTreeSet<usize> = numbers.iter().copied().collect();
        let line = |number: usize| {
            let path = &job.paths[number];
            let what = match (numbers.contains(&number), job.imported.contains(path)) {
                (true, true) => "imported",
                (true, false) => "",
                (false, _) => "later",
            };
            format!("{number}\t{path}\t{what}\n")
        };
        let lines: String = (0..job.paths.len()).map(line).collect();
        let script = folder.path().join("load_files.gd");
        fs::write(&script, SCRIPT)?;
        fs::write(folder.path().join("token"), &token)?;
        fs::write(folder.path().join("paths"), lines)?;
        let (sender, events) = mpsc::channel();
        // Without it, only the warnings are missing.
        let debugger = listen(&token, &sender).ok();
        let mut command = Command::new(job.program);
        command.arg("--headless").arg("--path").arg(job.root);
        if let Some(address) = &debugger {
            command.args(["--remote-debug", address, "--ignore-error-breaks"]);
        }
        command.args([OsStr::new("--script"), script.as_os_str()]);
        let process = Process::start(&mut command, job.limits, false, (sender, events))?;
        Ok(Self {
            job,
            process,
            parser: Parser::new(token),
            has_debugger: debugger.is_some(),
            connection: None,
            current: None,
            report_count: 0,
            crash: Vec::new(),
            has_dropped: false,
            is_done: false,
            is_closed: false,
            compiled: None,
            warning_count: 0,
            _folder: folder,
        })
    }

    /// Goes on until all files are loaded, or the engine ends: at which file, and how.
    fn load(
        &mut self,
        loaded: &mut Loaded,
        progress: &dyn Fn(),
    ) -> io::Result<Option<(Option<usize>, End)>> {
        let mut until = Instant::now() + START_LIMIT.max(self.job.limits.time);
        loop {
            let count = loaded.count;
            let at = self.current;
            let mut waited = self.wait(until, loaded);
            // A program that it started may keep its standard error open.
            if matches!(waited, Waited::TooLong) && self.process.has_ended() {
                waited = Waited::Ended;
            }
            match waited {
                Waited::Event if self.is_done => return self.wait_for_debugger(loaded),
                Waited::Event => {}
                Waited::TooLong => return Ok(Some((self.current, End::Timeout))),
                Waited::Ended => {
                    let words = std::mem::take(&mut self.crash);
                    let end = End::crash(self.process.status()?, words);
                    return Ok(Some((self.current, end)));
                }
            }
            if loaded.count > count || self.current != at {
                (count..loaded.count).for_each(|_| progress());
                until = Instant::now() + self.job.limits.time;
            }
        }
    }

    /// Takes what the debugger has not sent yet.
    fn wait_for_debugger(
        &mut self,
        loaded: &mut Loaded,
    ) -> io::Result<Option<(Option<usize>, End)>> {
        let until = Instant::now() + Duration::from_secs(5);
        while self.has_debugger && !self.is_closed {
            if !matches!(self.wait(until, loaded), Waited::Event) {
                self.has_dropped = true;
                break;
            }
        }
        Ok(None)
    }

    /// Asks for all scripts again, not more warnings at once than the engine sends.
    fn compile_again(&mut self, loaded: &mut Loaded) -> io::Result<()> {
        let is_out = |number: &usize| {
            loaded.left_out.contains(number) || loaded.ended.iter().any(|(at, _)| at == number)
        };
        let scripts =
            (0..self.job.paths.len()).filter(|number| self.job.paths[*number].ends_with(".gd"));
        let scripts: Vec<usize> = scripts.filter(|number| !is_out(number)).collect();
        let limit = self.connection.as_ref().map_or(0, |connection| connection.limit);
        std::thread::sleep(PAUSE);
        self.warning_count = 0;
        for number in scripts {
            if self.warning_count * 2 > limit {
                std::thread::sleep(PAUSE);
                self.warning_count = 0;
            }
            self.has_dropped = false;
            self.compiled = None;
            let Some(connection) = &mut self.connection else { break };
            let is_sent = connection.compile_again(number).is_ok();
            let until = Instant::now() + self.job.limits.time;
            while is_sent && self.compiled != Some(number) {
                if !matches!(self.wait(until, loaded), Waited::Event) {
                    break;
                }
            }
            let path = &self.job.paths[number];
            if self.compiled != Some(number) {
                loaded.gaps.push(format!(
                    "the engine did not compile {path} a second time, so not all warnings of scripts are known"
                ));
                break;
            }
            if self.has_dropped {
                loaded.notes.push(format!(
                    "{path} has more than the {limit} warnings that the engine sends in a second"
                ));
                std::thread::sleep(PAUSE);
                self.warning_count = 0;
            }
        }
        Ok(())
    }

    fn wait(&mut self, until: Instant, loaded: &mut Loaded) -> Waited {
        match self.process.next(until) {
            None => return Waited::TooLong,
            Some(Event::Silence) => {
                let last = self.parser.end();
                self.take(last, loaded);
                return Waited::Ended;
            }
            Some(Event::Line(line)) => {
                let printed = self.parser.line(&line);
                self.take(printed, loaded);
            }
            Some(Event::Output) => {}
            Some(Event::Message(message)) => match message {
                Message::Hello(connection) => self.connection = Some(connection),
                Message::Warning(warning) => {
                    self.warning_count += 1;
                    loaded.warnings.insert(warning);
                }
                Message::Dropped => self.has_dropped = true,
                Message::Done | Message::Closed => self.is_closed = true,
                Message::Compiled(number) => self.compiled = Some(number),
            },
        }
        Waited::Event
    }

    fn take(&mut self, printed: impl IntoIterator<Item = Printed>, loaded: &mut Loaded) {
        for printed in printed {
            match printed {
                Printed::Report(report) => {
                    self.report_count += 1;
                    // The same again when a script is compiled again.
                    if self.report_count <= MAX_REPORTS && !self.is_done {
                        loaded.reports.push((self.current, report));
                    }
                }
                Printed::Crash(words) => self.crash.push(words),
                Printed::Mark(mark) => self.mark(mark, loaded),
            }
        }
    }

    fn mark(&mut self, mark: Mark, loaded: &mut Loaded) {
        match mark {
            Mark::Begin(number) => {
                self.current = Some(number);
                self.report_count = 0;
            }
            Mark::Loaded(_) => {
                loaded.count += 1;
                self.current = None;
            }
            Mark::Refused(number) => {
                loaded.count += 1;
                loaded.refused.push(number);
                self.current = None;
            }
            Mark::Skipped(_) => self.current = None,
            Mark::Again(_) => {}
            Mark::Done => {
                self.current = None;
                self.is_done = true;
            }
        }
    }
}
