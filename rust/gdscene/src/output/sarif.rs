//! SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"): for code scanning, editors and viewers.

mod log;

use std::collections::HashMap;
use std::sync::Arc;

use gdscene_lint::{Config, KnownRule};
use godot_tscn::{Applicability, Diagnostic, Edit, Fix, LineIndex, Severity, Span};

use self::log::{
    ArtifactChange, ArtifactLocation, Configuration, Driver, FixProperties, Help, Invocation,
    Location, Message, Notification, PartialFingerprints, PhysicalLocation, Region, Replacement,
    ReportingDescriptor, RuleProperties, SarifFix, SarifResult,
};
use crate::inputs::Problem;
use crate::output::fingerprint::fingerprints;
use crate::output::place::{full_message, uri};
use crate::output::{FileDiagnostics, Renderer, Run, to_json};
use crate::rule_text;

/// The format `sarif`: a log with one run.
pub(crate) struct Sarif {
    /// The program, with all rules.
    driver: Driver,
    /// The position of each rule in the list of rules, by code.
    indexes: HashMap<&'static str, usize>,
}

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

impl Sarif {
    /// With gdscene's rules, and those that the projects define. If two projects have rules of one code, the first one counts.
    pub(crate) fn new(configs: &[Arc<Config>]) -> Self {
        let own = configs.iter().flat_map(|config| config.own_rules().map(KnownRule::Own));
        let (mut rules, mut indexes) = (Vec::new(), HashMap::new());
        for rule in gdscene_lint::all_rules().map(KnownRule::BuiltIn).chain(own) {
            indexes.entry(rule.code).or_insert_with(|| {
                rules.push(descriptor(&rule));
                rules.len() - 1
            });
        }
        let version = env!("CARGO_PKG_VERSION");
        Self { driver: Driver { name: "gdscene", rules, semantic_version: version }, indexes }
    }

    fn result<'d>(
        &self,
        file: &FileDiagnostics<'_>,
        diagnostic: &'d Diagnostic,
        fingerprint: &'d str,
    ) -> SarifResult<'d> {
        let location = |span, text: Option<&'d str>| Location {
            message: text.map(|text| Message { text: text.into() }),
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri: uri(file.path) },
                region: Some(region(file.index(), span)),
            },
        };
        let labels = diagnostic.labels.iter();
        // A viewer applies a fix as it is, so it gets none that a person has to complete.
        let fix = diagnostic.fix.as_ref();
        let fix = fix.filter(|fix| fix.applicability < Applicability::DisplayOnly);
        SarifResult {
            fixes: fix.map(|fix| [sarif_fix(file, fix)]),
            level: level(diagnostic.severity),
            locations: [location(diagnostic.span, None)],
            message: Message { text: full_message(diagnostic).into() },
            partial_fingerprints: PartialFingerprints { gdscene: fingerprint },
            related_locations: labels
                .map(|label| location(label.span, Some(&label.text)))
                .collect(),
            rule_id: diagnostic.code,
            rule_index: self.indexes.get(diagnostic.code).copied(),
        }
    }
}

impl Renderer for Sarif {
    fn start(&self, out: &mut String) {
        // Results follow while files are checked, so the log around them is written here and in `end`.
        out.push_str(&format!(
            "{{\"$schema\":{},\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{}}},\
             \"columnKind\":\"unicodeCodePoints\",\"results\":[",
            to_json(&SCHEMA),
            to_json(&self.driver),
        ));
    }

    fn file(&self, out: &mut String, file: &FileDiagnostics<'_>) {
        let findings = file.diagnostics.iter().zip(fingerprints(file));
        for (number, (diagnostic, fingerprint)) in findings.enumerate() {
            out.push_str(if number == 0 { "\n" } else { ",\n" });
            out.push_str(&to_json(&self.result(file, diagnostic, &fingerprint)));
        }
    }

    fn separator(&self) -> &'static str {
        ","
    }

    fn end(&self, out: &mut String, run: &Run<'_>) {
        let notification = |problem: &Problem| Notification {
            level: "error",
            locations: [Location {
                message: None,
                physical_location: PhysicalLocation {
                    artifact_location: ArtifactLocation {
                        uri: uri(&problem.path.to_string_lossy()),
                    },
                    region: None,
                },
            }],
            message: Message { text: problem.reason.clone().into() },
        };
        let invocation = Invocation {
            execution_successful: run.problems.is_empty(),
            tool_execution_notifications: run.problems.iter().map(notification).collect(),
        };
        out.push_str(&format!("\n],\"invocations\":[{}]}}]}}\n", to_json(&invocation)));
    }
}

fn descriptor(rule: &KnownRule<'_>) -> ReportingDescriptor {
    let docs = rule.markdown();
    ReportingDescriptor {
        default_configuration: Configuration {
            enabled: !rule.is_off_by_default,
            level: level(rule.severity),
        },
        help: Help { markdown: docs.clone(), text: docs },
        id: rule.code,
        name: rule.name,
        properties: RuleProperties { tags: [rule.letters()] },
        short_description: Message { text: rule_text::what_it_does(rule).into() },
    }
}

fn sarif_fix<'d>(file: &FileDiagnostics<'_>, fix: &'d Fix) -> SarifFix<'d> {
    let own = change(file.path, file.index(), fix.edits());
    let own = Some(own).filter(|_| !fix.edits().is_empty());
    let others = fix.other_files().iter().map(|other| {
        let text = other.text().map_or(&[][..], |text| text);
        change(&file.path_of(&other.path), &LineIndex::new(text), other.edits())
    });
    SarifFix {
        artifact_changes: own.into_iter().chain(others).collect(),
        description: Message { text: fix.title.as_ref().into() },
        properties: FixProperties { applicability: fix.applicability.as_str() },
    }
}

/// The edits of one file.
fn change<'d>(path: &str, index: &LineIndex<'_>, edits: &'d [Edit]) -> ArtifactChange<'d> {
    let replacement = |edit: &'d Edit| Replacement {
        deleted_region: region(index, edit.span),
        inserted_content: Message { text: edit.replacement.as_str().into() },
    };
    ArtifactChange {
        artifact_location: ArtifactLocation { uri: uri(path) },
        replacements: edits.iter().map(replacement).collect(),
    }
}

fn region(index: &LineIndex<'_>, span: Span) -> Region {
    let (start, end) = (index.position(span.start), index.position(span.end));
    Region {
        byte_length: span.len(),
        byte_offset: span.start,
        end_column: end.column,
        end_line: end.line,
        start_column: start.column,
        start_line: start.line,
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}
