//! Finds the files in which something may change, without reading them closely.

use godot_project::FileId;
use godot_project::res_path::name_of;
use regex::bytes::{Regex, RegexBuilder};

use crate::move_files::literal::Moving;
use crate::move_files::renames::Renames;
use crate::move_files::settings;

/// Patterns that every file with a possible change contains.
#[derive(Debug)]
pub(super) struct Search {
    /// The names of the moving files, in any case.
    names: Option<Regex>,
}

impl Search {
    pub(super) fn new(renames: &Renames) -> Self {
        let beside = renames.files.keys().filter(|_| !renames.is_folder);
        let is_sidecar = |path: &str| path.starts_with(&format!("{}.", renames.old));
        let beside = beside.map(String::as_str).filter(|path| !is_sidecar(path));
        let mut names: Vec<String> =
            beside.chain([&*renames.old]).map(|path| regex::escape(name_of(path))).collect();
        names.sort_unstable();
        names.dedup();
        let names = RegexBuilder::new(&names.join("|")).case_insensitive(true).build().ok();
        Self { names }
    }

    /// Whether something may change in a file, which holds `text`.
    pub(super) fn finds(&self, moving: Moving<'_>, file: FileId, text: &[u8]) -> bool {
        let path = moving.project.path(file);
        // Without a pattern, because it would be too large, every text matches.
        self.names.as_ref().is_none_or(|names| names.is_match(text))
            || holds_start(text, moving.renames.old.as_bytes())
            || moving.renames.new_path(path).is_some() && may_hold_relative(path, text)
            || names_uid(moving, file)
            || path == "res://project.godot" && settings::moves_buses(moving)
    }
}

/// Whether an external resource is found by its uid, whatever its path.
fn names_uid(moving: Moving<'_>, file: FileId) -> bool {
    let resources = &moving.project.facts(file).ext_resources;
    let uids = resources.iter().filter_map(|resource| resource.uid);
    let mut files = uids.flat_map(|uid| moving.project.files_with_uid(uid));
    files.any(|file| moving.renames.new_path(moving.project.path(*file)).is_some())
}

/// Whether a string or format begins like the path, and ends before it does: `"res://levels/%s.tscn"`.
fn holds_start(text: &[u8], path: &[u8]) -> bool {
    let rest = path.strip_prefix(b"res://").unwrap_or(path);
    memchr::memmem::find_iter(text, b"res://").any(|at| {
        let text = &text[at + b"res://".len()..];
        let length = text.iter().zip(rest).take_while(|(one, other)| one == other).count();
        length > 0 && text.get(length).is_some_and(|next| b"\"'%{\\".contains(next))
    })
}

/// Whether a file that moves may name others by relative paths.
fn may_hold_relative(path: &str, text: &[u8]) -> bool {
    if !path.ends_with(".gd") {
        return true;
    }
    [&b"preload"[..], b"extends", b"@icon", b"class_name"].into_iter().any(|word| {
        memchr::memmem::find_iter(text, word).any(|at| {
            let line = &text[at + word.len()..];
            let is_before = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'(';
            let line = match word {
                // Godot 3: `class_name A, "icon"`.
                b"class_name" => {
                    let end = memchr::memchr2(b'\n', b',', line).unwrap_or(line.len());
                    line[end..].strip_prefix(b",").unwrap_or_default()
                }
                _ => line,
            };
            let start = line.iter().position(|byte| !is_before(byte)).unwrap_or(line.len());
            let quoted =
                line[start..].strip_prefix(b"\"").or_else(|| line[start..].strip_prefix(b"'"));
            quoted.is_some_and(|path| !path.starts_with(b"res://") && !path.starts_with(b"uid://"))
        })
    })
}
