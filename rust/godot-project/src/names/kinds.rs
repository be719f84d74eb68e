//! A file for each kind of names.

pub(super) mod action;
pub(super) mod animation;
pub(super) mod bus;
pub(super) mod group;
mod members;
pub(super) mod metadata;
pub(super) mod method;
pub(super) mod property;
pub(super) mod setting;
pub(super) mod shader_parameter;
pub(super) mod signal;
