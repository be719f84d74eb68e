//! Does the same as "open and save every file", without an engine, and lists the changes of a newer
//! version.

mod changes;
mod node_ids;
mod uids;

use std::borrow::Cow;
use std::sync::Arc;

use godot_project::res_path::FactsKind;
use godot_project::res_path::extension_of;
use godot_project::{FileId, Place, Plan, Project};
use godot_tscn::{Edit, FileEdits, FormatOptions, GodotVersion, Span};
use rayon::prelude::*;

use self::changes::Changes;
use self::node_ids::NodeIds;
use self::uids::Uids;
use crate::draft::{FileDraft, plan_of_drafts};
use crate::unused_inside::is_below;
use crate::{RefactorError, changed_lines};

/// A plan that writes the scenes and resources as the Godot of the version `target` saves them, for paths that start with
/// one of `starts`. It adds the data that this version adds when it opens and saves a project:
///
/// - uids in the headers of scenes and resources, and in `ext_resource` tags; wrong ones are put right;
/// - the `.uid` files of scripts, shaders and extensions, since Godot 4.4;
/// - the `unique_id` of nodes, since Godot 4.6;
/// - the layout, with or without `load_steps`, as [`godot_tscn::format`] does.
///
/// For the changes of the versions after `from` (by default the one in `project.godot`), new names are written, and all other
/// uses in the project are doubts. A complete file stays byte for byte. Files of Godot 3, files that Godot refuses, and
/// unreadable files are doubts.
///
/// # Errors
/// When the version is not one of Godot 4, or newer than all that are known, or a file is not valid UTF-8.
pub fn upgrade(
    project: &Project,
    from: Option<GodotVersion>,
    target: GodotVersion,
    starts: &[String],
) -> Result<Plan, RefactorError> {
    check_target(target)?;
    let is_meant =
        |file: &FileId| is_below(project.path(*file), starts) && !project.is_unchecked(*file);
    let files: Vec<FileId> = project.files().filter(is_meant).collect();
    // The format of an untried version is unknown.
    let written = target.min(GodotVersion::NEWEST_WITH_CLASSES);
    let uids = Uids::of(project, written, &files);
    let texts: Vec<FileId> =
        files.iter().copied().filter(|file| is_text(project.path(*file))).collect();
    let from = from.or(project.settings().version);
    let changes = from.map(|from| Changes::new(project, from, target));
    let upgraded = Upgraded {
        project,
        target: written,
        node_ids: (written >= GodotVersion::godot4(6)).then(|| NodeIds::of(project, &texts)),
        uids,
        changes,
    };
    let drafts: Result<Vec<FileDraft>, RefactorError> =
        texts.par_iter().map(|file| upgraded.draft(*file)).collect();
    let title = match written == target {
        true => format!("save the project in the form of Godot {target}"),
        false => format!("save the project in the form of Godot {written}, for Godot {target}"),
    };
    let mut plan = plan_of_drafts(title, drafts?);
    plan.files.extend(upgraded.uids.new_files().map(|(path, text)| FileEdits::create(path, text)));
    match &upgraded.changes {
        Some(changes) => changes.add_to(&mut plan, &files),
        None => plan.doubts.push(Place::of_file(SETTINGS, NO_VERSION)),
    }
    plan.put_in_order();
    Ok(plan)
}

const SETTINGS: &str = "res://project.godot";

const NO_VERSION: &str = "the project does not name its Godot version, so changes since then cannot be found; add --from";

fn check_target(target: GodotVersion) -> Result<(), RefactorError> {
    if target.major != 4 {
        return Err(RefactorError::Refused(format!(
            "only Godot 4 projects can be upgraded, not Godot {target} projects"
        )));
    }
    if target > GodotVersion::NEWEST {
        return Err(RefactorError::Refused(format!(
            "this version of gdscene does not know the changes of Godot {target}; expected 4.0 to {}",
            GodotVersion::NEWEST
        )));
    }
    Ok(())
}

/// Files of exporters, `.escn`, are not for people to change.
fn is_text(path: &str) -> bool {
    FactsKind::of(path) == FactsKind::Text && extension_of(path) != "escn"
}

