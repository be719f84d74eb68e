//! The options of one call, as GDScript gives them.

use godot::builtin::{
    AnyArray, AnyDictionary, GString, PackedByteArray, PackedStringArray, Variant, VariantType,
};
use godot::meta::FromGodot;
use godot_variant_codec::{
    AllowedObjects, DecodeError, DecodeOptions, Dialect, EncodeOptions, Limits, check_collisions,
};

/// The options of `FastVariant.try_decode` and `decode_as`.
const DECODE_OPTIONS: &str = "`allow_objects`, `classes`, `scripts`, `offset`, `strict`, `max_bytes`, `max_depth`, \
     `max_elements`, `max_string`, `max_collisions`, `dialect`, `double_precision`, `lossy` and `salvage`";

/// What a call to `FastVariant.try_decode` asks for.
#[derive(Clone, Debug)]
pub(crate) struct CallOptions {
    pub(crate) decode: DecodeOptions,
    pub(crate) dialect: &'static Dialect,
    /// Where the value starts; any number that a script may give.
    pub(crate) offset: i64,
    pub(crate) classes: Vec<String>,
    pub(crate) scripts: Vec<String>,
    /// Give what is whole in damaged bytes.
    pub(crate) salvage: bool,
}

impl Default for CallOptions {
    fn default() -> Self {
        CallOptions {
            decode: DecodeOptions::default(),
            dialect: &Dialect::GODOT_4,
            offset: 0,
            classes: Vec::new(),
            scripts: Vec::new(),
            salvage: false,
        }
    }
}

impl CallOptions {
    /// Reads the options.
    ///
    /// # Errors
    /// What is wrong with the first key that is unknown or holds the wrong type.
    pub(crate) fn parse(dictionary: &AnyDictionary) -> Result<CallOptions, String> {
        let mut options = CallOptions::default();
        let decode = &mut options.decode;
        // Single limits go before the preset, wherever they stand.
        // By going through, because a typed dictionary logs an error when it is asked for a key of
        // another type.
        for (key, value) in dictionary.iter_shared() {
            if key.stringify() == "strict" && typed(&key, &value, "bool")? {
                decode.limits = Limits::STRICT;
            }
        }
        for (key, value) in dictionary.iter_shared() {
            match key.stringify().to_string().as_str() {
                "strict" => {}
                "allow_objects" => decode.allow_objects = typed(&key, &value, "bool")?,
                "classes" => options.classes = names(&key, &value)?,
                "scripts" => options.scripts = names(&key, &value)?,
                "offset" => options.offset = typed(&key, &value, "int")?,
                "max_bytes" => decode.limits.max_bytes = limit(&key, &value)?,
                "max_depth" => decode.limits.max_depth = limit(&key, &value)?,
                "max_elements" => decode.limits.max_elements = limit(&key, &value)?,
                "max_string" => decode.limits.max_string = limit(&key, &value)?,
                "max_collisions" => decode.limits.max_collisions = limit(&key, &value)?,
                "dialect" => options.dialect = dialect(typed(&key, &value, "int")?)?,
                "double_precision" => decode.double_precision = typed(&key, &value, "bool")?,
                "lossy" => decode.lossy = typed(&key, &value, "bool")?,
                "salvage" => options.salvage = typed(&key, &value, "bool")?,
                _ => {
                    return Err(unknown(&key, DECODE_OPTIONS));
                }
            }
        }
        if options.salvage && !options.dialect.is_native() {
            return Err("the option `salvage` works only with the Godot 4 format".to_owned());
        }
        Ok(options)
    }

    /// As [`CallOptions::parse`], for a call that gives all of a value or nothing.
    ///
    /// # Errors
    /// As [`CallOptions::parse`], and the option `salvage`.
    pub(crate) fn parse_whole(dictionary: &AnyDictionary) -> Result<CallOptions, String> {
        let options = CallOptions::parse(dictionary)?;
        match options.salvage {
            true => {
                Err("the option `salvage` works only with try_decode() and load_file()".to_owned())
            }
            false => Ok(options),
        }
    }

    /// Where the value starts.
    ///
    /// # Errors
    /// The offset is outside the bytes.
    pub(crate) fn start(&self, bytes: &PackedByteArray) -> Result<usize, String> {
        let len = bytes.len();
        let start = usize::try_from(self.offset).ok().filter(|&start| start <= len);
        start.ok_or_else(|| format!("offset {} is outside the {len} bytes", self.offset))
    }

    /// Whether the packet of a call can be decoded with these: limits.
    ///
    /// # Errors
    /// The first option that is not for calls.
    pub(crate) fn check_for_call(&self) -> Result<(), String> {
        let unfit = if self.offset == 0 { self.unfit_for_limits() } else { Some("offset") };
        let refused =
            |unfit| format!("the option `{unfit}` does not work with calls; they take only limits");
        unfit.map_or(Ok(()), |unfit| Err(refused(unfit)))
    }

