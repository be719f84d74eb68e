//! A file that git could not merge, as the index has it.

use std::path::Path;

use super::Git;
use super::committed::repository_of;

/// The versions of a file in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmerged {
    /// The common base, ours and theirs. A side without this file is empty.
    Sides([Option<Vec<u8>>; 3]),
    /// No sides: the file was merged, or `git add` has settled it, or git does not know it.
    Nothing,
    /// The file is not in a repository.
    NoRepository,
}

/// The sides of a file that git could not merge. Takes at most the time limit of git, so do not call it from the main thread.
///
/// # Errors
/// When git fails, or is not installed.
pub fn unmerged(file: &Path) -> Result<Unmerged, String> {
    let Some((git, path)) = repository_of(file)? else { return Ok(Unmerged::NoRepository) };
    let blobs = git.unmerged_blobs(&path)?;
    if blobs.iter().all(Option::is_none) {
        return Ok(Unmerged::Nothing);
    }
    let mut sides = [const { None }; 3];
    for (side, blob) in sides.iter_mut().zip(blobs) {
        *side = blob.map(|blob| git.blob(&blob)).transpose()?;
    }
    Ok(Unmerged::Sides(sides))
}

impl Git {
    /// The blobs of base, ours and theirs of the file at `path`, from the top folder.
    fn unmerged_blobs(&self, path: &str) -> Result<[Option<String>; 3], String> {
        let asked = ["--literal-pathspecs", "ls-files", "--unmerged", "-z", "--", path];
        let entries = self.in_own(&self.top, &asked)?;
        let mut blobs = [const { None }; 3];
        for entry in entries.split(|byte| *byte == 0) {
            // Mode, object and stage, a tab, and the path.
            let about = entry.split(|byte| *byte == b'\t').next().unwrap_or_default();
            let about = String::from_utf8_lossy(about);
            let words: Vec<&str> = about.split(' ').collect();
            let [mode, blob, stage] = words[..] else { continue };
            let place = stage.parse::<usize>().ok().and_then(|stage| stage.checked_sub(1));
            // Neither links nor submodules.
            if let Some(side) = place.and_then(|place| blobs.get_mut(place))
                && mode.starts_with("100")
            {
                *side = Some(blob.to_owned());
            }
        }
        Ok(blobs)
    }
}
