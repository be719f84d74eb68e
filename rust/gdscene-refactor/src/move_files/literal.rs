//! The change of a string that may contain a path.

use std::borrow::Cow;

use godot_project::res_path::name_of;
use godot_project::{FileId, Project, resolve_path};

use crate::move_files::renames::Renames;

/// The change of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It has nothing to do with the move.
    Keep,
    /// This comes in its place.
    Becomes(String),
    /// It may have to change, for this reason.
    Doubt(Cow<'static, str>),
}

/// How much of a path a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it, according to the text.
    Whole,
    /// It is combined with others.
    Part,
}

/// The move, and its project.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving<'p> {
    pub(super) project: &'p Project,
    pub(super) renames: &'p Renames,
    /// Whether it has moved, and `project` is as it was before that.
    pub(super) has_happened: bool,
}

impl<'p> Moving<'p> {
    /// The change of a string with `res://…`: the path of a moved file, or a path below it.
    ///
    /// Before the path may stand the `*` of an autoload or the uid of `uid://…::::res://…`, behind it the `::id` of a resource
    /// inside the file.
    pub(super) fn absolute(self, text: &str, extent: Extent) -> Verdict {
        let Some(start) = text.find("res://") else { return Verdict::Keep };
        let (before, rest) = text.split_at(start);
        let is_plain = before.is_empty()
            || before == "*"
            || (before.starts_with("uid://") && before.ends_with("::::"));
        if !is_plain {
            return self.longer(text);
        }
        let (path, inner) = rest.split_at(rest.find("::").unwrap_or(rest.len()));
        let is_file = self.renames.files.contains_key(path);
        if let Some((head, tail)) = around_placeholders(path).filter(|_| !is_file) {
            return self.put_together(before, path, head, tail);
        }
        if rest["res://".len()..].contains("res://") {
            return self.longer(text);
        }
        let Some(new) = self.renames.written(path) else { return self.unmoved(text, path, extent) };
        let is_open_end =
            extent == Extent::Part && path == self.renames.old && self.has_longer_siblings();
        if self.renames.is_folder && is_open_end {
            let reason = "begins with the moved path, but may continue to another path: the rest is built at run time";
            return Verdict::Doubt(reason.into());
        }
        Verdict::Becomes(format!("{before}{new}{inner}"))
    }

    /// The change of a path that may be relative to the file `base`, where Godot reads a path.
    pub(super) fn path_in(self, base: &str, text: &str) -> Verdict {
        if text.contains("://") {
            return self.absolute(text, Extent::Whole);
        }
        let Some(target) = resolve_path(base, text).filter(|_| !text.is_empty()) else {
            return Verdict::Keep;
        };
        if !self.is_there(&target) {
            return Verdict::Keep;
        }
        match self.renames.relative(base, text, &target) {
            Some(_) if self.leads_elsewhere_now(base, text, &target) => Verdict::Doubt(
                "is relative, and leads to a different file from the new location".into(),
            ),
            Some(new) => Verdict::Becomes(new),
            None => Verdict::Keep,
        }
    }

    /// Whether a relative path may have been written after its file moved.
    fn leads_elsewhere_now(self, base: &str, text: &str, target: &str) -> bool {
        let place = self.renames.place_of(base);
        let Some(now) = resolve_path(&place, text).filter(|_| self.has_happened && place != base)
        else {
            return false;
        };
        let is_there = self.is_there(&now) || self.renames.files.values().any(|new| *new == now);
        is_there && now != self.renames.place_of(target)
    }

    /// The possible change of a string without `res://` in code, which may be the end of a path.
    pub(super) fn end_of_path(self, text: &str) -> Verdict {
        let Renames { old, is_folder, .. } = self.renames;
        let end = text.trim_start_matches('/');
        let name = name_of(end);
        if !name.contains('.') || text.contains("://") {
            return Verdict::Keep;
        }
        let reason = if !is_folder && name == name_of(old) && ends_with(old, end) {
            "ends like the path of the moved file: the folder before it is built at run time"
        } else if *is_folder && end.contains('/') && self.renames.loses_end(end) {
            "ends like the path of a moved file: the text before it is built at run time"
        } else {
            return Verdict::Keep;
        };
        Verdict::Doubt(reason.into())
    }

