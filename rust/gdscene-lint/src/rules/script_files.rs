//! The common part of the rules on files that scripts load.

use godot_project::ResolvedPath;
use godot_project::res_path::{LOADER_BASE, extension_of, name_of};
use godot_project::script::source::{ScriptSource, StringLiteral, StringPlace};
use godot_tscn::{Reporter, quote};

use crate::rules::context::ScriptContext;
use crate::rules::missing_folder::name_cause;

/// Whether the script may load a file that is missing, by a light look at its text: too often rather than too rarely. Most scripts
/// load only existing files, and need not be parsed.
pub(super) fn may_load_missing(context: &ScriptContext<'_>) -> bool {
    let Ok(text) = str::from_utf8(context.text) else { return true };
    possible_loads(text).any(|(by, path)| {
        path.is_none_or(|path| {
            let base = if by == Loader::Load { LOADER_BASE } else { context.path };
            let resolved = || context.project.resolve(base, path);
            is_judged(path) && matches!(resolved(), ResolvedPath::Missing(_))
        })
    })
}

/// The texts after calls that load, and after `extends`, which loads like `preload`. Nothing in the place of a text that only a
/// parser can tell.
fn possible_loads(text: &str) -> impl Iterator<Item = (Loader, Option<&str>)> {
    let loads = text.match_indices("load").map(|(at, word)| {
        let rest = &text[at + word.len()..];
        let is_preload = text[..at].ends_with("pre");
        let by = if is_preload { Loader::Preload } else { Loader::Load };
        (by, rest.strip_prefix("_threaded_request").unwrap_or(rest))
    });
    let bases = text.match_indices("extends");
    let bases = bases.map(|(at, word)| (Loader::Preload, &text[at + word.len()..]));
    loads.chain(bases).filter_map(|(by, rest)| Some((by, text_at(rest.trim_start())?)))
}

/// The text with which an argument begins; nothing inside if only a parser can tell.
fn text_at(rest: &str) -> Option<Option<&str>> {
    let argument = rest.trim_start_matches(|c: char| c == '(' || c.is_whitespace());
    let quoted = argument.trim_start_matches(['&', '^', 'r']);
    match quoted.chars().next()? {
        // A comment, or a line that goes on.
        '#' | '\\' => Some(None),
        quote @ ('"' | '\'') => {
            let content = &quoted[1..];
            let path = &content[..content.find(quote)?];
            // Escapes, and three quotes.
            let is_plain = !path.is_empty() && !path.contains('\\');
            Some(is_plain.then_some(path))
        }
        _ => None,
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// The light look finds each path that the rules find in the parsed script, or cannot tell.
    #[test]
    fn the_light_look_misses_no_loaded_file() {
        let calls = [
            "load",
            "preload",
            "ResourceLoader.load",
            "ResourceLoader . load",
            "ResourceLoader.load_threaded_request",
            "\\\n\tload",
        ];
        let before = ["(", " (", "(  ", "(\n\t\t", "( # )\n", "(\\\n", "\\\n(", "(("];
        let literals = [
            r#""a.gd""#,
            "'a.gd'",
            r#""""a.gd""""#,
            "'''a.gd'''",
            r#"r"a.gd""#,
            r#"&"a.gd""#,
            r#"^"a.gd""#,
            r#""\u0061.gd""#,
            r#""it's a.gd""#,
            r#""""""#,
        ];
        let mut found = 0;
        for call in calls {
            for before in before {
                for literal in literals {
                    let text = format!("func f():\n\tg({call}{before}{literal}))\n");
                    let source = ScriptSource::parse(text.as_bytes()).expect("a script");
                    let looked: Vec<_> = possible_loads(&text).map(|(_, path)| path).collect();
                    for (path, _) in
                        source.strings().iter().filter_map(|found| loaded(&source, found))
                    {
                        found += 1;
                        let is_seen = looked.contains(&None) || looked.contains(&Some(path));
                        assert!(is_seen, "{text}\n{looked:?}");
                    }
                }
            }
        }
        assert!(found > 300, "{found}");
    }
}
