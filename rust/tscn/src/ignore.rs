//! Findings that are wanted: how a file says so, and how that is written into it.
//!
//! `metadata/_lint_ignore = ["REF007"]` on a node or resource stays when Godot saves the file. The comment
//! `; gdscene: ignore[REF007] reason`, at the end of the line or alone on the line before, does not.

use crate::diagnostic::{Diagnostic, Severity};
use crate::document::{Document, Property, Section, TagKind};
use crate::syntax;

const PROPERTY: &[u8] = b"metadata/_lint_ignore";
const MARK: &[u8] = b"gdscene: ignore[";

/// Leaves out the findings that the document says are wanted. A file of strangers has no say: what is an
/// error in [`Profile::Untrusted`](crate::Profile::Untrusted) stays.
///
/// ```
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\") ; gdscene: ignore[REF001]\n";
/// let document = tscn::parse(text);
/// let mut found = tscn::lint_document(&document, &tscn::LintOptions::default()).diagnostics;
/// tscn::leave_out_ignored(&document, &mut found);
/// assert!(found.is_empty());
/// ```
pub fn leave_out_ignored(document: &Document<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mentions = |word| memchr::memmem::find(document.text(), word).is_some();
    let (by_property, by_comment) = (mentions(b"_lint_ignore"), mentions(MARK));
    if by_property || by_comment {
        diagnostics.retain(|found| {
            let at = found.span.start;
            let is_danger = found.code.starts_with("SEC") && found.severity == Severity::Error;
            is_danger
                || !(by_property && section_ignores(document, at, found.code)
                    || by_comment && comment_ignores(document, at, found.code))
        });
    }
}

