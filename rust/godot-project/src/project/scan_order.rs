//! In which order Godot's editor looks at the files of a project.

use std::cmp::Reverse;

/// The place of a path in the order in which Godot scans the files, when it starts or imports: those in a folder after those in
/// the folders inside it (`EditorFileSystem::_process_file_system`, editor/file_system/editor_file_system.cpp, 4.6.3).
pub(super) fn scan_key(path: &str) -> impl Ord + use<'_> {
    let names = path.strip_prefix("res://").unwrap_or(path).split('/');
    let last = names.clone().count() - 1;
    let key: Vec<(bool, NameKey<'_>)> =
        names.enumerate().map(|(depth, name)| (depth == last, name_key(name))).collect();
    (key, path)
}

type NameKey<'n> = (Reverse<usize>, Vec<Part<'n>>);

/// A part of a name by which names are compared.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'n> {
    /// A number: how many digits it has without zeros in front, and these.
    Number(usize, &'n str),
    /// A letter in upper case, or a sign.
    Letter(char),
}

/// The place of a name among others: `_` at the start first, numbers by value, and without upper and lower case
/// (`String::filenocasecmp_to`, core/string/ustring.cpp).
fn name_key(name: &str) -> NameKey<'_> {
    let mut rest = name.trim_start_matches('_');
    let underscores = Reverse(name.len() - rest.len());
    let mut parts = Vec::new();
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..end].trim_start_matches('0');
            parts.push(Part::Number(number.len(), number));
            rest = &rest[end..];
        } else {
            parts.push(Part::Letter(first.to_uppercase().next().unwrap_or(first)));
            rest = &rest[first.len_utf8()..];
        }
    }
    (underscores, parts)
}

#[cfg(test)]
mod tests {
    use super::scan_key;

    /// The order in which Godot 4.6.3 reports these files as duplicates of one before.
    #[test]
    fn as_the_engine() {
        let paths = [
            "_sub/z",
            "1/x",
            "Sub/z",
            "sub2/deep/q",
            "sub2/1",
            "sub2/z",
            "sub10/z",
            "__b",
            "_a",
            "9",
            "10",
            "a01",
            "a1",
            "a001b",
            "a - Copy",
            "a b",
            "a(1)",
            "a.b",
            "a",
            "b ",
            "b-",
            "B",
            "b_",
            "s1",
            "sCene",
            "s_cene",
            "Z2",
            "z",
            "ä2",
            "Ä",
        ];
        let paths = paths.map(|path| format!("res://{path}.tscn"));
        let mut sorted = paths.clone();
        sorted.reverse();
        sorted.sort_by(|left, right| scan_key(left).cmp(&scan_key(right)));
        assert_eq!(sorted, paths);
    }
}
