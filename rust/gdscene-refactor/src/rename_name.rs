//! A new name for an input action, a group or an audio bus: names that scripts and scenes pass as text.

mod scenes;
mod settings;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use godot_project::names::{KindOfName, NameKind, names_in_script};
use godot_project::res_path::{extension_of, is_gdscript};
use godot_project::script::source::ScriptSource;
use godot_project::{Plan, Project};
use godot_tscn::{Span, is_config_path};

use crate::RefactorError;
use crate::draft::{FileDraft, plan_of_mentions};
use crate::rename_member::{files_with_code, quoted_in_csharp};

/// The kinds of names that can be renamed. Animations and shader parameters belong to one object each, and metadata to any.
pub const RENAMED_KINDS: &[KindOfName] = &[KindOfName::Action, KindOfName::Group, KindOfName::Bus];

/// Plans the changes when a name that the whole project shares gets another one: an input action, a group or an audio bus.
///
/// The definition in `project.godot`, in scenes or in the bus layout changes, as do texts in calls that certainly take such a
/// name. Other texts that are the name are listed.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n[input]\njump={\n\"deadzone\": 0.5,\n\"events\": []\n}\n");
/// # write("a.gd", "func f():\n\tInput.is_action_pressed(\"jump\")\n");
/// use godot_project::names::KindOfName;
///
/// let project = godot_project::Project::open(folder.path())?;
/// let plan = gdscene_refactor::rename_name(&project, KindOfName::Action, "jump", "leap")?;
/// assert!(plan.files[0].new_text().ends_with(b"Input.is_action_pressed(\"leap\")\n"));
/// assert_eq!(plan.files.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the project does not define the old name, already has the new one, or Godot does not take it; and when a file cannot be
/// read.
pub fn rename_name(
    project: &Project,
    kind: KindOfName,
    old: &str,
    new: &str,
) -> Result<Plan, RefactorError> {
    let kind = NameKind::of(kind);
    let renaming = Renaming { project, kind, old, new };
    renaming.check()?;
    let title = format!("rename the {} `{old}` to `{new}`", kind.word);
    let mut files = files_with_code(project);
    files.extend(project.files().filter(|file| is_config_path(project.path(*file))));
    plan_of_mentions(project, title, files, old, |_, draft| {
        match &*extension_of(&draft.path) {
            "gd" => renaming.in_script(draft),
            "cs" => quoted_in_csharp(old, draft),
            _ if is_config_path(&draft.path) => renaming.in_settings(draft),
            _ => renaming.in_scene(draft),
        }
        Ok(())
    })
}

/// A name that gets another one.
struct Renaming<'p> {
    project: &'p Project,
    kind: &'static NameKind,
    old: &'p str,
    new: &'p str,
}

impl Renaming<'_> {
    fn check(&self) -> Result<(), RefactorError> {
        let (word, old, new) = (self.kind.word, self.old, self.new);
        if !RENAMED_KINDS.contains(&self.kind.id) {
            return Err(RefactorError::Refused(format!(
                "a {word} belongs to one object; rename it there"
            )));
        }
        let invalid = |reason: &str| RefactorError::InvalidName {
            name: new.to_owned(),
            kind: word,
            reason: reason.to_owned(),
        };
        // What the editor's Input Map, Groups and Audio docks take.
        if new.is_empty() || new.trim() != new {
            return Err(invalid("it is empty, or begins or ends with a space"));
        }
        if let Some(bad) = new.chars().find(|c| c.is_control() || "/:=\\\"".contains(*c)) {
            return Err(invalid(&format!("it contains {bad:?}")));
        }
        let known = self.project.known_names(self.kind.id);
        let has = |name: &str| known.names().any(|known| known == name);
        if !has(old) {
            let near = known.nearest(self.project, old).map(str::to_owned);
            let path = "res://project.godot".to_owned();
            return Err(RefactorError::NotFound { path, kind: word, name: old.to_owned(), near });
        }
        if known.is_of_engine(self.project, old) {
            return Err(RefactorError::Refused(format!("Godot itself defines the {word} `{old}`")));
        }
        if has(new) {
            return Err(RefactorError::Clash {
                what: format!("the project has the {word} `{new}` already"),
            });
        }
        Ok(())
    }

    fn in_script(&self, draft: &mut FileDraft) {
        let text = Arc::clone(&draft.text);
        debug_assert!(is_gdscript(&draft.path));
        let Some(source) = ScriptSource::parse(&text) else { return };
        for found in names_in_script(self.project, &source) {
            if found.kind.id == self.kind.id && found.name == self.old && found.is_of_godot() {
                draft.edit(found.span, self.new, "name in a call");
            }
        }
        for literal in source.strings() {
            let is_whole = literal.text.as_deref() == Some(self.old);
            let start = self.kind.settings().unwrap_or_default();
            let is_path =
                literal.text.as_deref().and_then(|text| text.strip_prefix(start)) == Some(self.old);
            if (is_whole || is_path && !start.is_empty())
                && !draft.edits.contains_key(&literal.content)
            {
                draft.doubt(
                    literal.content,
                    format!("a string that may name this {}", self.kind.word),
                );
            }
        }
    }
}

/// The span between the quotes of a text at `span`: `"a"`, `&"a"`.
fn inside_quotes(text: &[u8], span: Span) -> Option<Span> {
    let source = span.of(text);
    let start = source.iter().position(|byte| *byte == b'"')? as u32;
    (source.len() as u32 > start + 1).then(|| Span::new(span.start + start + 1, span.end - 1))
}
