//! `gdscene o3de convert`

use std::path::{Component, Path, PathBuf};

use o3de_json::{
    DocumentLimits, Issue, Json, Processing, Settings, load, load_wrapped, resolve_imports, store,
    store_wrapped, wrapped_class,
};
use thiserror::Error;

use super::{FileError, Loader, Types, failed, line_of, read_json, text_of, write};
use crate::commands::Status;
use crate::inputs::Input;
use crate::terminal::complain;

/// Rewrite a file in the form in which O3DE writes it.
///
/// The command loads and stores the value by its schema: numbers in strings become numbers, short forms become long
/// forms, and names get their registered spelling. If a part of the file cannot be read, nothing is written.
///
/// Examples:
///   gdscene o3de convert --schema save.schema.json old.json -o new.json
///   gdscene o3de convert --schema save.schema.json --strip - < old.json
///   gdscene o3de convert --imports level.json      with the imported files, without a schema
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(super) struct ConvertArgs {
    /// The file; `-` reads standard input.
    #[arg(value_name = "FILE")]
    path: PathBuf,

    #[command(flatten)]
    types: Types,

    /// Leave out values that equal their defaults.
    #[arg(long)]
    strip: bool,

    /// Write on one line.
    #[arg(long)]
    compact: bool,

    /// First replace each `$import` with the content of the imported file. The imported files must be in the folder of
    /// the file or below it.
    #[arg(long)]
    imports: bool,

    /// The file to write. Default: standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXIT_STATUS: &str = "Exit status:
  0  converted
  1  the file does not match its schema
  2  wrong usage, or a file that cannot be read or written";

/// Why a file that is imported cannot be used.
#[derive(Debug, Error)]
enum ImportError {
    #[error("it is outside the file's folder")]
    Outside,
    #[error(transparent)]
    File(#[from] FileError),
}

pub(super) fn run(args: &ConvertArgs) -> Status {
    let loader = match Loader::new(&args.types) {
        Ok(loader) => loader,
        Err(error) => return failed(error),
    };
    let mut json = match read_json(&args.path) {
        Ok(json) => json,
        Err(error) => return failed(error),
    };
    if args.imports {
        let folder = args.path.parent().unwrap_or(Path::new("")).to_owned();
        let mut resolver = |name: &str| imported(&folder, name).map_err(|error| error.to_string());
        if let Err(issue) = resolve_imports(&mut json, &mut resolver, DocumentLimits::default()) {
            return refuse(args, &[issue]);
        }
    }
    let settings = Settings { keep_defaults: !args.strip, ..loader.settings };
    match converted(&json, &loader, settings) {
        Ok(json) => write(args.output.as_deref(), &text_of(&json, args.compact)),
        Err(issues) => refuse(args, &issues),
    }
}

/// A file beside the one that imports it.
fn imported(folder: &Path, name: &str) -> Result<Json, ImportError> {
    let path = Path::new(name);
    if !path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(ImportError::Outside);
    }
    Ok(read_json(&folder.join(path))?)
}

fn converted(json: &Json, loader: &Loader, settings: Settings) -> Result<Json, Vec<Issue>> {
    if let Some(class) = wrapped_class(json)
        && loader.schema_of_class(class).is_some()
    {
        let loaded = load_wrapped(json, class, &loader.registry, settings)?;
        return store_wrapped(&loaded.value, class, &loader.registry, settings);
    }
    // Without a schema only the layout of the text changes.
    let Some(schema) = loader.schema_of(json) else { return Ok(json.clone()) };
    let loaded = load(json, &schema, None, &loader.registry, settings, None);
    if loaded.code.processing() != Processing::Completed {
        return Err(loaded.issues);
    }
    let stored = store(&loaded.value, &schema, None, &loader.registry, settings, None);
    if stored.code.processing() != Processing::Completed {
        return Err(stored.issues);
    }
    Ok(stored.json)
}

fn refuse(args: &ConvertArgs, issues: &[Issue]) -> Status {
    let name = Input::named(&args.path).name().into_owned();
    for issue in issues {
        complain(line_of(&name, issue));
    }
    Status::Findings
}
