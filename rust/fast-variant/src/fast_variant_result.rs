//! `FastVariantResult`: the result of `try_decode` or `decode_at`.
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use godot::builtin::{Array, GString, VarDictionary, Variant};
use godot::obj::Gd;
use godot::register::GodotClass;
use godot_variant::{Refusal, RefusalKind};
use godot_variant_codec::DecodeError;
use godot_variant_codec::framing::FrameError;

/// The result of a method of [FastVariant] or [VariantStream] that does not log errors, such as [method FastVariant.try_decode].
///
/// If [member ok] is [code]true[/code], [member value] contains the value. Otherwise [member error], [member message], [member offset] and [member path] give the reason, and the value is [code]null[/code]. With the option [code]salvage[/code], the value then holds the whole parts.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct FastVariantResult {
    /// Whether a value was decoded, or saved.
    #[var(no_set)]
    ok: bool,
    /// The value, or [code]null[/code]. With the option [code]salvage[/code], the whole parts of a damaged value.
    #[var(no_set)]
    value: Variant,
    /// The number of bytes that the value takes, for [method FastVariant.save_file] and [method FastVariant.load_file] those of the file; 0 if there is no value.
    #[var(no_set)]
    bytes_read: i64,
    /// The error in one word that stays the same in later versions, e.g. [code]unexpected_end[/code], or an empty string. The file [code]rust/docs/errors.md[/code] lists all of them.
    #[var(no_set)]
    error: GString,
    /// The error in a sentence, or an empty string. With [member is_backup], the error of the file itself.
    #[var(no_set)]
    message: GString,
    /// The offset of the byte at which the wrong part starts, counted from the first byte that was passed.
    #[var(no_set)]
    offset: i64,
    /// The wrong inner value, e.g. [code][3]["pos"][/code], or an empty string if it is the outermost one.
    #[var(no_set)]
    path: GString,
    /// Whether [method FastVariant.load_file] has loaded the backup, because the file itself could not be loaded.
    #[var(no_set)]
    is_backup: bool,
    /// The damaged parts, with the option [code]salvage[/code]. Each is a dictionary of [code]offset[/code], [code]path[/code], [code]error[/code] and [code]message[/code], like the properties of these names. Paths count the left-out elements, too. The list has at most 1000 issues, and then one that counts the others. Without the option, it is empty.
    #[var(no_set)]
    issues: Array<VarDictionary>,
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
            issues: Array::new(),
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

    /// A value that does not fit, or bytes that are not those of one.
    pub(crate) fn refused(refusal: Refusal) -> Gd<FastVariantResult> {
        let (kind, path) = refusal.into_parts();
        let offset = match kind {
            RefusalKind::InvalidBytes { offset, .. } => offset as i64,
            _ => 0,
        };
        FastVariantResult::failure(kind.code(), &kind.to_string(), offset, &path.to_string())
    }

    /// A call that cannot be served.
    pub(crate) fn misuse(code: &str, message: &str, offset: i64) -> Gd<FastVariantResult> {
        FastVariantResult::failure(code, message, offset, "")
    }

    /// Adds the whole parts, and the issues with the others.
    pub(crate) fn set_salvaged(&mut self, value: Variant, issues: Array<VarDictionary>) {
        (self.value, self.issues) = (value, issues);
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
            issues: Array::new(),
        })
    }
}
