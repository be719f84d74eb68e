//! What users switch off: for tests, and as a way out for an engine that is not what it looks like.

use godot::classes::ProjectSettings;
use godot::meta::ToGodot;
use godot::obj::Singleton;

/// The environment variable that forces the portable paths.
const PORTABLE_VARIABLE: &str = "FAST_VARIANT_PORTABLE";

/// The project setting that forces the portable paths.
const PORTABLE_SETTING: &str = "fast_variant/engine_memory/force_portable";

/// Whether only the functions of the engine's interface are to be used.
pub(crate) fn portable_is_forced() -> bool {
    is_set(PORTABLE_VARIABLE, PORTABLE_SETTING)
}

/// Whether the environment variable is not empty, or the project setting true.
fn is_set(variable: &str, setting: &str) -> bool {
    let by_environment = std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    by_environment
        || ProjectSettings::singleton()
            .get_setting_ex(setting)
            .default_value(&false.to_variant())
            .done()
            .booleanize()
}
