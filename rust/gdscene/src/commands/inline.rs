//! `gdscene inline`

use std::path::Path;

use gdscene_refactor::inline;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, plain, res_path, run as carry_out};

/// Copy a resource file into a scene that uses it.
///
/// The `ext_resource` becomes a `sub_resource` with the content of the file. The file stays, unless you give --remove.
/// Other files that use it are listed, because the scene no longer shares the resource with them.
///
/// Examples:
///   gdscene inline level.tscn steel.tres
///   gdscene inline level.tscn 3_x4f2a              by the id of its `ext_resource`
///   gdscene inline --remove level.tscn 3_x4f2a     remove the .tres file, if nothing else uses it
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct InlineArgs {
    /// The scene or resource: a path, or `res://…`.
    scene: String,

    /// The .tres file, or the id of its `ext_resource` in the scene.
    resource: String,

    /// Remove the file. This is refused if another file uses it.
    #[arg(long)]
    remove: bool,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &InlineArgs) -> Status {
    carry_out(&plain(Path::new(&args.scene)), &args.refactor, |project| {
        let path = res_path(project, &args.resource).ok();
        let path = path.filter(|path| project.file(path).is_some());
        let resource = path.unwrap_or_else(|| args.resource.clone());
        inline(project, &res_path(project, &args.scene)?, &resource, args.remove)
    })
}
