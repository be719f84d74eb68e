//! The common part of the rules on files that scripts load.

use godot_project::ResolvedPath;
use godot_project::res_path::{extension_of, name_of};
use godot_project::script::source::{ScriptSource, StringLiteral, StringPlace};
use godot_tscn::{Reporter, quote};

use crate::rules::context::ScriptContext;
use crate::rules::missing_folder::name_cause;

/// The path in a text, if it is the first argument of a call that loads, and the name of the call.
pub(super) fn loaded<'s>(
    source: &'s ScriptSource<'_>,
    literal: &'s StringLiteral,
) -> Option<(&'s str, Loader)> {
    let StringPlace::Argument { function, receiver, index: 0 } = &literal.place else {
        return None;
    };
    let receiver = receiver.map(|receiver| source.text_of(receiver));
    let loader = match (receiver, source.text_of(*function)) {
        (None, "preload") => Loader::Preload,
        (None, "load") | (Some("ResourceLoader"), "load" | "load_threaded_request") => Loader::Load,
        _ => return None,
    };
    let path = literal.text.as_deref().filter(|_| literal.is_certain)?;
    Some((path, loader))
}

/// A call that loads a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loader {
    /// `preload`, which the compiler carries out.
    Preload,
    /// `load` and its like, which the running script calls.
    Load,
}

/// Reports a path in a script, relative to the file `base`, if no file is there.
pub(super) fn report_missing(
    context: &ScriptContext<'_>,
    (literal, base): (&StringLiteral, &str),
    consequence: &'static str,
    reporter: &mut Reporter<'_>,
) {
    let Some(text) = literal.text.as_deref().filter(|text| is_judged(text)) else { return };
    let ResolvedPath::Missing(path) = context.project.resolve(base, text) else { return };
    if path.starts_with("uid://") {
        let message = format!("no file of the project has the uid {}", quote(path.as_bytes()));
        reporter.report(literal.span, message).consequence(consequence);
        return;
    }
    if let [file, ..] = context.project.files_but_for_case(&path) {
        let name = context.project.path(*file);
        let message = format!("the file is called {}", quote(name.as_bytes()));
        let diagnostic = reporter.report(literal.span, message);
        diagnostic.consequence("Godot finds it only on file systems that ignore case");
        return;
    }
    let message = format!("file {} not found in the project", quote(path.as_bytes()));
    let diagnostic = reporter.report(literal.span, message);
    diagnostic.consequence(consequence);
    name_cause(context.project, &path, diagnostic);
    if let Some(only) = context.project.only_file_named(name_of(&path)) {
        let only = context.project.path(only);
        diagnostic.help(format!("the file may have moved to {}", quote(only.as_bytes())));
    } else if context.suggestions.spend()
        && let Some(near) = context.project.nearest_path(&path)
    {
        diagnostic.help(format!("did you mean {}?", quote(near.as_bytes())));
    }
}

/// Whether it is known if a file exists at such a path: not for results of an import, and not in hidden folders, in which
/// the editor keeps its files.
fn is_judged(path: &str) -> bool {
    let is_hidden = |part: &str| part.len() > 2 && part.starts_with('.');
    !path.is_empty() && extension_of(path) != "translation" && !path.split('/').any(is_hidden)
}
