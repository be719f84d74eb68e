//! Files that are written next to the one with the name that they take then, and the remaining ones of
//! killed runs.

use std::io;
use std::path::Path;
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::beneath::Beneath;
use crate::temporary_name::{is_name_of_ours, temporary_name};
use crate::write::located_folder;

/// A file that was made a moment ago may not be locked yet.
const MIN_AGE: Duration = Duration::from_secs(10);

/// A new file in `folder` with an unpredictable name. It is locked until it is closed, so that
/// [`remove_stale_files`] distinguishes it from remaining files of a killed run.
///
/// # Errors
/// When it cannot be made.
pub fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    locked(temporary_name().tempfile_in(folder)?)
}

/// [`temporary_file`], with the permissions that a new file has.
///
/// # Errors
/// When it cannot be made.
pub(crate) fn temporary_new_file(folder: &Path) -> io::Result<NamedTempFile> {
    #[cfg_attr(not(unix), allow(unused_mut))]
    let mut builder = temporary_name();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // less the umask
    locked(builder.tempfile_in(folder)?)
}

/// Removes the temporary files in `folder` that killed runs have left: those with one of our names and no lock.
/// Files that cannot be removed stay, and so do the targets of a link out of a project.
pub fn remove_stale_files(folder: &Path) {
    // The next run may be able to.
    let _ = remove_stale_files_in(folder);
}

fn remove_stale_files_in(folder: &Path) -> io::Result<()> {
    let (boundary, folder) = located_folder(folder)?;
    for name in boundary.names(&folder)? {
        let place = folder.join(&name);
        if is_name_of_ours(&name) && is_stale(&boundary, &place) {
            let _ = boundary.remove_file(&place);
        }
    }
    Ok(())
}

fn locked(file: NamedTempFile) -> io::Result<NamedTempFile> {
    // Not every file system has locks; there the file looks like a remaining one, which only matters to a parallel
    // run that takes longer than `MIN_AGE`.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// Whether the process that made the file is gone.
fn is_stale(folder: &Beneath, place: &Path) -> bool {
    let Ok(file) = folder.open_file(place) else { return false };
    let Ok(metadata) = file.metadata() else { return false };
    let age = metadata.modified().ok().and_then(|modified| modified.elapsed().ok());
    metadata.is_file() && age.is_some_and(|age| age >= MIN_AGE) && file.try_lock().is_ok()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::{Duration, SystemTime};

    use super::{remove_stale_files, temporary_file};

    #[test]
    fn what_a_killed_run_left() {
        let folder = tempfile::tempdir().unwrap();
        let hour_ago = SystemTime::now() - Duration::from_secs(3600);
        let make = |name: &str| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(hour_ago).unwrap();
        };
        let others = [".gdscene-short.tmp", ".gdscene-abcdefghi_.tmp", ".tmpabcdef", "a.tscn"];
        others.into_iter().for_each(make);
        make(".gdscene-abcdefghij.tmp");
        let kept = temporary_file(folder.path()).unwrap();
        kept.as_file().set_modified(hour_ago).unwrap();
        fs::write(folder.path().join(".gdscene-0123456789.tmp"), "just made").unwrap();
        fs::create_dir(folder.path().join(".gdscene-folder0000.tmp")).unwrap();
        remove_stale_files(folder.path());
        let mut left: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        let mut expected: Vec<String> = others.map(str::to_owned).into();
        expected.push(".gdscene-0123456789.tmp".to_owned());
        expected.push(".gdscene-folder0000.tmp".to_owned());
        expected.push(kept.path().file_name().unwrap().to_str().unwrap().to_owned());
        expected.sort();
        assert_eq!(left, expected);
        let path = kept.path().to_owned();
        // As if the process had been killed.
        let (file, path_kept) = kept.into_parts();
        std::mem::forget(path_kept);
        drop(file);
        remove_stale_files(folder.path());
        assert!(!path.exists());
    }
}
