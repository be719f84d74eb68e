//! `gdscene extract`

use std::path::Path;

use gdscene_refactor::extract;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, plain, res_path, run as carry_out};

/// Put a resource that is inside a scene into a file of its own.
///
/// The file is written as Godot saves it, with all that only this resource needs, and the scene gets an `ext_resource` with
/// its uid. A script becomes a .gd file, a shader a .gdshader file, anything else a .tres file. If another resource or node
/// of the scene also uses a part of it, that part has to be extracted first: otherwise there would be two of it.
///
/// Examples:
///   gdscene extract level.tscn StandardMaterial3D_x4f2a steel.tres
///   gdscene extract level.tscn GDScript_8fkc1 door.gd
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct ExtractArgs {
    /// The scene or resource: a path, or `res://…`.
    scene: String,

    /// The id of the `sub_resource`.
    id: String,

    /// The new file: a path, or `res://…`.
    file: String,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &ExtractArgs) -> Status {
    carry_out(&plain(Path::new(&args.scene)), &args.refactor, |project| {
        let (scene, file) = (res_path(project, &args.scene)?, res_path(project, &args.file)?);
        extract(project, &scene, &args.id, &file)
    })
}
