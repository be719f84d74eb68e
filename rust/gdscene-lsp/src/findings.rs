//! The findings of the rules, in the form of the protocol.

use gdscene_lint::{CONFIG_NAME, Workspace};
use godot_tscn::{RuleGroup, Severity};
use ls_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    Location, NumberOrString, Uri,
};

use crate::text::{Encoding, Text};
use crate::uris;

/// The name under which findings are shown.
pub(crate) const SOURCE: &str = "gdscene";

/// Whether a file is a `gdscene.toml`, which no rule looks at.
pub(crate) fn is_own_config(path: &str) -> bool {
    path.rsplit(['/', '\\']).next() == Some(CONFIG_NAME)
}

/// The findings in a text. `path` is `res://…`, or any name for a file outside projects.
pub(crate) fn of(workspace: &Workspace, path: &str, text: &Text, uri: &Uri) -> Vec<Diagnostic> {
    if is_own_config(path) {
        return of_own_config(workspace, text);
    }
    let found = workspace.diagnostics(path, text.bytes());
    found.iter().map(|found| converted(found, text, uri)).collect()
}

pub(crate) fn converted(found: &godot_tscn::Diagnostic, text: &Text, uri: &Uri) -> Diagnostic {
    let related = found.labels.iter().map(|label| DiagnosticRelatedInformation {
        location: Location::new(uri.clone(), text.range(label.span)),
        message: label.text.to_string(),
    });
    let related: Vec<_> = related.collect();
    Diagnostic {
        range: text.range(found.span),
        severity: Some(severity(found.severity)),
        code: Some(NumberOrString::String(found.code.to_owned())),
        code_description: page_of(env!("CARGO_PKG_REPOSITORY"), found),
        source: Some(SOURCE.to_owned()),
        message: message(found),
        related_information: (!related.is_empty()).then_some(related),
        tags: tag(found.name).map(|tag| vec![tag]),
        data: None,
    }
}

/// Where the page of a rule is, as a link on its code. The address is the owner's to decide: until then, `Cargo.toml` has a placeholder,
/// and there is no link.
/// Rules that a project defines have no page.
fn page_of(repository: &str, found: &godot_tscn::Diagnostic) -> Option<CodeDescription> {
    if found.group == RuleGroup::Own || repository.split('/').any(|part| part == "OWNER") {
        return None;
    }
    let (version, code) = (env!("CARGO_PKG_VERSION"), found.code);
    let href = format!("{repository}/blob/v{version}/rust/docs/rules/{code}.md").parse().ok()?;
    Some(CodeDescription { href })
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Info => DiagnosticSeverity::INFORMATION,
    }
}

/// The problem, its effect in Godot, its cause, and its help.
fn message(found: &godot_tscn::Diagnostic) -> String {
    let mut message = found.message.clone();
    for (word, text) in
        [("", &found.consequence), ("cause: ", &found.cause), ("help: ", &found.help)]
    {
        if let Some(text) = text {
            message.push('\n');
            message.push_str(word);
            message.push_str(text);
        }
    }
    message
}

/// Rules with findings that editors show faded or struck through.
fn tag(rule: &str) -> Option<DiagnosticTag> {
    let is_of = |words: &[&str]| rule.split('-').any(|word| words.contains(&word));
    match () {
        () if is_of(&["unused", "redundant", "default"]) => Some(DiagnosticTag::UNNECESSARY),
        () if is_of(&["deprecated", "renamed"]) => Some(DiagnosticTag::DEPRECATED),
        () => None,
    }
}

/// The errors in the project's `gdscene.toml` on the disk, and the file's address.
pub(crate) fn of_saved_config(
    workspace: &Workspace,
    encoding: Encoding,
) -> Option<(Uri, Vec<Diagnostic>)> {
    let place = workspace.root()?.join(CONFIG_NAME);
    let text = Text::new(godot_project::read_file(&place).ok()?, encoding);
    let found = of_own_config(workspace, &text);
    (!found.is_empty()).then_some((uris::uri_of(&place)?, found))
}

/// The errors in a text of the project's `gdscene.toml`.
fn of_own_config(workspace: &Workspace, text: &Text) -> Vec<Diagnostic> {
    let Ok(source) = std::str::from_utf8(text.bytes()) else { return Vec::new() };
    let Some(error) = workspace.error_in_config(source) else { return Vec::new() };
    let line = error.position.map_or(0, |(line, _)| line.saturating_sub(1));
    let span = text.line(line).unwrap_or_default();
    vec![Diagnostic {
        range: text.range(span),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some(SOURCE.to_owned()),
        message: error.message,
        ..Diagnostic::default()
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_pages_of_rules() {
        let text =
            b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\")\n";
        let mut found = godot_tscn::lint(text, &godot_tscn::LintOptions::default()).diagnostics;
        let found = &mut found[0];
        assert_eq!(found.code, "REF001");
        assert_eq!(page_of("https://example.org/OWNER/fast_variant", found), None);
        let page = page_of("https://example.org/us/fast_variant", found).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        let wanted = format!(
            "https://example.org/us/fast_variant/blob/v{version}/rust/docs/rules/REF001.md"
        );
        assert_eq!(page.href.as_str(), wanted);
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/rules/REF001.md");
        assert!(std::path::Path::new(path).exists());
        found.group = RuleGroup::Own;
        assert_eq!(page_of("https://example.org/us/fast_variant", found), None);
    }
}
