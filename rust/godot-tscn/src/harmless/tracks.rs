//! The properties that animations may change: plain properties on the list, with values of their shapes, of nodes
//! inside the scene.
//!
//! A track is read as `Animation::_set` (scene/resources/animation.cpp) reads it, but only if its keys are spelled as
//! Godot writes them.

use std::collections::BTreeMap;

use godot_variant::{NodePath, Value};
use hashbrown::{HashMap, HashSet};

use crate::document::{Property, Section, TagKind};
use crate::harmless::shape::{self, InTracks, Surroundings};
use crate::harmless::{Judge, list, paths, scale, tags};
use crate::quote::quote;
use crate::span::Span;

/// The most keys of one track.
const MOST_KEYS: usize = 100_000;
/// The most nodes that an animation may start from: each track is judged from all of them.
const MOST_STARTS: usize = 16;
const TOO_MANY_STARTS: &str = "the same animations start from too many nodes";

/// `Animation::UpdateMode`: the value is set all the time, or it jumps. The third one captures the earlier value: Godot 4.6.3
/// crashes if one of several such tracks has no key.
const UPDATE_CONTINUOUS: i64 = 0;
const UPDATE_DISCRETE: i64 = 1;
/// `Animation::InterpolationType`: curves that overshoot.
const CUBIC: [i64; 2] = [2, 4];

/// The parts of a track that matter.
#[derive(Default)]
struct Track<'d> {
    kind: Option<Property<'d>>,
    path: Option<Property<'d>>,
    keys: Option<Property<'d>>,
    interpolation: i64,
}

