//! What the files of a project told last time, kept on disk.
//!
//! A file whose size and time of change are as they were is not read. Of one whose time differs but whose content does
//! not, nothing has to be worked out again. The cache is never needed: one that cannot be read counts as empty.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use etcetera::BaseStrategy;
use hashbrown::HashMap;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::facts::FileFacts;
use crate::read::read_file;
use crate::source::{FoundFile, nanoseconds};
use crate::temporary::{remove_stale_files, temporary_new_file};

/// Changes whenever what is kept changes its shape or its meaning.
const FORMAT: &str = concat!("gdscene index 3, ", env!("CARGO_PKG_VERSION"), "\n");

/// A file that changed so shortly before the cache was written may change again within the same tick of the
/// file system's clock.
const CLOCK_TICK: Duration = Duration::from_secs(2);

/// Where what the files told is kept until the next time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CachePlace {
    /// Nowhere.
    None,
    /// In the project's `.godot` folder, if there is one that is no link, else in the user's folder for caches.
    #[default]
    Usual,
    /// In this file.
    At(PathBuf),
}

/// What is kept of one file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) found: FoundFile,
    pub(crate) hash: u64,
    pub(crate) facts: Arc<FileFacts>,
}

/// The hash by which contents are compared. It need not withstand anybody: who can write the cache can write the
/// project.
pub(crate) fn hash(content: &[u8]) -> u64 {
    rapidhash::v3::rapidhash_v3(content)
}

impl CachePlace {
    /// The file for the project in the folder `root`.
    pub fn file(&self, root: &Path) -> Option<PathBuf> {
        match self {
            Self::None => None,
            Self::At(file) => Some(file.clone()),
            Self::Usual => {
                let own = root.join(".godot");
                if is_real(&own, fs::FileType::is_dir) {
                    return Some(own.join("gdscene_index.bin"));
                }
                let root = fs::canonicalize(root).ok()?;
                let caches = etcetera::choose_base_strategy().ok()?.cache_dir();
                let name = hash(root.as_os_str().as_encoded_bytes());
                Some(caches.join("gdscene").join(format!("{name:016x}.bin")))
            }
        }
    }
}

/// Reads a cache.
pub(crate) fn load(file: &Path) -> HashMap<String, Kept> {
    if !is_real(file, fs::FileType::is_file) {
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
pub(crate) fn save(file: &Path, kept: &mut [Kept]) -> io::Result<()> {
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
    remove_stale_files(folder);
    // Nobody can have put a link there: its name is not known before.
    let mut new = temporary_new_file(folder)?;
    new.write_all(&content)?;
    new.persist(file)?;
    Ok(())
}

/// Whether there is something of this kind, and not a link that leads to it.
fn is_real(path: &Path, is_kind: impl FnOnce(&fs::FileType) -> bool) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| is_kind(&metadata.file_type()))
}

/// So many files are decoded by one thread at a time.
const CHUNK: usize = 512;
