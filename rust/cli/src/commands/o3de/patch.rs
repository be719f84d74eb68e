//! `gdscene o3de patch`

use o3de_json::{
    DocumentLimits, Issue, Json, apply_json_patch, apply_merge_patch, create_json_patch,
    create_merge_patch,
};

use super::{PatchArgs, failed, line_of, read_json, target, text_of, write};
use crate::commands::Status;
use crate::output::terminal::complain;

pub(super) fn run(args: &PatchArgs) -> Status {
    let (document, patch) = match (read_json(&args.document), read_json(&args.patch)) {
        (Ok(document), Ok(patch)) => (document, patch),
        (Err(error), _) | (_, Err(error)) => return failed(error),
    };
    match made(args, document, &patch) {
        Ok(json) => write(args.output.as_deref(), &text_of(&json, args.compact)),
        Err(issue) => {
            let name = target(&args.patch).name().into_owned();
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
