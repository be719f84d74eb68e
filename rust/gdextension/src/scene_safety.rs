//! `SceneSafety`: whether a file of strangers and all that it names may be loaded.
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use std::collections::{BTreeMap, HashSet, VecDeque};

use godot::builtin::{Array, GString, PackedStringArray, VarDictionary};
use godot::classes::file_access::ModeFlags;
use godot::classes::{FileAccess, ResourceUid};
use godot::obj::{Gd, Singleton};
use godot::register::{GodotClass, godot_api};
use tscn::{AllowList, ExternalReference, LineIndex, Position, SafetyOptions};

use crate::decode_options::{limit, names, unknown};
use crate::scene_diagnostic::{SceneDiagnostic, with_places};
use crate::scene_project::is_in_project;

/// What [method SceneLinter.is_safe_to_load] found.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct SceneSafety {
    /// Whether loading the file, and all that it names, runs no code.
    #[var(no_set)]
    is_safe: bool,
    /// Why not: what the rules [code]SEC…[/code] found and what keeps files from being read as Godot reads them, with path, line, column and code. [code]FILE[/code] is the code of a file that cannot be judged, [code]LIMIT[/code] that of too many or too large ones, [code]OPTION[/code] that of an option that makes no sense.
    #[var(no_set)]
    reasons: Array<Gd<SceneDiagnostic>>,
    /// The paths of the files that were looked into, in that order.
    #[var(no_set)]
    files: PackedStringArray,
}

#[godot_api]
impl SceneSafety {}

/// The options that [`judge`] knows.
const OPTIONS: &str = "`classes`, `paths`, `max_files` and `max_bytes`";
/// Texts that Godot loads as scenes and resources.
const TEXTS: &[&str] = &["tscn", "tres"];
/// What Godot's importers make data of, that no code is in: textures, sounds and fonts.
const DATA: &[&str] = &[
    "bmp", "dds", "exr", "hdr", "jpeg", "jpg", "ktx", "png", "svg", "tga", "webp", "mp3", "ogg",
    "wav", "otf", "ttc", "ttf", "woff", "woff2",
];
/// What tells Godot to load another file than the one that was named (`ResourceLoader::_path_remap`,
/// `ResourceFormatImporter::recognize_path`).
const REDIRECTIONS: &[&str] = &[".remap", ".import"];

struct Limits {
    max_files: usize,
    max_bytes: usize,
}

/// A file that has to be judged, and where it is named: nowhere for the first.
struct Visit {
    path: String,
    named_at: Option<(String, Position)>,
}

struct Walk {
    allow_list: AllowList,
    limits: Limits,
    bytes_left: usize,
    queue: VecDeque<Visit>,
    seen: HashSet<String>,
    files: PackedStringArray,
    reasons: Array<Gd<SceneDiagnostic>>,
}

/// Judges the file at `path` and all that it names.
pub(crate) fn judge(path: &str, options: &VarDictionary) -> Gd<SceneSafety> {
    let (allow_list, limits) = match parse(options) {
        Ok(parsed) => parsed,
        Err(reason) => {
            let start = Position { line: 1, column: 1 };
            let kind = ("OPTION", "invalid-option");
            let reason = SceneDiagnostic::error(kind, path, &reason, start);
            return Walk::default_result([reason].into_iter().collect());
        }
    };
    let first = Visit { path: located("", path), named_at: None };
    let mut walk = Walk {
        allow_list,
        bytes_left: limits.max_bytes,
        limits,
        seen: [first.path.clone()].into(),
        queue: [first].into(),
        files: PackedStringArray::new(),
        reasons: Array::new(),
    };
    while let Some(visit) = walk.queue.pop_front() {
        if walk.files.len() >= walk.limits.max_files {
            let reason = format!("there are more than {} files to look at", walk.limits.max_files);
            walk.refuse(&visit, ("LIMIT", "too-many-files"), &reason);
            break;
        }
        walk.visit(&visit);
    }
    Gd::from_object(SceneSafety {
        is_safe: walk.reasons.is_empty(),
        reasons: walk.reasons,
        files: walk.files,
    })
}

/// Reads the options.
///
/// # Errors
/// What is wrong with the first that is unknown or holds the wrong type.
fn parse(options: &VarDictionary) -> Result<(AllowList, Limits), String> {
    let mut list = AllowList::default();
    let mut limits = Limits { max_files: 1000, max_bytes: 64 << 20 };
    for (key, value) in options.iter_shared() {
        match key.stringify().to_string().as_str() {
            "classes" => list.classes = Some(names(&key, &value)?.into_iter().collect()),
            "paths" => list.paths = Some(names(&key, &value)?),
            "max_files" => limits.max_files = limit(&key, &value)?,
            "max_bytes" => limits.max_bytes = limit(&key, &value)?,
            _ => return Err(unknown(&key, OPTIONS)),
        }
    }
    Ok((list, limits))
}

impl Walk {
    fn default_result(reasons: Array<Gd<SceneDiagnostic>>) -> Gd<SceneSafety> {
        Gd::from_object(SceneSafety { is_safe: false, reasons, files: PackedStringArray::new() })
    }

