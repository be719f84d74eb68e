//! A whole Godot project: its files and what they refer to, node trees across instances, classes, scripts, and the rules
//! that need more than one file.
//!
//! Nothing here prints, and nothing knows the engine.
