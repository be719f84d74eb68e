//! How diagnostics are printed: one file for each output format.
//!
//! To add a format, write its file with a [`Renderer`] after the pattern of a neighbour. Add its `mod`
//! line, its variant of [`OutputFormat`] with the help text, and its arm in [`OutputFormat::renderer`].
//!
//! The JSON formats are types with `serde`, and the types document the formats.
//!
//! A public schema goes into `tests/fixtures/schemas`, with a test in `tests/outputs.rs`. A format of `gdscene diff` is
//! `output/diff_<format>.rs`, with an entry in `commands/diff.rs` and a test with `diff_samples::hostile()`.

pub(crate) mod arranged;
mod concise;
pub(crate) mod diff;
pub(crate) mod diff_html;
pub(crate) mod diff_json;
pub(crate) mod diff_markdown;
#[cfg(test)]
mod diff_samples;
pub(crate) mod diff_text;
pub(crate) mod diff_words;
pub(crate) mod edited;
pub(crate) mod file_diff;
mod fingerprint;
mod github;
mod gitlab;
mod human;
pub(crate) mod json;
mod junit;
pub(crate) mod place;
pub(crate) mod plan;
pub(crate) mod progress;
mod rdjson;
pub(crate) mod report;
mod sarif;
mod statistics;

use std::cell::OnceCell;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use clap::ValueEnum;
use gdscene_lint::Config;
use gdscene_render::JsonDiagnostic;
pub(crate) use gdscene_render::to_json;
use godot_tscn::{Diagnostic, LineIndex};
use serde::Serialize;

use self::arranged::{Arranged, Order};
use self::statistics::Statistics;
use crate::inputs::Problem;

/// How diagnostics are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// With the source, the consequence, help and the fix
    #[default]
    Full,
    /// One line for each diagnostic
    Concise,
    /// One list of objects
    Json,
    /// One object on each line
    Jsonl,
    /// SARIF 2.1.0, with rules and fixes: for code scanning and editors
    Sarif,
    /// Workflow commands, which GitHub shows next to the lines
    Github,
    /// GitLab's code quality report
    Gitlab,
    /// JUnit XML, a test suite for each file
    Junit,
    /// Reviewdog's diagnostic format
    Rdjson,
}

/// Prints diagnostics in one format. The output is what these functions write, end to end: [`Renderer::start`], then
/// [`Renderer::file`] for each file in the order of the command line, then [`Renderer::end`].
///
/// Only `end` knows the whole run. A format whose head needs totals writes nothing before it, and keeps what it gets
/// behind a lock.
pub(crate) trait Renderer: Sync {
    /// Writes what comes before all files.
    fn start(&self, out: &mut String) {
        let _ = out;
    }

    /// Writes the diagnostics of one file; most formats write nothing for a file without diagnostics. Threads call this for
    /// several files at once.
    fn file(&self, out: &mut String, file: &FileDiagnostics<'_>);

    /// What comes between two files for which something was written.
    fn separator(&self) -> &'static str {
        ""
    }

    /// Writes what comes after all files.
    fn end(&self, out: &mut String, run: &Run<'_>) {
        let _ = (out, run);
    }
}

/// A file and the diagnostics in it.
pub(crate) struct FileDiagnostics<'a> {
    pub(crate) path: &'a str,
    pub(crate) text: &'a [u8],
    /// In the order of their places.
    pub(crate) diagnostics: &'a [Diagnostic],
    /// Which file of the run this is.
    number: usize,
    /// The folder of the project that it belongs to.
    project: Option<&'a Path>,
    index: OnceCell<LineIndex<'a>>,
}

/// A finished run.
pub(crate) struct Run<'a> {
    /// The last line for people.
    pub(crate) summary: &'a dyn Display,
    /// The paths that could not be checked. They were reported on standard error.
    pub(crate) problems: &'a [Problem],
    /// Whether nothing was written for any file.
    pub(crate) is_empty: bool,
}