impl<'d> Judge<'_, 'd> {
    /// Judges all tracks, from each node that their animation may start from.
    pub(super) fn animations(&mut self) {
        if !self.context.contains("tracks/") && !self.context.contains("AnimationPlayer") {
            return;
        }
        let starts = self.starts();
        for section in self.context.document.sections() {
            let id = match section.kind() {
                TagKind::SubResource => section.field_text("id"),
                TagKind::Resource => None,
                _ => continue,
            };
            let from = id.and_then(|id| starts.get(id.as_ref()));
            for track in tracks(section).values() {
                if self.is_full() {
                    return;
                }
                self.track(section, track, from);
            }
        }
    }

    /// The nodes from which the tracks of each animation start, if players in the file list it.
    fn starts(&mut self) -> HashMap<Vec<u8>, HashSet<u32>> {
        let mut by_library: HashMap<Vec<u8>, HashSet<u32>> = HashMap::new();
        let mut players: HashMap<Vec<u8>, usize> = HashMap::new();
        let context = self.context;
        for (index, node) in context.node_tree.nodes.iter().enumerate() {
            let is_player =
                tags::class_of(node.section).is_some_and(|class| class.inherits("AnimationMixer"));
            if !is_player {
                continue;
            }
            let (path, property) = crate::model::animations::root_path(node.section);
            if property.is_none() && paths::depth(node.section) == 0 {
                self.refuse(
                    node.section.tag_span(),
                    "the animations start from a node outside the scene",
                );
            }
            // If the node is unknown, its animations are judged as for any.
            let Ok(start) = context.node_tree.find_from(index as u32, &path) else { continue };
            for id in listed(node.section) {
                let from = by_library.entry(id.clone()).or_default();
                from.insert(start);
                let players = players.entry(id).or_default();
                *players += 1;
                if *players > MOST_STARTS {
                    self.refuse(node.section.tag_span(), TOO_MANY_STARTS);
                    return HashMap::new();
                }
            }
        }
        let mut starts: HashMap<Vec<u8>, HashSet<u32>> = HashMap::new();
        for (library, from) in by_library {
            let Some(found) = context.sub_resources.find(&library) else { continue };
            for animation in listed(found.section) {
                let all = starts.entry(animation).or_default();
                all.extend(&from);
                if all.len() > MOST_STARTS {
                    self.refuse(found.section.tag_span(), TOO_MANY_STARTS);
                    return HashMap::new();
                }
            }
        }
        starts
    }

    fn track(&mut self, section: Section<'d>, track: &Track<'d>, from: Option<&HashSet<u32>>) {
        let (Some(kind), Some(path), Some(keys)) = (track.kind, track.path, track.keys) else {
            return self.refuse(section.tag_span(), "a track lacks its type, its path or its keys");
        };
        let (Ok(kind_value), Ok(Value::NodePath(target)), Ok(values)) =
            (kind.value(), path.value(), keys.value())
        else {
            return self.refuse(
                path.value_span(),
                "the type or path of the track differs from the form that Godot writes",
            );
        };
        let kind_text = shape::text(&kind_value).unwrap_or_default();
        let read = match kind_text {
            "value" => value_keys(&values),
            "bezier" => bezier_keys(&values),
            "position_3d" | "scale_3d" => packed_keys(&values, 5),
            "rotation_3d" => packed_keys(&values, 6),
            _ => {
                let kind_text = quote(kind_text.as_bytes());
                return self.refuse(
                    kind.value_span(),
                    format!("tracks of the type {kind_text} are not known to be harmless"),
                );
            }
        };
        let Some(read) = read else {
            return self.refuse(
                keys.value_span(),
                "the keys of the track are not what Godot writes there",
            );
        };
        let enlarged = enlarged(kind_text, &target.subnames, &read);
        let unknown = HashSet::from([u32::MAX]);
        for start in from.filter(|from| !from.is_empty()).unwrap_or(&unknown) {
            let node = self.target(&target, *start);
            self.enlarge(&node, enlarged);
            let reason = match (node, kind_text) {
                (Target::Outside, _) => {
                    Some("the track may lead to a node outside the scene".to_owned())
                }
                (Target::Inside(class, _), "position_3d" | "rotation_3d" | "scale_3d") => {
                    let is_3d = class.is_none_or(|class| class.inherits("Node3D"));
                    // Godot logs an error for each picture.
                    (!is_3d)
                        .then(|| "the track moves a node that is not a Node3D".to_owned())
                        .or_else(|| {
                            (!target.subnames.is_empty())
                                .then(|| "the track moves a bone of a skeleton".to_owned())
                        })
                }
                (Target::Inside(class, _), _) => {
                    self.misfit(class, &target.subnames, &read, track.interpolation)
                }
            };
            if let Some(reason) = reason {
                self.refuse_once(path.value_span(), &reason);
            }
        }
    }

    /// Notes how much a track enlarges its node.
    fn enlarge(&mut self, target: &Target, scale: u64) {
        match target {
            Target::Inside(_, Some(node)) => {
                let known = self.track_scales.entry(*node).or_default();
                *known = scale.max(*known);
            }
            _ => self.loose_scale = self.loose_scale.saturating_add(scale),
        }
    }

    /// The node to which a track leads from the node `start`; `u32::MAX` is an unknown one.
    fn target(&self, path: &NodePath, start: u32) -> Target {
        let tree = &self.context.node_tree;
        let depth = self.least_depths.get(start as usize).copied();
        if !paths::stays_inside(path, Some(depth.unwrap_or(0))) {
            return Target::Outside;
        }
        let names: Vec<&str> = path.names.iter().map(|name| &**name).collect();
        let found = if depth.is_some() {
            tree.find_from(start, names.join("/").as_bytes()).ok()
        } else {
            None
        };
        let class = found.and_then(|node| {
            let section = tree.nodes[node as usize].section;
            let is_instance = section.field("instance").is_some();
            if is_instance { None } else { tags::class_of(section) }
        });
        Target::Inside(class, found)
    }

    /// Why a property of a node of this class may not be set to these values.
    fn misfit(
        &self,
        class: Option<&'static list::Class>,
        subnames: &[Box<str>],
        keys: &Keys<'_>,
        interpolation: i64,
    ) -> Option<String> {
        let class = class.or_else(|| list::class("*"))?;
        let [name, components @ ..] = subnames else {
            return Some("the track does not name a property".to_owned());
        };
        let shape = class.property(name).cloned();
        let shape = match components {
            [] => shape,
            [component] => shape.and_then(|shape| shape.component(component)),
            _ => None,
        };
        let in_tracks = list::in_tracks(name);
        let Some(shape) = shape.filter(|_| in_tracks != InTracks::Never) else {
            let names = quote(subnames.join(":").as_bytes());
            return Some(format!(
                "animations of the property {names} are not known to be harmless"
            ));
        };
        let overshoots = keys.is_bezier || CUBIC.contains(&interpolation);
        // The node may turn out to be another one: that of an own script, or of a scene that is changed.
        let is_sound = match in_tracks.min(shape.in_tracks()) {
            InTracks::Never => false,
            InTracks::Keys => keys.jumps,
            InTracks::Between => !overshoots || keys.jumps,
            InTracks::Beyond => true,
        };
        let around = InAnimation { judge: self };
        let fits = is_sound && keys.values.iter().all(|value| shape.fits(value, &around));
        (!fits).then(|| {
            let name = quote(name.as_bytes());
            format!("animations of {name} are known to be harmless only as {}", shape.describe())
        })
    }

    /// One refusal for a track, however many nodes it may start from.
    fn refuse_once(&mut self, span: Span, reason: &str) {
        let last = self.judgement.refusals.last();
        if last.is_none_or(|last| last.span != span) {
            self.refuse(span, reason);
        }
    }
}

