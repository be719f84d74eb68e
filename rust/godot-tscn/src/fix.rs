//! Applying fixes to a text.

use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::edit_set::EditSet;
use crate::godot_version::GodotVersion;
use crate::lint::lint;
use crate::options::LintOptions;

/// How [`fix`] works.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FixOptions<'a> {
    /// The file's path or name. Nothing is read.
    pub path: Option<&'a str>,
    /// The most daring fixes that are applied.
    pub limit: Applicability,
    /// Whether to fix `.escn` files too, which exporters write and people do not edit.
    pub force_escn: bool,
    /// The version of Godot that the file is for; see [`LintOptions::target`].
    pub target: Option<GodotVersion>,
}

impl<'a> FixOptions<'a> {
    /// Safe fixes for the file at `path`.
    pub fn for_path(path: &'a str) -> Self {
        Self { path: Some(path), limit: Applicability::Safe, force_escn: false, target: None }
    }
}

/// A fix can make others possible; after this number of rounds the rest is left.
const MAX_ROUNDS: usize = 16;

/// Lints a text and applies the fixes, until none is left. Nothing for an `.escn` file, unless forced.
///
/// ```
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nvisible = True\n";
/// let fixed = godot_tscn::fix(text, &godot_tscn::FixOptions::for_path("a.tscn")).unwrap();
/// assert!(fixed.text.ends_with(b"visible = true\n"));
/// ```
pub fn fix(text: &[u8], options: &FixOptions<'_>) -> Option<Fixed> {
    let extension = options.path.and_then(|path| path.rsplit_once('.')).map(|(_, end)| end);
    if !options.force_escn && extension.is_some_and(|end| end.eq_ignore_ascii_case("escn")) {
        return None;
    }
    let lint_options =
        LintOptions { path: options.path, target: options.target, ..LintOptions::default() };
    Some(fix_by(text, options.limit, |text| lint(text, &lint_options).diagnostics))
}

/// Applies the fixes of the findings of `lint` in a text, until none is left.
///
/// ```
/// use godot_tscn::{Applicability, LintOptions};
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nvisible = True\n";
/// let lint = |text: &[u8]| godot_tscn::lint(text, &LintOptions::default()).diagnostics;
/// assert_eq!(godot_tscn::fix_by(text, Applicability::Safe, lint).applied_count, 1);
/// ```
pub fn fix_by(text: &[u8], limit: Applicability, lint: impl Fn(&[u8]) -> Vec<Diagnostic>) -> Fixed {
    let mut found = lint(text);
    let errors_before = error_count(&found);
    let mut fixed =
        Fixed { text: text.to_vec(), applied_count: 0, postponed_count: 0, uncovered_count: 0 };
    for number in 1..=MAX_ROUNDS {
        let round = apply_fixes(&fixed.text, &found, limit);
        fixed.text = round.text;
        fixed.applied_count += round.applied_count;
        fixed.postponed_count = round.postponed_count;
        if round.applied_count == 0 {
            break;
        }
        found = lint(&fixed.text);
        if number == MAX_ROUNDS {
            fixed.postponed_count = apply_fixes(&fixed.text, &found, limit).applied_count;
        }
    }
    fixed.uncovered_count = error_count(&found).saturating_sub(errors_before);
    fixed
}

fn error_count(found: &[Diagnostic]) -> usize {
    found.iter().filter(|found| found.severity == Severity::Error).count()
}

/// A text after [`apply_fixes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The new text.
    pub text: Vec<u8>,
    /// How many fixes were applied.
    pub applied_count: usize,
    /// The number of fixes that were left out because they touch text that another one changed, or because each of very many only
    /// showed after the one before: lint the new text and apply again.
    pub postponed_count: usize,
    /// How many more errors there are than before; [`apply_fixes`] does not know. Safe fixes make none, but the text that
    /// they make readable may have hidden findings: in a value, once its commas are right.
    pub uncovered_count: usize,
}

/// Applies the fixes of `diagnostics` that are at most as daring as `limit` to `text`.
///
/// A fix is applied as a whole or not at all; one that touches other files too ([`Fix::other_files`]) is left out.
///
/// [`Fix::other_files`]: crate::Fix::other_files
///
/// ```
/// use godot_tscn::{Applicability, LintOptions};
///
/// let text = b"[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1_a\"]\n\n\
///              [node name=\"Main\" type=\"Node\"]\n";
/// let report = godot_tscn::lint(text, &LintOptions::default());
/// let fixed = godot_tscn::apply_fixes(text, &report.diagnostics, Applicability::Safe);
/// assert_eq!(fixed.applied_count, 1);
/// assert_eq!(fixed.text, b"[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node\"]\n");
/// ```
pub fn apply_fixes(text: &[u8], diagnostics: &[Diagnostic], limit: Applicability) -> Fixed {
    let mut edits = EditSet::default();
    let (mut applied_count, mut postponed_count) = (0, 0);
    for fix in diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref()) {
        if fix.applicability > limit || !fix.other_files().is_empty() {
            continue;
        }
        if edits.add(fix.edits()) {
            applied_count += 1;
        } else {
            postponed_count += 1;
        }
    }
    Fixed { text: edits.apply(text), applied_count, postponed_count, uncovered_count: 0 }
}
