//! `gdscene o3de schema`

use std::path::PathBuf;

use o3de_json::{Kind, Schema};

use super::{failed, read_json, registry, text_of, write};
use crate::commands::Status;
use crate::inputs::Input;

/// Print a schema in its long form.
///
/// Examples:
///   gdscene o3de schema save.schema.json
///   gdscene o3de schema --classes classes.json hero.schema.json
///   echo '["u8", "Color"]' | gdscene o3de schema -
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(super) struct SchemaArgs {
    /// A file with a schema; `-` reads standard input.
    #[arg(value_name = "FILE")]
    path: PathBuf,

    /// A file with the classes that may be named.
    #[arg(long, value_name = "FILE")]
    classes: Option<PathBuf>,

    /// Print on one line.
    #[arg(long)]
    compact: bool,
}

const EXIT_STATUS: &str = "Exit status:
  0  printed
  1  invalid schema
  2  wrong usage, or a file that cannot be read";

pub(super) fn run(args: &SchemaArgs) -> Status {
    let registry = match registry(args.classes.as_deref()) {
        Ok(registry) => registry,
        Err(error) => return failed(error),
    };
    let json = match read_json(&args.path) {
        Ok(json) => json,
        Err(error) => return failed(error),
    };
    let schema = match Schema::from_json(&json, &registry) {
        Ok(schema) => schema,
        Err(error) => {
            Input::named(&args.path).problem(error).report();
            return Status::Findings;
        }
    };
    // A class is shown with its fields.
    let schema = match &schema.kind {
        Kind::Class(class) => Kind::Record(registry.fields(class).to_vec()).into(),
        _ => schema,
    };
    write(None, &text_of(&schema.to_json(), args.compact))
}
