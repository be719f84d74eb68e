//! What the two libraries differ in.
//!
//! The crate is built twice: with the feature `editor` for the library that only the editor loads, and without it for
//! the smaller one that exported games carry. Both register the same classes with the same methods, so that a script
//! that names them can be loaded everywhere. What a method does is the same in both, unless it comes from here.

#[cfg(feature = "editor")]
mod editor;
#[cfg(not(feature = "editor"))]
mod game;

#[cfg(feature = "editor")]
pub(crate) use editor::*;
#[cfg(not(feature = "editor"))]
pub(crate) use game::*;
