//! A resource in a file of its own goes into a scene that uses it.

use std::collections::HashMap;
use std::sync::Arc;

use godot_project::inside::expect_inside;
use godot_project::settings::lossy;
use godot_project::{ExtResource, FileId, Place, Plan, Project, ResolvedPath, resolve_path};
use godot_tscn::{Reference, ReferenceKind, Section, Span, TagKind};

use crate::RefactorError;
use crate::draft::{FileDraft, plan_of_drafts};
use crate::ids::FreshIds;
use crate::resources::{Resources, load_steps, quoted, target_of, text_file, whole_line};

/// A plan that puts the resource of an `ext_resource` of a scene into the scene, as a `sub_resource` with everything in its file.
/// `id` is that of the `ext_resource`, or the path of the file. Ids stay unless they are taken. With `removes_file` the file goes,
/// if nothing else uses it.
///
/// # Errors
/// When there is no such `ext_resource`, it does not lead to a `.tres` file, or the file is to go and others use it.
pub fn inline(
    project: &Project,
    scene: &str,
    id: &str,
    removes_file: bool,
) -> Result<Plan, RefactorError> {
    let scene = resolve_path("res://", scene).unwrap_or_else(|| scene.to_owned());
    let file = text_file(project, &scene, "a text scene or resource")?;
    let mut draft = FileDraft::of(project, file)?;
    let text = Arc::clone(&draft.text);
    let document = godot_tscn::parse(&text);
    let resources = Resources::new(&scene, &document)?;
    let id = &*id_of_path(project, file, id).unwrap_or_else(|| id.to_owned());
    let tag = resources.ext(id)?;
    let source = source(project, file, tag)?;
    let source_path = project.path(source).to_owned();
    // A link in the project must not bring a file of the user into it.
    if let Some(Err(error)) = project.root().map(|root| expect_inside(root, &source_path)) {
        return Err(RefactorError::Refused(format!("`{source_path}` is not copied: {error}")));
    }
    let source_text: Arc<[u8]> = project
        .read(source)
        .map_err(|error| RefactorError::Unreadable { path: source_path.clone(), source: error })?
        .as_ref()
        .into();
    let source_document = godot_tscn::parse(&source_text);
    let inner = Resources::new(&source_path, &source_document)?;
    let main =
        source_document.sections().find(|section| section.kind() == TagKind::Resource).ok_or_else(
            || RefactorError::WrongKind { path: source_path.clone(), wanted: "a resource" },
        )?;
    if (inner.format() > 2) != (resources.format() > 2) {
        return Err(RefactorError::Refused(format!(
            "`{source_path}` and `{scene}` are for different Godot versions"
        )));
    }
    let mut work = Inlining {
        project,
        scene: file,
        source,
        outer: &resources,
        inner: &inner,
        new_tags: Vec::new(),
    };
    let names = work.names()?;
    work.edit(&mut draft, id, tag, main, &names);
    let mut plan = plan_of_drafts(format!("inline `{source_path}` into `{scene}`"), [draft]);
    let others = others(project, file, source);
    if removes_file {
        if let Some(first) = others.first() {
            return Err(RefactorError::Refused(format!(
                "`{source_path}` cannot be removed: `{}` also uses it",
                project.path(*first)
            )));
        }
        plan.removals.push(source_path.clone());
        plan.doubts = doubtful_others(project, file, source);
    }
    let what = format!("this file also uses `{source_path}`; the scene gets a separate copy");
    let others = others.into_iter().map(|other| Place::of_file(project.path(other), what.clone()));
    plan.doubts.extend(others);
    Ok(plan)
}

/// The id by which the scene knows the file at `path`, if that is the path of one.
fn id_of_path(project: &Project, scene: FileId, path: &str) -> Option<String> {
    let wanted = ResolvedPath::File(project.file(path)?);
    let own = project.path(scene);
    let mut found = project.facts(scene).ext_resources.iter();
    found.find(|found| project.resolve_external(own, found) == wanted).map(|found| found.id.clone())
}

