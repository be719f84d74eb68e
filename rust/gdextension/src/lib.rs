//! gdextension
