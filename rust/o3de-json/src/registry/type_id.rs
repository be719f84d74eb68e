//! What a `$type` names (`JsonDeserializer::LoadTypeId`, `JsonSerializer::StoreTypeName`).

use super::{Class, Registry};
use crate::kinds::class::TYPE_MEMBER;
use crate::kinds::uuid;
use crate::schema::OBJECT;
use crate::{Issue, Json, Outcome, ResultCode, Task};

/// The type that a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeId {
    /// A registered class, by its full name.
    Class(Box<str>),
    /// A UUID that no registered class has.
    Uuid(Box<str>),
}

impl Registry {
    /// What `json` names: a UUID anywhere in a text, otherwise a class by its name in any case. Of several classes with the
    /// name only those count that derive from `base`.
    ///
    /// An object names a type by its `$type`, and without one it is of the type `base`, which has to be registered.
    ///
    /// ```
    /// use o3de_json::{Json, Outcome, Registry};
    /// let object = Json::parse(r#"{"$type": "{0CC36DD4-2337-40B4-A86C-69C452C48555}"}"#)?;
    /// let found = Registry::default().load_type_id(&object, Some("Nobody"));
    /// assert_eq!(found.map_err(|issue| issue.code.outcome()), Err(Outcome::Unknown));
    /// # Ok::<(), o3de_json::JsonError>(())
    /// ```
    ///
    /// # Errors
    /// An issue with the outcome `Unknown` if `json` is neither, `base` is not registered, or not exactly one class has the
    /// name.
    pub fn load_type_id(&self, json: &Json, base: Option<&str>) -> Result<TypeId, Issue> {
        let found = match json {
            Json::String(text) => self.find_type(text, base),
            Json::Object(_) => self.type_of_object(json, base),
            _ => Err(not_a_name(json)),
        };
        found.map_err(|message| unknown(Task::ReadField, message))
    }

    fn type_of_object(&self, json: &Json, base: Option<&str>) -> Result<TypeId, String> {
        let Some(base) = base.filter(|base| self.is_known(base)) else {
            return Err(match base {
                Some(base) => format!("the class `{base}` is not registered: register it"),
                None => "only a string names a type where no base is expected".to_owned(),
            });
        };
        match json.member(TYPE_MEMBER) {
            Some(Json::String(text)) => self.find_type(text, Some(base)),
            Some(other) => Err(not_a_name(other)),
            None => Ok(TypeId::Class(base.into())),
        }
    }

    fn find_type(&self, text: &str, base: Option<&str>) -> Result<TypeId, String> {
        if let Some(found) = uuid::find_braced(text)
            && found != uuid::NULL
        {
            let class = self.classes().find(|class| class.uuid.eq_ignore_ascii_case(&found));
            return Ok(match class {
                Some(class) => TypeId::Class(class.full_name.clone()),
                None => TypeId::Uuid(found.into()),
            });
        }
        let name = text.trim();
        let mut found: Vec<&Class> = self.named(name).collect();
        if found.is_empty() {
            let alias = self.aliases.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
            found.extend(alias.and_then(|(_, class)| self.class(class)));
        }
        if found.len() > 1
            && let Some(base) = base
        {
            found.retain(|class| self.derives_from(&class.full_name, base));
        }
        match found[..] {
            [class] => Ok(TypeId::Class(class.full_name.clone())),
            [] => Err(format!("the class `{name}` is not registered: register it")),
            _ => {
                Err(format!("{} classes are called `{name}`: write a UUID before it", found.len()))
            }
        }
    }

    /// The name of a class for a `$type`, with its UUID if other classes have that name too.
    ///
    /// # Errors
    /// An issue with the outcome `Unknown` if the class is not registered.
    pub fn store_type_id(&self, full_name: &str) -> Result<String, Issue> {
        let Some(class) = self.class(full_name) else {
            let message = format!("the class `{full_name}` is not registered: register it");
            return Err(unknown(Task::RetrieveInfo, message));
        };
        Ok(match self.named(&class.name).count() {
            1 => class.name.to_string(),
            _ => format!("{} {}", class.uuid, class.name),
        })
    }

