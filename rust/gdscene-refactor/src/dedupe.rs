//! Equal resources inside a file become one.

mod identity;

use std::collections::BTreeMap;
use std::sync::Arc;

use godot_project::settings::lossy;
use godot_project::{FileId, Plan, Project, resolve_path};
use godot_tscn::{Reference, ReferenceKind, Section, TagKind};
use hashbrown::HashMap;

use self::identity::Identity;
use crate::RefactorError;
use crate::draft::{FileDraft, plan_of_drafts};
use crate::resources::{Resources, load_steps, target_of, text_file, whole_line, whole_section};

/// A plan that lets equal `sub_resource`s of a scene or resource become one, and equal `ext_resource`s.
///
/// Two are equal if they are of one class and have the same properties, with equal resources in them. Resources that are
/// `resource_local_to_scene` stay, and so do classes with objects that each have an identity, such as a `ButtonGroup` or a
/// part of an animation tree. Equal resources that may be changed while the game runs are a doubt: resources with a
/// script, with an animation that reaches into them, and in a property that a script mentions.
///
/// # Errors
/// When the file does not exist, or Godot cannot load it.
pub fn dedupe(project: &Project, path: &str) -> Result<Plan, RefactorError> {
    let path = resolve_path("res://", path).unwrap_or_else(|| path.to_owned());
    let file = text_file(project, &path, "a text scene or resource")?;
    let mut draft = FileDraft::of(project, file)?;
    let text = Arc::clone(&draft.text);
    let document = godot_tscn::parse(&text);
    let resources = Resources::new(&path, &document)?;
    let exts = equal_exts(project, file, &resources);
    let mut identity = Identity::of(project, file, &resources);
    let subs = equal_subs(&resources, &exts, &mut identity, &mut draft);
    merge(&resources, &exts, &subs, &mut draft);
    Ok(plan_of_drafts(format!("merge identical resources of `{path}`"), [draft]))
}

/// The id that replaces another one.
type Merged = BTreeMap<String, String>;

/// The `ext_resource`s that lead to the file of an earlier one, as the same class.
fn equal_exts(project: &Project, file: FileId, resources: &Resources<'_>) -> Merged {
    let base = project.path(file);
    let mut first: HashMap<(&str, String), String> = HashMap::new();
    let mut merged = Merged::new();
    for found in &project.facts(file).ext_resources {
        if !resources.exts.contains_key(&found.id) {
            continue;
        }
        let key = (found.resource_type.as_str(), target_of(project, base, found));
        match first.get(&key) {
            Some(first) => _ = merged.insert(found.id.clone(), first.clone()),
            None => _ = first.insert(key, found.id.clone()),
        }
    }
    merged
}

fn equal_subs(
    resources: &Resources<'_>,
    exts: &Merged,
    identity: &mut Identity,
    draft: &mut FileDraft,
) -> Merged {
    let mut first: HashMap<(String, String), String> = HashMap::new();
    let mut merged = Merged::new();
    for section in
        resources.document.sections().filter(|section| section.kind() == TagKind::SubResource)
    {
        let text =
            |field: &str| section.field_text(field).map(|text| lossy(&text)).unwrap_or_default();
        let (id, class) = (text("id"), text("type"));
        if identity.is_own(section, &class) {
            continue;
        }
        // Parts come first, so those of an equal resource have become one already.
        let new = |reference: &Reference| {
            let (name, list) = match reference.kind {
                ReferenceKind::SubResource => ("SubResource", &merged),
                ReferenceKind::ExtResource => ("ExtResource", exts),
                ReferenceKind::Resource => return None,
            };
            let id = resources.id(reference);
            let id = list.get(&id).unwrap_or(&id);
            Some(format!("{name}(\"{id}\")"))
        };
        let body = resources.section_text(section, section.tag_span().end, new);
        let key = (class, body.trim().to_owned());
        let Some(earlier) = first.get(&key) else {
            first.insert(key, id);
            continue;
        };
        match identity.doubt(section, [&id, earlier]) {
            Some(why) => {
                draft.doubt(section.tag_span(), format!("identical to `{earlier}`, but {why}"));
            }
            None => _ = merged.insert(id, earlier.clone()),
        }
    }
    merged
}

fn merge(resources: &Resources<'_>, exts: &Merged, subs: &Merged, draft: &mut FileDraft) {
    let document = resources.document;
    let is_gone = |section: Section<'_>| {
        let list = if section.kind() == TagKind::SubResource { subs } else { exts };
        let is_resource = matches!(section.kind(), TagKind::SubResource | TagKind::ExtResource);
        is_resource
            && section.field_text("id").is_some_and(|id| list.contains_key(lossy(&id).as_str()))
    };
    for reference in document.references() {
        let list = match reference.kind {
            ReferenceKind::SubResource => subs,
            ReferenceKind::ExtResource => exts,
            ReferenceKind::Resource => continue,
        };
        let inside_gone =
            reference.section.is_some_and(|section| is_gone(document.section(section)));
        let id = resources.id(reference);
        if let Some(first) = list.get(&id).filter(|_| !inside_gone) {
            let is_sub = reference.kind == ReferenceKind::SubResource;
            let owners = if is_sub { &resources.subs } else { &resources.exts };
            let field = owners.get(first).and_then(|section| section.field("id"));
            let spelled =
                field.map_or_else(|| format!("\"{first}\""), |field| lossy(field.source()));
            let what = format!("use of `{id}`, which is identical to `{first}`");
            draft.edit(reference.target, spelled, what);
        }
    }
    for (id, first) in subs {
        let span = whole_section(document, resources.subs[id]);
        draft.edit(span, "", format!("identical to `{first}`"));
    }
    for (id, first) in exts {
        let span = whole_line(document.text(), resources.exts[id].tag_span());
        draft.edit(span, "", format!("identical to `{first}`"));
    }
    let gone = exts.len() + subs.len();
    let count = resources.exts.len() + resources.subs.len() - gone;
    if gone > 0
        && let Some((span, text)) = load_steps(document, count)
    {
        draft.edit(span, text, "count of resources");
    }
}

#[cfg(test)]
mod tests;
