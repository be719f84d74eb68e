//! Settings files and scripts in their project, as rules see them.

use std::cell::OnceCell;

use godot_project::names::{KindOfName, possible_names};
use godot_project::script::source::ScriptSource;
use godot_project::{FileId, Project};
use godot_tscn::{ConfigFile, SuggestionBudget};
use hashbrown::HashSet;

use crate::rules::script_files::may_load_missing;

/// The input of a [`crate::ProjectRule`] for settings files.
pub(crate) struct SettingsContext<'c> {
    pub(crate) project: &'c Project,
    /// The file's path: `res://…`.
    pub(crate) path: &'c str,
    pub(crate) file: &'c ConfigFile<'c>,
    /// The files that are checked without this one: only findings about them are reported. Nothing if this one is
    /// checked.
    pub(crate) without: Option<&'c HashSet<FileId>>,
}

/// The input of a [`crate::ProjectRule`] for scripts.
pub(crate) struct ScriptContext<'c> {
    pub(crate) project: &'c Project,
    /// The file's path: `res://…`.
    pub(crate) path: &'c str,
    /// The file, if the project knows it.
    pub(crate) file: Option<FileId>,
    pub(crate) text: &'c [u8],
    source: OnceCell<Option<ScriptSource<'c>>>,
    possible_names: OnceCell<Vec<(KindOfName, &'c str)>>,
    may_load_missing: OnceCell<bool>,
    pub(crate) suggestions: SuggestionBudget,
}

impl<'c> ScriptContext<'c> {
    pub(crate) fn new(project: &'c Project, path: &'c str, text: &'c [u8]) -> Self {
        let file = project.file(path);
        let suggestions = SuggestionBudget::new();
        Self {
            project,
            path,
            file,
            text,
            source: OnceCell::new(),
            possible_names: OnceCell::new(),
            may_load_missing: OnceCell::new(),
            suggestions,
        }
    }

    /// Whether some words stand in the text, for which the script has to be read.
    pub(crate) fn mentions(&self, words: &[&str]) -> bool {
        words.iter().any(|word| memchr::memmem::find(self.text, word.as_bytes()).is_some())
    }

    /// The texts that may be names of this kind, found without reading the script as a whole.
    pub(crate) fn possible_names(&self, kind: KindOfName) -> impl Iterator<Item = &'c str> {
        let all = self.possible_names.get_or_init(|| possible_names(self.text));
        all.iter().filter(move |(of, _)| *of == kind).map(|(_, name)| *name)
    }

    /// Whether the script may load a file that is missing.
    pub(crate) fn may_load_missing(&self) -> bool {
        *self.may_load_missing.get_or_init(|| may_load_missing(self))
    }

    /// The script, if it can be read.
    pub(crate) fn source(&self) -> Option<&ScriptSource<'c>> {
        self.source.get_or_init(|| ScriptSource::parse(self.text)).as_ref()
    }
}
