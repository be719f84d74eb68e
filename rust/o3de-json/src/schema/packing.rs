//! How compact bytes hold a value. JSON is the same with and without.

use godot_variant::{Array, Value};

use super::descriptor::{Descriptor, SchemaError, error};
use super::{IntRepr, Kind};

/// How compact bytes hold the values of a schema, if not in the way of its kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Packing {
    /// `min` and `max`, or `bits`, of an `int`, or of each component of a vector of integers.
    Range {
        /// The smallest number.
        min: i64,
        /// The greatest number.
        max: i64,
    },
    /// `min`, `max` and `step` of a `float`, or of each component of a vector or color.
    Steps {
        /// The smallest number.
        min: f64,
        /// The greatest number.
        max: f64,
        /// The distance between two numbers.
        step: f64,
    },
    /// `angle_bits` of a `float` in radians: the number of bits for a full turn.
    Angle(u8),
    /// `bits` of a `quaternion`: the number of bits for each of its three smallest components.
    SmallestThree(u8),
    /// `max_length` of a `string`, in characters, of `bytes`, or of a container, in elements.
    MaxLength(usize),
    /// `one_of` of a `string`: all possible texts.
    OneOf(Vec<Box<str>>),
}

impl Packing {
    /// The packing that a descriptor of this kind asks for.
    pub(super) fn read<D: Descriptor>(d: &D, kind: &Kind) -> Result<Option<Self>, SchemaError> {
        let allowed = allowed_members(kind);
        let is_wrong = |name: &&&str| !allowed.contains(*name) && d.member(name).is_some();
        if let Some(name) = MEMBERS.iter().find(is_wrong) {
            return error(format!("`{name}` is not a member of `{}`", kind.word()));
        }
        let number = |name| bounded(d, name);
        let has = |name| d.member(name).is_some();
        let bits = |name: &str, most| match d.member(name).map(D::integer) {
            None => Ok(None),
            Some(Some(bits)) if (1..=most).contains(&bits) => Ok(Some(bits as u8)),
            Some(_) => error(format!("`{name}` must be an integer from 1 to {most}")),
        };
        Ok(match kind {
            Kind::Int(repr) => integers(d, *repr, bits("bits", 64)?)?,
            Kind::VectorI(_) => integers(d, IntRepr::I32, bits("bits", 32)?)?,
            Kind::Float(_) if has("angle_bits") && (has("min") || has("max") || has("step")) => {
                return error("`angle_bits` excludes `min`, `max` and `step`: remove one of them");
            }
            Kind::Float(_) if has("angle_bits") => bits("angle_bits", 32)?.map(Self::Angle),
            Kind::Float(_) | Kind::Vector(_) | Kind::Color => {
                match (number("min")?, number("max")?, number("step")?) {
                    (None, None, None) => None,
                    (Some(min), Some(max), Some(step)) => Some(steps(min, max, step)?),
                    _ => return error("`min`, `max` and `step` belong together: add the others"),
                }
            }
            Kind::Quaternion => bits("bits", 20)?.map(Self::SmallestThree),
            Kind::String if has("one_of") && has("max_length") => {
                return error("`one_of` excludes `max_length`: remove one of them");
            }
            Kind::String if has("one_of") => Some(Self::OneOf(texts(d)?)),
            Kind::String | Kind::Path | Kind::Bytes | Kind::Sequence(..) | Kind::Map(..) => {
                match d.member("max_length").map(D::integer) {
                    None => None,
                    Some(Some(length)) if length >= 0 => Some(Self::MaxLength(length as usize)),
                    Some(_) => return error("`max_length` must be an integer from 0"),
                }
            }
            _ => None,
        })
    }

