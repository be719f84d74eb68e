//! `gdscene resolve`

use std::path::{Path, PathBuf};

use project::read_file;
use tscn::{MergeSide, resolve, unresolved};

use crate::commands::{Counted, Status};
use crate::files::create_or_replace;
use crate::output::terminal::{complain, printable};

/// Settle the conflicts that `gdscene merge` left in files.
///
/// With one of --ours, --theirs and --base, all conflicts of the files get what that side has, and the metadata that held
/// them goes. Without, they are listed. What has to be looked at, such as the order of nodes that both sides moved, stays
/// in the file with its metadata and is listed.
///
/// To settle single conflicts, edit the file, or the metadata in the editor's Inspector, and remove what is settled.
///
/// Examples:
///   gdscene resolve level.tscn              list the conflicts
///   gdscene resolve --theirs level.tscn
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct ResolveArgs {
    /// Scenes and resources with conflicts.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Take what ours has; it stands in the file.
    #[arg(long, group = "side")]
    ours: bool,

    /// Take what theirs has.
    #[arg(long, group = "side")]
    theirs: bool,

    /// Take what was there before both.
    #[arg(long, group = "side")]
    base: bool,
}

const EXIT_STATUS: &str = "Exit status: 0 there are no conflicts any more, 1 there are conflicts left, \
                           2 wrong usage or a file that cannot be read or written.";

pub(crate) fn run(args: &ResolveArgs) -> Status {
    let side = match args {
        ResolveArgs { ours: true, .. } => Some(MergeSide::Ours),
        ResolveArgs { theirs: true, .. } => Some(MergeSide::Theirs),
        ResolveArgs { base: true, .. } => Some(MergeSide::Base),
        _ => None,
    };
    let worst = args.files.iter().map(|file| one(file, side)).max();
    worst.unwrap_or(Status::Clean)
}

fn one(file: &Path, side: Option<MergeSide>) -> Status {
    let name = file.display();
    let text = match read_file(file) {
        Ok(text) => text,
        Err(error) => {
            complain(format_args!("{name}: {error}"));
            return Status::Failure;
        }
    };
    let left = match side {
        None => unresolved(&text),
        Some(side) => {
            let resolved = resolve(&text, side);
            if resolved.text != text
                && let Err(error) = create_or_replace(file, &resolved.text)
            {
                complain(format_args!("{name}: {error}"));
                return Status::Failure;
            }
            let settled = Counted(resolved.settled, "conflict");
            println!("{}: {settled} settled", printable(&name.to_string()));
            resolved.left
        }
    };
    for (place, what) in &left {
        println!("{}", printable(&format!("{name}: conflict: {place}: {what}")));
    }
    if left.is_empty() { Status::Clean } else { Status::Findings }
}
