//! The data of a project's files from the last time, kept on disk.
//!
//! A file with unchanged size and time is not read. If only the time differs and not the content, nothing must be
//! computed again. The cache is never needed: one that cannot be read counts as empty.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use etcetera::BaseStrategy;
use hashbrown::HashMap;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::facts::FileFacts;
use crate::read::{expect_file, read_file};
use crate::source::{FoundFile, nanoseconds};
use crate::temporary::{remove_stale_files, temporary_new_file};

/// Changes whenever the kept data changes its shape or its meaning.
const FORMAT: &str = concat!("gdscene index 14, ", env!("CARGO_PKG_VERSION"), "\n");

/// A file that changed so shortly before the cache was written may change again within the same tick of the
/// file system's clock.
const CLOCK_TICK: Duration = Duration::from_secs(2);

/// A cache that was not written for so long is removed. If its project is still there, its files are read once more.
const KEPT_FOR: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// The place of the data that is kept until the next time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CachePlace {
    /// Nowhere.
    None,
    /// In the user's folder for caches: a check writes nothing to the project, because some people commit
    /// its `.godot`.
    #[default]
    Usual,
    /// In this file.
    At(PathBuf),
}

/// The kept data of one file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) found: FoundFile,
    pub(crate) hash: u64,
    pub(crate) facts: Arc<FileFacts>,
}

/// The hash by which contents are compared. It need not withstand anybody: who can write the cache can write the
/// project.
pub fn hash(content: &[u8]) -> u64 {
    rapidhash::v3::rapidhash_v3(content)
}

impl CachePlace {
    /// The file for the project in the folder `root`; the path has no links, if the file system reports them.
    pub(crate) fn file(&self, root: &Path) -> Option<PathBuf> {
        match self {
            Self::None => None,
            Self::At(file) => Some(file.clone()),
            Self::Usual => {
                let caches = etcetera::choose_base_strategy().ok()?.cache_dir();
                let name = hash(root.as_os_str().as_encoded_bytes());
                Some(caches.join("gdscene").join(format!("{name:016x}.bin")))
            }
        }
    }
}

/// Reads a cache.
pub(crate) fn load(file: &Path) -> HashMap<String, Kept> {
    // A link may lead to anything.
    if !fs::symlink_metadata(file).is_ok_and(|found| found.is_file()) {
        return HashMap::new();
    }
    let content = read_file(file).unwrap_or_default();
    let Some(mut rest) = content.strip_prefix(FORMAT.as_bytes()) else {
        return HashMap::new();
    };
    let mut chunks = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<8>() {
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let Some((chunk, after)) = after.split_at_checked(length) else { break };
        chunks.push(chunk);
        rest = after;
    }
    let lists: Vec<Vec<Kept>> =
        chunks.par_iter().map(|chunk| postcard::from_bytes(chunk).unwrap_or_default()).collect();
    let all = lists.into_iter().flatten();
    all.map(|kept| (kept.found.path.clone(), kept)).collect()
}

/// Writes a cache: all or nothing.
///
/// # Errors
/// The system's error, and when the path is not a file, such as a device for discarded caches.
pub(crate) fn save(file: &Path, kept: &mut [Kept]) -> io::Result<()> {
    match fs::metadata(file) {
        Ok(there) => expect_file(&there)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let now = SystemTime::now();
    let certain = nanoseconds(now.checked_sub(CLOCK_TICK).ok_or(io::ErrorKind::Other.into()));
    for kept in kept.iter_mut().filter(|kept| kept.found.modified >= certain) {
        kept.found.modified = 0;
    }
    let chunks: Vec<Vec<u8>> = kept
        .par_chunks(CHUNK)
        .map(|chunk| postcard::to_allocvec(chunk).map_err(io::Error::other))
        .collect::<io::Result<_>>()?;
    let mut content = FORMAT.as_bytes().to_vec();
    for chunk in chunks {
        content.extend_from_slice(&(chunk.len() as u64).to_le_bytes());
        content.extend_from_slice(&chunk);
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    clean(folder);
    // A link cannot be there, because the name is not known before.
    let mut new = temporary_new_file(folder)?;
    new.write_all(&content)?;
    new.persist(file)?;
    Ok(())
}

/// Removes temporary files of killed runs and old caches from a folder, once in the life of the process: it may check
/// hundreds of projects.
fn clean(folder: &Path) {
    static CLEANED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    let mut cleaned = CLEANED.lock().unwrap_or_else(PoisonError::into_inner);
    if cleaned.iter().any(|cleaned| cleaned == folder) {
        return;
    }
    remove_stale_files(folder);
    remove_unused(folder);
    cleaned.push(folder.to_owned());
}

/// Removes the caches of projects that were not changed and checked for long: they may be gone.
fn remove_unused(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_str().and_then(|name| name.strip_suffix(".bin")).unwrap_or_default();
        let is_ours = name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let age = || fs::symlink_metadata(entry.path()).ok()?.modified().ok()?.elapsed().ok();
        if is_ours && age().is_some_and(|age| age > KEPT_FOR) {
            // The next run may be able to.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// One thread decodes this number of files at a time.
const CHUNK: usize = 512;

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{FileTypeExt, symlink};

    use super::save;

    #[test]
    fn what_is_not_a_file_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        symlink("/dev/null", at("null")).unwrap();
        for name in ["pipe", "null"] {
            save(&at(name), &mut []).unwrap_err();
        }
        assert!(fs::symlink_metadata(at("pipe")).unwrap().file_type().is_fifo());
        assert!(at("null").is_symlink());
        save(&at("cache"), &mut []).unwrap();
        save(&at("cache"), &mut []).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left there");
    }
}
