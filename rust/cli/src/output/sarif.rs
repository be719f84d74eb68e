//! SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"): for code scanning, editors and viewers.

use std::collections::HashMap;

use serde_json::{Value, json};
use tscn::{Applicability, Diagnostic, Edit, Fix, LineIndex, RuleInfo, Severity, Span};

use crate::output::fingerprint::fingerprints;
use crate::output::place::{full_message, uri};
use crate::output::{Found, Renderer, Run};
use crate::rule_text;

/// The format `sarif`.
pub(crate) struct Sarif {
    /// Where in the list of rules each stands, by code.
    indexes: HashMap<&'static str, usize>,
}

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

impl Sarif {
    pub(crate) fn new() -> Self {
        let indexes = project::all_rules().enumerate().map(|(index, rule)| (rule.code, index));
        Self { indexes: indexes.collect() }
    }

    fn result(&self, found: &Found<'_>, diagnostic: &Diagnostic, fingerprint: &str) -> Value {
        let location = |span| {
            json!({
                "physicalLocation": {
                    "artifactLocation": { "uri": uri(found.path) },
                    "region": region(found.index(), span),
                },
            })
        };
        let mut result = json!({
            "ruleId": diagnostic.code,
            "level": level(diagnostic.severity),
            "message": { "text": full_message(diagnostic) },
            "locations": [location(diagnostic.span)],
            "partialFingerprints": { "gdscene/v1": fingerprint },
        });
        if let Some(index) = self.indexes.get(diagnostic.code) {
            result["ruleIndex"] = json!(index);
        }
        let labels = diagnostic.labels.iter().map(|label| {
            let mut location = location(label.span);
            location["message"] = json!({ "text": label.text });
            location
        });
        let labels: Vec<Value> = labels.collect();
        if !labels.is_empty() {
            result["relatedLocations"] = json!(labels);
        }
        // A viewer applies what stands here as it is; what needs completion is not for it.
        let fix = diagnostic.fix.as_ref();
        if let Some(fix) = fix.filter(|fix| fix.applicability < Applicability::DisplayOnly) {
            result["fixes"] = json!([fix_object(found, fix)]);
        }
        result
    }
}

impl Renderer for Sarif {
    fn start(&self, out: &mut String) {
        let rules: Vec<Value> = project::all_rules().map(rule_object).collect();
        let driver = json!({
            "name": "gdscene",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        });
        // Results follow as they come, so the object is put together by hand.
        out.push_str(&format!(
            "{{\"$schema\":{},\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{driver}}},\
             \"columnKind\":\"unicodeCodePoints\",\"results\":[",
            json!(SCHEMA)
        ));
    }

    fn file(&self, out: &mut String, found: &Found<'_>) {
        let findings = found.diagnostics.iter().zip(fingerprints(found));
        for (number, (diagnostic, fingerprint)) in findings.enumerate() {
            out.push_str(if number == 0 { "\n" } else { ",\n" });
            out.push_str(&self.result(found, diagnostic, &fingerprint).to_string());
        }
    }

    fn separator(&self) -> &'static str {
        ","
    }

    fn end(&self, out: &mut String, run: &Run<'_>) {
        let notification = |problem: &crate::walk::Problem| {
            json!({
                "level": "error",
                "message": { "text": problem.reason },
                "locations": [{
                    "physicalLocation": {
                        "artifactLocation": { "uri": uri(&problem.path.to_string_lossy()) },
                    },
                }],
            })
        };
        let notifications: Vec<Value> = run.problems.iter().map(notification).collect();
        let invocation = json!({
            "executionSuccessful": notifications.is_empty(),
            "toolExecutionNotifications": notifications,
        });
        out.push_str(&format!("\n],\"invocations\":[{invocation}]}}]}}\n"));
    }
}

fn rule_object(rule: &'static RuleInfo) -> Value {
    let (what, docs) = (rule_text::what_it_does(rule), rule_text::markdown(rule));
    json!({
        "id": rule.code,
        "name": rule.name,
        "shortDescription": { "text": what },
        "help": { "text": docs, "markdown": docs },
        "defaultConfiguration": {
            "enabled": !rule.is_off_by_default,
            "level": level(rule.severity),
        },
        "properties": { "tags": [rule_text::group(rule)] },
    })
}

fn fix_object(found: &Found<'_>, fix: &Fix) -> Value {
    let own = change(found.path, found.index(), fix.edits());
    let own = Some(own).filter(|_| !fix.edits().is_empty());
    let others = fix.other_files().iter().map(|file| {
        let text = file.text().map_or(&[][..], |text| text);
        change(&found.path_of(&file.path), &LineIndex::new(text), file.edits())
    });
    json!({
        "description": { "text": fix.title },
        "artifactChanges": own.into_iter().chain(others).collect::<Vec<_>>(),
        "properties": { "applicability": fix.applicability.as_str() },
    })
}

/// What changes in one file.
fn change(path: &str, index: &LineIndex<'_>, edits: &[Edit]) -> Value {
    let replacement = |edit: &Edit| {
        json!({
            "deletedRegion": region(index, edit.span),
            "insertedContent": { "text": edit.replacement },
        })
    };
    json!({
        "artifactLocation": { "uri": uri(path) },
        "replacements": edits.iter().map(replacement).collect::<Vec<_>>(),
    })
}

fn region(index: &LineIndex<'_>, span: Span) -> Value {
    let (start, end) = (index.position(span.start), index.position(span.end));
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "byteOffset": span.start,
        "byteLength": span.len(),
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}
