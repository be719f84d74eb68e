//! The classes that data may name.
//!
//! Nothing else can be made from a `$type`: data never loads a script.

mod type_id;

pub use type_id::TypeId;

use variant::{Object, Value};

use crate::schema::SchemaError;
use crate::{Json, Kind, Schema};

/// A member of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name, as it is written.
    pub name: Box<str>,
    /// The type and the default.
    pub schema: Schema,
}

/// A class, or a built-in type that a `$type` may name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Class {
    /// The full name, of which there is one.
    pub full_name: Box<str>,
    /// The name that is written; several classes may share one.
    pub name: Box<str>,
    /// The UUID, upper-case with braces; empty if it has none.
    pub uuid: Box<str>,
    /// Full names of the base classes.
    pub bases: Vec<Box<str>>,
    /// Whether it cannot be made.
    pub is_abstract: bool,
    /// The type that stands for it, if it is a built-in type and no class.
    pub builtin: Option<Schema>,
    /// Its own fields, without those of its bases.
    pub fields: Vec<Field>,
}

/// The registered classes.
///
/// ```
/// use o3de_json::{Json, Registry};
/// let mut registry = Registry::default();
/// let hero = r#"{"fields": [{"name": "hp", "type": {"kind": "int", "repr": "u16"}, "default": 10}]}"#;
/// registry.register_json("Hero", &Json::parse(hero)?)?;
/// assert_eq!(registry.fields("Hero").len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    classes: Vec<Class>,
}

impl Registry {
    /// Adds a class. Its bases have to be there already.
    ///
    /// # Errors
    /// If the name is taken, a base is not registered, or a field's class is not.
    pub fn register(&mut self, class: Class) -> Result<(), SchemaError> {
        let full_name = &class.full_name;
        if self.class(full_name).is_some() {
            return Err(SchemaError(format!("the class `{full_name}` is registered already")));
        }
        if let Some(base) = class.bases.iter().find(|base| self.class(base).is_none()) {
            return Err(SchemaError(format!(
                "the base `{base}` of the class `{full_name}` is not registered: register it first"
            )));
        }
        for field in &class.fields {
            if let Some(inner) = self.unregistered_part(&field.schema) {
                return Err(SchemaError(format!(
                    "the class `{inner}` of the field `{full_name}.{}` is not registered: register \
                     it first, or use a pointer",
                    field.name
                )));
            }
        }
        self.classes.push(class);
        Ok(())
    }

    /// Adds a class that is described in JSON: `name`, `uuid`, `bases`, `abstract`, and `fields`,
    /// each with `name`, `type` and `default`; or `builtin` with the type `as`.
    ///
    /// # Errors
    /// As [`Registry::register`], and if the description is not one.
    pub fn register_json(&mut self, full_name: &str, json: &Json) -> Result<(), SchemaError> {
        let text = |json: &Json, name| json.member(name).and_then(Json::as_str).map(Box::from);
        let mut class = Class {
            full_name: full_name.into(),
            name: text(json, "name").unwrap_or_else(|| full_name.into()),
            uuid: text(json, "uuid").unwrap_or_default(),
            is_abstract: json.member("abstract") == Some(&Json::Bool(true)),
            ..Class::default()
        };
        for base in json.member("bases").and_then(Json::as_array).unwrap_or_default() {
            class.bases.extend(base.as_str().map(Box::from));
        }
        if let Some(builtin) = json.member("as") {
            class.builtin = Some(Schema::from_json(builtin, self)?);
        }
        for field in json.member("fields").and_then(Json::as_array).unwrap_or_default() {
            let (Some(name), Some(schema)) = (text(field, "name"), field.member("type")) else {
                return Err(SchemaError(format!(
                    "a field of the class `{full_name}` lacks `name` or `type`: add it"
                )));
            };
            let mut schema = Schema::from_json(schema, self)?;
            if let Some(default) = field.member("default") {
                schema.default = Some(schema.value_from_native(default, self)?);
            }
            class.fields.push(Field { name, schema });
        }
        self.register(class)
    }

    /// A class that a value of `schema` contains and that is not registered. One that contains
    /// itself would have no end.
    fn unregistered_part<'a>(&self, schema: &'a Schema) -> Option<&'a str> {
        match &schema.kind {
            Kind::Class(class) => self.class(class).is_none().then_some(class),
            Kind::FixedArray(_, item) => self.unregistered_part(item),
            Kind::Tuple(items) => items.iter().find_map(|item| self.unregistered_part(item)),
            _ => None,
        }
    }

    /// The class with this full name.
    pub fn class(&self, full_name: &str) -> Option<&Class> {
        self.classes.iter().find(|class| *class.full_name == *full_name)
    }

    /// The fields of a class, those of its bases first. None if it is not registered.
    pub fn fields(&self, full_name: &str) -> Vec<&Field> {
        let Some(class) = self.class(full_name) else { return Vec::new() };
        let inherited = class.bases.iter().flat_map(|base| self.fields(base));
        inherited.chain(&class.fields).collect()
    }

    /// A new instance of a class, every field at its default.
    pub fn new_instance(&self, full_name: &str) -> Option<Object> {
        let class = self.class(full_name)?;
        let fields = self.fields(full_name).into_iter();
        let properties =
            fields.map(|field| (field.name.clone(), field.schema.default_value(self))).collect();
        Some(Object::Full { class: class.full_name.clone(), properties })
    }

    /// Whether `full_name` is `base` or derives from it.
    pub fn derives_from(&self, full_name: &str, base: &str) -> bool {
        full_name == base
            || self.class(full_name).is_some_and(|class| {
                class.bases.iter().any(|parent| self.derives_from(parent, base))
            })
    }

    /// The schema of a registered class or built-in type.
    pub fn schema_of(&self, full_name: &str) -> Option<Schema> {
        let class = self.class(full_name)?;
        Some(class.builtin.clone().unwrap_or_else(|| Kind::Class(class.full_name.clone()).into()))
    }

    /// The class of an object, by its full name.
    pub(crate) fn class_of(value: &Value) -> Option<&str> {
        match value {
            Value::Object(object) => match &**object {
                Object::Full { class, .. } => Some(class),
                _ => None,
            },
            _ => None,
        }
    }
}
