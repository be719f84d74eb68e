//! Proof that a journal was written by this user's gdscene.
//!
//! A journal says which files of a project get which content. A journal that came with a project, from an archive or a
//! repository, says anything its author wants. So each journal has a code (HMAC-SHA-256) that only the holder of a key
//! can make. The key is random and is kept in the user's folder for state, outside every project. The code also covers
//! the project's path, so a journal of one project proves nothing in another.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use etcetera::BaseStrategy;
use godot_project::read_file_up_to;
use godot_project::temporary::temporary_file;
use godot_project::write::real;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// How many bytes a code has.
pub(super) const CODE_SIZE: usize = 32;

/// The name of the file of the key.
const KEY_FILE: &str = "journal.key";
/// The block size of SHA-256, which is the longest key that HMAC uses as it is.
const KEY_SIZE: usize = 64;
type Key = [u8; KEY_SIZE];

/// Makes and checks the codes of one project's journals.
#[derive(Clone, Debug)]
pub(super) struct Seal<'r> {
    key: Key,
    root: &'r Path,
    /// Why the key is forgotten when the process ends.
    trouble: Option<String>,
}

impl<'r> Seal<'r> {
    /// The key of this user for the project in the folder `root`, a path without links.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub(super) fn of(root: &'r Path) -> io::Result<Self> {
        let (key, trouble) = match kept_key(root) {
            Ok(key) => (key, None),
            Err(reason) => (key_of_process()?, Some(reason)),
        };
        Ok(Self { key, root, trouble })
    }

    /// The code of a journal with this content.
    pub(super) fn code(&self, content: &[u8]) -> [u8; CODE_SIZE] {
        self.mac(content).finalize().into_bytes().into()
    }

    /// Whether the holder of the key made the code for this content.
    pub(super) fn proves(&self, content: &[u8], code: &[u8; CODE_SIZE]) -> bool {
        self.mac(content).verify(code.into()).is_ok()
    }

    /// Why later processes cannot use a journal of this one, if they cannot.
    pub(super) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    fn mac(&self, content: &[u8]) -> Hmac<Sha256> {
        let root = self.root.as_os_str().as_encoded_bytes();
        let mut mac = Hmac::<Sha256>::new(&self.key.into());
        mac.update(&(root.len() as u64).to_le_bytes());
        mac.update(root);
        mac.update(content);
        mac
    }
}

/// The user's key, which is made when it is first needed.
fn kept_key(root: &Path) -> Result<Key, String> {
    let folder = state_folder().ok_or("the user has no home folder")?;
    let failed = |error: io::Error| format!("`{}`: {error}", folder.display());
    // A user who can write the project could write the key.
    if real(&folder).map_err(failed)?.starts_with(root) {
        return Err(format!("`{}` is inside the project", folder.display()));
    }
    fs::create_dir_all(&folder).map_err(failed)?;
    let file = folder.join(KEY_FILE);
    match read_key(&file) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make_key(&file).and_then(|()| read_key(&file)).map_err(failed)
        }
        key => key.map_err(|error| format!("`{}`: {error}", file.display())),
    }
}

/// The folder for data that the user's programs need again, and that is not for other machines.
fn state_folder() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.state_dir().unwrap_or_else(|| folders.cache_dir()).join("gdscene"))
}

fn read_key(file: &Path) -> io::Result<Key> {
    let key = read_file_up_to(file, KEY_SIZE as u64)?;
    if is_shared(file)? {
        let reason = "other users can read or write it; remove it";
        return Err(io::Error::new(ErrorKind::PermissionDenied, reason));
    }
    let reason = "is not a gdscene key; remove it";
    key.try_into().map_err(|_| io::Error::new(ErrorKind::InvalidData, reason))
}

#[cfg(unix)]
fn is_shared(file: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(file)?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_shared(_: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Makes the file of the key, unless another process is faster.
fn make_key(file: &Path) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut new = temporary_file(folder)?;
    new.write_all(&random()?)?;
    new.as_file().sync_all()?;
    match new.persist_noclobber(file) {
        Err(error) if error.error.kind() != ErrorKind::AlreadyExists => Err(error.error),
        _ => Ok(()),
    }
}

/// The substitute for the user's key if that cannot be kept.
fn key_of_process() -> io::Result<Key> {
    static KEY: OnceLock<Key> = OnceLock::new();
    if let Some(key) = KEY.get() {
        return Ok(*key);
    }
    let new = random()?;
    Ok(*KEY.get_or_init(|| new))
}

fn random() -> io::Result<Key> {
    let mut key = [0; KEY_SIZE];
    getrandom::fill(&mut key)?;
    Ok(key)
}
