//! Edits in the files that refer to another one: the common part of the fixes that touch several files.

use godot_project::res_path::FactsKind;
use godot_project::res_path::extension_of;
use godot_project::{ExtResource, FileFacts, FileId, Project, ResolvedPath, SceneContext, Uid};
use godot_tscn::{Edit, FileEdits};

/// The edits that write `new` instead of `old` where `ext_resource` tags of other files name `file` so: tags that lead
/// to it by the path, wherever their uid leads. In the text of `context` itself, they are in the first list.
pub(super) fn respell_uid(
    context: &SceneContext<'_>,
    file: FileId,
    old: Uid,
    new: Uid,
) -> (Vec<Edit>, Vec<FileEdits>) {
    let own =
        uid_edits(context.project, context.path, context.document, &context.facts, file, old, new);
    let others =
        context.project.graph().callers(old).iter().filter(|caller| Some(**caller) != context.file);
    // Files of exporters are not edited.
    let others = others.filter(|caller| extension_of(context.project.path(**caller)) != "escn");
    let edits = |caller: &FileId| {
        let (project, path) = (context.project, context.project.path(*caller));
        let text = project.read(*caller).ok()?;
        let document = godot_tscn::parse(&text);
        let facts = FileFacts::of_document(&document);
        let edits = uid_edits(project, path, &document, &facts, file, old, new);
        (!edits.is_empty()).then(|| FileEdits::new(path, &*text, edits))
    };
    (own, others.filter_map(edits).collect())
}

fn uid_edits(
    project: &Project,
    path: &str,
    document: &godot_tscn::Document<'_>,
    facts: &FileFacts,
    file: FileId,
    old: Uid,
    new: Uid,
) -> Vec<Edit> {
    let leads_there = |resource: &&ExtResource| {
        let by_path = resource.path.as_deref().map(|text| project.resolve(path, text));
        resource.uid == Some(old) && by_path == Some(ResolvedPath::File(file))
    };
    let found = facts.ext_resources.iter().filter(leads_there);
    let fields = found.filter_map(|resource| document.section(resource.section).field("uid"));
    fields.map(|field| Edit::replace(field.value_span(), format!("\"{new}\""))).collect()
}

/// The edits that write the path `new` instead of `old` in scripts, shaders and settings: wherever it is alone
/// between quotes.
pub(super) fn respell_path(project: &Project, old: &str, new: &str) -> Vec<FileEdits> {
    let edits = |file: &FileId| {
        let text = project.read(*file).ok()?;
        let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
        let is_alone = |start: &usize| {
            let before = start.checked_sub(1).map(|at| text[at]);
            // An autoload has a `*` in front of its path.
            let is_start = before.is_some_and(|byte| is_quote(&byte) || byte == b'*');
            is_start && text.get(start + old.len()).is_some_and(is_quote)
        };
        let starts = memchr::memmem::find_iter(&text, old).filter(is_alone);
        let span = |start: usize| godot_tscn::Span::new(start as u32, (start + old.len()) as u32);
        let edits: Vec<Edit> = starts.map(|start| Edit::replace(span(start), new)).collect();
        (!edits.is_empty()).then(|| FileEdits::new(project.path(*file), &*text, edits))
    };
    let is_meant = |file: &FileId| names_files(project.path(*file));
    let files: Vec<FileId> = project.files().filter(is_meant).collect();
    files.iter().filter_map(edits).collect()
}

/// Whether a path in such a file is one that Godot loads. Other texts are written by people, and left
/// alone.
fn names_files(path: &str) -> bool {
    const EXTENSIONS: &[&str] =
        &["gd", "cs", "gdshader", "gdshaderinc", "godot", "cfg", "gdextension"];
    EXTENSIONS.contains(&&*extension_of(path))
}

/// The edits that give `file` another uid: in its header, or in the `.uid` or `.import` file next to it. Nothing for
/// a binary file.
pub(super) fn set_uid(project: &Project, file: FileId, new: Uid) -> Option<FileEdits> {
    let path = project.path(file);
    if let Some(beside) = project.file(&format!("{path}.import")) {
        let text = project.read(beside).ok()?;
        let config = godot_tscn::parse_config(&text);
        let edit = Edit::replace(config.get(b"remap", b"uid")?.value_span(), format!("\"{new}\""));
        return Some(FileEdits::new(project.path(beside), &*text, vec![edit]));
    }
    if let Some(beside) = project.file(&format!("{path}.uid")) {
        let text = project.read(beside).ok()?;
        let whole = godot_tscn::Span::new(0, text.len() as u32);
        let edit = Edit::replace(whole, format!("{new}\n"));
        return Some(FileEdits::new(project.path(beside), &*text, vec![edit]));
    }
    if FactsKind::of(path) != FactsKind::Text {
        return None;
    }
    let text = project.read(file).ok()?;
    let document = godot_tscn::parse(&text);
    let field = document.sections().next()?.field("uid")?;
    let edit = Edit::replace(field.value_span(), format!("\"{new}\""));
    Some(FileEdits::new(path, &*text, vec![edit]))
}
