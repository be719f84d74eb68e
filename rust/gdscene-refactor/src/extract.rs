//! A resource inside a scene gets a file of its own.

mod created;
mod new_file;

use std::collections::BTreeSet;

use godot_project::res_path::extension_of;
use godot_project::settings::lossy;
use godot_project::{FileId, Place, Plan, Project, resolve_path};
use godot_tscn::{ReferenceKind, Section, Span, TagKind};

use crate::RefactorError;
use crate::draft::{FileDraft, plan_of_drafts};
use crate::extract::created::Created;
use crate::ids::FreshIds;
use crate::new_path::NewPath;
use crate::resources::{
    Resources, has_script, load_steps, quoted, text_file, whole_line, whole_section,
};

/// A plan that puts the `sub_resource` with this id into a new file, with everything that only it needs. All its uses in the
/// scene then refer to the file. A script becomes a `.gd` file, a shader a `.gdshader` or `.tres` file, anything else a
/// `.tres` file.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n");
/// # write("a.tscn", "[gd_scene format=3]\n\n[sub_resource type=\"BoxMesh\" id=\"BoxMesh_a\"]\nsize = Vector3(2, 2, 2)\n\n\
/// #     [node name=\"A\" type=\"MeshInstance3D\"]\nmesh = SubResource(\"BoxMesh_a\")\n");
/// let project = godot_project::Project::open(folder.path()).unwrap();
/// let plan = gdscene_refactor::extract(&project, "res://a.tscn", "BoxMesh_a", "res://box.tres")?;
/// let created = plan.files.iter().find(|file| file.path == "res://box.tres").unwrap();
/// assert!(created.new_text().ends_with(b"[resource]\nsize = Vector3(2, 2, 2)\n"));
/// # Ok::<(), gdscene_refactor::RefactorError>(())
/// ```
///
/// # Errors
/// When there is no such resource, or the file cannot get this name. Also when others in the scene use a part of the
/// resource, because they would have a copy of it afterwards: extract that part first.
pub fn extract(project: &Project, scene: &str, id: &str, new: &str) -> Result<Plan, RefactorError> {
    let scene = resolve_path("res://", scene).unwrap_or_else(|| scene.to_owned());
    let file = text_file(project, &scene, "a text scene or resource")?;
    let mut draft = FileDraft::of(project, file)?;
    let text = std::sync::Arc::clone(&draft.text);
    let document = godot_tscn::parse(&text);
    let resources = Resources::new(&scene, &document)?;
    let target = resources.sub(id)?;
    let parts = parts(&resources, id)?;
    let class = target.field_text("type").map(|class| lossy(&class)).unwrap_or_default();
    check_new_path(project, &class, new)?;

    let mut ids = FreshIds::new(&scene, resources.exts.keys().cloned());
    let new_id = next_ext_id(&resources, &mut ids);
    let extraction =
        Extraction { project, resources: &resources, target, parts: &parts, class: &class };
    let created = extraction.created(file, new)?;
    extraction.edit_scene(&mut draft, id, new, &new_id, &created);
    let others = references_from_outside(project, file, &scene, id);
    let mut plan = plan_of_drafts(format!("extract `{id}` of `{scene}` to `{new}`"), [draft]);
    plan.files.extend(created.files);
    plan.files.sort_by(|one, other| one.path.cmp(&other.path));
    plan.doubts.extend(others);
    plan.doubts.extend(created.doubts);
    plan.doubts.sort();
    Ok(plan)
}

