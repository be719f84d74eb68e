//! All integration tests of the crate, in one program: it is linked once, and its tests share the cores.

mod common;
mod features;
mod members;
mod model;
mod names;
mod session;
