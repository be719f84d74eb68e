//! Looking at the files: the first time, and whenever they may have changed.

use std::cmp::Reverse;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashbrown::HashSet;
use rayon::prelude::*;

use super::scan_order::scan_key;
use super::{File, FileId, Project};
use crate::Uid;
use crate::cache::{self, Kept};
use crate::facts::FileFacts;
use crate::res_path::FactsKind;
use crate::settings::{ProjectSettings, lossy, script_classes};
use crate::source::{FoundFile, Listing};
use crate::uid_cache;

impl Project {
    /// The text of [`Project::set_overlay`] for the file at `path`.
    pub fn overlay(&self, path: &str) -> Option<&[u8]> {
        self.overlays.get(path).map(AsRef::as_ref)
    }

    /// Replaces the content of the file at `path` (`res://…`), which may be a new one, by `text`, until
    /// it is removed by `None`: an editor's unsaved text.
    ///
    /// # Errors
    /// As [`Project::refresh`].
    pub fn set_overlay(&mut self, path: &str, text: Option<&[u8]>) -> io::Result<()> {
        self.set_overlays([(path, text)])
    }

    /// [`Project::set_overlay`] for several files at once.
    ///
    /// # Errors
    /// As [`Project::refresh`].
    pub fn set_overlays<'o>(
        &mut self,
        overlays: impl IntoIterator<Item = (&'o str, Option<&'o [u8]>)>,
    ) -> io::Result<()> {
        let mut all_are_known = true;
        for (path, text) in overlays {
            match (text, self.file(path)) {
                (Some(text), Some(file)) => {
                    let file = &mut self.files[file.0 as usize];
                    file.facts = Arc::new(FileFacts::read(path, text));
                    // Without one the facts are not taken for those of the file on disk.
                    file.hash = 0;
                }
                _ => all_are_known = false,
            }
            match text {
                Some(text) => _ = self.overlays.insert(path.to_owned(), text.into()),
                None => _ = self.overlays.remove(path),
            }
        }
        if all_are_known {
            self.index();
            return Ok(());
        }
        self.refresh()
    }

    /// Looks at the files again. Only changed files are read.
    ///
    /// # Errors
    /// When the files cannot be listed.
    pub fn refresh(&mut self) -> io::Result<()> {
        let listing = self.source.list()?;
        self.take(listing);
        Ok(())
    }

    /// Lets these be the files. Only changed files are read.
    pub(super) fn take(&mut self, listing: Listing) {
        let Listing { files: mut found, mut skipped, unchecked, folder, repository } = listing;
        self.repository = folder.zip(repository);
        skipped.sort_unstable();
        self.skipped = skipped;
        self.unchecked = unchecked;
        for path in self.overlays.keys() {
            if !found.iter().any(|found| found.path == *path) {
                found.push(FoundFile { path: path.clone(), size: 0, modified: 0 });
            }
        }
        found.par_sort_unstable_by(|left, right| left.path.cmp(&right.path));
        found.dedup_by(|left, right| left.path == right.path);
        let read_count = AtomicUsize::new(0);
        let files = found.into_par_iter().map(|found| self.file_of(found, &read_count)).collect();
        self.files = files;
        self.read_count = read_count.into_inner();
        self.read_settings();
        self.index();
    }

    /// How many files [`Project::open_with_cache`] or the last [`Project::refresh`] had to read.
    pub fn read_count(&self) -> usize {
        self.read_count
    }

    fn file_of(&self, found: FoundFile, read_count: &AtomicUsize) -> File {
        let (hash, facts) = self.facts_of(&found, read_count);
        File { found, hash, facts, sidecar: None, uid: None }
    }

    /// The facts of a file, and the hash of its content: the known ones, if it has not changed.
    fn facts_of(&self, found: &FoundFile, read_count: &AtomicUsize) -> (u64, Arc<FileFacts>) {
        if let Some(text) = self.overlays.get(&found.path) {
            return (0, Arc::new(FileFacts::read(&found.path, text)));
        }
        if FactsKind::of(&found.path) == FactsKind::None {
            return (0, Arc::clone(&self.unknown));
        }
        let old = self.file(&found.path).map(|file| self.get(file));
        let kept = self.kept.get(&found.path);
        // Without a hash the facts are those of an unsaved text.
        let old = old.filter(|old| old.hash != 0);
        let known = old.map(|old| (&old.found, old.hash, &old.facts));
        let known = known.or(kept.map(|kept| (&kept.found, kept.hash, &kept.facts)));
        let is_unchanged = |old: &FoundFile| old == found && found.modified != 0;
        if let Some((_, hash, facts)) = known.filter(|(old, ..)| is_unchanged(old)) {
            return (hash, Arc::clone(facts));
        }
        read_count.fetch_add(1, Ordering::Relaxed);
        let Ok(content) = self.source.read(&found.path) else {
            return (0, Arc::clone(&self.unknown));
        };
        let hash = cache::hash(&content);
        match known {
            Some((_, known_hash, facts)) if known_hash == hash => (hash, Arc::clone(facts)),
            _ => (hash, Arc::new(FileFacts::read(&found.path, &content))),
        }
    }

    /// The files with facts that were read, now or before.
    pub(super) fn read_files(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.hash != 0)
    }

    /// The contents of a cache.
    pub(super) fn all_kept(&self) -> Vec<Kept> {
        let kept = |file: &File| Kept {
            found: file.found.clone(),
            hash: file.hash,
            facts: Arc::clone(&file.facts),
        };
        self.read_files().map(kept).collect()
    }

    fn read_settings(&mut self) {
        let read = |path: &str| self.source.read(path).unwrap_or_default();
        self.settings = ProjectSettings::parse(&read("res://project.godot"));
        let cache = read("res://.godot/global_script_class_cache.cfg");
        let mut classes = script_classes(&godot_tscn::parse_config(&cache), "", "list");
        classes.extend(self.settings.script_classes.iter().cloned());
        self.script_classes = classes;
    }

    /// Computes the data that follow from the files.
    pub(super) fn index(&mut self) {
        self.forget_derived();
        self.by_path.clear();
        self.by_uid.clear();
        for (index, file) in self.files.iter().enumerate() {
            let id = FileId(index as u32);
            self.by_path.insert(file.found.path.clone(), id);
        }
        let mut name = String::new();
        for index in 0..self.files.len() {
            let path = &self.files[index].found.path;
            let beside = |end: &str| {
                name.clear();
                name.push_str(path);
                name.push_str(end);
                self.file(&name)
            };
            // Godot ignores a `.uid` file next to a text scene or resource, which has its uid in its
            // header.
            let has_header = FactsKind::of(path) == FactsKind::Text;
            let ends: &[&str] = if has_header { &[".import"] } else { &[".import", ".uid"] };
            let sidecar = ends.iter().copied().find_map(beside);
            let sidecar = sidecar.map(|file| Arc::clone(self.facts(file)));
            let file = &mut self.files[index];
            let is_sidecar =
                matches!(FactsKind::of(&file.found.path), FactsKind::Import | FactsKind::Uid);
            file.uid = match &sidecar {
                Some(sidecar) => sidecar.uid,
                None if is_sidecar => None,
                None => file.facts.uid,
            };
            file.sidecar = sidecar;
            if let Some(uid) = file.uid {
                self.by_uid.entry(uid).or_default().push(FileId(index as u32));
            }
        }
        self.add_cached_uids();
        // The last file that Godot scans takes the uid.
        for files in self.by_uid.values_mut().filter(|files| files.len() > 1) {
            let path = |file: FileId| &*self.files[file.index()].found.path;
            files.sort_by_cached_key(|file| Reverse(scan_key(path(*file))));
        }
    }

    /// The uids in Godot's own cache of files that are there.
    pub fn uids_in_cache(&self) -> HashSet<Uid> {
        let cache = self.source.read("res://.godot/uid_cache.bin").unwrap_or_default();
        let is_there = |path: &[u8]| self.file(&lossy(path)).is_some();
        uid_cache::entries(&cache).filter(|(_, path)| is_there(path)).map(|(uid, _)| uid).collect()
    }

    /// Godot's own cache gives the uids that are in no file: those of compressed binary resources.
    fn add_cached_uids(&mut self) {
        let Ok(cache) = self.source.read("res://.godot/uid_cache.bin") else {
            return;
        };
        for (uid, path) in uid_cache::entries(&cache) {
            let Some(file) = self.file(&lossy(path)) else { continue };
            let entry = &mut self.files[file.0 as usize];
            let is_unreadable = entry.sidecar.is_none()
                && entry.facts.is_incomplete
                && FactsKind::of(&entry.found.path) != FactsKind::Text;
            if entry.uid.is_none() && is_unreadable && !self.by_uid.contains_key(&uid) {
                entry.uid = Some(uid);
                self.by_uid.insert(uid, vec![file]);
            }
        }
    }
}
