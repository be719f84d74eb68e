//! What a project's `gdscene.toml` says of the linter.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use project::{Config, ConfigError, Overrides};
use toml_edit::{Array, DocumentMut};

/// The codes of the rules that are off.
const IGNORE: &str = "ignore";

/// What was wrong with the file the last time.
static TOLD: Mutex<Option<String>> = Mutex::new(None);

/// The configuration of the project in the folder `root`. What is wrong with it is logged once; all rules are as usual then.
pub(crate) fn read(root: &Path) -> Config {
    let read = Config::of_project(root, &Overrides::default());
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    match read {
        Ok(config) => {
            *told = None;
            config
        }
        Err(error) => {
            let message = error.to_string();
            if told.as_ref() != Some(&message) {
                godot::global::godot_warn!("{message}");
                *told = Some(message);
            }
            Config::default()
        }
    }
}

/// What is wrong with the file.
pub(crate) fn error(root: &Path) -> Option<ConfigError> {
    Config::of_project(root, &Overrides::default()).err()
}

/// The text with one more code that is off; comments and order stay.
pub(crate) fn with_ignored_code(text: &str, code: &str) -> Result<String, String> {
    let mut document = text.parse::<DocumentMut>().map_err(|error| error.to_string())?;
    let list = document.entry(IGNORE).or_insert_with(|| Array::new().into());
    let list = list.as_array_mut().ok_or_else(|| format!("`{IGNORE}` is no list of codes"))?;
    if !list.iter().any(|listed| listed.as_str() == Some(code)) {
        list.push(code);
    }
    Ok(document.to_string())
}