/// Where a track leads.
enum Target {
    Outside,
    /// A node of this class and index, if they are known.
    Inside(Option<&'static list::Class>, Option<u32>),
}

/// How much a track enlarges its node at most, twice that if its curve overshoots.
fn enlarged(kind: &str, subnames: &[Box<str>], keys: &Keys<'_>) -> u64 {
    let enlarges = kind == "scale_3d" || subnames.first().is_some_and(|name| scale::enlarges(name));
    if !enlarges {
        return 0;
    }
    let values = keys.values.iter().map(scale::factor).fold(keys.largest, f64::max);
    scale::thousandths(2.0 * values.max(0.5))
}

/// The contents of the keys of a track.
struct Keys<'v> {
    values: std::borrow::Cow<'v, [Value]>,
    /// The values jump from key to key.
    jumps: bool,
    is_bezier: bool,
    /// The largest number of keys that are numbers.
    largest: f64,
}

/// `{"times": …, "transitions": …, "update": 0, "values": […]}`
fn value_keys(value: &Value) -> Option<Keys<'_>> {
    let [times, transitions, Some(Value::Int(update)), Some(values)] =
        shape::entries(value, ["times", "transitions", "update", "values"])?
    else {
        return None;
    };
    let values = shape::elements(values)?;
    let fits = are_times(times?, values.len())
        && are_numbers(transitions?, values.len())
        && (UPDATE_CONTINUOUS..=UPDATE_DISCRETE).contains(update);
    fits.then_some(Keys {
        values: values.into(),
        jumps: *update == UPDATE_DISCRETE,
        is_bezier: false,
        largest: 0.0,
    })
}

/// `{"handle_modes": …, "points": …, "times": …}`: a value and two handles for each time.
fn bezier_keys(value: &Value) -> Option<Keys<'_>> {
    let [Some(Value::PackedInt32Array(modes)), Some(Value::PackedFloat32Array(points)), times] =
        shape::entries(value, ["handle_modes", "points", "times"])?
    else {
        return None;
    };
    let count = modes.len();
    let (keys, rest) = points.as_chunks::<5>();
    let fits = rest.is_empty()
        && keys.len() == count
        && are_times(times?, count)
        && modes.iter().all(|mode| (0..=4).contains(mode))
        && are_far(points);
    let values = keys.iter().map(|[value, ..]| Value::Float(f64::from(*value))).collect::<Vec<_>>();
    fits.then_some(Keys {
        values: values.into(),
        jumps: false,
        is_bezier: true,
        largest: largest(points),
    })
}

