//! The paths in the resources inside the text of a scene.

use godot_project::animation_roots::Roots;
use godot_project::facts;
use godot_project::node_paths::path_in;
use godot_project::settings::lossy;
use godot_tscn::{PartKind, Property, Section, TagKind};
use hashbrown::{HashMap, HashSet};

use crate::draft::FileDraft;
use crate::node_change::rewrite::{Names, Seen, names_of};
use crate::node_change::scene::{SceneText, note};

/// From where the paths in a resource are seen.
enum Start {
    /// From the nodes at these paths: one for each node that has the resource.
    Nodes(Vec<Names>),
    /// It is unknown.
    Unknown(&'static str),
}

/// Changes the paths in all resources of a scene's text.
pub(super) fn change(scene: &SceneText<'_, '_, '_>, draft: &mut FileDraft) {
    let animations: HashMap<u32, &Roots> = scene.roots.animations().collect();
    let mut holders = None;
    for section in scene.context.document.sections() {
        if section.kind() != TagKind::SubResource {
            continue;
        }
        let class = section.field_text("type").map(|class| lossy(&class)).unwrap_or_default();
        if class == "Animation" {
            tracks(scene, section, animations.get(&section.index()).copied(), draft);
            continue;
        }
        for property in section.properties() {
            let key = lossy(&property.engine_key());
            if key == "script/source" && scene.change.is_word_of(property.source()) {
                draft.doubt(
                    property.key_span(),
                    "a script inside the file contains the name of the node",
                );
            }
            let is_filter = key == "filters" && class.starts_with("AnimationNode");
            let has_paths =
                is_filter || memchr::memmem::find(property.source(), b"NodePath(").is_some();
            if !has_paths || !(scene.view.has_node() || scene.change.is_named_in(property.source()))
            {
                continue;
            }
            let holders = holders.get_or_insert_with(|| Holders::of(scene));
            let start = start(scene, holders, section, &class, &key);
            if is_filter {
                filters(scene, property, &start, draft);
            } else {
                paths(scene, property, &start, &key, draft);
            }
        }
    }
}

/// From where the paths in a property of a resource are seen.
fn start(
    scene: &SceneText<'_, '_, '_>,
    holders: &Holders<'_>,
    section: Section<'_>,
    class: &str,
    key: &str,
) -> Start {
    let parts: Vec<&str> = key.split('/').collect();
    match (class, parts.as_slice()) {
        // `ViewportTexture::setup_local_to_scene` (scene/main/viewport.cpp, Godot 4.6.3): the root of the scene.
        ("ViewportTexture", ["viewport_path"]) => Start::Nodes(vec![Names::new()]),
        // `SceneReplicationInterface` (modules/multiplayer): from the target of the synchronizer's `root_path`.
        ("SceneReplicationConfig", ["properties", _, "path"]) => {
            holders.roots(scene, section, "MultiplayerSynchronizer", "replication_config", |node| {
                Some(property_path(node, "root_path").unwrap_or_else(|| "..".to_owned()))
            })
        }
        // `AnimationMixer::_blend_pre_process`: as the tracks.
        (class, ["filters"]) if class.starts_with("AnimationNode") => {
            let trees = holders.above(section);
            let known: Option<Vec<Names>> =
                trees.iter().map(|node| scene.players.get(node).cloned()).collect();
            match known {
                Some(known) if !known.is_empty() => Start::Nodes(known),
                _ => Start::Unknown("cannot determine the root node of the animations"),
            }
        }
        _ => Start::Unknown("cannot determine which node the path in the resource starts at"),
    }
}

fn paths(
    scene: &SceneText<'_, '_, '_>,
    property: Property<'_>,
    start: &Start,
    key: &str,
    draft: &mut FileDraft,
) {
    let tree = property.value_tree();
    let starts = match start {
        Start::Unknown(why) => return scene.unseen(tree.root(), why, draft),
        Start::Nodes(starts) => starts,
    };
    godot_project::node_paths::each_path(tree.root(), &mut |part| {
        let Some(path) = part.inner_text("NodePath") else { return };
        let Some(inner) = part.children().next() else { return };
        let seen = seen_from_all(scene, starts, &lossy(&path));
        note(draft, inner.span(), seen, || format!("path in `{key}`").into());
    });
}

/// The filters of an animation tree's node, which are texts.
fn filters(
    scene: &SceneText<'_, '_, '_>,
    property: Property<'_>,
    start: &Start,
    draft: &mut FileDraft,
) {
    let tree = property.value_tree();
    let texts = tree.root().children().filter(|part| part.kind() == PartKind::String);
    for part in texts {
        let Some(path) = part.text().map(|path| lossy(&path)) else { continue };
        match start {
            Start::Nodes(starts) => {
                let seen = seen_from_all(scene, starts, &path);
                note(draft, part.span(), seen, || "path in a filter".into());
            }
            Start::Unknown(why) if scene.change.is_on_path(&path) => draft.doubt(part.span(), *why),
            Start::Unknown(_) => {}
        }
    }
}

/// The tracks of an animation.
fn tracks(
    scene: &SceneText<'_, '_, '_>,
    animation: Section<'_>,
    roots: Option<&Roots>,
    draft: &mut FileDraft,
) {
    let starts: Vec<Names> =
        roots.into_iter().flat_map(|roots| &roots.known).map(|root| names_of(&root.0)).collect();
    let is_known = roots.is_some_and(|roots| !roots.has_more) && !starts.is_empty();
    for (track, property) in facts::tracks(animation) {
        let tree = property.value_tree();
        let Some((inner, _)) = path_in(tree.root()) else { continue };
        if is_known {
            let seen = seen_from_all(scene, &starts, &track.path);
            note(draft, inner.span(), seen, || "path of an animation track".into());
        } else if scene.change.is_on_path(&track.path) {
            draft.doubt(inner.span(), "cannot determine all nodes that play the animation");
        }
    }
    for property in animation.properties() {
        // Values that the tracks set.
        let source = property.source();
        if property.engine_key().ends_with(b"/keys")
            && memchr::memmem::find(source, b"NodePath(").is_some()
            && scene.change.is_named_in(source)
        {
            let tree = property.value_tree();
            scene.unseen(tree.root(), "a value that an animation sets", draft);
        }
    }
}

/// The new path that several nodes use.
fn seen_from_all(scene: &SceneText<'_, '_, '_>, starts: &[Names], path: &str) -> Seen {
    let mut all: Vec<Seen> = Vec::new();
    for start in starts {
        let seen = scene.seen(start, path);
        if !all.contains(&seen) {
            all.push(seen);
        }
    }
    match all.len() {
        0 => Seen::Same,
        1 => all.remove(0),
        _ => Seen::Unclear("several nodes use the path, and it leads them to different nodes"),
    }
}

/// The path in the property `key` of a node.
fn property_path(node: Section<'_>, key: &str) -> Option<String> {
    let property = node.properties().rfind(|found| *found.engine_key() == *key.as_bytes())?;
    property.value_tree().root().inner_text("NodePath").map(|path| lossy(&path))
}

/// Which nodes and resources of a text have which of its resources.
struct Holders<'c> {
    /// The sections that name a resource, by its section.
    by_resource: HashMap<u32, Vec<Section<'c>>>,
}

