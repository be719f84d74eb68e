//! The resources inside a text scene or resource, for refactorings that move them.

use std::collections::BTreeMap;
use std::ops::Range;

use godot_project::settings::lossy;
use godot_project::{ExtResource, FileId, Project, ResolvedPath};
use godot_tscn::{Document, Reference, ReferenceKind, Section, Span, TagKind};
use hashbrown::HashMap;

use crate::RefactorError;

/// The meaning of ids in one text.
#[derive(Debug)]
pub(crate) struct Resources<'d> {
    pub(crate) document: &'d Document<'d>,
    path: String,
    /// By id.
    pub(crate) subs: BTreeMap<String, Section<'d>>,
    /// By id.
    pub(crate) exts: BTreeMap<String, Section<'d>>,
}

impl<'d> Resources<'d> {
    /// For a text that Godot loads and that is understood as a whole.
    ///
    /// # Errors
    /// When it is not such a text, or two resources have one id.
    pub(crate) fn new(path: &str, document: &'d Document<'d>) -> Result<Self, RefactorError> {
        let broken = |reason: String| Err(RefactorError::Broken { path: path.to_owned(), reason });
        if document.text().starts_with(godot_tscn::LFS_POINTER) {
            return broken("it is a Git LFS pointer; run `git lfs pull`".to_owned());
        }
        if let Some(refusal) = godot_tscn::refusal(document) {
            return broken(format!("{} in line {}", refusal.code, refusal.line));
        }
        if document.is_incomplete() || godot_tscn::hides_sections(document) {
            return broken("a part of it is skipped".to_owned());
        }
        if std::str::from_utf8(document.text()).is_err() {
            return broken("it is not valid UTF-8".to_owned());
        }
        let mut resources =
            Self { document, path: path.to_owned(), subs: BTreeMap::new(), exts: BTreeMap::new() };
        for section in document.sections() {
            let list = match section.kind() {
                TagKind::SubResource => &mut resources.subs,
                TagKind::ExtResource => &mut resources.exts,
                _ => continue,
            };
            let id = section.field_text("id").map(|id| lossy(&id)).unwrap_or_default();
            if list.insert(id.clone(), section).is_some() {
                return broken(format!("two resources have the id `{id}`"));
            }
        }
        Ok(resources)
    }

    /// The `sub_resource` with this id.
    pub(crate) fn sub(&self, id: &str) -> Result<Section<'d>, RefactorError> {
        find(&self.subs, id).map_err(|near| self.not_found("sub_resource", id, near))
    }

    /// The `ext_resource` with this id.
    pub(crate) fn ext(&self, id: &str) -> Result<Section<'d>, RefactorError> {
        find(&self.exts, id).map_err(|near| self.not_found("ext_resource", id, near))
    }

    fn not_found(&self, kind: &'static str, id: &str, near: Option<String>) -> RefactorError {
        RefactorError::NotFound { path: self.path.clone(), kind, name: id.to_owned(), near }
    }

    /// The header's field `format`, 3 if it has none.
    pub(crate) fn format(&self) -> i64 {
        let header = self.document.sections().next();
        header.and_then(|header| header.field("format")?.int()).unwrap_or(3)
    }

    /// How the lines of the text end.
    pub(crate) fn line_end(&self) -> &'static str {
        let text = self.document.text();
        let first = memchr::memchr(b'\n', text).unwrap_or_default();
        if text[..first].ends_with(b"\r") { "\r\n" } else { "\n" }
    }

    /// The id that a reference names.
    pub(crate) fn id(&self, reference: &Reference) -> String {
        lossy(&self.document.target(reference))
    }

    /// The references of one kind to one id, in the order of the text.
    pub(crate) fn references_to(
        &self,
        kind: ReferenceKind,
        id: &str,
    ) -> impl Iterator<Item = &'d Reference> {
        let all = self.document.references().iter();
        all.filter(move |reference| reference.kind == kind && self.id(reference) == id)
    }

    /// How often each `ext_resource` is named, by id.
    pub(crate) fn ext_uses(&self) -> HashMap<String, usize> {
        let mut uses = HashMap::new();
        for reference in self.document.references() {
            if reference.kind == ReferenceKind::ExtResource {
                *uses.entry(self.id(reference)).or_default() += 1;
            }
        }
        uses
    }

    /// The scripts that no value names, but that a resource of the file may need. If a script exports an empty typed array
    /// or dictionary, Godot saves the script of the elements without any use of it.
    pub(crate) fn scripts_of_elements(&self) -> Vec<String> {
        let uses = self.ext_uses();
        let is_script = |section: &Section<'_>| {
            section.field_text("type").is_some_and(|class| class.ends_with(b"Script"))
        };
        let unused =
            self.exts.iter().filter(|(id, section)| !uses.contains_key(*id) && is_script(section));
        unused.map(|(id, _)| id.clone()).collect()
    }

    /// Where a whole reference is: `SubResource("1")`.
    pub(crate) fn reference_span(&self, reference: &Reference) -> Span {
        let text = self.document.text();
        let before = |at: usize| text[..at].trim_ascii_end().len();
        let open = before(reference.target.start as usize).saturating_sub(1);
        let name_end = before(open);
        let letters = text[..name_end].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric());
        let start = name_end - letters.count();
        let after = &text[reference.target.end as usize..];
        let close = after.iter().position(|byte| *byte == b')').map_or(0, |close| close + 1);
        Span::new(start as u32, reference.target.end + close as u32)
    }

    /// The text of a section up to its last property, with other references: `new` returns the replacement of each.
    pub(crate) fn section_text(
        &self,
        section: Section<'_>,
        from: u32,
        new: impl Fn(&Reference) -> Option<String>,
    ) -> String {
        let text = self.document.text();
        let end = section.span().end;
        let mut copy = String::new();
        let mut at = from;
        for reference in
            section.references().iter().filter(|reference| reference.target.start >= from)
        {
            if let Some(new) = new(reference) {
                let span = self.reference_span(reference);
                copy.push_str(&lossy(&text[range(at, span.start)]));
                copy.push_str(&new);
                at = span.end;
            }
        }
        copy.push_str(&lossy(&text[range(at, end)]));
        copy
    }
}

