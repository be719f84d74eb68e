//! The diagnostics to show, and the lines at the end, which count the hidden ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use clap::ValueEnum;
use godot_project::LeftOut;
use godot_tscn::{Applicability, Diagnostic, Severity};

use crate::commands::{Status, ThirdParty};
use crate::counted::Counted;
use crate::terminal::printable;

/// The value of `--fail-on`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    Error,
    Warning,
    Info,
    Never,
}

/// What is shown, and what makes the command fail.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// What is less severe is hidden.
    pub(super) shown: Severity,
    /// Nothing if no diagnostic makes it fail.
    pub(super) failing: Option<Severity>,
}

/// Tally of diagnostics.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    errors: usize,
    warnings: usize,
    infos: usize,
    /// Those that `gdscene fix --all` can fix.
    fixable: usize,
    /// The infos among them.
    fixable_infos: usize,
    /// Those that only `gdscene fix --unsafe` can.
    unsafe_fixable: usize,
    /// The number of diagnostics by their cause.
    causes: BTreeMap<String, usize>,
}

/// What the last lines tell.
#[derive(Debug)]
pub(super) struct CheckSummary {
    view: View,
    files: usize,
    /// How many of `files` are settings files.
    settings_files: usize,
    shown: Tally,
    hidden: Tally,
    /// The folders of others in which files were checked.
    third_party: BTreeSet<String>,
    left_out: LeftOut,
    pub(super) unread: usize,
    pub(super) engine: Option<EngineSummary>,
}

/// What an engine did.
#[derive(Debug)]
pub(super) struct EngineSummary {
    /// `Godot 4.6.3`
    pub(super) name: String,
    /// How many files it loaded.
    pub(super) count: usize,
    /// How many things it did not do.
    pub(super) gap_count: usize,
    /// Whether it ended at a file.
    pub(super) has_ended: bool,
}

impl View {
    pub(super) fn new(shown: Severity, failing: Option<FailOn>) -> Self {
        let failing = match failing {
            Some(FailOn::Error) => Some(Severity::Error),
            Some(FailOn::Warning) => Some(Severity::Warning),
            Some(FailOn::Info) => Some(Severity::Info),
            Some(FailOn::Never) => None,
            // A hidden diagnostic fails only on request.
            None => Some(shown.max(Severity::Warning)),
        };
        Self { shown, failing }
    }
}

impl Tally {
    pub(super) fn add(&mut self, found: &Diagnostic) {
        if let Some(cause) = &found.cause {
            *self.causes.entry(cause.clone().into_owned()).or_default() += 1;
        }
        match found.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Info => self.infos += 1,
        }
        match found.fix.as_ref().map(|fix| fix.applicability) {
            Some(Applicability::Safe) => {
                self.fixable += 1;
                self.fixable_infos += usize::from(found.severity == Severity::Info);
            }
            Some(Applicability::Unsafe) => self.unsafe_fixable += 1,
            Some(Applicability::DisplayOnly) | None => {}
        }
    }

    fn add_all(&mut self, other: &Self) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.infos += other.infos;
        self.fixable += other.fixable;
        self.fixable_infos += other.fixable_infos;
        self.unsafe_fixable += other.unsafe_fixable;
        for (cause, count) in &other.causes {
            *self.causes.entry(cause.clone()).or_default() += count;
        }
    }

    fn all(&self) -> usize {
        self.errors + self.warnings + self.infos
    }

    /// How many there are of this severity, and above it.
    fn from(&self, severity: Severity) -> usize {
        match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.errors + self.warnings,
            Severity::Info => self.all(),
        }
    }
}

impl CheckSummary {
    pub(super) fn new(view: View, left_out: LeftOut) -> Self {
        Self {
            view,
            files: 0,
            settings_files: 0,
            shown: Tally::default(),
            hidden: Tally::default(),
            third_party: BTreeSet::new(),
            left_out,
            unread: 0,
            engine: None,
        }
    }

    /// Adds a file that was checked.
    pub(super) fn add_file(&mut self, is_settings_file: bool) {
        self.files += 1;
        self.settings_files += usize::from(is_settings_file);
    }

    /// Adds what was found in a file.
    pub(super) fn add(&mut self, third_party: Option<String>, shown: &Tally, hidden: &Tally) {
        self.shown.add_all(shown);
        self.hidden.add_all(hidden);
        self.third_party.extend(third_party);
    }

    pub(super) fn status(&self) -> Status {
        let is_failing = |failing| self.shown.from(failing) + self.hidden.from(failing) > 0;
        let engine = self.engine.as_ref();
        if self.unread > 0 || engine.is_some_and(|engine| engine.gap_count > 0) {
            Status::Failure
        } else if self.view.failing.is_some_and(is_failing) {
            Status::Findings
        } else if engine.is_some_and(|engine| engine.has_ended) {
            // A baseline or a configuration hides at which file it ended; others were not loaded because of it.
            Status::Failure
        } else {
            Status::Clean
        }
    }

