//! What the encoder of any dialect does with each value.

use bytemuck::{cast_slice, pod_collect_to_vec};
use godot_variant::{
    ContainerTypeRef, NodePathRef, PackedType, Real, Refusal, Sink, StringKind, Text, VariantType,
};

use super::content::DialectContent;
use super::encode::DialectEncoder;
use super::{NodePathForms, NumberWidth, ObjectForms, RidForm, TypedContainers};
use crate::encode::{check_class, checked_len};
use crate::header;
use crate::output::Output;

impl<'o, O: Output> Sink for DialectEncoder<'o, O> {
    type Array = DialectContent<'o, O>;
    type Dictionary = DialectContent<'o, O>;
    type Object = DialectContent<'o, O>;
    type Strings = DialectContent<'o, O>;

    fn nil(mut self) -> Result<(), Refusal> {
        let header = self.id(VariantType::Nil)?;
        self.put_u32(header);
        Ok(())
    }

    fn bool(mut self, value: bool) -> Result<(), Refusal> {
        let header = self.id(VariantType::Bool)?;
        self.put_u32(header);
        self.put_u32(u32::from(value));
        Ok(())
    }

    fn int(mut self, value: i64) -> Result<(), Refusal> {
        let ty = VariantType::Int;
        let header = self.id(ty)?;
        let narrow = match (self.dialect.int, i32::try_from(value)) {
            (NumberWidth::Always64, _) => {
                self.put_u32(header);
                self.out.put_array(value.to_le_bytes());
                return Ok(());
            }
            (_, Ok(narrow)) => narrow,
            (NumberWidth::ByValue, Err(_)) => {
                self.put_u32(header | header::FLAG_64);
                self.out.put_array(value.to_le_bytes());
                return Ok(());
            }
            (NumberWidth::Written32, Err(_)) => {
                self.replace(ty, "its ints have 32 bits")?;
                value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
            }
        };
        self.put_u32(header);
        self.put_u32(narrow as u32);
        Ok(())
    }

    fn float(mut self, value: f64) -> Result<(), Refusal> {
        let ty = VariantType::Float;
        let header = self.id(ty)?;
        let narrow = value as f32;
        let exact = f64::from(narrow) == value;
        match self.dialect.float {
            NumberWidth::ByValue if exact => {}
            NumberWidth::ByValue | NumberWidth::Always64 => {
                let by_value = self.dialect.float == NumberWidth::ByValue;
                self.put_u32(if by_value { header | header::FLAG_64 } else { header });
                self.out.put_array(value.to_le_bytes());
                return Ok(());
            }
            NumberWidth::Written32 if narrow.is_infinite() && value.is_finite() => {
                self.replace(ty, "its floats have 32 bits")?;
            }
            NumberWidth::Written32 => {}
        }
        self.put_u32(header);
        self.put_u32(narrow.to_bits());
        Ok(())
    }

    fn string(mut self, kind: StringKind, text: Text<'_>) -> Result<(), Refusal> {
        let mut ty = kind.variant_type();
        if !self.has(ty) {
            self.replace(ty, "it does not have this type")?;
            ty = VariantType::String;
        }
        let header = self.id(ty)?;
        self.put_u32(header);
        self.put_text(ty, text)
    }

    fn reals<const N: usize>(
        mut self,
        ty: VariantType,
        components: &[Real; N],
    ) -> Result<(), Refusal> {
        if !self.has(ty) {
            self.replace(ty, "it does not have this type")?;
            return match ty {
                VariantType::Projection => self.packed(PackedType::Float32, cast_slice(components)),
                VariantType::Vector4 => self.reals(VariantType::Quaternion, components),
                _ => Err(self.refusal(ty, "it does not have this type")),
            };
        }
        let wide = self.put_float_header(ty)?;
        self.put_floats(components, wide);
        Ok(())
    }

    fn ints<const N: usize>(
        mut self,
        ty: VariantType,
        components: &[i32; N],
    ) -> Result<(), Refusal> {
        if !self.has(ty) {
            self.replace(ty, "it does not have this type")?;
            let nearest = match ty {
                VariantType::Vector2i => VariantType::Vector2,
                VariantType::Vector3i => VariantType::Vector3,
                VariantType::Rect2i => VariantType::Rect2,
                _ => VariantType::Quaternion,
            };
            return self.reals(nearest, &components.map(|part| part as Real));
        }
        let header = self.id(ty)?;
        self.put_u32(header);
        self.out.put(cast_slice(components));
        Ok(())
    }

    fn color(mut self, components: &[f32; 4]) -> Result<(), Refusal> {
        let wide = self.put_float_header(VariantType::Color)?;
        self.put_floats(components, wide);
        Ok(())
    }

    fn node_path(mut self, path: NodePathRef<'_>) -> Result<(), Refusal> {
        let ty = VariantType::NodePath;
        let header = self.id(ty)?;
        let has_property =
            self.dialect.node_paths == NodePathForms::NamesAndProperty && !path.subnames.is_empty();
        let subname_count = path.subnames.len() - usize::from(has_property);
        self.put_u32(header);
        self.put_u32(checked_len(ty, path.names.len())? | header::NODE_PATH_NEW_FORMAT);
        self.put_u32(checked_len(ty, subname_count)?);
        let absolute = if path.absolute { header::NODE_PATH_ABSOLUTE } else { 0 };
        let property = if has_property { header::NODE_PATH_EXTRA_SUBNAME } else { 0 };
        self.put_u32(absolute | property);
        let mut names = path.names.iter().chain(path.subnames);
        names.try_for_each(|name| self.put_text(ty, *name))
    }

