//! What only Godot 2.1 could send by value (`decode_variant`, core/io/marshalls.cpp, 2.1).

use godot_variant::{Dictionary, Value, VariantType};

use crate::cursor::Cursor;
use crate::error::{DecodeError, DecodeErrorKind};

/// What a value was, and the nearest that there is today.
type Old = Result<(&'static str, Value), DecodeError>;

/// An image: format, mipmaps, width, height, and the padded pixels behind their length.
pub(super) fn take_image(cursor: &mut Cursor<'_>) -> Old {
    let mut image = Dictionary::default();
    for name in ["format", "mipmaps", "width", "height"] {
        image.insert(Value::from(name), Value::Int(cursor.take_u32()?.into()));
    }
    let len_at = cursor.position();
    let len = cursor.take_i32()?;
    let Ok(len) = usize::try_from(len) else {
        let what = VariantType::PackedByteArray;
        return Err(DecodeError::new(DecodeErrorKind::NegativeLength { what, len }, len_at));
    };
    image.insert(Value::from("data"), Value::PackedByteArray(cursor.take(len)?.to_vec()));
    cursor.skip_padding(len);
    Ok(("Image", image.into()))
}

/// An input event: its type, the device, the length of all from the type on, and what the type has.
///
/// The engine does not read the length but knows it from the type; so does this.
pub(super) fn take_input_event(cursor: &mut Cursor<'_>) -> Old {
    let mut event = Dictionary::default();
    let mut put = |name: &str, value: Value| {
        event.insert(Value::from(name), value);
    };
    let ty = cursor.take_u32()?;
    put("type", Value::Int(ty.into()));
    put("device", Value::Int(cursor.take_u32()?.into()));
    cursor.take_u32()?;
    match ty {
        KEY => {
            put("modifiers", Value::Int(cursor.take_u32()?.into()));
            put("scancode", Value::Int(cursor.take_u32()?.into()));
        }
        MOUSE_BUTTON | JOYSTICK_BUTTON => {
            put("button_index", Value::Int(cursor.take_u32()?.into()));
        }
        SCREEN_TOUCH => put("index", Value::Int(cursor.take_u32()?.into())),
        JOYSTICK_MOTION => {
            put("axis", Value::Int(cursor.take_u32()?.into()));
            put("value", Value::Float(f32::from_bits(cursor.take_u32()?).into()));
        }
        _ => {}
    }
    Ok(("InputEvent", event.into()))
}

// `InputEvent::Type`, core/os/input_event.h, 2.1.
const KEY: u32 = 1;
const MOUSE_BUTTON: u32 = 3;
const JOYSTICK_MOTION: u32 = 4;
const JOYSTICK_BUTTON: u32 = 5;
const SCREEN_TOUCH: u32 = 6;
