//! A file for each kind of names.

pub(super) mod action;
pub(super) mod animation;
pub(super) mod bus;
pub(super) mod group;
pub(super) mod metadata;
pub(super) mod shader_parameter;
