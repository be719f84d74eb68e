//! Files that are there as a whole or not at all, whenever the process or the machine dies.
//!
//! The bytes go into a new file in the same folder, reach the disk, and then take the name. Where a process is killed in
//! between, the new file is left; a later write of the same file removes it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{Builder, NamedTempFile};

/// What ends the names of files that are being written.
const SUFFIX: &str = ".tmp";
/// Files that are older are no longer being written.
const OLD: Duration = Duration::from_secs(3600);

/// Writes `parts`, one after the other, to the file at `path`, in the place of what is there. With `backup`, the file that
/// was there is found under that name afterwards, which must be in the same folder.
///
/// # Errors
/// What the system says, and when one of the two is there and is not a regular file, but a pipe or a device. Then all is as
/// it was.
pub fn write(path: &Path, parts: &[&[u8]], backup: Option<&Path>) -> io::Result<()> {
    let path = &followed(path)?;
    let before = regular(path)?;
    if before.as_ref().is_some_and(|before| before.permissions().readonly()) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    backup.map_or(Ok(None), regular)?;
    let (folder, prefix) = (folder_of(path), prefix_of(path));
    remove_old(folder, &prefix);
    let mut file = new_file(folder, &prefix, before.as_ref())?;
    for part in parts {
        file.write_all(part)?;
    }
    file.as_file().sync_all()?;
    if let (Some(backup), Some(_)) = (backup, before) {
        keep(path, backup, folder, &prefix)?;
    }
    file.persist(path).map_err(|error| error.error)?;
    sync_names(folder);
    Ok(())
}

/// Where a link leads to: what it names is replaced, not the link.
fn followed(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => fs::canonicalize(path),
        _ => Ok(path.to_owned()),
    }
}

/// What is known of the regular file at `path`; nothing if none is there.
fn regular(path: &Path) -> io::Result<Option<fs::Metadata>> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(Some(found)),
        Ok(_) => {
            let name = path.file_name().unwrap_or_default().display();
            Err(io::Error::other(format!("`{name}` is not a regular file")))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// What the names of the files begin with that are to become the one at `path`: Godot does not look at such.
fn prefix_of(path: &Path) -> String {
    format!(".{}.", path.file_name().unwrap_or_default().to_string_lossy())
}

/// A new file with the rights of the one before, or those that new files have.
fn new_file(
    folder: &Path,
    prefix: &str,
    before: Option<&fs::Metadata>,
) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(prefix).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder)?;
    #[cfg(unix)]
    if let Some(before) = before {
        file.as_file().set_permissions(before.permissions())?;
    }
    let _ = before;
    Ok(file)
}

/// Gives the file at `path` the second name `backup`, at no moment of which there is none.
fn keep(path: &Path, backup: &Path, folder: &Path, prefix: &str) -> io::Result<()> {
    // A name that nobody else has, and no file.
    let name = new_file(folder, prefix, None)?.into_temp_path();
    fs::remove_file(&name)?;
    // Not all file systems have links.
    if fs::hard_link(path, &name).is_err() {
        let mut copy = File::create_new(&name)?;
        copy.write_all(&fs::read(path)?)?;
        copy.sync_all()?;
    }
    // Nothing is renamed if both are one file already; then dropping the name removes it.
    fs::rename(&name, backup)
}