/// The file that the tag leads to.
fn source(project: &Project, scene: FileId, tag: Section<'_>) -> Result<FileId, RefactorError> {
    let path = tag.field_text("path").map(|path| lossy(&path)).unwrap_or_default();
    let facts = project.facts(scene);
    let found = facts.ext_resources.iter().find(|found| found.section == tag.index());
    let target = found.map(|found| project.resolve_external(project.path(scene), found));
    let Some(ResolvedPath::File(source)) = target else {
        return Err(RefactorError::NoSuchFile { path });
    };
    if !project.path(source).ends_with(".tres") || path.contains("::") {
        return Err(RefactorError::WrongKind { path, wanted: "a text resource (`.tres`)" });
    }
    if source == scene {
        return Err(RefactorError::Refused(format!("`{path}` is the file itself")));
    }
    Ok(source)
}

/// The other files that certainly use `source`.
fn others(project: &Project, scene: FileId, source: FileId) -> Vec<FileId> {
    let usage = project.usage();
    let is_user = |file: &FileId| usage.named_by(*file).any(|to| to == source);
    project.files().filter(|file| *file != scene && *file != source).filter(is_user).collect()
}

/// The other files that may use `source`, which goes.
fn doubtful_others(project: &Project, scene: FileId, source: FileId) -> Vec<Place> {
    let usage = project.usage();
    let others = project.files().filter(|file| *file != scene && *file != source);
    let doubts = others.filter_map(|file| {
        let reason = usage.doubt(project, file, source)?;
        let what = format!("may use `{}`, which will be removed: {reason}", project.path(source));
        Some(Place::of_file(project.path(file), what))
    });
    doubts.collect()
}

/// The new ids for those of the file.
struct Names {
    main: String,
    subs: HashMap<String, String>,
    exts: HashMap<String, String>,
}

struct Inlining<'i> {
    project: &'i Project,
    scene: FileId,
    source: FileId,
    /// The resources of the scene.
    outer: &'i Resources<'i>,
    /// The resources of the file.
    inner: &'i Resources<'i>,
    /// The `ext_resource` tags that the scene gets.
    new_tags: Vec<String>,
}

