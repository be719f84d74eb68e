//! The classes that data may name.
//!
//! Nothing else can be made from a `$type`: data never loads a script.

mod type_id;

pub use type_id::TypeId;

use godot_variant::{Object, Value};
use indexmap::IndexMap;

use crate::schema::{OBJECT, SchemaError};
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
    /// The type, if it is a built-in type and not a class.
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
    /// In the order of their registration, by full name.
    classes: IndexMap<Box<str>, Registered>,
    /// Other names of classes.
    aliases: Vec<(Box<str>, Box<str>)>,
}

/// A class with what is asked for again and again.
#[derive(Clone, Debug)]
struct Registered {
    class: Class,
    /// The fields of the bases, then its own.
    all_fields: Vec<Field>,
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
        let inherited = class.bases.iter().flat_map(|base| self.fields(base));
        let mut all_fields: Vec<Field> = inherited.cloned().collect();
        for field in &class.fields {
            // A field that says again what a base says gives it another default.
            match all_fields.iter_mut().find(|known| known.name == field.name) {
                Some(known) => known.clone_from(field),
                None => all_fields.push(field.clone()),
            }
        }
        self.classes.insert(class.full_name.clone(), Registered { class, all_fields });
        Ok(())
    }

    /// Forgets a class and its aliases, and says whether it was registered.
    ///
    /// # Errors
    /// If another class has it as its base.
    pub fn unregister(&mut self, full_name: &str) -> Result<bool, SchemaError> {
        let mut classes = self.classes.values().map(|registered| &registered.class);
        if let Some(class) = classes.find(|class| class.bases.iter().any(|b| **b == *full_name)) {
            return Err(SchemaError(format!(
                "the class `{}` derives from `{full_name}`: unregister it first",
                class.full_name
            )));
        }
        self.aliases.retain(|(_, class)| **class != *full_name);
        Ok(self.classes.shift_remove(full_name).is_some())
    }

    /// Lets a `$type` name a class in another way, e.g. by its name in another engine.
    ///
    /// ```
    /// use o3de_json::{Class, Json, Registry, TypeId};
    /// let mut registry = Registry::default();
    /// registry.register(Class { full_name: "Hero".into(), name: "Hero".into(), ..Class::default() })?;
    /// registry.register_alias("Game::Hero", "Hero")?;
    /// let found = registry.load_type_id(&Json::from("game::hero"), None);
    /// assert_eq!(found, Ok(TypeId::Class("Hero".into())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the class is not registered, or the alias is the name of a class.
    pub fn register_alias(&mut self, alias: &str, full_name: &str) -> Result<(), SchemaError> {
        if self.class(full_name).is_none() {
            return Err(SchemaError(format!(
                "the class `{full_name}` is not registered: register it before its alias"
            )));
        }
        if self.named(alias).next().is_some() {
            return Err(SchemaError(format!("another class is already called `{alias}`")));
        }
        self.aliases.push((alias.into(), full_name.into()));
        Ok(())
    }

    /// The classes in the order of their registration.
    pub fn classes(&self) -> impl Iterator<Item = &Class> {
        self.classes.values().map(|registered| &registered.class)
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
            Kind::Record(fields) => {
                fields.iter().find_map(|field| self.unregistered_part(&field.schema))
            }
            _ => None,
        }
    }

    /// The class with this full name.
    pub fn class(&self, full_name: &str) -> Option<&Class> {
        self.classes.get(full_name).map(|registered| &registered.class)
    }

    /// The fields of a class, those of its bases first. None if it is not registered.
    pub fn fields(&self, full_name: &str) -> &[Field] {
        self.classes.get(full_name).map_or(&[], |registered| &registered.all_fields)
    }

    /// A new instance of a class, every field at its default.
    pub fn new_instance(&self, full_name: &str) -> Option<Object> {
        let class = self.class(full_name)?;
        let fields = self.fields(full_name).iter();
        let properties =
            fields.map(|field| (field.name.clone(), field.schema.default_value(self))).collect();
        Some(Object::Full { class: class.full_name.clone(), properties })
    }

    /// Whether `full_name` is `base` or derives from it, as everything does from `Object`.
    pub fn derives_from(&self, full_name: &str, base: &str) -> bool {
        full_name == base
            || base == OBJECT
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
