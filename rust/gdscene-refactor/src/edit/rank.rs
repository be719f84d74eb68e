//! The place of a property among those of an object, as Godot lists and saves them.

use godot_project::class_db::PropertyRank;

use crate::edit::object::Object;

/// See [`Object::rank`].
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    group: u8,
    native: PropertyRank,
    variable: (usize, usize),
}

impl Object<'_> {
    /// The place of a property among those of the object (`Object::get_property_list`, core/object/object.cpp, 4.6.3): those of
    /// its class, the script, the script's exported variables, metadata.
    pub(super) fn rank(&self, key: &str) -> Rank {
        if key.starts_with("metadata/") {
            return Rank { group: 3, ..Rank::default() };
        }
        if let Some(variable) = self.variable_rank(key) {
            return Rank { group: 2, variable, ..Rank::default() };
        }
        if key == "script" {
            return Rank { group: 1, ..Rank::default() };
        }
        let class = self.class.as_deref().unwrap_or_default();
        Rank { native: self.classes().property_rank(class, key), ..Rank::default() }
    }

    /// The place of an exported variable among all that its scripts declare: those of bases first.
    fn variable_rank(&self, name: &str) -> Option<(usize, usize)> {
        let chain = self.script.as_ref()?;
        let count = chain.scripts.len();
        chain.scripts.iter().enumerate().find_map(|(index, script)| {
            let at = script.variables.iter().position(|variable| variable.name == name)?;
            Some((count - index, at))
        })
    }
}
