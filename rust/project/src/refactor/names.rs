//! Which names Godot takes.

use crate::refactor::RefactorError;

/// Words that are no names in GDScript (`GDScriptTokenizer::Token`, modules/gdscript/gdscript_tokenizer.cpp, Godot 4.6.3).
const KEYWORDS: &[&str] = &[
    "and",
    "as",
    "assert",
    "await",
    "break",
    "breakpoint",
    "class",
    "class_name",
    "const",
    "continue",
    "elif",
    "else",
    "enum",
    "extends",
    "false",
    "for",
    "func",
    "if",
    "in",
    "is",
    "match",
    "namespace",
    "not",
    "null",
    "or",
    "pass",
    "preload",
    "return",
    "self",
    "signal",
    "static",
    "super",
    "trait",
    "true",
    "var",
    "void",
    "when",
    "while",
    "yield",
    "INF",
    "NAN",
    "PI",
    "TAU",
];

/// Characters that Godot takes out of node names (`String::invalid_node_name_characters`, core/string/ustring.cpp, 4.6.3).
const INVALID_IN_NODE_NAMES: &[char] = &['.', ':', '@', '/', '"', '%'];

/// Whether `name` can be the name of a variable, function, signal or class: `kind` is which.
///
/// # Errors
/// With the reason why not.
pub(crate) fn check_identifier(name: &str, kind: &'static str) -> Result<(), RefactorError> {
    let refuse =
        |reason: String| Err(RefactorError::InvalidName { name: name.to_owned(), kind, reason });
    let Some(first) = name.chars().next() else {
        return refuse("it is empty".to_owned());
    };
    if first.is_ascii_digit() {
        return refuse("it begins with a digit".to_owned());
    }
    let is_wrong = |character: &char| !(*character == '_' || character.is_alphanumeric());
    if let Some(wrong) = name.chars().find(is_wrong) {
        return refuse(format!("`{}` may not stand in it", wrong.escape_debug()));
    }
    if KEYWORDS.contains(&name) {
        return refuse("it is a word of GDScript's".to_owned());
    }
    Ok(())
}

/// Whether `name` can be the name of a node.
///
/// # Errors
/// With the reason why not.
pub(crate) fn check_node_name(name: &str) -> Result<(), RefactorError> {
    let refuse = |reason: String| {
        Err(RefactorError::InvalidName { name: name.to_owned(), kind: "node name", reason })
    };
    if name.is_empty() {
        return refuse("it is empty".to_owned());
    }
    let is_wrong =
        |character: &char| INVALID_IN_NODE_NAMES.contains(character) || character.is_control();
    if let Some(wrong) = name.chars().find(is_wrong) {
        return refuse(format!("`{}` may not stand in it", wrong.escape_debug()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        for name in ["a", "_a", "größe", "a1", "Max_Health"] {
            check_identifier(name, "variable name").unwrap();
        }
        for name in ["", "1a", "a b", "a-b", "class", "PI", "a\n"] {
            check_identifier(name, "variable name").unwrap_err();
        }
    }

    #[test]
    fn node_names() {
        for name in ["A", "A b", "1", "Größe", "#1"] {
            check_node_name(name).unwrap();
        }
        for name in ["", "A.b", "A/b", "%A", "@A", "A:b", "a\"b", "a\nb"] {
            check_node_name(name).unwrap_err();
        }
    }
}