impl OutputFormat {
    /// [`OutputFormat::renderer`], which prints what is for people in this order, and in the format `full` equal diagnostics
    /// once if `is_grouped`.
    pub(crate) fn arranged(
        self,
        color: bool,
        order: Order,
        is_grouped: bool,
        configs: &[Arc<Config>],
    ) -> Box<dyn Renderer> {
        match (self, order) {
            // Each file is printed once it is checked.
            (Self::Full, Order::File) if !is_grouped => self.renderer(color, configs),
            (Self::Full, _) => Box::new(Arranged::new(human::Human::new(color), order, is_grouped)),
            (Self::Concise, Order::Severity) => {
                Box::new(Arranged::new(concise::Concise, order, false))
            }
            _ => self.renderer(color, configs),
        }
    }

    /// The renderer of the number of diagnostics of each rule, if this format can hold them.
    pub(crate) fn statistics(self) -> Option<Box<dyn Renderer>> {
        match self {
            Self::Full | Self::Concise => Some(Box::new(Statistics::table())),
            Self::Json => Some(Box::new(Statistics::json())),
            _ => None,
        }
    }

    /// The renderer of this format, with or without colours. `configs` are those of the projects, for the rules that they define.
    pub(crate) fn renderer(self, color: bool, configs: &[Arc<Config>]) -> Box<dyn Renderer> {
        match self {
            Self::Full => Box::new(human::Human::new(color)),
            Self::Concise => Box::new(concise::Concise),
            Self::Json => Box::new(json::Json),
            Self::Jsonl => Box::new(json::Jsonl),
            Self::Sarif => Box::new(sarif::Sarif::new(configs)),
            Self::Github => Box::new(github::Github),
            Self::Gitlab => Box::new(gitlab::Gitlab),
            Self::Junit => Box::new(junit::Junit),
            Self::Rdjson => Box::new(rdjson::Rdjson),
        }
    }
}

impl<'a> FileDiagnostics<'a> {
    pub(crate) fn new(path: &'a str, text: &'a [u8], diagnostics: &'a [Diagnostic]) -> Self {
        Self { path, text, diagnostics, number: 0, project: None, index: OnceCell::new() }
    }

    /// The same file as the one with this number of the run.
    pub(crate) fn with_number(self, number: usize) -> Self {
        Self { number, ..self }
    }

    /// The same file in the project in the folder `project`.
    pub(crate) fn in_project(self, project: Option<&'a Path>) -> Self {
        Self { project, ..self }
    }

    /// The path of another file of the project, which a fix names as `res://…`.
    pub(crate) fn path_of(&self, path: &str) -> String {
        let Some((folder, below)) = self.project.zip(path.strip_prefix("res://")) else {
            return path.to_owned();
        };
        place::relative(&folder.join(below).to_string_lossy())
    }

    /// A diagnostic of this file for programs.
    pub(crate) fn json<'f>(&'f self, diagnostic: &'f Diagnostic) -> JsonDiagnostic<'f> {
        JsonDiagnostic::new(self.path, self.index(), diagnostic, &|path| self.path_of(path))
    }

    /// Lines and columns of the text's bytes.
    pub(crate) fn index(&self) -> &LineIndex<'a> {
        self.index.get_or_init(|| LineIndex::new(self.text))
    }
}

/// The JSON text of `value`, indented.
pub(crate) fn to_json_pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value)
        .expect("numbers, strings, lists and structures have a JSON text")
}
/// `999 B`, `12.3 kB`.
pub(crate) fn size(bytes: u64) -> String {
    let (mut value, mut unit) = (bytes as f64, "B");
    for larger in ["kB", "MB", "GB"] {
        if value < 1000.0 {
            break;
        }
        value /= 1000.0;
        unit = larger;
    }
    if unit == "B" { format!("{bytes} B") } else { format!("{value:.1} {unit}") }
}