impl Inlining<'_> {
    fn names(&mut self) -> Result<Names, RefactorError> {
        let is_number = self.outer.format() < 3;
        let scene_path = self.project.path(self.scene);
        let mut ids = FreshIds::new(scene_path, self.outer.subs.keys().cloned());
        let mut subs = HashMap::new();
        for (id, section) in &self.inner.subs {
            let class = section.field_text("type").map(|class| lossy(&class)).unwrap_or_default();
            let new = if ids.keep(id) { id.clone() } else { ids.id(&class, is_number) };
            subs.insert(id.clone(), new);
        }
        let main = ids.id(&self.class(), is_number);
        let exts = self.ext_names()?;
        Ok(Names { main, subs, exts })
    }

    /// The class of the resource.
    fn class(&self) -> String {
        let header = self.inner.document.sections().next();
        let class = header.and_then(|header| header.field_text("type"));
        class.map(|class| lossy(&class)).unwrap_or_default()
    }

    /// The ids by which the scene knows the `ext_resource`s of the file.
    fn ext_names(&mut self) -> Result<HashMap<String, String>, RefactorError> {
        let is_number = self.outer.format() < 3;
        let (scene_path, source_path) =
            (self.project.path(self.scene), self.project.path(self.source));
        let mut ids = FreshIds::new(scene_path, self.outer.exts.keys().cloned());
        let (uses, of_elements) = (self.inner.ext_uses(), self.inner.scripts_of_elements());
        let known = self.project.facts(self.scene).ext_resources.iter().rev();
        let key = |known: &'_ ExtResource| target_of(self.project, scene_path, known);
        let own: HashMap<(&str, String), String> =
            known.map(|known| ((&*known.resource_type, key(known)), known.id.clone())).collect();
        let mut names = HashMap::new();
        for found in &self.project.facts(self.source).ext_resources {
            if !uses.contains_key(&found.id) && !of_elements.contains(&found.id) {
                continue;
            }
            let target = self.project.resolve_external(source_path, found);
            if target == ResolvedPath::File(self.scene) {
                let reason = format!("`{source_path}` uses the scene itself");
                return Err(RefactorError::Refused(reason));
            }
            let key = (&*found.resource_type, target_of(self.project, source_path, found));
            let name = own.get(&key).cloned().unwrap_or_else(|| {
                let name = if ids.keep(&found.id) {
                    found.id.clone()
                } else {
                    let number = self.outer.exts.len() + self.new_tags.len() + 1;
                    ids.id(&number.to_string(), is_number)
                };
                let tag = self.inner.exts[&found.id];
                self.new_tags.push(self.tag_with_id(tag, &name));
                name
            });
            names.insert(found.id.clone(), name);
        }
        Ok(names)
    }

    /// A tag of the file with another id.
    fn tag_with_id(&self, tag: Section<'_>, id: &str) -> String {
        let text = self.inner.document.text();
        let (span, field) = (tag.tag_span(), tag.field("id").map(godot_tscn::Field::value_span));
        let field = field.unwrap_or(Span::empty(span.end - 1));
        let before = lossy(&text[span.start as usize..field.start as usize]);
        let after = lossy(&text[field.end as usize..span.end as usize]);
        let end = self.outer.line_end();
        format!("{before}{}{after}{end}", quoted(id, self.outer.format()))
    }

    fn edit(
        &self,
        draft: &mut FileDraft,
        id: &str,
        tag: Section<'_>,
        main: Section<'_>,
        names: &Names,
    ) {
        let (outer, format) = (self.outer, self.outer.format());
        let document = outer.document;
        let main_reference = reference("SubResource", &names.main, format);
        for found in outer.references_to(ReferenceKind::ExtResource, id) {
            let what = "use of the resource";
            draft.edit(outer.reference_span(found), main_reference.clone(), what);
        }
        let mut line = whole_line(document.text(), tag.tag_span());
        // Where no tag is left, neither is the blank line behind them.
        if outer.exts.len() == 1 && self.new_tags.is_empty() {
            let next = whole_line(document.text(), Span::empty(line.end));
            line.end = next.end;
        }
        draft.edit(line, self.new_tags.concat(), "ext_resource of the file");
        self.insert_sections(draft, id, main, names);
        let count =
            outer.exts.len() + outer.subs.len() + self.inner.subs.len() + self.new_tags.len();
        if let Some((span, text)) = load_steps(document, count) {
            draft.edit(span, text, "count of resources");
        }
        // Values of format 4 are not read in a file that says 3.
        let header = document.sections().next().and_then(|header| header.field("format"));
        if let Some(header) = header.filter(|_| self.inner.format() > format) {
            draft.edit(header.value_span(), self.inner.format().to_string(), "format");
        }
    }

    /// Before the first section that uses the resource: a `sub_resource`, or else the first node.
    fn insert_sections(&self, draft: &mut FileDraft, id: &str, main: Section<'_>, names: &Names) {
        let (outer, format) = (self.outer, self.outer.format());
        let uses = |section: &Section<'_>| {
            section
                .references()
                .iter()
                .any(|found| found.kind == ReferenceKind::ExtResource && outer.id(found) == id)
        };
        let is_place = |section: &Section<'_>| match section.kind() {
            TagKind::SubResource => uses(section),
            TagKind::Node | TagKind::Resource => true,
            _ => false,
        };
        let Some(place) = outer.document.sections().find(is_place) else { return };
        let new = |found: &Reference| {
            let (name, list) = match found.kind {
                ReferenceKind::ExtResource => ("ExtResource", &names.exts),
                ReferenceKind::SubResource => ("SubResource", &names.subs),
                ReferenceKind::Resource => return None,
            };
            list.get(&self.inner.id(found)).map(|new| reference(name, new, format))
        };
        let gap = outer.line_end().repeat(2);
        let mut sections = String::new();
        for section in
            self.inner.document.sections().filter(|found| found.kind() == TagKind::SubResource)
        {
            let old = section.field_text("id").map(|id| lossy(&id)).unwrap_or_default();
            let class = section.field_text("type").map(|class| lossy(&class)).unwrap_or_default();
            let new_id = quoted(&names.subs[&old], format);
            sections.push_str(&format!("[sub_resource type=\"{class}\" id={new_id}]"));
            sections.push_str(&self.inner.section_text(section, section.tag_span().end, new));
            sections.push_str(&gap);
        }
        let (class, id) = (self.class(), quoted(&names.main, format));
        sections.push_str(&format!("[sub_resource type=\"{class}\" id={id}]"));
        sections.push_str(&self.inner.section_text(main, main.tag_span().end, new));
        sections.push_str(&gap);
        let start = place.tag_span().start;
        draft.edit(Span::empty(start), sections, "the resource of the file");
    }
}

fn reference(name: &str, id: &str, format: i64) -> String {
    if format < 3 { format!("{name}( {id} )") } else { format!("{name}(\"{id}\")") }
}

#[cfg(test)]
mod tests;
