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
     `max_elements`, `max_string`, `max_collisions`, `dialect`, `double_precision` and `lossy`";

/// What a call to `FastVariant.try_decode` asks for.
#[derive(Clone, Debug)]
pub(crate) struct CallOptions {
    pub(crate) decode: DecodeOptions,
    pub(crate) dialect: &'static Dialect,
    /// Where the value starts; any number that a script may give.
    pub(crate) offset: i64,
    pub(crate) classes: Vec<String>,
    pub(crate) scripts: Vec<String>,
}

impl Default for CallOptions {
    fn default() -> Self {
        CallOptions {
            decode: DecodeOptions::default(),
            dialect: &Dialect::GODOT_4,
            offset: 0,
            classes: Vec::new(),
            scripts: Vec::new(),
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
                _ => {
                    return Err(unknown(&key, DECODE_OPTIONS));
                }
            }
        }
        Ok(options)
    }

    /// Where the value starts.
    ///
    /// # Errors
    /// That is outside of the bytes.
    pub(crate) fn start(&self, bytes: &PackedByteArray) -> Result<usize, String> {
        let len = bytes.len();
        let start = usize::try_from(self.offset).ok().filter(|&start| start <= len);
        start.ok_or_else(|| format!("offset {} is outside of the {len} bytes", self.offset))
    }

    /// Whether a view can be made with these.
    ///
    /// # Errors
    /// The first option that is not for views.
    pub(crate) fn check_for_view(&self) -> Result<(), String> {
        let decode = &self.decode;
        let unfit = if decode.allow_objects || !self.classes.is_empty() || !self.scripts.is_empty()
        {
            "allow_objects"
        } else if !self.dialect.is_native() {
            "dialect"
        } else if decode.double_precision || decode.lossy {
            "double_precision` or `lossy"
        } else {
            return Ok(());
        };
        Err(format!("the option `{unfit}` is not for views: use try_decode()"))
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

/// The dialect that a constant of `FastVariant` stands for.
///
/// # Errors
/// The number stands for none.
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
        format!("the option `{key}` is of type {found}, expected {expected}")
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
            Err(format!("the option `{key}` holds an element of type {found}, expected {EXPECTED}"))
        }
    };
    names.iter_shared().map(name).collect()
}
