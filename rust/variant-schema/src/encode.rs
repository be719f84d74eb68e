//! From values to bits.

mod content;
pub(crate) mod leaf;

use std::borrow::Cow;

use godot_variant::{
    ContainerTypeRef, NodePath, NodePathRef, PackedType, Real, Refusal, RefusalKind, Segment, Sink,
    StringKind, Text, Value, VariantType,
};

use crate::bits::BitWriter;
use crate::encode::content::{Choice, Elements, Entries, Fields, Properties, Texts};
use crate::layout::{Count, Layout, Node};

/// How deep objects may be in each other.
pub(crate) const MAX_DEPTH: usize = 100;

/// A place for one value.
pub struct Place<'p> {
    layout: &'p Layout,
    node: &'p Node,
    bits: &'p mut BitWriter,
    depth: usize,
    /// In the place of a name: it chooses the field, and is not written.
    choice: Option<&'p Choice<'p>>,
}

impl<'p> Place<'p> {
    pub(crate) fn new(layout: &'p Layout, bits: &'p mut BitWriter) -> Self {
        Self::of(layout, &layout.root, bits)
    }

    pub(crate) fn of(layout: &'p Layout, node: &'p Node, bits: &'p mut BitWriter) -> Self {
        Self { layout, node, bits, depth: 0, choice: None }
    }

    /// The place for a value that is not null.
    #[inline]
    fn present(mut self) -> Self {
        while let Node::Optional(item) = self.node {
            self.bits.put(1, 1);
            self.node = item;
        }
        self
    }

    /// The place for null.
    fn absent(self) -> Result<(), Refusal> {
        if !matches!(self.node, Node::Optional(_)) {
            return Err(self.misfit("null"));
        }
        self.bits.put(0, 1);
        Ok(())
    }

    #[cold]
    fn misfit(&self, found: impl Into<Cow<'static, str>>) -> Refusal {
        let expected = leaf::expected(self.node, self.layout);
        does_not_fit(format!("{} is not a valid value here; expected {expected}", found.into()))
    }

    fn put_count(&mut self, count: usize, of: Count, what: VariantType) -> Result<(), Refusal> {
        match of {
            Count::Fixed(size) if size != count => Err(does_not_fit(format!(
                "a {what} of {count} is not valid here; expected {size} elements"
            ))),
            Count::Fixed(_) => Ok(()),
            Count::UpTo(most) if count > most => Err(does_not_fit(format!(
                "a {what} of {count} is not valid here; expected at most {most} elements"
            ))),
            Count::UpTo(most) => {
                self.bits.put(count as u64, crate::bits::width_of(most as u64));
                Ok(())
            }
            Count::Any => {
                self.bits.put_varint(count as u64);
                Ok(())
            }
        }
    }

    fn record(
        self,
        fields: &'p [crate::layout::Field],
        what: VariantType,
    ) -> Result<Fields<'p>, Refusal> {
        if self.depth >= MAX_DEPTH {
            return Err(Refusal::new(RefusalKind::TooDeep { limit: MAX_DEPTH }));
        }
        Ok(Fields::new(self.layout, fields, self.bits, (self.depth + 1, what)))
    }
}

/// A value that the schema does not allow.
#[cold]
pub(crate) fn does_not_fit(reason: String) -> Refusal {
    Refusal::new(RefusalKind::DoesNotFit { reason })
}

/// The step of a path to a field of an object or a dictionary.
#[cold]
pub(crate) fn segment(name: &str, what: VariantType) -> Segment {
    match what {
        VariantType::Object => Segment::Property(name.into()),
        _ => Segment::Key(Value::from(name)),
    }
}

impl<'p> Sink for Place<'p> {
    type Array = Elements<'p>;
    type Dictionary = Entries<'p>;
    type Object = Properties<'p>;
    type Strings = Texts<'p>;

    fn nil(self) -> Result<(), Refusal> {
        self.absent()
    }

    #[inline]
    fn bool(self, value: bool) -> Result<(), Refusal> {
        let place = self.present();
        match place.node {
            Node::Bool => {
                place.bits.put(value.into(), 1);
                Ok(())
            }
            _ => Err(place.misfit("a bool")),
        }
    }

    #[inline]
    fn int(self, value: i64) -> Result<(), Refusal> {
        let place = self.present();
        match place.node {
            Node::Integer(form) => leaf::integer(*form, value, place.bits),
            Node::Constant { numbers, other } => leaf::constant(numbers, *other, value, place.bits),
            Node::Float(form) => leaf::integer_as_float(*form, value, place.bits),
            _ => Err(place.misfit("an int")),
        }
    }

    #[inline]
    fn float(self, value: f64) -> Result<(), Refusal> {
        let place = self.present();
        match place.node {
            Node::Float(form) => leaf::float(*form, value, place.bits),
            _ => Err(place.misfit("a float")),
        }
    }

    fn string(self, _: StringKind, text: Text<'_>) -> Result<(), Refusal> {
        let place = self.present();
        if let Some(choice) = place.choice {
            return choice.choose(text);
        }
        leaf::text(place.node, text, place.bits).unwrap_or_else(|| Err(place.misfit("a text")))
    }

