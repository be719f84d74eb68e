//! The rows of `data/changes.txt`.

use std::sync::OnceLock;

use godot_tscn::GodotVersion;

use super::VersionChange;

const CHANGES: &str = include_str!("../../data/changes.txt");

/// The change of a class or member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It is gone.
    Removed,
    /// It has the name [`VersionChange::new`].
    Renamed,
    /// Its type is [`VersionChange::new`] instead of [`VersionChange::old`].
    Retyped,
    /// It takes other arguments.
    Arguments,
    /// It returns another type.
    Returns,
    /// It is at another place: [`VersionChange::new`].
    Moved,
    /// The class extends another one.
    Base,
    /// Its default is [`VersionChange::new`] instead of [`VersionChange::old`].
    Default,
    /// It works in another way, without an error.
    Behavior,
}

/// The kinds of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedMember {
    /// A property of a class.
    Property,
    /// A method, also one that scripts override.
    Method,
    /// A signal.
    Signal,
    /// A constant, or a value of an enum.
    Constant,
    /// An enum.
    Enum,
    /// A setting of `project.godot`.
    Setting,
}

/// All changes, in the order of their versions.
pub(super) fn all() -> &'static [VersionChange] {
    static ALL: OnceLock<Vec<VersionChange>> = OnceLock::new();
    ALL.get_or_init(|| CHANGES.lines().filter_map(row).collect())
}

fn row(line: &'static str) -> Option<VersionChange> {
    if line.starts_with('#') {
        return None;
    }
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    let (version, kind) = (next()?.parse::<GodotVersion>().ok()?, change_kind(next()?)?);
    let (class, member) = (next()?, next()?);
    let member = match member.split_once(':') {
        Some((kind, name)) => Some((member_kind(kind)?, name)),
        None if member.is_empty() => None,
        None => return None,
    };
    let (old, new, affects, source, advice) = (next()?, next()?, next()?, next()?, next()?);
    Some(VersionChange { version, kind, class, member, old, new, affects, source, advice })
}

fn change_kind(word: &str) -> Option<ChangeKind> {
    Some(match word {
        "removed" => ChangeKind::Removed,
        "renamed" => ChangeKind::Renamed,
        "retyped" => ChangeKind::Retyped,
        "arguments" => ChangeKind::Arguments,
        "returns" => ChangeKind::Returns,
        "moved" => ChangeKind::Moved,
        "base" => ChangeKind::Base,
        "default" => ChangeKind::Default,
        "behavior" => ChangeKind::Behavior,
        _ => return None,
    })
}

fn member_kind(word: &str) -> Option<ChangedMember> {
    Some(match word {
        "property" => ChangedMember::Property,
        "method" => ChangedMember::Method,
        "signal" => ChangedMember::Signal,
        "constant" => ChangedMember::Constant,
        "enum" => ChangedMember::Enum,
        "setting" => ChangedMember::Setting,
        _ => return None,
    })
}

impl ChangedMember {
    /// The word for one in a message.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Property => "property",
            Self::Method => "method",
            Self::Signal => "signal",
            Self::Constant => "constant",
            Self::Enum => "enum",
            Self::Setting => "setting",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CHANGES, all};

    #[test]
    fn all_rows_can_be_read() {
        let rows = CHANGES.lines().filter(|line| !line.starts_with('#'));
        for line in rows.clone() {
            assert!(super::row(line).is_some(), "{line}");
            assert_eq!(line.split('\t').count(), 9, "{line}");
        }
        assert_eq!(rows.count(), all().len());
    }

    #[test]
    fn rows_are_in_order_and_have_advice() {
        assert!(all().is_sorted_by_key(|change| change.version));
        for change in all() {
            assert!(change.advice.ends_with('.'), "{change:?}");
            assert!(change.advice.split_whitespace().count() <= 25, "{change:?}");
            assert!(!change.affects.is_empty(), "{change:?}");
        }
    }
}