    /// Whether there is such a file or folder, or will be.
    fn is_there(self, path: &str) -> bool {
        let below = || self.project.files_that_start_with(&format!("{path}/")).next().is_some();
        self.renames.new_path(path).is_some()
            || self.project.file(path).is_some()
            || self.project.source().exists(path)
            || below()
    }

    /// The verdict on a path that does not move itself.
    fn unmoved(self, text: &str, path: &str, extent: Extent) -> Verdict {
        if self.differs_in_case(path) {
            let reason = "differs from the path of a moved file only in upper and lower case";
            return Verdict::Doubt(reason.into());
        }
        let is_folder_of_it = path.ends_with('/')
            || self.renames.old.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        let is_start = path.len() > "res://".len()
            && (extent == Extent::Part || is_folder_of_it)
            && self.renames.may_be_put_together(path, "");
        if is_start {
            let reason = match extent {
                Extent::Part => "begins like a moved path: the rest is built at run time",
                Extent::Whole => "is a moved folder: the code chooses its files at run time",
            };
            return Verdict::Doubt(reason.into());
        }
        self.longer(text)
    }

    /// Whether it leads to a moved file if case is ignored.
    fn differs_in_case(self, path: &str) -> bool {
        let Some(meant) = resolve_path("res://", path) else { return false };
        let moves = |file: &FileId| self.renames.new_path(self.project.path(*file)).is_some();
        self.project.file(&meant).is_none()
            && self.project.files_but_for_case(&meant).iter().any(moves)
    }

    /// The verdict on a text with a path as a part.
    fn longer(self, text: &str) -> Verdict {
        if self.occurrences(text.as_bytes()).next().is_none() {
            return Verdict::Keep;
        }
        Verdict::Doubt("contains the path among other text".into())
    }

    /// The verdict on a path with placeholders: `res://levels/%s.tscn`.
    fn put_together(self, before: &str, path: &str, head: &str, tail: &str) -> Verdict {
        let folder = format!("{}/", self.renames.old);
        let is_inside =
            self.renames.is_folder && head.starts_with(&folder) && !path.contains("/..");
        if let Some(rest) = path.strip_prefix(&folder).filter(|_| is_inside) {
            return Verdict::Becomes(format!("{before}{}/{rest}", self.renames.new));
        }
        if head.len() > "res://".len() && self.renames.may_be_put_together(head, tail) {
            let reason = "may be a moved path: a part of it is filled in at run time";
            return Verdict::Doubt(reason.into());
        }
        Verdict::Keep
    }

    fn has_longer_siblings(self) -> bool {
        let old = &self.renames.old;
        let mut files = self.project.files_that_start_with(old);
        files.any(|file| !self.project.path(file)[old.len()..].starts_with('/'))
    }

    /// The places in a text of the moved path, or of one below it.
    pub(super) fn occurrences<'t>(
        self,
        text: &'t [u8],
    ) -> impl Iterator<Item = usize> + use<'t, 'p> {
        let old: &'p [u8] = self.renames.old.as_bytes();
        memchr::memmem::find_iter(text, old)
            .filter(move |at| ends_a_name(text.get(at + old.len()..).unwrap_or_default()))
    }
}

/// Whether a name of a file ends before `rest`.
pub(super) fn ends_a_name(rest: &[u8]) -> bool {
    match rest {
        [b'.', next, ..] => {
            !next.is_ascii_alphanumeric()
                || rest.starts_with(b".import")
                || rest.starts_with(b".uid")
        }
        [next, ..] => {
            !(next.is_ascii_alphanumeric() || matches!(next, b'_' | b'-') || !next.is_ascii())
        }
        [] => true,
    }
}

/// Whether `path` ends with the whole names in `end`.
fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.ends_with('/'))
}

/// The text before the first placeholder of a format and after the last one: `%s`, `%02d`, `{name}`.
fn around_placeholders(text: &str) -> Option<(&str, &str)> {
    let first = text.find(['%', '{'])?;
    let last = text.rfind(['%', '}'])?;
    let mut tail = &text[last + 1..];
    if text[last..].starts_with('%') {
        let is_flag = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | '*');
        tail = tail.trim_start_matches(is_flag);
        tail = tail.strip_prefix(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(tail);
    }
    Some((&text[..first], tail))
}
