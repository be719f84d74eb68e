//! Arrays of values.

use crate::{ContainerType, Value};

/// An `Array`: values of any type, or of one type if it is typed.
///
/// The element type is carried, not enforced: what stands in `elements` is the caller's business.
#[derive(Clone, Debug, Default)]
pub struct Array {
    /// What the elements are declared to be.
    pub element_type: ContainerType,
    /// The elements.
    pub elements: Vec<Value>,
}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Self {
        Array { element_type: ContainerType::Any, elements: elements.into_iter().collect() }
    }
}

impl From<Vec<Value>> for Array {
    fn from(elements: Vec<Value>) -> Self {
        Array { element_type: ContainerType::Any, elements }
    }
}
