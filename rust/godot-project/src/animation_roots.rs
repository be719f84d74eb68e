//! From where the animations of a scene are seen: the nodes that their tracks' paths start at.

use std::rc::Rc;

use godot_tscn::{PartKind, Section, TagKind};
use hashbrown::HashMap;

use crate::SceneContext;
use crate::facts::SceneNode;
use crate::node_paths::node_path;
use crate::project::{FileId, Project, ResolvedPath};
use crate::settings::lossy;
use crate::tree::NodeInTree;

/// The roots of all animations that a text has.
#[derive(Default)]
pub struct AnimationRoots {
    /// By section of the `AnimationPlayer` or `AnimationTree`.
    players: Vec<(u32, Root)>,
    animations: HashMap<u32, Roots>,
    libraries: HashMap<u32, Roots>,
}

/// From where the players that have an animation or a library see its tracks.
#[derive(Clone, Default)]
pub struct Roots {
    /// Each place once, and no more than [`MAX_ROOTS`]: each has to be looked at for each track.
    pub known: Vec<Root>,
    /// Whether there are others, or may be.
    pub has_more: bool,
}

const MAX_ROOTS: usize = 64;

/// A place with its path, by which it is known again.
pub type Root = Rc<(String, NodeInTree)>;

impl AnimationRoots {
    /// Looks at all nodes of a text that play animations, and at the animations and libraries in the text.
    pub fn of(context: &SceneContext<'_>) -> Self {
        let resources = sub_resources(context);
        let mut all = Self::default();
        for (index, tag) in context.tree().tags().iter().enumerate() {
            let section = context.section(tag.section);
            let root = root_of(context, index as u32, tag, section);
            let root = root.map(|root| Rc::new((root.path(), root)));
            if !resources.is_empty() {
                all.collect(&resources, section, &Roots::of(root.as_ref()));
            }
            all.players.extend(root.map(|root| (tag.section, root)));
        }
        for library in resources.values() {
            if let Some(shared) = all.libraries.get(&library.index()).cloned() {
                all.collect(&resources, *library, &shared);
            }
        }
        all
    }

    /// The nodes that play animations, by section, each with the root of its tracks; nodes with an unknown root are
    /// left out.
    pub fn players(&self) -> &[(u32, Root)] {
        &self.players
    }

    /// The libraries in the text that nodes have, by section.
    pub fn libraries(&self) -> impl Iterator<Item = (u32, &Roots)> {
        self.libraries.iter().map(|(section, roots)| (*section, roots))
    }

    /// The animations in the text that nodes or libraries have, by section.
    pub fn animations(&self) -> impl Iterator<Item = (u32, &Roots)> {
        self.animations.iter().map(|(section, roots)| (*section, roots))
    }

    /// From where the tracks of the animation in a section are seen; nothing if nothing in the text has it.
    pub fn of_animation(&self, section: u32) -> Option<&Roots> {
        self.animations.get(&section)
    }

    /// Notes the roots of a node or library for each animation that it lists, and for each library that a node lists.
    fn collect(
        &mut self,
        resources: &HashMap<String, Section<'_>>,
        section: Section<'_>,
        roots: &Roots,
    ) {
        each_listed(resources, section, |class, found| {
            let all = match class {
                "Animation" => &mut self.animations,
                _ if section.kind() == TagKind::Node => &mut self.libraries,
                _ => return,
            };
            all.entry(found.index()).or_default().add(roots);
        });
    }
}

impl Roots {
    /// One root, or one that cannot be determined.
    pub fn of(root: Option<&Root>) -> Self {
        Self { known: root.cloned().into_iter().collect(), has_more: root.is_none() }
    }

