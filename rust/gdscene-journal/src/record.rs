//! The contents of a journal, and its format.
//!
//! The file: eight bytes that name the format, a code that proves who wrote it ([`Seal`]), and the record in postcard's
//! format.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use godot_project::{FileMove, MAX_FILE_SIZE, Routes};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::{JournalError, Trouble};
use super::seal::{CODE_SIZE, Seal};
use super::{Changes, Write};
use godot_project::inside;

/// The format and its version.
const MAGIC: &[u8; 8] = b"gdsjrn02";
/// The beginning of all its versions.
const ANY_MAGIC: &[u8] = b"gdsjrn";

/// A change to make. Paths are as for [`Changes`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) title: String,
    /// Whether it undoes the change in the title.
    pub(super) is_undo: bool,
    /// Whether it counts as the last refactoring when it is done.
    pub(super) is_undoable: bool,
    /// A part of the names of new contents next to their files.
    pub(super) token: String,
    pub(super) writes: Vec<RecordedWrite>,
    #[serde(with = "moves")]
    pub(super) moves: Vec<FileMove>,
    /// Files that go to where they are kept.
    pub(super) removals: Vec<Kept>,
    /// Files that come back from there.
    pub(super) restores: Vec<Kept>,
    /// The folders that do not exist before, outer ones first.
    pub(super) new_folders: Vec<String>,
    /// The folders that go if nothing is left in them, outer ones first.
    pub(super) old_folders: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RecordedWrite {
    pub(super) path: String,
    pub(super) before: Option<Content>,
    pub(super) after: Option<Content>,
}

/// A file that was removed, and where it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) path: String,
    pub(super) slot: Slot,
}

/// A place for one removed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Slot {
    /// With the running change.
    Pending(u32),
    /// With the last change.
    Last(u32),
}

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content(pub(super) Arc<[u8]>);

/// Why a journal cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unusable {
    /// Nothing proves that this user's gdscene wrote it for this project.
    Foreign,
    /// It differs from the text that was written, or has forbidden content.
    Damaged(String),
}

impl Record {
    /// # Errors
    /// When the changes get in each other's way, or are too large to be kept.
    pub(super) fn of(changes: &Changes) -> Result<Self, JournalError> {
        let content = |text: &Option<Arc<[u8]>>| text.clone().map(Content);
        let writes = changes.writes.iter().filter(|write| write.before != write.after);
        let removals = changes.removals.iter().zip(0..);
        let record = Self {
            title: changes.title.clone(),
            is_undoable: changes.is_undoable,
            writes: writes
                .map(|write| RecordedWrite {
                    path: write.path.clone(),
                    before: content(&write.before),
                    after: content(&write.after),
                })
                .collect(),
            moves: changes.moves.clone(),
            removals: removals
                .map(|(path, number)| Kept { path: path.clone(), slot: Slot::Pending(number) })
                .collect(),
            ..Self::default()
        };
        let mut troubles = record.troubles();
        troubles.extend(changes.writes.iter().filter(|write| tears_scene(write)).map(|write| {
            let reason =
                "the change would break a scene inside a resource; make it in Godot's editor";
            Trouble::new(write.path.as_str(), reason)
        }));
        if troubles.is_empty() { Ok(record) } else { Err(JournalError::Refused(troubles)) }
    }

    /// Its changes, for people: files that come back from the kept ones are left out.
    pub(super) fn changes(&self) -> Changes {
        let content =
            |content: &Option<Content>| content.as_ref().map(|Content(text)| Arc::clone(text));
        let write = |write: &RecordedWrite| Write {
            path: write.path.clone(),
            before: content(&write.before),
            after: content(&write.after),
        };
        Changes {
            title: self.name(),
            writes: self.writes.iter().map(write).collect(),
            moves: self.moves.clone(),
            removals: self.removals.iter().map(|kept| kept.path.clone()).collect(),
            is_undoable: self.is_undoable,
        }
    }

    /// The heading.
    pub(super) fn name(&self) -> String {
        if self.is_undo { format!("undo: {}", self.title) } else { self.title.clone() }
    }

    /// The change that undoes it, or undoes its completed part.
    pub(super) fn inverse(&self) -> Self {
        let routes = self.routes();
        let write = |write: &RecordedWrite| RecordedWrite {
            path: self.new_path(&routes, &write.path),
            before: write.after.clone(),
            after: write.before.clone(),
        };
        let back = |moved: &FileMove| FileMove { from: moved.to.clone(), to: moved.from.clone() };
        Self {
            title: self.title.clone(),
            is_undo: !self.is_undo,
            is_undoable: self.is_undoable,
            token: self.token.clone(),
            writes: self.writes.iter().map(write).collect(),
            moves: self.moves.iter().map(back).collect(),
            removals: self.restores.clone(),
            restores: self.removals.clone(),
            new_folders: self.old_folders.clone(),
            old_folders: self.new_folders.clone(),
        }
    }