/// The resource and all `sub_resource`s that it needs.
///
/// # Errors
/// When something else needs one of those, too.
fn parts(resources: &Resources<'_>, id: &str) -> Result<BTreeSet<String>, RefactorError> {
    let mut parts: BTreeSet<String> = BTreeSet::new();
    let mut open = vec![id.to_owned()];
    while let Some(next) = open.pop() {
        let section = resources.sub(&next)?;
        if !parts.insert(next) {
            continue;
        }
        let inner =
            section.references().iter().filter(|found| found.kind == ReferenceKind::SubResource);
        open.extend(inner.map(|reference| resources.id(reference)));
    }
    let mut is_used = false;
    for section in resources.document.sections() {
        let own = section.field_text("id").map(|own| lossy(&own));
        let is_part =
            section.kind() == TagKind::SubResource && own.is_some_and(|own| parts.contains(&own));
        if is_part {
            continue;
        }
        for reference in section.references() {
            let named = resources.id(reference);
            if reference.kind != ReferenceKind::SubResource || !parts.contains(&named) {
                continue;
            }
            is_used |= named == id;
            if named != id {
                return Err(RefactorError::Refused(format!(
                    "`{named}`, a part of `{id}`, is also used by {}, which would then have a separate copy; \
                     extract `{named}` first",
                    described(section)
                )));
            }
        }
    }
    if is_used { Ok(parts) } else { Err(RefactorError::Refused(format!("nothing uses `{id}`"))) }
}

fn described(section: Section<'_>) -> String {
    let text = |field: &str| section.field_text(field).map(|text| lossy(&text)).unwrap_or_default();
    match section.kind() {
        TagKind::Node => format!("the node `{}`", text("name")),
        TagKind::SubResource => format!("`{}`", text("id")),
        _ => "the resource of the file".to_owned(),
    }
}

fn check_new_path(project: &Project, class: &str, new: &str) -> Result<(), RefactorError> {
    let invalid = |reason: String| {
        let (name, kind) = (new.to_owned(), "path of a new file");
        Err(RefactorError::InvalidName { name, kind, reason })
    };
    if !new.starts_with("res://") || resolve_path("res://", new).as_deref() != Some(new) {
        return invalid("it is not a path inside the project".to_owned());
    }
    let extensions = created::extensions_for(class);
    if !extensions.contains(&&*extension_of(new)) {
        let ends = extensions.join(" or .");
        return invalid(format!("a {class} needs a file with the extension .{ends}"));
    }
    NewPath { project, path: new, old: None }.check()
}

/// `3_x4f2a`: as many as there are, and letters.
fn next_ext_id(resources: &Resources<'_>, ids: &mut FreshIds) -> String {
    let number = |id: &String| id.split('_').next()?.parse::<u32>().ok();
    let last = resources.exts.keys().filter_map(number).max().unwrap_or(0);
    let last = last.max(resources.exts.len() as u32);
    ids.id(&(u64::from(last) + 1).to_string(), resources.format() < 3)
}

/// A resource that moves, and where from.
struct Extraction<'e> {
    project: &'e Project,
    resources: &'e Resources<'e>,
    target: Section<'e>,
    /// The ids of the resource and its parts.
    parts: &'e BTreeSet<String>,
    class: &'e str,
}