    /// Adds other roots.
    pub fn add(&mut self, more: &Self) {
        self.has_more |= more.has_more;
        for root in &more.known {
            if self.known.iter().any(|other| other.0 == root.0) {
                continue;
            }
            if self.known.len() == MAX_ROOTS {
                self.has_more = true;
                break;
            }
            self.known.push(Rc::clone(root));
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
) -> Option<NodeInTree> {
    let class = tag.class.as_deref()?;
    if !matches!(class, "AnimationPlayer" | "AnimationTree") {
        return None;
    }
    let place = context.place_of(index)?;
    let player = match class {
        "AnimationTree" => {
            let mut properties = section.properties();
            let player = properties.rfind(|found| *found.engine_key() == *b"anim_player");
            let path = player.and_then(|player| node_path(player.source()));
            path.filter(|path| !path.is_empty())
        }
        _ => None,
    };
    // Without a root, an instance or code sets it.
    let root_from = |place: &NodeInTree, section: Section<'_>| {
        let (path, _) = godot_tscn::animation_root(section);
        let path = Some(lossy(&path)).filter(|path| !path.is_empty())?;
        place.find(context.project, &path).place()
    };
    let Some(player) = player else { return root_from(&place, section) };
    // Only this text's part of the player is known.
    let player = place.find(context.project, &player).place()?;
    let section = context.section(context.tree().tag_at(&player.path())?);
    root_from(&player, section)
}

/// The `sub_resource` tags of animations and their libraries, by id.
fn sub_resources<'c>(context: &'c SceneContext<'_>) -> HashMap<String, Section<'c>> {
    let sections = context.document.sections();
    let resources = sections.filter(|section| section.kind() == TagKind::SubResource);
    let is_suppressed = |section: &Section<'_>| {
        let class = section.field_text("type");
        class.is_some_and(|class| matches!(class.as_ref(), b"Animation" | b"AnimationLibrary"))
    };
    let with_id = |section: Section<'c>| Some((lossy(&section.field_text("id")?), section));
    resources.filter(is_suppressed).filter_map(with_id).collect()
}

/// Calls `each` with the class and the section of every animation and library in this text that the section lists.
fn each_listed<'c>(
    resources: &HashMap<String, Section<'c>>,
    section: Section<'_>,
    mut each: impl FnMut(&'static str, Section<'c>),
) {
    godot_tscn::listed_animations(section, |part, class| {
        let id = (part.kind() == PartKind::Construct).then(|| part.inner_text("SubResource"));
        if let Some(found) = id.flatten().and_then(|id| resources.get(&lossy(&id))) {
            each(class, *found);
        }
    });
}

/// Calls `each` with every place from which the tracks of the animation or library in `file` start, and with its scene.
/// Returns whether there are no others: nothing but players and libraries in text files names the file.
pub fn each_root_of_file(
    project: &Project,
    file: FileId,
    each: &mut dyn FnMut(&SceneContext<'_>, &NodeInTree),
) -> bool {
    // A library names animations, and a player the library.
    let mut files = vec![file];
    let mut next = 0;
    let mut is_all = true;
    while let Some(file) = files.get(next).copied() {
        next += 1;
        for user in project.graph().users(file) {
            let facts = project.facts(user);
            if facts.scene.is_some() {
                is_all &= each_root_in_scene(project, user, file, each);
            } else if facts.resource_type.as_deref() == Some("AnimationLibrary") {
                if !files.contains(&user) {
                    files.push(user);
                }
            } else {
                is_all = false;
            }
        }
    }
    is_all
}

fn each_root_in_scene(
    project: &Project,
    scene: FileId,
    file: FileId,
    each: &mut dyn FnMut(&SceneContext<'_>, &NodeInTree),
) -> bool {
    let Ok(text) = project.read(scene) else { return false };
    let document = godot_tscn::parse(&text);
    let context = SceneContext::new(project, project.path(scene), &document);
    let all = AnimationRoots::of(&context);
    let lists = |section: u32| {
        let mut is_listed = false;
        godot_tscn::listed_animations(context.section(section), |part, _| {
            let id = part.inner_text("ExtResource");
            let target = id.and_then(|id| context.target_of_id(&id).cloned());
            is_listed |= target == Some(ResolvedPath::File(file));
        });
        is_listed
    };
    let mut is_found = false;
    let mut is_all = !document.is_incomplete();
    for tag in context.tree().tags().iter().filter(|tag| lists(tag.section)) {
        is_found = true;
        let player = all.players.binary_search_by_key(&tag.section, |(section, _)| *section);
        match player {
            Ok(index) => each(&context, &all.players[index].1.1),
            Err(_) => is_all = false,
        }
    }
    for (_, roots) in all.libraries().filter(|(section, _)| lists(*section)) {
        is_found = true;
        is_all &= !roots.has_more;
        roots.known.iter().for_each(|root| each(&context, &root.1));
    }
    is_all && is_found
}
