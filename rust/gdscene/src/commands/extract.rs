//! `gdscene extract`

use std::path::Path;

use gdscene_refactor::extract;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, plain, res_path, run as carry_out};

/// Move a resource of a scene into a separate file.
///
/// The new file contains the resource and everything that only this resource needs, in Godot's form. The scene gets an
/// `ext_resource` with its uid. A script becomes a .gd file, a shader a .gdshader file, and any other resource a .tres
/// file. If another resource or node of the scene also uses a part of it, extract that part first, because otherwise
/// there would be two copies.
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