/// Removes what processes have left that were killed.
fn remove_old(folder: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_ours = name.starts_with(prefix) && name.ends_with(SUFFIX);
        if is_ours && is_old(&entry) {
            // Another process may have been faster.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_old(entry: &fs::DirEntry) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age > OLD))
}

/// Lets the new names reach the disk. Systems without a way to do that keep the order of renames.
fn sync_names(folder: &Path) {
    if cfg!(unix)
        && let Ok(folder) = File::open(folder)
    {
        // Some file systems cannot; the file itself is whole.
        let _ = folder.sync_all();
    }
}

// Files are not Miri's.
#[cfg(all(test, not(miri)))]
mod tests {
    use std::env;
    use std::process::{Command, Stdio};
    use std::thread::sleep;

    use super::*;

    /// The names in a folder, sorted.
    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<_> =
            names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn parts_follow_each_other_and_replace_what_was_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("save.bin");
        write(&path, &[b"one", b"", b" two"], None).expect("is written");
        assert_eq!(fs::read(&path).expect("is there"), b"one two");
        write(&path, &[b"3"], None).expect("is written");
        assert_eq!(fs::read(&path).expect("is there"), b"3");
        assert_eq!(names(folder.path()), ["save.bin"]);
    }

    #[test]
    fn the_file_before_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, backup) = (folder.path().join("save.bin"), folder.path().join("save.bin.bak"));
        for (number, before) in [(1, None), (2, Some("1")), (3, Some("2"))] {
            write(&path, &[number.to_string().as_bytes()], Some(&backup)).expect("is written");
            assert_eq!(fs::read_to_string(&backup).ok().as_deref(), before);
        }
        // As a process leaves it that is killed between the two.
        fs::remove_file(&backup).expect("is there");
        fs::hard_link(&path, &backup).expect("a link");
        write(&path, &[b"4"], Some(&backup)).expect("is written");
        assert_eq!(fs::read(&backup).expect("is there"), b"3");
        assert_eq!(names(folder.path()), ["save.bin", "save.bin.bak"]);
    }

    #[test]
    fn what_cannot_be_written_leaves_what_was_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("save.bin");
        assert!(write(&folder.path().join("missing/save.bin"), &[b"x"], None).is_err());
        assert!(write(folder.path(), &[b"x"], None).is_err(), "a folder");
        fs::write(&path, "old").expect("is written");
        let mut permissions = fs::metadata(&path).expect("is there").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).expect("are set");
        let error = write(&path, &[b"new"], None).expect_err("it is read-only");
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(fs::read(&path).expect("is there"), b"old");
        assert_eq!(names(folder.path()), ["save.bin"]);
    }

    #[cfg(unix)]
    #[test]
    fn rights_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("save.bin"), folder.path().join("link.bin"));
        fs::write(&path, "old").expect("is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("are set");
        symlink(&path, &link).expect("a link");
        write(&link, &[b"new"], None).expect("is written");
        assert_eq!(fs::read(&path).expect("is there"), b"new");
        assert!(fs::symlink_metadata(&link).expect("is there").is_symlink());
        assert_eq!(fs::metadata(&path).expect("is there").permissions().mode() & 0o777, 0o640);
    }

    /// A pipe would become a file, and so would a device for an administrator.
    #[cfg(unix)]
    #[test]
    fn what_is_not_a_regular_file_stays() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let made = Command::new("mkfifo").arg(at("pipe")).status().expect("mkfifo runs");
        assert!(made.success());
        symlink("pipe", at("link")).expect("a link");
        symlink("/dev/null", at("null")).expect("a link");
        fs::create_dir(at("folder")).expect("a folder");
        fs::write(at("save.bin"), "old").expect("is written");
        for name in ["pipe", "link", "null", "folder"] {
            for (path, backup) in [(at(name), None), (at("save.bin"), Some(at(name)))] {
                let error = write(&path, &[b"new"], backup.as_deref()).expect_err("is refused");
                assert!(error.to_string().ends_with("is not a regular file"), "{error}");
            }
        }
        let kind = |name: &str| fs::symlink_metadata(at(name)).expect("is there").file_type();
        assert!(kind("pipe").is_fifo() && kind("link").is_symlink() && kind("null").is_symlink());
        assert_eq!(fs::read(at("save.bin")).expect("is there"), b"old");
        assert_eq!(names(folder.path()), ["folder", "link", "null", "pipe", "save.bin"]);
    }

    #[test]
    fn what_was_left_is_removed_when_it_is_old() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("save.bin");
        for (name, hours) in
            [(".save.bin.a.tmp", 2), (".save.bin.b.tmp", 0), (".other.bin.a.tmp", 2)]
        {
            let file = File::create(folder.path().join(name)).expect("is made");
            let then = std::time::SystemTime::now() - hours * OLD;
            file.set_modified(then).expect("is set");
        }
        write(&path, &[b"x"], None).expect("is written");
        assert_eq!(names(folder.path()), [".other.bin.a.tmp", ".save.bin.b.tmp", "save.bin"]);
    }

    /// The file that the process of [`saves_for_ever`] writes.
    const FILE: &str = "FAST_VARIANT_TEST_FILE";
    const LEN: usize = 200_000;

    /// Not a test by itself: what the next test runs in a process of its own, and kills.
    #[test]
    fn saves_for_ever() {
        let Some(path) = env::var_os(FILE).map(PathBuf::from) else { return };
        let backup = path.with_extension("bak");
        for byte in (0..=u8::MAX).cycle() {
            write(&path, &[&[byte; LEN]], Some(&backup)).expect("is written");
        }
    }

    #[test]
    fn a_process_that_is_killed_leaves_a_whole_file() {
        const ROUNDS: u32 = 40;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("save.bin");
        let is_whole = |path: &Path| {
            let bytes = fs::read(path).expect("is there");
            bytes.len() == LEN && bytes.iter().all(|&byte| byte == bytes[0])
        };
        for round in 0..ROUNDS {
            let mut child = Command::new(env::current_exe().expect("this program"))
                .args(["--exact", "whole_file::tests::saves_for_ever"])
                .env(FILE, &path)
                .stdout(Stdio::null())
                .spawn()
                .expect("a process");
            let backup = path.with_extension("bak");
            while !backup.exists() {
                let ended = child.try_wait().expect("its state");
                assert_eq!(ended, None, "the process that saves ended by itself");
                sleep(Duration::from_millis(1));
            }
            // Another moment of its work each time.
            sleep(Duration::from_micros(u64::from(round) * 437));
            child.kill().expect("it runs");
            child.wait().expect("it has ended");
            assert!(is_whole(&path) && is_whole(&backup), "round {round}");
        }
    }
}
