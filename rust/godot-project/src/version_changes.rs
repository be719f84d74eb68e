//! The changes of newer versions of Godot for a project, and their uses.
//!
//! The facts are rows of `data/changes.txt`, from Godot's upgrade guides and the descriptions of its API.
//! [`VersionChanges`] finds their uses in scenes and resources, in `project.godot`, and in scripts. The classes are those of
//! the project's own version, because the newer one may lack them.

mod added;
mod csharp;
mod scenes;
mod scripts;
mod table;

use std::sync::{Mutex, OnceLock};

use godot_tscn::{ConfigFile, Edit, GodotVersion, Span};
use hashbrown::HashMap;

pub use self::added::AddedName;
use self::table::all;
pub use self::table::{ChangeKind, ChangedMember};
use crate::Project;
use crate::class_db::ClassDb;
use crate::res_path::extension_of;
use crate::scripts::types::Types;

/// One change of a version.
#[derive(Debug, PartialEq, Eq)]
pub struct VersionChange {
    /// The first version with the change.
    pub version: GodotVersion,
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The class, `ProjectSettings`, `@GlobalScope`, a built-in type; empty without one.
    pub class: &'static str,
    /// The member; none if it is about the class.
    pub member: Option<(ChangedMember, &'static str)>,
    /// The old default or type.
    pub old: &'static str,
    /// The new name, default or type.
    pub new: &'static str,
    affects: &'static str,
    source: &'static str,
    /// The advice, as a sentence.
    pub advice: &'static str,
}

/// A place that uses something that a version changes.
#[derive(Debug)]
pub struct ChangedUse {
    /// Where it is.
    pub span: Span,
    /// The change.
    pub cause: Cause,
    /// Why the place may be something else; none if it is certain.
    pub doubt: Option<&'static str>,
    /// The number of places in the file that it represents.
    pub count: usize,
    /// The edits for the new name, if that is all.
    pub edits: Vec<Edit>,
}

/// The change at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Something that the place uses.
    Change(&'static VersionChange),
    /// The name that the place declares is one of Godot's now.
    Added(AddedName),
}

/// The changes of the versions after one, up to another, for a project.
#[derive(Debug)]
pub struct VersionChanges<'p> {
    project: &'p Project,
    from: GodotVersion,
    to: GodotVersion,
    types: OnceLock<Types<'p>>,
    changes: Vec<&'static VersionChange>,
    /// Numbers in `changes`, by the name that code has.
    by_name: HashMap<&'static str, Vec<usize>>,
    /// By name and class of a change, whether only that class has a member of the name.
    telling: Mutex<HashMap<(&'static str, &'static str), bool>>,
}

impl VersionChange {
    /// Whether an existing script or file breaks: an error, or a value that is lost.
    pub fn is_breaking(&self) -> bool {
        self.kind != ChangeKind::Default && self.affects.contains(['g', 'c', 's'])
    }

    /// Whether it concerns the project as a whole, and no place in it.
    pub fn is_general(&self) -> bool {
        self.class.is_empty() && self.member.is_none()
    }

    /// Whether it concerns scripts in C# only.
    fn is_for_csharp_only(&self) -> bool {
        self.affects.contains('c') && !self.affects.contains(['g', 's'])
    }

    /// Whether the new name in the place of the old one is all that there is to do.
    fn is_plain_rename(&self) -> bool {
        self.kind == ChangeKind::Renamed && self.advice == format!("Use `{}` instead.", self.new)
    }

    /// The name that code has: of the member, or of the class.
    fn name(&self) -> &'static str {
        self.member.map_or(self.class, |(_, name)| name)
    }

    fn is_of(&self, kind: ChangedMember) -> bool {
        self.member.is_some_and(|(found, _)| found == kind)
    }

    /// Where the change comes from: the pull requests, or Godot's upgrade guide.
    fn sources(&self) -> String {
        let sources = self.source.split(',').filter(|source| *source != "api");
        let shown: Vec<&str> = sources
            .map(|source| if source == "guide" { "upgrade guide" } else { source })
            .collect();
        shown.join(", ")
    }

    /// The change, without a full stop: ``Godot 4.7 removed the property `tap_back_pos` of `AudioEffectSpectrumAnalyzer` ``.
    pub fn message(&self) -> String {
        let Self { version, class, old, new, .. } = self;
        let subject = match self.member {
            Some((ChangedMember::Setting, name)) => format!("the setting `{name}`"),
            Some((kind, name)) if class.is_empty() => format!("the {} `{name}`", kind.word()),
            Some((kind, name)) => format!("the {} `{name}` of `{class}`", kind.word()),
            None => format!("the class `{class}`"),
        };
        match self.kind {
            ChangeKind::Removed => format!("Godot {version} removed {subject}"),
            ChangeKind::Renamed => format!("Godot {version} renamed {subject} to `{new}`"),
            ChangeKind::Retyped if old.is_empty() => {
                format!("Godot {version} changed the type of {subject} to `{new}`")
            }
            ChangeKind::Retyped => {
                format!("Godot {version} changed the type of {subject} from `{old}` to `{new}`")
            }
            ChangeKind::Arguments => format!("Godot {version} changed the arguments of {subject}"),
            ChangeKind::Returns => format!("Godot {version} changed the return type of {subject}"),
            ChangeKind::Moved => format!("Godot {version} moved {subject} to `{new}`"),
            ChangeKind::Base => format!("Godot {version} changed the base of {subject} to `{new}`"),
            ChangeKind::Default => {
                format!("Godot {version} changed the default of {subject} from `{old}` to `{new}`")
            }
            ChangeKind::Behavior if self.is_general() => {
                format!("Godot {version} changed a behavior")
            }
            ChangeKind::Behavior => format!("Godot {version} changed the behavior of {subject}"),
        }
    }
}

