//! The constants of an enum, which are found by name and by number however many there are.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Names and numbers in the order of their registration; numbers above `i64::MAX` as their two's
/// complement.
#[derive(Clone, Debug, Default)]
pub struct Constants(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    list: Vec<(Box<str>, i64)>,
    index: OnceLock<Index>,
}

/// The index of the first constant with each name, in lower case, and of the first with each number.
#[derive(Debug, Default)]
struct Index {
    names: HashMap<Box<str>, usize>,
    numbers: HashMap<i64, usize>,
}

/// So many are looked through faster than looked up.
const FEW: usize = 16;

impl Constants {
    /// The number of the constant called `name` in any case; of those that differ by nothing else the
    /// first one counts.
    pub fn number_of(&self, name: &str) -> Option<i64> {
        let at = match self.index() {
            Some(index) => *index.names.get(name.to_ascii_lowercase().as_str())?,
            None => self.iter().position(|(known, _)| known.eq_ignore_ascii_case(name))?,
        };
        Some(self[at].1)
    }

    /// The name of the first constant with this number.
    pub fn name_of(&self, number: i64) -> Option<&str> {
        let at = match self.index() {
            Some(index) => *index.numbers.get(&number)?,
            None => self.iter().position(|(_, known)| *known == number)?,
        };
        Some(&self[at].0)
    }

    fn index(&self) -> Option<&Index> {
        if self.len() <= FEW {
            return None;
        }
        Some(self.0.index.get_or_init(|| {
            let mut index = Index::default();
            for (at, (name, number)) in self.iter().enumerate() {
                index.names.entry(name.to_ascii_lowercase().into()).or_insert(at);
                index.numbers.entry(*number).or_insert(at);
            }
            index
        }))
    }
}

impl Deref for Constants {
    type Target = [(Box<str>, i64)];

    fn deref(&self) -> &Self::Target {
        &self.0.list
    }
}

impl PartialEq for Constants {
    fn eq(&self, other: &Self) -> bool {
        self.0.list == other.0.list
    }
}

impl From<Vec<(Box<str>, i64)>> for Constants {
    fn from(list: Vec<(Box<str>, i64)>) -> Self {
        Constants(Arc::new(Inner { list, index: OnceLock::new() }))
    }
}

impl FromIterator<(Box<str>, i64)> for Constants {
    fn from_iter<I: IntoIterator<Item = (Box<str>, i64)>>(constants: I) -> Self {
        constants.into_iter().collect::<Vec<_>>().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_are_found_alike() {
        for count in [3_i64, 100] {
            let names = (0..count).map(|n| (format!("Name{}", n / 2).into(), n % (count - 1)));
            let constants: Constants = names.collect();
            assert_eq!(constants.number_of("nAME0"), Some(0));
            assert_eq!(constants.number_of("Name1"), Some(2 % (count - 1)));
            assert_eq!(constants.number_of("Name"), None);
            assert_eq!(constants.name_of(0), Some("Name0"));
            assert_eq!(constants.name_of(count), None);
            assert_eq!(constants.index().is_some(), count > 3);
        }
    }
}
