//! From an untrusted file to all that it names, each judged.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::Path;

use godot::builtin::{Array, GString};
use godot::classes::FileAccess;
use godot::classes::file_access::ModeFlags;
use godot::obj::Gd;
use godot_tscn::{
    ExternalReference, LineIndex, LocatedDiagnostic, Position, SafetyOptions, TooHeavy, Weight,
};

use super::options::Options;
use crate::by_name::{globalize_path, path_of_uid};
use crate::scene_diagnostic::SceneDiagnostic;
use crate::scene_linter::is_in_project;

/// Files that make Godot load another file than the named one (`ResourceLoader::_path_remap`,
/// `ResourceFormatImporter::recognize_path`).
const REDIRECTIONS: &[&str] = &[".remap", ".import"];

/// A file that was judged, and what it names.
pub(super) struct JudgedFile {
    pub(super) path: String,
    pub(super) text: Vec<u8>,
    /// What the file names, and the path of the file that Godot would load for it.
    pub(super) references: Vec<(ExternalReference, String)>,
}

/// All files that were looked into, and what speaks against loading them.
pub(super) struct Walk {
    pub(super) files: Vec<JudgedFile>,
    pub(super) reasons: Array<Gd<SceneDiagnostic>>,
    options: Options,
    bytes_left: usize,
    queue: VecDeque<Visit>,
    seen: HashSet<String>,
    weights: BTreeMap<String, Weight>,
}

/// A file that has to be judged, and where it is named: nowhere for the first.
struct Visit {
    path: String,
    named_at: Option<(String, Position)>,
}

impl Walk {
    /// Judges the file at `path` and all that it names.
    pub(super) fn from(path: &str, options: Options) -> Self {
        let first = Visit { path: located("", path), named_at: None };
        let start = first.path.clone();
        let mut walk = Self {
            files: Vec::new(),
            reasons: Array::new(),
            bytes_left: options.max_bytes,
            options,
            seen: [start.clone()].into(),
            queue: [first].into(),
            weights: BTreeMap::new(),
        };
        walk.all();
        if walk.reasons.is_empty() {
            walk.weigh(&start);
        }
        walk
    }

    fn all(&mut self) {
        while let Some(visit) = self.queue.pop_front() {
            if self.options.is_cancelled() {
                return self.refuse(
                    &visit,
                    ("CANCELLED", "cancelled"),
                    "was not checked: the call was cancelled",
                );
            }
            if self.files.len() >= self.options.max_files {
                let reason = format!("more than {} files to check", self.options.max_files);
                return self.refuse(&visit, ("LIMIT", "too-many-files"), &reason);
            }
            self.visit(&visit);
        }
    }

    fn visit(&mut self, visit: &Visit) {
        let path = visit.path.as_str();
        let is_data = godot_tscn::is_data_path(path);
        // The game's own pictures are imported by its maker.
        if is_data && is_in_project(path) {
            return;
        }
        let redirection = REDIRECTIONS.iter().map(|end| format!("{path}{end}"));
        if let Some(other) = redirection.into_iter().find(|file| FileAccess::file_exists(file)) {
            let reason =
                format!("because of `{other}`, Godot loads another file instead of this one");
            return self.refuse(visit, ("FILE", "redirected-file"), &reason);
        }
        if is_data {
            let reason =
                "is not imported: Godot loads pictures, sounds and fonts only from the project";
            return self.refuse(visit, ("FILE", "not-imported"), reason);
        }
        if !godot_tscn::is_text_path(path) {
            let reason = "is not a text scene or resource, so it cannot be checked; list it in `paths` if it is yours";
            return self.refuse(visit, ("FILE", "unknown-content"), reason);
        }
        match self.read(path) {
            Ok(text) => self.judge(visit, text),
            Err((kind, reason)) => self.refuse(visit, kind, &reason),
        }
    }

    fn judge(&mut self, visit: &Visit, text: Vec<u8>) {
        let path = visit.path.as_str();
        let document = godot_tscn::parse(&text);
        let references = godot_tscn::external_references(&document);
        let mut list = self.options.allow_list.clone();
        list.uids = known_uids(&references);
        let mut options = SafetyOptions::for_path(path);
        (options.allow_list, options.budget) = (Some(&list), Some(&self.options.budget));
        let safety = godot_tscn::safety(&text, &options);
        if !safety.is_safe && safety.reasons.is_empty() {
            let reason = "cannot be read completely, so it cannot be checked";
            self.refuse(visit, ("FILE", "unreadable-file"), reason);
        }
        for located in LocatedDiagnostic::all(&document, safety.reasons) {
            self.reasons.push(&SceneDiagnostic::new(&located, path));
        }
        self.weights.insert(path.to_owned(), safety.weight);
        let lines = LineIndex::new(&text);
        let mut targets = Vec::new();
        for reference in references {
            let position = lines.position(reference.span.start);
            // Where Godot knows the uid, it counts, but not everywhere does it.
            let by_uid = reference.uid.as_ref().and_then(|uid| list.uids.get(uid)).cloned();
            let by_path = located(path, &reference.path);
            for target in by_uid.iter().chain([&by_path]) {
                self.add(target.clone(), (path.to_owned(), position));
            }
            targets.push((reference, by_uid.unwrap_or(by_path)));
        }
        self.files.push(JudgedFile { path: path.to_owned(), text, references: targets });
    }

    /// Adds what a file names to what has to be judged.
    fn add(&mut self, path: String, named_at: (String, Position)) {
        let is_own = is_in_project(&path) && self.options.allow_list.lists_path(&path);
        if !is_own && self.seen.insert(path.clone()) {
            self.queue.push_back(Visit { path, named_at: Some(named_at) });
        }
    }

    /// The bytes of a file, or the reason why it cannot be read.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, ((&'static str, &'static str), String)> {
        let unreadable = |reason: String| (("FILE", "unreadable-file"), reason);
        // To open a pipe may take for ever.
        let place = globalize_path(path);
        if Path::new(&place).metadata().is_ok_and(|found| !found.is_file()) {
            return Err(unreadable("is not a regular file".to_owned()));
        }
        let Some(mut file) = FileAccess::open(path, ModeFlags::READ) else {
            return Err(unreadable(format!("cannot be read: {:?}", FileAccess::get_open_error())));
        };
        let len = usize::try_from(file.get_length()).unwrap_or(usize::MAX);
        let Some(left) = self.bytes_left.checked_sub(len) else {
            let reason = format!("the files have more than {} bytes", self.options.max_bytes);
            return Err((("LIMIT", "too-many-bytes"), reason));
        };
        self.bytes_left = left;
        Ok(file.get_buffer(len as i64).to_vec())
    }

    /// Looks at what all files bring together.
    fn weigh(&mut self, first: &str) {
        let Err(reason) =
            godot_tscn::total_weight(first, &self.weights, &self.options.budget, located)
        else {
            return;
        };
        let (path, reason) = match reason {
            TooHeavy::Circle(path) => {
                (path, "uses itself, directly or through other files".to_owned())
            }
            reason => (first.to_owned(), reason.to_string()),
        };
        let visit = Visit { path, named_at: None };
        self.refuse(&visit, ("LIMIT", "too-heavy"), &reason);
    }

    /// A reason that no rule has found: at the place that names the file, or in the file if none does.
    fn refuse(&mut self, visit: &Visit, kind: (&str, &str), reason: &str) {
        let diagnostic = match &visit.named_at {
            Some((path, position)) => {
                let message = format!("`{}` {reason}", visit.path.escape_debug());
                SceneDiagnostic::error(kind, path, &message, *position)
            }
            None => {
                let start = Position::START;
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
