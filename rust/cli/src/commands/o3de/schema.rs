//! `gdscene o3de schema`

use o3de_json::{Kind, Schema};

use super::{SchemaArgs, failed, read_json, registry, target, text_of, write};
use crate::commands::Status;

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
            target(&args.path).problem(error).report();
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
