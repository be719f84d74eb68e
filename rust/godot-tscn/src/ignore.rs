//! Suppressions: how a file says that a diagnostic is not to be reported, and how that is written into it.
//!
//! `metadata/_lint_ignore = ["REF007"]` on a node or resource stays when Godot saves the file. On the root of a scene, or on
//! the `[resource]` of a resource file, it also applies to things without metadata: the header, external resources,
//! connections. The comment `; gdscene: ignore[REF007] reason` does not stay. At the end of a line or alone on the line
//! before it is about that line, above the first tag about the whole file. In a script it begins with `#`, and is about the
//! whole file above all code.

mod write;

use std::cell::Cell;

use hashbrown::HashMap;

use crate::diagnostic::Diagnostic;
use crate::diagnostic::RuleGroup;
use crate::document::{Document, Property, Section, TagKind};
use crate::line_index::LineIndex;
use crate::options::{LintOptions, Profile, is_about_reading};
use crate::quote::quote;
use crate::rule_choice::RuleState;
use crate::rule_info::RuleInfo;
use crate::rules::Reporter;
use crate::span::Span;
use crate::suggest::{SuggestionBudget, nearest};
use crate::words::{self, IGNORE_MARK};

pub use write::ignore_here;

const PROPERTY: &[u8] = b"metadata/_lint_ignore";

/// The rule about suppressions without a use.
pub static UNUSED_SUPPRESSION: RuleInfo = crate::rule_info! {
    /// ## What it does
    /// Reports a comment `; gdscene: ignore[…]` or an entry of `metadata/_lint_ignore` for a rule that finds nothing
    /// there, or that there is not. Rules that are off are passed over.
    ///
    /// ## Why is this bad?
    /// What it was for is gone. The next mistake of that kind will not be reported.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/_lint_ignore = ["REF001"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## References
    /// `apply_suppressions` (rust/godot-tscn/src/ignore.rs)
    "STY011", "unused-suppression", Warning
};

/// Removes the diagnostics that the document suppresses, and adds one ([`UNUSED_SUPPRESSION`]) for each suppression that
/// suppresses nothing: [`Findings::reported`](crate::Findings::reported).
pub(crate) fn apply_suppressions(
    document: &Document<'_>,
    options: &LintOptions<'_>,
    rules: &[&RuleInfo],
    diagnostics: &mut Vec<Diagnostic>,
) {
    if options.profile == Profile::Untrusted {
        return;
    }
    if has_suppressions(document.text()) {
        Suppressions::of(document).apply(options, rules, diagnostics);
    }
}

/// The effect of [`Findings::reported`](crate::Findings::reported) on suppressions, in a script with these comments.
pub fn apply_script_suppressions(
    text: &[u8],
    comments: &[Span],
    options: &LintOptions<'_>,
    rules: &[&RuleInfo],
    diagnostics: &mut Vec<Diagnostic>,
) {
    if options.profile == Profile::Trusted && has_suppressions(text) {
        Suppressions::of_script(text, comments).apply(options, rules, diagnostics);
    }
}

/// Whether a text may suppress something.
pub fn has_suppressions(text: &[u8]) -> bool {
    words::holds(text, b"_lint_ignore") || words::holds(text, IGNORE_MARK)
}

/// Whether a configuration or a baseline may suppress a diagnostic. Findings that make an untrusted file dangerous
/// cannot be suppressed, nor those that prevent its judgement.
pub fn is_suppressible(found: &Diagnostic, options: &LintOptions<'_>) -> bool {
    let Diagnostic { group, severity, .. } = found;
    options.profile == Profile::Trusted
        || *group != RuleGroup::Security && !is_about_reading(*group, *severity)
}

/// The suppressions of a text.
struct Suppressions<'d> {
    text: &'d [u8],
    /// Nothing for a script.
    document: Option<&'d Document<'d>>,
    lines: LineIndex<'d>,
    list: Vec<Suppression<'d>>,
    /// Indices into the list.
    by_scope: HashMap<(SuppressionScope, Vec<u8>), usize>,
}

