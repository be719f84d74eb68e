//! Animations that the `SpriteFrames` of a node lack.

use godot_tscn::{PartRef, Property, Section, quote};
use hashbrown::{HashMap, HashSet};

use super::{Effect, WrongLength};
use crate::SceneContext;
use crate::keys::Keys;

/// The names in `animations = [{"name": &"walk", …}]`; a new `SpriteFrames` has this one.
const DEFAULT: &[u8] = b"default";

/// The names of the animations by section, each read once: many nodes may have one `SpriteFrames`.
#[derive(Default)]
pub(super) struct SpriteFrames {
    known: HashMap<u32, Option<HashSet<Vec<u8>>>>,
}

impl SpriteFrames {
    /// The problem of `animation` of an `AnimatedSprite2D` or `AnimatedSprite3D` with frames in the text, or of a new one without.
    pub(super) fn animation<'c>(
        &mut self,
        context: &SceneContext<'c>,
        keys: &Keys<'c>,
        is_new: bool,
        property: Property<'c>,
    ) -> Option<WrongLength<'c>> {
        let name = property.value_tree().root().text()?.into_owned();
        let Some(frames) = keys.before(property, "sprite_frames") else {
            // Older files call them `frames`.
            let is_lost = is_new && name != DEFAULT && !name.is_empty();
            return (is_lost && keys.last("frames").is_none()).then(|| WrongLength {
                property,
                span: property.value_span(),
                problem: "`animation` needs `sprite_frames` before it".to_owned(),
                effect: Effect::Other(
                    "Godot does not set an animation, and the next save makes it permanent"
                        .to_owned(),
                ),
            });
        };
        let id = frames.value_tree().root().inner_text("SubResource")?.into_owned();
        let frames = context.sub_resource(&id)?;
        let known = self.known.entry(frames.index());
        let known = known.or_insert_with(|| names_in(context, frames)).as_ref()?;
        (!known.contains(&name) && !name.is_empty()).then(|| WrongLength {
            property,
            span: property.value_span(),
            problem: format!("the sprite frames have no animation {}", quote(&name)),
            effect: Effect::Other("Godot logs an error, and the node shows nothing".to_owned()),
        })
    }
}

/// The names of the animations; nothing if not all are known.
fn names_in(context: &SceneContext<'_>, frames: Section<'_>) -> Option<HashSet<Vec<u8>>> {
    let object = context.attached(frames);
    (object.is_plain() && object.native() == Some("SpriteFrames")).then_some(())?;
    match frames.properties().rfind(|found| *found.engine_key() == *b"animations") {
        None => Some(HashSet::from_iter([DEFAULT.to_vec()])),
        Some(all) => all.value_tree().root().children().map(name_of).collect(),
    }
}

fn name_of(animation: PartRef<'_>) -> Option<Vec<u8>> {
    Some(animation.get("name")?.text()?.into_owned())
}
