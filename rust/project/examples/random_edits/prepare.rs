//! Puts scenes and resources of several projects into one.

use std::path::Path;

pub fn prepare(_project: &Path, _folders: &[&str]) {
    todo!()
}
