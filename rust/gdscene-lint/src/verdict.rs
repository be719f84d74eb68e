//! What an engine reported of the files of a project, next to what our own rules report.

use std::collections::BTreeMap;

use godot_tscn::{
    Diagnostic, Findings, LineIndex, LintOptions, Reporter, RuleGroup, RuleInfo, Severity, Span,
};

use crate::rules::engine::RULES;

/// What an engine reported of the files of a project, by path.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    files: BTreeMap<String, Vec<EngineFinding>>,
}

/// Something that an engine reported of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EngineFinding {
    /// The line, from 1, if the engine names one.
    pub line: Option<u32>,
    /// What kind of report it is.
    pub kind: EngineRule,
    /// The words of the engine.
    pub message: String,
    /// What else may help.
    pub help: Option<String>,
    /// Why it is so, if several files may have this cause.
    pub cause: Option<String>,
}

/// The rules `ENG…`, in the order of their codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EngineRule {
    /// A script does not compile.
    ScriptError,
    /// A script compiles with a warning.
    ScriptWarning,
    /// A shader does not compile.
    ShaderError,
    /// A file is not loaded, or not all of it.
    LoadError,
    /// A file is loaded with a message.
    LoadWarning,
    /// Code that runs while a file is loaded fails.
    RuntimeError,
    /// The engine ended at a file.
    Crash,
    /// The engine did not come to the end of a file.
    Timeout,
    /// An asset cannot be imported.
    ImportError,
}

impl EngineRule {
    fn info(self) -> &'static RuleInfo {
        &RULES[self as usize]
    }

    /// Whether the file was not loaded, or not all of it.
    fn is_about_loading(self) -> bool {
        matches!(self, Self::LoadError | Self::ImportError)
    }
}

impl EngineFinding {
    /// One with these words of the engine.
    pub fn new(kind: EngineRule, line: Option<u32>, message: impl Into<String>) -> Self {
        Self { line, kind, message: message.into(), help: None, cause: None }
    }
}

impl Verdict {
    /// Adds a finding, unless it is there already.
    pub fn add(&mut self, path: impl Into<String>, finding: EngineFinding) {
        let findings = self.files.entry(path.into()).or_default();
        if !findings.contains(&finding) {
            findings.push(finding);
        }
    }

    /// What was reported of the file at `path` (`res://…`).
    pub fn of(&self, path: &str) -> &[EngineFinding] {
        self.files.get(path).map_or(&[], Vec::as_slice)
    }

    /// The files with findings.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Makes one finding, or none, of those of each file for which `is_meant` is true. `join` gets these and the others.
    pub fn join(
        &mut self,
        is_meant: impl Fn(&EngineFinding) -> bool,
        join: impl Fn(Vec<EngineFinding>, &[EngineFinding]) -> Option<EngineFinding>,
    ) {
        for findings in self.files.values_mut() {
            let (meant, others) = std::mem::take(findings).into_iter().partition(&is_meant);
            *findings = others;
            findings.extend(join(meant, findings));
        }
        self.files.retain(|_, findings| !findings.is_empty());
    }

    /// Keeps the findings for which `is_kept` is true.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&str, &EngineFinding) -> bool) {
        for (path, findings) in &mut self.files {
            findings.retain(|finding| is_kept(path, finding));
        }
        self.files.retain(|_, findings| !findings.is_empty());
    }
}

/// Adds to the findings of our rules in a text what the engine reported beyond them.
pub(crate) fn add_to(findings: &mut Findings<'_>, text: &[u8], reported: &[EngineFinding]) {
    if reported.is_empty() {
        return;
    }
    let new = Beyond::new(text, findings.found()).of(reported);
    for (finding, span) in new {
        findings.run(finding.kind.info(), |reporter| report(finding, span, reporter));
    }
}

/// [`add_to`], for a text that is no document.
pub(crate) fn add_to_list(
    found: &mut Vec<Diagnostic>,
    text: &[u8],
    reported: &[EngineFinding],
    options: &LintOptions<'_>,
) {
    let new = Beyond::new(text, found).of(reported);
    for (finding, span) in new {
        let rule = finding.kind.info();
        options.state_of(rule).run(found, |found| {
            report(finding, span, &mut Reporter::new(rule, found));
        });
    }
}

