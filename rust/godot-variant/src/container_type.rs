//! What the elements of a typed array or dictionary may be.

use crate::VariantType;

/// The element type of an array, or the key or value type of a dictionary (`ContainerType`,
/// core/variant/container_type_validate.h).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ContainerType {
    /// Untyped: anything goes.
    #[default]
    Any,
    /// A built-in type, e.g. `Array[int]`.
    Builtin(VariantType),
    /// Objects of an engine class, e.g. `Array[Node]`.
    Class(Box<str>),
    /// Objects with a script, named by the script's path.
    Script(Box<str>),
}

/// [`ContainerType`] borrowed from wherever it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContainerTypeRef<'a> {
    /// Untyped.
    #[default]
    Any,
    /// A built-in type.
    Builtin(VariantType),
    /// Objects of an engine class.
    Class(&'a str),
    /// Objects with the script at this path.
    Script(&'a str),
}

impl ContainerType {
    /// Borrows the type.
    pub fn as_ref(&self) -> ContainerTypeRef<'_> {
        match self {
            ContainerType::Any => ContainerTypeRef::Any,
            ContainerType::Builtin(ty) => ContainerTypeRef::Builtin(*ty),
            ContainerType::Class(name) => ContainerTypeRef::Class(name),
            ContainerType::Script(path) => ContainerTypeRef::Script(path),
        }
    }
}

impl ContainerTypeRef<'_> {
    /// Copies the type out of what it borrows from.
    pub fn to_owned(self) -> ContainerType {
        match self {
            ContainerTypeRef::Any => ContainerType::Any,
            ContainerTypeRef::Builtin(ty) => ContainerType::Builtin(ty),
            ContainerTypeRef::Class(name) => ContainerType::Class(name.into()),
            ContainerTypeRef::Script(path) => ContainerType::Script(path.into()),
        }
    }

    /// Whether anything is allowed.
    pub fn is_any(self) -> bool {
        matches!(self, ContainerTypeRef::Any)
    }
}
