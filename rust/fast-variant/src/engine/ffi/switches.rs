//! The parts that users switch off: for tests, and as a way out for an engine with an unexpected
//! layout.

use godot::meta::ToGodot;

use crate::by_name;

/// The environment variable that forces the portable paths.
const PORTABLE_VARIABLE: &str = "FAST_VARIANT_PORTABLE";

/// The project setting that forces the portable paths.
const PORTABLE_SETTING: &str = "fast_variant/engine_memory/force_portable";

/// Whether to use only the functions of the engine's interface.
pub(crate) fn portable_is_forced() -> bool {
    is_set(PORTABLE_VARIABLE, PORTABLE_SETTING)
}

/// The environment variable that keeps the library from writing to the engine's private memory.
const NO_TABLE_SIZES_VARIABLE: &str = "FAST_VARIANT_NO_TABLE_SIZES";

/// The project setting that does.
const NO_TABLE_SIZES_SETTING: &str = "fast_variant/engine_memory/no_table_sizes";

/// Whether the size of a dictionary's table is left to the engine. It is a private field, and the
/// only one that the library writes to: everything else is read there, or is content of a value.
pub(crate) fn table_sizes_are_off() -> bool {
    is_set(NO_TABLE_SIZES_VARIABLE, NO_TABLE_SIZES_SETTING)
}

/// Whether the environment variable is not empty, or the project setting true.
fn is_set(variable: &str, setting: &str) -> bool {
    let by_environment = std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    by_environment || by_name::project_setting(setting, &false.to_variant()).booleanize()
}
