//! The classes that are registered, and how an object of each is made.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use godot::builtin::{Callable, StringName, Variant};
use godot::classes::{ClassDb, Object, ResourceLoader, Script};
use godot::obj::{Gd, InstanceId, Singleton};
use o3de_json::{Class, Registry, SchemaError};

/// What an object of a class is made of.
#[derive(Clone, Debug)]
pub(crate) enum Maker {
    /// A script. It is not kept alive: the engine wants to free all of them before the library goes.
    Script { id: InstanceId, path: String, factory: Option<Factory> },
    /// A class of the engine's.
    Engine(String),
}

/// A method that makes an object. Nothing of it is kept alive, as of scripts.
#[derive(Clone, Debug)]
pub(crate) struct Factory {
    /// Who has the method: often the script.
    owner: InstanceId,
    method: String,
}

impl Factory {
    /// # Errors
    /// It is not the method of an object.
    pub(crate) fn new(callable: &Callable) -> Result<Factory, String> {
        match (callable.object(), callable.method_name()) {
            (Some(object), Some(method)) if !callable.is_custom() => {
                Ok(Factory { owner: object.instance_id(), method: method.to_string() })
            }
            _ => Err(
                "the option `factory` is a lambda or bound, which cannot be kept: use a static \
                      function of the script"
                    .to_owned(),
            ),
        }
    }

    /// A new object of `script`, which was registered as `known`.
    fn make(&self, name: &str, script: &Gd<Script>, known: InstanceId) -> Result<Variant, String> {
        let owner = match self.owner == known {
            true => Some(script.clone().upcast::<Object>()),
            false => Gd::try_from_instance_id(self.owner).ok(),
        };
        let Some(mut owner) = owner else {
            return Err(format!(
                "the object whose method makes a `{name}` was freed: keep a reference to it"
            ));
        };
        let made = owner.call(self.method.as_str(), &[]);
        match made.try_to::<Gd<Object>>() {
            Ok(object) if object.get_script().as_ref() == Some(script) => Ok(made),
            Ok(object) => {
                drop(made);
                super::objects::free(object);
                Err(format!("the factory of `{name}` creates an object of another script"))
            }
            Err(_) => Err(format!("the factory of `{name}` does not create an object")),
        }
    }
}

/// What was registered, at one moment: calls keep the state that they began with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    pub(crate) registry: Registry,
    makers: HashMap<Box<str>, Maker>,
    enums: HashMap<Box<str>, o3de_json::EnumSchema>,
}

static CLASSES: RwLock<Option<Arc<Classes>>> = RwLock::new(None);

/// The classes as they are now.
pub(crate) fn current() -> Arc<Classes> {
    let classes = CLASSES.read().unwrap_or_else(PoisonError::into_inner);
    classes.as_ref().map(Arc::clone).unwrap_or_default()
}

/// Changes the classes; a change that fails changes nothing.
pub(crate) fn change<R>(
    change: impl FnOnce(&mut Classes) -> Result<R, SchemaError>,
) -> Result<R, SchemaError> {
    let mut place = CLASSES.write().unwrap_or_else(PoisonError::into_inner);
    let mut classes = place.as_deref().cloned().unwrap_or_default();
    let result = change(&mut classes)?;
    *place = Some(Arc::new(classes));
    Ok(result)
}

impl Classes {
    /// Adds a class and how it is made.
    pub(crate) fn register(&mut self, class: Class, maker: Maker) -> Result<(), SchemaError> {
        let name = class.full_name.clone();
        self.registry.register(class)?;
        self.makers.insert(name, maker);
        Ok(())
    }

    /// Forgets a class or an enum.
    pub(crate) fn unregister(&mut self, name: &str) -> Result<bool, SchemaError> {
        self.makers.remove(name);
        let is_enum = self.enums.remove(name).is_some();
        Ok(self.registry.unregister(name)? || is_enum)
    }

    /// Adds an enum by name, in the place of one that had the name.
    pub(crate) fn register_enum(&mut self, name: &str, values: o3de_json::EnumSchema) {
        self.enums.insert(name.into(), values);
    }

    pub(crate) fn enumeration(&self, name: &str) -> Option<&o3de_json::EnumSchema> {
        self.enums.get(name)
    }

    /// The class of a script, by its full name.
    pub(crate) fn of_script(&self, script: &Gd<Script>) -> Option<&str> {
        let (id, path) = (script.instance_id(), script.get_path().to_string());
        let is_it = |maker: &Maker| match maker {
            Maker::Script { id: known, path: known_path, .. } => {
                *known == id || (!path.is_empty() && *known_path == path)
            }
            Maker::Engine(_) => false,
        };
        self.makers.iter().find(|(_, maker)| is_it(maker)).map(|(name, _)| &**name)
    }

    /// The class of an object, by its full name.
    pub(crate) fn of_object(&self, object: &Gd<Object>) -> Option<&str> {
        if let Some(script) = object.get_script() {
            return self.of_script(&script);
        }
        let class = object.get_class().to_string();
        let is_it = |maker: &Maker| matches!(maker, Maker::Engine(known) if *known == class);
        self.makers.iter().find(|(_, maker)| is_it(maker)).map(|(name, _)| &**name)
    }

    /// A new object of a class.
    ///
    /// # Errors
    /// It is not registered, or cannot be made.
    pub(crate) fn make(&self, name: &str) -> Result<Variant, String> {
        match self.makers.get(name) {
            Some(maker) => maker.make(name),
            None => Err(format!("no class `{name}` is registered: register it")),
        }
    }
}

impl Maker {
    /// A new object of the class `name`, or whatever the script's code gives for one.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn make(&self, name: &str) -> Result<Variant, String> {
        match self {
            Maker::Engine(class) => {
                let object = ClassDb::singleton().instantiate(&StringName::from(class.as_str()));
                if object.is_nil() {
                    Err(format!("the engine cannot create a `{class}`"))
                } else {
                    Ok(object)
                }
            }
            Maker::Script { id, path, factory } => {
                let known = Gd::<Script>::try_from_instance_id(*id).ok();
                let Some(mut script) = known.or_else(|| reloaded(path)) else {
                    return Err(format!(
                        "the script of the class `{name}` was freed: keep a reference to it"
                    ));
                };
                match factory {
                    Some(factory) => factory.make(name, &script, *id),
                    None => Ok(script.call("new", &[])),
                }
            }
        }
    }
}

/// The script of a class whose own was freed, from the path that was registered: never one of data.
fn reloaded(path: &str) -> Option<Gd<Script>> {
    if path.is_empty() || !path.starts_with("res://") || path.contains("::") {
        return None;
    }
    ResourceLoader::singleton().load(path)?.try_cast().ok()
}
