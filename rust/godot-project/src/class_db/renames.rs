//! What was renamed between the versions, as Godot's own sources list it.

use std::sync::OnceLock;

use hashbrown::HashMap;

/// What became of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenamedClass {
    /// The name that it has now.
    pub name: &'static str,
    /// Whether Godot itself takes the old name for the new one when it loads a file (`ClassDB::add_compatibility_class`).
    pub is_understood: bool,
}

/// What became of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenamedProperty {
    /// The name that it has now.
    pub name: &'static str,
}

const RENAMES: &str = include_str!("../../data/renames.txt");

#[derive(Debug, Default)]
struct Renames {
    understood_by_4: HashMap<&'static str, &'static str>,
    understood_by_3: HashMap<&'static str, &'static str>,
    converted: HashMap<&'static str, &'static str>,
    properties: HashMap<&'static str, Vec<&'static str>>,
    signals: HashMap<&'static str, &'static str>,
}

pub(super) fn renamed_class(name: &str, by_godot_3: bool) -> Option<RenamedClass> {
    let table = table();
    if by_godot_3 {
        let name = table.understood_by_3.get(name)?;
        return Some(RenamedClass { name, is_understood: true });
    }
    let understood = table.understood_by_4.get(name);
    let name = understood.or_else(|| table.converted.get(name))?;
    Some(RenamedClass { name, is_understood: understood.is_some() })
}

/// The first of the new names that the class has.
pub(super) fn renamed_property(name: &str, has: impl Fn(&str) -> bool) -> Option<RenamedProperty> {
    let names = table().properties.get(name)?;
    names.iter().find(|new| has(new)).map(|name| RenamedProperty { name })
}

pub(super) fn renamed_signal(name: &str) -> Option<&'static str> {
    table().signals.get(name).copied()
}

fn table() -> &'static Renames {
    static TABLE: OnceLock<Renames> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut renames = Renames::default();
        for line in RENAMES.lines() {
            let mut words = line.split('\t');
            let (Some(kind), Some(old), Some(new)) = (words.next(), words.next(), words.next())
            else {
                continue;
            };
            match kind {
                "c4" => renames.understood_by_4.insert(old, new),
                "c3" => renames.understood_by_3.insert(old, new),
                "n" => renames.converted.insert(old, new),
                "s" => renames.signals.insert(old, new),
                "p" => {
                    renames.properties.entry(old).or_default().push(new);
                    None
                }
                _ => None,
            };
        }
        renames
    })
}
