//! Whether a property is on the list, with a value of its shape.

use godot_variant::{NodePath, Value};

use crate::document::{Property, Section};
use crate::harmless::shape::{self, Shape, Surroundings};
use crate::harmless::{Holder, Judge, list, paths, tags};
use crate::quote::quote;

impl<'d> Judge<'_, 'd> {
    pub(super) fn property(
        &mut self,
        holder: &Holder,
        section: Section<'d>,
        property: Property<'d>,
        key: &[u8],
    ) {
        // Without a class the tag is refused already.
        let Some(class) = holder.class else { return };
        let Ok(key) = std::str::from_utf8(key) else {
            return self.refuse(property.key_span(), "the key is not text");
        };
        let Ok(value) = property.value() else {
            return self.refuse(property.value_span(), "the value cannot be read");
        };
        let around = Around { judge: self, section, depth: holder.depth };
        let Some(shape) = class.property(key) else {
            if self.is_own_property(holder, key, &value, &around) {
                self.add_content(section, (key, &Shape::Data), &value, property.source());
            } else {
                let of = if class.name == "*" {
                    "a node of another scene".to_owned()
                } else {
                    format!("`{}`", class.name)
                };
                let message = format!(
                    "the property {} of {of} is not known to be harmless",
                    quote(key.as_bytes())
                );
                self.refuse(property.key_span(), message);
            }
            return;
        };
        if !shape.fits(&value, &around) {
            let message = format!(
                "{} is known to be harmless only as {}",
                quote(key.as_bytes()),
                shape.describe()
            );
            return self.refuse(property.value_span(), message);
        }
        self.add_content(section, (key, shape), &value, property.source());
    }

    /// A script that the list of who asks names, and properties of such scripts that it names.
    fn is_own_property(
        &self,
        holder: &Holder,
        key: &str,
        value: &Value,
        around: &Around<'_, '_, 'd>,
    ) -> bool {
        if key == "script" {
            return match shape::reference(value) {
                Some(("ExtResource", id)) => {
                    self.ext_path(id.as_bytes()).is_some_and(|path| self.lists_path(&path))
                }
                // On a node of another scene it would take away the script that is there.
                _ => {
                    matches!(value, Value::Nil)
                        && holder.class.is_some_and(|class| class.name != "*")
                }
            };
        }
        let names = self.context.allow_list.and_then(|list| list.properties.as_ref());
        holder.is_own
            && names.is_some_and(|names| names.contains(key))
            && Shape::Data.fits(value, around)
    }
}

/// The possible targets of a value of this section.
struct Around<'j, 'c, 'd> {
    judge: &'j Judge<'c, 'd>,
    section: Section<'d>,
    depth: Option<usize>,
}

impl Surroundings for Around<'_, '_, '_> {
    fn is_resource(&self, construct: &str, id: &str, classes: &[&str]) -> bool {
        let context = self.judge.context;
        match construct {
            // The file of an `ext_resource` is judged itself, and Godot drops a value of the wrong class.
            "ExtResource" => context.ext_resources.find(id.as_bytes()).is_some(),
            _ => context.sub_resources.find(id.as_bytes()).is_some_and(|found| {
                found.section.index() < self.section.index()
                    && tags::class_of(found.section).is_some_and(|class: &list::Class| {
                        classes.iter().any(|wanted| class.inherits(wanted))
                    })
            }),
        }
    }

    fn is_inside(&self, path: &NodePath) -> bool {
        paths::is_inside(path, self.depth)
    }

    fn vertex_count(&self) -> usize {
        let mut properties = self.section.properties();
        let vertices = properties.find(|property| property.engine_key().as_ref() == b"vertices");
        vertices
            .and_then(|property| property.value().ok())
            .map_or(0, |value| shape::element_count(&value))
    }
}