/// `PackedFloat32Array`: a time, a transition, and the numbers of a vector or quaternion.
fn packed_keys(value: &Value, size: usize) -> Option<Keys<'_>> {
    let Value::PackedFloat32Array(numbers) = value else { return None };
    let times: Vec<f32> = numbers.chunks(size).map(|key| key[0]).collect();
    let fits = numbers.len().is_multiple_of(size) && are_sorted(&times) && are_far(numbers);
    // Without the times and transitions.
    let largest =
        numbers.chunks(size).map(|key| largest(&key[2.min(key.len())..])).fold(0.0, f64::max);
    fits.then_some(Keys { values: Vec::new().into(), jumps: false, is_bezier: false, largest })
}

fn are_times(value: &Value, count: usize) -> bool {
    matches!(value, Value::PackedFloat32Array(times) if times.len() == count && are_sorted(times) && are_far(times))
}

fn are_numbers(value: &Value, count: usize) -> bool {
    matches!(value, Value::PackedFloat32Array(numbers) if numbers.len() == count && are_far(numbers))
}

/// Godot searches the keys as a sorted list.
fn are_sorted(times: &[f32]) -> bool {
    times.len() <= MOST_KEYS && times.iter().all(|time| *time >= 0.0) && times.is_sorted()
}

fn largest(numbers: &[f32]) -> f64 {
    numbers.iter().map(|number| f64::from(number.abs())).fold(0.0, f64::max)
}

fn are_far(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| number.abs() <= 1_000_000.0)
}

/// The tracks of an animation by their numbers.
fn tracks(section: Section<'_>) -> BTreeMap<Vec<u8>, Track<'_>> {
    let mut tracks: BTreeMap<Vec<u8>, Track<'_>> = BTreeMap::new();
    for property in section.properties() {
        let key = property.engine_key();
        let mut pieces = key.split(|byte| *byte == b'/');
        let (Some(b"tracks"), Some(number), Some(part)) =
            (pieces.next(), pieces.next(), pieces.next())
        else {
            continue;
        };
        let track = tracks.entry(number.to_vec()).or_default();
        match part {
            b"type" => track.kind = Some(property),
            b"path" => track.path = Some(property),
            b"keys" => track.keys = Some(property),
            b"interp" => {
                track.interpolation = match property.value() {
                    Ok(Value::Int(interpolation)) => interpolation,
                    _ => CUBIC[0],
                };
            }
            _ => {}
        }
    }
    tracks
}

/// The ids of the resources in the file that a player or library lists.
fn listed(section: Section<'_>) -> Vec<Vec<u8>> {
    let mut ids = Vec::new();
    crate::model::animations::listed(section, |part, _| {
        ids.extend(part.inner_text("SubResource").map(std::borrow::Cow::into_owned));
    });
    let parts =
        section.properties().filter(|property| property.engine_key().starts_with(b"_data/"));
    ids.extend(parts.filter_map(|property| {
        let tree = property.value_tree();
        tree.root().inner_text("SubResource").map(std::borrow::Cow::into_owned)
    }));
    ids
}

/// The possible targets of the values of tracks.
struct InAnimation<'j, 'c, 'd> {
    judge: &'j Judge<'c, 'd>,
}

impl Surroundings for InAnimation<'_, '_, '_> {
    fn is_resource(&self, construct: &str, id: &str, classes: &[&str]) -> bool {
        let context = self.judge.context;
        match construct {
            "ExtResource" => context.ext_resources.find(id.as_bytes()).is_some(),
            // The rule `sub-resource-forward-ref` checks whether it comes before.
            _ => context.sub_resources.find(id.as_bytes()).is_some_and(|found| {
                tags::class_of(found.section)
                    .is_some_and(|class| classes.iter().any(|wanted| class.inherits(wanted)))
            }),
        }
    }

    fn is_inside(&self, _: &NodePath) -> bool {
        false
    }

    fn vertex_count(&self) -> usize {
        0
    }
}
