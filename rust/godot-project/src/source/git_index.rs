//! The paths in git's index: a tracked file stays in it, even if patterns ignore others.
//!
//! The file is read without the program `git`, since each walk asks for it. A file that is not as git writes it lists
//! nothing. The shared part of a split index counts as a whole.

use std::path::Path;

use crate::read::read_file_up_to;

/// The index of the largest repositories is smaller.
const MAX_SIZE: u64 = 256 << 20;
/// Git itself refuses longer paths on most systems.
const MAX_PATH: usize = 4096;
/// All paths together may be longer than the file, which shortens them, by this factor at most.
const MAX_GROWTH: usize = 4;

/// The tracked paths of a repository.
#[derive(Debug, Default)]
pub(super) struct GitIndex {
    /// From the top folder, with `/`; in order.
    paths: Vec<Box<[u8]>>,
}

/// The content of an index.
struct Content {
    paths: Vec<Box<[u8]>>,
    /// The name of the file with the shared part of a split index.
    shared: Option<String>,
}

impl GitIndex {
    /// The index in the folder of git's files.
    pub(super) fn read(git_folder: &Path) -> Self {
        let Some(Content { mut paths, shared }) = Content::read(&git_folder.join("index")) else {
            return Self::default();
        };
        let shared = shared.and_then(|name| Content::read(&git_folder.join(name)));
        paths.extend(shared.into_iter().flat_map(|shared| shared.paths));
        paths.sort_unstable();
        Self { paths }
    }

    /// Whether git tracks the file at a path, which begins at the top folder.
    pub(super) fn has_file(&self, path: &[u8]) -> bool {
        self.paths.binary_search_by(|known| (**known).cmp(path)).is_ok()
    }

    /// Whether git tracks a file below a folder, or the folder as a submodule.
    pub(super) fn has_folder(&self, path: &[u8]) -> bool {
        let below = [path, b"/"].concat();
        let next = self.paths.partition_point(|known| **known < *below);
        self.has_file(path) || self.paths.get(next).is_some_and(|known| known.starts_with(&below))
    }
}

/// The name of the file with the shared part of a split index.
fn shared_name(extensions: &[u8], name_length: usize) -> Option<String> {
    let mut rest = extensions;
    while let Some((head, after)) = rest.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let content = after.get(..length)?;
        if head.starts_with(b"link") {
            let name: String =
                content.get(..name_length)?.iter().map(|byte| format!("{byte:02x}")).collect();
            return Some(format!("sharedindex.{name}"));
        }
        rest = &after[length..];
    }
    None
}

impl Content {
    fn read(file: &Path) -> Option<Self> {
        let bytes = read_file_up_to(file, MAX_SIZE).ok()?;
        // Only git's configuration says how long the names of objects are.
        Self::parse(&bytes, 20).or_else(|| Self::parse(&bytes, 32))
    }

    /// Nothing if the bytes are not an index in which names of objects have this length.
    fn parse(bytes: &[u8], name_length: usize) -> Option<Self> {
        let (head, mut rest) = bytes.split_first_chunk::<12>()?;
        let number =
            |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (version, count) = (number(4), number(8));
        if !head.starts_with(b"DIRC") || !(2..=4).contains(&version) {
            return None;
        }
        let mut room = bytes.len().saturating_mul(MAX_GROWTH);
        let (mut paths, mut last): (Vec<Box<[u8]>>, Vec<u8>) = (Vec::new(), Vec::new());
        for _ in 0..count {
            // Ten numbers of the file system, the object, and flags with the length of the path.
            let flags_at = 40 + name_length;
            let flags = u16::from_be_bytes([*rest.get(flags_at)?, *rest.get(flags_at + 1)?]);
            let is_extended = flags & 0x4000 != 0;
            let path_at = flags_at + if is_extended { 4 } else { 2 };
            let after = rest.get(path_at..)?;
            let after = if version == 4 { shortened(after, &mut last)? } else { after };
            let end = memchr::memchr(0, after).filter(|end| *end <= MAX_PATH)?;
            if version < 4 {
                last.clear();
            }
            last.extend_from_slice(&after[..end]);
            let length = usize::from(flags & 0x0FFF);
            if last.len() > MAX_PATH || last.len().min(0x0FFF) != length {
                return None;
            }
            room = room.checked_sub(last.len())?;
            // A split index has no path for entries that only differ from the shared part.
            if !last.is_empty() {
                paths.push(last.as_slice().into());
            }
            // Older versions fill up with 1 to 8 zeros.
            let used = if version == 4 { 1 } else { 8 - (path_at + end) % 8 };
            rest = after.get(end + used..)?;
        }
        Some(Self { paths, shared: shared_name(rest, name_length) })
    }
}

