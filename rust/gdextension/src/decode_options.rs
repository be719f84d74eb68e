//! The options of one call, as GDScript gives them.

use godot::builtin::{VarDictionary, Variant};
use godot::meta::FromGodot;
use variant_codec::DecodeOptions;

/// What a call to `FastVariant.try_decode` asks for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CallOptions {
    pub(crate) decode: DecodeOptions,
    /// Where the value starts; any number that a script may give.
    pub(crate) offset: i64,
}

impl CallOptions {
    /// Reads the options.
    ///
    /// # Errors
    /// What is wrong with the first key that is unknown or holds the wrong type.
    pub(crate) fn parse(dictionary: &VarDictionary) -> Result<CallOptions, String> {
        let mut options = CallOptions::default();
        for (key, value) in dictionary.iter_shared() {
            match key.stringify().to_string().as_str() {
                "allow_objects" => options.decode.allow_objects = typed(&key, &value, "bool")?,
                "offset" => options.offset = typed(&key, &value, "int")?,
                _ => {
                    return Err(format!(
                        "there is no option `{key}`; the options are `allow_objects` and `offset`"
                    ));
                }
            }
        }
        Ok(options)
    }
}

fn typed<T: FromGodot>(key: &Variant, value: &Variant, expected: &str) -> Result<T, String> {
    let found = value.get_type();
    value.try_to().map_err(|_| format!("the option `{key}` is a {found:?}, expected {expected}"))
}