impl Extraction<'_> {
    fn edit_scene(
        &self,
        draft: &mut FileDraft,
        id: &str,
        new: &str,
        new_id: &str,
        created: &Created,
    ) {
        let (resources, document) = (self.resources, self.resources.document);
        let format = resources.format();
        for reference in resources.references_to(ReferenceKind::SubResource, id) {
            let text = format!(
                "ExtResource({})",
                if format < 3 { format!(" {new_id} ") } else { quoted(new_id, format) }
            );
            let inside =
                reference.section.is_some_and(|section| self.is_part(document.section(section)));
            if !inside {
                draft.edit(resources.reference_span(reference), text, format!("use of `{id}`"));
            }
        }
        for part in self.parts {
            let span = whole_section(document, resources.subs[part]);
            draft.edit(span, "", format!("`{part}`, which moves to the new file"));
        }
        let gone = self.exts_that_go();
        for ext in &gone {
            let span = whole_line(document.text(), resources.exts[ext].tag_span());
            draft.edit(span, "", "ext_resource that only the new file needs");
        }
        let (class, end) = (&created.class, resources.line_end());
        let tag = match created.uid {
            _ if format < 3 => {
                format!("[ext_resource path=\"{new}\" type=\"{class}\" id={new_id}]{end}")
            }
            Some(uid) => format!(
                "[ext_resource type=\"{class}\" uid=\"{uid}\" path=\"{new}\" id=\"{new_id}\"]{end}"
            ),
            None => format!("[ext_resource type=\"{class}\" path=\"{new}\" id=\"{new_id}\"]{end}"),
        };
        self.insert_tag(draft, &gone, tag);
        let count = resources.exts.len() + resources.subs.len() + 1 - gone.len() - self.parts.len();
        if let Some((span, text)) = load_steps(document, count) {
            draft.edit(span, text, "count of resources");
        }
    }

    fn is_part(&self, section: Section<'_>) -> bool {
        section.kind() == TagKind::SubResource
            && section.field_text("id").is_some_and(|id| self.parts.contains(lossy(&id).as_str()))
    }

    /// The `ext_resource`s that nothing but the parts uses.
    fn exts_that_go(&self) -> BTreeSet<String> {
        let mut uses = self.resources.ext_uses();
        let mut own = BTreeSet::new();
        for part in self.parts {
            for reference in self.resources.subs[part].references() {
                if reference.kind == ReferenceKind::ExtResource {
                    let id = self.resources.id(reference);
                    if let Some(count) = uses.get_mut(&id) {
                        *count -= 1;
                    }
                    own.insert(id);
                }
            }
        }
        own.retain(|id| uses.get(id) == Some(&0));
        let mut others =
            self.resources.document.sections().filter(|section| !self.is_part(*section));
        let is_resource = |section: &Section<'_>| {
            matches!(section.kind(), TagKind::SubResource | TagKind::Resource)
        };
        if self.is_scripted() && !others.any(|section| is_resource(&section) && has_script(section))
        {
            own.extend(self.resources.scripts_of_elements());
        }
        own
    }

    /// Whether the resource or a part of it has a script.
    fn is_scripted(&self) -> bool {
        self.parts.iter().any(|part| has_script(self.resources.subs[part]))
    }

    /// Behind the last tag that stays, or behind the header.
    fn insert_tag(&self, draft: &mut FileDraft, gone: &BTreeSet<String>, tag: String) {
        let document = self.resources.document;
        let exts = document.sections().filter(|section| section.kind() == TagKind::ExtResource);
        let last = exts.last();
        let what = "ext_resource of the new file";
        let text = document.text();
        let Some(last) = last else {
            let Some(header) = document.sections().next() else { return };
            let end = whole_line(text, header.tag_span()).end;
            draft.edit(Span::new(end, end), format!("{}{tag}", self.resources.line_end()), what);
            return;
        };
        let line = whole_line(text, last.tag_span());
        let id = last.field_text("id").map(|id| lossy(&id)).unwrap_or_default();
        if gone.contains(&id) {
            // Edits must not touch: one takes the place of the tag that goes.
            draft.edits.remove(&line);
            draft.edit(line, tag, what);
        } else {
            draft.edit(Span::new(line.end, line.end), tag, what);
        }
    }
}

/// Other files can name a resource inside this one by `res://scene.tscn::id`.
fn references_from_outside(project: &Project, file: FileId, scene: &str, id: &str) -> Vec<Place> {
    let end = format!("::{id}");
    let mut doubts = Vec::new();
    for user in project.graph().users(file).filter(|user| *user != file) {
        let path = project.path(user);
        let named = project.facts(user).ext_resources.iter().find(|found| {
            let found = found.path.as_deref();
            found.is_some_and(|found| {
                found.ends_with(&end) && resolve_path(path, found).as_deref() == Some(scene)
            })
        });
        if named.is_some() {
            let what =
                format!("this file refers to `{id}` inside the scene, which no longer contains it");
            doubts.push(Place::of_file(path, what));
        }
    }
    doubts
}

#[cfg(test)]
mod tests;
