//! A document that is being changed: what was reached once knows its members by name, so that to go
//! through an object is not to look at all of it again for each change.

use std::collections::{HashMap, VecDeque};

use super::locate::index;
use crate::Json;
use crate::limits::{Budget, Excess, levels_inside};

/// A value of a document that is being changed.
pub(crate) enum Draft {
    /// Nobody was inside yet.
    Plain(Json),
    Array(Vec<Draft>),
    Object(Members),
}

impl Default for Draft {
    fn default() -> Self {
        Draft::Plain(Json::Null)
    }
}

impl Draft {
    pub(crate) fn into_json(self) -> Json {
        match self {
            Draft::Plain(json) => json,
            Draft::Array(elements) => {
                Json::Array(elements.into_iter().map(Draft::into_json).collect())
            }
            Draft::Object(members) => Json::Object(
                members.entries().map(|(name, value)| (name, value.into_json())).collect(),
            ),
        }
    }

    /// Whether this is an object.
    pub(crate) fn is_object(&self) -> bool {
        matches!(self, Draft::Object(_) | Draft::Plain(Json::Object(_)))
    }

    /// What this is, for messages.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Draft::Plain(json) => json.type_name(),
            Draft::Array(_) => Json::Array(Vec::new()).type_name(),
            Draft::Object(_) => Json::Object(Vec::new()).type_name(),
        }
    }

    /// The same, with its inner values as drafts of their own.
    pub(crate) fn opened(&mut self) -> &mut Draft {
        match self {
            Draft::Plain(Json::Array(elements)) => {
                let elements = std::mem::take(elements);
                *self = Draft::Array(elements.into_iter().map(Draft::Plain).collect());
            }
            Draft::Plain(Json::Object(members)) => {
                *self = Draft::Object(Members::from(std::mem::take(members)));
            }
            _ => {}
        }
        self
    }

    /// The members, if this is an object.
    pub(crate) fn members(&mut self) -> Option<&mut Members> {
        match self.opened() {
            Draft::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The same as one piece of JSON. Gives how many values had been reached.
    pub(crate) fn close(&mut self) -> (&Json, usize) {
        let count = match self {
            Draft::Plain(_) => 0,
            Draft::Array(elements) => elements.len(),
            Draft::Object(members) => members.slots.len(),
        };
        if count > 0 || !matches!(self, Draft::Plain(_)) {
            *self = Draft::Plain(std::mem::take(self).into_json());
        }
        match self {
            Draft::Plain(json) => (json, count),
            _ => unreachable!("it was just made plain"),
        }
    }

    /// The value at the place that `segments` lead to.
    pub(crate) fn find(&mut self, segments: &[String]) -> Option<&mut Draft> {
        segments.iter().try_fold(self, |value, segment| match value.opened() {
            Draft::Object(members) => members.get(segment),
            Draft::Array(elements) => elements.get_mut(index(segment)?),
            Draft::Plain(_) => None,
        })
    }

    /// Takes all of the value off the limits; it may have so many `levels`.
    pub(crate) fn measure(&self, levels: usize, budget: &mut Budget) -> Result<(), Excess> {
        match self {
            Draft::Plain(json) => budget.take_json(json, levels),
            Draft::Array(elements) => {
                budget.take(1)?;
                let levels = levels_inside(levels, elements.len())?;
                elements.iter().try_for_each(|element| element.measure(levels, budget))
            }
            Draft::Object(members) => {
                // What was taken out left its place.
                budget.take(1 + members.slots.len() / 16)?;
                members.slots.iter().flatten().try_for_each(|(name, value)| {
                    budget.take_text(name)?;
                    value.measure(levels_inside(levels, 1)?, budget)
                })
            }
        }
    }

    /// A copy.
    pub(crate) fn to_json(&self) -> Json {
        match self {
            Draft::Plain(json) => json.clone(),
            Draft::Array(elements) => Json::Array(elements.iter().map(Draft::to_json).collect()),
            Draft::Object(members) => {
                let members = members.slots.iter().flatten();
                Json::Object(members.map(|(name, value)| (name.clone(), value.to_json())).collect())
            }
        }
    }

    /// Merges `patch` into this (RFC 7386).
    pub(crate) fn merge(&mut self, patch: &Json) {
        let Json::Object(changes) = patch else {
            *self = Draft::Plain(patch.clone());
            return;
        };
        if !self.is_object() {
            *self = Draft::Plain(Json::explicit_default());
        }
        let Some(members) = self.members() else { return };
        for (name, change) in changes {
            match (change, members.get(name)) {
                (Json::Null, _) => _ = members.remove(name),
                (change, Some(known)) => known.merge(change),
                (change, None) => {
                    let mut value = Draft::default();
                    value.merge(change);
                    members.set(name, value);
                }
            }
        }
    }
}

/// Members by name, in order. Of those with the same name the first counts.
#[derive(Default)]
pub(crate) struct Members {
    /// A removed member leaves an empty slot: to move all members after it would take longer.
    slots: Vec<Option<(String, Draft)>>,
    first: HashMap<String, usize>,
    /// Those behind the first one of the same name.
    others: HashMap<String, VecDeque<usize>>,
}

impl Members {
    pub(crate) fn get(&mut self, name: &str) -> Option<&mut Draft> {
        let at = *self.first.get(name)?;
        self.slots[at].as_mut().map(|(_, value)| value)
    }

    /// Puts `value` in the place of the one with the name, or behind all.
    pub(crate) fn set(&mut self, name: &str, value: Draft) {
        match self.get(name) {
            Some(known) => *known = value,
            None => {
                self.first.insert(name.to_owned(), self.slots.len());
                self.slots.push(Some((name.to_owned(), value)));
            }
        }
    }

    pub(crate) fn remove(&mut self, name: &str) -> Option<Draft> {
        let at = self.first.remove(name)?;
        if let Some(next) = self.others.get_mut(name).and_then(VecDeque::pop_front) {
            self.first.insert(name.to_owned(), next);
        }
        self.slots[at].take().map(|(_, value)| value)
    }

    fn entries(self) -> impl Iterator<Item = (String, Draft)> {
        self.slots.into_iter().flatten()
    }
}

impl From<Vec<(String, Json)>> for Members {
    fn from(members: Vec<(String, Json)>) -> Members {
        let mut made = Members { slots: Vec::with_capacity(members.len()), ..Members::default() };
        made.first.reserve(members.len());
        for (name, value) in members {
            let at = made.slots.len();
            if made.first.contains_key(&name) {
                made.others.entry(name.clone()).or_default().push_back(at);
            } else {
                made.first.insert(name.clone(), at);
            }
            made.slots.push(Some((name, Draft::Plain(value))));
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_name_counts() {
        let json = Json::parse(r#"{"a": 1, "b": 2, "a": 3, "a": 4}"#).unwrap();
        let mut draft = Draft::Plain(json);
        let members = draft.members().unwrap();
        for expected in ["1", "3", "4"] {
            assert_eq!(members.remove("a").unwrap().into_json().to_text(), expected);
        }
        assert!(members.remove("a").is_none());
        members.set("a", Draft::Plain(Json::Int(5)));
        assert_eq!(draft.into_json().to_text(), r#"{"b":2,"a":5}"#);
    }
}