    /// Whether `full_name` is registered, or the base of all objects.
    pub(crate) fn is_known(&self, full_name: &str) -> bool {
        full_name == OBJECT || self.class(full_name).is_some()
    }

    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = &Class> {
        self.classes().filter(move |class| class.name.eq_ignore_ascii_case(name))
    }
}

fn not_a_name(json: &Json) -> String {
    format!("a type's name is a string, not {}", json.type_name())
}

fn unknown(task: Task, message: String) -> Issue {
    Issue::new("", message, ResultCode::new(task, Outcome::Unknown))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Settings, load};
    use godot_variant::Value;

    const HERO: &str = "{8651B6DA-9792-407C-A46D-A6E2E39CA900}";

    fn registry() -> Registry {
        let mut registry = Registry::default();
        for name in ["Unit", "Rock"] {
            let class = Class { full_name: name.into(), name: name.into(), ..Class::default() };
            registry.register(class).unwrap();
        }
        let hero = Class {
            full_name: "Game::Hero".into(),
            name: "Hero".into(),
            uuid: HERO.into(),
            bases: vec!["Unit".into()],
            ..Class::default()
        };
        registry.register(hero).unwrap();
        registry
    }

    fn found(json: &str, base: Option<&str>) -> Result<TypeId, ResultCode> {
        registry().load_type_id(&Json::parse(json).unwrap(), base).map_err(|issue| issue.code)
    }

    /// JsonDeserializer.cpp, `LoadTypeId`: an object has a type if a registered base is expected; a text has one without.
    #[test]
    fn types_of_objects_and_of_texts() {
        let (unit, hero) = (TypeId::Class("Unit".into()), TypeId::Class("Game::Hero".into()));
        let unknown = Err(ResultCode::new(Task::ReadField, Outcome::Unknown));
        let by_uuid = format!(r#"{{"$type": "{HERO}"}}"#);
        assert_eq!(found(&by_uuid, Some("Unit")), Ok(hero.clone()));
        assert_eq!(found(&by_uuid, Some("Nobody")), unknown);
        assert_eq!(found(&by_uuid, None), unknown);
        assert_eq!(found(r#"{"$type": " hero "}"#, Some("Unit")), Ok(hero.clone()));
        assert_eq!(found(r#"{"$type": 42}"#, Some("Unit")), unknown);
        assert_eq!(found(r#"{"$type": {"$type": "Hero"}}"#, Some("Unit")), unknown);
        assert_eq!(found(r#"{"hp": 1}"#, Some("Unit")), Ok(unit));
        assert_eq!(found(r#""Hero""#, Some("Nobody")), Ok(hero));
        assert_eq!(found("true", Some("Unit")), unknown);
    }

    #[test]
    fn names_of_unregistered_classes_are_unknown() {
        assert_eq!(registry().store_type_id("Game::Hero").as_deref(), Ok("Hero"));
        let issue = registry().store_type_id("Nobody").unwrap_err();
        assert_eq!(issue.code, ResultCode::new(Task::RetrieveInfo, Outcome::Unknown));
        assert!(issue.code.is_halted(), "{}", issue.message);
    }

    /// `LoadToPointer` and `Load` ask for the class before anything else.
    #[test]
    fn values_of_unregistered_classes_are_unknown() {
        let class = Kind::Class("Nobody".into());
        let unknown = ResultCode::new(Task::RetrieveInfo, Outcome::Unknown);
        for kind in [class.clone(), Kind::Pointer(Box::new(class.into()))] {
            for json in ["{}", r#"{"hp": 1}"#, r#"{"$type": "Hero"}"#] {
                let json = Json::parse(json).unwrap();
                let settings = Settings::default();
                let loaded = load(&json, &kind.clone().into(), None, &registry(), settings, None);
                assert_eq!((loaded.value, loaded.code), (Value::Nil, unknown), "{kind:?}");
            }
        }
    }
}
