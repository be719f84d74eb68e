//! The options of one call, as GDScript gives them.

use godot::builtin::{AnyDictionary, Callable, GString, PackedByteArray, Variant, VariantType};
use godot::meta::{FromGodot, ToGodot};
use godot_variant::Value;
use godot_variant_codec::Limits;
use o3de_json::{
    DocumentLimits, Issue, Json, JsonError, Profile, ReadLimits, ResultCode, Settings,
};

use super::classes::Classes;
use super::misuse::Misuse;
use super::objects;
use crate::decode_options::type_name;
use crate::engine;

/// What a call asks for.
pub(super) struct Call {
    pub(super) settings: Settings,
    pub(super) limits: ReadLimits,
    /// How much patches and imports may make.
    pub(super) growth: DocumentLimits,
    /// How many other keys a key may meet in the engine's hash table, and a name in its table of names.
    pub(super) max_collisions: usize,
    /// Whether JSON is laid out for people.
    pub(super) pretty: bool,
    pub(super) default: Option<Variant>,
    pub(super) target: Option<Variant>,
    pub(super) report: Option<Callable>,
}

/// Why an argument is not valid JSON.
pub(crate) enum NoJson {
    Text(JsonError),
    /// A Godot value that JSON does not have.
    Value(Misuse),
}

impl From<NoJson> for String {
    fn from(error: NoJson) -> String {
        match error {
            NoJson::Text(error) => error.to_string(),
            NoJson::Value(misuse) => misuse.into(),
        }
    }
}

const OPTIONS: &str = "`profile`, `keep_defaults`, `clear_containers`, `default`, `target`, `report`, `pretty`, `max_bytes`, \
     `max_depth`, `max_values`, `max_imports` and `max_collisions`";

impl Call {
    /// Reads the options.
    ///
    /// # Errors
    /// What is wrong with the first key that is unknown or holds the wrong type.
    pub(super) fn parse(options: &AnyDictionary) -> Result<Call, String> {
        let mut call = Call {
            settings: Settings::default(),
            limits: ReadLimits::default(),
            growth: DocumentLimits::default(),
            max_collisions: Limits::STRICT.max_collisions,
            pretty: true,
            default: None,
            target: None,
            report: None,
        };
        let (mut keep_defaults, mut clear_containers) = (None, None);
        for (key, value) in options.iter_shared() {
            match key.stringify().to_string().as_str() {
                "profile" => call.settings.profile = profile(&value)?,
                "keep_defaults" => keep_defaults = Some(typed(&key, &value, "bool")?),
                "clear_containers" => clear_containers = Some(typed(&key, &value, "bool")?),
                "default" => call.default = Some(value),
                "target" => call.target = Some(value),
                "report" => call.report = Some(typed(&key, &value, "Callable")?),
                "pretty" => call.pretty = typed(&key, &value, "bool")?,
                "max_bytes" => call.limits.max_len = limit(&key, &value, usize::MAX)?,
                "max_depth" => {
                    call.limits.max_depth = limit(&key, &value, 256)?;
                    call.growth.max_depth = call.limits.max_depth;
                }
                "max_values" => call.growth.max_values = limit(&key, &value, usize::MAX)?,
                "max_collisions" => call.max_collisions = limit(&key, &value, usize::MAX)?,
                "max_imports" => call.growth.max_imports = limit(&key, &value, usize::MAX)?,
                name => {
                    let name: String = name.chars().take(64).collect();
                    return Err(format!(
                        "unknown option `{}`; the options are {OPTIONS}",
                        name.escape_debug()
                    ));
                }
            }
        }
        // The contents of a new object's arrays are a default, and are replaced by stored ones.
        let is_new = call.settings.profile == Profile::Doc && call.target.is_none();
        call.settings.clear_containers = clear_containers.unwrap_or(is_new);
        // A default to compare with is there to be left out.
        let has_default = call.default.is_some();
        let usual = call.settings.profile == Profile::Doc && !has_default;
        call.settings.keep_defaults = keep_defaults.unwrap_or(usual) && !has_default;
        Ok(call)
    }

    pub(super) fn text(&self, json: &Json) -> String {
        if self.pretty { json.to_text_pretty() } else { json.to_text() }
    }

    /// The JSON in an argument: text, its bytes in UTF-8, or a tree such as `JSON.parse_string` makes.
    pub(super) fn json(&self, json: &Variant, classes: &Classes) -> Result<Json, NoJson> {
        if let Some(text) = self.text_of(json) {
            return Json::parse_limited(&text, self.limits).map_err(NoJson::Text);
        }
        match json.get_type() {
            VariantType::PACKED_BYTE_ARRAY => {
                let bytes = json.to::<PackedByteArray>();
                Json::parse_bytes(bytes.as_slice(), self.limits).map_err(NoJson::Text)
            }
            _ => objects::value_of(json, classes)
                .and_then(|value| tree(&value, self.limits.max_depth, Whole::AsIntegers))
                .map_err(NoJson::Value),
        }
    }

    /// The text in an argument; none if it is not text, or not UTF-8.
    pub(super) fn text_of(&self, json: &Variant) -> Option<String> {
        match json.get_type() {
            VariantType::STRING => Some(utf8(json.to::<GString>().chars())),
            VariantType::STRING_NAME => Some(json.stringify().to_string()),
            VariantType::PACKED_BYTE_ARRAY => {
                String::from_utf8(json.to::<PackedByteArray>().to_vec()).ok()
            }
            _ => None,
        }
    }

