//! Uses in scripts in C#.

use hashbrown::{HashMap, HashSet};

use super::{ChangeKind, ChangedMember, ChangedUse, VersionChanges};
use crate::scripts::csharp_names;

const BY_NAME: &str = "names in C# are compared without their types";

impl VersionChanges<'_> {
    /// Possible uses in a C# script: the name of a member, in a script that names the class or a derived one. Nothing for a
    /// script that cannot be read.
    pub fn in_csharp(&self, text: &[u8]) -> Option<Vec<ChangedUse>> {
        let mut uses = Vec::new();
        let names: Vec<String> =
            self.changes.iter().map(|change| name_in_csharp(change.name())).collect();
        let words = csharp_names(text)?;
        let distinct: HashSet<&str> = words.iter().map(|(_, word)| *word).collect();
        let mut mentioned: HashMap<&str, bool> = HashMap::new();
        let mut mentions = |class: &'static str| {
            let is_meant = |word: &&str| {
                word.eq_ignore_ascii_case(class) || self.classes().inherits(word, class)
            };
            *mentioned.entry(class).or_insert_with(|| distinct.iter().any(is_meant))
        };
        for (span, word) in &words {
            for (change, _) in self.changes.iter().zip(&names).filter(|(_, name)| name == word) {
                let is_compared = match change.member {
                    Some((ChangedMember::Property, _)) => change.kind != ChangeKind::Default,
                    Some((ChangedMember::Method | ChangedMember::Signal, _)) => true,
                    Some(_) => false,
                    None => !change.class.is_empty(),
                };
                let is_affected = change.affects.contains('c');
                if is_affected && is_compared && mentions(change.class) {
                    let mut found = ChangedUse::of(*span, change);
                    found.doubt = Some(BY_NAME);
                    uses.push(found);
                }
            }
        }
        Some(uses)
    }
}

/// `body_entered` is `BodyEntered`, `_process` is `_Process`; a class has the same name.
fn name_in_csharp(name: &str) -> String {
    let start = name.len() - name.trim_start_matches('_').len();
    let mut written = name[..start].to_owned();
    for part in name[start..].split('_') {
        let mut letters = part.chars();
        written.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        written.push_str(letters.as_str());
    }
    written
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_those_of_csharp() {
        let names = ["body_entered", "_get_drag_data", "Label", "x"].map(super::name_in_csharp);
        assert_eq!(names, ["BodyEntered", "_GetDragData", "Label", "X"]);
    }
}
