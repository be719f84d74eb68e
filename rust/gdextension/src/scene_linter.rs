//! `SceneLinter` and `SceneDiagnostic`: the linter as GDScript sees it.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use godot::builtin::{Array, GString};
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};
use tscn::{Diagnostic, LineIndex, LintOptions};

/// Finds what is wrong in text scenes ([code].tscn[/code]) and resources ([code].tres[/code]), with the reason and the place, without loading them.
///
/// [codeblock]
/// var text := FileAccess.get_file_as_string("res://level.tscn")
/// for diagnostic in SceneLinter.lint_text(text, "res://level.tscn"):
///     print(diagnostic.describe())
/// [/codeblock]
#[derive(GodotClass)]
#[class(no_init, base = Object)]
struct SceneLinter;

#[godot_api]
impl SceneLinter {
    /// Checks [param text] and returns what was found, in the order of the places. [param path] names the file; only its extension matters, nothing is read from it.
    #[func]
    fn lint_text(text: GString, path: GString) -> Array<Gd<SceneDiagnostic>> {
        let (text, path) = (text.to_string(), path.to_string());
        let report = tscn::lint(text.as_bytes(), &LintOptions::for_path(&path));
        let lines = LineIndex::new(text.as_bytes());
        let diagnostics = report.diagnostics.iter();
        diagnostics.map(|diagnostic| SceneDiagnostic::new(diagnostic, &path, &lines)).collect()
    }
}

/// One thing that [SceneLinter] found.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
struct SceneDiagnostic {
    /// The rule's code, e.g. [code]REF001[/code].
    #[var(no_set)]
    code: GString,
    /// The rule's name, e.g. [code]undefined-ext-id[/code].
    #[var(no_set)]
    name: GString,
    /// How bad it is: [code]error[/code], [code]warning[/code] or [code]info[/code].
    #[var(no_set)]
    severity: GString,
    /// What is wrong.
    #[var(no_set)]
    message: GString,
    /// What Godot makes of it and what else may help, or an empty string.
    #[var(no_set)]
    help: GString,
    /// The file, as it was given.
    #[var(no_set)]
    path: GString,
    /// The line, counted from 1.
    #[var(no_set)]
    line: i64,
    /// The column, counted from 1 in characters.
    #[var(no_set)]
    column: i64,
    /// The number of bytes of UTF-8 that are marked.
    #[var(no_set)]
    length: i64,
}

#[godot_api]
impl SceneDiagnostic {
    /// Returns the finding in one line: [code]res://level.tscn:12:5: error[REF001 undefined-ext-id]: …[/code]
    #[func]
    fn describe(&self) -> GString {
        let SceneDiagnostic { path, line, column, severity, code, name, message, .. } = self;
        let line = format!("{path}:{line}:{column}: {severity}[{code} {name}]: {message}");
        GString::from(&line)
    }
}

impl SceneDiagnostic {
    fn new(diagnostic: &Diagnostic, path: &str, lines: &LineIndex<'_>) -> Gd<SceneDiagnostic> {
        let position = lines.position(diagnostic.span.start);
        let notes = [&diagnostic.consequence, &diagnostic.help];
        let notes: Vec<&str> = notes.into_iter().flatten().map(AsRef::as_ref).collect();
        Gd::from_object(SceneDiagnostic {
            code: diagnostic.code.into(),
            name: diagnostic.name.into(),
            severity: diagnostic.severity.as_str().into(),
            message: diagnostic.message.as_str().into(),
            help: notes.join("; ").as_str().into(),
            path: path.into(),
            line: i64::from(position.line),
            column: i64::from(position.column),
            length: i64::from(diagnostic.span.end - diagnostic.span.start),
        })
    }
}
