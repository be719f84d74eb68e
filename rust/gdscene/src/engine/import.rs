//! The engine's own import of a project, where it is due.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant, SystemTime};

use gdscene_lint::{EngineFinding, EngineRule, Verdict};
use godot_project::{Project, create_folders, read_file, write_file};

use super::output::{Parser, Printed};
use super::process::{Event, Limits, Process};
use super::program::Program;
use crate::files::file_path;

/// An import may take long, but it prints its progress.
const LONGEST_SILENCE: Duration = Duration::from_secs(600);

/// The version of the engine that imported last, and when that was.
const STAMP: &str = ".godot/gdscene_import";

/// Its words for an asset that it cannot import.
const FAILED: &str = "Error importing '";

/// What the engine said of assets, by path.
pub(super) type Failures = BTreeMap<String, String>;

/// Whether an asset has what the engine made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Import {
    /// There is something to load.
    Loadable,
    /// The engine could not make anything of it.
    Failed,
    /// The engine keeps the file as it is, or makes other files of it.
    Other,
}

/// What an import did.
#[derive(Debug, Default)]
pub(crate) struct Imported {
    /// Whether it was due.
    pub(crate) was_due: bool,
    /// Why it did not come to its end.
    pub(super) gap: Option<String>,
    pub(super) failures: Failures,
}

/// Imports the project if a file has changed since the last time.
pub(super) fn import_if_due(
    program: &Program,
    project: &Project,
    root: &Path,
    limits: Limits,
) -> io::Result<Imported> {
    let mut imported = Imported::default();
    if is_fresh(program, project, root) {
        return Ok(imported);
    }
    imported.was_due = true;
    list_extensions(project, root)?;
    imported.gap = import(program, root, limits, &mut imported.failures)?;
    if imported.gap.is_none() {
        write_file(&root.join(STAMP), program.version.as_bytes())?;
    }
    Ok(imported)
}

/// The content of the `.import` file next to an asset; nothing without such a file.
pub(super) fn state(root: &Path, path: &str) -> Option<Import> {
    let text = read_file(&file_path(root, &format!("{path}.import"))).ok()?;
    let file = godot_tscn::parse_config(&text);
    let is_failed = file.get(b"remap", b"valid").is_some_and(|valid| valid.source() == b"false");
    if is_failed {
        return Some(Import::Failed);
    }
    // `path`, or `path.s3tc` and others for compressed textures.
    let mut remap = file.sections().filter(|section| *section.name() == *b"remap");
    let has_path = remap.any(|section| {
        section.properties().any(|property| {
            let key = property.engine_key();
            *key == *b"path" || key.starts_with(b"path.")
        })
    });
    Some(if has_path { Import::Loadable } else { Import::Other })
}

/// Adds what the engine could not import.
pub(super) fn report(failed: &[String], failures: &Failures, verdict: &mut Verdict) {
    for path in failed {
        // The words are the same each time, as only the first import says more.
        let message = "Godot cannot import this file";
        let mut finding = EngineFinding::new(EngineRule::ImportError, None, message);
        finding.help = failures.get(path).map(|words| format!("Godot says: {words}"));
        verdict.add(path, finding);
    }
}

/// Whether no file or folder has changed since this version imported.
fn is_fresh(program: &Program, project: &Project, root: &Path) -> bool {
    let stamp = root.join(STAMP);
    let imported = fs::metadata(&stamp).and_then(|found| found.modified()).ok();
    let Some(imported) = imported else { return false };
    let is_same = read_file(&stamp).is_ok_and(|version| version == program.version.as_bytes());
    let is_older = |path: &Path| changed(path).is_some_and(|changed| changed <= imported);
    let mut folders = std::collections::HashSet::from([root.to_owned()]);
    let mut is_file_older = |path: &str| {
        let place = file_path(root, path);
        let above = place.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
        folders.extend(above.map(PathBuf::from));
        is_older(&place)
    };
    is_same
        && root.join(".godot/imported").is_dir()
        && project.files().all(|file| is_file_older(project.path(file)))
        // The folder of the project changes with files that Godot does not see.
        && folders.iter().filter(|folder| *folder != root).all(|folder| is_older(folder))
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|found| found.modified()).ok()
}

/// A Godot without a window that finds an extension for the first time aborts when it ends (godotengine/godot#111048).
fn list_extensions(project: &Project, root: &Path) -> io::Result<()> {
    let paths = project.files().map(|file| project.path(file));
    let extensions: Vec<&str> = paths.filter(|path| path.ends_with(".gdextension")).collect();
    let list = root.join(".godot/extension_list.cfg");
    let known = read_file(&list).unwrap_or_default();
    let mut text = String::from_utf8_lossy(&known).into_owned();
    let is_known = |path: &&&str| text.lines().any(|line| line == **path);
    let new: Vec<&str> = extensions.iter().filter(|path| !is_known(path)).copied().collect();
    if new.is_empty() {
        return Ok(());
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    new.iter().for_each(|path| text.extend([path, "\n"]));
    create_folders(&root.join(".godot"))?;
    write_file(&list, text.as_bytes())
}

fn import(
    program: &Program,
    root: &Path,
    limits: Limits,
    failures: &mut Failures,
) -> io::Result<Option<String>> {
    let mut command = Command::new(&program.path);
    command.arg("--headless").arg("--path").arg(root).arg("--import");
    let mut process = Process::start(&mut command, limits, true, mpsc::channel())?;
    // Our script does not run, so there are no marks.
    let mut parser = Parser::new("\n".to_owned());
    let (mut last, mut crash) = (Vec::new(), None);
    loop {
        match process.next(Instant::now() + LONGEST_SILENCE) {
            None => return Ok(Some("the import did not go on".to_owned())),
            Some(Event::Silence) => break,
            Some(Event::Line(line)) => {
                for printed in parser.line(&line) {
                    match printed {
                        Printed::Report(report) => take(report.message, &mut last, failures),
                        Printed::Crash(words) => crash = crash.or(Some(words)),
                        Printed::Mark(_) => {}
                    }
                }
            }
            Some(Event::Output | Event::Message(_)) => {}
        }
    }
    if let Some(Printed::Report(report)) = parser.end() {
        take(report.message, &mut last, failures);
    }
    let status = process.status()?;
    let words = crash.map_or(String::new(), |words| format!(": {words}"));
    Ok((!status.success()).then(|| format!("the import failed ({status}){words}")))
}

/// The report before the one that an asset failed often says why, and names the asset.
fn take(message: String, last: &mut Vec<String>, failures: &mut Failures) {
    let Some(rest) = message.strip_prefix(FAILED) else {
        last.push(message);
        if last.len() > 8 {
            last.remove(0);
        }
        return;
    };
    let Some((path, _)) = rest.split_once("'.") else { return };
    let reason = last.drain(..).rfind(|reason| reason.contains(path));
    failures.insert(path.to_owned(), reason.unwrap_or(message));
}
