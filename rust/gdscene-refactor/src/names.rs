//! Which names Godot takes.

use godot_project::Project;
use godot_project::scripts::types::is_built_in_type;

use crate::RefactorError;

/// Words that are not names in GDScript (`GDScriptTokenizer::Token`, modules/gdscript/gdscript_tokenizer.cpp, Godot
/// 4.6.3).
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
        return refuse(format!("`{}` is not allowed in it", wrong.escape_debug()));
    }
    if KEYWORDS.contains(&name) {
        return refuse("it is reserved in GDScript".to_owned());
    }
    Ok(())
}

/// Whether Godot has no class or type with this name (`GDScriptAnalyzer::check_native_member_name_conflict` and
/// `resolve_class_inheritance`, modules/gdscript/gdscript_analyzer.cpp, Godot 4.6.3).
///
/// # Errors
/// When it has one.
pub(crate) fn check_no_native_class(project: &Project, name: &str) -> Result<(), RefactorError> {
    if project.classes().class(name).is_some() || is_built_in_type(name) {
        let what = format!("Godot has a class or type `{name}`");
        return Err(RefactorError::Clash { what });
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
        return refuse(format!("`{}` is not allowed in it", wrong.escape_debug()));
    }
    Ok(())
}

/// Characters that names of files cannot have on Windows. The FileSystem dock refuses some of them
/// (`FileSystemDock::_rename_operation_confirm`, Godot 4.6.3).
const INVALID_IN_FILE_NAMES: &[char] = &['/', '\\', ':', '*', '?', '"', '<', '>', '|'];

/// Names that stand for devices on Windows, with any ending.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];

/// Whether `name` can be the name of a file or folder, on all systems.
///
/// # Errors
/// With the reason why not.
pub(crate) fn check_file_name(name: &str) -> Result<(), RefactorError> {
    let refuse = |reason: String| {
        Err(RefactorError::InvalidName { name: name.to_owned(), kind: "file name", reason })
    };
    if name.is_empty() {
        return refuse("it is empty".to_owned());
    }
    let is_wrong =
        |character: &char| INVALID_IN_FILE_NAMES.contains(character) || character.is_control();
    if let Some(wrong) = name.chars().find(is_wrong) {
        return refuse(format!("`{}` is not allowed in it", wrong.escape_debug()));
    }
    if name.starts_with('.') {
        return refuse("Godot's editor does not see names that begin with a dot".to_owned());
    }
    if name.starts_with(' ') || name.ends_with([' ', '.']) {
        return refuse(
            "Windows drops spaces and dots at the end and spaces at the beginning".to_owned(),
        );
    }
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let is_numbered = |port: &str| {
        let digit = stem.strip_prefix(port).and_then(|rest| rest.parse::<u8>().ok());
        digit.is_some_and(|digit| (1..=9).contains(&digit)) && stem.len() == 4
    };
    if DEVICES.contains(&stem.as_str()) || is_numbered("com") || is_numbered("lpt") {
        return refuse(format!("`{stem}` is reserved for a device on Windows"));
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
    fn file_names() {
        for name in ["a.png", "größe 2.tscn", "com10.gd", "console.gd", "a#b%.x", "it's.gd"] {
            check_file_name(name).unwrap();
        }
        for name in [
            "", ".a", "a/b", "a\\b", "a:b", "a*", "a?", "a\"", "a|", "a.", "a ", " a", "nul",
            "Con.gd", "lpt1.x", "a\n",
        ] {
            check_file_name(name).unwrap_err();
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
