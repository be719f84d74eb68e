//! The scenes that are instanced in one that is merged, and that the same merge changes.
//!
//! git merges one file at a time. When one side renames a node inside a scene, the other side's overrides in the scenes
//! that instance it must follow. So the three versions of each such scene are read from git, merged, and compared with the
//! result.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use godot_tscn::{LostPath, SceneMoves};
use hashbrown::HashMap;
use memchr::memmem;

use crate::git::Blobs;

/// The changes of the nodes of a scene in the merge: of base, ours and theirs.
type Moves = Rc<[SceneMoves; 3]>;

/// Reads scenes as the commits of a merge have them.
#[derive(Debug)]
pub struct MergedScenes {
    /// The top folder of the repository.
    top: PathBuf,
    /// Nothing before the first question.
    blobs: Option<Blobs>,
    /// Base, ours and theirs, as git names them.
    commits: [String; 3],
    /// The folder of the project in the repository: empty, or with a slash at its end.
    root: String,
    /// Nothing of a scene that is being looked at.
    known: HashMap<String, Option<Moves>>,
    bytes_left: usize,
}

/// So deep scenes are followed into each other.
const MAX_DEPTH: usize = 16;
/// At most this number of bytes of scenes is read.
const MAX_BYTES: usize = 64 << 20;

impl MergedScenes {
    /// Those of a merge of the file at `path`, from `top`, the top folder of the repository. `labels` are git's names of base,
    /// ours and theirs in conflicts (`%S`, `%X` and `%Y` of its merge drivers). Nothing if they do not name commits, as those of
    /// a stash, or the file is not in a project.
    #[must_use]
    pub fn open(top: &Path, path: &str, labels: [&str; 3]) -> Option<Self> {
        let [base, ours, theirs] = labels.map(commit_of);
        let commits = [base?, ours?, theirs?];
        let is_root = |folder: &&str| top.join(folder).join("project.godot").is_file();
        let folders = path.rmatch_indices('/').map(|(slash, _)| &path[..slash]).chain([""]);
        let root = folders.clone().find(is_root)?;
        let root = if root.is_empty() { String::new() } else { format!("{root}/") };
        let known = HashMap::new();
        Some(Self { top: top.to_owned(), blobs: None, commits, root, known, bytes_left: MAX_BYTES })
    }

    /// Base, ours and theirs with paths that follow the merge's changes of the scenes inside them.
    pub fn follow(&mut self, texts: [&[u8]; 3]) -> [Vec<u8>; 3] {
        for text in texts.into_iter().filter(|text| memmem::find(text, b"PackedScene").is_some()) {
            for (_, scene) in godot_tscn::instances(text) {
                self.moves(&scene, MAX_DEPTH);
            }
        }
        let mut side = 0..;
        texts.map(|text| {
            let side = side.next().unwrap_or_default();
            godot_tscn::follow_instances(text, |scene| self.known_moves(scene, side)).into_owned()
        })
    }

    /// The merged text's overrides of nodes that their scenes have lost in the merge. For after
    /// [`Self::follow`].
    #[must_use]
    pub fn lost(&self, merged: &[u8]) -> Vec<LostPath> {
        let mut lost = Vec::new();
        for side in 0..3 {
            for path in godot_tscn::lost_in_instances(merged, |scene| self.known_moves(scene, side))
            {
                if !lost.contains(&path) {
                    lost.push(path);
                }
            }
        }
        lost
    }

    fn known_moves(&self, scene: &str, side: usize) -> Option<&SceneMoves> {
        Some(&self.known.get(scene)?.as_ref()?[side])
    }

    /// The changes of the nodes of a scene, and of those inside it.
    fn moves(&mut self, scene: &str, depth: usize) -> Option<Moves> {
        if let Some(known) = self.known.get(scene) {
            return known.clone();
        }
        self.known.insert(scene.to_owned(), None);
        let texts = self.texts(scene)?;
        let [base, ours, theirs] = texts.each_ref().map(Vec::as_slice);
        let merged = match () {
            () if base == ours => theirs.to_vec(),
            () if base == theirs || ours == theirs => ours.to_vec(),
            () => godot_tscn::merge(base, ours, theirs).ok()?.text,
        };
        let mut moves = texts.each_ref().map(|text| match *text == merged {
            true => SceneMoves::default(),
            false => SceneMoves::between(text, &merged),
        });
        let [of_base, of_ours, of_theirs] = &mut moves;
        of_ours.add_stale(ours, of_base);
        of_theirs.add_stale(theirs, of_base);
        if depth > 0 {
            for (side, text) in texts.iter().enumerate() {
                for (path, scene) in godot_tscn::instances(text) {
                    if let Some(inner) = self.moves(&scene, depth - 1) {
                        moves[side].add_inside(&path, &inner[side]);
                    }
                }
            }
        }
        let moves = Rc::new(moves);
        self.known.insert(scene.to_owned(), Some(Rc::clone(&moves)));
        Some(moves)
    }

    /// Base, ours and theirs of a scene; nothing if one of them does not have it.
    fn texts(&mut self, scene: &str) -> Option<[Vec<u8>; 3]> {
        let path = scene.strip_prefix("res://").filter(|path| path.ends_with(".tscn"))?;
        let mut texts = [const { Vec::new() }; 3];
        if self.blobs.is_none() {
            self.blobs = Blobs::open(&self.top).ok();
        }
        let blobs = self.blobs.as_mut()?;
        for (text, commit) in texts.iter_mut().zip(&self.commits) {
            *text = blobs.read(&format!("{commit}:{}{path}", self.root)).ok()??;
            self.bytes_left = self.bytes_left.checked_sub(text.len())?;
        }
        Some(texts)
    }
}

/// The commit that a label of git's names: `1a2b3c4`, `main`, `1a2b3c4 (subject)`, `parent of 1a2b3c4 (subject)`, each perhaps with
/// `:path`.
fn commit_of(label: &str) -> Option<String> {
    let (label, is_parent) = match label.strip_prefix("parent of ") {
        Some(rest) => (rest, "^"),
        None => (label, ""),
    };
    // No name of a revision has these two (`git check-ref-format`).
    let end = label.find([' ', ':']).unwrap_or(label.len());
    let (name, rest) = label.split_at(end);
    // Others are words: `merged common ancestors`, `Stashed changes`.
    let is_alone = rest.is_empty() || rest.starts_with(':') || rest.starts_with(" (");
    let is_name = is_alone && !name.is_empty() && !name.starts_with('%');
    is_name.then(|| format!("{name}{is_parent}"))
}

#[cfg(test)]
mod tests {
    use super::commit_of;

    #[test]
    fn labels_of_git() {
        let of = |label: &str| commit_of(label).unwrap_or_default();
        assert_eq!(of("HEAD"), "HEAD");
        assert_eq!(of("feature/x:a b.tscn"), "feature/x");
        assert_eq!(of("1a2b3c4 (a subject: b)"), "1a2b3c4");
        assert_eq!(of("parent of 1a2b3c4 (a subject)"), "1a2b3c4^");
        for label in ["", "%S", "merged common ancestors", "Stashed changes", "empty tree"] {
            assert_eq!(commit_of(label), None);
        }
    }
}
