//! Properties whose setters in Godot do more than keep a value, which a text cannot know; measured by this very test.

use crate::values::PropertyInfo;

/// Class, property, and what its setter does.
const SETTERS: &[(&str, &str)] = &[];

/// Whether operations leave a property out.
pub fn is_left_out(property: &PropertyInfo) -> bool {
    let class = property.class.as_deref().unwrap_or_default();
    SETTERS.contains(&(class, property.name.as_str()))
}
