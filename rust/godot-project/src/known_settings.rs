//! The settings of a project that Godot knows, in the order in which it saves them (`ProjectSettings::get_order`), with their types
//! and defaults.

use std::sync::OnceLock;

use godot_variant::VariantType;
use hashbrown::HashMap;

use crate::setting_table::TABLE;
use crate::value_type::ValueType;

/// A setting that Godot knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownSetting {
    /// `application/run/main_scene`
    pub name: &'static str,
    /// The text of its default. Godot does not save a setting with this value.
    pub default: &'static str,
    /// Where Godot saves it among those of its section.
    pub place: usize,
    type_name: &'static str,
    names: &'static str,
}

impl KnownSetting {
    /// The setting with a name. One for a platform, such as `display/window/size/mode.mobile`, may be known too.
    pub fn named(name: &str) -> Option<Self> {
        let place = *by_name().get(name)?;
        all().get(place).copied()
    }

    /// The probable intended setting.
    pub fn nearest(name: &str) -> Option<&'static str> {
        let names = all().iter().map(|setting| setting.name.as_bytes());
        std::str::from_utf8(godot_tscn::nearest(name.as_bytes(), names)?).ok()
    }

    /// Its type.
    pub fn holds(&self) -> ValueType {
        match VariantType::from_name(self.type_name) {
            Some(VariantType::Int) if !self.names.is_empty() => {
                ValueType::Enum { name: "int".to_owned(), values: self.values() }
            }
            Some(VariantType::Object) | None => ValueType::Unknown,
            Some(of) => ValueType::Of(of),
        }
    }

    /// The names of its values with the numbers, as `PROPERTY_HINT_ENUM` counts them.
    fn values(&self) -> Vec<(String, i64)> {
        let mut next = 0;
        let value = |part: &str| {
            let (name, number) = part.rsplit_once(':').unwrap_or((part, ""));
            let number = number.trim().parse().unwrap_or(next);
            next = number + 1;
            (name.trim().replace([' ', '-'], "_"), number)
        };
        self.names.split(',').map(value).collect()
    }

    /// The texts that it takes, if it is one of some.
    pub fn texts(&self) -> Vec<&'static str> {
        let is_text = self.type_name == "String" && !self.names.is_empty();
        if is_text { self.names.split(',').collect() } else { Vec::new() }
    }
}

fn all() -> &'static [KnownSetting] {
    static ALL: OnceLock<Vec<KnownSetting>> = OnceLock::new();
    ALL.get_or_init(|| {
        let setting = |(place, line): (usize, &'static str)| {
            let mut parts = line.splitn(4, '\t');
            let mut next = || parts.next().unwrap_or_default();
            KnownSetting { name: next(), type_name: next(), names: next(), default: next(), place }
        };
        TABLE.lines().enumerate().map(setting).collect()
    })
}

fn by_name() -> &'static HashMap<&'static str, usize> {
    static BY_NAME: OnceLock<HashMap<&'static str, usize>> = OnceLock::new();
    BY_NAME.get_or_init(|| all().iter().map(|setting| (setting.name, setting.place)).collect())
}

#[cfg(test)]
mod tests {
    use super::KnownSetting;

    #[test]
    fn types_defaults_and_names() {
        let setting = |name| KnownSetting::named(name).unwrap();
        let width = setting("display/window/size/viewport_width");
        assert_eq!((width.holds().to_string().as_str(), width.default), ("int", "1152"));
        let position = setting("display/window/size/initial_position_type").holds();
        let super::ValueType::Enum { values, .. } = position else { panic!("{position}") };
        assert_eq!(values[2], ("Center_of_Other_Screen".to_owned(), 3));
        assert_eq!(setting("display/window/stretch/mode").texts()[1], "canvas_items");
        assert!(
            setting("application/config/name").place < setting("application/run/main_scene").place
        );
        let near = KnownSetting::nearest("application/run/main_scen");
        assert_eq!(near, Some("application/run/main_scene"));
    }
}
