//! The message of a rule, with what is put in for each finding.

use godot_tscn::quote;

use super::conditions::Subject;

/// A text with placeholders.
#[derive(Debug)]
pub(super) struct Message {
    source: String,
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Text(String),
    Of(Placeholder),
}

/// What stands for a part of what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placeholder {
    /// The name of a node or file.
    Name,
    /// The path of a node in its scene, or of a resource or file in the project.
    Path,
    /// The class of a node or resource.
    Class,
    /// The name of the file.
    File,
}

const PLACEHOLDERS: [(&str, Placeholder); 4] = [
    ("name", Placeholder::Name),
    ("path", Placeholder::Path),
    ("class", Placeholder::Class),
    ("file", Placeholder::File),
];

impl Message {
    /// The message that a configuration has.
    ///
    /// # Errors
    /// When it has a placeholder that its subject does not have.
    pub(super) fn read(source: &str, subject: Subject) -> Result<Self, String> {
        let source = source.trim();
        let mut parts = Vec::new();
        let (mut text, mut rest) = (String::new(), source);
        while let Some(at) = rest.find(['{', '}']) {
            text.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                text.push_str(brace);
                rest = after;
                continue;
            }
            if brace == "}" {
                text.push('}');
                continue;
            }
            let Some((word, after)) = rest.split_once('}') else {
                return Err("a `{` without `}`; write `{{` for a brace".to_owned());
            };
            parts.push(Part::Text(std::mem::take(&mut text)));
            parts.push(Part::Of(placeholder(word, subject)?));
            rest = after;
        }
        text.push_str(rest);
        parts.push(Part::Text(text));
        Ok(Self { source: source.to_owned(), parts })
    }

    /// As the configuration has it.
    pub(super) fn source(&self) -> &str {
        &self.source
    }

    /// The message of one finding.
    pub(super) fn of(&self, value: impl Fn(Placeholder) -> String) -> String {
        let mut message = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => message.push_str(text),
                // Without control characters, and not longer than in other messages.
                Part::Of(placeholder) => {
                    let value = quote(value(*placeholder).as_bytes());
                    message.push_str(value.trim_matches('`'));
                }
            }
        }
        message
    }
}

fn placeholder(word: &str, subject: Subject) -> Result<Placeholder, String> {
    let known = || PLACEHOLDERS.iter().filter(|(_, of)| fits(*of, subject));
    if let Some((_, found)) = known().find(|(name, _)| *name == word) {
        return Ok(*found);
    }
    let names = || known().map(|(name, _)| name.as_bytes());
    let hint = match godot_tscn::nearest(word.as_bytes(), names()) {
        Some(near) => format!("did you mean `{{{}}}`?", String::from_utf8_lossy(near)),
        None => {
            let names: Vec<_> = known().map(|(name, _)| format!("`{{{name}}}`")).collect();
            format!("valid placeholders here are {}; write `{{{{` for a brace", names.join(", "))
        }
    };
    Err(format!("unknown placeholder `{{{}}}`; {hint}", quote(word.as_bytes()).trim_matches('`')))
}

/// Files have no class.
fn fits(placeholder: Placeholder, subject: Subject) -> bool {
    placeholder != Placeholder::Class || subject != Subject::File
}
