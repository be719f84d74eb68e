//! `FastVariant.save_file` and `load_file`: one value in a file that is there as a whole or not at all.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use engine_kernels::whole_file;
use godot::builtin::{AnyDictionary, GString, PackedByteArray, VarDictionary, Variant};
use godot::classes::FileAccess;
use godot::classes::file_access::{CompressionMode, ModeFlags};
use godot::global::Error;
use godot::obj::Gd;
use godot_variant_codec::saved::{Compression, HEADER_LEN, Header, SavedError};
use godot_variant_codec::{DecodeError, Limits};

use crate::by_name::{globalize_path, path_of_uid};
use crate::decode_options::{CallOptions, typed, unknown};
use crate::engine::{self, Objects};
use crate::fast_variant::decode_with;
use crate::fast_variant_result::FastVariantResult;
use crate::salvage;
use crate::wrong_file::{Reader, explained};

/// What the name of the file before ends with.
const BACKUP: &str = ".bak";
/// What a value may take that was compressed, unless the caller says: a few bytes of a file can stand for very many.
const MAX_UNPACKED_LEN: usize = 1 << 30;
const SAVE_OPTIONS: &str = "`allow_objects`, `backup` and `compress`";

/// Why a file is not saved, or not loaded.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("the path is empty")]
    NoPath,
    #[error("{0}")]
    InvalidOption(String),
    #[error("{message}")]
    NoBytes { code: &'static str, message: String },
    #[error("`{path}` cannot be written: {reason}")]
    NotWritable { path: String, reason: String },
    #[error("file `{path}` not found")]
    NotFound { path: String },
    #[error("`{path}` cannot be read: {reason:?}")]
    NotReadable { path: String, reason: Error },
    #[error("`{path}`: {error}")]
    NotWhole { path: String, error: SavedError },
    #[error("`{path}`: {message}")]
    NotSaved { path: String, message: String },
    #[error("`{path}`: {error}")]
    NoValue { path: String, error: DecodeError },
}

/// Saves a value in the file at `path`.
pub(crate) fn save(path: &str, value: &Variant, options: &AnyDictionary) -> Gd<FastVariantResult> {
    match try_save(path, value, options) {
        Ok(len) => FastVariantResult::decoded(Variant::nil(), len),
        Err(failure) => failure.to_result(),
    }
}

/// Loads the value of the file at `path`; if it cannot be, and the options say so, that of its backup.
pub(crate) fn load(path: &str, options: &AnyDictionary) -> Gd<FastVariantResult> {
    let options = match LoadOptions::parse(options) {
        Ok(options) => options,
        Err(message) => return Failure::InvalidOption(message).to_result(),
    };
    let Some(path) = known_path(path) else {
        return Failure::NotFound { path: path.to_owned() }.to_result();
    };
    let path = &*path;
    let failure = match try_load(path, &options.decode) {
        Ok((value, len)) => return FastVariantResult::decoded(value, len),
        Err(failure) => failure,
    };
    let backup = format!("{path}{BACKUP}");
    let result = |message: &str| failure.with_parts(message, path, &options.decode);
    if path.is_empty() || !FileAccess::file_exists(&GString::from(&backup)) {
        return result(&failure.to_string());
    }
    if !options.backup {
        let hint =
            format!("{failure}; `{backup}` is the previous file; load it with the option `backup`");
        return result(&hint);
    }
    match try_load(&backup, &options.decode) {
        Ok((value, len)) => FastVariantResult::from_backup(value, len, &failure.to_string()),
        Err(of_backup) => result(&format!("{failure}; and {of_backup}")),
    }
}

/// Writes text to the file at `path`, as a whole or not at all.
///
/// # Errors
/// Why it cannot be written.
pub(crate) fn write_text(path: &str, text: &str) -> Result<(), String> {
    write(path, &[text.as_bytes()], false).map_err(|failure| failure.to_string())
}

/// What a call to `save_file` asks for.
#[derive(Default)]
struct SaveOptions {
    allow_objects: bool,
    backup: bool,
    compress: bool,
}

impl SaveOptions {
    fn parse(dictionary: &AnyDictionary) -> Result<SaveOptions, String> {
        let mut options = SaveOptions::default();
        for (key, value) in dictionary.iter_shared() {
            let option = match key.stringify().to_string().as_str() {
                "allow_objects" => &mut options.allow_objects,
                "backup" => &mut options.backup,
                "compress" => &mut options.compress,
                _ => return Err(unknown(&key, SAVE_OPTIONS)),
            };
            *option = typed(&key, &value, "bool")?;
        }
        Ok(options)
    }
}

