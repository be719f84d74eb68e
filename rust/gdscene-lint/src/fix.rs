//! Fixes that touch several files of a project, worked out in memory. Who writes them has to write all files of a
//! [`FixGroup`] or none.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use godot_project::{FileId, Project};
use godot_tscn::{Applicability, Diagnostic, Edit, EditSet, Fix, Severity};
use rayon::prelude::*;

/// Which fixes are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixChoice {
    /// The most daring ones.
    pub limit: Applicability,
    /// Those of findings that are less severe stay.
    pub least: Severity,
}

impl FixChoice {
    /// The fixes of all findings, up to `limit`.
    pub fn up_to(limit: Applicability) -> Self {
        Self { limit, least: Severity::Info }
    }

    /// Keeps the findings with fixes that may be applied.
    pub(crate) fn retain(self, found: &mut Vec<Diagnostic>) {
        found.retain(|found| found.severity >= self.least);
    }
}

/// Fixes that hang together, because they change the same files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixGroup {
    /// The titles of the fixes, each once.
    pub titles: BTreeSet<String>,
    /// How many fixes there are.
    pub fix_count: usize,
    /// The files that change, by path (`res://…`).
    pub files: BTreeMap<String, ChangedFile>,
}

/// A file that fixes change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its contents; nothing if it is a new file.
    pub before: Option<Arc<[u8]>>,
    /// Its new contents.
    pub after: Vec<u8>,
}

/// A fix can make others possible; after this number of rounds the rest is left.
const MAX_ROUNDS: usize = 16;

/// Applies, to the texts that `project` has of its files, those fixes that touch several of them, until none is left.
/// Fixes of one text alone are for [`godot_tscn::fix_by`].
///
/// `find` returns the findings in one text of the project; it is called for each of `files`, from several threads. Nothing
/// is written: the project holds the new texts as overlays ([`Project::set_overlay`]) until they are taken back.
///
/// # Errors
/// As [`Project::refresh`].
pub fn fix_across(
    project: &mut Project,
    files: &[String],
    limit: Applicability,
    find: &(impl Fn(&Project, &str, &[u8]) -> Vec<Diagnostic> + Sync),
) -> io::Result<Vec<FixGroup>> {
    let mut groups = Vec::new();
    for _ in 0..MAX_ROUNDS {
        project.prepare();
        let found = texts_with_fixes(project, files, limit, find);
        let mut round = Round::default();
        for (path, text, fixes) in &found {
            fixes.iter().for_each(|fix| round.add(path, text, fix));
        }
        if round.fixes.is_empty() {
            break;
        }
        let changed = round.changed();
        project.set_overlays(changed.iter().map(|(path, file)| (*path, Some(&*file.after))))?;
        for (fix, paths) in &round.fixes {
            merge(&mut groups, fix, paths, &changed);
        }
    }
    Ok(groups)
}

/// A text, and its fixes that touch other files too.
type FixedText = (String, Arc<[u8]>, Vec<Fix>);

fn texts_with_fixes(
    project: &Project,
    files: &[String],
    limit: Applicability,
    find: &(impl Fn(&Project, &str, &[u8]) -> Vec<Diagnostic> + Sync),
) -> Vec<FixedText> {
    let of_file = |path: &String| {
        let file: FileId = project.file(path)?;
        let text: Arc<[u8]> = project.read(file).ok()?.as_ref().into();
        let found = find(project, path, &text).into_iter().filter_map(|found| found.fix);
        let is_chosen = |fix: &Fix| fix.applicability <= limit && !fix.other_files().is_empty();
        let fixes: Vec<Fix> = found.filter(is_chosen).collect();
        (!fixes.is_empty()).then(|| (path.clone(), text, fixes))
    };
    files.par_iter().filter_map(of_file).collect()
}

/// The changes of a fix in one file.
#[derive(Clone, Copy)]
struct FileChange<'f> {
    path: &'f str,
    /// Nothing for a new file.
    text: Option<&'f Arc<[u8]>>,
    edits: &'f [Edit],
}

/// Fixes that can be applied at once.
#[derive(Default)]
struct Round<'f> {
    files: BTreeMap<&'f str, RoundFile<'f>>,
    /// Each with the paths that it changes.
    fixes: Vec<(&'f Fix, Vec<&'f str>)>,
}

struct RoundFile<'f> {
    text: Option<&'f Arc<[u8]>>,
    edits: EditSet<'f>,
}

impl<'f> Round<'f> {
    /// Adds a fix of a finding in the text at `path`, unless it conflicts with an earlier one.
    fn add(&mut self, path: &'f str, text: &'f Arc<[u8]>, fix: &'f Fix) {
        let own = FileChange { path, text: Some(text), edits: fix.edits() };
        let others = fix.other_files().iter();
        let others = others.map(|file| FileChange {
            path: &file.path,
            text: file.text(),
            edits: file.edits(),
        });
        let changes = std::iter::once(own).chain(others).filter(|change| !change.edits.is_empty());
        let changes: Vec<FileChange<'_>> = changes.collect();
        if !changes.iter().all(|change| self.takes(change)) {
            return;
        }
        for FileChange { path, text, edits } in &changes {
            let new = || RoundFile { text: *text, edits: EditSet::default() };
            self.files.entry(path).or_insert_with(new).edits.add(edits);
        }
        self.fixes.push((fix, changes.iter().map(|change| change.path).collect()));
    }

    fn takes(&self, change: &FileChange<'_>) -> bool {
        let known = self.files.get(change.path);
        known.is_none_or(|file| file.text == change.text && file.edits.takes(change.edits))
    }

    fn changed(&self) -> BTreeMap<&'f str, ChangedFile> {
        let change = |file: &RoundFile<'_>| ChangedFile {
            before: file.text.cloned(),
            after: file.edits.apply(file.text.map_or(&[], |text| text)),
        };
        self.files.iter().map(|(path, file)| (*path, change(file))).collect()
    }
}

/// Puts a fix into the group that changes one of its files, or makes it one with all that do.
fn merge(
    groups: &mut Vec<FixGroup>,
    fix: &Fix,
    paths: &[&str],
    changed: &BTreeMap<&str, ChangedFile>,
) {
    let hangs_together =
        |group: &mut FixGroup| paths.iter().any(|path| group.files.contains_key(*path));
    let mut merged = FixGroup::default();
    for group in groups.extract_if(.., hangs_together) {
        merged.titles.extend(group.titles);
        merged.fix_count += group.fix_count;
        merged.files.extend(group.files);
    }
    merged.titles.insert(fix.title.to_string());
    merged.fix_count += 1;
    for path in paths {
        let new = &changed[path];
        let file = merged.files.entry((*path).to_owned()).or_insert_with(|| new.clone());
        // The contents of a file before the first round count.
        file.after.clone_from(&new.after);
    }
    groups.push(merged);
}
