//! The members that scripts set on other objects, by a light look at their texts: too many rather than too few.

use hashbrown::HashSet;

use crate::project::Project;
use crate::scripts::made_nodes::texts;

/// The members that some script may set on an object that is not its own.
#[derive(Debug, Default)]
pub(crate) struct AssignedMembers(HashSet<String>);

impl AssignedMembers {
    pub(crate) fn new(project: &Project) -> Self {
        let mut names = HashSet::new();
        for file in project.files().filter(|file| project.scripts().script(*file).is_some()) {
            let Ok(text) = project.read(file) else { continue };
            for at in memchr::memchr_iter(b'=', &text) {
                names.extend(assigned_before(&text[..at]).map(str::to_owned));
            }
            // `set("name", value)`, a list of names, a path.
            for (content, _) in texts(&text) {
                let Ok(content) = std::str::from_utf8(content) else { continue };
                let parts = content.split([':', '/']).filter(|part| is_name(part));
                names.extend(parts.map(str::to_owned));
            }
        }
        for file in project.files() {
            let tracks = project.facts(file).tracks.iter();
            names.extend(tracks.filter_map(|track| Some(track.path.split(':').nth(1)?.to_owned())));
        }
        Self(names)
    }

    /// Whether some script may set a member of this name.
    pub(crate) fn may_set(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// The member before a `=`, if there is a `.` before it: `other.name =`, `other.name +=`.
fn assigned_before(text: &[u8]) -> Option<&str> {
    let text = text.trim_ascii_end();
    let operator = text.iter().rev().take_while(|byte| b"+-*/%&|^<>".contains(byte)).count();
    let text = text[..text.len() - operator].trim_ascii_end();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let length = text.iter().rev().take_while(|byte| is_word(byte)).count();
    let (before, name) = text.split_at(text.len() - length);
    (length > 0 && before.last() == Some(&b'.')).then(|| str::from_utf8(name).ok())?
}

fn is_name(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    !text.is_empty() && text.chars().all(is_word)
}

#[cfg(test)]
mod tests {
    use super::assigned_before;

    #[test]
    fn members_before_a_sign() {
        let found = |text: &str| assigned_before(text.as_bytes()).map(str::to_owned);
        assert_eq!(found("a.b ").as_deref(), Some("b"));
        assert_eq!(found("a.b +").as_deref(), Some("b"));
        assert_eq!(found("f().b_2").as_deref(), Some("b_2"));
        assert_eq!(found("b "), None);
        assert_eq!(found("a. "), None);
        assert_eq!(found(""), None);
    }
}
