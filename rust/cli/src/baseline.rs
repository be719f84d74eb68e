//! Findings that are known: a file that lists them, so that only new ones are reported.
//!
//! A finding is known again by its rule, its file, the path of its node and its message. Lines do not count, so
//! that other changes of the file leave it known.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use project::read_file;
use serde_json::{Value, json};
use tscn::{Diagnostic, LintOptions, NodePlaces, can_be_waived};

use crate::files::create_or_replace;
use crate::linter::folder_of;
use crate::walk::Target;

const VERSION: u64 = 1;

/// How often a finding is known.
pub(crate) type Counts = BTreeMap<Key, u64>;

/// The findings that a file lists.
#[derive(Debug)]
pub(crate) struct Baseline {
    /// The folder of the file, which paths start from.
    folder: PathBuf,
    counts: BTreeMap<String, Counts>,
}

/// By what a finding is known again, in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    rule: String,
    /// The path of the node, or nothing.
    node: String,
    message: String,
}

impl Baseline {
    /// An empty one that is to be written to `path`.
    pub(crate) fn empty(path: &Path) -> io::Result<Self> {
        let file = std::path::absolute(path)?;
        let folder = file.parent().unwrap_or(Path::new("/")).to_owned();
        Ok(Self { folder, counts: BTreeMap::new() })
    }

    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let failed = |reason: String| format!("{}: {reason}", path.display());
        let text = read_file(path).map_err(|error| failed(format!("cannot be read: {error}")))?;
        let mut baseline = Self::empty(path).map_err(|error| failed(error.to_string()))?;
        let json: Value =
            serde_json::from_slice(&text).map_err(|error| failed(error.to_string()))?;
        let no_baseline = || failed("this is no baseline; write one with --write-baseline".into());
        if json["version"].as_u64() != Some(VERSION) {
            return Err(no_baseline());
        }
        for entry in json["findings"].as_array().ok_or_else(no_baseline)? {
            let text = |key: &str| entry[key].as_str().map(str::to_owned).ok_or_else(no_baseline);
            let key = Key { rule: text("rule")?, node: text("node")?, message: text("message")? };
            let count = entry["count"].as_u64().ok_or_else(no_baseline)?;
            *baseline.counts.entry(text("path")?).or_default().entry(key).or_default() += count;
        }
        Ok(baseline)
    }

    /// Leaves out the findings that are known, the first ones of each kind.
    pub(crate) fn leave_out(
        &self,
        target: &Target,
        text: &[u8],
        options: &LintOptions<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let Some(known) = self.counts.get(&self.path_of(target)) else { return };
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
            !is_known || !can_be_waived(found, options)
        });
    }

    /// What is found in a file, to be added.
    pub(crate) fn counts(text: &[u8], diagnostics: &[Diagnostic]) -> Counts {
        let mut counts = Counts::new();
        for key in keys(text, diagnostics) {
            *counts.entry(key).or_default() += 1;
        }
        counts
    }

    pub(crate) fn add(&mut self, target: &Target, counts: Counts) {
        if !counts.is_empty() {
            self.counts.insert(self.path_of(target), counts);
        }
    }

    /// Writes the file, and gives the number of findings in it.
    pub(crate) fn write(&self, path: &Path) -> io::Result<u64> {
        let (mut findings, mut total) = (Vec::new(), 0);
        for (path, counts) in &self.counts {
            for (Key { rule, node, message }, count) in counts {
                total += count;
                findings.push(json!({
                    "rule": rule, "path": path, "node": node, "message": message, "count": count,
                }));
            }
        }
        let json = json!({ "version": VERSION, "findings": findings });
        create_or_replace(path, format!("{json:#}\n").as_bytes())?;
        Ok(total)
    }

    /// The path from the baseline's folder, with slashes on all systems.
    fn path_of(&self, target: &Target) -> String {
        let (Target::File(path), Some(folder)) = (target, folder_of(target)) else {
            return target.name().into_owned();
        };
        let file = folder.join(path.file_name().unwrap_or_default());
        let relative = file.strip_prefix(&self.folder).unwrap_or(&file);
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        parts.join("/")
    }
}

fn keys(text: &[u8], diagnostics: &[Diagnostic]) -> Vec<Key> {
    let document = tscn::parse(text);
    let places = NodePlaces::new(&document);
    let key = |found: &Diagnostic| Key {
        rule: found.code.to_owned(),
        node: places.at(found.span.start).unwrap_or_default(),
        message: found.message.clone(),
    };
    diagnostics.iter().map(key).collect()
}
