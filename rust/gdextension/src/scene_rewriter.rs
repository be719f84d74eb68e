//! `SceneRewriter`: the formatter and the fixes as GDScript sees them.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use std::borrow::Cow;

use godot::builtin::{GString, PackedStringArray};
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};

use crate::edition;

/// Rewrites text scenes ([code].tscn[/code]) and resources ([code].tres[/code]) without loading them.
///
/// ```gdscript
/// var fixed := SceneRewriter.fix(text, "res://level.tscn", false)
/// if fixed.is_changed:
///     print("%d fixes" % fixed.fix_count)
/// ```
///
/// Exported games carry a smaller library than the editor, which cannot rewrite: there, each method logs an error and leaves the text alone.
#[derive(GodotClass)]
#[class(no_init, base = Object)]
struct SceneRewriter;

#[godot_api]
impl SceneRewriter {
    /// Lays [param text] out as Godot saves it. [param path] names the file; nothing is read or written. What Godot would refuse or misread is left alone, and [member SceneRewriteResult.error] says why; so are [code].escn[/code] files.
    #[func]
    fn format(text: GString, path: GString) -> Gd<SceneRewriteResult> {
        let text = text.to_string();
        SceneRewriteResult::new(&text, edition::format(&text, &path.to_string()))
    }

    /// Applies the fixes for what [SceneLinter] finds in [param text]: the safe ones, after which Godot loads the same, and with [param with_unsafe] those too that may change what it loads. [code].escn[/code] files are left alone.
    #[func]
    fn fix(text: GString, path: GString, with_unsafe: bool) -> Gd<SceneRewriteResult> {
        let text = text.to_string();
        SceneRewriteResult::new(&text, edition::fix(&text, &path.to_string(), with_unsafe))
    }

    /// Applies the fix of one diagnostic, safe or not: that with this code, line and column. Without such a diagnostic, or if it has no fix, nothing is changed.
    #[func]
    fn fix_one(
        text: GString,
        path: GString,
        code: GString,
        line: i64,
        column: i64,
    ) -> Gd<SceneRewriteResult> {
        let (text, path, code) = (text.to_string(), path.to_string(), code.to_string());
        SceneRewriteResult::new(&text, edition::fix_one(&text, &path, &code, (line, column)))
    }

    /// Applies the safe fixes of the diagnostics that [param places] lists, each as [code]CODE:LINE:COLUMN[/code], such as [code]SYN013:9:16[/code]. What is not found, or has no safe fix, changes nothing; of fixes that change the same place the first counts.
    #[func]
    fn fix_listed(
        text: GString,
        path: GString,
        places: PackedStringArray,
    ) -> Gd<SceneRewriteResult> {
        let text = text.to_string();
        SceneRewriteResult::new(&text, edition::fix_listed(&text, &path.to_string(), &places))
    }

    /// Writes into [param text] that the diagnostic with this code at this line and column is suppressed: as [code]metadata/_lint_ignore[/code] of its node or resource, which stays when Godot saves the file, or else as a comment.
    #[func]
    fn ignore(text: GString, code: GString, line: i64, column: i64) -> Gd<SceneRewriteResult> {
        let text = text.to_string();
        SceneRewriteResult::new(&text, edition::ignore(&text, &code.to_string(), (line, column)))
    }

    /// Adds a rule's code to those that are off in the whole project. [param configuration] is the text of [code]gdscene.toml[/code], or empty; its comments stay.
    #[func]
    fn ignore_rule(configuration: GString, code: GString) -> Gd<SceneRewriteResult> {
        let text = configuration.to_string();
        SceneRewriteResult::new(&text, edition::ignore_rule(&text, &code.to_string()))
    }

    /// Makes in the text [param now] the changes that lead from [param before] to [param after], line by line. Each place that changed must be in [param now] exactly once, with the lines around it; else nothing is changed, and [member SceneRewriteResult.error] says why.
    #[func]
    fn merge(before: GString, after: GString, now: GString) -> Gd<SceneRewriteResult> {
        let (before, after, now) = (before.to_string(), after.to_string(), now.to_string());
        SceneRewriteResult::new(&now, edition::merge(&before, &after, &now))
    }
}

/// A text that was rewritten.
pub(crate) struct Rewritten {
    pub(crate) text: Vec<u8>,
    /// How many fixes were applied.
    pub(crate) fix_count: usize,
}

/// What [SceneRewriter] made of a text.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct SceneRewriteResult {
    /// The new text; the old one if there was nothing to do or an error.
    #[var(no_set)]
    text: GString,
    /// Whether [member text] differs from what was given.
    #[var(no_set)]
    is_changed: bool,
    /// How many fixes were applied.
    #[var(no_set)]
    fix_count: i64,
    /// Why the text was left alone, or an empty string.
    #[var(no_set)]
    error: GString,
}

#[godot_api]
impl SceneRewriteResult {}

impl SceneRewriteResult {
    /// What became of the text `old`, or why it was left alone.
    pub(crate) fn new(old: &str, rewritten: Result<Rewritten, String>) -> Gd<Self> {
        let (text, fix_count, error) = match &rewritten {
            // It was UTF-8, and edits put in nothing else.
            Ok(new) => (String::from_utf8_lossy(&new.text), new.fix_count, ""),
            Err(reason) => (Cow::Borrowed(old), 0, reason.as_str()),
        };
        Gd::from_object(Self {
            text: text.as_ref().into(),
            is_changed: text != old,
            fix_count: fix_count as i64,
            error: error.into(),
        })
    }
}
