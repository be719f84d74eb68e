//! FMT006

use std::collections::BTreeSet;
use std::rc::Rc;

use hashbrown::HashMap;
use tscn::{PartKind, Reporter, Section, TagKind, ValueTree, quote};

use crate::facts::{self, SceneNode, Track};
use crate::lint::SceneContext;
use crate::project::{FileId, ResolvedPath};
use crate::rules::declare_rule;
use crate::rules::track_members::{Lack, TrackMembers};
use crate::settings::lossy;
use crate::tree::{NodeInTree, NodeLookup};

declare_rule! { as_in_tscn "FMT006" }

/// From where the players that have an animation or a library see its tracks.
#[derive(Clone, Default)]
struct Roots {
    /// Each place once, and no more than [`MAX_ROOTS`]: each has to be looked at for each track.
    known: Vec<Root>,
    /// Whether there are others, or may be.
    has_more: bool,
}

const MAX_ROOTS: usize = 64;

/// A place with its path, by which it is known again.
type Root = Rc<(String, NodeInTree)>;

/// The roots of all animations and libraries that a text has, by section.
#[derive(Default)]
struct AllRoots {
    animations: HashMap<u32, Roots>,
    libraries: HashMap<u32, Roots>,
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if context.hides_sections || context.document.is_incomplete() {
        return;
    }
    let resources = sub_resources(context);
    let mut roots = AllRoots::default();
    let faults = Faults::new(context);
    let mut files = Files::default();
    for (index, tag) in context.tree().tags().iter().enumerate() {
        let section = context.section(tag.section);
        // The root of a player in another scene is said there.
        let root = root_of(context, index as u32, tag, section);
        let root = root.map(|root| Rc::new((root.path(), root)));
        roots.collect(&resources, section, &Roots::of(root.as_ref()));
        if let Some(root) = root {
            files.check(&faults, section, &[Rc::clone(&root)], reporter);
            check_root_motion(context, section, &root, reporter);
        }
    }
    for library in resources.values() {
        if let Some(shared) = roots.libraries.get(&library.index()).cloned() {
            roots.collect(&resources, *library, &shared);
            files.check(&faults, *library, &shared.known, reporter);
        }
    }
    for animation in resources.values() {
        let Some(Roots { known: roots, has_more: false }) =
            roots.animations.get(&animation.index())
        else {
            continue;
        };
        for (track, property) in facts::tracks(*animation) {
            let Some(fault) = faults.of_track(roots, &track) else { continue };
            let message = match &fault {
                Fault::NoNode => {
                    format!("node {} not found for this track", quote(track.path.as_bytes()))
                }
                Fault::Node(lack) => lack.message.clone(),
            };
            let diagnostic = reporter.report(property.value_span(), message);
            diagnostic.consequence(fault.consequence());
            let near = match fault {
                Fault::NoNode => {
                    roots.first().and_then(|root| context.nearest_path(&root.1, &track.path))
                }
                Fault::Node(lack) => lack.near,
            };
            if let Some(near) = near {
                diagnostic.help(format!("did you mean {}?", quote(near.as_bytes())));
            }
        }
    }
}

/// Why a track has no effect.
#[derive(Clone)]
enum Fault {
    NoNode,
    /// The node is there, but not what the track sets or calls.
    Node(Lack),
}

impl Fault {
    fn consequence(&self) -> &'static str {
        match self {
            Self::NoNode => "the track has no effect",
            Self::Node(lack) => lack.consequence,
        }
    }
}

/// Judges tracks.
struct Faults<'a, 'c> {
    context: &'a SceneContext<'c>,
    members: TrackMembers<'a, 'c>,
}

impl<'a, 'c> Faults<'a, 'c> {
    fn new(context: &'a SceneContext<'c>) -> Self {
        Self { context, members: TrackMembers::new(context) }
    }

