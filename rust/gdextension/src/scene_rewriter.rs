//! `SceneRewriter`: the formatter and the fixes as GDScript sees them.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use godot::builtin::GString;
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};
use tscn::{Applicability, FixOptions, FormatOptions};

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
        let mut options = FixOptions::for_path(&path);
        if with_unsafe {
            options.limit = Applicability::Unsafe;
        }
        match tscn::fix(text.as_bytes(), &options) {
            Some(fixed) => SceneRewriteResult::new(&text, &fixed.text, fixed.applied_count),
            None => {
                let reason = "an `.escn` file is made by an exporter and not meant to be edited";
                SceneRewriteResult::refused(&text, reason)
            }
        }
    }
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
