//! Animations that the `SpriteFrames` of a node lack.

use godot_tscn::{PartRef, Property, Section, quote};

use super::{Effect, WrongLength};
use crate::SceneContext;

/// The names in `animations = [{"name": &"walk", …}]`; a new `SpriteFrames` has this one.
const DEFAULT: &[u8] = b"default";

/// What is wrong with `animation` of an `AnimatedSprite2D` or `AnimatedSprite3D` with frames in the text.
pub(super) fn animation<'c>(
    context: &SceneContext<'c>,
    node: Section<'c>,
    property: Property<'c>,
) -> Option<WrongLength<'c>> {
    let name = property.value_tree().root().text()?.into_owned();
    let frames = node.properties().rfind(|found| *found.engine_key() == *b"sprite_frames")?;
    let id = frames.value_tree().root().inner_text("SubResource")?.into_owned();
    let frames = context.sub_resource(&id)?;
    let object = context.attached(frames);
    (object.is_plain() && object.native() == Some("SpriteFrames")).then_some(())?;
    let has = match frames.properties().rfind(|found| *found.engine_key() == *b"animations") {
        None => name == DEFAULT,
        Some(all) => {
            let tree = all.value_tree();
            tree.root().children().any(|one| name_of(one).is_none_or(|found| found == name))
        }
    };
    (!has && !name.is_empty()).then(|| WrongLength {
        property,
        span: property.value_span(),
        problem: format!("the sprite frames have no animation {}", quote(&name)),
        effect: Effect::Other("Godot logs an error, and the node shows nothing".to_owned()),
    })
}

fn name_of(animation: PartRef<'_>) -> Option<Vec<u8>> {
    Some(animation.get("name")?.text()?.into_owned())
}
