//! `gdscene merge`

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use godot_project::{MergedScenes, merge_lines, read_file};
use godot_tscn::{MergeConflict, MergeRefusal, Merged};

use crate::commands::{Status, resolve, written};
use crate::counted::Counted;
use crate::files::create_or_replace;
use crate::terminal::{complain, for_stdout, printable, tell};

/// The exit status of the commands that merge.
const EXIT_STATUS: &str = "Exit status:
  0  merged
  1  merged with conflicts
  2  wrong usage, or a file that cannot be read or written";

/// Merge two versions of a scene, resource or settings file, by nodes, properties, resources and settings.
///
/// Nodes are matched by their unique id, then by their path, and renamed or moved nodes by their content. Resources are
/// matched by path, id and use. If both sides add a node or resource, each gets its own id. Lists such as groups, tile
/// maps and dictionaries are merged element by element, and paths follow nodes that the other side renamed.
///
/// Settings files are `project.godot`, `export_presets.cfg`, `plugin.cfg`, `.import` and `.gdextension`. Lists of
/// features, translations and input events get the additions of both sides, autoloads keep an order that suits both,
/// and export presets are matched by their names.
///
/// In a conflict, the file keeps our value, so that Godot can load it. Their value is stored in the metadata
/// `_gdscene_conflicts` of the node or resource, or in the setting `gdscene/conflicts` of `project.godot`. In other
/// settings files, a conflict gets git's markers. A file that Godot cannot read is merged line by line by `git
/// merge-file`, with its markers.
///
/// Examples:
///   gdscene merge base.tscn ours.tscn theirs.tscn -o merged.tscn
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct MergeArgs {
    /// The common ancestor; an empty file if both sides added the file.
    base: PathBuf,

    /// Our version; the result keeps its order and formatting.
    ours: PathBuf,

    /// Their version.
    theirs: PathBuf,

    /// Write to this file, which may be one of the three. Default: standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The path of the file in the project, for messages.
    #[arg(long, value_name = "PATH")]
    path: Option<String>,

    /// What git calls base, ours and theirs; for its merge driver.
    #[arg(long, hide = true, num_args = 3, value_names = ["BASE", "OURS", "THEIRS"], requires = "path")]
    labels: Option<Vec<String>>,

    /// As git's mergetool: what an earlier merge left in the output stays, and conflicts are asked for.
    #[arg(long, hide = true, requires = "output")]
    tool: bool,
}

pub(crate) fn run(args: &MergeArgs) -> Status {
    let Some(file) = args.output.as_ref().filter(|_| args.tool) else { return merge(args) };
    match EarlierMerge::of(file) {
        // The user has settled it, or it has a conflict without a record in the file.
        EarlierMerge::Settled => {
            let name = printable(&file.display().to_string()).into_owned();
            complain(format_args!(
                "{name}: no conflicts; run `git add {name}` if the file is correct"
            ));
            Status::Findings
        }
        EarlierMerge::Asked => resolve::interactive(file),
        EarlierMerge::Open => match merge(args) {
            Status::Findings if EarlierMerge::of(file) == EarlierMerge::Asked => {
                resolve::interactive(file)
            }
            status => status,
        },
    }
}

/// What an earlier merge left in a file.
#[derive(PartialEq, Eq)]
enum EarlierMerge {
    /// Git's markers, or nothing that can be read.
    Open,
    /// Conflicts that [`resolve`] knows.
    Asked,
    /// Nothing.
    Settled,
}

impl EarlierMerge {
    fn of(file: &Path) -> Self {
        let Ok(text) = read_file(file) else { return Self::Open };
        let is_marker = |line: &[u8]| line.starts_with(b"<<<<<<<") || line.starts_with(b">>>>>>>");
        match text.split(|byte| *byte == b'\n').any(is_marker) {
            true => Self::Open,
            false if godot_tscn::unresolved(&text).is_empty() => Self::Settled,
            false => Self::Asked,
        }
    }
}

fn merge(args: &MergeArgs) -> Status {
    let mut texts = Vec::new();
    for path in [&args.base, &args.ours, &args.theirs] {
        match read_file(path) {
            Ok(text) => texts.push(text),
            Err(error) => {
                complain(format_args!("{}: {error}", path.display()));
                return Status::Failure;
            }
        }
    }
    let [base, ours, theirs] = [&texts[0], &texts[1], &texts[2]].map(Vec::as_slice);
    let file = args.output.as_ref().unwrap_or(&args.ours);
    let name = args.path.clone().unwrap_or_else(|| file.display().to_string());
    let (text, status) = match merged(args, &name, [base, ours, theirs]) {
        Ok(merged) => {
            report(&name, &merged);
            let status = if merged.conflicts.is_empty() { Status::Clean } else { Status::Findings };
            (merged.text, status)
        }
        Err(refusal) => match by_lines(&name, [base, ours, theirs], &refusal) {
            Some(merged) => merged,
            None => return Status::Failure,
        },
    };
    match &args.output {
        Some(path) => save(path, &text, status),
        None => written(io::stdout().lock().write_all(&for_stdout(text)), status),
    }
}

