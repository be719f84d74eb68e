//! For GitLab: a code quality report, as `artifacts:reports:codequality` takes it.

use serde_json::json;
use tscn::Severity;

use crate::output::fingerprint::fingerprints;
use crate::output::place::{Region, full_message, relative};
use crate::output::{Found, Renderer, Run};

/// The format `gitlab`.
pub(crate) struct Gitlab;

impl Renderer for Gitlab {
    fn start(&self, out: &mut String) {
        out.push('[');
    }

    fn file(&self, out: &mut String, found: &Found<'_>) {
        let path = relative(found.path);
        for (number, (diagnostic, fingerprint)) in
            found.diagnostics.iter().zip(fingerprints(found)).enumerate()
        {
            let Region { start, end } = Region::new(found, diagnostic.span);
            let issue = json!({
                "type": "issue",
                "check_name": format!("{} {}", diagnostic.code, diagnostic.name),
                "description": format!("{}: {}", diagnostic.code, diagnostic.message),
                "content": { "body": full_message(diagnostic) },
                "severity": severity(diagnostic.severity),
                "fingerprint": fingerprint,
                "location": {
                    "path": path,
                    "lines": { "begin": start.line, "end": end.line },
                },
            });
            out.push_str(if number == 0 { "\n" } else { ",\n" });
            out.push_str(&issue.to_string());
        }
    }

    fn separator(&self) -> &'static str {
        ","
    }

    fn end(&self, out: &mut String, run: &Run<'_>) {
        out.push_str(if run.is_empty { "]\n" } else { "\n]\n" });
    }
}

/// One of `info`, `minor`, `major`, `critical` and `blocker`.
fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Info => "info",
    }
}
