//! `SceneRewriter`: the formatter and the fixes as GDScript sees them.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use godot::builtin::GString;
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};
use project::Located;
use tscn::{Applicability, FormatOptions};

use crate::project_configuration;
use crate::scene_linter::workspace;

/// Rewrites text scenes ([code].tscn[/code]) and resources ([code].tres[/code]) without loading them.
///
/// [codeblock]
/// var fixed := SceneRewriter.fix(text, "res://level.tscn", false)
/// if fixed.is_changed:
///     print("%d fixes" % fixed.fix_count)
/// [/codeblock]
#[derive(GodotClass)]
#[class(no_init, base = Object)]
struct SceneRewriter;

#[godot_api]
impl SceneRewriter {
    /// Lays [param text] out as Godot saves it. [param path] names the file; nothing is read or written. What Godot would refuse or misread is left alone, and [member SceneRewriteResult.error] says why; so are [code].escn[/code] files.
    #[func]
    fn format(text: GString, path: GString) -> Gd<SceneRewriteResult> {
        let (text, path) = (text.to_string(), path.to_string());
        match tscn::format(text.as_bytes(), &FormatOptions::for_path(&path)) {
            Ok(formatted) => SceneRewriteResult::new(&text, &formatted.text, 0),
            Err(refusal) => SceneRewriteResult::refused(&text, &refusal.to_string()),
        }
    }

    /// Applies the fixes for what [SceneLinter] finds in [param text]: the safe ones, after which Godot loads the same, and with [param with_unsafe] those too that may change what it loads. [code].escn[/code] files are left alone.
    #[func]
    fn fix(text: GString, path: GString, with_unsafe: bool) -> Gd<SceneRewriteResult> {
        let (text, path) = (text.to_string(), path.to_string());
        if is_escn(&path) {
            return SceneRewriteResult::refused(&text, ESCN_REASON);
        }
        let limit = if with_unsafe { Applicability::Unsafe } else { Applicability::Safe };
        let workspace = workspace();
        let lint = |text: &[u8]| workspace.diagnostics(&path, text);
        let fixed = tscn::fix_by(text.as_bytes(), limit, lint);
        SceneRewriteResult::new(&text, &fixed.text, fixed.applied_count)
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
        if is_escn(&path) {
            return SceneRewriteResult::refused(&text, ESCN_REASON);
        }
        let is_meant = |found: &Located| {
            let place = (i64::from(found.position.line), i64::from(found.position.column));
            found.diagnostic.code == code && place == (line, column)
        };
        let found = workspace().check(&path, text.as_bytes()).into_iter().filter(is_meant);
        let found: Vec<_> = found.map(|found| found.diagnostic).take(1).collect();
        let fixed = tscn::apply_fixes(text.as_bytes(), &found, Applicability::Unsafe);
        SceneRewriteResult::new(&text, &fixed.text, fixed.applied_count)
    }

    /// Notes in [param text] that the diagnostic with this code at this line and column is wanted: as [code]metadata/_lint_ignore[/code] of its node or resource, which stays when Godot saves the file, or else as a comment.
    #[func]
    fn ignore(text: GString, code: GString, line: i64, column: i64) -> Gd<SceneRewriteResult> {
        let (text, code) = (text.to_string(), code.to_string());
        let offset = offset_of(&text, line, column);
        SceneRewriteResult::new(&text, &tscn::ignore_here(text.as_bytes(), offset, &code), 0)
    }

    /// Adds a rule's code to those that are off in the whole project. [param configuration] is the text of [code]gdscene.toml[/code], or empty; its comments stay.
    #[func]
    fn ignore_rule(configuration: GString, code: GString) -> Gd<SceneRewriteResult> {
        let text = configuration.to_string();
        match project_configuration::with_ignored_code(&text, &code.to_string()) {
            Ok(changed) => SceneRewriteResult::new(&text, changed.as_bytes(), 0),
            Err(reason) => SceneRewriteResult::refused(&text, &reason),
        }
    }
}

const ESCN_REASON: &str = "an `.escn` file is made by an exporter and not meant to be edited";

fn is_escn(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".escn")
}

/// The byte at a line and column, both counted from 1; of the end for places past it.
fn offset_of(text: &str, line: i64, column: i64) -> u32 {
    let (line, column) = (line.max(1) as usize - 1, column.max(1) as usize - 1);
    let start = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
    let inside = text[start..].char_indices().nth(column).map_or(text.len() - start, |(at, _)| at);
    (start + inside) as u32
}

/// What [SceneRewriter] made of a text.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
struct SceneRewriteResult {
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
    fn new(old: &str, new: &[u8], fix_count: usize) -> Gd<Self> {
        // It was UTF-8, and edits put in nothing else.
        let text = String::from_utf8_lossy(new);
        Gd::from_object(Self {
            text: text.as_ref().into(),
            is_changed: text != old,
            fix_count: fix_count as i64,
            error: GString::new(),
        })
    }

    fn refused(old: &str, reason: &str) -> Gd<Self> {
        Gd::from_object(Self {
            text: old.into(),
            is_changed: false,
            fix_count: 0,
            error: reason.into(),
        })
    }
}
