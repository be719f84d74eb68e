//! FMT006

use hashbrown::HashMap;
use tscn::{Findings, PartKind, Section, TagKind, ValueTree, quote};

use crate::lint::SceneContext;
use crate::rules::declare_rule;
use crate::settings::lossy;
use crate::tree::Place;

declare_rule! {
    /// ## What it does
    /// Reports a track of an `Animation` whose `path` leads to no node, seen from the `root_node` of the
    /// `AnimationPlayer`s that have the animation. In a project, instanced and inherited scenes are looked at; of one
    /// file alone, and of imported models, nothing is said there.
    ///
    /// ## Why is this bad?
    /// The track moves nothing, and Godot complains when the animation is played.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [sub_resource type="Animation" id=1]
    /// tracks/0/type = "value"
    /// tracks/0/path = NodePath("Gone:visible")
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Player" type="AnimationPlayer" parent="."]
    /// anims/run = SubResource( 1 )
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [sub_resource type="Animation" id=1]
    /// tracks/0/type = "value"
    /// tracks/0/path = NodePath(".:visible")
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Player" type="AnimationPlayer" parent="."]
    /// anims/run = SubResource( 1 )
    /// ```
    ///
    /// ## References
    /// `AnimationMixer::_update_caches` (scene/animation/animation_mixer.cpp)
    "FMT006", "unresolved-track-path", Warning
}

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
        let root = || {
            let place = context.place_of(index as u32)?;
            let (path, _) = tscn::animation_root(section);
            place.find(context.project, &lossy(&path)).place()
        };
        // The root of a player in another scene is said there.
        let root = if tag.class.as_deref() == Some("AnimationPlayer") { root() } else { None };
        collect(&resources, section, root.as_ref(), &mut roots);
    }
    for animation in resources.values() {
        let Some(Some(roots)) = roots.get(&animation.index()) else { continue };
        for track in tscn::property_groups(*animation, "tracks") {
            let Some(property) = track.get("path") else { continue };
            let value = ValueTree::new(property.source());
            let Some(path) = value.root().inner_text("NodePath") else { continue };
            let path = lossy(&path);
            if path.split('/').any(|name| name.starts_with('@'))
                || !roots.iter().all(|root| root.find(context.project, &path).is_missing())
            {
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