/// What a call to `load_file` asks for.
struct LoadOptions {
    decode: CallOptions,
    backup: bool,
}

impl LoadOptions {
    fn parse(dictionary: &AnyDictionary) -> Result<LoadOptions, String> {
        let (mut rest, mut backup) = (VarDictionary::new(), false);
        for (key, value) in dictionary.iter_shared() {
            match key.stringify().to_string().as_str() {
                "backup" => backup = typed(&key, &value, "bool")?,
                name @ ("offset" | "dialect" | "double_precision" | "lossy") => {
                    return Err(format!("the option `{name}` does not work with saved files"));
                }
                _ => rest.set(&key, &value),
            }
        }
        Ok(LoadOptions { decode: CallOptions::parse(&rest)?, backup })
    }
}

/// The bytes of the file.
fn try_save(path: &str, value: &Variant, options: &AnyDictionary) -> Result<usize, Failure> {
    let options = SaveOptions::parse(options).map_err(Failure::InvalidOption)?;
    let objects = if options.allow_objects { Objects::Full } else { Objects::AsIds };
    let encoded = engine::encode(value, objects).map_err(|refusal| Failure::NoBytes {
        code: refusal.kind().code(),
        message: refusal.to_string(),
    })?;
    let (compression, content) = packed(&encoded, options.compress);
    let content = content.as_ref().unwrap_or(&encoded).as_slice();
    let header = Header::of(compression, content, encoded.len()).to_bytes();
    write(path, &[&header, content], options.backup)?;
    Ok(HEADER_LEN + content.len())
}

/// The bytes made shorter, if that is asked for and helps.
fn packed(encoded: &PackedByteArray, compress: bool) -> (Compression, Option<PackedByteArray>) {
    let packed = compress.then(|| encoded.compress(CompressionMode::ZSTD).ok()).flatten();
    match packed.filter(|packed| packed.len() < encoded.len()) {
        Some(packed) => (Compression::Zstd, Some(packed)),
        None => (Compression::None, None),
    }
}

fn write(path: &str, parts: &[&[u8]], backup: bool) -> Result<(), Failure> {
    let place = place(path)?;
    let before = backup.then(|| {
        let mut name = place.clone().into_os_string();
        name.push(BACKUP);
        PathBuf::from(name)
    });
    whole_file::write(&place, parts, before.as_deref()).map_err(|error| {
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
        let reason = match folder.is_none_or(Path::is_dir) {
            true => error.to_string(),
            false => "folder not found; create it with DirAccess.make_dir_recursive_absolute()"
                .to_owned(),
        };
        Failure::NotWritable { path: path.to_owned(), reason }
    })
}

/// Where a file is on this machine.
fn place(path: &str) -> Result<PathBuf, Failure> {
    if path.is_empty() {
        return Err(Failure::NoPath);
    }
    let Some(path) = known_path(path) else {
        let reason = "no file of the project has this uid".to_owned();
        return Err(Failure::NotWritable { path: path.to_owned(), reason });
    };
    Ok(PathBuf::from(globalize_path(&path)))
}

/// The path that a uid leads to, or the path itself; none for an unknown uid, for which the engine would log an error.
fn known_path(path: &str) -> Option<Cow<'_, str>> {
    match path.starts_with("uid://") {
        true => path_of_uid(path).map(Cow::Owned),
        false => Some(Cow::Borrowed(path)),
    }
}

/// The value, and the bytes of the file.
fn try_load(path: &str, options: &CallOptions) -> Result<(Variant, usize), Failure> {
    let not_whole = |error| Failure::NotWhole { path: path.to_owned(), error };
    let (header, content) = read(path, options)?;
    let len = HEADER_LEN + content.len();
    let encoded = match header.compression {
        Compression::None => content,
        Compression::Zstd => unpacked(&content, header.value_len).map_err(not_whole)?,
    };
    match decode_with(&encoded, 0, options) {
        Ok((value, end)) if end == encoded.len() => Ok((value, len)),
        Ok(_) => Err(not_whole(SavedError::Damaged("bytes after the value"))),
        Err(error) => Err(Failure::NoValue { path: path.to_owned(), error }),
    }
}

