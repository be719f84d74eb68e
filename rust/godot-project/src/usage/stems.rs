//! Names of files without their endings, to which a script may add the rest: `load("res://" + level + ".tscn")`.

use memchr::{memchr, memchr2};

use super::names::{Lines, MAX_NAME};
use super::scan::{Scan, TextKind};
use crate::res_path::name_of;

/// With more files of one name, one place means all.
const MAX_SAME: usize = 64;

/// The name of a file without its ending.
pub(super) fn stem_of(path: &str) -> &str {
    let name = name_of(path);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

impl Scan<'_> {
    /// Notes the files with names, without their endings, that are quoted texts, perhaps with folders before
    /// them.
    pub(super) fn stems(&mut self, text: &[u8], first_line: u32) {
        if self.kind != TextKind::Code {
            return;
        }
        let mut lines = Lines::new(text, first_line);
        let (project, index) = (self.project, self.index);
        let mut at = 0;
        while let Some(open) = text.get(at..).and_then(|rest| memchr2(b'"', b'\'', rest)) {
            let start = at + open + 1;
            at = start;
            let rest = &text[start..text.len().min(start + 4 * MAX_NAME)];
            let Some(length) = memchr(text[start - 1], rest) else { continue };
            let word =
                std::str::from_utf8(&rest[..length]).ok().filter(|word| !word.contains('\n'));
            let Some(files) = word.and_then(|word| index.stems.get(name_of(word))) else {
                continue;
            };
            for file in files.iter().take(MAX_SAME) {
                let path = project.path(*file);
                let line = || (lines.at(start), stem_of(path).to_owned());
                self.named.stems.entry(*file).or_insert_with(line);
            }
            at = start + length + 1;
        }
    }
}
