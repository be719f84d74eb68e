//! The scripts of a project: each with everything that it inherits, its uses, and the meaning of its names.

pub(crate) mod assigned;
mod chain;
mod csharp;
mod index;
pub(crate) mod made_nodes;
pub mod places;
mod script_names;
pub mod types;
pub mod uses;

pub use chain::Chain;
pub(crate) use csharp::csharp_names;
pub use csharp::{
    CsharpClass, CsharpLiteral, CsharpLiterals, CsharpMember, CsharpPlace, CsharpTypes, CsharpUses,
    Receiver,
};
pub use index::Scripts;
pub use script_names::ScriptNames;
