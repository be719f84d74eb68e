//! Values that hold nothing: what large arrays are full of.

use crate::{Real, Refusal, Sink, VariantType};

/// A value of a type of fixed size, as the engine has it in memory: a bool as a byte, numbers with 64 bits,
/// vectors, colors and transforms as their components without gaps.
///
/// Sealed: who copies such a value into engine memory relies on its being what [`Plain::TYPE`] says.
pub trait Plain: Copy + sealed::Sealed {
    /// The type of all values of this type.
    const TYPE: VariantType;

    /// Tells the value.
    ///
    /// # Errors
    /// What the sink refuses.
    fn emit<S: Sink>(self, sink: S) -> Result<(), Refusal>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! plain {
    ($($ty:ty = $variant:ident, $value:ident, $sink:ident => $emit:expr;)*) => {$(
        impl sealed::Sealed for $ty {}

        impl Plain for $ty {
            const TYPE: VariantType = VariantType::$variant;

            #[inline(always)]
            fn emit<S: Sink>(self, $sink: S) -> Result<(), Refusal> {
                let $value = self;
                $emit
            }
        }
    )*};
}

/// A `Vector2`: x, y.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Vector2(pub [Real; 2]);

/// A `Vector3`: x, y, z.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Vector3(pub [Real; 3]);

/// A `Color`: red, green, blue, alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Color(pub [f32; 4]);

/// A `Transform3D`: the rows of the basis, the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Transform3D(pub [Real; 12]);

plain! {
    bool = Bool, value, sink => sink.bool(value);
    i64 = Int, value, sink => sink.int(value);
    f64 = Float, value, sink => sink.float(value);
    Vector2 = Vector2, value, sink => sink.reals(VariantType::Vector2, &value.0);
    Vector3 = Vector3, value, sink => sink.reals(VariantType::Vector3, &value.0);
    Color = Color, value, sink => sink.color(&value.0);
    Transform3D = Transform3D, value, sink => sink.reals(VariantType::Transform3D, &value.0);
}