    fn rid(mut self, id: u64) -> Result<(), Refusal> {
        let ty = VariantType::Rid;
        match self.dialect.rids {
            RidForm::Unsupported => {
                self.replace(ty, "it has no format for RIDs")?;
                return self.nil();
            }
            RidForm::HeaderOnly if id != 0 => self.replace(ty, "it does not keep the id")?,
            RidForm::HeaderOnly | RidForm::Id => {}
        }
        let header = self.id(ty)?;
        self.put_u32(header);
        if self.dialect.rids == RidForm::Id {
            self.out.put_array(id.to_le_bytes());
        }
        Ok(())
    }

    fn null_object(mut self) -> Result<(), Refusal> {
        let ty = VariantType::Object;
        match self.dialect.objects {
            ObjectForms::Engine => return self.nil(),
            ObjectForms::Unsupported => {
                self.replace(ty, "it has no format for objects")?;
                return self.nil();
            }
            ObjectForms::NullOnly | ObjectForms::NullWithoutClass => {}
        }
        let header = self.id(ty)?;
        self.put_u32(header);
        if self.dialect.objects == ObjectForms::NullWithoutClass {
            self.put_u32(0);
        }
        Ok(())
    }

    fn object_id(mut self, id: u64) -> Result<(), Refusal> {
        let ty = VariantType::Object;
        match self.dialect.objects {
            ObjectForms::Unsupported | ObjectForms::NullOnly => {
                self.replace(ty, "it has no format for objects")?;
                return self.nil();
            }
            ObjectForms::Engine | ObjectForms::NullWithoutClass => {}
        }
        let header = self.id(ty)? | header::FLAG_OBJECT_AS_ID;
        self.put_u32(header);
        self.out.put_array(id.to_le_bytes());
        Ok(())
    }

    fn object(mut self, class: Text<'_>, property_count: usize) -> Result<Self::Object, Refusal> {
        let ty = VariantType::Object;
        match self.dialect.objects {
            ObjectForms::Unsupported | ObjectForms::NullOnly => {
                self.replace(ty, "it has no format for objects")?;
                let any = ContainerTypeRef::Any;
                let dictionary = self.dictionary(any, any, property_count)?;
                return Ok(DialectContent { names_are_keys: true, ..dictionary });
            }
            ObjectForms::Engine | ObjectForms::NullWithoutClass => {}
        }
        check_class(class)?;
        let header = self.id(ty)?;
        self.put_u32(header);
        self.put_text(ty, class)?;
        self.open(ty, property_count)
    }

    fn callable(mut self) -> Result<(), Refusal> {
        let ty = VariantType::Callable;
        if !self.has(ty) {
            self.replace(ty, "it does not have this type")?;
            return self.nil();
        }
        let header = self.id(ty)?;
        self.put_u32(header);
        Ok(())
    }

    fn signal(mut self, name: Text<'_>, object_id: u64) -> Result<(), Refusal> {
        let ty = VariantType::Signal;
        if !self.has(ty) {
            self.replace(ty, "it does not have this type")?;
            return self.nil();
        }
        let header = self.id(ty)?;
        self.put_u32(header);
        self.put_text(ty, name)?;
        self.out.put_array(object_id.to_le_bytes());
        Ok(())
    }

    fn dictionary(
        mut self,
        key_type: ContainerTypeRef<'_>,
        value_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Dictionary, Refusal> {
        let ty = VariantType::Dictionary;
        let types = [
            (key_type, header::DICTIONARY_KEY_SHIFT),
            (value_type, header::DICTIONARY_VALUE_SHIFT),
        ];
        self.put_container_head(ty, TypedContainers::ArraysAndDictionaries, &types)?;
        self.open(ty, count)
    }

    fn array(
        mut self,
        element_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Array, Refusal> {
        let ty = VariantType::Array;
        let types = [(element_type, header::ARRAY_ELEMENT_SHIFT)];
        self.put_container_head(ty, TypedContainers::Arrays, &types)?;
        self.open(ty, count)
    }

    fn packed(mut self, packed: PackedType, elements: &[u8]) -> Result<(), Refusal> {
        let ty = packed.variant_type();
        if !self.has(ty) {
            return match packed {
                PackedType::Int64 => self.array_of(ty, elements, |sink, int| sink.int(int)),
                PackedType::Float64 => self.array_of(ty, elements, |sink, float| sink.float(float)),
                PackedType::Vector4 => self.array_of(ty, elements, |sink, parts: [Real; 4]| {
                    sink.reals(VariantType::Vector4, &parts)
                }),
                _ => Err(self.refusal(ty, "it does not have this type")),
            };
        }
        checked_len(ty, elements.len())?;
        let count = checked_len(ty, elements.len() / packed.element_len())?;
        let has_floats = packed.real_count().is_some() || packed == PackedType::Color;
        let wide = if has_floats {
            self.put_float_header(ty)?
        } else {
            let header = self.id(ty)?;
            self.put_u32(header);
            false
        };
        self.put_u32(count);
        if packed == PackedType::Int64 && self.dialect.int64_count_len == 8 {
            self.put_u32(0);
        }
        if wide {
            self.put_floats(&pod_collect_to_vec(elements), wide);
        } else {
            self.out.put(elements);
            self.out.put_zeros(header::padding(elements.len()));
        }
        Ok(())
    }

    fn packed_strings(mut self, count: usize) -> Result<Self::Strings, Refusal> {
        let ty = VariantType::PackedStringArray;
        let header = self.id(ty)?;
        self.put_u32(header);
        self.put_u32(checked_len(ty, count)?);
        Ok(DialectContent { place: self, names_are_keys: false })
    }
}
