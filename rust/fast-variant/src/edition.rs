//! The differences between the two libraries.
//!
//! The crate is built twice: with the feature `editor` for the library that only the editor loads, and without it for
//! the smaller one in exported games. Both register the same classes with the same methods, so that a script that
//! names them can be loaded everywhere. A method does the same in both, unless its code comes from here.

#[cfg(feature = "editor")]
mod editor;
#[cfg(not(feature = "editor"))]
mod game;

#[cfg(feature = "editor")]
pub(crate) use editor::*;
#[cfg(not(feature = "editor"))]
pub(crate) use game::*;
