//! What the rules report, as the protocol has it.

use gdscene_lint::{CONFIG_NAME, Workspace};
use godot_tscn::Severity;
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

/// What is reported of a text. `path` is `res://…`, or any name for a file outside of projects.
pub(crate) fn of(workspace: &Workspace, path: &str, text: &Text, uri: &Uri) -> Vec<Diagnostic> {
    if is_own_config(path) {
        return of_own_config(workspace, path, text);
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
        code_description: page_of(env!("CARGO_PKG_REPOSITORY"), found.code),
        source: Some(SOURCE.to_owned()),
        message: message(found),
        related_information: (!related.is_empty()).then_some(related),
        tags: tag(found.name).map(|tag| vec![tag]),
        data: None,
    }
}

/// Where the page of a rule is, as a link on its code. The address is the owner's to decide: until then, `Cargo.toml` has a placeholder,
/// and there is no link.
fn page_of(repository: &str, code: &str) -> Option<CodeDescription> {
    if repository.split('/').any(|part| part == "OWNER") {
        return None;
    }
    let version = env!("CARGO_PKG_VERSION");
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

/// What is wrong, what Godot makes of it, and what helps.
fn message(found: &godot_tscn::Diagnostic) -> String {
    let mut message = found.message.clone();
    for (word, text) in [("", &found.consequence), ("help: ", &found.help)] {
        if let Some(text) = text {
            message.push('\n');
            message.push_str(word);
            message.push_str(text);
        }
    }
    message
}

/// What editors show faded or struck through.
fn tag(rule: &str) -> Option<DiagnosticTag> {
    let is_of = |words: &[&str]| rule.split('-').any(|word| words.contains(&word));
    match () {
        () if is_of(&["unused", "redundant", "default"]) => Some(DiagnosticTag::UNNECESSARY),
        () if is_of(&["deprecated", "renamed"]) => Some(DiagnosticTag::DEPRECATED),
        () => None,
    }
}

/// What is wrong with the project's `gdscene.toml` on the disk, and the file's address.
pub(crate) fn of_saved_config(
    workspace: &Workspace,
    encoding: Encoding,
) -> Option<(Uri, Vec<Diagnostic>)> {
    let place = workspace.root()?.join(CONFIG_NAME);
    let text = Text::new(godot_project::read_file(&place).ok()?, encoding);
    let found = of_own_config(workspace, CONFIG_NAME, &text);
    (!found.is_empty()).then_some((uris::uri_of(&place)?, found))
}

/// What is wrong with a text of the project's `gdscene.toml`.
fn of_own_config(workspace: &Workspace, path: &str, text: &Text) -> Vec<Diagnostic> {
    let Ok(source) = std::str::from_utf8(text.bytes()) else { return Vec::new() };
    let place = workspace.root().map_or_else(|| path.into(), |root| root.join(CONFIG_NAME));
    let parsed = gdscene_lint::Config::parse(source, &place, &gdscene_lint::Overrides::default());
    let Err(error) = parsed else { return Vec::new() };
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
        assert_eq!(page_of("https://example.org/OWNER/fast_variant", "REF001"), None);
        let page = page_of("https://example.org/us/fast_variant", "REF001").unwrap();
        let version = env!("CARGO_PKG_VERSION");
        let wanted = format!(
            "https://example.org/us/fast_variant/blob/v{version}/rust/docs/rules/REF001.md"
        );
        assert_eq!(page.href.as_str(), wanted);
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/rules/REF001.md");
        assert!(std::path::Path::new(path).exists());
    }
}
