//! FMT006

use std::collections::BTreeSet;

use hashbrown::HashMap;
use tscn::{Findings, PartKind, Section, Span, TagKind, ValueTree, quote};

use crate::facts::SceneNode;
use crate::lint::SceneContext;
use crate::project::{FileId, Target};
use crate::rules::declare_rule;
use crate::settings::lossy;
use crate::tree::Place;

declare_rule! { as_in_tscn "FMT006" }

/// From where the players that have an animation see its tracks; nothing if that is not known of one of them.
type Roots = HashMap<u32, Option<Vec<Place>>>;

fn check(context: &SceneContext<'_>, findings: &mut Findings<'_>) {
    if context.hides_sections || context.document.is_incomplete() {
        return;
    }
    let resources = sub_resources(context);
    let mut roots = Roots::new();
    for (index, tag) in context.tree().tags().iter().enumerate() {
        let section = context.section(tag.section);
        // The root of a player in another scene is said there.
        let root = root_of(context, index as u32, tag, section);
        collect(&resources, section, root.as_ref(), &mut roots);
        if let Some(root) = root {
            check_files(context, &resources, section, &root, findings);
            check_root_motion(context, section, &root, findings);
        }
    }
    for animation in resources.values() {
        let Some(Some(roots)) = roots.get(&animation.index()) else { continue };
        for track in tscn::property_groups(*animation, "tracks") {
            let Some(property) = track.get("path") else { continue };
            let value = ValueTree::new(property.source());
            let Some(path) = value.root().inner_text("NodePath") else { continue };
            let path = lossy(&path);
            if !is_missing(context, roots, &path) {
                continue;
            }
            let message = format!("no node {} is there for this track", quote(path.as_bytes()));
            let finding = findings.push(property.value_span(), message);
            finding.consequence("the track moves nothing");
            let near = roots.first().and_then(|root| context.nearest_path(root, &path));
            if let Some(near) = near {
                finding.help(format!("did you mean {}?", quote(near.as_bytes())));
            }
        }
    }
}

/// From where a node that plays animations sees their tracks. A tree that has a player sees them from where that does
/// (`AnimationTree::_setup_animation_player`, scene/animation/animation_tree.cpp, Godot 4.6.3).
fn root_of(
    context: &SceneContext<'_>,
    index: u32,
    tag: &SceneNode,
    section: Section<'_>,
) -> Option<Place> {
    let place = context.place_of(index)?;
    let player = match tag.class.as_deref()? {
        "AnimationPlayer" => None,
        "AnimationTree" => {
            let mut properties = section.properties();
            let player = properties.rfind(|found| *found.engine_key() == *b"anim_player");
            let path = player.and_then(|player| node_path(player.source()));
            path.filter(|path| !path.is_empty())
        }
        _ => return None,
    };
    let Some(player) = player else {
        let (path, _) = tscn::animation_root(section);
        return place.find(context.project, &lossy(&path)).place();
    };
    // Only what this text says of the player is known.
    let player = place.find(context.project, &player).place()?;
    let section = context.section(context.tree().tag_at(&player.path())?);
    let (path, _) = tscn::animation_root(section);
    player.find(context.project, &lossy(&path)).place()
}

fn node_path(source: &[u8]) -> Option<String> {
    ValueTree::new(source).root().inner_text("NodePath").map(|path| lossy(&path))
}

fn is_missing(context: &SceneContext<'_>, roots: &[Place], path: &str) -> bool {
    !path.split('/').any(|name| name.starts_with('@'))
        && roots.iter().all(|root| root.find(context.project, path).is_missing())
}