    #[inline]
    fn reals<const N: usize>(self, ty: VariantType, components: &[Real; N]) -> Result<(), Refusal> {
        let place = self.present();
        match place.node {
            Node::Reals { ty: expected, form } if *expected == ty => {
                let mut components = components.iter();
                components.try_for_each(|part| leaf::float(*form, f64::from(*part), place.bits))
            }
            Node::Rotation { bits } if ty == VariantType::Quaternion => {
                let parts: Option<[f32; 4]> = components.as_slice().try_into().ok();
                leaf::rotation(parts, *bits, place.bits)
            }
            _ => Err(place.misfit(format!("a {ty}"))),
        }
    }

    #[inline]
    fn ints<const N: usize>(self, ty: VariantType, components: &[i32; N]) -> Result<(), Refusal> {
        let place = self.present();
        match place.node {
            Node::Ints { ty: expected, form } if *expected == ty => {
                let mut components = components.iter();
                components.try_for_each(|part| leaf::integer(*form, i64::from(*part), place.bits))
            }
            _ => Err(place.misfit(format!("a {ty}"))),
        }
    }

    #[inline]
    fn color(self, components: &[f32; 4]) -> Result<(), Refusal> {
        let place = self.present();
        match place.node {
            Node::Color(form) => {
                let mut components = components.iter();
                components.try_for_each(|part| leaf::float(*form, f64::from(*part), place.bits))
            }
            _ => Err(place.misfit("a Color")),
        }
    }

    fn node_path(self, path: NodePathRef<'_>) -> Result<(), Refusal> {
        let (path, place) = (path.to_owned(), self.present());
        let text = path.to_string();
        if NodePath::from_text(&text) != path {
            return Err(place.misfit("a NodePath that its text does not give"));
        }
        leaf::text(place.node, Text::Utf8(&text), place.bits)
            .unwrap_or_else(|| Err(place.misfit("a NodePath")))
    }

    fn rid(self, _: u64) -> Result<(), Refusal> {
        Err(self.misfit("an RID"))
    }

    fn null_object(self) -> Result<(), Refusal> {
        self.absent()
    }

    fn object_id(self, _: u64) -> Result<(), Refusal> {
        Err(self.misfit("an object of a class that is not registered"))
    }

    fn object(self, class: Text<'_>, _: usize) -> Result<Properties<'p>, Refusal> {
        let place = self.present();
        let Node::Object(index) = place.node else {
            return Err(place.misfit(format!("an object of `{}`", leaf::short(class))));
        };
        let expected = &place.layout.classes[*index];
        if !leaf::is(class, &expected.name) {
            return Err(place.misfit(format!("an object of `{}`", leaf::short(class))));
        }
        Ok(Properties(place.record(&expected.fields, VariantType::Object)?))
    }

    fn callable(self) -> Result<(), Refusal> {
        Err(self.misfit("a Callable"))
    }

    fn signal(self, _: Text<'_>, _: u64) -> Result<(), Refusal> {
        Err(self.misfit("a Signal"))
    }

    fn dictionary(
        self,
        _: ContainerTypeRef<'_>,
        _: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Entries<'p>, Refusal> {
        let mut place = self.present();
        match place.node {
            Node::Record(fields) => {
                Ok(Entries::Record(place.record(fields, VariantType::Dictionary)?))
            }
            Node::Map { key, value, count: of } => {
                place.put_count(count, *of, VariantType::Dictionary)?;
                Ok(Entries::map(place.layout, (key, value), place.bits, place.depth))
            }
            _ => Err(place.misfit("a Dictionary")),
        }
    }

    fn array(self, _: ContainerTypeRef<'_>, count: usize) -> Result<Elements<'p>, Refusal> {
        let mut place = self.present();
        match place.node {
            Node::Array { item, count: of } => {
                place.put_count(count, *of, VariantType::Array)?;
                Ok(Elements::array(place.layout, item, place.bits, place.depth))
            }
            Node::Tuple(items) => {
                place.put_count(count, Count::Fixed(items.len()), VariantType::Array)?;
                Ok(Elements::tuple(place.layout, items, place.bits, place.depth))
            }
            _ => Err(place.misfit("an Array")),
        }
    }

    fn packed(self, ty: PackedType, elements: &[u8]) -> Result<(), Refusal> {
        let mut place = self.present();
        match place.node {
            Node::Packed { ty: expected, form, count } if *expected == ty => {
                let length = elements.len() / ty.element_len();
                place.put_count(length, *count, ty.variant_type())?;
                leaf::packed((ty, *form), elements, place.bits)
            }
            _ => Err(place.misfit(format!("a {}", ty.variant_type()))),
        }
    }

    fn packed_strings(self, count: usize) -> Result<Texts<'p>, Refusal> {
        let mut place = self.present();
        match place.node {
            Node::Strings { count: of, .. } => {
                place.put_count(count, *of, VariantType::PackedStringArray)?;
                Ok(Texts::new(place.node, place.bits))
            }
            _ => Err(place.misfit("a PackedStringArray")),
        }
    }
}
