//! Puts scenes and resources of several projects into one.

use std::path::Path;

pub(crate) fn prepare(_project: &Path, _folders: &[&str]) {
    todo!()
}
