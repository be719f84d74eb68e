//! The names in one text: paths and uids, files by their names, classes.

use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};
use memchr::{memchr_iter, memmem};

use super::kinds::kind_of;
use super::names::{Lines, MAX_NAME, ends_alike, is_word, name_starts, token_start, unescaped};
use super::stems::stem_of;
use crate::Uid;
use crate::project::{FileId, Project};
use crate::res_path::FactsKind;
use crate::res_path::{extension_of, folder_of, name_of, resolve_path};
use crate::settings::lossy;

/// The keys by which a text may name files.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The files of each name.
    names: HashMap<String, Vec<FileId>>,
    /// The same without their endings.
    pub(super) stems: HashMap<String, Vec<FileId>>,
    /// The extensions of these names, in lower case.
    extensions: HashSet<String>,
    /// The scripts that declare a class of each name.
    pub(super) classes: HashMap<String, Vec<FileId>>,
    /// The files that imports make next to their sources, such as translations of a table, by path: others name them, and
    /// they may be missing yet.
    pub(super) made: HashMap<String, FileId>,
}

/// The kind of text that names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    /// A text that Godot or a script reads.
    Code,
    /// A text for people: a named file may exist for it.
    Prose,
    /// A 3D scene, which names its textures.
    Model,
    /// Bytes, in which paths stand, but no classes.
    Binary,
}

/// The names in a text.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// The files that it certainly names.
    pub(super) certain: HashSet<FileId>,
    /// The files that it may name, each with the line and the name.
    pub(super) doubtful: BTreeMap<FileId, (u32, String)>,
    /// The files with names that it contains without their endings, each with the line and the name. They count only if the
    /// project puts paths together of `res://` and nothing else.
    pub(super) stems: BTreeMap<FileId, (u32, String)>,
    /// The paths that may be built.
    pub(super) starts: BTreeMap<Start, u32>,
    /// The line of a `res://` alone, to which any path may be added.
    pub(super) bare: Option<u32>,
    /// Where a script asks for its own folder.
    pub(super) own_folder: Option<u32>,
}

/// A path that may be built: its start and its end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Start {
    pub(super) start: String,
    pub(super) end: String,
}

const ROOT: &str = "res://";

/// With more files of one name, folders do not limit the possible ones.
const MAX_SAME: usize = 64;

impl Start {
    /// Whether `path` may be built in this way.
    pub(super) fn may_be(&self, path: &str) -> bool {
        path.starts_with(&self.start) && path.ends_with(&self.end) && !is_beside(path)
    }
}

impl Index {
    pub(super) fn new(project: &Project) -> Self {
        let mut index = Self::default();
        for file in project.files() {
            let path = project.path(file);
            // A file that says something of one that is gone is needed as long as that one is named: it may only be gone here.
            let path = match is_beside(path) {
                true if kind_of(project, file).is_none() => continue,
                true => path.rsplit_once('.').map_or(path, |(beside, _)| beside),
                false => path,
            };
            index.extensions.insert(extension_of(path).into_owned());
            index.names.entry_ref(name_of(path)).or_default().push(file);
            index.stems.entry_ref(stem_of(path)).or_default().push(file);
        }
        index
    }
}

/// Whether the file is about the one next to it.
pub(super) fn is_beside(path: &str) -> bool {
    matches!(FactsKind::of(path), FactsKind::Import | FactsKind::Uid)
}

/// Looks through one text.
pub(super) struct Scan<'s> {
    pub(super) project: &'s Project,
    pub(super) index: &'s Index,
    /// The path of the file that the text is of.
    pub(super) base: &'s str,
    pub(super) kind: TextKind,
    pub(super) named: Named,
    /// Names of more files than are looked at one by one, that stand in the text.
    wide: HashSet<String>,
}

impl<'s> Scan<'s> {
    pub(super) fn new(
        project: &'s Project,
        index: &'s Index,
        base: &'s str,
        kind: TextKind,
    ) -> Self {
        Self { project, index, base, kind, named: Named::default(), wide: HashSet::new() }
    }

