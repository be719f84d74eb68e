//! Paths that a node has by default: `..` is another node when it gets another parent.

use godot_project::node_paths::node_path;
use godot_project::{ClassDb, SceneContext};
use godot_tscn::{GodotVersion, Span};

use crate::draft::FileDraft;
use crate::move_node::Move;
use crate::node_change::{joined, path_between, quoted};

/// Properties with the parent as their default.
const PARENTS: &[&str] = &["root_node", "root_path", "base_path", "skeleton", "enable_node_path"];

/// The version of Godot 4 with known defaults.
const WITH_DEFAULTS: GodotVersion = GodotVersion::godot4(6);

/// Writes the path of the old parent if the node has none of its own, as the editor does
/// (`SceneTreeDock::_check_object_properties_recursive`, editor/docks/scene_tree_dock.cpp, Godot 4.6.3). Removes one that
/// is the default afterwards.
pub(super) fn change(moved: &Move<'_>, context: &SceneContext<'_>, draft: &mut FileDraft) {
    let Some(own) = context.tree().tag_at(&joined(moved.old)) else { return };
    let section = context.section(own);
    let Some((name, old_parent)) = moved.old.split_last() else { return };
    if old_parent == moved.new_parent {
        return;
    }
    let object = context.attached(section);
    let Some(class) = object.native() else { return };
    let version = context.project.classes().version();
    let is_godot_3 = version.is_some_and(|version| version.major == 3);
    let table = ClassDb::for_version(if is_godot_3 { GodotVersion::LAST_3 } else { WITH_DEFAULTS });
    for key in PARENTS {
        let is_parent = |default: &str| node_path(default.as_bytes()).as_deref() == Some("..");
        if !table.default(class, key).is_some_and(is_parent) {
            continue;
        }
        let mut properties = section.properties();
        if let Some(property) = properties.rfind(|found| *found.engine_key() == *key.as_bytes()) {
            let written =
                property.value_tree().root().children().next().map(godot_tscn::PartRef::span);
            let is_default = written
                .and_then(|span| draft.edits.get(&span))
                .is_some_and(|edit| edit.0 == "\"..\"");
            if let Some(span) = written.filter(|_| is_default) {
                draft.edits.remove(&span);
                // With the line end before it.
                let line = Span::new(property.engine_key_span().start, property.value_span().end);
                let text = &draft.text[..line.start as usize];
                let blanks =
                    text.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
                let line = Span::new(line.start - blanks.min(line_end(text)) as u32, line.end);
                draft.edit(line, "", "path that is now the default");
            }
            continue;
        }
        // Without a skeleton there, the mesh has none.
        let is_skeleton = |path: &[String]| {
            let parent = context.attached_at(&joined(path));
            let mut tables = parent.tables();
            parent
                .native()
                .is_none_or(|class| tables.any(|classes| classes.inherits(class, "Skeleton3D")))
        };
        if *key == "skeleton" && !is_skeleton(old_parent) {
            continue;
        }
        let after: Vec<String> = moved.new_parent.iter().chain([name]).cloned().collect();
        let path = quoted(&path_between(&after, old_parent));
        let line = format!("\n{key} = NodePath({path})");
        draft.edit(
            Span::empty(section.span().end),
            line,
            "path of the old parent, which was the default",
        );
    }
}

fn line_end(text: &[u8]) -> usize {
    if text.ends_with(b"\r\n") { 2 } else { 1 }
}
