//! C# in a project, by its grammar: classes, literals, types, and uses of names.

mod class;
mod literals;
mod model;
mod syntax;
mod types;
mod uses;

pub use class::CsharpClass;
pub use literals::{CsharpLiteral, CsharpLiterals, CsharpPlace, Receiver};
pub use types::CsharpTypes;
pub use uses::{CsharpMember, CsharpUses};
