//! For GitLab: a code quality report, as `artifacts:reports:codequality` takes it
//! (<https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>).

use godot_tscn::Severity;
use serde::Serialize;

use crate::output::fingerprint::fingerprints;
use crate::output::place::{Region, full_message, relative};
use crate::output::{FileDiagnostics, Renderer, Run, to_json};

/// The format `gitlab`: a list of [`Issue`]s.
pub(crate) struct Gitlab;

/// A diagnostic. GitLab's report is a part of Code Climate's, from which `type` and `content` are.
#[derive(Debug, Serialize)]
struct Issue<'d> {
    check_name: String,
    content: Content,
    description: String,
    /// Reports with the same fingerprint are the same diagnostic in two versions of a file.
    fingerprint: &'d str,
    location: Location<'d>,
    /// `info`, `minor`, `major`, `critical` or `blocker`.
    severity: &'static str,
    r#type: &'static str,
}

#[derive(Debug, Serialize)]
struct Content {
    body: String,
}

#[derive(Debug, Serialize)]
struct Location<'d> {
    lines: Lines,
    path: &'d str,
}

/// The first line and the last one, from 1.
#[derive(Debug, Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

impl Renderer for Gitlab {
    fn start(&self, out: &mut String) {
        out.push('[');
    }

    fn file(&self, out: &mut String, file: &FileDiagnostics<'_>) {
        let path = relative(file.path);
        for (number, (diagnostic, fingerprint)) in
            file.diagnostics.iter().zip(fingerprints(file)).enumerate()
        {
            let Region { start, end } = Region::new(file, diagnostic.span);
            let issue = Issue {
                check_name: format!("{} {}", diagnostic.code, diagnostic.name),
                content: Content { body: full_message(diagnostic) },
                description: format!("{}: {}", diagnostic.code, diagnostic.message),
                fingerprint: &fingerprint,
                location: Location {
                    lines: Lines { begin: start.line, end: end.line },
                    path: &path,
                },
                severity: severity(diagnostic.severity),
                r#type: "issue",
            };
            out.push_str(if number == 0 { "\n" } else { ",\n" });
            out.push_str(&to_json(&issue));
        }
    }

    fn separator(&self) -> &'static str {
        ","
    }

    fn end(&self, out: &mut String, run: &Run<'_>) {
        out.push_str(if run.is_empty { "]\n" } else { "\n]\n" });
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Info => "info",
    }
}