    fn visit(&mut self, visit: &Visit) {
        let path = visit.path.as_str();
        let extension = path.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
        let is_data = DATA.contains(&extension.as_str());
        // The game's own pictures are imported by its maker.
        if is_data && is_in_project(path) {
            return;
        }
        let redirection = REDIRECTIONS.iter().map(|end| format!("{path}{end}"));
        if let Some(other) = redirection.into_iter().find(|file| FileAccess::file_exists(file)) {
            let reason = format!("Godot loads what `{other}` says instead of this file");
            return self.refuse(visit, ("FILE", "redirected-file"), &reason);
        }
        if is_data {
            return;
        }
        if !TEXTS.contains(&extension.as_str()) {
            let reason = "is no text scene or resource, so that it cannot be judged; list it in `paths` if it is yours";
            return self.refuse(visit, ("FILE", "unknown-content"), reason);
        }
        match self.read(path) {
            Ok(text) => self.judge_text(visit, &text),
            Err((kind, reason)) => self.refuse(visit, kind, &reason),
        }
    }

    fn judge_text(&mut self, visit: &Visit, text: &[u8]) {
        let path = visit.path.as_str();
        self.files.push(path);
        let mut list = self.allow_list.clone();
        let mut options = SafetyOptions::for_path(path);
        let references = tscn::safety(text, &options).references;
        list.uids = known_uids(&references);
        options.allow_list = Some(&list);
        let safety = tscn::safety(text, &options);
        if !safety.is_safe && safety.reasons.is_empty() {
            let reason = "cannot be read whole, so that it cannot be judged";
            self.refuse(visit, ("FILE", "unreadable-file"), reason);
        }
        let document = tscn::parse(text);
        for finding in with_places(&document, text, safety.reasons) {
            self.reasons.push(&SceneDiagnostic::new(&finding, path));
        }
        let lines = LineIndex::new(text);
        for reference in references {
            let position = lines.position(reference.span.start);
            // Where Godot knows the uid, it counts, but not everywhere does it.
            let by_uid = reference.uid.as_ref().and_then(|uid| list.uids.get(uid)).cloned();
            for target in by_uid.into_iter().chain([located(path, &reference.path)]) {
                self.add(target, (path.to_owned(), position));
            }
        }
    }

    /// Adds what a file names to what has to be judged.
    fn add(&mut self, path: String, named_at: (String, Position)) {
        let is_own = is_in_project(&path) && self.allow_list.lists_path(&path);
        if !is_own && self.seen.insert(path.clone()) {
            self.queue.push_back(Visit { path, named_at: Some(named_at) });
        }
    }

    /// The bytes of a file, or why there are none.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, ((&'static str, &'static str), String)> {
        let Some(mut file) = FileAccess::open(path, ModeFlags::READ) else {
            let reason = format!("cannot be read: {:?}", FileAccess::get_open_error());
            return Err((("FILE", "unreadable-file"), reason));
        };
        let len = usize::try_from(file.get_length()).unwrap_or(usize::MAX);
        let Some(left) = self.bytes_left.checked_sub(len) else {
            let reason = format!("the files have more than {} bytes", self.limits.max_bytes);
            return Err((("LIMIT", "too-many-bytes"), reason));
        };
        self.bytes_left = left;
        Ok(file.get_buffer(len as i64).to_vec())
    }

    /// A reason that no rule has found: at the place that names the file, or in the file if none does.
    fn refuse(&mut self, visit: &Visit, kind: (&str, &str), reason: &str) {
        let diagnostic = match &visit.named_at {
            Some((path, position)) => {
                let message = format!("`{}` {reason}", visit.path.escape_debug());
                SceneDiagnostic::error(kind, path, &message, *position)
            }
            None => {
                let start = Position { line: 1, column: 1 };
                SceneDiagnostic::error(kind, &visit.path, reason, start)
            }
        };
        self.reasons.push(&diagnostic);
    }
}

/// The uids of references that the engine knows, and where they lead.
fn known_uids(references: &[ExternalReference]) -> BTreeMap<String, String> {
    let uids = references.iter().filter_map(|reference| reference.uid.as_ref());
    uids.filter_map(|uid| Some((uid.clone(), path_of_uid(uid)?))).collect()
}

fn path_of_uid(uid: &str) -> Option<String> {
    let uids = ResourceUid::singleton();
    let id = uids.text_to_id(uid);
    // -1 is `INVALID_ID`.
    (id != -1 && uids.has_id(id)).then(|| uids.get_id_path(id).to_string())
}

/// The path of the file that a reference in the file `base` leads to.
fn located(base: &str, path: &str) -> String {
    if path.starts_with("uid://") {
        return path_of_uid(path).unwrap_or_else(|| path.to_owned());
    }
    let path = GString::from(path);
    let folder = GString::from(base).get_base_dir();
    let is_relative = !base.is_empty() && path.is_relative_path();
    let path = if is_relative { folder.path_join(&path) } else { path };
    path.simplify_path().to_string()
}
