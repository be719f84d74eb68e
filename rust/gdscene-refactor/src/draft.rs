//! The changes of a refactoring in one file, while it is planned.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use godot_project::{FileId, Place, Plan, Project};
use godot_tscn::{FileEdits, LineIndex, Span};
use rayon::prelude::*;

use crate::RefactorError;

/// The changes in a file, and the possible ones.
#[derive(Debug)]
pub(crate) struct FileDraft {
    pub(crate) path: String,
    pub(crate) text: Arc<[u8]>,
    /// The replacement at each place, and the reason. Two ways may lead to one place; they want the same
    /// there.
    pub(crate) edits: BTreeMap<Span, (String, Cow<'static, str>)>,
    pub(crate) doubts: BTreeMap<Span, Cow<'static, str>>,
}

impl FileDraft {
    /// Nothing is to change yet.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn of(project: &Project, file: FileId) -> Result<Self, RefactorError> {
        let text = read(project, file)?;
        let path = project.path(file).to_owned();
        Ok(Self::of_text(path, text.as_ref()))
    }

    pub(crate) fn of_text(path: String, text: impl Into<Arc<[u8]>>) -> Self {
        Self { path, text: text.into(), edits: BTreeMap::new(), doubts: BTreeMap::new() }
    }

    /// Replaces the text at `span` with `replacement`. `what` describes the text there:
    /// `value of the property`.
    pub(crate) fn edit(
        &mut self,
        span: Span,
        replacement: impl Into<String>,
        what: impl Into<Cow<'static, str>>,
    ) {
        let replacement = replacement.into();
        let known = self.edits.entry(span).or_insert_with(|| (replacement.clone(), what.into()));
        debug_assert_eq!(known.0, replacement, "two edits of one place in {}", self.path);
    }

    /// Notes that the text at `span` may have to change. `why` describes it and why it is
    /// uncertain.
    pub(crate) fn doubt(&mut self, span: Span, why: impl Into<Cow<'static, str>>) {
        self.doubts.entry(span).or_insert_with(|| why.into());
    }
}

/// A plan of the changes that `work` makes in each of `files`, on all cores.
///
/// # Errors
/// When a file cannot be read, or `work` fails.
pub(crate) fn plan_of_files(
    project: &Project,
    title: impl Into<String>,
    files: Vec<FileId>,
    work: impl Fn(FileId, &mut FileDraft) -> Result<(), RefactorError> + Sync,
) -> Result<Plan, RefactorError> {
    let drafts = files.into_par_iter().map(|file| {
        let mut draft = FileDraft::of(project, file)?;
        work(file, &mut draft)?;
        Ok(draft)
    });
    let drafts: Result<Vec<FileDraft>, RefactorError> = drafts.collect();
    Ok(plan_of_drafts(title, drafts?))
}

/// A plan of the changes that `work` makes in each of the `files` with `name`, on all cores.
///
/// # Errors
/// When a file cannot be read, or `work` fails.
pub(crate) fn plan_of_mentions(
    project: &Project,
    title: impl Into<String>,
    files: Vec<FileId>,
    name: &str,
    work: impl Fn(FileId, &mut FileDraft) -> Result<(), RefactorError> + Sync,
) -> Result<Plan, RefactorError> {
    let name = memchr::memmem::Finder::new(name);
    let drafts = files.into_par_iter().map(|file| {
        let text = read(project, file)?;
        if name.find(&text).is_none() {
            return Ok(None);
        }
        let mut draft = FileDraft::of_text(project.path(file).to_owned(), text.as_ref());
        work(file, &mut draft)?;
        Ok(Some(draft))
    });
    let drafts: Result<Vec<Option<FileDraft>>, RefactorError> = drafts.collect();
    Ok(plan_of_drafts(title, drafts?.into_iter().flatten()))
}

pub(crate) fn read(project: &Project, file: FileId) -> Result<Cow<'_, [u8]>, RefactorError> {
    let path = || project.path(file).to_owned();
    project.read(file).map_err(|source| RefactorError::Unreadable { path: path(), source })
}

/// A plan of the changes in each file.
pub(crate) fn plan_of_drafts(
    title: impl Into<String>,
    drafts: impl IntoIterator<Item = FileDraft>,
) -> Plan {
    let mut plan = Plan { title: title.into(), ..Plan::default() };
    for draft in drafts {
        add(&mut plan, draft);
    }
    plan.put_in_order();
    plan
}

/// Adds the changes in a file that is not yet in the plan.
fn add(plan: &mut Plan, draft: FileDraft) {
    let FileDraft { path, text, edits, doubts } = draft;
    if edits.is_empty() && doubts.is_empty() {
        return;
    }
    let lines = LineIndex::new(&text);
    let place = |span: Span, what: Cow<'static, str>| {
        let position = lines.position(span.start);
        Place { path: path.clone(), span, line: position.line, column: position.column, what }
    };
    // Two ways may lead to one place.
    let unique: BTreeMap<Span, (String, Cow<'static, str>)> = edits;
    plan.doubts.extend(
        doubts
            .into_iter()
            .filter(|(span, _)| !unique.contains_key(span))
            .map(|(span, what)| place(span, what)),
    );
    let mut changes = Vec::with_capacity(unique.len());
    for (span, (replacement, what)) in unique {
        if span.of(&text) == replacement.as_bytes() {
            continue;
        }
        plan.places.push(place(span, what));
        changes.push(godot_tscn::Edit::replace(span, replacement));
    }
    if !changes.is_empty() {
        plan.files.push(FileEdits::new(path.clone(), text, changes));
    }
}
