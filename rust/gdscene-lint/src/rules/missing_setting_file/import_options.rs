//! Files that the options of an import name, in `.import` files.

use godot_project::ResolvedPath;
use godot_tscn::{PartRef, Reporter, Severity, Span, ValueTree};

use super::{is_made_by_import, may_be_unread, report_missing};
use crate::rules::context::SettingsContext;

const WITHOUT_SCRIPT: &str = "Godot logs an error at each import and runs no script";
const OWN_MATERIAL: &str =
    "Godot logs an error at each import and keeps the material of the imported file";
const FALLBACK: &str =
    "Godot logs an error at each import and loads the file of `use_external/fallback_path`";

/// Reports missing files that Godot 4 loads when it imports a 3D scene: its script, and materials of other files.
pub(super) fn check(context: &SettingsContext<'_>, reporter: &mut Reporter<'_>) {
    let sections = context.file.sections().filter(|section| *section.name() == *b"params");
    for property in sections.flat_map(godot_tscn::ConfigSection::properties) {
        let value = ValueTree::new(property.source());
        let checker = Checker { context, start: property.value_span().start };
        match &*property.engine_key() {
            b"import_script/path" => {
                if let Some(script) = checker.missing(value.root()) {
                    checker.report(value.root(), &script, WITHOUT_SCRIPT, reporter);
                }
            }
            b"_subresources" => {
                let Some(materials) = value.root().get("materials") else { continue };
                for (_, options) in materials.entries() {
                    checker.check_material(options, reporter);
                }
            }
            _ => {}
        }
    }
}

struct Checker<'c> {
    context: &'c SettingsContext<'c>,
    /// Where the value begins.
    start: u32,
}

impl Checker<'_> {
    fn check_material(&self, options: PartRef<'_>, reporter: &mut Reporter<'_>) {
        let is_enabled = options.get("use_external/enabled");
        if is_enabled.is_none_or(|part| part.source() != b"true") {
            return;
        }
        let Some(path) = options.get("use_external/path") else { return };
        let Some(missing) = self.missing(path) else { return };
        // Godot asks for the other path only where a uid leads nowhere.
        let fallback = options.get("use_external/fallback_path");
        let has_fallback = missing.starts_with("uid://")
            && fallback.is_some_and(|part| part.text().is_some() && self.missing(part).is_none());
        let consequence = if has_fallback { FALLBACK } else { OWN_MATERIAL };
        self.report(path, &missing, consequence, reporter);
    }

    /// The path or uid in `part`, if the project has no such file.
    fn missing(&self, part: PartRef<'_>) -> Option<String> {
        let text = part.text()?;
        let path = String::from_utf8_lossy(&text);
        if path.is_empty() {
            return None;
        }
        let project = self.context.project;
        match project.resolve(self.context.path, &path) {
            ResolvedPath::Missing(path) => {
                let is_unknown = path.starts_with("uid://") && may_be_unread(project);
                (!is_unknown && !is_made_by_import(project, &path)).then_some(path)
            }
            _ => None,
        }
    }

    fn report(
        &self,
        part: PartRef<'_>,
        missing: &str,
        consequence: &'static str,
        reporter: &mut Reporter<'_>,
    ) {
        let span = part.span();
        let span = Span::new(self.start + span.start, self.start + span.end);
        let diagnostic = report_missing(self.context.project, span, missing, "", reporter);
        diagnostic.severity = Severity::Warning;
        diagnostic.consequence(consequence);
    }
}