/// One code or name in a comment or a list.
struct Suppression<'d> {
    span: Span,
    rule: &'d [u8],
    is_used: Cell<bool>,
}

/// The target of a suppression.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum SuppressionScope {
    File,
    /// The line that starts here.
    Line(u32),
    /// A section that can have metadata.
    Section(u32),
    /// All sections that cannot.
    OtherSections,
}

impl<'d> Suppressions<'d> {
    fn of(document: &'d Document<'d>) -> Self {
        let mut suppressions = Self::new(document.text(), Some(document));
        let first_tag = document.sections().next().map(|section| section.tag_span().start);
        suppressions.read_comments(b";", document.comments(), first_tag);
        suppressions.read_metadata(document);
        suppressions
    }

    fn of_script(text: &'d [u8], comments: &[Span]) -> Self {
        let mut suppressions = Self::new(text, None);
        suppressions.read_comments(b"#", comments, first_code(text, comments));
        suppressions
    }

    fn new(text: &'d [u8], document: Option<&'d Document<'d>>) -> Self {
        let lines = LineIndex::new(text);
        Self { text, document, lines, list: Vec::new(), by_scope: HashMap::new() }
    }

    /// Removes the suppressed findings, and adds the suppressions that suppress nothing.
    fn apply(
        &self,
        options: &LintOptions<'_>,
        rules: &[&RuleInfo],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        diagnostics.retain(|found| !self.suppress(found));
        let state = options.state_of(&UNUSED_SUPPRESSION);
        state.run(diagnostics, |diagnostics| self.report_unused(options, rules, diagnostics));
        diagnostics.sort_by_key(|found| (found.span, found.code));
    }

    /// Reads comments that begin with `mark`. Those above `first_tag` are about the whole file.
    fn read_comments(&mut self, mark: &[u8], comments: &[Span], first_tag: Option<u32>) {
        let text = self.text;
        for comment in comments {
            let source = comment.of(text);
            let Some(codes) = source.strip_prefix(mark).map(<[u8]>::trim_ascii_start) else {
                continue;
            };
            let Some(codes) = codes.strip_prefix(IGNORE_MARK) else { continue };
            let from = comment.end - codes.len() as u32;
            let line = self.lines.line_start(comment.start);
            let is_alone = text[line as usize..comment.start as usize].trim_ascii().is_empty();
            let scopes = if is_alone && first_tag.is_some_and(|tag| comment.end <= tag) {
                vec![SuppressionScope::File]
            } else if is_alone {
                vec![
                    SuppressionScope::Line(line),
                    SuppressionScope::Line(self.lines.line_end(comment.start) + 1),
                ]
            } else {
                vec![SuppressionScope::Line(line)]
            };
            let codes = codes.split(|byte| *byte == b']').next().unwrap_or_default();
            for code in codes.split(|byte| *byte == b',') {
                let offset = from + offset_in(codes, code);
                self.add(offset, code, &scopes);
            }
        }
    }

    fn read_metadata(&mut self, document: &'d Document<'d>) {
        let mut has_root = false;
        for section in document.sections().filter(|section| keeps_metadata(*section)) {
            let is_root = match section.kind() {
                TagKind::Node => !has_root && section.field("parent").is_none(),
                kind => kind == TagKind::Resource,
            };
            has_root |= is_root && section.kind() == TagKind::Node;
            let Some(list) = list_of(section) else { continue };
            let own = SuppressionScope::Section(section.index());
            let scopes =
                if is_root { vec![own, SuppressionScope::OtherSections] } else { vec![own] };
            for code in codes_in(list) {
                let offset = list.value_span().start + offset_in(list.source(), code);
                self.add(offset, code, &scopes);
            }
        }
    }

    fn add(&mut self, offset: u32, rule: &'d [u8], scopes: &[SuppressionScope]) {
        let offset = offset + (rule.len() - rule.trim_ascii_start().len()) as u32;
        let rule = rule.trim_ascii();
        if rule.is_empty() {
            return;
        }
        for scope in scopes {
            self.by_scope.entry((*scope, rule.to_ascii_lowercase())).or_insert(self.list.len());
        }
        let span = Span { start: offset, end: offset + rule.len() as u32 };
        self.list.push(Suppression { span, rule, is_used: Cell::new(false) });
    }