    /// The path that a file has afterwards.
    pub(super) fn new_path(&self, routes: &Routes<'_>, path: &str) -> String {
        routes.of(path).map_or_else(
            || path.to_owned(),
            |(index, rest)| format!("{}{rest}", self.moves[index].to),
        )
    }

    /// Its moves, to be looked up.
    pub(super) fn routes(&self) -> Routes<'_> {
        Routes::new(self.moves.iter().map(|moved| moved.from.as_str()))
    }

    /// The bytes of the journal.
    ///
    /// # Errors
    /// When they are more than are read again.
    pub(super) fn encoded(&self, seal: &Seal<'_>) -> Result<Vec<u8>, JournalError> {
        let refused =
            |reason: String| JournalError::Refused(vec![Trouble::new(self.title.clone(), reason)]);
        let bytes = postcard::to_stdvec(self).map_err(|error| refused(error.to_string()))?;
        if (MAGIC.len() + CODE_SIZE + bytes.len()) as u64 > MAX_FILE_SIZE {
            return Err(refused(
                "the files are too many or too large to change at once".to_owned(),
            ));
        }
        Ok([&MAGIC[..], &seal.code(&bytes), &bytes].concat())
    }

    /// Reads a journal.
    ///
    /// # Errors
    /// When it cannot be used.
    pub(super) fn decoded(journal: &[u8], seal: &Seal<'_>) -> Result<Self, Unusable> {
        if !journal.starts_with(MAGIC) && journal.starts_with(ANY_MAGIC) {
            return Err(Unusable::Damaged("another version of gdscene wrote it".to_owned()));
        }
        let sealed = journal.strip_prefix(MAGIC).and_then(|rest| rest.split_first_chunk());
        let Some((_, bytes)) = sealed.filter(|(code, bytes)| seal.proves(bytes, code)) else {
            return Err(Unusable::Foreign);
        };
        let record: Self =
            postcard::from_bytes(bytes).map_err(|error| Unusable::Damaged(error.to_string()))?;
        match record.troubles().first() {
            Some(trouble) => Err(Unusable::Damaged(trouble.to_string())),
            None => Ok(record),
        }
    }

    /// Paths that lead elsewhere, or get in each other's way.
    fn troubles(&self) -> Vec<Trouble> {
        let kept = || self.removals.iter().chain(&self.restores).map(|kept| &kept.path);
        let written = || self.writes.iter().map(|write| &write.path);
        let ends = || self.moves.iter().flat_map(|moved| [&moved.from, &moved.to]);
        let folders = self.new_folders.iter().chain(&self.old_folders);
        let all = written().chain(ends()).chain(kept()).chain(folders);
        let is_wrong = |path: &&String| inside::below(path).is_none();
        let reason = "is not the path of a visible file in the project";
        let mut troubles: Vec<Trouble> =
            all.filter(is_wrong).map(|path| Trouble::new(path.clone(), reason)).collect();
        // Moved and removed paths all differ, and none contains another.
        let whole: BTreeSet<&str> = ends().chain(kept()).map(String::as_str).collect();
        if whole.len() != ends().count() + kept().count() {
            let twice =
                |path: &&String| ends().chain(kept()).filter(|other| other == path).count() > 1;
            troubles.extend(
                ends()
                    .chain(kept())
                    .find(twice)
                    .map(|path| Trouble::new(path.clone(), "two changes conflict in this file")),
            );
        }
        let lies_in = |path: &str| {
            path.match_indices('/')
                .any(|(end, _)| end > "res:/".len() && whole.contains(&path[..end]))
        };
        let inner = whole.iter().filter(|path| lies_in(path));
        troubles.extend(
            inner.map(|path| Trouble::new(*path, "is in a folder that is also moved or removed")),
        );
        let mut seen = BTreeSet::new();
        let is_gone: BTreeSet<&String> = kept().collect();
        for path in written() {
            if !seen.insert(path) || is_gone.contains(path) {
                troubles.push(Trouble::new(path.clone(), "two changes conflict in this file"));
            }
        }
        let mut slots = BTreeSet::new();
        if !self.removals.iter().chain(&self.restores).all(|kept| slots.insert(kept.slot)) {
            troubles.push(Trouble::new(
                self.title.clone(),
                "two removed files have the same place in the journal",
            ));
        }
        troubles
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Content;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Content, E> {
                Ok(Content(bytes.into()))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

/// Moves as pairs.
mod moves {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use godot_project::FileMove;

    pub(super) fn serialize<S: Serializer>(
        moves: &[FileMove],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        moves.iter().map(|moved| (&moved.from, &moved.to)).collect::<Vec<_>>().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<FileMove>, D::Error> {
        let pairs = Vec::<(String, String)>::deserialize(deserializer)?;
        Ok(pairs.into_iter().map(|(from, to)| FileMove { from, to }).collect())
    }
}
/// Whether nodes of a scene inside a resource would become nodes of the file's own scene, or be lost, or the other way
/// around.
fn tears_scene(write: &Write) -> bool {
    let (Some(before), Some(after)) = (&write.before, &write.after) else { return false };
    !godot_tscn::keeps_nested_scenes(before, after)
}
