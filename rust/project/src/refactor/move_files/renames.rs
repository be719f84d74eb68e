//! Which path becomes which.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use crate::res_path::{folder_of, name_of, resolve_path};

/// The files that get another path, and where references to them lead.
#[derive(Debug)]
pub(super) struct Renames {
    /// What was asked for: a file, or a folder without a slash at its end.
    pub(super) old: String,
    pub(super) new: String,
    pub(super) is_folder: bool,
    /// Every file that moves, by its old path: those beside a file and those that the editor does not see, too.
    pub(super) files: BTreeMap<String, String>,
    /// The old paths that have each name.
    by_name: HashMap<String, Vec<String>>,
}

impl Renames {
    pub(super) fn new(
        old: String,
        new: String,
        is_folder: bool,
        files: BTreeMap<String, String>,
    ) -> Self {
        let mut by_name: HashMap<String, Vec<String>> = HashMap::new();
        for path in files.keys() {
            by_name.entry(name_of(path).to_owned()).or_default().push(path.clone());
        }
        Self { old, new, is_folder, files, by_name }
    }

    /// What `path` becomes, a file or folder without a slash at its end, if it moves.
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

    /// What a path becomes that stands in a text: `res://…`, perhaps with a slash at its end, or with `..` in it.
    pub(super) fn written(&self, path: &str) -> Option<String> {
        let end = if path.ends_with('/') { "/" } else { "" };
        let meant = resolve_path("res://", path)?;
        // `res://a.png/` leads to no file.
        let new = self.new_path(&meant).filter(|_| end.is_empty() || self.is_folder)?;
        Some(new.into_owned() + end)
    }

    /// What comes in the place of the relative path `text`, which leads to the file `target` from the file `base`. Nothing
    /// if it leads there afterwards, too.
    pub(super) fn relative(&self, base: &str, text: &str, target: &str) -> Option<String> {
        let (new_base, new_target) = (self.place_of(base), self.place_of(target));
        if resolve_path(&new_base, text).as_deref() == Some(&*new_target) {
            return None;
        }
        let way = way(folder_of(&new_base), &new_target);
        let is_dotted = text.starts_with("./") && !way.starts_with("../");
        Some(if is_dotted { format!("./{way}") } else { way })
    }

    /// The moved files with this name.
    pub(super) fn called(&self, name: &str) -> &[String] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether the old path of something that moves begins with `head` and ends with `tail`, which is a part of it only.
    pub(super) fn may_be_put_together(&self, head: &str, tail: &str) -> bool {
        let fits = |path: &str| {
            path.len() > head.len() + tail.len() && path.starts_with(head) && path.ends_with(tail)
        };
        if fits(&self.old) || (tail.is_empty() && self.is_folder && self.old.starts_with(head)) {
            return true;
        }
        let from_head = self.files.range(head.to_owned()..);
        { from_head }.take_while(|(path, _)| path.starts_with(head)).any(|(path, _)| fits(path))
    }
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
        assert!(!renames.may_be_put_together("res://b", ""));
    }
}
