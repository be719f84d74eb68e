//! `SceneDiagnostic` and `SceneFix`: the findings of the linter, as GDScript sees them.
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use std::hash::{DefaultHasher, Hash, Hasher};

use godot::builtin::{Array, GString, PackedStringArray};
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};
use godot_tscn::{LocatedDiagnostic, Position};

/// A problem that [SceneLinter] found.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct SceneDiagnostic {
    /// The rule's code, e.g. [code]REF001[/code].
    #[var(no_set)]
    code: GString,
    /// The rule's name, e.g. [code]undefined-ext-id[/code].
    #[var(no_set)]
    name: GString,
    /// The severity: [code]error[/code], [code]warning[/code] or [code]info[/code].
    #[var(no_set)]
    severity: GString,
    /// The problem in a sentence.
    #[var(no_set)]
    message: GString,
    /// The consequence in Godot and further help, or an empty string.
    #[var(no_set)]
    help: GString,
    /// The file, as it was passed.
    #[var(no_set)]
    path: GString,
    /// The line, counted from 1.
    #[var(no_set)]
    line: i64,
    /// The column, counted from 1 in characters.
    #[var(no_set)]
    column: i64,
    /// The length of the marked text, in bytes of UTF-8.
    #[var(no_set)]
    length: i64,
    /// The path of the affected node, relative to the scene's root, which is [code].[/code]; an empty string if no node is affected.
    #[var(no_set)]
    node_path: GString,
    /// The fixes. [method SceneRewriter.fix] applies all fixes of one file, [method SceneRewriter.fix_one] and [method SceneRewriter.fix_in_project] those of one diagnostic.
    #[var(no_set)]
    fixes: Array<Gd<SceneFix>>,
}

/// A number that changes when a diagnostic is added, removed, moved or changed.
pub(crate) fn fingerprint(found: &[LocatedDiagnostic]) -> i64 {
    let mut hasher = DefaultHasher::new();
    for LocatedDiagnostic { diagnostic, position, .. } in found {
        (diagnostic.code, diagnostic.severity.as_str(), &diagnostic.message).hash(&mut hasher);
        // The consequence names the loss.
        (position.line, position.column, &diagnostic.consequence).hash(&mut hasher);
    }
    hasher.finish() as i64
}

/// A fix for the problem that a [SceneDiagnostic] reports.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct SceneFix {
    /// The effect of the fix, e.g. [code]remove the tag[/code].
    #[var(no_set)]
    title: GString,
    /// [code]safe[/code] if Godot loads the same data afterwards, or could not load the file before; [code]unsafe[/code] if the loaded data may change; [code]display-only[/code] if a person must complete it.
    #[var(no_set)]
    applicability: GString,
    /// The paths of other files that the fix changes or makes, such as [code]["res://enemy.gd"][/code]. [method SceneRewriter.fix_in_project] applies such a fix.
    #[var(no_set)]
    other_files: PackedStringArray,
}

#[godot_api]
impl SceneFix {}

#[godot_api]
impl SceneDiagnostic {
    /// Returns the diagnostic in one line: [code]res://level.tscn:12:5: error[REF001 undefined-ext-id]: …[/code]
    #[func]
    fn describe(&self) -> GString {
        let SceneDiagnostic { path, line, column, severity, code, name, message, .. } = self;
        let line = format!("{path}:{line}:{column}: {severity}[{code} {name}]: {message}");
        GString::from(&line)
    }
}

impl SceneDiagnostic {
    pub(crate) fn new(located: &LocatedDiagnostic, path: &str) -> Gd<SceneDiagnostic> {
        let LocatedDiagnostic { diagnostic, position, node_path, .. } = located;
        let notes = [&diagnostic.consequence, &diagnostic.help];
        let notes: Vec<&str> = notes.into_iter().flatten().map(AsRef::as_ref).collect();
        let fixes = diagnostic.fix.iter().map(|fix| {
            let other_files = fix.other_files().iter();
            Gd::from_object(SceneFix {
                title: fix.title.as_ref().into(),
                applicability: fix.applicability.as_str().into(),
                other_files: other_files.map(|file| GString::from(&file.path)).collect(),
            })
        });
        Gd::from_object(SceneDiagnostic {
            code: diagnostic.code.into(),
            name: diagnostic.name.into(),
            severity: diagnostic.severity.as_str().into(),
            message: diagnostic.message.as_str().into(),
            help: notes.join("; ").as_str().into(),
            path: path.into(),
            line: i64::from(position.line),
            column: i64::from(position.column),
            length: i64::from(diagnostic.span.len()),
            node_path: node_path.as_deref().unwrap_or_default().into(),
            fixes: fixes.collect(),
        })
    }

    /// The file cannot be read.
    pub(crate) fn unreadable(path: &str, reason: &str) -> Gd<SceneDiagnostic> {
        let start = Position::START;
        Self::error(("FILE", "unreadable-file"), path, reason, start)
    }

    /// An error that no rule has found, of this code and name.
    pub(crate) fn error(
        (code, name): (&str, &str),
        path: &str,
        message: &str,
        position: Position,
    ) -> Gd<SceneDiagnostic> {
        Gd::from_object(SceneDiagnostic {
            code: code.into(),
            name: name.into(),
            severity: "error".into(),
            message: message.into(),
            help: GString::new(),
            path: path.into(),
            line: i64::from(position.line),
            column: i64::from(position.column),
            length: 0,
            node_path: GString::new(),
            fixes: Array::new(),
        })
    }
}
