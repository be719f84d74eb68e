//! The methods that signals may call: those that only start and stop, show and hide a node of the
//! file itself.
//!
//! None of the signals is emitted because of one of the methods, or at once when an animation sets a property: they come from
//! time, physics, input and the start of the scene. So no connection can come back to itself, and none stops an animation
//! that is just being worked out, which crashes Godot 4.6.3. Signals of animations are not among them: sprites emit them for
//! each picture.

use godot_variant::Value;

use crate::document::{Section, ValueKind};
use crate::harmless::shape::{Shape, Surroundings};
use crate::harmless::{Judge, list, tags};
use crate::quote::quote;

const SIGNALS: &[&[u8]] =
    &[b"area_entered", b"body_entered", b"pressed", b"ready", b"screen_entered", b"timeout"];

const ANIMATED: &[&str] = &["AnimatedSprite2D", "AnimatedSprite3D", "AnimationPlayer"];
const SOUNDS: &[&str] = &["AudioStreamPlayer", "AudioStreamPlayer2D", "AudioStreamPlayer3D"];
const SHOWN: &[&str] = &["CanvasItem", "CanvasLayer", "Node3D"];

/// Methods, and their own classes.
const METHODS: &[(&[u8], &[&[&str]])] = &[
    (b"hide", &[SHOWN]),
    (b"pause", &[ANIMATED]),
    (b"play", &[ANIMATED, SOUNDS]),
    (b"queue_redraw", &[&["CanvasItem"]]),
    (b"show", &[SHOWN]),
    (b"start", &[&["Timer"]]),
    (b"stop", &[ANIMATED, SOUNDS, &["Timer"]]),
];

impl<'d> Judge<'_, 'd> {
    pub(super) fn connection(&mut self, section: Section<'d>) {
        let text = |name: &str| section.field_text(name).unwrap_or_default();
        let (signal, method) = (text("signal"), text("method"));
        if !SIGNALS.contains(&signal.as_ref()) {
            let message = format!(
                "connections of the signal {} are not known to be harmless",
                quote(&signal)
            );
            self.refuse(section.tag_span(), message);
        }
        let target = self.plain_node(&text("to"));
        let is_known = METHODS.iter().any(|(known, classes)| {
            *known == method.as_ref()
                && target.is_some_and(|class| {
                    classes.iter().copied().flatten().any(|base| class.inherits(base))
                })
        });
        if !is_known {
            let message =
                format!("calls of {} on this node are not known to be harmless", quote(&method));
            self.refuse(section.tag_span(), message);
        }
        if self.context.node_tree.find(&text("from")).is_err() {
            self.refuse(section.tag_span(), "the node with the signal is not in the file");
        }
        self.arguments(section);
    }

    /// The class of a node that the file itself makes, without a script.
    fn plain_node(&self, path: &[u8]) -> Option<&'static list::Class> {
        let tree = &self.context.node_tree;
        let node = tree.find(path).ok()?;
        let section = tree.nodes.get(node as usize)?.section;
        let has_script =
            section.properties().any(|property| property.engine_key().as_ref() == b"script");
        if has_script { None } else { tags::class_of(section) }
    }

    fn arguments(&mut self, section: Section<'_>) {
        let int = |name: &str| section.field(name).map_or(Some(0), crate::document::Field::int);
        if !matches!((int("flags"), int("unbinds")), (Some(0..=31), Some(0..=16))) {
            self.refuse(section.tag_span(), "`flags` or `unbinds` is out of range");
        }
        let Some(binds) = section.field("binds") else { return };
        let is_plain = |value: &Value| {
            matches!(value, Value::Bool(_) | Value::Int(_) | Value::Float(_))
                || Shape::Name.fits(value, &Nothing)
        };
        let fits = match binds.value() {
            Ok(Value::Array(array)) => {
                array.elements.len() <= 16 && array.elements.iter().all(is_plain)
            }
            _ => false,
        };
        if binds.kind() != ValueKind::Array || !fits {
            self.refuse(binds.value_span(), "the arguments are not plain numbers and names");
        }
    }
}

/// Arguments lead nowhere.
struct Nothing;

impl Surroundings for Nothing {
    fn is_resource(&self, _: &str, _: &str, _: &[&str]) -> bool {
        false
    }
    fn is_inside(&self, _: &godot_variant::NodePath) -> bool {
        false
    }
    fn vertex_count(&self) -> usize {
        0
    }
}
