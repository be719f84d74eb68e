//! `gdscene tree`

mod text;

use std::io::{self, Write};
use std::path::Path;

use gdscene_refactor::{Outline, outline};

use crate::commands::operate::{OperateError, fail, open, project_of};
use crate::commands::refactor::res_path;
use crate::commands::{Status, written};
use crate::output::edited::EditFormat;
use crate::output::to_json_pretty;
use crate::terminal::for_stdout;

/// Print the nodes, connections and resources of a scene or resource.
///
/// Each node is listed with its name, class, script, groups and number of set properties; `%` marks a unique name. By
/// default, this prints the nodes that the file lists. With --resolve, it also prints the nodes of instanced and
/// inherited scenes, in Godot's order. If the nodes of an instance cannot be read, the reason follows its name.
///
/// In the JSON output, `nodes` are in the order of the tree, each with its `path` and the names of its properties.
/// Empty and false values are left out. `gdscene get` prints values.
///
/// Examples:
///   gdscene tree level.tscn
///   gdscene tree --resolve res://level.tscn
///   gdscene tree --output json level.tscn | jq -r '.nodes[] | select(.script).path'
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct TreeArgs {
    /// The scene or resource: a path, or `res://…`.
    file: String,

    /// Follow instances and inheritance.
    #[arg(long)]
    resolve: bool,

    /// How to print it.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    output: EditFormat,
}

const EXIT_STATUS: &str = "Exit status:
  0  printed
  2  wrong usage, no project, or a file that cannot be read";

pub(crate) fn run(args: &TreeArgs) -> Status {
    match read(args) {
        Ok(outline) => {
            let out = match args.output {
                EditFormat::Text => for_stdout(text::text(&outline).into_bytes()),
                EditFormat::Json => (to_json_pretty(&outline) + "\n").into_bytes(),
            };
            written(io::stdout().lock().write_all(&out), Status::Clean)
        }
        Err(error) => fail(&error, args.output),
    }
}

fn read(args: &TreeArgs) -> Result<Outline, OperateError> {
    let workspace = open(Path::new(&args.file), true)?;
    let project = project_of(&workspace)?;
    let file = res_path(project, &args.file)?;
    Ok(outline(project, &file, args.resolve)?)
}
