//! Values that contain objects of registered classes, as a source.

use godot::builtin::{AnyArray, AnyDictionary, StringName, Variant, VariantType};
use godot::classes::Object;
use godot::obj::Gd;
use godot_variant::{
    ArraySink, ContainerTypeRef, DictionarySink, ObjectSink, Refusal, Segment, Sink, Source, Text,
};

use crate::engine::{EngineValue, Objects};
use crate::fast_variant_schema::does_not_fit;
use crate::o3de_json::classes::Classes;

/// A setter or getter has freed its object.
pub(super) const FREED: &str = "the object freed itself while its properties were read or set";

/// A Variant whose objects are emitted with the fields of their registered class.
pub(super) struct ValueWithObjects<'v> {
    variant: &'v Variant,
    classes: &'v Classes,
}

impl<'v> ValueWithObjects<'v> {
    pub(super) fn new(variant: &'v Variant, classes: &'v Classes) -> Self {
        Self { variant, classes }
    }

    fn object<S: Sink>(&self, object: &Gd<Object>, sink: S) -> Result<(), Refusal> {
        let Some(class) = self.classes.of_object(object) else {
            return Err(does_not_fit(
                "an object of a class that is not registered is not valid here",
            ));
        };
        let fields = self.classes.registry.fields(class);
        let mut properties = sink.object(Text::Utf8(class), fields.len())?;
        for field in fields {
            let value = property(object, &StringName::from(&*field.name))?;
            let place = properties.property(Text::Utf8(&field.name))?;
            let emitted = ValueWithObjects::new(&value, self.classes).emit(place);
            emitted.map_err(|refusal| refusal.at(Segment::Property(field.name.clone())))?;
        }
        properties.end()
    }

    /// A getter may change the array meanwhile: elements that are gone are null.
    fn array<S: Sink>(&self, array: &AnyArray, sink: S) -> Result<(), Refusal> {
        let count = array.len();
        let mut elements = sink.array(ContainerTypeRef::Any, count)?;
        for index in 0..count {
            let element = array.get(index).unwrap_or_default();
            let emitted = ValueWithObjects::new(&element, self.classes).emit(elements.element());
            emitted.map_err(|refusal| refusal.at(Segment::Index(index)))?;
        }
        elements.end()
    }

    fn dictionary<S: Sink>(&self, dictionary: &AnyDictionary, sink: S) -> Result<(), Refusal> {
        let any = ContainerTypeRef::Any;
        let pairs: Vec<(Variant, Variant)> = dictionary.iter_shared().collect();
        let mut entries = sink.dictionary(any, any, pairs.len())?;
        for (index, (key, value)) in pairs.iter().enumerate() {
            let emitted = EngineValue::new(key, Objects::AsIds).emit(entries.key());
            emitted.map_err(|refusal| refusal.at(Segment::EntryKey(index)))?;
            let emitted = ValueWithObjects::new(value, self.classes).emit(entries.value());
            emitted.map_err(|refusal| refusal.at(Segment::EntryKey(index)))?;
        }
        entries.end()
    }
}

impl Source for ValueWithObjects<'_> {
    fn emit<S: Sink>(&self, sink: S) -> Result<(), Refusal> {
        match self.variant.get_type() {
            VariantType::OBJECT => match self.variant.try_to::<Gd<Object>>() {
                Ok(object) => self.object(&object, sink),
                Err(_) => sink.null_object(),
            },
            VariantType::ARRAY => self.array(&self.variant.to::<AnyArray>(), sink),
            VariantType::DICTIONARY => self.dictionary(&self.variant.to::<AnyDictionary>(), sink),
            _ => EngineValue::new(self.variant, Objects::AsIds).emit(sink),
        }
    }
}

/// A property of an object, whose getter may free the object.
pub(super) fn property(object: &Gd<Object>, name: &StringName) -> Result<Variant, Refusal> {
    if !object.is_instance_valid() {
        return Err(does_not_fit(FREED));
    }
    Ok(object.get(name))
}