    /// Whether one of them suppresses the diagnostic, and is used with that.
    fn suppress(&self, found: &Diagnostic) -> bool {
        let at = found.span.start;
        let section = self.document.and_then(|document| document.section_at(at));
        let section = section.filter(|section| keeps_metadata(*section));
        let section = section.map_or(SuppressionScope::OtherSections, |section| {
            SuppressionScope::Section(section.index())
        });
        let line = SuppressionScope::Line(self.lines.line_start(at));
        let mut is_suppressed = false;
        for name in [found.code, found.name] {
            for scope in [SuppressionScope::File, line, section] {
                let key = (scope, name.to_ascii_lowercase().into_bytes());
                if let Some(index) = self.by_scope.get(&key) {
                    self.list[*index].is_used.set(true);
                    is_suppressed = true;
                }
            }
        }
        is_suppressed
    }

    fn report_unused(
        &self,
        options: &LintOptions<'_>,
        rules: &[&RuleInfo],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let mut reporter = Reporter::new(&UNUSED_SUPPRESSION, diagnostics);
        let are_all = rules.iter().any(|rule| rule.code == UNUSED_SUPPRESSION.code);
        let suggestions = SuggestionBudget::new();
        for unused in self.list.iter().filter(|suppression| !suppression.is_used.get()) {
            let Ok(name) = std::str::from_utf8(unused.rule) else { continue };
            let rule = rules.iter().find(|rule| rule.is_called(name));
            if rule.is_none() && are_all {
                let diagnostic = reporter.report(unused.span, format!("unknown rule `{name}`"));
                let names = rules.iter().flat_map(|rule| [rule.code, rule.name]);
                let upper = name.to_ascii_uppercase();
                let near = suggestions
                    .nearest(name.as_bytes(), names.clone().map(str::as_bytes))
                    .or_else(|| nearest(upper.as_bytes(), names.map(str::as_bytes)));
                if let Some(near) = near {
                    diagnostic.help(format!("did you mean {}?", quote(near)));
                }
                continue;
            }
            let Some(rule) = rule else { continue };
            if options.state_of(rule) != RuleState::Off {
                let message = format!("`{name}` does not report anything here to ignore");
                reporter.report(unused.span, message).help("remove it from the list");
            }
        }
    }
}

/// Where the first line of a script is that is more than a comment.
fn first_code(text: &[u8], comments: &[Span]) -> Option<u32> {
    let mut at = 0;
    let comments = comments.iter().map(|comment| (comment.start, comment.end));
    for (start, end) in comments.chain([(text.len() as u32, text.len() as u32)]) {
        let between = text.get(at..start as usize).unwrap_or_default();
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || [0xEF, 0xBB, 0xBF].contains(byte);
        if let Some(code) = between.iter().position(|byte| !is_blank(byte)) {
            return Some((at + code) as u32);
        }
        at = end as usize;
    }
    None
}

/// How far `part` is from the start of the text that it was cut from.
fn offset_in(whole: &[u8], part: &[u8]) -> u32 {
    (part.as_ptr().addr() - whole.as_ptr().addr()) as u32
}

/// Whether Godot keeps text that is written into the section as metadata.
fn keeps_metadata(section: Section<'_>) -> bool {
    let kinds = [TagKind::Node, TagKind::SubResource, TagKind::Resource];
    kinds.contains(&section.kind()) && !section.is_broken()
}

fn list_of(section: Section<'_>) -> Option<Property<'_>> {
    section.properties().rfind(|property| *property.engine_key() == *PROPERTY)
}

/// The strings in a list of codes.
fn codes_in(property: Property<'_>) -> impl Iterator<Item = &[u8]> {
    property.source().split(|byte| *byte == b'"').skip(1).step_by(2)
}

#[cfg(test)]
mod tests;
