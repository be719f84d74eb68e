//! `config/features` of `project.godot`, which names the version that last saved the project.

use godot_project::Project;
use godot_tscn::{GodotVersion, Span, parse_config};

use crate::RefactorError;
use crate::draft::FileDraft;

/// `project.godot` with `target` in place of an older version; nothing if it names none, or not an older one.
pub(super) fn updated(
    project: &Project,
    target: GodotVersion,
) -> Result<Option<FileDraft>, RefactorError> {
    let Some(file) = project.file("res://project.godot") else { return Ok(None) };
    let mut draft = FileDraft::of(project, file)?;
    let text = draft.text.clone();
    let config = parse_config(&text);
    let Some(features) = config.get(b"application", b"config/features") else { return Ok(None) };
    let tree = features.value_tree();
    for feature in tree.root().children() {
        let source = feature.span().of(&text);
        let name = source.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
        if name.and_then(version).is_some_and(|version| version < target) {
            let inner = Span::new(feature.span().start + 1, feature.span().end - 1);
            draft.edit(inner, target.to_string(), "version");
        }
    }
    Ok(Some(draft))
}

/// The version that a feature is, such as `4.2`.
fn version(feature: &[u8]) -> Option<GodotVersion> {
    std::str::from_utf8(feature).ok()?.parse().ok()
}
