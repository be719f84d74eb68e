//! Findings that are wanted: how a file says so, and how that is written into it.
//!
//! `metadata/_lint_ignore = ["REF007"]` on a node or resource stays when Godot saves the file. On the root of a
//! scene, or on the `[resource]` of a resource file, it is also about what can have no metadata: the header, external
//! resources, connections. The comment `; gdscene: ignore[REF007] reason` does not stay. At the end of a line or alone
//! on the line before it is about that line, above the first tag about the whole file.

use std::cell::Cell;

use hashbrown::HashMap;

use crate::diagnostic::Diagnostic;
use crate::document::{Document, Property, Section, TagKind};
use crate::lint::{LintOptions, Profile};
use crate::rule_choice::RuleState;
use crate::rules::{Findings, RuleInfo};
use crate::span::Span;
use crate::syntax;

const PROPERTY: &[u8] = b"metadata/_lint_ignore";
const MARK: &[u8] = b"gdscene: ignore[";

/// The rule about what [`leave_out_ignored`] had no use for.
pub static UNUSED_SUPPRESSION: RuleInfo = crate::rule_info! {
    /// ## What it does
    /// Reports a comment `; gdscene: ignore[…]` or an entry of `metadata/_lint_ignore` for a rule that finds nothing
    /// there. Rules that are off, and codes that no rule has, are passed over.
    ///
    /// ## Why is this bad?
    /// What it was for is gone. The next mistake of that kind will not be reported.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/_lint_ignore = ["REF001"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## References
    /// `leave_out_ignored` (rust/tscn/src/ignore.rs)
    "STY011", "unused-suppression", Warning
};

/// Leaves out the findings that the document says are wanted, and adds one ([`UNUSED_SUPPRESSION`]) for each time that
/// it says so without need. `rules` are those that `diagnostics` come from; others may still find what is ignored.
///
/// ```
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\") ; gdscene: ignore[REF001]\n";
/// let document = tscn::parse(text);
/// let options = tscn::LintOptions::default();
/// let mut found = tscn::lint_document(&document, &options).diagnostics;
/// tscn::leave_out_ignored(&document, &options, &[], &mut found);
/// assert!(found.iter().all(|found| found.code != "REF001"));
/// ```
pub fn leave_out_ignored(
    document: &Document<'_>,
    options: &LintOptions<'_>,
    rules: &[&RuleInfo],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mentions = |word| memchr::memmem::find(document.text(), word).is_some();
    if !mentions(b"_lint_ignore") && !mentions(MARK) {
        return;
    }
    let suppressions = Suppressions::of(document);
    diagnostics.retain(|found| !can_be_waived(found, options) || !suppressions.concern(found));
    let state = options.state_of(&UNUSED_SUPPRESSION);
    state.run(diagnostics, |diagnostics| suppressions.report_unused(options, rules, diagnostics));
    diagnostics.sort_by_key(|found| (found.span, found.code));
}

/// Whether a file, a project's configuration or a list of known findings may say that a finding is wanted. What makes a
/// file from strangers dangerous may not be.
pub fn can_be_waived(found: &Diagnostic, options: &LintOptions<'_>) -> bool {
    options.profile == Profile::Trusted || !found.code.starts_with("SEC")
}

/// What a document says is wanted.
struct Suppressions<'d> {
    document: &'d Document<'d>,
    list: Vec<Suppression<'d>>,
    /// Indices into the list.
    by_place: HashMap<(Place, Vec<u8>), usize>,
}

/// One code or name in a comment or a list.
struct Suppression<'d> {
    span: Span,
    rule: &'d [u8],
    is_used: Cell<bool>,
}

/// What a suppression is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    File,
    /// The line that starts here.
    Line(usize),
    /// A section that can have metadata.
    Section(u32),
    /// All sections that cannot.
    OtherSections,
}