/// Removes the part of the last path that a path of version 4 does not share with it.
fn shortened<'b>(bytes: &'b [u8], last: &mut Vec<u8>) -> Option<&'b [u8]> {
    let mut removed = 0_usize;
    for (at, byte) in bytes.iter().take(4).enumerate() {
        removed = (removed << 7) | usize::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            last.truncate(last.len().checked_sub(removed)?);
            return Some(&bytes[at + 1..]);
        }
        removed += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use testkit::git::git;

    use super::{Content, GitIndex};

    /// A repository with odd paths, after git ran with these arguments.
    fn index_with(settings: &[&[&str]]) -> (tempfile::TempDir, GitIndex) {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        settings.iter().for_each(|arguments| drop(git(top, arguments)));
        let long = format!("long/{}/{}", "a".repeat(200), "b".repeat(200));
        for path in ["a.tscn", "levels/one.tscn", "levels/öne two.tscn", "levels-2/a", &long] {
            fs::create_dir_all(top.join(path).parent().unwrap()).unwrap();
            fs::write(top.join(path), "").unwrap();
        }
        git(top, &["add", "."]);
        fs::write(top.join("new.tscn"), "").unwrap();
        git(top, &["add", "--intent-to-add", "new.tscn"]);
        let index = GitIndex::read(&top.join(".git"));
        assert!(index.has_file(long.as_bytes()), "{settings:?}");
        (folder, index)
    }

    #[test]
    fn paths_of_all_versions() {
        let init: &[&str] = &["init", "--quiet"];
        let versions = [
            vec![init],
            vec![init, &["config", "index.version", "4"]],
            vec![&["init", "--quiet", "--object-format=sha256"][..]],
            vec![init, &["config", "core.splitIndex", "true"]],
        ];
        for settings in versions {
            let (_folder, index) = index_with(&settings);
            for path in
                ["a.tscn", "new.tscn", "levels/one.tscn", "levels/öne two.tscn", "levels-2/a"]
            {
                assert!(index.has_file(path.as_bytes()), "{settings:?}: {path}");
            }
            for path in ["a.tsc", "a.tscn2", "levels", "b.tscn", ""] {
                assert!(!index.has_file(path.as_bytes()), "{settings:?}: {path}");
            }
            assert!(index.has_folder(b"levels") && index.has_folder(b"long"), "{settings:?}");
            assert!(!index.has_folder(b"level") && !index.has_folder(b"gone"), "{settings:?}");
        }
    }

    #[test]
    fn broken_files_list_nothing() {
        let (folder, _) = index_with(&[&["init", "--quiet"], &["config", "index.version", "4"]]);
        let bytes = fs::read(folder.path().join(".git/index")).unwrap();
        let all = Content::parse(&bytes, 20).unwrap().paths.len();
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..2000 {
            let mut broken = bytes.clone();
            for _ in 0..random.usize(1..5) {
                broken[random.usize(..bytes.len())] = random.u8(..);
            }
            broken.truncate(random.usize(..=bytes.len()));
            if let Some(content) = Content::parse(&broken, 20) {
                assert!(content.paths.len() <= all.max(broken.len() / 62));
            }
        }
        assert!(GitIndex::read(Path::new("gone")).paths.is_empty());
    }
}