/// The content of the file, just as it was written. Memory is taken for what is there only.
fn read(path: &str, options: &CallOptions) -> Result<(Header, PackedByteArray), Failure> {
    if path.is_empty() {
        return Err(Failure::NoPath);
    }
    let Some(mut file) = FileAccess::open(&GString::from(path), ModeFlags::READ) else {
        let path = path.to_owned();
        return Err(match FileAccess::get_open_error() {
            Error::ERR_FILE_NOT_FOUND => Failure::NotFound { path },
            reason => Failure::NotReadable { path, reason },
        });
    };
    let not_whole = |error| Failure::NotWhole { path: path.to_owned(), error };
    let start = file.get_buffer(HEADER_LEN as i64);
    let max_len = max_len(start.as_slice(), options);
    let header = Header::parse(start.as_slice(), max_len).map_err(|error| match error {
        SavedError::NotSaved => {
            let len = file.get_length() as usize;
            let message = explained(error.to_string(), start.as_slice(), len, Reader::SavedFile);
            Failure::NotSaved { path: path.to_owned(), message }
        }
        error => not_whole(error),
    })?;
    let (needed, available) = (HEADER_LEN + header.content_len, file.get_length());
    if available < needed as u64 {
        let available = available as usize;
        return Err(not_whole(SavedError::UnexpectedEnd { needed, available }));
    }
    // One more, to see whether there is more.
    let content = file.get_buffer(header.content_len as i64 + 1);
    header.check(content.as_slice()).map_err(not_whole)?;
    Ok((header, content))
}

/// The bytes that the file can declare; `header` is its start. Uncompressed bytes must be in the file, too.
fn max_len(header: &[u8], options: &CallOptions) -> usize {
    let is_packed = header.get(8..12).is_none_or(|name| name != Compression::None.name());
    match options.decode.limits.max_bytes {
        len if len == Limits::ENGINE.max_bytes && is_packed => MAX_UNPACKED_LEN,
        len => len,
    }
}

fn unpacked(content: &PackedByteArray, len: usize) -> Result<PackedByteArray, SavedError> {
    // The engine would log an error.
    let is_there = len > 0 && !content.is_empty();
    let unpacked = is_there.then(|| content.decompress(len, CompressionMode::ZSTD).ok()).flatten();
    unpacked
        .filter(|unpacked| unpacked.len() == len)
        .ok_or(SavedError::Damaged("it cannot be decompressed"))
}

/// The part of a damaged file behind the header that can be unpacked.
fn damaged_content(path: &str, options: &CallOptions) -> Option<PackedByteArray> {
    let mut file = FileAccess::open(&GString::from(path), ModeFlags::READ)?;
    let start = file.get_buffer(HEADER_LEN as i64);
    let max_len = max_len(start.as_slice(), options);
    let header = Header::parse(start.as_slice(), max_len);
    let there = usize::try_from(file.get_length()).ok()?.checked_sub(HEADER_LEN)?;
    let content = file.get_buffer(there.min(max_len) as i64);
    match header {
        Ok(Header { compression: Compression::Zstd, value_len, content_len, .. }) => {
            let content = content.subarray(..content_len.min(content.len()));
            unpacked(&content, value_len).ok()
        }
        Ok(_) | Err(SavedError::Damaged(_) | SavedError::TooManyBytes { .. }) => Some(content),
        Err(_) => None,
    }
}

impl Failure {
    /// The result that says this, with what is whole in the file if the options ask for it.
    fn with_parts(
        &self,
        message: &str,
        path: &str,
        options: &CallOptions,
    ) -> Gd<FastVariantResult> {
        let result = self.to_result_saying(message);
        let is_damaged = matches!(self, Failure::NotWhole { .. } | Failure::NoValue { .. });
        let is_asked = options.salvage && is_damaged;
        match is_asked.then(|| damaged_content(path, options)).flatten() {
            Some(content) => salvage::with_parts(result, &content, 0, options),
            None => result,
        }
    }

    fn to_result(&self) -> Gd<FastVariantResult> {
        self.to_result_saying(&self.to_string())
    }

    fn to_result_saying(&self, message: &str) -> Gd<FastVariantResult> {
        let code = match self {
            Failure::NoPath => "invalid_argument",
            Failure::InvalidOption(_) => "invalid_option",
            Failure::NoBytes { code, .. } => code,
            Failure::NotWritable { .. } => "file_not_writable",
            Failure::NotFound { .. } => "file_not_found",
            Failure::NotReadable { .. } => "file_not_readable",
            Failure::NotWhole { error, .. } => error.code(),
            Failure::NotSaved { .. } => SavedError::NotSaved.code(),
            Failure::NoValue { error, .. } => {
                return FastVariantResult::failed_saying(error, message);
            }
        };
        FastVariantResult::misuse(code, message, 0)
    }
}
