//! Which path becomes which.

use std::borrow::Cow;
use std::collections::BTreeMap;

use godot_project::res_path::folder_of;
use godot_project::resolve_path;

/// The files that get another path, and where references to them lead.
#[derive(Debug)]
pub(super) struct Renames {
    /// The requested move: a file, or a folder without a slash at its end.
    pub(super) old: String,
    pub(super) new: String,
    pub(super) is_folder: bool,
    /// Every moving file, by its old path, including companions and files that the editor does not see.
    pub(super) files: BTreeMap<String, String>,
    /// The old paths from their ends, in order.
    backwards: Vec<Vec<u8>>,
}

impl Renames {
    pub(super) fn new(
        old: String,
        new: String,
        is_folder: bool,
        files: BTreeMap<String, String>,
    ) -> Self {
        let mut backwards: Vec<Vec<u8>> = files.keys().map(|path| reversed(path)).collect();
        backwards.sort_unstable();
        Self { old, new, is_folder, files, backwards }
    }

    /// The new path of `path`, a file or folder without a slash at its end, if it moves.
    pub(super) fn new_path(&self, path: &str) -> Option<Cow<'_, str>> {
        if let Some(new) = self.files.get(path) {
            return Some(Cow::Borrowed(new));
        }
        let rest = path.strip_prefix(&self.old).filter(|_| self.is_folder)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| Cow::Owned(self.new.clone() + rest))
    }

    /// Where a file is afterwards, whether it moves or not.
    pub(super) fn place_of<'p>(&'p self, path: &'p str) -> Cow<'p, str> {
        self.new_path(path).unwrap_or(Cow::Borrowed(path))
    }

    /// The new form of a path in a text: `res://…`, perhaps with a slash at its end, or with `..` in it.
    pub(super) fn written(&self, path: &str) -> Option<String> {
        let end = if path.ends_with('/') { "/" } else { "" };
        let meant = resolve_path("res://", path)?;
        // `res://a.png/` leads to no file.
        let new = self.new_path(&meant).filter(|_| end.is_empty() || self.is_folder)?;
        Some(new.into_owned() + end)
    }

    /// The replacement of the relative path `text`, which leads to the file `target` from the file `base`. Nothing if it
    /// leads there afterwards, too: but the shortest way stays the shortest, or moving back would not give it again.
    pub(super) fn relative(&self, base: &str, text: &str, target: &str) -> Option<String> {
        let (new_base, new_target) = (self.place_of(base), self.place_of(target));
        let is_shortest = text.strip_prefix("./").unwrap_or(text) == way(folder_of(base), target);
        let leads_there = resolve_path(&new_base, text).as_deref() == Some(&*new_target);
        if leads_there && !is_shortest {
            return None;
        }
        let way = way(folder_of(&new_base), &new_target);
        let is_dotted = text.starts_with("./") && !way.starts_with("../");
        let new = if is_dotted { format!("./{way}") } else { way };
        (new != text).then_some(new)
    }

    /// Whether the old path of something that moves may begin with `head`, end with `tail`, and be longer than both.
    pub(super) fn may_be_put_together(&self, head: &str, tail: &str) -> bool {
        let rest = head.strip_prefix(&*self.old).filter(|_| self.is_folder);
        let has_head = self.old.starts_with(head) || rest.is_some_and(|rest| rest.starts_with('/'));
        if !has_head || tail.is_empty() {
            return has_head && (self.is_folder || self.old.len() > head.len());
        }
        let backwards = reversed(tail);
        let first = self.backwards.partition_point(|path| *path < backwards);
        self.backwards.get(first).is_some_and(|path| path.starts_with(&backwards))
    }

    /// Whether `end` is the end of a moved file's old path, whole names, and not of its new one: it contains a part of the
    /// folder's path.
    pub(super) fn loses_end(&self, end: &str) -> bool {
        let old = self.old.strip_prefix("res://").unwrap_or_default();
        let starts = old.match_indices('/').map(|(slash, _)| slash + 1);
        let mut tails = std::iter::once(0).chain(starts).map(|start| &old[start..]);
        tails.any(|tail| {
            let rest = end.strip_prefix(tail).filter(|rest| rest.starts_with('/'));
            let is_file =
                rest.is_some_and(|rest| self.files.contains_key(&format!("{}{rest}", self.old)));
            is_file && !self.new.ends_with(&format!("/{tail}"))
        })
    }
}

fn reversed(text: &str) -> Vec<u8> {
    text.bytes().rev().collect()
}

/// The relative path from a folder to a file, as `String::path_to_file` (core/string/ustring.cpp, Godot 4.6.3).
fn way(folder: &str, file: &str) -> String {
    let parts = |path: &str| -> Vec<String> {
        let path = path.strip_prefix("res:/").unwrap_or(path);
        path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (from, to) = (parts(folder), parts(file));
    let last = to.len().saturating_sub(1);
    let shared = from.iter().zip(&to[..last]).take_while(|(one, other)| one == other).count();
    let mut way: Vec<&str> = vec![".."; from.len() - shared];
    way.extend(to[shared..].iter().map(String::as_str));
    way.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways() {
        let cases = [
            ("res:/", "res://b.gd", "b.gd"),
            ("res://a", "res://a/b.gd", "b.gd"),
            ("res://a/c", "res://a/b.gd", "../b.gd"),
            ("res://a", "res://b/c.gd", "../b/c.gd"),
            ("res://a/b", "res://c.gd", "../../c.gd"),
            ("res://a", "res://a.gd", "../a.gd"),
        ];
        for (folder, file, expected) in cases {
            assert_eq!(way(folder, file), expected, "from {folder} to {file}");
        }
    }

    #[test]
    fn paths_of_a_folder() {
        let files = BTreeMap::from([("res://a/b.gd".to_owned(), "res://c/a/b.gd".to_owned())]);
        let renames = Renames::new("res://a".to_owned(), "res://c/a".to_owned(), true, files);
        let cases = [
            ("res://a/b.gd", Some("res://c/a/b.gd")),
            ("res://a//x/../b.gd", Some("res://c/a/b.gd")),
            ("res://a", Some("res://c/a")),
            ("res://a/", Some("res://c/a/")),
            ("res://a/not_yet.gd", Some("res://c/a/not_yet.gd")),
            ("res://ab/b.gd", None),
            ("res://", None),
        ];
        for (path, expected) in cases {
            assert_eq!(renames.written(path).as_deref(), expected, "{path}");
        }
        assert!(renames.may_be_put_together("res://a", ".gd"));
        assert!(!renames.may_be_put_together("res://a", ".cs"));
        assert!(!renames.may_be_put_together("res://b", ""));
        assert!(!renames.loses_end("a/b.gd"), "it ends so afterwards, too");
        assert!(!renames.loses_end("b.gd"));
    }
}
