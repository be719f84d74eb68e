//! Which nodes scripts may make while the game runs, by a light look at their texts: too many rather than too few.

use hashbrown::{HashMap, HashSet};
use memchr::memmem;

use crate::project::{FileId, Project};
use crate::res_path::name_of;

/// The nodes that scripts may make.
#[derive(Debug, Default)]
pub struct MadeNodes {
    /// The texts in scripts, and their parts between `/`.
    texts: HashSet<String>,
    /// Texts to which something is added.
    starts: HashSet<String>,
    /// The roots of scenes.
    roots: HashSet<String>,
    /// The names of all nodes in scenes.
    nodes: HashSet<String>,
    /// The words before `.new(`.
    made: HashSet<String>,
    /// The names of scripts that scripts name by their path, and the scripts that do.
    named: HashMap<String, Vec<FileId>>,
}

/// Texts that are longer are not names.
const LONGEST: usize = 128;

impl MadeNodes {
    pub(crate) fn new(project: &Project) -> Self {
        let mut made = Self::default();
        for file in project.files() {
            if project.scripts().script(file).is_some() {
                if let Ok(text) = project.read(file) {
                    made.add_script(file, &text);
                }
            } else if let Some(scene) = &project.facts(file).scene {
                made.roots.extend(scene.nodes.first().map(|root| root.name.clone()));
                made.nodes.extend(scene.nodes.iter().map(|node| node.name.clone()));
            }
        }
        made
    }

    /// Whether something may give a node this name.
    pub fn may_make(&self, project: &Project, name: &str) -> bool {
        let bare = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let has = |set: &HashSet<String>| set.contains(name) || set.contains(bare);
        has(&self.texts)
            || has(&self.roots)
            // Copies of a node are numbered.
            || bare.len() < name.len() && self.nodes.contains(bare)
            // `add_child` with readable names takes the class.
            || project.classes().class(bare).is_some() && self.made.contains(bare)
            || name.char_indices().any(|(end, _)| end > 0 && self.starts.contains(&name[..end]))
    }

    /// Whether objects of a script may be made otherwise than with scenes: something calls its `new`, or loads it.
    pub fn may_make_object_of(&self, project: &Project, script: FileId) -> bool {
        let class =
            project.scripts().script(script).and_then(|script| script.class_name.as_deref());
        let by_class = class.is_some_and(|class| self.made.contains(class));
        let named = self.named.get(name_of(project.path(script)));
        let heirs = project.script_places().with_heirs(script);
        let by_path = named.is_some_and(|by| by.iter().any(|by| !heirs.contains(by)));
        by_class || by_path
    }

    fn add_script(&mut self, file: FileId, text: &[u8]) {
        for at in memmem::find_iter(text, b".new(") {
            let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let length = text[..at].iter().rev().take_while(|byte| is_word(byte)).count();
            let word = String::from_utf8_lossy(&text[at - length..at]);
            self.made.insert(word.into_owned());
        }
        for (content, around) in texts(text) {
            // The paths themselves do not make their targets.
            if around.is_path || content.len() > LONGEST {
                continue;
            }
            let content = String::from_utf8_lossy(content);
            if content.ends_with(".gd") {
                self.named.entry_ref(name_of(&content)).or_default().push(file);
                continue;
            }
            let filled = content.find(['%', '{']).filter(|at| *at > 0);
            let start = filled.map(|at| &content[..at]).or(around.is_added_to.then_some(&*content));
            self.starts.extend(start.filter(|start| start.len() > 1).map(str::to_owned));
            self.texts
                .extend(content.split('/').map(|part| part.trim_start_matches('%').to_owned()));
        }
    }
}

/// The surroundings of a text.
pub(crate) struct Around<'s> {
    /// All that is before it.
    pub(crate) before: &'s [u8],
    /// Where it starts, after the quote.
    pub(crate) start: usize,
    /// It is a path: `$"…"`, `get_node("…")`.
    is_path: bool,
    /// Something is added to it, or filled in.
    pub(crate) is_added_to: bool,
}

/// The texts between quotes.
pub(crate) fn texts(script: &[u8]) -> impl Iterator<Item = (&[u8], Around<'_>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let open = at + memchr::memchr3(b'"', b'\'', b'#', script.get(at..)?)?;
            let rest = &script[open + 1..];
            if script[open] == b'#' {
                at = open + memchr::memchr(b'\n', rest)? + 2;
                continue;
            }
            let length = length_of(rest, script[open]);
            at = open + length + 2;
            let before = script[..open].trim_ascii_end();
            let before = before.strip_suffix(b"^").unwrap_or(before);
            let after = script.get(at..).unwrap_or_default().trim_ascii_start();
            let around = Around {
                before,
                start: open + 1,
                is_path: before.ends_with(b"$") || before.ends_with(b"get_node("),
                is_added_to: after.starts_with(b"+") || after.starts_with(b"%"),
            };
            return Some((&rest[..length], around));
        }
    })
}

/// How long a text is up to its closing quote, or the end of its line.
fn length_of(rest: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            found if *found == quote => return at,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}
