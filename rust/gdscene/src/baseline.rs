//! Baselines: files that list known diagnostics, so that `gdscene check` reports only new ones.
//!
//! A diagnostic is identified by its rule, its file, the path of its node and its message. Its line does not count, so
//! that other changes of the file do not make it new.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use godot_project::read_file;
use godot_tscn::{Diagnostic, LintOptions, NodePlaces, is_suppressible};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::files::create_or_replace;
use crate::inputs::Input;
use crate::output::to_json_pretty;

/// The diagnostics that a baseline file lists.
#[derive(Debug)]
pub(crate) struct Baseline {
    /// The folder of the file. Paths in the file are relative to it.
    folder: PathBuf,
    counts: BTreeMap<String, Counts>,
}

/// How many diagnostics with the same key a file has.
pub(crate) type Counts = BTreeMap<Key, u64>;

/// The identity of a diagnostic in its file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    rule: String,
    /// The path of the node, or an empty string.
    node: String,
    message: String,
}

/// Why a baseline cannot be used.
#[derive(Debug, Error)]
pub(crate) enum BaselineError {
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{}: not valid JSON: {source}", path.display())]
    NotJson { path: PathBuf, source: serde_json::Error },
    /// Other JSON, or a version of the format that this program does not know.
    #[error("{}: not a baseline; write one with --write-baseline", path.display())]
    NotABaseline { path: PathBuf },
}

/// The content of a baseline file, as JSON. Keys are in alphabetical order, diagnostics in the order of path, rule, node and
/// message.
#[derive(Debug, Serialize, Deserialize)]
struct BaselineFile<'a> {
    findings: Vec<KnownFinding<'a>>,
    /// [`VERSION`].
    version: u64,
}

/// One entry of a [`BaselineFile`].
#[derive(Debug, Serialize, Deserialize)]
struct KnownFinding<'a> {
    /// How many such diagnostics there are, from 1.
    count: u64,
    message: Cow<'a, str>,
    /// The path of the node, such as `Root/Child`, or an empty string for a diagnostic outside nodes.
    node: Cow<'a, str>,
    /// The path of the file from the folder of the baseline, with `/`; absolute if it is not below that folder.
    path: Cow<'a, str>,
    /// The code of the rule, such as `REF007`.
    rule: Cow<'a, str>,
}

/// The version of the format that is read and written.
const VERSION: u64 = 1;

impl Baseline {
    /// An empty baseline for a file at `path`.
    pub(crate) fn empty(path: &Path) -> io::Result<Self> {
        let file = std::path::absolute(path)?;
        let folder = file.parent().unwrap_or(Path::new("/")).to_owned();
        Ok(Self { folder, counts: BTreeMap::new() })
    }

    pub(crate) fn read(path: &Path) -> Result<Self, BaselineError> {
        let unreadable = |source| BaselineError::Unreadable { path: path.to_owned(), source };
        let text = read_file(path).map_err(unreadable)?;
        let mut baseline = Self::empty(path).map_err(unreadable)?;
        let file: BaselineFile<'_> = serde_json::from_slice(&text).map_err(|source| {
            let path = path.to_owned();
            match source.is_data() {
                true => BaselineError::NotABaseline { path },
                false => BaselineError::NotJson { path, source },
            }
        })?;
        if file.version != VERSION {
            return Err(BaselineError::NotABaseline { path: path.to_owned() });
        }
        for KnownFinding { count, message, node, path, rule } in file.findings {
            let counts = baseline.counts.entry(path.into_owned()).or_default();
            let key = Key { rule: rule.into(), node: node.into(), message: message.into() };
            let known = counts.entry(key).or_default();
            *known = known.saturating_add(count);
        }
        Ok(baseline)
    }

    /// Removes the diagnostics that are known: of several with the same key, the first ones.
    pub(crate) fn remove_known(
        &self,
        input: &Input,
        text: &[u8],
        options: &LintOptions<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let Some(known) = self.counts.get(&self.path_of(input)) else { return };
        let mut left = known.clone();
        let keys = keys(text, diagnostics);
        let mut keys = keys.into_iter();
        diagnostics.retain(|found| {
            let count = keys.next().and_then(|key| left.get_mut(&key));
            let is_known = count.is_some_and(|count| {
                let is_left = *count > 0;
                *count = count.saturating_sub(1);
                is_left
            });
            !is_known || !is_suppressible(found, options)
        });
    }

    /// The diagnostics of a file, for [`Baseline::add`].
    pub(crate) fn counts(text: &[u8], diagnostics: &[Diagnostic]) -> Counts {
        let mut counts = Counts::new();
        for key in keys(text, diagnostics) {
            *counts.entry(key).or_default() += 1;
        }
        counts
    }

    pub(crate) fn add(&mut self, input: &Input, counts: Counts) {
        if !counts.is_empty() {
            self.counts.insert(self.path_of(input), counts);
        }
    }

    /// Writes the file and returns the number of diagnostics in it.
    pub(crate) fn write(&self, path: &Path) -> io::Result<u64> {
        let (mut findings, mut total) = (Vec::new(), 0);
        for (path, counts) in &self.counts {
            for (Key { rule, node, message }, count) in counts {
                total += count;
                findings.push(KnownFinding {
                    count: *count,
                    message: message.into(),
                    node: node.into(),
                    path: path.into(),
                    rule: rule.into(),
                });
            }
        }
        let text = to_json_pretty(&BaselineFile { findings, version: VERSION });
        create_or_replace(path, format!("{text}\n").as_bytes())?;
        Ok(total)
    }

    /// The path from the folder of the baseline, with `/` on all systems.
    fn path_of(&self, input: &Input) -> String {
        let (Input::File(path), Some(folder)) = (input, input.absolute_folder()) else {
            return input.name().into_owned();
        };
        let file = folder.join(path.file_name().unwrap_or_default());
        let relative = file.strip_prefix(&self.folder).unwrap_or(&file);
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        parts.join("/")
    }
}

fn keys(text: &[u8], diagnostics: &[Diagnostic]) -> Vec<Key> {
    let document = godot_tscn::parse(text);
    let places = NodePlaces::new(&document);
    let key = |found: &Diagnostic| Key {
        rule: found.code.to_owned(),
        node: places.at(found.span.start).unwrap_or_default(),
        message: found.message.clone(),
    };
    diagnostics.iter().map(key).collect()
}