impl<'d> Suppressions<'d> {
    fn of(document: &'d Document<'d>) -> Self {
        let mut suppressions = Self { document, list: Vec::new(), by_place: HashMap::new() };
        suppressions.read_comments();
        suppressions.read_metadata();
        suppressions
    }

    fn read_comments(&mut self) {
        let text = self.document.text();
        let first_tag = self.document.sections().next().map(|section| section.tag_span().start);
        for comment in self.document.comments() {
            let source = comment.of(text);
            let Some(codes) = source.strip_prefix(b";").map(<[u8]>::trim_ascii_start) else {
                continue;
            };
            let Some(codes) = codes.strip_prefix(MARK) else { continue };
            let from = comment.end - codes.len() as u32;
            let start = comment.start as usize;
            let line = line_start(text, start);
            let is_alone = text[line..start].trim_ascii().is_empty();
            let places = if is_alone && first_tag.is_some_and(|tag| comment.end <= tag) {
                vec![Place::File]
            } else if is_alone {
                let end = memchr::memchr(b'\n', &text[start..]);
                let next = end.map_or(text.len(), |newline| start + newline + 1);
                vec![Place::Line(line), Place::Line(next)]
            } else {
                vec![Place::Line(line)]
            };
            let codes = codes.split(|byte| *byte == b']').next().unwrap_or_default();
            for code in codes.split(|byte| *byte == b',') {
                let offset = from + offset_in(codes, code);
                self.add(offset, code, &places);
            }
        }
    }

    fn read_metadata(&mut self) {
        let mut has_root = false;
        for section in self.document.sections().filter(|section| keeps_metadata(*section)) {
            let is_root = match section.kind() {
                TagKind::Node => !has_root && section.field("parent").is_none(),
                kind => kind == TagKind::Resource,
            };
            has_root |= is_root && section.kind() == TagKind::Node;
            let Some(list) = list_of(section) else { continue };
            let own = Place::Section(section.index());
            let places = if is_root { vec![own, Place::OtherSections] } else { vec![own] };
            for code in codes_in(list) {
                let offset = list.value_span().start + offset_in(list.source(), code);
                self.add(offset, code, &places);
            }
        }
    }

    fn add(&mut self, offset: u32, rule: &'d [u8], places: &[Place]) {
        let offset = offset + (rule.len() - rule.trim_ascii_start().len()) as u32;
        let rule = rule.trim_ascii();
        if rule.is_empty() {
            return;
        }
        for place in places {
            self.by_place.entry((*place, rule.to_ascii_lowercase())).or_insert(self.list.len());
        }
        let span = Span { start: offset, end: offset + rule.len() as u32 };
        self.list.push(Suppression { span, rule, is_used: Cell::new(false) });
    }

    /// Whether one of them is about the finding; it is used then.
    fn concern(&self, found: &Diagnostic) -> bool {
        let at = found.span.start;
        let section = self.document.section_at(at).filter(|section| keeps_metadata(*section));
        let section =
            section.map_or(Place::OtherSections, |section| Place::Section(section.index()));
        let line = Place::Line(line_start(self.document.text(), at as usize));
        let mut is_wanted = false;
        for name in [found.code, found.name] {
            for place in [Place::File, line, section] {
                let key = (place, name.to_ascii_lowercase().into_bytes());
                if let Some(index) = self.by_place.get(&key) {
                    self.list[*index].is_used.set(true);
                    is_wanted = true;
                }
            }
        }
        is_wanted
    }

    fn report_unused(
        &self,
        options: &LintOptions<'_>,
        rules: &[&RuleInfo],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let mut findings = Findings::new(&UNUSED_SUPPRESSION, diagnostics);
        for unused in self.list.iter().filter(|suppression| !suppression.is_used.get()) {
            let Ok(name) = std::str::from_utf8(unused.rule) else { continue };
            let rule = rules.iter().find(|rule| rule.is_called(name));
            let is_guard =
                |rule: &RuleInfo| options.profile == Profile::Untrusted && rule.is_about_security();
            let Some(rule) = rule.filter(|rule| !is_guard(rule)) else { continue };
            if options.state_of(rule) != RuleState::Off {
                let message = format!("`{name}` finds nothing here that could be ignored");
                findings.push(unused.span, message).help("remove it from the list");
            }
        }
    }
}

