//! The place of a diagnostic, as people see it.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::line_index::{LineIndex, Position};
use crate::node_places::NodePlaces;

/// A diagnostic and its subject.
///
/// ```
/// use godot_tscn::{LintOptions, LocatedDiagnostic};
///
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\")\n";
/// let document = godot_tscn::parse(text);
/// let report = godot_tscn::lint_parsed(&document, &LintOptions::default());
/// let located = &LocatedDiagnostic::all(&document, report.diagnostics)[0];
/// assert_eq!((located.position.line, located.node_path.as_deref()), (4, Some(".")));
/// ```
#[derive(Clone, Debug)]
pub struct LocatedDiagnostic {
    /// The diagnostic.
    pub diagnostic: Diagnostic,
    /// Where it begins.
    pub position: Position,
    /// Where it ends, the character there excluded.
    pub end: Position,
    /// The path of its node from the root of the scene, if it is about one.
    pub node_path: Option<String>,
}

impl LocatedDiagnostic {
    /// Works out where the diagnostics of a scene or resource are.
    pub fn all(document: &Document<'_>, diagnostics: Vec<Diagnostic>) -> Vec<Self> {
        if diagnostics.is_empty() {
            return Vec::new();
        }
        let (lines, places) = (LineIndex::new(document.text()), NodePlaces::new(document));
        let located = |diagnostic: Diagnostic| Self {
            position: lines.position(diagnostic.span.start),
            end: lines.position(diagnostic.span.end),
            node_path: places.at(diagnostic.span.start),
            diagnostic,
        };
        diagnostics.into_iter().map(located).collect()
    }

    /// Works out where the diagnostics of a settings file or script are, which have no nodes.
    pub fn all_of_config(text: &[u8], diagnostics: Vec<Diagnostic>) -> Vec<Self> {
        let lines = LineIndex::new(text);
        let located = |diagnostic: Diagnostic| Self {
            position: lines.position(diagnostic.span.start),
            end: lines.position(diagnostic.span.end),
            node_path: None,
            diagnostic,
        };
        diagnostics.into_iter().map(located).collect()
    }
}
