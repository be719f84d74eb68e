//! The names that one file defines, and that scripts and scenes pass as text: groups, animations and the like.
//!
//! [`crate::names`] puts the names of all files together.

pub(crate) mod in_text;
mod scan;

use serde::{Deserialize, Serialize};

pub(crate) use scan::add_script;

/// The names that one file defines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinedNames {
    /// Each name with its kind, in the order of the text.
    pub names: Vec<(KindOfName, String)>,
    /// The kinds that may get further names from the file while the game runs.
    pub open: Vec<KindOfName>,
}

/// A kind of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum KindOfName {
    /// An action of `[input]`.
    Action,
    /// A group of nodes.
    Group,
    /// An audio bus.
    Bus,
    /// An animation of an `AnimationPlayer` or an animated sprite.
    Animation,
    /// A uniform of a shader that materials or nodes set.
    ShaderParameter,
    /// Metadata of an object.
    Metadata,
    /// A signal, in a text.
    Signal,
    /// A method, in a text.
    Method,
    /// A property, in a text.
    Property,
    /// A setting of the project, in a text.
    Setting,
}

/// A call that defines a name: the function in GDScript and in C#, and which argument is the name.
#[derive(Debug)]
pub(crate) struct Definer {
    pub(crate) function: &'static str,
    pub(crate) in_csharp: &'static str,
    /// Which argument is the name; none where the call may define any name.
    pub(crate) argument: Option<usize>,
    /// The argument is a name only behind this: `input/`.
    pub(crate) start: &'static str,
}

/// The calls of each kind that define names while the game runs.
pub(crate) static DEFINERS: &[(KindOfName, &[Definer])] = &[
    (
        KindOfName::Action,
        &[
            defines("add_action", "AddAction", 0),
            // Plugins add actions to the settings of the project.
            defines("ProjectSettings.set_setting", "ProjectSettings.SetSetting", 0)
                .behind("input/"),
            defines("ProjectSettings.set", "ProjectSettings.Set", 0).behind("input/"),
        ],
    ),
    (KindOfName::Group, &[defines("add_to_group", "AddToGroup", 0)]),
    (
        KindOfName::Bus,
        &[
            defines("set_bus_name", "SetBusName", 1),
            opens("set_bus_layout", "SetBusLayout"),
            opens("AudioBusLayout.new", "new AudioBusLayout"),
        ],
    ),
    (
        KindOfName::Animation,
        &[
            defines("add_animation", "AddAnimation", 0),
            defines("rename_animation", "RenameAnimation", 1),
            opens("add_animation_library", "AddAnimationLibrary"),
            opens("AnimationLibrary.new", "new AnimationLibrary"),
            opens("SpriteFrames.new", "new SpriteFrames"),
        ],
    ),
    (
        KindOfName::ShaderParameter,
        &[opens("Shader.new", "new Shader"), opens("VisualShader", "VisualShader")],
    ),
    (KindOfName::Metadata, &[defines("set_meta", "SetMeta", 0)]),
    // What scripts declare is known of them.
    (KindOfName::Signal, &[]),
    (KindOfName::Method, &[]),
    (KindOfName::Property, &[]),
    (
        KindOfName::Setting,
        &[
            // Without a receiver, because scripts keep `ProjectSettings` in variables.
            defines("set_setting", "SetSetting", 0),
            defines("ProjectSettings.set", "ProjectSettings.Set", 0),
            opens("ProjectSettings[", "ProjectSettings["),
        ],
    ),
];

impl DefinedNames {
    pub(crate) fn define(&mut self, kind: KindOfName, name: &str) {
        let is_known = self.names.iter().rev().take(LOOKED_BACK);
        if !is_known.into_iter().any(|(found, known)| *found == kind && known == name) {
            self.names.push((kind, name.to_owned()));
        }
    }

    pub(crate) fn open(&mut self, kind: KindOfName) {
        if !self.open.contains(&kind) {
            self.open.push(kind);
        }
    }
}

/// Scenes repeat the groups of neighbours. Further back, a repetition only costs its memory.
const LOOKED_BACK: usize = 8;

const fn defines(function: &'static str, in_csharp: &'static str, argument: usize) -> Definer {
    Definer { function, in_csharp, argument: Some(argument), start: "" }
}

const fn opens(function: &'static str, in_csharp: &'static str) -> Definer {
    Definer { function, in_csharp, argument: None, start: "" }
}

impl Definer {
    /// Whether a call in GDScript takes a whole name as the argument with an index.
    pub(crate) fn takes(&self, receiver: &str, function: &str, index: usize) -> bool {
        let is_it = match self.function.split_once('.') {
            Some(named) => named == (receiver, function),
            None => self.function == function,
        };
        is_it && self.argument == Some(index) && self.start.is_empty()
    }

    const fn behind(self, start: &'static str) -> Self {
        Self { start, ..self }
    }
}

#[cfg(test)]
mod tests;
