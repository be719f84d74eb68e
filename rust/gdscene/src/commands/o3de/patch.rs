//! `gdscene o3de patch`

use std::path::PathBuf;

use o3de_json::{
    DocumentLimits, Issue, Json, apply_json_patch, apply_merge_patch, create_json_patch,
    create_merge_patch,
};

use super::{failed, line_of, read_json, text_of, write};
use crate::commands::Status;
use crate::inputs::Input;
use crate::terminal::complain;

/// Apply a patch to a file, or create a patch from two files.
///
/// Examples:
///   gdscene o3de patch save.json changes.json -o save.json
///   gdscene o3de patch --create old.json new.json > changes.json
///   gdscene o3de patch --merge settings.json override.json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(super) struct PatchArgs {
    /// The file to patch; with --create the old one. `-` reads standard input.
    #[arg(value_name = "FILE")]
    document: PathBuf,

    /// The patch; with --create the new file.
    #[arg(value_name = "PATCH")]
    patch: PathBuf,

    /// The patch is a JSON Merge Patch (RFC 7386) instead of a JSON Patch (RFC 6902).
    #[arg(long)]
    merge: bool,

    /// Write the patch that turns the first file into the second.
    #[arg(long)]
    create: bool,

    /// Write on one line.
    #[arg(long)]
    compact: bool,

    /// The file to write. Default: standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXIT_STATUS: &str = "Exit status:
  0  done
  1  the patch cannot be applied or created
  2  wrong usage, or a file that cannot be read or written";

pub(super) fn run(args: &PatchArgs) -> Status {
    let (document, patch) = match (read_json(&args.document), read_json(&args.patch)) {
        (Ok(document), Ok(patch)) => (document, patch),
        (Err(error), _) | (_, Err(error)) => return failed(error),
    };
    match made(args, document, &patch) {
        Ok(json) => write(args.output.as_deref(), &text_of(&json, args.compact)),
        Err(issue) => {
            let name = Input::named(&args.patch).name().into_owned();
            complain(line_of(&name, &issue));
            Status::Findings
        }
    }
}

fn made(args: &PatchArgs, mut document: Json, patch: &Json) -> Result<Json, Issue> {
    match (args.create, args.merge) {
        (true, true) => create_merge_patch(&document, patch),
        (true, false) => create_json_patch(&document, patch, DocumentLimits::default()),
        (false, true) => {
            apply_merge_patch(&mut document, patch);
            Ok(document)
        }
        (false, false) => {
            apply_json_patch(&mut document, patch, DocumentLimits::default()).map(|()| document)
        }
    }
}
