//! Whether a file of strangers may be loaded.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Severity};
use crate::document::{Document, ReferenceKind, Section, TagKind};
use crate::lint::{LintOptions, Profile, lint_document};
use crate::model::untrusted::is_folder_of;
use crate::span::Span;
use crate::syntax;

/// What [`safety`] should know besides the text.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SafetyOptions<'a> {
    /// The file's path or name. Nothing is read.
    pub path: Option<&'a str>,
    /// What the file may name, if not everything else is allowed.
    pub allow_list: Option<&'a AllowList>,
}

/// What a file from strangers may name.
///
/// A list that is `None` allows everything that no other rule forbids.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AllowList {
    /// The classes of nodes and resources that may be created or loaded: `Sprite2D`.
    pub classes: Option<BTreeSet<String>>,
    /// Files (`res://player.tscn`, `uid://abc`), and folders with a slash at the end
    /// (`user://mods/`). Scripts in this list may be attached.
    pub paths: Option<Vec<String>>,
    /// Uids that were looked up, and the paths they lead to. A reference with both that agrees is judged
    /// by its path.
    pub uids: BTreeMap<String, String>,
}

/// Whether a file may be loaded, and why not.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Safety {
    /// Whether loading and instantiating the file runs no code and loads no file, as far as its own
    /// text tells; [`Safety::references`] have to be safe too.
    pub is_safe: bool,
    /// Why it is not safe: the findings of the rules `SEC…`, and what keeps the file from being
    /// read as Godot reads it.
    pub reasons: Vec<Diagnostic>,
    /// The files that are loaded with it, in the order of the text. Each has to be judged in turn.
    pub references: Vec<ExternalReference>,
}

/// A file that another one names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExternalReference {
    /// The path as it stands there. Bytes that are not UTF-8 are replaced.
    pub path: String,
    /// The uid. Where Godot knows it, it counts, and not the path.
    pub uid: Option<String>,
    /// The class that the file is said to hold.
    pub class: Option<String>,
    /// Where it is named.
    pub span: Span,
}

/// Judges whether a text from strangers may be loaded: a level, a mod, a saved game.
///
/// Loading a scene or resource runs whatever scripts it holds or names, at once. What the rules `SEC…` look
/// for was seen to run code in Godot 4.6.3; each has a file in `fixtures/security`.
///
/// ```
/// use tscn::{SafetyOptions, safety};
///
/// let text = b"[gd_resource type=\"Resource\" format=3]\n\n[resource]\nmetadata/x = Resource(\"user://a.gd\")\n";
/// let safety = safety(text, &SafetyOptions::default());
/// assert!(!safety.is_safe);
/// assert_eq!(safety.reasons[0].code, "SEC003");
/// assert_eq!(safety.references[0].path, "user://a.gd");
/// ```
///
/// # What it does not see
/// Shaders run on the graphics card and may keep it busy; images, fonts and sounds are read by libraries that may
/// have faults of their own. A file that is changed between the judgement and the loading was not judged:
/// copy it first.
pub fn safety(text: &[u8], options: &SafetyOptions<'_>) -> Safety {
    let document = syntax::parse(text);
    let mut lint_options = LintOptions::default();
    (lint_options.path, lint_options.allow_list) = (options.path, options.allow_list);
    lint_options.profile = Profile::Untrusted;
    let mut reasons = lint_document(&document, &lint_options).diagnostics;
    reasons.retain(is_reason);
    Safety {
        is_safe: reasons.is_empty() && !document.is_incomplete(),
        reasons,
        references: references(&document),
    }
}

impl<'a> SafetyOptions<'a> {
    /// Options for the file at `path`.
    pub fn for_path(path: &'a str) -> Self {
        Self { path: Some(path), ..Self::default() }
    }
}

impl AllowList {
    /// Whether things of this class may be created.
    pub fn allows_class(&self, class: &str) -> bool {
        self.classes.as_ref().is_none_or(|classes| classes.contains(class))
    }

    /// Whether the file at `path` is listed, or a folder that it is in. A path with `..` never is.
    pub fn lists_path(&self, path: &str) -> bool {
        let mut paths = self.paths.iter().flatten();
        paths.any(|listed| listed == path || is_folder_of(listed, path))
    }

    /// Whether it is known that `uid` leads to `path`.
    pub fn confirms(&self, uid: &str, path: &str) -> bool {
        self.uids.get(uid).is_some_and(|known| known == path)
    }
}

/// Whether a finding speaks against loading: it tells of a danger, or that Godot may read the text in
/// another way than we do.
fn is_reason(found: &Diagnostic) -> bool {
    let is_of = |group| found.code.starts_with(group);
    match found.severity {
        Severity::Error => ["SEC", "SYN", "STR", "REF"].into_iter().any(is_of),
        Severity::Warning => is_of("SYN"),
        Severity::Info => false,
    }
}

/// Every file that is named in the text where Godot loads it.
fn references(document: &Document<'_>) -> Vec<ExternalReference> {
    let text = |section: Section<'_>, name: &str| {
        section.field_text(name).map(|text| String::from_utf8_lossy(&text).into_owned())
    };
    let mut references: Vec<_> = document
        .sections()
        .filter_map(|section| {
            let (field, class) = match section.kind() {
                TagKind::ExtResource => ("path", text(section, "type")),
                TagKind::Node => ("instance_placeholder", Some("PackedScene".to_owned())),
                _ => return None,
            };
            let span = section.field(field)?.value_span();
            let uid = text(section, "uid");
            Some(ExternalReference { path: text(section, field)?, uid, class, span })
        })
        .collect();
    let inline = document.references().iter();
    references.extend(inline.filter(|found| found.kind == ReferenceKind::Resource).map(|found| {
        let path = String::from_utf8_lossy(&document.target(found)).into_owned();
        ExternalReference { path, uid: None, class: None, span: found.target }
    }));
    references.sort_by_key(|reference| reference.span);
    references
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_listed_in_order() {
        let text = b"[gd_scene format=3]\n\n[ext_resource type=\"A\" uid=\"uid://b\" path=\"res://a\" id=\"1\"]\n\n\
                     [node name=\"A\" type=\"Node\"]\nx = Resource(\"res://c\")\n\n\
                     [node name=\"B\" parent=\".\" instance_placeholder=\"res://d\"]\n";
        let references = safety(text, &SafetyOptions::default()).references;
        let paths: Vec<_> = references.iter().map(|found| found.path.as_str()).collect();
        assert_eq!(paths, ["res://a", "res://c", "res://d"]);
        assert_eq!(references[0].uid.as_deref(), Some("uid://b"));
    }

    #[test]
    fn what_cannot_be_read_is_not_safe() {
        for text in [
            &b""[..],
            b"RSRC\0\0",
            b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\na = [1",
        ] {
            assert!(!safety(text, &SafetyOptions::default()).is_safe);
        }
        let sound = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";
        let safety = safety(sound, &SafetyOptions::default());
        assert!(safety.is_safe, "{:?}", safety.reasons);
    }

    #[test]
    fn lists() {
        let mut list = AllowList::default();
        assert!(list.allows_class("Node") && !list.lists_path("res://a"));
        list.paths = Some(vec!["user://mods/".to_owned(), "res://a".to_owned()]);
        list.classes = Some(["Node".to_owned()].into());
        assert!(list.lists_path("user://mods/b/c") && list.lists_path("res://a"));
        assert!(!list.lists_path("user://mods/../c") && !list.lists_path("res://ab"));
        assert!(!list.allows_class("Node2D"));
    }
}