    /// Searches a text that begins at `first_line`.
    pub(super) fn text(&mut self, text: &[u8], first_line: u32) {
        self.uids(text, first_line);
        self.paths(text, first_line);
        self.names(text, first_line);
        self.stems(text, first_line);
        if matches!(self.kind, TextKind::Code | TextKind::Prose) {
            self.classes(text, first_line);
        }
        if FactsKind::of(self.base) == FactsKind::Script {
            self.own_folder(text, first_line);
        }
    }

    fn uids(&mut self, text: &[u8], first_line: u32) {
        let mut lines = Lines::new(text, first_line);
        for start in memmem::find_iter(text, b"uid://") {
            let digits = text[start + 6..].iter().take_while(|byte| byte.is_ascii_alphanumeric());
            let end = start + 6 + digits.take(MAX_NAME).count();
            let Some(uid) = Uid::parse(&text[start..end]) else { continue };
            for file in self.project.files_with_uid(uid) {
                self.found(*file, || lines.at(start));
            }
        }
    }

    fn paths(&mut self, text: &[u8], first_line: u32) {
        let mut lines = Lines::new(text, first_line);
        for start in memmem::find_iter(text, ROOT) {
            let rest = &text[start..text.len().min(start + 16 * MAX_NAME)];
            let is_end =
                |byte: &u8| matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | 0..32);
            let length = rest.iter().position(is_end).unwrap_or(rest.len());
            let is_quoted = matches!(rest.get(length), Some(b'"' | b'\''));
            let whole = lossy(&rest[..length]);
            let whole = whole.trim_end_matches('\\');
            let cut =
                whole.split([' ', '\t', ')', ',', ';', '*', ']', '}']).next().unwrap_or(whole);
            let file = [whole, cut].iter().find_map(|path| self.file(path));
            match file {
                Some(file) => self.found(file, || lines.at(start)),
                None => {
                    let path = if is_quoted { whole } else { cut };
                    self.put_together(path, lines.at(start));
                }
            }
        }
    }

    fn file(&self, path: &str) -> Option<FileId> {
        let path = resolve_path(self.base, path)?;
        let beside = path.strip_suffix(".import").or_else(|| path.strip_suffix(".remap"));
        let file = self.project.file(beside.unwrap_or(&path)).or_else(|| self.project.file(&path));
        file.or_else(|| self.index.made.get(&path).copied())
    }

    /// Notes a path that leads to no file: that of a folder, or one to which something is added.
    fn put_together(&mut self, path: &str, line: u32) {
        const PLACEHOLDERS: [char; 6] = ['%', '{', '*', '$', '#', '?'];
        let first = path.find(PLACEHOLDERS).unwrap_or(path.len());
        let start = path[..first].to_owned();
        let after = path.rfind(PLACEHOLDERS).map_or("", |last| &path[last..]);
        // `%03d.png`, `{name}.png`
        let end = match (after.rfind('}'), after.strip_prefix('%')) {
            (Some(close), _) => &after[close + 1..],
            (None, Some(rest)) => {
                let flags = rest.trim_start_matches(|flag: char| !flag.is_ascii_alphabetic());
                flags.get(1..).unwrap_or_default()
            }
            (None, None) => after.get(1..).unwrap_or_default(),
        };
        if start.len() <= ROOT.len() && !end.contains('.') {
            self.named.bare.get_or_insert(line);
            return;
        }
        self.named.starts.entry(Start { start, end: end.to_owned() }).or_insert(line);
    }

    fn found(&mut self, file: FileId, line: impl FnOnce() -> u32) {
        if self.kind == TextKind::Prose {
            let name = || name_of(self.project.path(file)).to_owned();
            self.named.doubtful.entry(file).or_insert_with(|| (line(), name()));
        } else {
            self.named.certain.insert(file);
        }
    }

    /// Files with names in the text, with or without folders before them.
    fn names(&mut self, text: &[u8], first_line: u32) {
        let mut lines = Lines::new(text, first_line);
        for dot in memchr_iter(b'.', text) {
            let Some(end) = self.extension_end(text, dot) else { continue };
            for start in name_starts(text, dot) {
                let Ok(name) = std::str::from_utf8(&text[start..end]) else { continue };
                let Some((name, files)) = self.index.names.get_key_value(&*unescaped(name)) else {
                    continue;
                };
                if files.len() > MAX_SAME {
                    self.any_of(name, files, || lines.at(start));
                    continue;
                }
                for file in files {
                    self.name(text, start, end, *file, &mut lines);
                }
            }
        }
    }

    /// Notes that each of the files with a name may be meant.
    fn any_of(&mut self, name: &str, files: &[FileId], line: impl FnOnce() -> u32) {
        if self.wide.contains(name) {
            return;
        }
        self.wide.insert(name.to_owned());
        let line = line();
        for file in files.iter().filter(|file| self.project.path(**file) != self.base) {
            self.named.doubtful.entry(*file).or_insert_with(|| (line, name.to_owned()));
        }
    }

    /// Where the extension behind a dot ends, if it is one of the project's.
    fn extension_end(&self, text: &[u8], dot: usize) -> Option<usize> {
        const LONGEST: usize = 16;
        let rest = &text[dot + 1..text.len().min(dot + 2 + LONGEST)];
        let length = rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len());
        let extension = std::str::from_utf8(rest.get(..length)?).ok()?;
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        if length == 0 || length > LONGEST || extension.as_bytes().iter().all(is_digit) {
            return None;
        }
        let is_known = self.index.extensions.contains(extension)
            || self.index.extensions.contains(&extension.to_ascii_lowercase());
        is_known.then_some(dot + 1 + length)
    }

    /// A name of `file` is at `start`.
    fn name(&mut self, text: &[u8], start: usize, end: usize, file: FileId, lines: &mut Lines<'_>) {
        let path = self.project.path(file);
        if path == self.base || self.named.certain.contains(&file) {
            return;
        }
        let folder = format!("{}/", folder_of(self.base));
        if self.kind == TextKind::Model && path.starts_with(&folder) {
            self.named.certain.insert(file);
            return;
        }
        let token = lossy(&text[token_start(text, start)..end]);
        let is_relative = !token.contains("://");
        if is_relative && resolve_path(self.base, &token).as_deref() == Some(path) {
            self.found(file, || lines.at(start));
        } else if ends_alike(path, &text[..start]) {
            let name = || name_of(path).to_owned();
            let line = lines.at(start);
            self.named.doubtful.entry(file).or_insert_with(|| (line, name()));
        }
    }

    fn classes(&mut self, text: &[u8], first_line: u32) {
        if self.index.classes.is_empty() {
            return;
        }
        let mut lines = Lines::new(text, first_line);
        let mut at = 0;
        while at < text.len() {
            if !is_word(text[at]) {
                at += 1;
                continue;
            }
            let start = at;
            while at < text.len() && is_word(text[at]) {
                at += 1;
            }
            if text[start].is_ascii_digit() {
                continue;
            }
            let Ok(word) = std::str::from_utf8(&text[start..at]) else { continue };
            let index = self.index;
            for file in index.classes.get(word).into_iter().flatten() {
                self.found(*file, || lines.at(start));
            }
        }
    }

    /// Whether the script asks for its own folder.
    fn own_folder(&mut self, text: &[u8], first_line: u32) {
        const OWN: [&[u8]; 4] =
            [b"resource_path.", b"get_path().", b"scene_file_path.", b"filename."];
        let mut lines = Lines::new(text, first_line);
        for start in memmem::find_iter(text, b"get_base_dir") {
            if OWN.iter().any(|own| text[..start].ends_with(own)) {
                self.named.own_folder.get_or_insert_with(|| lines.at(start));
            }
        }
    }
}
