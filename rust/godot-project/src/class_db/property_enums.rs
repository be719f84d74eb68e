//! The enums that properties of Godot's classes take, from the API that Godot 4.6.3 dumps (`scripts/data/class_db.sh`).

use std::sync::OnceLock;

use hashbrown::HashMap;

use crate::class_db::ClassDb;

const ENUMS: &str = include_str!("../../data/property_enums.txt");

/// The enum that a property takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropertyEnum {
    /// `Control.MouseFilter`, or `HorizontalAlignment` of all classes.
    pub name: &'static str,
    /// `MOUSE_FILTER_STOP=0 MOUSE_FILTER_PASS=1 …`
    values: &'static str,
}

#[derive(Default)]
struct Table {
    of_properties: HashMap<(&'static str, &'static str), &'static str>,
    values: HashMap<&'static str, &'static str>,
}

impl PropertyEnum {
    /// The enum of a property that the class or a base has.
    pub fn of(classes: &ClassDb, class: &str, property: &str) -> Option<Self> {
        let table = Table::get();
        let mut lineage = classes.lineage(class);
        let name = lineage.find_map(|class| table.of_properties.get(&(class.name(), property)))?;
        Some(Self { name, values: table.values.get(name)? })
    }

    /// The constants with their numbers.
    pub fn values(self) -> impl Iterator<Item = (&'static str, i64)> {
        self.values.split(' ').filter_map(|value| {
            let (name, number) = value.split_once('=')?;
            Some((name, number.parse().ok()?))
        })
    }
}

impl Table {
    fn get() -> &'static Self {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| {
            let mut table = Self::default();
            for line in ENUMS.lines() {
                let mut words = line.splitn(3, ' ');
                let (Some(first), Some(second), Some(rest)) =
                    (words.next(), words.next(), words.next())
                else {
                    continue;
                };
                match first {
                    "enum" => table.values.insert(second, rest),
                    _ => table.of_properties.insert((first, second), rest),
                };
            }
            table
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{ENUMS, PropertyEnum, Table};
    use crate::class_db::ClassDb;

    #[test]
    fn properties_of_bases_and_global_enums() {
        let classes = ClassDb::for_version(godot_tscn::GodotVersion::godot4(6));
        let of = |class, property| PropertyEnum::of(classes, class, property);
        assert_eq!(of("Button", "mouse_filter").unwrap().name, "Control.MouseFilter");
        let alignment = of("Label", "horizontal_alignment").unwrap();
        assert!(alignment.values().any(|value| value == ("HORIZONTAL_ALIGNMENT_CENTER", 1)));
        assert_eq!(of("Label", "text"), None);
    }

    #[test]
    fn every_enum_has_values() {
        let table = Table::get();
        assert_eq!(table.of_properties.len() + table.values.len(), ENUMS.lines().count());
        assert!(table.of_properties.len() > 500);
        for name in table.of_properties.values() {
            let found = PropertyEnum { name, values: table.values[name] };
            assert!(found.values().count() > 0, "{name}");
        }
    }
}
