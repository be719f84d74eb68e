//! The text of a `.tres` file for a resource that was inside a scene.

use std::collections::BTreeSet;
use std::fmt::Write;

use godot_project::settings::lossy;
use godot_project::{FileId, ResolvedPath, Uid};
use godot_tscn::{FormatOptions, GodotVersion, ReferenceKind, TagKind};

use super::Extraction;
use crate::RefactorError;
use crate::ids::FreshUids;

/// A file as Godot's saver writes it (`ResourceFormatSaverTextInstance::save`, scene/resources/resource_format_text.cpp,
/// Godot 4.6.3): the ids stay those of the scene.
pub(super) struct NewFile<'e> {
    pub(super) extraction: &'e Extraction<'e>,
    pub(super) scene: FileId,
    pub(super) path: &'e str,
}

impl NewFile<'_> {
    /// The text, and the uid in it.
    pub(super) fn text(&self) -> Result<(String, Option<Uid>), RefactorError> {
        let resources = self.extraction.resources;
        let document = resources.document;
        let body = self.body();
        let format = match resources.format() {
            // Base64, and arrays of `Vector4`, came with format 4; without them the saver writes 3.
            4 if !needs_format_4(&body) => 3,
            format => format,
        };
        let uid = (format > 2)
            .then(|| FreshUids::new(self.extraction.project).of_file(self.path, body.as_bytes()));
        let mut text = format!("[gd_resource type=\"{}\"", self.extraction.class);
        if let Some(name) = self.script_class().filter(|_| format > 2) {
            let _ = write!(text, " script_class=\"{name}\"");
        }
        let tags = ["[ext_resource", "[sub_resource"];
        let count: usize = tags.iter().map(|tag| body.matches(&format!("\n{tag} ")).count()).sum();
        let counts =
            document.sections().next().is_some_and(|header| header.field("load_steps").is_some());
        if counts && count > 0 {
            let _ = write!(text, " load_steps={}", count + 1);
        }
        let _ = write!(text, " format={format}");
        if let Some(uid) = uid {
            let _ = write!(text, " uid=\"{uid}\"");
        }
        text.push_str("]\n");
        text.push_str(&body);
        Ok((formatted(text, self.path, counts, format), uid))
    }

    /// All but the header.
    fn body(&self) -> String {
        let resources = self.extraction.resources;
        let document = resources.document;
        let sections = document.sections().filter(|section| self.extraction.is_part(*section));
        let needed = sections.flat_map(godot_tscn::Section::references);
        let needed = needed.filter(|reference| reference.kind == ReferenceKind::ExtResource);
        let mut needed: BTreeSet<String> =
            needed.map(|reference| resources.id(reference)).collect();
        if self.extraction.is_scripted() {
            needed.extend(resources.scripts_of_elements());
        }
        let mut body = String::from("\n");
        for section in document.sections().filter(|section| section.kind() == TagKind::ExtResource)
        {
            let id = section.field_text("id").map(|id| lossy(&id)).unwrap_or_default();
            if needed.contains(&id) {
                body.push_str(&lossy(section.tag_span().of(document.text())));
                body.push('\n');
            }
        }
        if !needed.is_empty() {
            body.push('\n');
        }
        for section in document.sections().filter(|section| self.extraction.is_part(*section)) {
            if section.index() == self.extraction.target.index() {
                continue;
            }
            body.push_str(&resources.section_text(section, section.tag_span().start, |_| None));
            body.push_str("\n\n");
        }
        let target = self.extraction.target;
        let tag_end = target.tag_span().end;
        let properties = resources.section_text(target, tag_end, |_| None);
        body.push_str("[resource]");
        body.push_str(properties.trim_end());
        body.push('\n');
        body
    }

    /// The `class_name` of the resource's script.
    fn script_class(&self) -> Option<String> {
        let extraction = self.extraction;
        let (project, resources) = (extraction.project, extraction.resources);
        let mut properties = extraction.target.properties();
        let script = properties.rfind(|property| property.engine_key().as_ref() == b"script")?;
        let reference = extraction.target.reference_in(script.value_span())?;
        if reference.kind != ReferenceKind::ExtResource {
            return None;
        }
        let section = resources.exts.get(&resources.id(reference))?;
        let facts = project.facts(self.scene);
        let ext = facts.ext_resources.iter().find(|found| found.section == section.index())?;
        let ResolvedPath::File(file) = project.resolve_external(project.path(self.scene), ext)
        else {
            return None;
        };
        project.scripts().script(file)?.class_name.clone()
    }
}

fn needs_format_4(body: &str) -> bool {
    ["PackedByteArray(\"", "PackedVector4Array("].iter().any(|value| body.contains(value))
}

/// In the layout of the saver. Text that the formatter refuses stays as it is.
fn formatted(text: String, path: &str, counts: bool, format: i64) -> String {
    let mut options = FormatOptions::for_path(path);
    options.target = match (format, counts) {
        (..=2, _) => None,
        (_, true) => Some(GodotVersion::godot4(5)),
        (_, false) => Some(GodotVersion::NEWEST),
    };
    let formatted =
        godot_tscn::format(text.as_bytes(), &options).ok().map(|formatted| lossy(&formatted.text));
    formatted.unwrap_or(text)
}
