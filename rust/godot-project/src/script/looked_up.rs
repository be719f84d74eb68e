//! The variables that a script passes to `get_node` of its own node: those with a path from there. Others may start anywhere.

use hashbrown::HashSet;
use memchr::memmem;

/// The arguments of `get_node(…)` that are plain names. A node in `has_node` need not exist.
pub(super) fn in_gdscript(text: &str) -> HashSet<&str> {
    let mut found: HashSet<&str> = arguments(text, "get_node(").collect();
    for name in arguments(text, "has_node(") {
        found.remove(name);
    }
    found
}

/// The arguments of `GetNode(…)` and `GetNode<…>(…)` that are plain names.
pub(super) fn in_csharp(text: &str) -> HashSet<&str> {
    let mut found: HashSet<&str> = arguments(text, "GetNode(").collect();
    for start in calls(text, "GetNode<") {
        let rest = text.get(start..).unwrap_or_default();
        let after = rest.split_once(">(").filter(|(types, _)| is_name(types));
        found.extend(after.and_then(|(_, rest)| argument(rest)));
    }
    for name in arguments(text, "HasNode(") {
        found.remove(name);
    }
    found
}

fn arguments<'t>(text: &'t str, call: &str) -> impl Iterator<Item = &'t str> {
    calls(text, call).filter_map(|start| argument(&text[start..]))
}

/// Where the arguments of the calls start that are made of the script's own node.
fn calls(text: &str, call: &str) -> impl Iterator<Item = usize> {
    memmem::find_iter(text.as_bytes(), call.as_bytes())
        .filter(|at| {
            let before = &text[..*at];
            let own = before.strip_suffix("self.").or_else(|| before.strip_suffix("this."));
            let last = own.unwrap_or(before).bytes().next_back();
            last.is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"_.)]".contains(&byte))
        })
        .map(|at| at + call.len())
        .collect::<Vec<_>>()
        .into_iter()
}

/// The name, if it is the whole text before the next `)`.
fn argument(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ' ')?;
    let name = text[..end].trim();
    (text[end..].starts_with(')') && is_name(name)).then_some(name)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
}

#[cfg(test)]
mod tests {
    use super::{in_csharp, in_gdscript};

    #[test]
    fn calls() {
        let text = "onready var a_node = get_node(a)\nvar b = self.get_node( b )\nother.get_node(c)\nget_node(d + \"/e\")\n\
                    get_node_or_null(f)\nif has_node(g):\n\tget_node(g)\nget_node(\"h\")\nforget_node(i)\n";
        let mut found: Vec<&str> = in_gdscript(text).into_iter().collect();
        found.sort_unstable();
        assert_eq!(found, ["a", "b"]);
        let text = "a = GetNode<Label>(A);\nb = this.GetNode(B);\nother.GetNode<Label>(C);\nGetNodeOrNull<Label>(D);\n";
        let mut found: Vec<&str> = in_csharp(text).into_iter().collect();
        found.sort_unstable();
        assert_eq!(found, ["A", "B"]);
    }
}