    /// The members of a descriptor that [`Packing::read`] reads.
    pub(super) fn members(&self) -> Vec<(&'static str, Value)> {
        match self {
            Self::Range { min, max } => vec![("min", Value::Int(*min)), ("max", Value::Int(*max))],
            Self::Steps { min, max, step } => [("min", min), ("max", max), ("step", step)]
                .map(|(k, v)| (k, Value::Float(*v)))
                .into(),
            Self::Angle(bits) => vec![("angle_bits", Value::Int((*bits).into()))],
            Self::SmallestThree(bits) => vec![("bits", Value::Int((*bits).into()))],
            Self::MaxLength(length) => vec![("max_length", Value::Int(*length as i64))],
            Self::OneOf(texts) => {
                let texts: Array = texts.iter().map(|text| Value::from(&**text)).collect();
                vec![("one_of", texts.into())]
            }
        }
    }
}

const MEMBERS: [&str; 7] = ["min", "max", "step", "bits", "angle_bits", "max_length", "one_of"];

/// The members that a descriptor of a kind can have.
fn allowed_members(kind: &Kind) -> &'static [&'static str] {
    match kind {
        Kind::Int(_) | Kind::VectorI(_) => &["min", "max", "bits"],
        Kind::Float(_) => &["min", "max", "step", "angle_bits"],
        Kind::Vector(_) | Kind::Color => &["min", "max", "step"],
        Kind::Quaternion => &["bits"],
        Kind::String => &["max_length", "one_of"],
        Kind::Path | Kind::Bytes | Kind::Sequence(..) | Kind::Map(..) => &["max_length"],
        _ => &[],
    }
}

fn bounded<D: Descriptor>(d: &D, name: &str) -> Result<Option<f64>, SchemaError> {
    match d.member(name).map(D::number) {
        None => Ok(None),
        Some(Some(number)) if number.is_finite() => Ok(Some(number)),
        Some(_) => error(format!("`{name}` must be a finite number")),
    }
}

fn integers<D: Descriptor>(
    d: &D,
    repr: IntRepr,
    bits: Option<u8>,
) -> Result<Option<Packing>, SchemaError> {
    let bound = |name: &str| match d.member(name).map(D::integer) {
        None => Ok(None),
        Some(Some(number)) => Ok(Some(i128::from(number))),
        Some(None) => error(format!("`{name}` must be an integer")),
    };
    let (least, most) = repr.range();
    let (min, max) = match (bound("min")?, bound("max")?, bits) {
        (None, None, None) => return Ok(None),
        (None, None, Some(bits)) if least == 0 => (0, (1_i128 << bits) - 1),
        (None, None, Some(bits)) => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        (_, _, Some(_)) => return error("`bits` excludes `min` and `max`: remove one of them"),
        (min, max, None) => (min.unwrap_or(least), max.unwrap_or(most)),
    };
    let most = most.min(i64::MAX.into());
    if min > max || min < least || max > most {
        return error(format!(
            "{min} to {max} is not a valid range; expected one from {least} to {most}"
        ));
    }
    Ok(Some(Packing::Range { min: min as i64, max: max as i64 }))
}

/// The number of steps is an integer that a float holds exactly.
const MAX_STEPS: f64 = (1_u64 << 52) as f64;

fn steps(min: f64, max: f64, step: f64) -> Result<Packing, SchemaError> {
    if min >= max || step <= 0.0 || (max - min) / step > MAX_STEPS {
        return error(format!(
            "{min} to {max} in steps of {step} is not a valid range: `min` must be less than `max`, and \
             `step` positive and not too small"
        ));
    }
    Ok(Packing::Steps { min, max, step })
}

fn texts<D: Descriptor>(d: &D) -> Result<Vec<Box<str>>, SchemaError> {
    let elements = d.member("one_of").and_then(D::elements).unwrap_or_default();
    let texts: Option<Vec<Box<str>>> =
        elements.iter().map(|text| Some(text.text()?.into())).collect();
    match texts {
        Some(texts) if !texts.is_empty() && all_differ(&texts) => Ok(texts),
        _ => error("`one_of` must be an array of different texts"),
    }
}

fn all_differ(texts: &[Box<str>]) -> bool {
    let mut sorted: Vec<&str> = texts.iter().map(|text| &**text).collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1])
}
