//! The options of `SceneLinter.is_safe_to_load`.

use godot::builtin::{AnyDictionary, Callable, Variant};
use godot::meta::ToGodot;
use godot_tscn::{AllowList, Budget, Thing};

use crate::decode_options::{limit, names, typed, unknown};

/// What a call asks for.
pub(super) struct Options {
    pub(super) allow_list: AllowList,
    pub(super) budget: Budget,
    pub(super) max_files: usize,
    pub(super) max_bytes: usize,
    cancelled: Option<Callable>,
}

const NAMES: &str =
    "`classes`, `paths`, `properties`, `budget`, `max_files`, `max_bytes` and `cancelled`";

impl Options {
    /// Reads the options.
    ///
    /// # Errors
    /// What is wrong with the first that is unknown or holds the wrong type.
    pub(super) fn parse(dictionary: &AnyDictionary) -> Result<Self, String> {
        let mut options = Self {
            allow_list: AllowList::default(),
            budget: Budget::default(),
            max_files: 1000,
            max_bytes: 64 << 20,
            cancelled: None,
        };
        let list = &mut options.allow_list;
        for (key, value) in dictionary.iter_shared() {
            match key.stringify().to_string().as_str() {
                "classes" => list.classes = Some(names(&key, &value)?.into_iter().collect()),
                "paths" => list.paths = Some(names(&key, &value)?),
                "properties" => list.properties = Some(names(&key, &value)?.into_iter().collect()),
                "budget" => options.budget = budget(&key, &value)?,
                "max_files" => options.max_files = limit(&key, &value)?,
                "max_bytes" => options.max_bytes = limit(&key, &value)?,
                "cancelled" => {
                    let callable: Callable = typed(&key, &value, "Callable")?;
                    if !callable.is_valid() {
                        return Err("`cancelled` is not a valid Callable".to_owned());
                    }
                    options.cancelled = Some(callable);
                }
                _ => return Err(unknown(&key, NAMES)),
            }
        }
        Ok(options)
    }

    /// Whether the caller wants no more of it.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|callable| callable.call(&[]).booleanize())
    }
}

/// The usual budget, with the changes that a dictionary names: `{nodes = 5000}`.
fn budget(key: &Variant, value: &Variant) -> Result<Budget, String> {
    let mut budget = Budget::default();
    let dictionary: AnyDictionary = typed(key, value, "Dictionary")?;
    for (name, most) in dictionary.iter_shared() {
        let name = name.stringify().to_string();
        let Some(thing) = Thing::from_name(&name) else {
            let names: Vec<_> = Thing::ALL.iter().map(|thing| thing.name()).collect();
            return Err(format!(
                "`budget` has no `{}`; expected one of {}",
                name.escape_debug(),
                names.join(", ")
            ));
        };
        let most = limit(&format!("budget.{name}").to_variant(), &most)?;
        budget.set(thing, most as u64);
    }
    Ok(budget)
}
