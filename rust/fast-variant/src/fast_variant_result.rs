//! `FastVariantResult`: what a call to `try_decode` or `decode_at` gives.
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use godot::builtin::{GString, Variant};
use godot::obj::Gd;
use godot::register::GodotClass;
use godot_variant_codec::DecodeError;
use godot_variant_codec::framing::FrameError;

/// What a method of [FastVariant] or [VariantStream] found that does not log errors, such as [method FastVariant.try_decode].
///
/// Either [member ok] is true and [member value] holds the value, if there is one, or [member error], [member message], [member offset] and [member path] say why there is none.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct FastVariantResult {
    /// Whether a value was decoded, or saved.
    #[var(no_set)]
    ok: bool,
    /// The value, or [code]null[/code].
    #[var(no_set)]
    value: Variant,
    /// The number of bytes that the value takes, for [method FastVariant.save_file] and [method FastVariant.load_file] those of the file; 0 if there is none.
    #[var(no_set)]
    bytes_read: i64,
    /// What is wrong in one word that stays the same in later versions, e.g. [code]unexpected_end[/code], or an empty string. The file [code]rust/docs/errors.md[/code] lists all of them.
    #[var(no_set)]
    error: GString,
    /// What is wrong in a sentence, or an empty string. With [member is_backup], what is wrong with the file itself.
    #[var(no_set)]
    message: GString,
    /// The number of the byte, counted from the first one given, at which the part starts that is wrong.
    #[var(no_set)]
    offset: i64,
    /// The inner value that is wrong, e.g. [code][3]["pos"][/code], or an empty string if it is the outermost one.
    #[var(no_set)]
    path: GString,
    /// Whether [method FastVariant.load_file] has loaded the backup, because the file itself could not be.
    #[var(no_set)]
    is_backup: bool,
}

impl FastVariantResult {
    /// A value that takes `bytes_read` bytes.
    pub(crate) fn decoded(value: Variant, bytes_read: usize) -> Gd<FastVariantResult> {
        Gd::from_object(FastVariantResult {
            ok: true,
            value,
            bytes_read: bytes_read as i64,
            error: GString::new(),
            message: GString::new(),
            offset: 0,
            path: GString::new(),
            is_backup: false,
        })
    }

    /// The value of a backup of `len` bytes, and why the file itself was not taken.
    pub(crate) fn from_backup(value: Variant, len: usize, why: &str) -> Gd<FastVariantResult> {
        let mut result = FastVariantResult::decoded(value, len);
        {
            let mut result = result.bind_mut();
            result.is_backup = true;
            result.message = why.into();
        }
        result
    }

    /// Bytes that are not a valid value.
    pub(crate) fn failed(error: &DecodeError) -> Gd<FastVariantResult> {
        FastVariantResult::failed_saying(error, &error.to_string())
    }

    /// The same in other words.
    pub(crate) fn failed_saying(error: &DecodeError, message: &str) -> Gd<FastVariantResult> {
        FastVariantResult::failure(
            error.kind().code(),
            message,
            error.offset() as i64,
            &error.path().to_string(),
        )
    }

    /// A value in a stream that cannot be read; offset and path are those inside the value.
    pub(crate) fn failed_frame(error: &FrameError) -> Gd<FastVariantResult> {
        let (offset, path) = match error {
            FrameError::NoValue { error, .. } => (error.offset() as i64, error.path().to_string()),
            _ => (0, String::new()),
        };
        FastVariantResult::failure(error.code(), &error.to_string(), offset, &path)
    }

    /// A call that cannot be served.
    pub(crate) fn misuse(code: &str, message: &str, offset: i64) -> Gd<FastVariantResult> {
        FastVariantResult::failure(code, message, offset, "")
    }

    fn failure(code: &str, message: &str, offset: i64, path: &str) -> Gd<FastVariantResult> {
        Gd::from_object(FastVariantResult {
            ok: false,
            value: Variant::nil(),
            bytes_read: 0,
            error: code.into(),
            message: message.into(),
            offset,
            path: path.into(),
            is_backup: false,
        })
    }
}