    /// Why the track has no effect, from whichever of the roots it is seen.
    fn of_track(&self, roots: &[Root], track: &Track) -> Option<Fault> {
        // A name that only the running game gives.
        if track.path.split('/').any(|name| name.starts_with('@')) {
            return None;
        }
        let mut fault = Fault::NoNode;
        for root in roots {
            match root.1.find(self.context.project, &track.path) {
                NodeLookup::Missing => {}
                NodeLookup::Unknown => return None,
                NodeLookup::Node(node) => fault = Fault::Node(self.members.lacking(&node, track)?),
            }
        }
        Some(fault)
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

/// What is wrong with animations of other files: for the path of a root and a file, the first track and how many there are.
#[derive(Default)]
struct Files {
    faults: HashMap<(String, FileId), Option<FirstFault>>,
}

#[derive(Clone)]
struct FirstFault {
    path: String,
    fault: Fault,
    /// How many there are after it.
    more: usize,
}

impl Files {
    /// Looks at the animations that a player or library has from other files, as they are seen from any of the roots.
    fn check(
        &mut self,
        faults: &Faults<'_, '_>,
        section: Section<'_>,
        roots: &[Root],
        reporter: &mut Reporter<'_>,
    ) {
        let context = faults.context;
        tscn::listed_animations(section, |part, _| {
            let Some(id) = part.inner_text("ExtResource") else { return };
            let Some(ResolvedPath::File(file)) = context.target_of_id(&id) else { return };
            let first = roots.iter().find_map(|root| self.first(faults, root, *file));
            let Some(FirstFault { path, fault, more }) = first else { return };
            let of = quote(context.project.path(*file).as_bytes());
            let message = match &fault {
                Fault::NoNode => {
                    format!("node {} not found for a track of {of}", quote(path.as_bytes()))
                }
                Fault::Node(lack) => format!("{} for a track of {of}", lack.message),
            };
            let more = match more {
                0 => String::new(),
                more => format!("; {more} more have no effect either"),
            };
            let diagnostic = reporter.report(part.span(), message + &more);
            diagnostic.consequence(fault.consequence());
        });
    }

    fn first(&mut self, faults: &Faults<'_, '_>, root: &Root, file: FileId) -> Option<FirstFault> {
        let made = || {
            let tracks = tracks_of(faults.context, file);
            let fault_of = |track: &Track| {
                Some((track.path.clone(), faults.of_track(std::slice::from_ref(root), track)?))
            };
            let mut found = tracks.iter().filter_map(fault_of);
            let (path, fault) = found.next()?;
            Some(FirstFault { path, fault, more: found.count() })
        };
        self.faults.entry((root.0.clone(), file)).or_insert_with(made).clone()
    }
}

/// The tracks in a file, each once; those of the animations of a library too.
fn tracks_of(context: &SceneContext<'_>, file: FileId) -> BTreeSet<Track> {
    let (project, facts) = (context.project, context.project.facts(file));
    let mut tracks: BTreeSet<Track> = facts.tracks.iter().cloned().collect();
    if facts.resource_type.as_deref() == Some("AnimationLibrary") {
        for resource in
            facts.ext_resources.iter().filter(|found| found.resource_type == "Animation")
        {
            let ResolvedPath::File(file) = project.resolve_external(project.path(file), resource)
            else {
                continue;
            };
            tracks.extend(project.facts(file).tracks.iter().cloned());
        }
    }
    tracks
}

fn check_root_motion(
    context: &SceneContext<'_>,
    section: Section<'_>,
    root: &Root,
    reporter: &mut Reporter<'_>,
) {
    let mut properties = section.properties();
    let Some(property) = properties.rfind(|found| *found.engine_key() == *b"root_motion_track")
    else {
        return;
    };
    let Some(path) = node_path(property.source()).filter(|path| !path.is_empty()) else { return };
    let is_made_later = path.split('/').any(|name| name.starts_with('@'));
    if !is_made_later && root.1.find(context.project, &path).is_missing() {
        let message = format!("node {} not found for the root motion", quote(path.as_bytes()));
        reporter
            .report(property.value_span(), message)
            .consequence("the root motion has no effect");
    }
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

impl AllRoots {
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
    fn of(root: Option<&Root>) -> Self {
        Self { known: root.cloned().into_iter().collect(), has_more: root.is_none() }
    }

    fn add(&mut self, more: &Self) {
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

/// Calls `each` with the class and the section of every animation and library in this text that the section lists.
fn each_listed<'c>(
    resources: &HashMap<String, Section<'c>>,
    section: Section<'_>,
    mut each: impl FnMut(&'static str, Section<'c>),
) {
    tscn::listed_animations(section, |part, class| {
        let id = (part.kind() == PartKind::Construct).then(|| part.inner_text("SubResource"));
        if let Some(found) = id.flatten().and_then(|id| resources.get(&lossy(&id))) {
            each(class, *found);
        }
    });
}