impl ChangedUse {
    fn new(span: Span, cause: Cause) -> Self {
        Self { span, cause, doubt: None, count: 1, edits: Vec::new() }
    }

    fn of(span: Span, change: &'static VersionChange) -> Self {
        Self::new(span, Cause::Change(change))
    }

    /// The change, if the place uses something that changes.
    pub fn change(&self) -> Option<&'static VersionChange> {
        match self.cause {
            Cause::Change(change) => Some(change),
            Cause::Added(_) => None,
        }
    }

    /// Whether an existing script or file breaks.
    pub fn is_breaking(&self) -> bool {
        self.change().is_none_or(VersionChange::is_breaking)
    }

    /// The advice, as a sentence.
    pub fn advice(&self) -> &'static str {
        match &self.cause {
            Cause::Change(change) => change.advice,
            Cause::Added(added) => added.advice(),
        }
    }

    /// The change, with the pull request, and why the place may be something else.
    pub fn message(&self) -> String {
        let message = match &self.cause {
            Cause::Change(change) => format!("{} ({})", change.message(), change.sources()),
            Cause::Added(added) => added.message(),
        };
        match self.doubt {
            Some(doubt) => format!("{message}; this may be a use: {doubt}"),
            None if self.count > 1 => format!("{message}; {} uses in this file", self.count),
            None => message,
        }
    }
}

impl<'p> VersionChanges<'p> {
    /// The changes of the versions after `from`, up to `to`.
    pub fn between(project: &'p Project, from: GodotVersion, to: GodotVersion) -> Self {
        let is_between = |change: &&VersionChange| change.version > from && change.version <= to;
        let mut changes: Vec<&'static VersionChange> = all().iter().filter(is_between).collect();
        leave_out_taken_back(&mut changes);
        let mut by_name: HashMap<&'static str, Vec<usize>> = HashMap::new();
        for (index, change) in changes.iter().enumerate() {
            by_name.entry(change.name()).or_default().push(index);
        }
        Self {
            project,
            from,
            to,
            types: OnceLock::new(),
            changes,
            by_name,
            telling: Mutex::default(),
        }
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.from >= self.to
    }

    /// The uses in `project.godot`, with changes that belong to no file.
    pub fn in_settings(&self, file: &ConfigFile<'_>) -> Vec<ChangedUse> {
        let start = Span::empty(0);
        let mut uses = Vec::new();
        let is_csharp = |file| extension_of(self.project.path(file)) == "cs";
        let has_csharp = self.project.files().any(is_csharp);
        for change in &self.changes {
            if change.is_for_csharp_only() && !has_csharp {
                continue;
            }
            if change.is_general() {
                uses.push(ChangedUse::of(start, change));
            }
            let Some((ChangedMember::Setting, name)) = change.member else { continue };
            let Some((section, key)) = name.split_once('/') else { continue };
            let found = file.get(section.as_bytes(), key.as_bytes());
            match (found, change.kind) {
                (None, ChangeKind::Default) => uses.push(ChangedUse::of(start, change)),
                (Some(_), ChangeKind::Default) | (None, _) => {}
                (Some(found), _) => uses.push(ChangedUse::of(found.key_span(), change)),
            }
        }
        uses
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &'static VersionChange> + '_ {
        let numbers = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        numbers.iter().map(|index| self.changes[*index])
    }

    /// The types of all scripts, which only a check of scripts needs.
    fn types(&self) -> &Types<'p> {
        self.types.get_or_init(|| Types::new(self.project))
    }

    fn classes(&self) -> &'p ClassDb {
        self.project.classes()
    }
}

/// Leaves out defaults that a version changed and a later one changed back.
fn leave_out_taken_back(changes: &mut Vec<&'static VersionChange>) {
    let mut ways: HashMap<_, (&str, &str)> = HashMap::new();
    for change in changes.iter().filter(|change| change.kind == ChangeKind::Default) {
        let way = ways.entry((change.class, change.name())).or_insert((change.old, change.new));
        way.1 = change.new;
    }
    changes.retain(|change| {
        let way = ways.get(&(change.class, change.name()));
        change.kind != ChangeKind::Default || way.is_none_or(|(first, last)| first != last)
    });
}

/// Leaves the first use of each change that breaks nothing, with the number of all.
fn once(uses: Vec<ChangedUse>) -> Vec<ChangedUse> {
    let mut left: Vec<ChangedUse> = Vec::new();
    let mut places: HashMap<*const VersionChange, usize> = HashMap::new();
    for found in uses {
        let change = found.change().filter(|change| !change.is_breaking());
        let place = change.map(|change| *places.entry(change).or_insert(left.len()));
        match place.and_then(|place| left.get_mut(place)) {
            Some(known) => known.count += found.count,
            None => left.push(found),
        }
    }
    left
}
