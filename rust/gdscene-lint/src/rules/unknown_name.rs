//! What the rules on names in texts have in common.

use godot_project::names::{KindOfName, NameKind, RoleOfName, is_certain, names_in_script};
use godot_tscn::{Reporter, quote};
use hashbrown::HashSet;

use crate::rules::context::ScriptContext;

/// Reports names of a kind in calls of a script that nothing in the project defines. `help` says where to define one.
pub(super) fn report_unknown(
    context: &ScriptContext<'_>,
    kind: KindOfName,
    (consequence, help): (&'static str, &'static str),
    reporter: &mut Reporter<'_>,
) {
    let (project, file, kind) = (context.project, context.file, NameKind::of(kind));
    let mut names = context.possible_names(kind.id).peekable();
    if names.peek().is_none() {
        return;
    }
    let known = project.known_names(kind.id);
    // Most scripts use only names that exist, and are not read for this.
    if known.is_open() || names.all(|name| known.may_have(project, name)) {
        return;
    }
    let Some(source) = context.source() else { return };
    let used = || names_in_script(project, source).filter(|used| used.kind.id == kind.id);
    let mut asked: Option<HashSet<&str>> = None;
    for found in
        used().filter(|used| used.role == RoleOfName::Uses && !known.may_have(project, used.name))
    {
        // A script that asks first is prepared.
        let asks =
            || used().filter(|used| used.role == RoleOfName::Asks).map(|used| used.name).collect();
        let is_certain = || file.is_some_and(|file| is_certain(project, file, source, &found));
        if asked.get_or_insert_with(asks).contains(found.name) || !is_certain() {
            continue;
        }
        let name = quote(found.name.as_bytes());
        let message = format!("{} {name} not found in the project", kind.word);
        let diagnostic = reporter.report(found.span, message);
        diagnostic.consequence(consequence);
        let near =
            context.suggestions.spend().then(|| known.nearest(project, found.name)).flatten();
        match near {
            Some(near) => diagnostic.help(format!("did you mean {}?", quote(near.as_bytes()))),
            None => diagnostic.help(help),
        };
    }
}