/// Looks at the animations that the player has from other files.
fn check_files(
    context: &SceneContext<'_>,
    resources: &HashMap<String, Section<'_>>,
    section: Section<'_>,
    root: &Place,
    findings: &mut Findings<'_>,
) {
    tscn::listed_animations(section, |property, part, _| {
        let id = (part.kind() == PartKind::Construct).then(|| part.inner_text("SubResource"));
        // Libraries in this text may hold animations of other files.
        if let Some(library) = id.flatten().and_then(|id| resources.get(&lossy(&id)))
            && library.index() != section.index()
            && section.kind() == TagKind::Node
        {
            return check_files(context, resources, *library, root, findings);
        }
        let Some(id) = part.inner_text("ExtResource").map(|id| lossy(&id)) else { return };
        let externals = &context.facts.ext_resources;
        let Some(index) = externals.iter().rposition(|found| found.id == id) else { return };
        let Target::File(file) = context.targets()[index] else { return };
        let tracks = tracks_of(context, file);
        let missing = |path: &&String| is_missing(context, std::slice::from_ref(root), path);
        let missing: Vec<&String> = tracks.iter().filter(missing).collect();
        let [first, ..] = missing.as_slice() else { return };
        let more = match missing.len() {
            1 => String::new(),
            count => format!(", and {} more", count - 1),
        };
        let message = format!(
            "no node {} is there for a track of {}{more}",
            quote(first.as_bytes()),
            quote(context.project.path(file).as_bytes()),
        );
        let start = property.value_span().start;
        let span = Span::new(start + part.span().start, start + part.span().end);
        findings.push(span, message).consequence("the track moves nothing");
    });
}

/// The paths of the tracks in a file, each once; those of the animations of a library too.
fn tracks_of(context: &SceneContext<'_>, file: FileId) -> BTreeSet<String> {
    let (project, facts) = (context.project, context.project.facts(file));
    let mut tracks: BTreeSet<String> = facts.track_paths.iter().cloned().collect();
    if facts.resource_type.as_deref() == Some("AnimationLibrary") {
        for resource in
            facts.ext_resources.iter().filter(|found| found.resource_type == "Animation")
        {
            let Target::File(file) = project.resolve_external(project.path(file), resource) else {
                continue;
            };
            tracks.extend(project.facts(file).track_paths.iter().cloned());
        }
    }
    tracks
}

fn check_root_motion(
    context: &SceneContext<'_>,
    section: Section<'_>,
    root: &Place,
    findings: &mut Findings<'_>,
) {
    let mut properties = section.properties();
    let Some(property) = properties.rfind(|found| *found.engine_key() == *b"root_motion_track")
    else {
        return;
    };
    let Some(path) = node_path(property.source()).filter(|path| !path.is_empty()) else { return };
    if is_missing(context, std::slice::from_ref(root), &path) {
        let message = format!("no node {} is there for the root motion", quote(path.as_bytes()));
        findings.push(property.value_span(), message).consequence("there is no root motion");
    }
}

/// The `sub_resource` tags of animations and their libraries, by id.
fn sub_resources<'c>(context: &'c SceneContext<'_>) -> HashMap<String, Section<'c>> {
    let sections = context.document.sections();
    let resources = sections.filter(|section| section.kind() == TagKind::SubResource);
    let is_wanted = |section: &Section<'_>| {
        let class = section.field_text("type");
        class.is_some_and(|class| matches!(class.as_ref(), b"Animation" | b"AnimationLibrary"))
    };
    let with_id = |section: Section<'c>| Some((lossy(&section.field_text("id")?), section));
    resources.filter(is_wanted).filter_map(with_id).collect()
}

/// Notes the root for each animation that the section lists, in its libraries too.
fn collect(
    resources: &HashMap<String, Section<'_>>,
    section: Section<'_>,
    root: Option<&Place>,
    roots: &mut Roots,
) {
    tscn::listed_animations(section, |_, part, class| {
        let id = (part.kind() == PartKind::Construct).then(|| part.inner_text("SubResource"));
        let Some(found) = id.flatten().and_then(|id| resources.get(&lossy(&id))) else { return };
        if class == "Animation" {
            let known = roots.entry(found.index()).or_insert_with(|| Some(Vec::new()));
            match (root, known.as_mut()) {
                (Some(root), Some(known)) => known.push(root.clone()),
                _ => *known = None,
            }
        } else if section.kind() == TagKind::Node {
            collect(resources, *found, root, roots);
        }
    });
}
