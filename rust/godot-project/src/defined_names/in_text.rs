//! The names that scenes and resources define.

use godot_tscn::{PartRef, Property, Section, TagKind};

use crate::defined_names::{DEFINERS, DefinedNames, KindOfName, add_script};
use crate::settings::lossy;

/// Collects the names of a text, section by section.
pub(crate) fn add_section(section: Section<'_>, found: &mut DefinedNames) {
    match section.kind() {
        TagKind::Node => {
            let tree = section.field("groups").map(godot_tscn::Field::value_tree);
            let groups = tree.iter().flat_map(|tree| tree.root().children());
            groups.for_each(|group| define(group, KindOfName::Group, found));
        }
        TagKind::SubResource | TagKind::Resource => {}
        // The sections inside may define any name.
        TagKind::Nested => return DEFINERS.iter().for_each(|(kind, _)| found.open(*kind)),
        _ => return,
    }
    section.properties().for_each(|property| add_property(property, found));
}

fn add_property(property: Property<'_>, found: &mut DefinedNames) {
    let key = property.engine_key();
    if let Some(name) = key.strip_prefix(b"metadata/") {
        found.define(KindOfName::Metadata, &lossy(name));
        return;
    }
    match &*key {
        // `AnimationLibrary`: `_data = {&"walk": …}`, since 4.5 `_data/walk = …`.
        b"_data" => {
            let tree = property.value_tree();
            for (name, _) in tree.root().entries() {
                define(name, KindOfName::Animation, found);
            }
        }
        // `SpriteFrames`.
        b"animations" => {
            let tree = property.value_tree();
            for animation in tree.root().children() {
                if let Some(name) = animation.get("name") {
                    define(name, KindOfName::Animation, found);
                }
            }
        }
        b"script/source" => {
            if let Some(script) = property.value_tree().root().text() {
                add_script(&script, false, found);
            }
        }
        b"code" => {
            if let Some(code) = property.value_tree().root().text() {
                for name in uniforms(&lossy(&code)) {
                    found.define(KindOfName::ShaderParameter, name);
                }
            }
        }
        // The nodes of a `VisualShader`.
        b"parameter_name" | b"uniform_name" => {
            define(property.value_tree().root(), KindOfName::ShaderParameter, found);
        }
        key => {
            let numbered = key.strip_prefix(b"bus/").and_then(|rest| rest.strip_suffix(b"/name"));
            if numbered.is_some() {
                define(property.value_tree().root(), KindOfName::Bus, found);
            }
            let animation = key.strip_prefix(b"_data/").or_else(|| key.strip_prefix(b"anims/"));
            if let Some(name) = animation {
                found.define(KindOfName::Animation, &lossy(name));
            }
        }
    }
}

fn define(part: PartRef<'_>, kind: KindOfName, found: &mut DefinedNames) {
    match part.text() {
        Some(name) => found.define(kind, &lossy(&name)),
        None => found.open(kind),
    }
}

/// The names of the uniforms in a shader, those in its comments too.
pub(crate) fn uniforms(code: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.split("uniform ").skip(1).filter_map(move |rest| {
        let declared = rest.split([':', ';', '=', '[', '\n']).next()?;
        declared.split(|c| !is_word(c)).rfind(|word| !word.is_empty())
    })
}
