//! Elements that a property counts.

use super::{AbsentElement, Place};

/// Elements of one kind: their class, the property that counts them, and the text before and after their number.
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

/// Elements that a property of theirs appends, if all before it are there.
const APPENDED: &[Family] = &[
    family("AnimationNodeBlendSpace1D", "node", "blend_point_", "/"),
    family("AnimationNodeBlendSpace2D", "node", "blend_point_", "/"),
    family("AnimationNodeTransition", "name", "input_", "/"),
];

pub(super) fn find<'c>(place: &Place<'_, 'c>, found: &mut Vec<AbsentElement<'c>>) {
    for family in APPENDED.iter().filter(|family| place.is(family.class)) {
        family.find_appended(place, found);
    }
    for family in FAMILIES.iter().filter(|family| place.is(family.class)) {
        // Its value when an element comes, after Godot has read the lines before it.
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
                false if place.keys().last(name).is_some() => {
                    format!("but `{name}` comes later; move it up")
                }
                false => format!("but `{name}` is not set"),
            };
            found.push(AbsentElement { property, problem });
        }
    }
}

impl Family {
    fn find_appended<'c>(&self, place: &Place<'_, 'c>, found: &mut Vec<AbsentElement<'c>>) {
        // Older files have it.
        const COUNT: &str = "input_count";
        if !place.is_new() || place.keys().last(COUNT).is_some() {
            return;
        }
        let mut count = 0;
        for property in place.section.properties() {
            let key = property.engine_key();
            let Some(number) = self.number(&key) else { continue };
            let appends = key.ends_with(self.count.as_bytes())
                && key.len() == self.before.len() + number.to_string().len() + 1 + self.count.len();
            if number == count && appends {
                count += 1;
            } else if number >= count {
                let missing = format!("{}{count}{}{}", self.before, self.after, self.count);
                let problem = format!("but `{missing}` is not before it");
                found.push(AbsentElement { property, problem });
            }
        }
    }

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