/// Where the line starts that `offset` is in.
fn line_start(text: &[u8], offset: usize) -> usize {
    let before = &text[..offset.min(text.len())];
    memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1)
}

/// How far `part` is from the start of the text that it was cut from.
fn offset_in(whole: &[u8], part: &[u8]) -> u32 {
    (part.as_ptr().addr() - whole.as_ptr().addr()) as u32
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::lint_document;
    use crate::rules::RULES;

    const NODE: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\")\n\n\
                        [connection signal=\"s\" from=\"B\" to=\".\" method=\"m\"]\n";

    fn codes(text: &[u8]) -> Vec<&'static str> {
        let document = syntax::parse(text);
        let options = LintOptions::default();
        let mut found = lint_document(&document, &options).diagnostics;
        found.retain(|found| found.code != "STY006");
        let rules: Vec<&RuleInfo> = RULES.iter().map(|rule| &rule.info).collect();
        leave_out_ignored(&document, &options, &rules, &mut found);
        found.iter().map(|found| found.code).collect()
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
        assert_eq!(codes(alone.as_bytes()), ["STY011", "SIG001"]);
        let behind = NODE.replace(line, &format!("{line} {comment}"));
        assert_eq!(codes(behind.as_bytes()), ["STY011", "SIG001"]);
        let behind_another = NODE.replace(line, &format!("y = 1 {comment}\n{line}"));
        assert_eq!(codes(behind_another.as_bytes()), ["STY011", "STY011", "REF001", "SIG001"]);
    }

    #[test]
    fn strange_texts() {
        assert_eq!(ignore_here(b"", 9, "A1"), b"; gdscene: ignore[A1]\n");
        assert_eq!(ignore_here(b"[node", 2, "A1"), b"; gdscene: ignore[A1]\n[node");
        assert_eq!(codes(b"; gdscene: ignore["), codes(b";"));
    }

    #[test]
    fn above_the_first_tag_it_is_about_the_file() {
        let text = format!("; gdscene: ignore[REF001, unknown-connection-end] why\n\n{NODE}");
        assert_eq!(codes(text.as_bytes()), [""; 0]);
    }

    #[test]
    fn the_root_speaks_for_what_has_no_metadata() {
        let list = "x = 1\nmetadata/_lint_ignore = [\"SIG001\"]";
        let text = NODE.replace("x = ExtResource(\"1\")", list);
        assert_eq!(codes(text.as_bytes()), [""; 0]);
    }

    #[test]
    fn what_is_not_needed_is_reported() {
        let text = NODE
            .replace("\n\n[conn", "\nmetadata/_lint_ignore = [\"REF001\", \"REF007\"]\n\n[conn");
        assert_eq!(codes(text.as_bytes()), ["STY011", "SIG001"]);
        let text = NODE.replace("[conn", "; gdscene: ignore[SIG001, XYZ001, ref007]\n[conn");
        assert_eq!(codes(text.as_bytes()), ["REF001", "STY011"]);
    }

    #[test]
    fn a_file_from_strangers_cannot_waive_what_makes_it_dangerous() {
        let text = "; gdscene: ignore[SEC001, SEC003, SYN001]\n[gd_resource type=\"Resource\" format=3]\n\n\
                    [resource]\nmetadata/x = Resource(\"user://a.gd\")\n";
        let options = LintOptions { profile: Profile::Untrusted, ..LintOptions::default() };
        let found = crate::lint(text.as_bytes(), &options).diagnostics;
        assert!(found.iter().any(|found| found.code == "SEC003"), "{found:?}");
    }
}
