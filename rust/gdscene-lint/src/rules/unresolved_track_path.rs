//! FMT006

use std::collections::BTreeSet;

use godot_project::animation_roots::{AnimationRoots, Root, Roots};
use godot_project::node_paths::node_path;
use godot_project::{FileId, NodeLookup, ResolvedPath, SceneContext, Track, facts};
use godot_tscn::{Reporter, Section, quote};
use hashbrown::HashMap;

use crate::rules::declare_rule;
use crate::rules::track_members::{Lack, TrackMembers};

declare_rule! { as_in_tscn "FMT006" }

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if context.hides_sections || context.document.is_incomplete() {
        return;
    }
    let faults = Faults::new(context);
    let mut files = Files::default();
    let all = AnimationRoots::of(context);
    // The root of a player in another scene is said there.
    for (section, root) in all.players() {
        let section = context.section(*section);
        files.check(&faults, section, std::slice::from_ref(root), reporter);
        check_root_motion(context, section, root, reporter);
    }
    for (section, shared) in all.libraries() {
        files.check(&faults, context.section(section), &shared.known, reporter);
    }
    for (animation, Roots { known: roots, has_more }) in all.animations() {
        if *has_more {
            continue;
        }
        for (track, property) in facts::tracks(context.section(animation)) {
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
    /// The node exists, but not the property or method of the track.
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

/// The problems of animations in other files: for the path of a root and a file, the first track and the number of tracks.
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
        godot_tscn::listed_animations(section, |part, _| {
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
                more => format!("; {more} more have no effect"),
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
