//! `FastVariant` in the dialects of other engines and of the documentation.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

use godot::builtin::{Array, GString, PackedByteArray, Variant};
use godot::global::godot_error;
use godot::register::godot_api;
use godot_variant_codec::{DecodeOptions, Dialect, EncodeOptions, detect_dialects};

use crate::decode_options::{CallOptions, dialect, encode_options};
use crate::engine::{self, Objects};
use crate::fast_variant::{FastVariant, decode_with};
use crate::options_argument::OptionsArgument;

#[godot_api(secondary)]
impl FastVariant {
    /// Encodes [param value] in [param dialect], one of the [code]DIALECT_*[/code] constants. Objects are encoded as their instance ids.
    ///
    /// [param options] can contain:
    /// - [code]lossy[/code] ([bool], default [code]false[/code]): write what comes closest to a value that the dialect does not have. Integer vectors become vectors, Vector4 a Quaternion, Projection and packed arrays that are newer become arrays of their numbers, StringName a String; typed containers lose their types, numbers are brought into the range; RIDs, Callables, Signals and, where there are no objects, objects become [code]null[/code].
    /// - [code]double_precision[/code] ([bool], default [code]false[/code]): write vectors as an engine built with double precision does.
    ///
    /// If the dialect cannot hold the value, logs an error that names the type and the path to it, and returns an empty array.
    ///
    /// ```gdscript
    /// var bytes := FastVariant.encode_as({"hp": 3}, FastVariant.DIALECT_GODOT_3) # for `bytes2var` of Godot 3
    /// ```
    #[func]
    fn encode_as(
        value: Variant,
        dialect: i64,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> PackedByteArray {
        encode(&value, dialect, &options).unwrap_or_else(|message| {
            godot_error!("FastVariant.encode_as: {message}");
            PackedByteArray::new()
        })
    }

    /// Decodes one value of [param dialect], one of the [code]DIALECT_*[/code] constants, from the start of [param bytes]. The options are those of [method try_decode] without [code]dialect[/code].
    ///
    /// If the bytes are not a valid value, logs an error with the reason and the place, and returns [code]null[/code]. To get them instead of having them logged, use [method try_decode] with the option [code]dialect[/code].
    ///
    /// [FileAccess] of Godot 4 cannot open files of [code]File.open_encrypted_with_pass()[/code] of Godot 3. This reads the values in one:
    ///
    /// ```gdscript
    /// func read_encrypted_of_godot_3(path: String, password: String) -> Array:
    ///     var bytes := FileAccess.get_file_as_bytes(path)
    ///     var size := bytes.decode_u64(24)
    ///     var aes := AESContext.new()
    ///     aes.start(AESContext.MODE_ECB_DECRYPT, password.md5_text().to_utf8_buffer())
    ///     var content := aes.update(bytes.slice(32)).slice(0, size)
    ///     var md5 := HashingContext.new()
    ///     md5.start(HashingContext.HASH_MD5)
    ///     md5.update(content)
    ///     if md5.finish() != bytes.slice(8, 24):
    ///         push_error("%s is damaged, or has another password" % path)
    ///         return []
    ///     var values := []
    ///     var at := 0
    ///     while at + 4 <= content.size(): # as store_var() wrote them: a length, then the value
    ///         var length := content.decode_u32(at)
    ///         values.append(FastVariant.decode_as(content.slice(at + 4, at + 4 + length), FastVariant.DIALECT_GODOT_3))
    ///         at += 4 + length
    ///     return values
    /// ```
    #[func]
    fn decode_as(
        bytes: PackedByteArray,
        dialect: i64,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Variant {
        decode(&bytes, dialect, &options).unwrap_or_else(|message| {
            godot_error!("FastVariant.decode_as: {message}");
            Variant::nil()
        })
    }

    /// Returns the dialects in which [param bytes] are exactly one value, from the first byte to the last, as [code]DIALECT_*[/code] constants. Many values are the same in several dialects.
    #[func]
    fn detect_dialect(bytes: PackedByteArray) -> Array<i64> {
        detect_dialects(bytes.as_slice(), DecodeOptions::default())
            .map(|found| {
                let mut names = Dialect::ALL.into_iter().map(Dialect::name);
                names.position(|name| name == found.name()).expect("it is one of all") as i64
            })
            .collect()
    }

    /// Returns the name of a dialect, e.g. [code]GODOT_3[/code], or an empty string if no dialect has that number.
    #[func]
    fn dialect_name(dialect: i64) -> GString {
        crate::decode_options::dialect(dialect)
            .map(|dialect| dialect.name().into())
            .unwrap_or_default()
    }

    /// Godot 4.4 and later: what [method encode] writes.
    #[constant]
    const DIALECT_GODOT_4: i64 = 0;

    /// Godot 4.3: no typed dictionaries.
    #[constant]
    const DIALECT_GODOT_4_3: i64 = 1;

    /// Godot 4.0 to 4.2: nothing is typed, and there is no [PackedVector4Array].
    #[constant]
    const DIALECT_GODOT_4_0: i64 = 2;

    /// Godot 3: [code]var2bytes[/code] and [code]bytes2var[/code].
    #[constant]
    const DIALECT_GODOT_3: i64 = 3;

    /// Godot 2.1.
    #[constant]
    const DIALECT_GODOT_2: i64 = 4;

    /// What the documentation of Godot 3 says, and no engine does: integers always have 64 bits, floats always 32.
    #[constant]
    const DIALECT_DOCS_3_0: i64 = 5;

    /// What the documentation of Godot 4.2 says, and no engine does.
    #[constant]
    const DIALECT_DOCS_4_2: i64 = 6;
}

fn encode(
    value: &Variant,
    number: i64,
    options: &OptionsArgument,
) -> Result<PackedByteArray, String> {
    let dialect = dialect(number)?;
    let options = encode_options(&options.0)?;
    let encoded = if number == FastVariant::DIALECT_GODOT_4 && options == EncodeOptions::default() {
        engine::encode(value, Objects::AsIds)
    } else {
        engine::encode_as(value, Objects::AsIds, dialect, options)
    };
    encoded.map_err(|refusal| refusal.to_string())
}

fn decode(
    bytes: &PackedByteArray,
    number: i64,
    options: &OptionsArgument,
) -> Result<Variant, String> {
    let dialect = dialect(number)?;
    let options = CallOptions::parse_whole(&options.0)?;
    if !options.dialect.is_native() && options.dialect.name() != dialect.name() {
        let (argument, option) = (dialect.name(), options.dialect.name());
        return Err(format!(
            "the argument names the dialect {argument}, but the option names {option}"
        ));
    }
    let options = CallOptions { dialect, ..options };
    let start = options.start(bytes)?;
    decode_with(bytes, start, &options).map(|(value, _)| value).map_err(|error| error.to_string())
}
