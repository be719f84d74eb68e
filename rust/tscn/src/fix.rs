//! Applying fixes to a text.

use crate::diagnostic::{Applicability, Diagnostic, Edit};

/// A text after [`apply_fixes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The new text.
    pub text: Vec<u8>,
    /// How many fixes were applied.
    pub applied_count: usize,
    /// How many fixes were left out because they touch what another one changed: lint the new
    /// text and apply again.
    pub postponed_count: usize,
}

/// Applies the fixes of `diagnostics` that are at most as daring as `limit` to `text`.
///
/// A fix is applied as a whole or not at all.
///
/// ```
/// use tscn::{Applicability, LintOptions};
///
/// let text = b"[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1_a\"]\n\n\
///              [node name=\"Main\" type=\"Node\"]\n";
/// let report = tscn::lint(text, &LintOptions::default());
/// let fixed = tscn::apply_fixes(text, &report.diagnostics, Applicability::Safe);
/// assert_eq!(fixed.applied_count, 1);
/// assert_eq!(fixed.text, b"[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node\"]\n");
/// ```
pub fn apply_fixes(text: &[u8], diagnostics: &[Diagnostic], limit: Applicability) -> Fixed {
    let mut edits: Vec<&Edit> = Vec::new();
    let (mut applied_count, mut postponed_count) = (0, 0);
    for fix in diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref()) {
        if fix.applicability > limit {
            continue;
        }
        if fix.edits().iter().any(|edit| collides(&edits, edit)) {
            postponed_count += 1;
            continue;
        }
        for edit in fix.edits() {
            let at = edits.partition_point(|other| other.span <= edit.span);
            edits.insert(at, edit);
        }
        applied_count += 1;
    }
    Fixed { text: apply_edits(text, &edits), applied_count, postponed_count }
}

/// Whether `edit` overlaps or touches one of the sorted `edits`.
fn collides(edits: &[&Edit], edit: &Edit) -> bool {
    let at = edits.partition_point(|other| other.span.end < edit.span.start);
    edits.get(at).is_some_and(|other| other.span.start <= edit.span.end)
}

fn apply_edits(text: &[u8], edits: &[&Edit]) -> Vec<u8> {
    let mut fixed = Vec::with_capacity(text.len());
    let mut copied = 0;
    for edit in edits {
        let range = edit.span.range();
        fixed.extend_from_slice(&text[copied..range.start]);
        fixed.extend_from_slice(edit.replacement.as_bytes());
        copied = range.end;
    }
    fixed.extend_from_slice(&text[copied..]);
    fixed
}
