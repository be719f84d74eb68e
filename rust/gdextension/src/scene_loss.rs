//! `SceneLoss`: what a save dropped, as GDScript sees it.
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use godot::builtin::{Array, GString, PackedStringArray};
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};
use tscn::{Loss, LossKind};

use crate::threads::Thread;

/// Something that stood in a file before Godot saved it, and does not any more. `SceneLinter._lost` finds them.
#[derive(GodotClass)]
#[class(no_init, internal, base = RefCounted)]
pub(crate) struct SceneLoss {
    /// What it is: [code]comment[/code], [code]property[/code], [code]connection[/code], [code]sub_resource[/code], [code]node[/code], [code]editable[/code] or [code]field[/code].
    #[var(no_set)]
    kind: GString,
    /// Why it is gone: [code]not-kept[/code], [code]unused[/code], [code]misread[/code], [code]missing-node[/code], or [code]unclear[/code] if the texts do not tell whether the user removed it.
    #[var(no_set)]
    cause: GString,
    /// The node that it belonged to, relative to the scene's root, which is [code].[/code] itself; an empty string if it belonged to none.
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
    /// The line in the text before, counted from 1.
    #[var(no_set)]
    line: i64,
}

#[godot_api]
impl SceneLoss {}

/// What a comparison found.
pub(crate) struct FoundLoss {
    pub(crate) loss: Loss,
    /// The line in the text before, counted from 1.
    pub(crate) line: i64,
}

/// A comparison that `SceneLinter._lost_in_background` makes in the background. It is to be asked now and then, once a frame, say.
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
    fn new(FoundLoss { loss, line }: &FoundLoss) -> Self {
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
            line: *line,
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