/// The new data of the files of a project.
struct Upgraded<'p> {
    project: &'p Project,
    target: GodotVersion,
    uids: Uids,
    node_ids: Option<NodeIds>,
    changes: Option<Changes<'p>>,
}

impl Upgraded<'_> {
    fn draft(&self, file: FileId) -> Result<FileDraft, RefactorError> {
        match FileDraft::of(self.project, file) {
            Ok(mut draft) => {
                self.upgrade_text(file, &mut draft)?;
                Ok(draft)
            }
            Err(error) => {
                let path = self.project.path(file).to_owned();
                let mut draft = FileDraft::of_text(path, Vec::new());
                draft.doubt(Span::empty(0), error.to_string());
                Ok(draft)
            }
        }
    }

    fn upgrade_text(&self, file: FileId, draft: &mut FileDraft) -> Result<(), RefactorError> {
        let text = Arc::clone(&draft.text);
        let document = godot_tscn::parse(&text);
        let header = document.sections().next();
        let format = header
            .and_then(|header| header.field("format"))
            .map_or(Some(3), godot_tscn::Field::int);
        if !matches!(format, Some(3 | 4)) {
            draft.doubt(
                Span::empty(0),
                "this is a file of Godot 3; convert the whole project with `godot --convert-3to4` before the editor saves it, \
                 because a save loses the data that only Godot 3 had",
            );
            return Ok(());
        }
        if let Some(refusal) = godot_tscn::refusal(&document) {
            let why = format!(
                "Godot does not load the file ({}, line {}); repair it first",
                refusal.code, refusal.line
            );
            draft.doubt(Span::empty(0), why);
            return Ok(());
        }
        let with_ids = self.with_names_and_ids(file, &text, &document);
        let path = draft.path.clone();
        let mut options = FormatOptions::for_path(&path);
        options.target = Some(self.target);
        let after = match godot_tscn::format(&with_ids, &options) {
            Ok(formatted) => formatted.text,
            Err(refusal) => {
                draft.doubt(Span::empty(0), format!("the layout is unchanged: {refusal}"));
                Cow::Borrowed(&*with_ids)
            }
        };
        changed_lines::add(draft, &after, &what)
    }

    /// The text with new names, uids and ids of nodes.
    fn with_names_and_ids<'t>(
        &self,
        file: FileId,
        text: &'t Arc<[u8]>,
        document: &godot_tscn::Document<'_>,
    ) -> Cow<'t, [u8]> {
        let mut added: Vec<(Span, String)> = Vec::new();
        self.uids.edits(self.project, file, document, &mut added);
        if let Some(node_ids) = &self.node_ids {
            node_ids.edits(file, document, &mut added);
        }
        let mut edits: Vec<Edit> =
            added.into_iter().map(|(span, new)| Edit::replace(span, new)).collect();
        edits.extend(self.changes.iter().flat_map(|changes| changes.edits(file, document)));
        if edits.is_empty() {
            return Cow::Borrowed(text);
        }
        let path = self.project.path(file);
        Cow::Owned(FileEdits::new(path, Arc::clone(text), edits).new_text())
    }
}

/// The description of an edit, by its new lines.
fn what(before: &[u8], after: &str) -> Cow<'static, str> {
    let count = |text: &[u8], word: &str| memchr::memmem::find_iter(text, word).count();
    let is_more = |word: &str| count(after.as_bytes(), word) > count(before, word);
    let mut what: Vec<&str> = Vec::new();
    if is_more(" uid=\"uid://") {
        what.push("uid");
    } else if count(before, "uid://") > 0 && !after.contains("uid://") {
        what.push("wrong uid");
    }
    if is_more(" unique_id=") {
        what.push("unique_id");
    }
    if count(before, "load_steps=") > 0 && !after.contains("load_steps=") {
        what.push("load_steps");
    }
    match what.as_slice() {
        [] => "layout".into(),
        parts => parts.join(", ").into(),
    }
}

#[cfg(test)]
mod tests;
