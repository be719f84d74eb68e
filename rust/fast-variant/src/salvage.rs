//! The option `salvage`: the whole parts of damaged bytes.

use godot::builtin::{Array, GString, PackedByteArray, VarDictionary, Variant};
use godot::obj::Gd;
use godot_variant_codec::salvage::{Salvaged, salvage};
use godot_variant_codec::{DecodeError, encode};

use crate::decode_options::CallOptions;
use crate::fast_variant::decode_with;
use crate::fast_variant_result::FastVariantResult;

/// `failure`, with the whole parts of the value at `start` and all that is wrong with the others.
pub(crate) fn with_parts(
    mut failure: Gd<FastVariantResult>,
    bytes: &PackedByteArray,
    start: usize,
    options: &CallOptions,
) -> Gd<FastVariantResult> {
    let (value, issues) = parts(bytes, start, options);
    failure.bind_mut().set_salvaged(value, issues);
    failure
}

/// The whole parts, if the engine may make them, and the issues with the others.
fn parts(
    bytes: &PackedByteArray,
    start: usize,
    options: &CallOptions,
) -> (Variant, Array<VarDictionary>) {
    let salvaged = salvage(bytes.as_slice(), start, options.decode);
    match made(&salvaged, options) {
        Ok(value) => (value, listed(&salvaged, None)),
        // An object of a class that is not listed: without all objects, the rest is there.
        Err(_) if options.decode.allow_objects => {
            let mut options = options.clone();
            options.decode.allow_objects = false;
            parts(bytes, start, &options)
        }
        Err(refused) => (Variant::nil(), listed(&salvaged, Some(&refused))),
    }
}

/// The engine's value, by the one way that looks at objects, keys and names before.
fn made(salvaged: &Salvaged, options: &CallOptions) -> Result<Variant, DecodeError> {
    let Some(value) = &salvaged.value else { return Ok(Variant::nil()) };
    // A value that was read from bytes is never too long for them.
    let whole = encode(value).unwrap_or_default();
    decode_with(&whole.into(), 0, options).map(|(value, _)| value)
}

fn listed(salvaged: &Salvaged, refused: Option<&DecodeError>) -> Array<VarDictionary> {
    let mut issues: Array<VarDictionary> =
        refused.into_iter().chain(&salvaged.issues).map(issue).collect();
    if salvaged.more_issues > 0 {
        let message = format!("{} more issues are not listed", salvaged.more_issues);
        issues.push(&entry(0, "", "lost_elements", &message));
    }
    issues
}

fn issue(error: &DecodeError) -> VarDictionary {
    let kind = error.kind();
    entry(error.offset(), &error.path().to_string(), kind.code(), &kind.to_string())
}

fn entry(offset: usize, path: &str, error: &str, message: &str) -> VarDictionary {
    let mut entry = VarDictionary::new();
    entry.set("offset", offset as i64);
    entry.set("path", &GString::from(path));
    entry.set("error", &GString::from(error));
    entry.set("message", &GString::from(message));
    entry
}
