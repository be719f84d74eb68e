//! The rules of each type, one file a type: how it is loaded and how it is stored.

pub(crate) mod any;
pub(crate) mod boolean;
pub(crate) mod bytes;
pub(crate) mod class;
pub(crate) mod color;
pub(crate) mod enumeration;
pub(crate) mod fixed_array;
pub(crate) mod float;
pub(crate) mod integer;
pub(crate) mod map;
pub(crate) mod matrix;
pub(crate) mod members;
pub(crate) mod packed;
pub(crate) mod path;
pub(crate) mod pointer;
pub(crate) mod quaternion;
pub(crate) mod record;
pub(crate) mod sequence;
pub(crate) mod string;
pub(crate) mod transform;
pub(crate) mod tuple;
pub(crate) mod unsupported;
pub(crate) mod uuid;
pub(crate) mod variant_type;
pub(crate) mod vector;

mod c_numbers;

use crate::run::Run;
use crate::{Json, Outcome, ResultCode, Task};

/// The code for JSON that cannot be read as `what`, which names the type and what it accepts.
pub(crate) fn unsupported(run: &mut Run<'_>, json: &Json, what: &str) -> ResultCode {
    let shown = match json {
        Json::Array(_) | Json::Object(_) => json.type_name().to_owned(),
        _ => json.to_text().chars().take(60).collect(),
    };
    run.report(Task::ReadField, Outcome::Unsupported, format!("{shown} is not a valid {what}"))
}
