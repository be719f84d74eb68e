//! Names of temporary files, by which the next run knows them.

use std::ffi::OsStr;
use std::io;

use tempfile::Builder;

/// The beginning and the end of the names of our temporary files.
const PREFIX: &str = ".gdscene-";
const SUFFIX: &str = ".tmp";
/// The number of letters and digits between them.
const RANDOM_LENGTH: usize = 10;

/// The names of temporary files. A file counts as left behind unless a process has locked it.
pub(crate) fn temporary_name() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM_LENGTH);
    builder
}

/// The name of a temporary file with these letters and digits in it, if they are as many as are in all of them.
pub fn temporary_name_of(random: &str) -> Option<String> {
    let name = format!("{PREFIX}{random}{SUFFIX}");
    is_name_of_ours(name.as_ref()).then_some(name)
}

/// The name of a temporary file, which cannot be guessed.
///
/// # Errors
/// When the system has no random numbers.
pub(crate) fn random_name() -> io::Result<String> {
    const DIGITS: u32 = 4 * RANDOM_LENGTH as u32;
    let random = getrandom::u64()? & ((1 << DIGITS) - 1);
    temporary_name_of(&format!("{random:0RANDOM_LENGTH$x}")).ok_or(io::ErrorKind::Other.into())
}

pub(crate) fn is_name_of_ours(name: &OsStr) -> bool {
    let name = name.to_str().unwrap_or_default();
    let random = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    random.is_some_and(|random| {
        random.len() == RANDOM_LENGTH && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}
