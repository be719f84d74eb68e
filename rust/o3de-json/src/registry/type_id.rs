//! What a `$type` names (`JsonDeserializer::LoadTypeId`, `JsonSerializer::StoreTypeName`).

use super::{Class, Registry};
use crate::Json;
use crate::kinds::uuid;

/// The type that a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeId {
    /// A registered class, by its full name.
    Class(Box<str>),
    /// A UUID that no registered class has.
    Uuid(Box<str>),
}

impl Registry {
    /// What `json` names: a UUID anywhere in the text, otherwise a class by its name in any case.
    /// Of several classes with the name only those count that derive from `base`.
    ///
    /// # Errors
    /// A message if `json` is not a string, or not exactly one class has the name.
    pub fn load_type_id(&self, json: &Json, base: Option<&str>) -> Result<TypeId, String> {
        let Json::String(text) = json else {
            return Err(format!("a type's name is a string, not {}", json.type_name()));
        };
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
            [] => Err(format!("no registered class is called `{name}`: register it")),
            _ => {
                Err(format!("{} classes are called `{name}`: write a UUID before it", found.len()))
            }
        }
    }

    /// The name of a class for a `$type`, with its UUID if other classes have that name too.
    pub fn store_type_id(&self, full_name: &str) -> Option<String> {
        let class = self.class(full_name)?;
        Some(match self.named(&class.name).count() {
            1 => class.name.to_string(),
            _ => format!("{} {}", class.uuid, class.name),
        })
    }

    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = &Class> {
        self.classes().filter(move |class| class.name.eq_ignore_ascii_case(name))
    }
}
