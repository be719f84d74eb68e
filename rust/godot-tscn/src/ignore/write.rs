//! Writes a suppression into a text.

use super::{codes_in, keeps_metadata, list_of};
use crate::diagnostic::RuleGroup;
use crate::syntax;

/// The text in which the diagnostics with this code at this place are ignored. Codes `SCR…` are those of scripts, where a comment
/// begins with `#`.
///
/// ```
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\")\n";
/// let ignored = godot_tscn::ignore_here(text, 60, "REF001");
/// assert!(ignored.ends_with(b"x = ExtResource(\"1\")\nmetadata/_lint_ignore = [\"REF001\"]\n"));
/// ```
pub fn ignore_here(text: &[u8], offset: u32, code: &str) -> Vec<u8> {
    if RuleGroup::of(code) == Some(RuleGroup::Script) {
        return ignore_in_script(text, offset, code);
    }
    let document = syntax::parse(text);
    let section = document.section_at(offset).filter(|section| keeps_metadata(*section));
    let (at, addition) = match section {
        None => {
            let line = memchr::memrchr(b'\n', &text[..(offset as usize).min(text.len())]);
            (line.map_or(0, |newline| newline + 1), format!("; gdscene: ignore[{code}]\n"))
        }
        Some(section) => match list_of(section) {
            None => {
                (section.span().end as usize, format!("\nmetadata/_lint_ignore = [\"{code}\"]"))
            }
            Some(property) => {
                let separator = if codes_in(property).next().is_some() { ", " } else { "" };
                let end = property.value_span().end as usize;
                let closing =
                    property.source().iter().rev().take_while(|byte| b"])".contains(byte));
                (end - closing.count(), format!("{separator}\"{code}\""))
            }
        },
    };
    [&text[..at], addition.as_bytes(), &text[at..]].concat()
}

/// A comment in the line before, as far to the right.
fn ignore_in_script(text: &[u8], offset: u32, code: &str) -> Vec<u8> {
    let before = &text[..(offset as usize).min(text.len())];
    let (above, line) = text.split_at(memchr::memrchr(b'\n', before).map_or(0, |end| end + 1));
    let indentation = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let comment = format!("# gdscene: ignore[{code}]\n");
    [above, &line[..indentation], comment.as_bytes(), line].concat()
}
