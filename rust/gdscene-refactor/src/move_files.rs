//! Files and folders that get another path.
//!
//! A file's `.uid` and `.import` move with it, as in the FileSystem dock (`FileSystemDock::_try_move_item`,
//! editor/docks/filesystem_dock.cpp, Godot 4.6.3). So do the translations that an import makes next to it. References
//! that the dock leaves behind change too: strings in scenes, resources, scripts and settings that are the path of a
//! moved file.
//!
//! A whole path is changed so that it leads to the same file: `res://…` always, because nothing else can be meant, a
//! relative one only where Godot reads a path. A path that is built at run time is a doubt.

mod already_moved;
mod caches;
mod companions;
mod configuration;
mod links;
mod literal;
mod patterns;
mod renames;
mod scenes;
mod scripts;
mod search;
mod settings;
mod target;
mod texts;

use std::collections::BTreeMap;

pub use already_moved::repair_moved;
use godot_project::res_path::FactsKind;
use godot_project::res_path::{extension_of, name_of};
use godot_project::{FileId, FileMove, Plan, Project};
use rayon::prelude::*;

use crate::RefactorError;
use crate::draft::{FileDraft, plan_of_drafts};
use crate::move_files::literal::Moving;
use crate::move_files::renames::Renames;
use crate::move_files::search::Search;
use crate::move_files::target::Target;

/// Moves the file or folder at `from` to `to`, or into it, if that is a folder or ends with a slash. Both are `res://…`.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n");
/// # write("b.gd", "extends Node\n");
/// # write("a.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://b.gd\" id=\"1\"]\n");
/// let project = godot_project::Project::open(folder.path())?;
/// let plan = gdscene_refactor::move_files(&project, "res://b.gd", "res://scripts/")?;
/// assert_eq!(plan.moves[0].to, "res://scripts/b.gd");
/// assert_eq!(plan.places[0].path, "res://a.tscn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there is no such file or folder, or it cannot move there. Nothing is ever replaced.
pub fn move_files(project: &Project, from: &str, to: &str) -> Result<Plan, RefactorError> {
    let Target { old, new, is_folder } = Target::of(project, from, to)?;
    let title = format!("move `{old}` to `{new}`");
    let (files, mut moves): (_, Vec<FileMove>) = if is_folder {
        (files_below(project, &old, &new), vec![FileMove { from: old.clone(), to: new.clone() }])
    } else {
        let files = companions::of_file(project, &old, &new)?;
        let moves = files.iter().map(|(from, to)| FileMove { from: from.clone(), to: to.clone() });
        (files.clone(), moves.collect())
    };
    let renames = Renames::new(old, new, is_folder, files);
    let moving = Moving { project, renames: &renames, has_happened: false };
    let drafts = drafts_of(moving)?;
    let mut plan = plan_of_drafts(title, drafts);
    moves.sort();
    plan.moves = moves;
    Ok(plan)
}

/// The changes in all files.
fn drafts_of(moving: Moving<'_>) -> Result<Vec<FileDraft>, RefactorError> {
    let search = Search::new(moving.renames);
    let files = moving.project.files().collect::<Vec<_>>().into_par_iter();
    let drafts = files.map(|file| draft_of(moving, &search, file));
    let drafts: Result<Vec<Option<FileDraft>>, RefactorError> = drafts.collect();
    let mut drafts: Vec<FileDraft> = drafts?.into_iter().flatten().collect();
    drafts.extend(configuration::of_git(moving));
    drafts.extend(caches::of_uids(moving));
    drafts.extend(scripts::warnings(moving));
    drafts.extend(links::broken(moving));
    Ok(drafts)
}

fn files_below(project: &Project, old: &str, new: &str) -> BTreeMap<String, String> {
    let start = format!("{old}/");
    let files = project.files_that_start_with(&start);
    let moved = |file: FileId| {
        let path = project.path(file);
        (path.to_owned(), format!("{new}{}", &path[old.len()..]))
    };
    files.map(moved).collect()
}

/// The changes in a file in which something may change.
fn draft_of(
    moving: Moving<'_>,
    search: &Search,
    file: FileId,
) -> Result<Option<FileDraft>, RefactorError> {
    let path = moving.project.path(file);
    let Some(kind) = Kind::of(path) else { return Ok(None) };
    let text = moving.project.read(file);
    let text = match text {
        Ok(text) => text,
        // Whatever is in data that cannot be read, Godot does not load it as a scene or script.
        Err(_) if matches!(kind, Kind::Text | Kind::Data(_)) => return Ok(None),
        Err(source) => return Err(RefactorError::Unreadable { path: path.to_owned(), source }),
    };
    if !search.finds(moving, file, &text) {
        return Ok(None);
    }
    let mut draft = FileDraft::of_text(path.to_owned(), text.as_ref());
    kind.change(moving, &mut draft);
    Ok(Some(draft))
}

/// How a file is read.
#[derive(Clone, Copy)]
enum Kind {
    Scene,
    Settings,
    Gdscript,
    Csharp,
    Binary,
    /// A text with a known form, and its function.
    Data(fn(Moving<'_>, &mut FileDraft)),
    /// Any other text.
    Text,
}

impl Kind {
    fn of(path: &str) -> Option<Self> {
        let extension = extension_of(path);
        Some(match FactsKind::of(path) {
            FactsKind::Text => Self::Scene,
            FactsKind::Script if extension == "gd" => Self::Gdscript,
            FactsKind::Script => Self::Csharp,
            FactsKind::Binary => Self::Binary,
            FactsKind::Uid => return None,
            _ if godot_tscn::is_config_path(path) => Self::Settings,
            _ if name_of(path) == "gdscene.toml" => Self::Data(configuration::change),
            _ => match &*extension {
                "cfg" | "godot" | "gdnlib" => Self::Settings,
                "gdshader" | "gdshaderinc" | "shader" => Self::Data(texts::shader),
                "json" => Self::Data(texts::json),
                "csv" => Self::Data(texts::table),
                "csproj" | "sln" | "props" | "targets" => Self::Data(texts::csharp_project),
                extension if is_text(extension) => Self::Text,
                _ => return None,
            },
        })
    }

    fn change(self, moving: Moving<'_>, draft: &mut FileDraft) {
        const ELSEWHERE: &str = "is a moved path, in a place where Godot does not read paths";
        match self {
            Self::Scene => scenes::change(moving, draft),
            Self::Settings => settings::change(moving, draft),
            Self::Gdscript => scripts::gdscript(moving, draft),
            Self::Csharp => scripts::csharp(moving, draft),
            Self::Binary => texts::binary(moving, draft),
            Self::Data(change) => change(moving, draft),
            Self::Text => texts::change(moving, draft),
        }
        match self {
            Self::Scene | Self::Settings => texts::rest(moving, draft, ELSEWHERE),
            Self::Gdscript | Self::Csharp => scripts::moved(moving, draft),
            _ => {}
        }
    }
}

/// Other texts in which people, add-ons and tools name files.
fn is_text(extension: &str) -> bool {
    const EXTENSIONS: &[&str] = &[
        "txt", "md", "rst", "html", "xml", "ini", "toml", "yaml", "yml", "dialogue", "dtl", "dch",
        "ink", "yarn", "lua", "py", "sh", "bat", "ps1", "vs", "glsl", "fnt", "tmx", "tsx", "ldtk",
        "atlas",
    ];
    EXTENSIONS.contains(&extension)
}

#[cfg(test)]
mod tests;
