//! From a key or an index, as GDScript gives it, to its value in the bytes.

use godot::builtin::{Variant, VariantType as EngineType};
use godot_variant::{Segment, Source, Value, VariantType};
use godot_variant_codec::{DecodeError, ElementIndex, ValueRef, encoded_len};

use crate::engine::{EngineValue, Objects};

/// What was found.
pub(super) enum Found<'a> {
    /// A value in the bytes.
    Encoded(ValueRef<'a>),
    /// An element of a packed array, which is not a value of its own in the bytes.
    Element(Value),
}

/// The value in `container` under `key`, and the step to it. `index` is that of the container.
pub(super) fn by_key<'a>(
    container: ValueRef<'a>,
    key: &Variant,
    index: &mut ElementIndex,
) -> Result<Option<(Found<'a>, Segment)>, DecodeError> {
    if container.variant_type() == VariantType::Dictionary {
        let Some(key) = dictionary_key(key) else { return Ok(None) };
        let value = container.get_key(&key)?;
        return Ok(value.map(|value| (Found::Encoded(value), Segment::Key(key))));
    }
    let Some(number) = element_number(container, key)? else { return Ok(None) };
    let found = by_number(container, number, index)?;
    Ok(found.map(|found| (found, Segment::Index(number))))
}

/// What a loop over `container` comes to when it has come past `number` others: an element, or the
/// key of an entry.
pub(super) fn by_number<'a>(
    container: ValueRef<'a>,
    number: usize,
    index: &mut ElementIndex,
) -> Result<Option<Found<'a>>, DecodeError> {
    match container.variant_type() {
        VariantType::Array => Ok(index.get(container, number)?.map(Found::Encoded)),
        VariantType::Dictionary => {
            Ok(index.entry(container, number)?.map(|(key, _)| Found::Encoded(key)))
        }
        VariantType::PackedStringArray => {
            let text = index.string(container, number)?;
            Ok(text.map(|text| Found::Element(Value::from(text))))
        }
        _ => Ok(container.packed_element(number)?.map(Found::Element)),
    }
}

/// `None` for a key that nothing decoded can be equal to.
fn dictionary_key(key: &Variant) -> Option<Value> {
    let lives = matches!(key.get_type(), EngineType::OBJECT | EngineType::CALLABLE);
    if lives && key.booleanize() {
        return None;
    }
    let key = EngineValue::new(key, Objects::AsIds);
    // A `Value` has no limit: a value that contains itself would be copied for ever.
    encoded_len(&key).ok()?;
    let mut value = Value::Nil;
    key.emit(&mut value).ok()?;
    Some(value)
}

fn element_number(container: ValueRef<'_>, key: &Variant) -> Result<Option<usize>, DecodeError> {
    let Some(len) = container.len()? else { return Ok(None) };
    let number = key.try_to::<i64>().ok().and_then(|number| match number {
        // From the end, as `Array` has it.
        ..0 => number.checked_add_unsigned(len as u64),
        _ => Some(number),
    });
    Ok(number.and_then(|number| usize::try_from(number).ok()).filter(|&number| number < len))
}
