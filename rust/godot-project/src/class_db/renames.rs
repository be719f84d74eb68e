//! The renames between the versions, as Godot's own sources list them.

use std::borrow::Cow;
use std::sync::OnceLock;

use hashbrown::HashMap;

/// The fate of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenamedClass {
    /// The name that it has now.
    pub name: &'static str,
    /// Whether Godot itself takes the old name for the new one when it loads a file (`ClassDB::add_compatibility_class`).
    pub is_understood: bool,
}

/// The fate of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedProperty {
    /// The name that it has now.
    pub name: Cow<'static, str>,
    /// The fate of its values.
    pub values: RenamedValues,
}

/// The new values of a renamed property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenamedValues {
    /// The same.
    Same,
    /// Other ones: the old and the new of each that changed.
    Others(&'static [(&'static str, &'static str)]),
    /// Angles in radians instead of degrees.
    Radians,
    /// Codes of keys; special ones have another bit.
    KeyCodes,
    /// Something else was measured.
    Incomparable,
}

/// The properties with values that are not [`RenamedValues::Same`] under the new name. A test compares the types of all
/// others.
const OTHER_VALUES: &[(&str, RenamedValues)] = &[
    // `AUTOWRAP_WORD`, not `AUTOWRAP_ARBITRARY`.
    ("autowrap", RenamedValues::Others(&[("true", "2"), ("false", "0")])),
    // The force falls off by another formula.
    ("gravity_distance_scale", RenamedValues::Incomparable),
    // Without the ends of the capsule.
    ("mid_height", RenamedValues::Incomparable),
    // `PAUSE_MODE_PROCESS` and `PROCESS_MODE_ALWAYS`; 2 became `PROCESS_MODE_WHEN_PAUSED`.
    ("pause_mode", RenamedValues::Others(&[("2", "3")])),
    ("physical_scancode", RenamedValues::KeyCodes),
    ("rect_rotation", RenamedValues::Radians),
    ("scancode", RenamedValues::KeyCodes),
    ("wrap_enabled", RenamedValues::Others(&[("true", "1"), ("false", "0")])),
];

/// Renames of the converter between unrelated properties: the mode out of range and the number of sounds at once, a
/// switch and an object.
const UNRELATED: &[&str] = &["out_of_range_mode", "syntax_highlighting"];

/// The bit that Godot 3 and Godot 4 set in the codes of keys without a character.
const SPECIAL_KEY: (u64, u64) = (1 << 24, 1 << 22);
/// The special keys with the same number in both versions: `KEY_ESCAPE` to `KEY_F16`, and those of the number pad.
const SAME_KEYS: [std::ops::RangeInclusive<u64>; 2] = [0x01..=0x2b, 0x81..=0x8f];

impl RenamedValues {
    /// The text of a value under the new name; nothing if it is unknown.
    pub fn convert(self, value: &str) -> Option<Cow<'_, str>> {
        let new = match self {
            Self::Same => None,
            Self::Others(all) => {
                all.iter().find(|(old, _)| *old == value).map(|(_, new)| (*new).to_owned())
            }
            Self::Radians => Some(format_radians(value.parse().ok()?)),
            Self::KeyCodes => {
                let code: u64 = value.parse().ok()?;
                let (old, new) = SPECIAL_KEY;
                // Modifiers are in higher bits.
                let key = code & (old - 1);
                match code & old != 0 {
                    false => None,
                    true if SAME_KEYS.iter().any(|keys| keys.contains(&key)) => {
                        Some((code & !old | new).to_string())
                    }
                    true => return None,
                }
            }
            Self::Incomparable => return None,
        };
        Some(new.map_or(Cow::Borrowed(value), Cow::Owned))
    }
}

/// Names that the converter of Godot 4 leaves alone, because the same word has other meanings.
const OTHERS: &[(&str, &str)] = &[("align", "alignment")];

/// The prefix of theme items of single nodes in Godot 3 and 4.
const THEME_ITEMS: &[(&str, &str)] = &[
    ("custom_colors/", "colors/"),
    ("custom_constants/", "constants/"),
    ("custom_fonts/", "fonts/"),
    ("custom_icons/", "icons/"),
    ("custom_styles/", "styles/"),
];

/// Theme items that have another name in Godot 4 (editor/project_upgrade/renames_map_3_to_4.cpp).
const RENAMED_THEME_ITEMS: &[(&str, &str)] = &[
    ("colors/font_color_accel", "colors/font_accelerator_color"),
    ("colors/font_color_disabled", "colors/font_disabled_color"),
    ("colors/font_color_focus", "colors/font_focus_color"),
    ("colors/font_color_hover", "colors/font_hover_color"),
    ("colors/font_color_hover_pressed", "colors/font_hover_pressed_color"),
    ("colors/font_color_pressed", "colors/font_pressed_color"),
    ("colors/font_color_shadow", "colors/font_shadow_color"),
    ("colors/font_outline_modulate", "colors/font_outline_color"),
    ("constants/hseparation", "constants/h_separation"),
    ("constants/vseparation", "constants/v_separation"),
    ("constants/table_hseparation", "constants/table_h_separation"),
    ("constants/table_vseparation", "constants/table_v_separation"),
    ("styles/bg", "styles/panel"),
    ("styles/bg", "styles/background"),
    ("styles/fg", "styles/fill"),
    ("styles/tab_bg", "styles/tab_unselected"),
    ("styles/tab_fg", "styles/tab_selected"),
];

const RENAMES: &str = include_str!("../../data/renames.txt");

#[derive(Debug, Default)]
struct Renames {
    understood_by_4: HashMap<&'static str, &'static str>,
    understood_by_3: HashMap<&'static str, &'static str>,
    converted: HashMap<&'static str, &'static str>,
    properties: HashMap<&'static str, Vec<&'static str>>,
    signals: HashMap<&'static str, &'static str>,
}

