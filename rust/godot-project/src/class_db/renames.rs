//! What was renamed between the versions, as Godot's own sources list it.

use std::borrow::Cow;
use std::sync::OnceLock;

use hashbrown::HashMap;

/// What became of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenamedClass {
    /// The name that it has now.
    pub name: &'static str,
    /// Whether Godot itself takes the old name for the new one when it loads a file (`ClassDB::add_compatibility_class`).
    pub is_understood: bool,
}

/// What became of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedProperty {
    /// The name that it has now.
    pub name: Cow<'static, str>,
}

/// What the converter of Godot 4 leaves alone, as the same word has other meanings.
const OTHERS: &[(&str, &str)] = &[("align", "alignment")];

/// What theme items of single nodes begin with in Godot 3 and 4.
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
    let others = OTHERS.iter().filter(|(old, _)| *old == name).map(|(_, new)| new);
    let mut names = table().properties.get(name).into_iter().flatten().chain(others);
    names.find(|new| has(new)).map(|name| RenamedProperty { name: Cow::Borrowed(name) })
}

/// The theme item of Godot 4 that `custom_colors/font_color` and the like have become, of those that the class has.
pub(super) fn renamed_theme_item(
    name: &str,
    has: impl Fn(&str) -> bool,
) -> Option<RenamedProperty> {
    let (old, new) = THEME_ITEMS.iter().find(|(old, _)| name.starts_with(old))?;
    let same = format!("{new}{}", &name[old.len()..]);
    let others = RENAMED_THEME_ITEMS.iter().filter(|(old, _)| *old == same);
    let mut all = std::iter::once(same.as_str()).chain(others.map(|(_, new)| *new));
    let item = all.find(|item| has(item))?;
    Some(RenamedProperty { name: Cow::Owned(format!("theme_override_{item}")) })
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
