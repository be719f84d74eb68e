//! For sinks that look at a value's structure, and let all that holds no names and no other values pass.

/// The methods of a `Sink` for values that are of no interest to it.
macro_rules! pass_plain_values {
    () => {
        fn nil(self) -> Result<(), godot_variant::Refusal> {
            Ok(())
        }

        fn bool(self, _: bool) -> Result<(), godot_variant::Refusal> {
            Ok(())
        }

        fn int(self, _: i64) -> Result<(), godot_variant::Refusal> {
            Ok(())
        }

        fn float(self, _: f64) -> Result<(), godot_variant::Refusal> {
            Ok(())
        }

        fn reals<const N: usize>(
            self,
            _: godot_variant::VariantType,
            _: &[godot_variant::Real; N],
        ) -> Result<(), godot_variant::Refusal> {
            Ok(())
        }

        fn ints<const N: usize>(
            self,
            _: godot_variant::VariantType,
            _: &[i32; N],
        ) -> Result<(), godot_variant::Refusal> {
            Ok(())
        }

        fn color(self, _: &[f32; 4]) -> Result<(), godot_variant::Refusal> {
            Ok(())
        }

        fn rid(self, _: u64) -> Result<(), godot_variant::Refusal> {
            Ok(())
        }

        fn null_object(self) -> Result<(), godot_variant::Refusal> {
            Ok(())
        }

        fn object_id(self, _: u64) -> Result<(), godot_variant::Refusal> {
            Ok(())
        }

        fn callable(self) -> Result<(), godot_variant::Refusal> {
            Ok(())
        }

        fn packed(
            self,
            _: godot_variant::PackedType,
            _: &[u8],
        ) -> Result<(), godot_variant::Refusal> {
            Ok(())
        }
    };
}
pub(crate) use pass_plain_values;
