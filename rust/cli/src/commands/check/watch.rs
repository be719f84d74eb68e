//! `gdscene check --watch`

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecursiveMode, Watcher};

use super::dependents::KnownProject;
use super::run_on;
use crate::args::CheckArgs;
use crate::commands::Status;
use crate::output::OutputFormat;
use crate::output::progress::Progress;
use crate::output::terminal::complain;
use crate::walk::{Target, targets};

/// Programs write a file in several steps, and several files at once: so long nothing must happen.
const QUIET: Duration = Duration::from_millis(100);

/// But no longer than this after the first change.
const PATIENCE: Duration = Duration::from_secs(1);

/// What wakes the loop.
enum Wake {
    Changed(notify::Result<notify::Event>),
    Stop,
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
            "--watch prints one check after the other, which this format has no room for; take \
             full, concise, jsonl or github",
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

fn watch(args: &CheckArgs) -> Result<(), Box<dyn std::error::Error>> {
    if args.paths.iter().any(|path| path.as_os_str() == "-") {
        return Err("standard input does not change; name files or folders".into());
    }
    let (sender, receiver) = mpsc::channel();
    let changed = sender.clone();
    // The receiver may be gone when the program ends.
    let mut watcher =
        notify::recommended_watcher(move |event| _ = changed.send(Wake::Changed(event)))?;
    ctrlc::set_handler(move || _ = sender.send(Wake::Stop))?;
    let mut projects = KnownProject::of(&args.paths);
    // Before the first check, so that no change is missed.
    for folder in folders(&args.paths, &projects)? {
        watcher.watch(&folder, RecursiveMode::Recursive)?;
    }
    let progress = Progress::start();
    let (found, problems) = targets(&args.paths, args.rules.profile());
    run_on(args, found, problems, progress);
    complain("waiting for changes; Ctrl+C ends it");
    while let Some(paths) = next_changes(&receiver)? {
        let affected = affected(&paths, &mut projects);
        let progress = Progress::start();
        let (mut found, problems) = targets(&args.paths, args.rules.profile());
        found.retain(|target| match target {
            Target::File(path) => fs::canonicalize(path).is_ok_and(|path| affected.contains(&path)),
            Target::Stdin => false,
        });
        if found.is_empty() {
            continue;
        }
        drop(progress);
        complain(format_args!("{} changed", names(&paths)));
        // What could not be read at the start was told then.
        drop(problems);
        run_on(args, found, Vec::new(), Progress::start());
    }
    Ok(())
}

/// What to watch: whole projects, since what is outside of a folder may matter to what is inside, and
/// folders outside of projects.
fn folders(paths: &[PathBuf], projects: &[KnownProject]) -> io::Result<BTreeSet<PathBuf>> {
    let mut folders: BTreeSet<PathBuf> = projects.iter().map(|known| known.root.clone()).collect();
    for path in paths {
        let at =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let path = fs::canonicalize(path).map_err(at)?;
        // A file is replaced by many programs, so its folder is watched.
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(&path).to_owned() };
        if !projects.iter().any(|known| folder.starts_with(&known.root)) {
            folders.insert(folder);
        }
    }
    Ok(folders)
}

/// Waits for changes; nothing if it is to stop.
fn next_changes(receiver: &Receiver<Wake>) -> notify::Result<Option<BTreeSet<PathBuf>>> {
    let mut paths = BTreeSet::new();
    let mut end: Option<Instant> = None;
    loop {
        let wake = match end {
            None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(end) => {
                receiver.recv_timeout(QUIET.min(end.saturating_duration_since(Instant::now())))
            }
        };
        match wake {
            Ok(Wake::Changed(event)) => {
                let event = event?;
                if is_change(&event.kind) {
                    paths.extend(event.paths.into_iter().filter(|path| !is_of_editor(path)));
                }
                if !paths.is_empty() {
                    end.get_or_insert_with(|| Instant::now() + PATIENCE);
                }
            }
            Err(RecvTimeoutError::Timeout) => return Ok(Some(paths)),
            Ok(Wake::Stop) | Err(RecvTimeoutError::Disconnected) => return Ok(None),
        }
    }
}

/// Reading is none: the checks read, too.
fn is_change(kind: &EventKind) -> bool {
    !kind.is_access() || *kind == EventKind::Access(AccessKind::Close(AccessMode::Write))
}

/// Whether the path lies in a folder that the editor or git keep for themselves.
fn is_of_editor(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == ".godot" || part.as_os_str() == ".git")
}

/// The changed files and those that depend on them, now or before the change.
fn affected(paths: &BTreeSet<PathBuf>, projects: &mut [KnownProject]) -> HashSet<PathBuf> {
    let mut affected: HashSet<PathBuf> = paths.iter().cloned().collect();
    // A folder that was moved here brings files of which nothing else is told.
    for watched in projects {
        affected.extend(watched.dependents(paths));
        if watched.refresh().is_err() {
            continue;
        }
        affected.extend(watched.dependents(paths));
    }
    affected
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
