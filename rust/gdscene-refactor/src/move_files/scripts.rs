//! Scripts in GDScript and C#.

use godot_project::script::source::{ScriptSource, StringLiteral, StringPlace};
use godot_project::scripts::{CsharpLiteral, CsharpLiterals, CsharpPlace, Receiver};
use godot_tscn::Span;

use crate::csharp::stem;
use crate::draft::FileDraft;
use crate::move_files::literal::{Extent, Moving, Verdict};

/// Where paths count from that are relative for the loader: `ResourceLoader::_validate_local_path`
/// (core/io/resource_loader.cpp, Godot 4.6.3).
const ROOT: &str = "res://project.godot";

/// Adds the changes of the paths in a script. Comments are left alone.
pub(super) fn gdscript(moving: Moving<'_>, draft: &mut FileDraft) {
    let text = draft.text.clone();
    let Some(source) = ScriptSource::parse(&text) else {
        return super::texts::change(moving, draft);
    };
    for literal in source.strings() {
        let Some(content) = &literal.text else { continue };
        let verdict = if content.contains("://") {
            moving.absolute(content, extent(literal))
        } else {
            match base(&source, literal, &draft.path) {
                Some(base) => moving.path_in(base, content),
                None => moving.end_of_path(content),
            }
        };
        match verdict {
            Verdict::Keep => {}
            Verdict::Becomes(new) => match literal.content_for(&new) {
                Some(new) => draft.edit(literal.content, new, "path in a script"),
                None => draft.doubt(
                    literal.content,
                    "is a moved path, in a raw string that cannot contain the new path",
                ),
            },
            Verdict::Doubt(why) => draft.doubt(literal.content, why),
        }
    }
}

fn extent(literal: &StringLiteral) -> Extent {
    let is_whole = literal.is_certain && literal.place != StringPlace::Operand;
    if is_whole { Extent::Whole } else { Extent::Part }
}

/// The file from which a path without `res://` counts at this place, if Godot reads a path there
/// (`GDScriptAnalyzer::resolve_class_inheritance`, `reduce_preload`, `GDScriptParser::icon_annotation`, 4.6.3).
fn base<'b>(source: &ScriptSource<'_>, literal: &StringLiteral, own: &'b str) -> Option<&'b str> {
    if !literal.is_certain {
        return None;
    }
    match &literal.place {
        StringPlace::Extends | StringPlace::Icon => Some(own),
        StringPlace::Annotation { name } => (source.text_of(*name) == "icon").then_some(own),
        StringPlace::Argument { function, receiver, index: 0 } => {
            let receiver = receiver.map(|receiver| source.text_of(receiver));
            match (receiver, source.text_of(*function)) {
                (None, "preload") => Some(own),
                (None, "load")
                | (
                    Some("ResourceLoader"),
                    "load" | "load_threaded_request" | "load_interactive" | "exists" | "has_cached",
                ) => Some(ROOT),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Adds the changes of the paths in a C# script. Comments are left alone.
pub(super) fn csharp(moving: Moving<'_>, draft: &mut FileDraft) {
    let text = draft.text.clone();
    let stem = stem(&draft.path).unwrap_or_default();
    let Some(found) = CsharpLiterals::of(&text, stem) else {
        return super::texts::change(moving, draft);
    };
    for literal in &found.literals {
        let content = String::from_utf8_lossy(literal.content.of(&text));
        let is_whole = literal.is_certain && literal.place != CsharpPlace::Part;
        let verdict = match content.contains("://") {
            true => moving.absolute(&content, if is_whole { Extent::Whole } else { Extent::Part }),
            false if is_whole && is_loaded(literal, &text) => moving.path_in(ROOT, &content),
            false => moving.end_of_path(&content),
        };
        match verdict {
            Verdict::Keep => {}
            Verdict::Becomes(new) if !literal.has_escapes && !new.contains(['"', '\\']) => {
                draft.edit(literal.content, new, "path in a script");
            }
            Verdict::Becomes(_) => {
                draft.doubt(literal.content, "is a moved path, written with escapes");
            }
            Verdict::Doubt(why) => draft.doubt(literal.content, why),
        }
    }
}

/// Whether a text is the path that a function of Godot's loads.
fn is_loaded(literal: &CsharpLiteral, text: &[u8]) -> bool {
    let CsharpPlace::Argument { function, receiver, index: 0 } = &literal.place else {
        return false;
    };
    let Some(Receiver::Other(receiver)) = receiver else { return false };
    let receiver = text.get(receiver.clone()).unwrap_or_default();
    let receiver = receiver.strip_prefix(b"Godot.").unwrap_or(receiver);
    match (receiver, function.as_str()) {
        (b"GD" | b"ResourceLoader", "Load") => true,
        (b"ResourceLoader", function) => {
            matches!(function, "LoadThreadedRequest" | "Exists" | "HasCached")
        }
        _ => false,
    }
}

/// Notes the losses of a script with a changed path.
pub(super) fn moved(moving: Moving<'_>, draft: &mut FileDraft) {
    let Some(new) = moving.renames.new_path(&draft.path) else { return };
    let old_name = godot_project::res_path::name_of(&draft.path);
    if draft.path.ends_with(".cs") && old_name != godot_project::res_path::name_of(&new) {
        let why = "gets a new name, but Godot uses the class with the name of the file; rename both with `gdscene rename-class`";
        draft.doubt(Span::empty(0), why);
    }
    // Files next to it move with a folder.
    if moving.renames.is_folder {
        return;
    }
    let text = draft.text.clone();
    for word in [
        &b"get_script().resource_path"[..],
        b"get_script().get_path()",
        b"scene_file_path.get_base_dir",
    ] {
        for at in memchr::memmem::find_iter(&text, word) {
            let span = Span::new(at as u32, (at + word.len()) as u32);
            draft.doubt(
                span,
                "works with the path of the moved file, which is then next to different files",
            );
        }
    }
}

/// Scripts in `res://addons` get none of Godot's warnings by default, and elsewhere some are errors
/// (`GDScriptParser::update_project_settings`, modules/gdscript/gdscript_parser.cpp, Godot 4.6.3).
pub(super) fn warnings(moving: Moving<'_>) -> Option<FileDraft> {
    const EXEMPT: &str = "res://addons/";
    let renames = moving.renames;
    let leaves = renames.old.starts_with(EXEMPT) && !renames.new.starts_with(EXEMPT);
    let mut scripts = renames.files.keys().filter(|path| path.ends_with(".gd"));
    let script = scripts.next().filter(|_| leaves)?;
    let mut draft = FileDraft::of_text(script.clone(), &b""[..]);
    let count = scripts.count();
    let others = if count == 0 { String::new() } else { format!(" with {count} other scripts") };
    let why = format!(
        "leaves `res://addons`{others}; Godot then applies its script warnings to it, and a warning that is set to error stops a script"
    );
    draft.doubt(Span::empty(0), why);
    Some(draft)
}