/// The target of an external resource of the file `base`: equal for two that are one resource.
pub(crate) fn target_of(project: &Project, base: &str, found: &ExtResource) -> String {
    let path = found.path.as_deref().unwrap_or_default();
    match project.resolve_external(base, found) {
        // A part of another file is not that file.
        ResolvedPath::File(file) => {
            let part = path.split_once("::").map_or("", |(_, part)| part);
            format!("{}::{part}", project.path(file))
        }
        _ => format!("{path} {}", found.uid.map_or(0, godot_project::Uid::number)),
    }
}

fn range(start: u32, end: u32) -> Range<usize> {
    start as usize..end.max(start) as usize
}

fn find<'d>(list: &BTreeMap<String, Section<'d>>, id: &str) -> Result<Section<'d>, Option<String>> {
    let near = || godot_tscn::nearest(id.as_bytes(), list.keys().map(String::as_bytes)).map(lossy);
    list.get(id).copied().ok_or_else(near)
}

/// Whether a section has a script.
pub(crate) fn has_script(section: Section<'_>) -> bool {
    section.properties().any(|property| property.engine_key().as_ref() == b"script")
}

/// The section with the blank lines up to the next one.
pub(crate) fn whole_section(document: &Document<'_>, section: Section<'_>) -> Span {
    let end = match section.next() {
        Some(next) => next.tag_span().start,
        None => document.text().len() as u32,
    };
    Span::new(section.tag_span().start, end)
}

/// The text at `span` with the end of its line, if nothing else follows there.
pub(crate) fn whole_line(text: &[u8], span: Span) -> Span {
    let rest = &text[span.end as usize..];
    let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
    let is_alone = rest[..length].trim_ascii().is_empty();
    Span::new(span.start, if is_alone { span.end + length as u32 } else { span.end })
}

/// The text scene or resource at `path`.
pub(crate) fn text_file(
    project: &Project,
    path: &str,
    wanted: &'static str,
) -> Result<FileId, RefactorError> {
    let file =
        project.file(path).ok_or_else(|| RefactorError::NoSuchFile { path: path.to_owned() })?;
    let is_text = matches!(&*godot_project::res_path::extension_of(path), "tscn" | "tres");
    if is_text { Ok(file) } else { Err(RefactorError::WrongKind { path: path.to_owned(), wanted }) }
}

/// The edits that let the header count `resources`, if it counts them: `load_steps`.
pub(crate) fn load_steps(document: &Document<'_>, resources: usize) -> Option<(Span, String)> {
    let header = document.sections().next()?;
    let field = header.field("load_steps")?;
    if resources > 0 {
        return Some((field.value_span(), (resources + 1).to_string()));
    }
    let end = field.span().end as usize;
    let blanks = document.text()[end..].iter().take_while(|byte| **byte == b' ').count();
    Some((Span::new(field.span().start, (end + blanks) as u32), String::new()))
}

/// An id as it is written in a text of this format.
pub(crate) fn quoted(id: &str, format: i64) -> String {
    if format < 3 && id.parse::<u32>().is_ok() { id.to_owned() } else { format!("\"{id}\"") }
}