    /// Whether a view can be made with these.
    ///
    /// # Errors
    /// The first option that is not for views.
    pub(crate) fn check_for_view(&self) -> Result<(), String> {
        match self.unfit_for_limits() {
            Some(unfit) => {
                Err(format!("the option `{unfit}` does not work with views; use try_decode()"))
            }
            None => Ok(()),
        }
    }

    /// The first option that is neither a limit nor an offset.
    fn unfit_for_limits(&self) -> Option<&'static str> {
        let decode = &self.decode;
        if decode.allow_objects || !self.classes.is_empty() || !self.scripts.is_empty() {
            Some("allow_objects")
        } else if !self.dialect.is_native() {
            Some("dialect")
        } else if decode.double_precision || decode.lossy {
            Some("double_precision` or `lossy")
        } else {
            None
        }
    }

    /// Looks at what the value at `start` would make the engine do, before any of it is made: at every
    /// object, and at keys and names.
    pub(crate) fn check(&self, bytes: &PackedByteArray, start: usize) -> Result<(), DecodeError> {
        check_collisions(bytes.as_slice(), start, self.dialect, self.decode)?;
        if !self.decode.allow_objects {
            return Ok(());
        }
        let classes = self.classes.iter().map(String::as_str);
        let allowed = AllowedObjects::new(classes, self.scripts.iter().map(String::as_str));
        allowed.check(bytes.as_slice(), start, self.dialect, self.decode)
    }
}

/// Reads the options of `FastVariant.encode_as`.
///
/// # Errors
/// What is wrong with the first key that is unknown or holds the wrong type.
pub(crate) fn encode_options(dictionary: &AnyDictionary) -> Result<EncodeOptions, String> {
    let mut options = EncodeOptions::default();
    for (key, value) in dictionary.iter_shared() {
        match key.stringify().to_string().as_str() {
            "lossy" => options.lossy = typed(&key, &value, "bool")?,
            "double_precision" => options.double_precision = typed(&key, &value, "bool")?,
            _ => {
                return Err(unknown(&key, "`lossy` and `double_precision`"));
            }
        }
    }
    Ok(options)
}

/// The dialect of a constant of `FastVariant`.
///
/// # Errors
/// No dialect has this number.
pub(crate) fn dialect(number: i64) -> Result<&'static Dialect, String> {
    let found = usize::try_from(number).ok().and_then(|index| Dialect::ALL.get(index).copied());
    found.ok_or_else(|| {
        format!("unknown dialect {number}; use a constant such as FastVariant.DIALECT_GODOT_3")
    })
}

/// A key may be anything, but the message is one short line.
pub(crate) fn unknown(key: &Variant, known: &str) -> String {
    const SHOWN: usize = 64;
    let name: String = key.stringify().to_string().chars().take(SHOWN).collect();
    format!("unknown option `{}`; the options are {known}", name.escape_debug())
}

/// The name that GDScript has for a value's type.
pub(crate) fn type_name(value: &Variant) -> String {
    let ty = u32::try_from(value.get_type().ord).ok().and_then(godot_variant::VariantType::from_id);
    ty.map_or_else(|| format!("{:?}", value.get_type()), |ty| ty.to_string())
}

pub(crate) fn typed<T: FromGodot>(
    key: &Variant,
    value: &Variant,
    expected: &str,
) -> Result<T, String> {
    value.try_to().map_err(|_| {
        let found = type_name(value);
        format!("the option `{key}` has the type {found}; expected {expected}")
    })
}

pub(crate) fn limit(key: &Variant, value: &Variant) -> Result<usize, String> {
    let limit: i64 = typed(key, value, "int")?;
    usize::try_from(limit).map_err(|_| format!("the option `{key}` is {limit}, expected 0 or more"))
}

/// Names in an `Array`, typed or not, or a `PackedStringArray`. gdext would take a `String` for one, too, and numbers for names.
pub(crate) fn names(key: &Variant, value: &Variant) -> Result<Vec<String>, String> {
    const EXPECTED: &str = "Array of String";
    if value.get_type() == VariantType::PACKED_STRING_ARRAY {
        let names: PackedStringArray = typed(key, value, EXPECTED)?;
        return Ok(names.as_slice().iter().map(GString::to_string).collect());
    }
    let names: AnyArray = typed(key, value, EXPECTED)?;
    let name = |name: Variant| match name.get_type() {
        VariantType::STRING | VariantType::STRING_NAME => Ok(name.to_string()),
        _ => {
            let found = type_name(&name);
            Err(format!(
                "the option `{key}` contains an element of type {found}; expected {EXPECTED}"
            ))
        }
    };
    names.iter_shared().map(name).collect()
}