    /// Sets the places of issues with the JSON of this text.
    pub(super) fn locate(&self, text: Option<&str>, issues: &mut [Issue]) {
        if let Some(text) = text
            && !issues.is_empty()
        {
            o3de_json::locate(text, self.limits, issues);
        }
    }

    /// Asks the option `report` what to go on with.
    pub(super) fn reporter(&self) -> Option<impl FnMut(&Issue) -> ResultCode + use<>> {
        let report = self.report.clone()?;
        Some(move |issue: &Issue| {
            let arguments = [
                GString::from(&issue.message).to_variant(),
                i64::from(issue.code.to_bits()).to_variant(),
                GString::from(&issue.path).to_variant(),
            ];
            let answer = report.callv(&godot::builtin::VarArray::from_iter(arguments));
            let code = answer.try_to::<i64>().ok().and_then(|bits| u32::try_from(bits).ok());
            code.and_then(ResultCode::from_bits).unwrap_or(issue.code)
        })
    }
}

/// The engine's text as UTF-8. Most of it is ASCII, which is copied without a look at each character.
fn utf8(chars: &[char]) -> String {
    if let Some(text) = engine::ascii(chars) {
        return text;
    }
    let mut text = String::with_capacity(chars.len());
    for run in chars.chunks(64) {
        if !push_ascii::<64>(&mut text, run) {
            for run in run.chunks(8) {
                if !push_ascii::<8>(&mut text, run) {
                    run.iter().for_each(|&char| text.push(char));
                }
            }
        }
    }
    text
}

/// Appends a run of at most `N` characters if all are ASCII, or says that they are not.
#[inline]
fn push_ascii<const N: usize>(text: &mut String, run: &[char]) -> bool {
    if run.iter().fold(0, |all, &char| all | u32::from(char)) >= 0x80 {
        return false;
    }
    let mut bytes = [0; N];
    for (byte, &char) in bytes.iter_mut().zip(run) {
        *byte = char as u8;
    }
    text.push_str(std::str::from_utf8(&bytes[..run.len()]).unwrap_or_default());
    true
}

/// What floats without a fraction become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    /// The engine's `JSON` knows floats only: its whole numbers may be anything.
    AsIntegers,
    AsFloats,
}

/// A tree of the engine's values as JSON.
///
/// # Errors
/// What JSON does not have.
pub(super) fn tree(value: &Value, depth: usize, whole: Whole) -> Result<Json, Misuse> {
    let inside = |count: usize| match depth.checked_sub(1) {
        Some(depth) => Ok(depth),
        None if count == 0 => Ok(0),
        None => {
            Err(Misuse::from("the value is nested too deeply: flatten it or raise `max_depth`"))
        }
    };
    const EXACT: f64 = 9_007_199_254_740_992.0;
    Ok(match value {
        Value::Nil => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(number) => Json::Int(*number),
        Value::Float(number)
            if whole == Whole::AsIntegers && number.fract() == 0.0 && number.abs() <= EXACT =>
        {
            Json::Int(*number as i64)
        }
        Value::Float(number) if number.is_finite() => Json::Double(*number),
        Value::String(text) | Value::StringName(text) => Json::from(&**text),
        Value::Array(array) => {
            let depth = inside(array.elements.len())?;
            let elements = array.elements.iter().enumerate().map(|(index, element)| {
                tree(element, depth, whole).map_err(|misuse| misuse.at(&index.to_string()))
            });
            Json::Array(elements.collect::<Result<_, _>>()?)
        }
        Value::Dictionary(dictionary) => {
            let depth = inside(dictionary.len())?;
            let member = |(key, value): (&Value, &Value)| -> Result<_, Misuse> {
                match key {
                    Value::String(name) | Value::StringName(name) => {
                        let json = tree(value, depth, whole).map_err(|misuse| misuse.at(name))?;
                        Ok((name.to_string(), json))
                    }
                    key => Err(format!(
                        "the key {} is not a String: JSON allows only String keys",
                        key.brief()
                    )
                    .into()),
                }
            };
            Json::Object(dictionary.iter().map(member).collect::<Result<_, _>>()?)
        }
        value => {
            return Err(format!("{} is not a JSON value: store() it first", value.brief()).into());
        }
    })
}

fn profile(value: &Variant) -> Result<Profile, String> {
    match value.stringify().to_string().as_str() {
        "doc" => Ok(Profile::Doc),
        "engine" => Ok(Profile::Engine),
        name => {
            let name: String = name.chars().take(64).collect();
            Err(format!("unknown profile `{}`: use \"doc\" or \"engine\"", name.escape_debug()))
        }
    }
}

fn typed<T: FromGodot>(key: &Variant, value: &Variant, expected: &str) -> Result<T, String> {
    value.try_to().map_err(|_| {
        format!("the option `{key}` has the type {}; expected {expected}", type_name(value))
    })
}

fn limit(key: &Variant, value: &Variant, most: usize) -> Result<usize, String> {
    let limit: i64 = typed(key, value, "int")?;
    usize::try_from(limit).ok().filter(|&limit| limit <= most).ok_or_else(|| {
        format!("the option `{key}` is {limit}; expected a number from 0 to {}", most as i64)
    })
}