fn report(finding: &EngineFinding, span: Span, reporter: &mut Reporter<'_>) {
    let diagnostic = reporter.report(span, finding.message.clone());
    diagnostic.help = finding.help.clone().map(Into::into);
    diagnostic.cause = finding.cause.clone().map(Into::into);
}

/// What our own rules report of a text, to leave out what the engine only repeats.
struct Beyond<'t> {
    text: &'t [u8],
    lines: LineIndex<'t>,
    own: Vec<Own>,
}

/// A finding of ours.
struct Own {
    line: u32,
    group: RuleGroup,
    severity: Severity,
    message: String,
}

impl<'t> Beyond<'t> {
    fn new(text: &'t [u8], found: &[Diagnostic]) -> Self {
        let lines = LineIndex::new(text);
        let own = found.iter().filter(|found| explains_failures(found.group)).map(|found| Own {
            line: lines.position(found.span.start).line,
            group: found.group,
            severity: found.severity,
            message: found.message.clone(),
        });
        let own = own.collect();
        Self { text, lines, own }
    }

    /// Those that say something new, each with its place.
    fn of<'r>(&self, reported: &'r [EngineFinding]) -> Vec<(&'r EngineFinding, Span)> {
        let is_new = |finding: &&EngineFinding| !self.is_known(finding);
        reported.iter().filter(is_new).map(|finding| (finding, self.span(finding.line))).collect()
    }

    /// Whether one of our findings is about the same: it is in the same line, or names the same file as its message, or
    /// says why the file as a whole is not loaded.
    fn is_known(&self, finding: &EngineFinding) -> bool {
        let named = named_path(&finding.message);
        self.own.iter().any(|own| match finding.kind {
            EngineRule::Crash | EngineRule::Timeout | EngineRule::ScriptWarning => false,
            _ if finding.line == Some(own.line) => true,
            kind if kind.is_about_loading() || kind == EngineRule::LoadWarning => match named {
                Some(path) => own.message.contains(path),
                None => own.severity == Severity::Error && is_about_the_whole(own.group),
            },
            _ => false,
        })
    }

    /// The line without white space around it; the first one with text if none is named.
    fn span(&self, line: Option<u32>) -> Span {
        let mut start = 0;
        let mut first = None;
        for (number, bytes) in (1..).zip(self.text.split_inclusive(|byte| *byte == b'\n')) {
            let trimmed = bytes.trim_ascii();
            let at = start + bytes.len() - bytes.trim_ascii_start().len();
            let span = Span::new(at as u32, (at + trimmed.len()) as u32);
            start += bytes.len();
            if line == Some(number) {
                return span;
            }
            if first.is_none() && !trimmed.is_empty() {
                first = Some(span);
            }
            if line.is_none() && first.is_some() {
                break;
            }
        }
        // The engine counts a line that is not there when a text ends too early.
        if line.is_some_and(|line| line as usize >= self.lines.line_count()) {
            return Span::new(start as u32, start as u32);
        }
        first.unwrap_or(Span::new(0, 0))
    }
}

/// Whether a rule of the group may say why Godot refuses something.
fn explains_failures(group: RuleGroup) -> bool {
    !matches!(group, RuleGroup::Style | RuleGroup::Performance | RuleGroup::Security)
}

/// Whether an error of the group makes Godot refuse a file as a whole.
fn is_about_the_whole(group: RuleGroup) -> bool {
    use RuleGroup::{Reference, Resource, Script, Structure, Syntax};
    matches!(group, Syntax | Structure | Reference | Resource | Script)
}

/// The first path or uid of the project that a message names.
pub fn named_path(message: &str) -> Option<&str> {
    let start = message.find("res://").or_else(|| message.find("uid://"))?;
    let text = &message[start..];
    let end = match message[..start].chars().next_back() {
        Some(quote @ ('"' | '\'' | '`')) => text.find(quote),
        _ => text.find(|char: char| char.is_whitespace() || matches!(char, ')' | ']' | '"' | '\'')),
    };
    let path = text[..end.unwrap_or(text.len())].trim_end_matches(['.', ',', ':', ';']);
    (path.len() > "res://".len()).then_some(path)
}

#[cfg(test)]
mod tests;