/// As Godot writes a number of single precision.
#[expect(clippy::cast_possible_truncation, reason = "Godot keeps angles so")]
fn format_radians(degrees: f64) -> String {
    let text = (degrees.to_radians() as f32).to_string();
    if text.contains('.') { text } else { format!("{text}.0") }
}

pub(super) fn renamed_class(name: &str, by_godot_3: bool) -> Option<RenamedClass> {
    let table = table();
    if by_godot_3 {
        let name = table.understood_by_3.get(name)?;
        return Some(RenamedClass { name, is_understood: true });
    }
    let understood = table.understood_by_4.get(name);
    let name = understood.or_else(|| table.converted.get(name))?;
    Some(RenamedClass { name, is_understood: understood.is_some() })
}

/// The first of the new names that the class has.
pub(super) fn renamed_property(name: &str, has: impl Fn(&str) -> bool) -> Option<RenamedProperty> {
    if UNRELATED.contains(&name) {
        return None;
    }
    let others = OTHERS.iter().filter(|(old, _)| *old == name).map(|(_, new)| new);
    let mut names = table().properties.get(name).into_iter().flatten().chain(others);
    let values = OTHER_VALUES.iter().find(|(old, _)| *old == name);
    let values = values.map_or(RenamedValues::Same, |(_, values)| *values);
    names.find(|new| has(new)).map(|name| RenamedProperty { name: Cow::Borrowed(name), values })
}

/// The theme item of Godot 4 that replaced `custom_colors/font_color` and the like, among those of the class.
pub(super) fn renamed_theme_item(
    name: &str,
    has: impl Fn(&str) -> bool,
) -> Option<RenamedProperty> {
    let (old, new) = THEME_ITEMS.iter().find(|(old, _)| name.starts_with(old))?;
    let same = format!("{new}{}", &name[old.len()..]);
    let others = RENAMED_THEME_ITEMS.iter().filter(|(old, _)| *old == same);
    let mut all = std::iter::once(same.as_str()).chain(others.map(|(_, new)| *new));
    let item = all.find(|item| has(item))?;
    let name = Cow::Owned(format!("theme_override_{item}"));
    Some(RenamedProperty { name, values: RenamedValues::Same })
}

pub(super) fn renamed_signal(name: &str) -> Option<&'static str> {
    table().signals.get(name).copied()
}

fn table() -> &'static Renames {
    static TABLE: OnceLock<Renames> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut renames = Renames::default();
        for line in RENAMES.lines() {
            let mut words = line.split('\t');
            let (Some(kind), Some(old), Some(new)) = (words.next(), words.next(), words.next())
            else {
                continue;
            };
            match kind {
                "c4" => renames.understood_by_4.insert(old, new),
                "c3" => renames.understood_by_3.insert(old, new),
                "n" => renames.converted.insert(old, new),
                "s" => renames.signals.insert(old, new),
                "p" => {
                    renames.properties.entry(old).or_default().push(new);
                    None
                }
                _ => None,
            };
        }
        renames
    })
}

#[cfg(test)]
mod tests {
    use godot_tscn::GodotVersion;

    use super::{OTHER_VALUES, RenamedValues};
    use crate::class_db::ClassDb;

    /// A type that a value keeps its meaning in, because Godot converts it.
    const CONVERTED: &[(&str, &str)] = &[("int", "float"), ("Vector2", "Vector2i")];

    #[test]
    fn renamed_properties_keep_their_types_or_convert_their_values() {
        let (old, new) = (
            ClassDb::for_version(GodotVersion::LAST_3),
            ClassDb::for_version(GodotVersion::godot4(6)),
        );
        let mut found = 0;
        for class in old.class_names() {
            let now = new.renamed_class(class).map_or(class, |renamed| renamed.name);
            for name in old.lineage(class).flat_map(super::super::class::Class::property_names) {
                let Some(renamed) =
                    new.renamed_property(now, name).filter(|_| !new.takes(now, name))
                else {
                    continue;
                };
                found += 1;
                let was = old.property(class, name).unwrap().type_name();
                let is = new.property(now, &renamed.name).unwrap().type_name();
                let is_same = was == is || CONVERTED.contains(&(was, is));
                assert!(
                    is_same || renamed.values != RenamedValues::Same,
                    "{class}.{name}: {was}, {is}"
                );
            }
        }
        assert!(found > 500, "{found}");
        for (name, _) in OTHER_VALUES {
            assert!(old.class_names().any(|class| old.property(class, name).is_some()), "{name}");
        }
    }

    #[test]
    fn values() {
        let convert = |name: &str, value: &'static str| {
            let values = OTHER_VALUES.iter().find(|(old, _)| *old == name).unwrap().1;
            values.convert(value).map(std::borrow::Cow::into_owned)
        };
        for (name, old, new) in [
            ("autowrap", "true", Some("2")),
            ("autowrap", "false", Some("0")),
            ("wrap_enabled", "true", Some("1")),
            ("pause_mode", "1", Some("1")),
            ("pause_mode", "2", Some("3")),
            ("rect_rotation", "90.0", Some("1.5707964")),
            ("rect_rotation", "0", Some("0.0")),
            // Space, Escape with Shift, `KEY_SUPER_L`, which is `KEY_F17` now.
            ("scancode", "32", Some("32")),
            ("scancode", "50331649", Some("37748737")),
            ("physical_scancode", "16777231", Some("4194319")),
            ("scancode", "16777260", None),
            ("mid_height", "1.0", None),
            ("gravity_distance_scale", "0.5", None),
        ] {
            assert_eq!(convert(name, old).as_deref(), new, "{name} = {old}");
        }
    }
}
