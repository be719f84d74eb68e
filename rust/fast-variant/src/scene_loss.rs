//! `SceneLoss`: a loss of a save, as GDScript sees it.
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

use godot::builtin::{Array, GString, PackedByteArray, PackedInt32Array, PackedStringArray};
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};
use godot_tscn::{Loss, LossKind};

use crate::edition;
use crate::threads::Thread;

/// Data that a file contained before Godot saved it, and no longer contains. `SceneLinter._lost` finds them.
#[derive(GodotClass)]
#[class(no_init, internal, base = RefCounted)]
pub(crate) struct SceneLoss {
    /// The kind of data: [code]comment[/code], [code]property[/code], [code]connection[/code], [code]sub_resource[/code], [code]node[/code], [code]editable[/code] or [code]field[/code].
    #[var(no_set)]
    kind: GString,
    /// The reason of the loss: [code]not-kept[/code], [code]unused[/code], [code]misread[/code], [code]missing-node[/code], or [code]unclear[/code] if the texts do not show whether the user removed it.
    #[var(no_set)]
    cause: GString,
    /// The node of the data, relative to the scene's root, which is [code].[/code]; an empty string if it did not belong to a node.
    #[var(no_set)]
    node_path: GString,
    /// The comment, or the name of the property, signal, node or field, or the id of the sub_resource.
    #[var(no_set)]
    name: GString,
    /// The class of the resource that has the property, or that is gone; an empty string for nodes.
    #[var(no_set)]
    resource_class: GString,
    /// The id of the sub_resource that has the property, or an empty string.
    #[var(no_set)]
    sub_resource: GString,
    /// Whether the resource that has the property has a script.
    #[var(no_set)]
    has_script: bool,
    /// The files that the property's value refers to.
    #[var(no_set)]
    files: PackedStringArray,
    /// The node that the connection calls.
    #[var(no_set)]
    target: GString,
    /// The method that the connection calls.
    #[var(no_set)]
    method: GString,
    /// Whether the connection adds or leaves out arguments.
    #[var(no_set)]
    changes_arguments: bool,
    /// The text before the save: the value of a property, the whole section of a connection, node or sub_resource, the comment, or the field.
    #[var(no_set)]
    value: GString,
    /// The line in the text before, counted from 1.
    #[var(no_set)]
    line: i64,
    /// The character in that line, counted from 1.
    #[var(no_set)]
    column: i64,
    /// The line in the text before in which it ended.
    #[var(no_set)]
    last_line: i64,
}

#[godot_api]
impl SceneLoss {
    /// Returns the facts about the property of a node or resource at this place of [param text], as if it were lost; [code]null[/code] if there is no such property.
    #[func]
    fn property_at(text: PackedByteArray, line: i64, column: i64) -> Option<Gd<SceneLoss>> {
        let found = edition::property_at(&text, (line, column))?;
        Some(Gd::from_object(Self::new(&found)))
    }

    /// Returns a text resource that Godot can load, whose metadata [code]value[/code] is the value of the property at this place of [param text]: with the sub_resources that the value refers to, and the paths of files. An empty array if the value refers to nothing, or if there is no such property.
    #[func]
    fn value_resource(text: PackedByteArray, line: i64, column: i64) -> PackedByteArray {
        edition::value_resource(&text, (line, column))
    }

    /// Returns what [param after] has that [param before] does not have: values, nodes and connections, each in a few words. Values that are only written otherwise count as the same.
    #[func]
    fn edits(before: PackedByteArray, after: PackedByteArray) -> PackedStringArray {
        edition::edits(&before, &after).iter().map(GString::from).collect()
    }

    /// Puts two texts side by side: for each row the line of [param before] and that of [param after], counted from 1, or 0 where that side has no line.
    #[func]
    fn side_by_side(before: PackedByteArray, after: PackedByteArray) -> PackedInt32Array {
        edition::side_by_side(&before, &after).into()
    }

    /// Returns the one of [param names] that was probably meant by [param name]; an empty string if none is near.
    #[func]
    fn nearest(name: GString, names: PackedStringArray) -> GString {
        edition::nearest(&name.to_string(), &names)
    }
}

/// What a comparison found.
pub(crate) struct FoundLoss {
    pub(crate) loss: Loss,
    /// The text before the save.
    pub(crate) value: String,
    /// The line and column in the text before, counted from 1.
    pub(crate) place: (i64, i64),
    /// The line in which it ended.
    pub(crate) last_line: i64,
}

/// A comparison that `SceneLinter._lost_in_background` makes in the background. Ask it regularly, for example once a frame.
#[derive(GodotClass)]
#[class(no_init, internal, base = RefCounted)]
pub(crate) struct SceneLossJob {
    thread: Option<Thread<Vec<FoundLoss>>>,
    found: Vec<FoundLoss>,
}

#[godot_api]
impl SceneLossJob {
    /// Whether the comparison is done.
    #[func]
    fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(Thread::is_finished)
    }

    /// Returns what was found. Waits for it, if need be.
    #[func]
    fn losses(&mut self) -> Array<Gd<SceneLoss>> {
        self.join();
        to_objects(&self.found)
    }
}

impl SceneLossJob {
    /// Without a thread, nothing is found.
    pub(crate) fn new(thread: Option<Thread<Vec<FoundLoss>>>) -> Gd<Self> {
        Gd::from_object(Self { thread, found: Vec::new() })
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic has been reported where it happened.
            self.found = thread.join().unwrap_or_default();
        }
    }
}

impl Drop for SceneLossJob {
    /// Its result is no longer wanted.
    fn drop(&mut self) {
        self.join();
    }
}

/// The losses as GDScript sees them.
pub(crate) fn to_objects(found: &[FoundLoss]) -> Array<Gd<SceneLoss>> {
    found.iter().map(|found| Gd::from_object(SceneLoss::new(found))).collect()
}

impl SceneLoss {
    fn new(FoundLoss { loss, value, place, last_line }: &FoundLoss) -> Self {
        let mut this = Self {
            kind: loss.kind.as_str().into(),
            cause: loss.cause.as_str().into(),
            node_path: loss.node_path.as_deref().unwrap_or_default().into(),
            name: GString::new(),
            resource_class: GString::new(),
            sub_resource: GString::new(),
            has_script: false,
            files: PackedStringArray::new(),
            target: GString::new(),
            method: GString::new(),
            changes_arguments: false,
            value: value.into(),
            line: place.0,
            column: place.1,
            last_line: *last_line,
        };
        this.describe(&loss.kind);
        this
    }

    fn describe(&mut self, kind: &LossKind) {
        match kind {
            LossKind::Comment(name) | LossKind::Node(name) | LossKind::Field(name) => {
                self.name = name.into();
            }
            LossKind::Property { name, resource_class, sub_resource, has_script, files } => {
                self.has_script = *has_script;
                self.name = name.into();
                self.resource_class = resource_class.as_deref().unwrap_or_default().into();
                self.sub_resource = sub_resource.as_deref().unwrap_or_default().into();
                self.files = files.iter().map(GString::from).collect();
            }
            LossKind::Connection { signal, target, method, changes_arguments } => {
                self.name = signal.into();
                self.target = target.into();
                self.method = method.into();
                self.changes_arguments = *changes_arguments;
            }
            LossKind::SubResource { id, class } => {
                self.name = id.into();
                self.resource_class = class.into();
            }
            LossKind::Editable => {}
        }
    }
}
