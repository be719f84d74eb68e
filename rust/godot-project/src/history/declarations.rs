//! How the text of a script declares its exported variables, and where it uses names.

use crate::script::{Script, Variable};

/// An exported variable.
pub(super) struct Declaration<'t> {
    pub(super) variable: &'t Variable,
    /// The text before and after its name in its line, with the annotations above it. Nothing if that is not found.
    pub(super) around: Option<(String, &'t str)>,
}

/// The exported variables of a script, in their order.
pub(super) fn declarations<'t>(
    path: &str,
    script: &'t Script,
    text: &'t str,
) -> Vec<Declaration<'t>> {
    let is_csharp = path.ends_with(".cs");
    let lines: Vec<&str> = text.lines().collect();
    let mut next = 0;
    let exported = script.variables.iter().filter(|found| found.is_exported && !found.is_static);
    let declaration = |variable| {
        // They stand in this order.
        let found = lines[next..].iter().enumerate().find_map(|(offset, line)| {
            Some((next + offset, around_name(line, variable, is_csharp)?))
        });
        let around = found.map(|(at, (before, after))| {
            next = at + 1;
            (format!("{}{before}", annotations(&lines[..at])), after)
        });
        Declaration { variable, around }
    };
    exported.map(declaration).collect()
}

/// The lines in which variables may be declared: while they stay, no variable goes.
pub(super) fn lines_with_declarations<'t>(path: &str, text: &'t str) -> Vec<&'t str> {
    let is_csharp = path.ends_with(".cs");
    let is_meant = |line: &&str| match is_csharp {
        true => line.contains("Export") || line.ends_with(';') || line.contains('{'),
        false => line.contains("var") && !line.starts_with([' ', '\t']) || line.contains("class"),
    };
    text.lines().filter(is_meant).collect()
}

/// The text around the name of the variable that the line declares.
fn around_name<'t>(
    line: &'t str,
    variable: &Variable,
    is_csharp: bool,
) -> Option<(&'t str, &'t str)> {
    let is_inner = !is_csharp && line.starts_with([' ', '\t']);
    words(line).filter(|(_, word)| !is_inner && *word == variable.name).find_map(|(at, word)| {
        let (before, after) = (&line[..at], line[at + word.len()..].trim());
        let declares = if is_csharp {
            let follows = after.is_empty() || after.starts_with([';', '=', '{']);
            follows
                && before.trim_end().ends_with(|last: char| is_part(last) || ">])?".contains(last))
        } else {
            words(before)
                .last()
                .is_some_and(|(at, word)| word == "var" && before[at + 3..].trim().is_empty())
        };
        declares.then_some((before.trim(), after))
    })
}

/// The annotations or attributes in the lines of their own above a declaration.
fn annotations(above: &[&str]) -> String {
    let is_annotation = |line: &&&str| match line.trim() {
        line if line.starts_with('@') => words(line).all(|(_, word)| word != "var"),
        line => line.starts_with('[') && line.ends_with(']'),
    };
    let count = above.iter().rev().take_while(is_annotation).count();
    above[above.len() - count..].iter().map(|line| format!("{}\n", line.trim())).collect()
}

/// Whether two names have a word in common: `main_menu` and `MenuScene`.
pub(super) fn share_a_word(one: &str, other: &str) -> bool {
    let parts = |name: &str| -> Vec<String> {
        let mut parts = vec![String::new()];
        let mut was_lower = false;
        for letter in name.chars() {
            if letter == '_' || (letter.is_uppercase() && was_lower) {
                parts.push(String::new());
            }
            was_lower = letter.is_lowercase();
            if let Some(part) = parts.last_mut().filter(|_| letter != '_') {
                part.extend(letter.to_lowercase());
            }
        }
        parts
    };
    let other = parts(other);
    parts(one).iter().any(|part| part.chars().count() > 2 && other.contains(part))
}

/// The words of a text and where they begin.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(is_part)?;
        let length = text[start..].find(|letter| !is_part(letter));
        rest = length.map_or(text.len(), |length| start + length);
        Some((start, &text[start..rest]))
    })
}

fn is_part(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

/// The line with other words, without the space around it.
pub(super) fn with_words<'t>(line: &'t str, other: impl Fn(&'t str) -> Option<&'t str>) -> String {
    let line = line.trim();
    let (mut text, mut end) = (String::with_capacity(line.len()), 0);
    for (start, word) in words(line) {
        text.push_str(&line[end..start]);
        text.push_str(other(word).unwrap_or(word));
        end = start + word.len();
    }
    text + &line[end..]
}
