//! The scripts of a project: what each one is with all that it inherits, where it is used, and what its names mean.

mod chain;
mod csharp;
mod index;
pub(crate) mod made_nodes;
pub mod places;
pub mod types;
pub mod uses;

pub use chain::Chain;
pub use csharp::{
    CsharpClass, CsharpLiteral, CsharpLiterals, CsharpMember, CsharpPlace, CsharpTypes, CsharpUses,
    Receiver,
};
pub use index::Scripts;
