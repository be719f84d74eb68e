//! The texts of a project that a script may turn into names while the game runs.

use hashbrown::HashSet;
use rayon::prelude::*;

use crate::names::used::calls_of;
use crate::project::{FileId, Project};
use crate::res_path::{FactsKind, extension_of};
use crate::scripts::made_nodes::texts;

/// The texts between quotes, without those that are only uses of a name.
#[derive(Debug, Default)]
pub(super) struct Written {
    texts: HashSet<String>,
    /// Texts to which something is added.
    starts: HashSet<String>,
}

/// Texts that are longer are not names.
const LONGEST: usize = 128;

impl Written {
    pub(super) fn new(project: &Project) -> Self {
        let files: Vec<FileId> = project.files().collect();
        let parts = files.par_iter().map(|file| Self::of_file(project, *file));
        parts.reduce(Self::default, |mut all, part| {
            all.texts.extend(part.texts);
            all.starts.extend(part.starts);
            all
        })
    }

    /// Whether a name may be made of these texts.
    pub(super) fn may_make(&self, name: &str) -> bool {
        // Scripts keep the start of a path in a constant, without what they add.
        let is_start = |end: usize| {
            self.starts.contains(&name[..end])
                || self.texts.contains(&name[..end])
                    && (name[..end].ends_with('/') || name[end..].starts_with('/'))
        };
        self.texts.contains(name) || name.char_indices().any(|(end, _)| end > 0 && is_start(end))
    }

    fn of_file(project: &Project, file: FileId) -> Self {
        let mut written = Self::default();
        let path = project.path(file);
        let is_script = FactsKind::of(path) == FactsKind::Script;
        let is_quoted =
            is_script || FactsKind::of(path) == FactsKind::Text || path.ends_with(".godot");
        if !is_quoted && !DATA.contains(&&*extension_of(path)) {
            return written;
        }
        let Ok(content) = project.read(file) else { return written };
        if !is_quoted {
            let text = String::from_utf8_lossy(&content);
            let words =
                text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-' && c != '.');
            written.texts.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
        }
        for (text, around) in texts(&content) {
            if text.is_empty() || text.len() > LONGEST || is_script && is_use(around.before) {
                continue;
            }
            let text = String::from_utf8_lossy(text);
            let filled = text.find(['%', '{']).filter(|at| *at > 0);
            let start = filled.map(|at| &text[..at]).or(around.is_added_to.then_some(&*text));
            written.starts.extend(start.map(str::to_owned));
            // Also the last part of a path: `input/jump`.
            let last = text.rsplit('/').next().filter(|last| last.len() < text.len());
            written.texts.extend(last.map(str::to_owned));
            written.texts.insert(text.into_owned());
        }
        written
    }
}

/// Whether a text is an argument of a call that uses a name, or asks for one.
fn is_use(before: &[u8]) -> bool {
    call_before(before).is_some_and(|call| calls_of(call).next().is_some())
}

/// A call with a text as an argument.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallBefore<'s> {
    pub(super) function: &'s str,
    /// The word before the `.`; empty without one.
    pub(super) receiver: &'s str,
    /// Which argument the text is.
    pub(super) index: usize,
}

/// The call with a text as an argument. `before` is the script before the text.
pub(super) fn call_before(before: &[u8]) -> Option<CallBefore<'_>> {
    let near = &before[before.len().saturating_sub(FARTHEST)..];
    let (mut depth, mut index) = (0_usize, 0);
    for (at, byte) in near.iter().enumerate().rev() {
        match byte {
            b')' | b']' | b'}' => depth += 1,
            b'(' if depth == 0 => {
                let function = last_word(&near[..at]);
                let receiver = near[..at - function.len()].strip_suffix(b".").unwrap_or_default();
                return Some(CallBefore { function, receiver: last_word(receiver), index });
            }
            b'(' | b'[' | b'{' if depth > 0 => depth -= 1,
            b'[' | b'{' => return None,
            b',' if depth == 0 => index += 1,
            _ => {}
        }
    }
    None
}

/// The longest part of a call that is read before a text in it.
const FARTHEST: usize = 256;

fn last_word(text: &[u8]) -> &str {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = text.iter().rev().take_while(|byte| is_word(byte)).count();
    std::str::from_utf8(&text[text.len() - length..]).unwrap_or_default()
}

/// Files in which games keep texts.
const DATA: &[&str] = &[
    "cfg", "csv", "dialogue", "dtl", "ini", "json", "jsonc", "toml", "tsv", "txt", "xml", "yaml",
    "yml",
];
