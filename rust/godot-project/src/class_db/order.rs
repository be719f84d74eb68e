//! In which order Godot lists the properties of an object, and so saves them: those of bases first
//! (`Object::get_property_list`, core/object/object.cpp; the table is what Godot 4.6.3 answers, `scripts/data/class_db.sh`).

use std::sync::OnceLock;

use hashbrown::HashMap;

use super::ClassDb;

const ORDER: &str = include_str!("../../data/property_order.txt");
const THEME: &str = "theme_override_";

/// Where a property stands among those of its object. One that is not known stands behind all that are.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PropertyRank {
    is_unknown: bool,
    /// How many bases its class has.
    depth: usize,
    index: usize,
    /// Of one among many that begin alike: its number, or its place among theme items.
    number: usize,
}

impl ClassDb {
    /// Where the property `name` stands among those of an object of this class.
    pub fn property_rank(&self, class: &str, name: &str) -> PropertyRank {
        let lineage: Vec<&str> = self.lineage(class).map(super::class::Class::name).collect();
        let depth = |index: usize| lineage.len() - index;
        if let Some(item) = name.strip_prefix(THEME) {
            let is_themed = |class: &&str| matches!(*class, "Control" | "Window");
            let index = lineage.iter().position(is_themed).unwrap_or_default();
            let items = lineage.iter().find_map(|class| table().themes.get(class));
            let number = items.and_then(|items| items.iter().position(|known| *known == item));
            let number = number.unwrap_or(usize::MAX);
            return PropertyRank {
                depth: depth(index),
                index: usize::MAX,
                number,
                is_unknown: false,
            };
        }
        let found = lineage.iter().enumerate().find_map(|(index, class)| {
            let (place, number) = place(table().properties.get(class)?, name)?;
            Some(PropertyRank { depth: depth(index), index: place, number, is_unknown: false })
        });
        let dynamic = || {
            let index = self.lineage(class).position(|class| class.takes(name))?;
            let (depth, index) = (depth(index), usize::MAX);
            Some(PropertyRank { depth, index, number: 0, is_unknown: false })
        };
        let unknown = PropertyRank { is_unknown: true, ..PropertyRank::default() };
        found.or_else(dynamic).unwrap_or(unknown)
    }
}

fn place(known: &[&str], name: &str) -> Option<(usize, usize)> {
    if let Some(index) = known.iter().position(|known| *known == name) {
        return Some((index, 0));
    }
    known.iter().enumerate().find_map(|(index, known)| {
        let rest = name.strip_prefix(known.strip_suffix('*')?)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        Some((index, rest[..digits].parse().unwrap_or_default()))
    })
}

#[derive(Default)]
struct Table {
    properties: HashMap<&'static str, Vec<&'static str>>,
    themes: HashMap<&'static str, Vec<&'static str>>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::default();
        for (class, names) in ORDER.lines().filter_map(|line| line.split_once('\t')) {
            let names = names.split(' ').collect();
            match class.strip_suffix(":theme") {
                Some(class) => table.themes.insert(class, names),
                None => table.properties.insert(class, names),
            };
        }
        table
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_come_first_and_theme_items_behind_those_of_control() {
        let classes = ClassDb::for_version(godot_tscn::GodotVersion::godot4(6));
        let sorted = [
            "process_mode",
            "visible",
            "modulate",
            "anchor_left",
            "theme_type_variation",
            "theme_override_styles/normal",
            "theme_override_colors/font_color",
            "theme_override_colors/font_focus_color",
            "disabled",
            "text",
            "unknown",
        ];
        let ranks = sorted.map(|name| classes.property_rank("Button", name));
        assert!(ranks.is_sorted_by(|one, other| one < other), "{ranks:?}");
        // What objects have as they need it stands behind the rest of its class.
        let rank = |name: &str| classes.property_rank("AnimationPlayer", name);
        assert!(rank("callback_mode_method") < rank("libraries/"));
        assert!(rank("libraries/") < rank("playback_auto_capture_duration"));
    }
}
