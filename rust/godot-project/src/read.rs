//! Reads files in an untrusted folder: a name may be a pipe, a device or a file without end.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// At most this number of bytes of one file is read. A text of this size takes several gigabytes of
/// memory to check.
pub const MAX_FILE_SIZE: u64 = 512 << 20;

/// The content of the file at `path`.
///
/// All project files are read by this, or through [`crate::beneath`] if something is written. It neither waits for a pipe, nor
/// reads a device, nor a file that is larger than [`MAX_FILE_SIZE`].
///
/// # Errors
/// When it is not a regular file, is too large, or cannot be read.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_file_up_to(path, MAX_FILE_SIZE)
}

/// [`read_file`] with a limit of one's own.
///
/// # Errors
/// As [`read_file`].
pub fn read_file_up_to(path: &Path, max_size: u64) -> io::Result<Vec<u8>> {
    // To open some devices is to use them.
    expect_file(&fs::metadata(path)?)?;
    read_opened(open(path)?, max_size)
}

/// The content of an opened file, which need not be a regular one.
pub(crate) fn read_opened(file: File, max_size: u64) -> io::Result<Vec<u8>> {
    // The opened file may differ from the one that was checked.
    let metadata = file.metadata()?;
    expect_file(&metadata)?;
    let too_large = || {
        let reason = format!("has more than {max_size} bytes, the limit for one file");
        io::Error::new(ErrorKind::FileTooLarge, reason)
    };
    if metadata.len() > max_size {
        return Err(too_large());
    }
    // Files of `/proc` and the like have more in them than they say.
    let mut content = Vec::with_capacity(metadata.len() as usize);
    file.take(max_size + 1).read_to_end(&mut content)?;
    if content.len() as u64 > max_size { Err(too_large()) } else { Ok(content) }
}

/// The kind of a thing that is neither file, folder nor link.
pub(crate) fn special_kind(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_dir() { "a folder" } else { "something else" }
}

/// Refuses folders, devices and pipes.
///
/// # Errors
/// When it is not a file.
pub fn expect_file(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let reason = format!("is {}, not a file", special_kind(metadata.file_type()));
    Err(io::Error::new(ErrorKind::InvalidInput, reason))
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // A pipe would block its opener, and a terminal could become ours.
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::{read_file, read_file_up_to};

    #[test]
    fn files_of_all_sizes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        std::fs::write(&file, b"abc").unwrap();
        assert_eq!(read_file(&file).unwrap(), b"abc");
        assert_eq!(read_file_up_to(&file, 3).unwrap(), b"abc");
        let error = read_file_up_to(&file, 2).unwrap_err().to_string();
        assert_eq!(error, "has more than 2 bytes, the limit for one file");
        // It has no bytes on the disk.
        std::fs::File::create(&file).unwrap().set_len(1 << 40).unwrap();
        assert!(read_file(&file).unwrap_err().to_string().starts_with("has more than"));
        assert_eq!(read_file(folder.path()).unwrap_err().to_string(), "is a folder, not a file");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, socket, link) =
            (folder.path().join("pipe"), folder.path().join("socket"), folder.path().join("link"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        for (path, kind) in [(&pipe, "pipe"), (&socket, "socket"), (&link, "device")] {
            let error = read_file(path).unwrap_err().to_string();
            assert_eq!(error, format!("is a {kind}, not a file"));
        }
        // It says that it has no bytes.
        assert!(!read_file("/proc/self/status".as_ref()).unwrap().is_empty());
        assert!(read_file_up_to("/proc/self/status".as_ref(), 5).is_err());
    }
}
