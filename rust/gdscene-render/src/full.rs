//! For people: a line that editors and terminals can jump to, the source with carets, and the notes.

use std::fmt::Write;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use godot_tscn::{Applicability, Diagnostic, LineIndex, Severity};
use godot_variant::printable;

use crate::excerpt::Excerpt;

/// The format `full`.
#[derive(Debug)]
pub struct Full {
    renderer: Renderer,
    color: bool,
}

impl Full {
    /// With or without colours of a terminal.
    pub fn new(color: bool) -> Self {
        Self { renderer: if color { Renderer::styled() } else { Renderer::plain() }, color }
    }

    /// Adds a diagnostic of the file at `path` with this text.
    pub fn entry(
        &self,
        out: &mut String,
        path: &str,
        text: &[u8],
        index: &LineIndex<'_>,
        diagnostic: &Diagnostic,
    ) {
        header(out, path, index, diagnostic, self.color);
        let group = group(text, index, diagnostic);
        out.push_str(&self.renderer.render(&[group]));
        out.push('\n');
    }
}

/// `path:line:column: severity[CODE name]: message`
fn header(
    out: &mut String,
    path: &str,
    index: &LineIndex<'_>,
    diagnostic: &Diagnostic,
    color: bool,
) {
    let position = index.position(diagnostic.span.start);
    let Diagnostic { code, name, severity, message, .. } = diagnostic;
    let (start, bold, end) =
        if color { (ansi(*severity), "\x1b[1m", "\x1b[0m") } else { ("", "", "") };
    let _ = writeln!(
        out,
        "{}:{}:{}: {start}{}[{code} {name}]{end}: {bold}{}{end}",
        printable(path),
        position.line,
        position.column,
        severity.as_str(),
        printable(message),
    );
}

/// The source with carets, and the notes below it.
fn group<'d>(text: &[u8], index: &LineIndex<'_>, diagnostic: &'d Diagnostic) -> Group<'d> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let mut group = Group::with_level(level).elements(snippets(text, index, diagnostic));
    if let Some(consequence) = &diagnostic.consequence {
        group = group.element(Level::NOTE.with_name("consequence").message(consequence.as_ref()));
    }
    if let Some(cause) = &diagnostic.cause {
        group = group.element(Level::NOTE.with_name("cause").message(cause.as_ref()));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_ref()));
    }
    if let Some(fix) = &diagnostic.fix {
        let applicability = match fix.applicability {
            Applicability::Safe => "safe",
            Applicability::Unsafe => "unsafe",
            Applicability::DisplayOnly => "needs a manual decision",
        };
        let fix = format!("{} ({applicability})", fix.title);
        group = group.element(Level::HELP.with_name("fix").message(fix));
    }
    group
}

/// One snippet of all marked places if they are close to each other, or one for each.
fn snippets<'d>(
    text: &[u8],
    index: &LineIndex<'_>,
    diagnostic: &'d Diagnostic,
) -> Vec<Snippet<'d, Annotation<'d>>> {
    let mut marks = vec![(diagnostic.span, AnnotationKind::Primary, None)];
    for label in &diagnostic.labels {
        marks.push((label.span, AnnotationKind::Context, Some(label.text.as_ref())));
    }
    let spans: Vec<_> = marks.iter().map(|(span, ..)| *span).collect();
    if let Some(block) = Excerpt::block(text, index, &spans) {
        let annotations = marks
            .into_iter()
            .zip(block.marks)
            .map(|((_, kind, label), mark)| kind.span(mark).label(label));
        return vec![Snippet::source(block.source).line_start(block.line).annotations(annotations)];
    }
    marks
        .into_iter()
        .map(|(span, kind, label)| {
            let mut excerpt = Excerpt::line(text, index, span);
            let mark = excerpt.marks.remove(0);
            Snippet::source(excerpt.source)
                .line_start(excerpt.line)
                .annotation(kind.span(mark).label(label))
        })
        .collect()
}

fn ansi(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "\x1b[1;31m",
        Severity::Warning => "\x1b[1;33m",
        Severity::Info => "\x1b[1;34m",
    }
}
