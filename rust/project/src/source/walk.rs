//! The walk through a project's folders, which ends whatever links they hold.
//!
//! A folder that a link leads to is looked into under the link's name, as Godot does, unless that leads round. But a few
//! folders with links to one another still make more paths than anybody can walk, so what is reached through links is
//! counted.

use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::{FoundFile, Listing, Skipped, nanoseconds};
use crate::read::special_kind;
use crate::res_path::from_relative;

/// So many entries of folders are looked at that are reached through links only.
const MAX_LINKED: usize = 100_000;

/// A folder that is to be looked into.
struct Open {
    /// From the project's folder.
    path: PathBuf,
    /// The real folders in which the links lie that lead here.
    through: Arc<[PathBuf]>,
}

/// What is in a folder.
#[derive(Default)]
struct Content {
    listing: Listing,
    folders: Vec<Open>,
    /// How many entries were looked at.
    count: usize,
}

/// The files below `root` that Godot's editor sees.
pub(super) fn list(root: &Path) -> io::Result<Listing> {
    let first = Open { path: PathBuf::new(), through: Arc::default() };
    let mut all = content(root, &first, usize::MAX)?;
    let mut listing = all.listing;
    let mut linked_left = MAX_LINKED;
    while !all.folders.is_empty() {
        let open = std::mem::take(&mut all.folders);
        let (own, mut linked): (Vec<Open>, Vec<Open>) =
            open.into_iter().partition(|open| open.through.is_empty());
        let mut found: Vec<Content> = own
            .par_iter()
            .map(|open| content(root, open, usize::MAX).unwrap_or_default())
            .collect();
        // Which are left out does not depend on the order in which the system names them.
        linked.sort_by(|one, other| one.path.cmp(&other.path));
        for open in &linked {
            if linked_left == 0 {
                let reason = format!("links lead to more than {MAX_LINKED} files and folders");
                listing.skipped.push(Skipped { path: from_relative(&open.path), reason });
                continue;
            }
            let content = content(root, open, linked_left).unwrap_or_default();
            linked_left = linked_left.saturating_sub(content.count.max(1));
            found.push(content);
        }
        for content in found {
            listing.files.extend(content.listing.files);
            listing.skipped.extend(content.listing.skipped);
            all.folders.extend(content.folders);
        }
    }
    Ok(listing)
}

/// What is in a folder, as far as it has no more than `max_count` entries.
fn content(root: &Path, open: &Open, max_count: usize) -> io::Result<Content> {
    let mut content = Content::default();
    let is_root = open.path.as_os_str().is_empty();
    for entry in fs::read_dir(root.join(&open.path))? {
        let Ok(entry) = entry else { continue };
        let name = entry.file_name();
        if !is_root && (name == ".gdignore" || name == "project.godot") {
            return Ok(Content::default());
        }
        if content.count == max_count {
            let reason = format!("links lead to more than {MAX_LINKED} files and folders");
            content.listing.skipped.push(Skipped { path: from_relative(&open.path), reason });
            break;
        }
        content.count += 1;
        if !name.as_encoded_bytes().starts_with(b".") {
            content.add(&entry, open);
        } else if name == ".gitignore" {
            content.skip_unless_file(&entry, open);
        }
    }
    Ok(content)
}

impl Content {
    fn add(&mut self, entry: &DirEntry, open: &Open) {
        let path = open.path.join(entry.file_name());
        let Ok(kind) = entry.file_type() else { return };
        let metadata =
            if kind.is_symlink() { fs::metadata(entry.path()) } else { entry.metadata() };
        // A link that leads nowhere stands for nothing.
        let Ok(metadata) = metadata else { return };
        if metadata.is_file() {
            self.add_file(&path, &metadata);
        } else if !metadata.is_dir() {
            let reason = format!("is {}, not a file", special_kind(metadata.file_type()));
            self.skip(&path, reason);
        } else if !kind.is_symlink() {
            self.folders.push(Open { path, through: Arc::clone(&open.through) });
        } else {
            match through(&entry.path(), open) {
                Some(through) => self.folders.push(Open { path, through }),
                None => self.skip(&path, "is a link to a folder that it lies in".to_owned()),
            }
        }
    }

    /// git would wait for a pipe of this name.
    fn skip_unless_file(&mut self, entry: &DirEntry, open: &Open) {
        if let Ok(kind) = entry.file_type()
            && !kind.is_file()
            && !kind.is_symlink()
        {
            let reason = format!("is {}, not a file", special_kind(kind));
            self.skip(&open.path.join(entry.file_name()), reason);
        }
    }

    fn add_file(&mut self, path: &Path, metadata: &Metadata) {
        self.listing.files.push(FoundFile {
            path: from_relative(path),
            size: metadata.len(),
            modified: nanoseconds(metadata.modified()),
        });
    }

    fn skip(&mut self, path: &Path, reason: String) {
        self.listing.skipped.push(Skipped { path: from_relative(path), reason });
    }
}

/// The real folders in which the links lie that lead to what is behind `link`; nothing if it leads round.
fn through(link: &Path, open: &Open) -> Option<Arc<[PathBuf]>> {
    let target = fs::canonicalize(link).ok()?;
    let place = fs::canonicalize(link.parent()?).ok()?;
    let mut through = open.through.to_vec();
    through.push(place);
    let leads_round = through.iter().any(|place| place.starts_with(&target));
    (!leads_round).then(|| through.into())
}