/// The text in which the findings with this code at this place are ignored.
///
/// ```
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\")\n";
/// let ignored = tscn::ignore_here(text, 60, "REF001");
/// assert!(ignored.ends_with(b"x = ExtResource(\"1\")\nmetadata/_lint_ignore = [\"REF001\"]\n"));
/// ```
pub fn ignore_here(text: &[u8], offset: u32, code: &str) -> Vec<u8> {
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

/// Whether Godot keeps what is written into the section as metadata.
fn keeps_metadata(section: Section<'_>) -> bool {
    let kinds = [TagKind::Node, TagKind::SubResource, TagKind::Resource];
    kinds.contains(&section.kind()) && !section.is_broken()
}

fn list_of(section: Section<'_>) -> Option<Property<'_>> {
    section.properties().rfind(|property| *property.engine_key() == *PROPERTY)
}

/// The strings in a list of codes.
fn codes_in(property: Property<'_>) -> impl Iterator<Item = &[u8]> {
    property.source().split(|byte| *byte == b'"').skip(1).step_by(2)
}

fn section_ignores(document: &Document<'_>, offset: u32, code: &str) -> bool {
    document
        .section_at(offset)
        .and_then(list_of)
        .is_some_and(|list| codes_in(list).any(|listed| is_code(listed, code)))
}

fn comment_ignores(document: &Document<'_>, offset: u32, code: &str) -> bool {
    let text = document.text();
    let start = memchr::memrchr(b'\n', &text[..offset as usize]).map_or(0, |newline| newline + 1);
    let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |newline| start + newline);
    let before = start.saturating_sub(1);
    let line_before = memchr::memrchr(b'\n', &text[..before]).map_or(0, |newline| newline + 1);
    let comments = document.comments();
    let first = comments.partition_point(|comment| (comment.start as usize) < line_before);
    comments[first..]
        .iter()
        .take_while(|comment| (comment.start as usize) < end)
        .filter(|comment| {
            let at = comment.start as usize;
            // Behind something else it is about that line.
            at >= start || text[line_before..at].trim_ascii().is_empty()
        })
        .any(|comment| names_code(comment.of(text), code))
}

/// Whether the comment is `; gdscene: ignore[…]` with this code in it.
fn names_code(comment: &[u8], code: &str) -> bool {
    let Some(codes) = comment.strip_prefix(b";").map(<[u8]>::trim_ascii) else { return false };
    let Some(codes) = codes.strip_prefix(MARK) else { return false };
    let codes = codes.split(|byte| *byte == b']').next().unwrap_or_default();
    codes.split(|byte| *byte == b',').any(|listed| is_code(listed.trim_ascii(), code))
}

fn is_code(listed: &[u8], code: &str) -> bool {
    listed.eq_ignore_ascii_case(code.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::{LintOptions, lint_document};

    const NODE: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\")\n\n\
                        [connection signal=\"s\" from=\"B\" to=\".\" method=\"m\"]\n";

    fn codes(text: &[u8]) -> Vec<&'static str> {
        let document = syntax::parse(text);
        let mut found = lint_document(&document, &LintOptions::default()).diagnostics;
        leave_out_ignored(&document, &mut found);
        // That Godot does not keep the comment is another matter.
        found.iter().map(|found| found.code).filter(|code| *code != "STY006").collect()
    }

    #[track_caller]
    fn ignored(text: &str, code: &str) -> String {
        let found = crate::lint(text.as_bytes(), &LintOptions::default()).diagnostics;
        let found = found.iter().find(|found| found.code == code).unwrap();
        String::from_utf8(ignore_here(text.as_bytes(), found.span.start, code)).unwrap()
    }

    #[test]
    fn metadata_where_there_is_a_node_and_a_comment_elsewhere() {
        assert_eq!(codes(NODE.as_bytes()), ["REF001", "SIG001"]);
        let text = ignored(NODE, "REF001");
        assert!(text.contains("(\"1\")\nmetadata/_lint_ignore = [\"REF001\"]\n\n[connection"));
        assert_eq!(codes(text.as_bytes()), ["SIG001"]);
        let text = ignored(&text, "SIG001");
        assert!(text.contains("\n; gdscene: ignore[SIG001]\n[connection"));
        assert_eq!(codes(text.as_bytes()), [""; 0]);
    }

    #[test]
    fn a_list_grows() {
        for list in ["[]", "[\"A1\"]", "Array[String]([\"A1\"])", "PackedStringArray(\"A1\")"] {
            let text =
                NODE.replace("\n\n[conn", &format!("\nmetadata/_lint_ignore = {list}\n\n[conn"));
            let text = ignored(&text, "REF001");
            assert_eq!(codes(text.as_bytes()), ["SIG001"], "{text}");
            assert!(syntax::parse(text.as_bytes()).errors().is_empty(), "{text}");
        }
    }

    #[test]
    fn comments_are_about_their_line_or_the_next() {
        let comment = "; gdscene: ignore[SIG001, ref001] why";
        let line = "x = ExtResource(\"1\")";
        let alone = NODE.replace(line, &format!("{comment}\n{line}"));
        assert_eq!(codes(alone.as_bytes()), ["SIG001"]);
        let behind = NODE.replace(line, &format!("{line} {comment}"));
        assert_eq!(codes(behind.as_bytes()), ["SIG001"]);
        let behind_another = NODE.replace(line, &format!("y = 1 {comment}\n{line}"));
        assert_eq!(codes(behind_another.as_bytes()), ["REF001", "SIG001"]);
    }

    #[test]
    fn strangers_have_no_say() {
        let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n\
                     script = null ; gdscene: ignore[SEC003, SEC006]\n\
                     metadata/_lint_ignore = [\"SEC003\", \"SEC006\"]\n\
                     metadata/x = Resource(\"res://a.gd\") ; gdscene: ignore[SEC003]\n";
        let document = syntax::parse(text);
        let profile = crate::Profile::Untrusted;
        let options = LintOptions { profile, ..LintOptions::default() };
        let mut found = crate::lint_document(&document, &options).diagnostics;
        leave_out_ignored(&document, &mut found);
        assert!(found.iter().any(|found| found.code == "SEC003"), "{found:?}");
    }

    #[test]
    fn strange_texts() {
        assert_eq!(ignore_here(b"", 9, "A1"), b"; gdscene: ignore[A1]\n");
        assert_eq!(ignore_here(b"[node", 2, "A1"), b"; gdscene: ignore[A1]\n[node");
        leave_out_ignored(&syntax::parse(b"; gdscene: ignore["), &mut Vec::new());
    }
}
