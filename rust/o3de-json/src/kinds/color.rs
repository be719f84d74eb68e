//! `color` (ColorSerializer.cpp): arrays, and the six named forms.

use godot_variant::{Refusal, Value, VariantType};

use super::{float, unsupported};
use crate::json::{Number, Reader, TextWriter};
use crate::run::Run;
use crate::schema::FloatRepr;
use crate::store::{Step, misfit};
use crate::streaming::{Fallback, Streamed};
use crate::{Json, Kind, Outcome, Profile, ResultCode, Schema, Settings, Task};

/// A named form: how many channels, and how one is written.
#[derive(Clone, Copy)]
enum Form {
    Floats(usize),
    Bytes(usize),
    Hex(usize),
}

fn form(name: &str) -> Option<Form> {
    const FORMS: [(&str, Form); 6] = [
        ("RGBA8", Form::Bytes(4)),
        ("RGB8", Form::Bytes(3)),
        ("RGBA", Form::Floats(4)),
        ("RGB", Form::Floats(3)),
        ("HEXA", Form::Hex(4)),
        ("HEX", Form::Hex(3)),
    ];
    FORMS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, form)| *form)
}

pub(crate) fn load(run: &mut Run<'_>, target: &mut Value, json: &Json) -> ResultCode {
    let mut channels = match target {
        Value::Color(channels) => *channels,
        _ => [0.0; 4],
    };
    let code = match json {
        Json::Array(elements) if elements.len() >= 3 => {
            let count = elements.len().min(4);
            let code = load_floats(run, &mut channels[..count], json);
            // Without alpha the color keeps the one that it has.
            if count == 3 && !code.is_refused() {
                ResultCode::new(Task::ReadField, Outcome::PartialDefaults)
            } else {
                code
            }
        }
        Json::Object(members) => load_named(run, &mut channels, members, json),
        _ => unsupported(run, json, "color: write [r, g, b], [r, g, b, a] or {\"RGBA\": …}"),
    };
    if !code.is_refused() {
        *target = Value::Color(channels);
    }
    code
}

fn load_named(
    run: &mut Run<'_>,
    channels: &mut [f32; 4],
    members: &[(String, Json)],
    json: &Json,
) -> ResultCode {
    let known = members.iter().filter(|(name, _)| form(name).is_some()).count();
    // The page wants exactly one, the engine takes the last.
    if run.is_doc() && known > 1 {
        let message = format!("the color has {known} forms: keep one of them");
        return run.report(Task::ReadField, Outcome::Unsupported, message);
    }
    let last = members.iter().rev().find_map(|(name, value)| Some((name, value, form(name)?)));
    let Some((name, value, form)) = last else {
        return unsupported(run, json, "color: name RGB, RGBA, RGB8, RGBA8, HEX or HEXA");
    };
    run.at(name, |run| match form {
        Form::Floats(count) => load_floats(run, &mut channels[..count], value),
        Form::Bytes(count) => load_bytes(run, &mut channels[..count], value),
        Form::Hex(count) => load_hex(run, &mut channels[..count], value),
    })
}

fn load_floats(run: &mut Run<'_>, channels: &mut [f32], json: &Json) -> ResultCode {
    let accepts_integers = run.is_doc();
    let numbers = json.as_array().and_then(|elements| {
        let numbers = elements.iter().take(channels.len()).map(|element| match element {
            Json::Double(_) => float::component(element),
            // O3DE's code requires a decimal point: it does not accept `[1, 0, 0, 1]`.
            Json::Int(_) | Json::Uint(_) | Json::Big(_) if accepts_integers => {
                float::component(element)
            }
            _ => None,
        });
        numbers.collect::<Option<Vec<f32>>>()
    });
    let mut code = take(run, channels, numbers, json, "floats");
    if !code.is_refused() {
        let elements = json.as_array().unwrap_or_default();
        for (index, (&mut channel, element)) in channels.iter_mut().zip(elements).enumerate() {
            code.add(run.at(index, |run| float::read_as(run, element, channel.into())));
        }
    }
    code
}

fn load_bytes(run: &mut Run<'_>, channels: &mut [f32], json: &Json) -> ResultCode {
    let numbers = json.as_array().and_then(|elements| {
        let numbers = elements.iter().take(channels.len()).map(|element| match element {
            Json::Int(number) => Some((*number).clamp(0, 255) as f32 / 255.0),
            _ => None,
        });
        numbers.collect::<Option<Vec<f32>>>()
    });
    take(run, channels, numbers, json, "integers from 0 to 255")
}

fn load_hex(run: &mut Run<'_>, channels: &mut [f32], json: &Json) -> ResultCode {
    let numbers = json.as_str().and_then(|text| {
        let digits = text.as_bytes().chunks_exact(2).take(channels.len()).map(|pair| {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            Some((digit(pair[0])? * 16 + digit(pair[1])?) as f32 / 255.0)
        });
        digits.collect::<Option<Vec<f32>>>()
    });
    take(run, channels, numbers, json, "pairs of hexadecimal digits in a string")
}

fn take(
    run: &mut Run<'_>,
    channels: &mut [f32],
    numbers: Option<Vec<f32>>,
    json: &Json,
    what: &str,
) -> ResultCode {
    match numbers {
        Some(numbers) if numbers.len() == channels.len() => {
            channels.copy_from_slice(&numbers);
            run.success(Task::ReadField)
        }
        _ => unsupported(run, json, &format!("color of {} {what}", channels.len())),
    }
}

pub(crate) fn store(run: &mut Run<'_>, value: &Value, default: Option<&Value>) -> Step {
    let Value::Color(channels) = value else { return misfit(run, value, &Kind::Color) };
    let (count, outcome) = match default {
        Some(default) if default == value => {
            return (Json::explicit_default(), run.defaults_used(Task::WriteValue));
        }
        Some(Value::Color(default)) if default[3] == channels[3] => (3, Outcome::PartialDefaults),
        _ => (4, Outcome::Success),
    };
    match float::store_components(&channels[..count]) {
        Some(json) => (json, ResultCode::new(Task::WriteValue, outcome)),
        None => misfit(run, value, &Kind::Color),
    }
}

/// The colors of a schema that can be streamed: arrays of four channels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamedColor {
    /// Whether a channel may be written as an integer.
    takes_integers: bool,
}

impl StreamedColor {
    pub(crate) fn new(schema: &Schema, settings: Settings) -> Option<Self> {
        let takes_integers = settings.profile == Profile::Doc;
        schema.has_own_type(VariantType::Color).then_some(Self { takes_integers })
    }

    pub(crate) fn read(self, reader: &mut Reader<'_>) -> Streamed<[f32; 4]> {
        if reader.peek() != Some(b'[') {
            return Err(Fallback::Value);
        }
        let mut channels = [0.0; 4];
        let mut has_more = reader.begin_array()?;
        for channel in &mut channels {
            if !has_more || !reader.is_at_number() {
                return Err(Fallback::Value);
            }
            let number = reader.number()?;
            if !self.takes_integers && !matches!(number, Number::Double(_)) {
                return Err(Fallback::Value);
            }
            *channel = float::component_of(FloatRepr::F32, number)? as f32;
            has_more = reader.next_element()?;
        }
        if has_more { Err(Fallback::Value) } else { Ok(channels) }
    }

    pub(crate) fn write(self, channels: &[f32; 4], text: &mut TextWriter) -> Result<(), Refusal> {
        float::write_all(channels.iter().map(|&channel| channel.into()), text)
    }
}
