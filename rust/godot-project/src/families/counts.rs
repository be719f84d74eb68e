//! Elements that a property counts.

use super::{AbsentElement, Place};

/// Elements of one kind: the class that has them, the property that counts them, and what is in front of and behind their number.
struct Family {
    class: &'static str,
    count: &'static str,
    before: &'static str,
    after: &'static str,
}

const fn family(
    class: &'static str,
    count: &'static str,
    before: &'static str,
    after: &'static str,
) -> Family {
    Family { class, count, before, after }
}

/// As Godot 4.6.3 loads them, which `scripts/test/scenes/lengths.sh` compares.
const FAMILIES: &[Family] = &[
    family("AudioStreamRandomizer", "streams_count", "stream_", "/"),
    family("BoneConstraint3D", "setting_count", "settings/", "/"),
    family("BoneTwistDisperser3D", "setting_count", "settings/", "/"),
    family("FileDialog", "option_count", "option_", "/"),
    family("IKModifier3D", "setting_count", "settings/", "/"),
    family("ItemList", "item_count", "item_", "/"),
    family("LabelSettings", "stacked_outline_count", "stacked_outline_", "/"),
    family("LabelSettings", "stacked_shadow_count", "stacked_shadow_", "/"),
    family("LimitAngularVelocityModifier3D", "chain_count", "chains/", "/"),
    family("MenuButton", "item_count", "popup/item_", "/"),
    family("OptionButton", "item_count", "popup/item_", "/"),
    family("PopupMenu", "item_count", "item_", "/"),
    family("SkeletonModificationStack2D", "modification_count", "modifications/", ""),
    family("SkeletonProfile", "bone_size", "bones/", "/"),
    family("SkeletonProfile", "group_size", "groups/", "/"),
    family("Skin", "bind_count", "bind/", "/"),
    family("SpringBoneSimulator3D", "setting_count", "settings/", "/"),
    family("TabBar", "tab_count", "tab_", "/"),
];

pub(super) fn find<'c>(place: &Place<'_, 'c>, found: &mut Vec<AbsentElement<'c>>) {
    for family in FAMILIES.iter().filter(|family| place.is(family.class)) {
        // What it is when an element comes, as Godot has read the lines before it.
        let mut count = (place.is_new() && !place.object.has_script()).then_some(0);
        let mut is_given = false;
        for property in place.section.properties() {
            let key = property.engine_key();
            if *key == *family.count.as_bytes() {
                count = property.value_tree().root().int();
                is_given = true;
                continue;
            }
            let Some(number) = family.number(&key) else { continue };
            let Some(count) = count.filter(|count| number >= *count) else { continue };
            let name = family.count;
            let problem = match is_given {
                true => format!("but `{name}` is {count}"),
                false if has(place, name) => format!("but `{name}` comes later; move it in front"),
                false => format!("but `{name}` is not set"),
            };
            found.push(AbsentElement { property, problem });
        }
    }
}

fn has(place: &Place<'_, '_>, name: &str) -> bool {
    place.section.properties().any(|property| *property.engine_key() == *name.as_bytes())
}

impl Family {
    /// The number in a property of an element.
    fn number(&self, key: &[u8]) -> Option<i64> {
        let rest = std::str::from_utf8(key.strip_prefix(self.before.as_bytes())?).ok()?;
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let (number, behind) = rest.split_at(end);
        let is_element = match self.after {
            "" => behind.is_empty(),
            after => behind.starts_with(after),
        };
        number.parse().ok().filter(|_| is_element)
    }
}