/// The merge by what the texts say.
fn merged(args: &MergeArgs, name: &str, texts: [&[u8]; 3]) -> Result<Merged, MergeRefusal> {
    let Some(mut scenes) = scenes_inside(args) else {
        return godot_tscn::merge_file(name, texts[0], texts[1], texts[2]);
    };
    let [base, ours, theirs] = scenes.follow(texts);
    let mut merged = godot_tscn::merge_file(name, &base, &ours, &theirs)?;
    let lost = scenes.lost(&merged.text);
    merged.conflicts.extend(lost.into_iter().map(MergeConflict::from));
    Ok(merged)
}

/// The scenes inside of those that are merged, if it is git that merges.
fn scenes_inside(args: &MergeArgs) -> Option<MergedScenes> {
    let [base, ours, theirs] = args.labels.as_deref()? else { return None };
    MergedScenes::open(&env::current_dir().ok()?, args.path.as_ref()?, [base, ours, theirs])
}

fn save(path: &Path, text: &[u8], status: Status) -> Status {
    // Git gives a driver its own file, which it reads at once and removes (`ll_ext_merge`, git 2.47). Waiting for the disk
    // would take most of the time of a merge, and the file is not kept.
    let name = path.file_name().unwrap_or_default();
    let is_of_git = name.as_encoded_bytes().starts_with(b".merge_file_");
    let is_file = || fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    let saved = match is_of_git && is_file() {
        true => fs::write(path, text),
        false => create_or_replace(path, text),
    };
    match saved {
        Ok(()) => status,
        Err(error) => {
            complain(format_args!("{}: {error}", path.display()));
            Status::Failure
        }
    }
}

/// The merge by `git merge-file`.
fn by_lines(name: &str, texts: [&[u8]; 3], refusal: &MergeRefusal) -> Option<(Vec<u8>, Status)> {
    complain(format_args!("{name}: {refusal}; git merge-file merges it line by line"));
    let [base, ours, theirs] = texts;
    match merge_lines(base, ours, theirs) {
        Ok((text, false)) => Some((text, Status::Clean)),
        Ok((text, true)) => {
            complain(format_args!("{name}: conflicts, with markers in the file"));
            Some((text, Status::Findings))
        }
        Err(reason) => {
            complain(format_args!("{name}: git merge-file: {reason}"));
            None
        }
    }
}

/// Conflicts and notes on standard error.
fn report(name: &str, merged: &Merged) {
    let mut text = String::new();
    for note in &merged.notes {
        let _ = writeln!(text, "{name}: note: {}: {}", note.place, note.text);
    }
    for conflict in &merged.conflicts {
        describe(&mut text, name, conflict);
    }
    if !merged.conflicts.is_empty() {
        let count = Counted(merged.conflicts.len(), "conflict");
        // Conflicts with git's markers are for a text editor.
        let next = match godot_tscn::unresolved(&merged.text).len() {
            0 => "",
            1 => "; settle it with `gdscene resolve`",
            _ => "; settle them with `gdscene resolve`",
        };
        let _ = writeln!(text, "{name}: {count}; the file keeps our version{next}");
    }
    for line in text.lines() {
        tell(format_args!("{}\n", printable(line)));
    }
}

fn describe(text: &mut String, name: &str, conflict: &MergeConflict) {
    let _ = writeln!(text, "{name}: conflict: {}: {}", conflict.place, conflict.what);
    let sides = [("base", &conflict.base), ("ours", &conflict.ours), ("theirs", &conflict.theirs)];
    if sides.iter().all(|(_, value)| value.is_none()) {
        return;
    }
    for (side, value) in sides {
        let value = value.as_deref().map_or("(none)".to_owned(), short);
        let _ = writeln!(text, "    {side:6} {value}");
    }
}

/// The beginning of a long value, on one line.
pub(super) fn short(value: &str) -> String {
    const MAX: usize = 100;
    let line = value.replace('\n', " ");
    match line.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}… ({} characters)", &line[..end], value.chars().count()),
        None => line,
    }
}