    /// `2 errors, 0 warnings`, or that there are none of them.
    fn write_shown(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { errors, warnings, infos, .. } = &self.shown;
        match (self.shown.all(), self.hidden.all()) {
            (0, 0) => return write!(f, "nothing found"),
            (0, _) if self.view.shown == Severity::Error => return write!(f, "no errors"),
            (0, _) => return write!(f, "no errors or warnings"),
            _ => write!(f, "{}", Counted(*errors, "error"))?,
        }
        if self.view.shown <= Severity::Warning {
            write!(f, ", {}", Counted(*warnings, "warning"))?;
        }
        match infos {
            0 => Ok(()),
            infos => write!(f, ", {}", Counted(*infos, "info")),
        }
    }

    /// `38 infos hidden, `gdscene fix --all` fixes 5 of them; --all shows them`
    fn write_hidden(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { warnings, infos, fixable, .. } = &self.hidden;
        if *warnings > 0 {
            write!(f, "{}", Counted(*warnings, "warning"))?;
        }
        if *infos > 0 {
            let and = if *warnings > 0 { " and " } else { "" };
            write!(f, "{and}{}", Counted(*infos, "info"))?;
        }
        write!(f, " hidden")?;
        if *fixable > 0 {
            write!(f, ", `gdscene fix --all` fixes {fixable} of them")?;
        }
        write!(f, "; --all shows them")
    }
}

/// `8740 findings because the folder "res://art" is missing`, for each cause of several diagnostics, the most frequent first.
fn write_causes(causes: &BTreeMap<String, usize>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const MOST: usize = 3;
    let mut all: Vec<(&String, &usize)> = causes.iter().filter(|(_, count)| **count > 1).collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (cause, count) in all.iter().take(MOST) {
        writeln!(f, "{} because {}", Counted(**count, "finding"), printable(cause))?;
    }
    match all.get(MOST..).unwrap_or_default() {
        [] => Ok(()),
        rest => {
            let count = rest.iter().map(|(_, count)| **count).sum::<usize>();
            writeln!(f, "{} of {}", Counted(count, "finding"), Counted(rest.len(), "more cause"))
        }
    }
}

/// `left out: 2 files and 1 folder that git ignores; 1 folder with a .gdignore file`
fn write_left_out(left_out: LeftOut, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let LeftOut { ignored_files, ignored_folders, gdignored_folders } = left_out;
    let ignored: Vec<String> = [(ignored_files, "file"), (ignored_folders, "folder")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| Counted(count, name).to_string())
        .collect();
    let mut all = Vec::new();
    if !ignored.is_empty() {
        all.push(format!("{} that git ignores", ignored.join(" and ")));
    }
    if gdignored_folders > 0 {
        all.push(format!("{} with a .gdignore file", Counted(gdignored_folders, "folder")));
    }
    match all.is_empty() {
        true => Ok(()),
        false => writeln!(f, "left out: {}", all.join("; ")),
    }
}

impl fmt::Display for CheckSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.third_party.is_empty() {
            writeln!(f, "{}", ThirdParty(&self.third_party))?;
        }
        write_left_out(self.left_out, f)?;
        if let Some(EngineSummary { name, count, gap_count, .. }) = &self.engine {
            let end = if *gap_count > 0 { ", and did not do all of its work" } else { "" };
            writeln!(f, "{name} loaded {}{end}", Counted(*count, "file"))?;
        }
        write_causes(&self.shown.causes, f)?;
        write_causes(&self.hidden.causes, f)?;
        let all = if self.shown.fixable_infos > 0 { " --all" } else { "" };
        match (self.shown.fixable, self.shown.unsafe_fixable) {
            (0, 0) => {}
            (0, count) => writeln!(f, "{count} can be fixed with `gdscene fix --unsafe`")?,
            (count, 0) => writeln!(f, "{count} can be fixed with `gdscene fix{all}`")?,
            (count, more) => {
                writeln!(
                    f,
                    "{count} can be fixed with `gdscene fix{all}`, {more} more with --unsafe"
                )?;
            }
        }
        match self.settings_files {
            count if count == self.files && count > 0 => {
                write!(f, "{} checked: ", Counted(count, "settings file"))?;
            }
            0 => write!(f, "{} checked: ", Counted(self.files, "file"))?,
            count => {
                let settings_files = Counted(count, "settings file");
                let all = Counted(self.files, "file");
                write!(f, "{all} checked, {settings_files} among them: ")?;
            }
        }
        self.write_shown(f)?;
        if self.hidden.all() > 0 {
            write!(f, " (")?;
            self.write_hidden(f)?;
            write!(f, ")")?;
        }
        if self.unread > 0 {
            write!(f, "; {} not checked", Counted(self.unread, "path"))?;
        }
        Ok(())
    }
}
