//! `gdscene check --watch`

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecursiveMode, Watcher};
use thiserror::Error;

use super::dependents::dependents;
use super::{CheckArgs, Verdicts, run_on};
use crate::commands::Status;
use crate::inputs::{Found, Input, inputs_to_check, report_skipped};
use crate::linter::{Linter, LinterError};
use crate::output::OutputFormat;
use crate::output::progress::Progress;
use crate::terminal::complain;

/// A check starts after this time without changes: programs write a file in several steps, and several files at once.
const QUIET_PERIOD: Duration = Duration::from_millis(100);

/// A check starts at the latest this long after the first change.
const MAX_DELAY: Duration = Duration::from_secs(1);

/// An event that wakes the loop.
enum Wake {
    Changed(notify::Result<notify::Event>),
    Stop,
}

/// Why nothing can be watched.
#[derive(Debug, Error)]
enum WatchError {
    #[error("standard input does not change; name files or folders")]
    StandardInput,
    #[error("{}: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Linter(#[from] LinterError),
    #[error(transparent)]
    Notify(#[from] notify::Error),
    #[error(transparent)]
    Signal(#[from] ctrlc::Error),
}

pub(super) fn run(args: &CheckArgs) -> Status {
    let is_text = |format| {
        matches!(
            format,
            OutputFormat::Full | OutputFormat::Concise | OutputFormat::Jsonl | OutputFormat::Github
        )
    };
    if !is_text(args.output) {
        complain(
            "--watch prints several checks, which this format does not support; use full, \
             concise, jsonl or github",
        );
        return Status::Failure;
    }
    match watch(args) {
        Ok(()) => Status::Clean,
        Err(error) => {
            complain(format_args!("cannot watch: {error}"));
            Status::Failure
        }
    }
}

fn watch(args: &CheckArgs) -> Result<(), WatchError> {
    if args.paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(WatchError::StandardInput);
    }
    let (sender, receiver) = mpsc::channel();
    let changed = sender.clone();
    // The receiver may be gone when the program ends.
    let mut watcher =
        notify::recommended_watcher(move |event| _ = changed.send(Wake::Changed(event)))?;
    ctrlc::set_handler(move || _ = sender.send(Wake::Stop))?;
    let progress = Progress::start();
    let Found { mut inputs, problems, left_out } = inputs_of(args);
    let mut linter = Linter::new(&inputs, &args.rules)?;
    // A project without a scene may get one.
    linter.open(args.paths.iter().filter_map(|path| folder_at(path)))?;
    // Before the first check, so that no change is missed.
    for folder in folders(&args.paths, &linter)? {
        watcher.watch(&folder, RecursiveMode::Recursive)?;
    }
    progress.above(|| report_skipped(linter.skipped()));
    run_on(args, &linter, &inputs, (problems, left_out, Verdicts::default()), progress);
    complain("waiting for changes; Ctrl+C stops it");
    while let Some(paths) = next_changes(&receiver)? {
        let mut affected: HashSet<PathBuf> = paths.iter().cloned().collect();
        affected.extend(dependents(&linter, &paths));
        if let Err(error) = linter.refresh() {
            complain(error);
            continue;
        }
        // A folder that was moved here brings files for which there are no events of their own.
        affected.extend(dependents(&linter, &paths));
        // Unreadable files were reported at the start.
        inputs = inputs_of(args).inputs;
        inputs.retain(|input| match input {
            Input::File(path) => fs::canonicalize(path).is_ok_and(|path| affected.contains(&path)),
            Input::Stdin | Input::Stream(_) => false,
        });
        if inputs.is_empty() {
            continue;
        }
        complain(format_args!("{} changed", names(&paths)));
        match linter.open(inputs.iter().filter_map(Input::folder)) {
            Ok(()) => _ = run_on(args, &linter, &inputs, Default::default(), Progress::start()),
            Err(error) => complain(error),
        }
    }
    Ok(())
}

/// The folder itself, or the folder of a file.
fn folder_at(path: &Path) -> Option<&Path> {
    if path.is_dir() { Some(path) } else { path.parent() }
}

fn inputs_of(args: &CheckArgs) -> Found {
    inputs_to_check(&args.paths, args.rules.profile())
}

/// The folders to watch: whole projects, since a file outside a folder may matter to the files inside, and
/// folders outside projects.
fn folders(paths: &[PathBuf], linter: &Linter) -> Result<BTreeSet<PathBuf>, WatchError> {
    let canonical = |path: &Path| {
        fs::canonicalize(path)
            .map_err(|source| WatchError::Unreadable { path: path.to_owned(), source })
    };
    let roots: BTreeSet<PathBuf> = linter.folders().map(canonical).collect::<Result<_, _>>()?;
    let mut folders = roots.clone();
    for path in paths {
        let path = canonical(path)?;
        // A file is replaced by many programs, so its folder is watched.
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(&path).to_owned() };
        if !roots.iter().any(|root| folder.starts_with(root)) {
            folders.insert(folder);
        }
    }
    Ok(folders)
}

/// Waits for changes. None if the user stopped the command.
fn next_changes(receiver: &Receiver<Wake>) -> notify::Result<Option<BTreeSet<PathBuf>>> {
    let mut paths = BTreeSet::new();
    let mut end: Option<Instant> = None;
    loop {
        let wake = match end {
            None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(end) => receiver
                .recv_timeout(QUIET_PERIOD.min(end.saturating_duration_since(Instant::now()))),
        };
        match wake {
            Ok(Wake::Changed(event)) => {
                let event = event?;
                if is_change(&event.kind) {
                    paths.extend(event.paths.into_iter().filter(|path| !is_of_editor(path)));
                }
                if !paths.is_empty() {
                    end.get_or_insert_with(|| Instant::now() + MAX_DELAY);
                }
            }
            Err(RecvTimeoutError::Timeout) => return Ok(Some(paths)),
            Ok(Wake::Stop) | Err(RecvTimeoutError::Disconnected) => return Ok(None),
        }
    }
}

/// Whether the event is more than a read: the checks read files, too.
fn is_change(kind: &EventKind) -> bool {
    !kind.is_access() || *kind == EventKind::Access(AccessKind::Close(AccessMode::Write))
}

/// Whether the path is in a folder that belongs to the editor or to git.
fn is_of_editor(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == ".godot" || part.as_os_str() == ".git")
}

/// The first of the files, and how many more there are.
fn names(paths: &BTreeSet<PathBuf>) -> String {
    let first = paths.first().and_then(|path| path.file_name()).unwrap_or_default();
    let first = first.to_string_lossy();
    match paths.len() {
        0 | 1 => first.into_owned(),
        count => format!("{first} and {} more", count - 1),
    }
}