impl<'c> Holders<'c> {
    fn of(scene: &SceneText<'c, '_, '_>) -> Self {
        let document = scene.context.document;
        let mut by_id: HashMap<Vec<u8>, u32> = HashMap::new();
        for section in document.sections().filter(|section| section.kind() == TagKind::SubResource)
        {
            if let Some(id) = section.field_text("id") {
                by_id.insert(id.into_owned(), section.index());
            }
        }
        let mut by_resource: HashMap<u32, Vec<Section<'c>>> = HashMap::new();
        for section in document.sections() {
            for reference in section.references() {
                if reference.kind != godot_tscn::ReferenceKind::SubResource {
                    continue;
                }
                if let Some(found) = by_id.get(&*document.target(reference)) {
                    by_resource.entry(*found).or_default().push(section);
                }
            }
        }
        Self { by_resource }
    }

    /// The roots from which the nodes of a class see a resource that they have in the property `key`.
    fn roots(
        &self,
        scene: &SceneText<'_, '_, '_>,
        resource: Section<'_>,
        class: &str,
        key: &str,
        root: impl Fn(Section<'_>) -> Option<String>,
    ) -> Start {
        let unknown = Start::Unknown("cannot determine all nodes that have the resource");
        let mut starts = Vec::new();
        let holders = self.by_resource.get(&resource.index()).map_or(&[][..], Vec::as_slice);
        for holder in holders {
            let is_meant = holder.kind() == TagKind::Node
                && holder.field_text("type").is_some_and(|found| *found == *class.as_bytes())
                && holder.properties().any(|found| *found.engine_key() == *key.as_bytes());
            let Some(path) = scene.path_of(*holder).filter(|_| is_meant) else { return unknown };
            let Some(start) = root(*holder).and_then(|root| scene.view.follow(&path, &root)) else {
                return unknown;
            };
            starts.push(start);
        }
        if starts.is_empty() { unknown } else { Start::Nodes(starts) }
    }

    /// The sections of the nodes that have a resource, or one that has it inside.
    fn above(&self, resource: Section<'_>) -> Vec<u32> {
        let mut open = vec![resource.index()];
        let mut seen: HashSet<u32> = HashSet::new();
        let mut nodes = Vec::new();
        while let Some(index) = open.pop() {
            for holder in self.by_resource.get(&index).into_iter().flatten() {
                if !seen.insert(holder.index()) {
                    continue;
                }
                match holder.kind() {
                    TagKind::Node => nodes.push(holder.index()),
                    _ => open.push(holder.index()),
                }
            }
        }
        nodes
    }
}

impl SceneText<'_, '_, '_> {
    /// The path of the node of a tag.
    fn path_of(&self, section: Section<'_>) -> Option<Names> {
        let tree = self.context.tree();
        let index = tree.tags().binary_search_by_key(&section.index(), |tag| tag.section).ok()?;
        tree.path_of_tag(index as u32).map(|path| names_of(&path))
    }
}
