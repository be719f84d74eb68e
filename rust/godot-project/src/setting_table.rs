//! The table of the settings that Godot knows. `scripts/data/class_db.sh` asks Godot 4.6.3 for them.

use godot_tscn::GodotVersion;

/// The version with these settings.
pub(crate) const VERSION: GodotVersion = GodotVersion::godot4(6);

/// A setting in each line: its name, its type, the names of its values, and its default, with tabs between them.
pub(crate) const TABLE: &str = include_str!("../data/settings.txt");

/// The names of all settings.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.lines().filter_map(|line| line.split('\t').next())
}
