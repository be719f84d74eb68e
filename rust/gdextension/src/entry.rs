//! Where the engine enters the library.
#![allow(unsafe_code)]

use godot::init::{ExtensionLibrary, InitStage, gdextension};

use crate::engine;

struct FastVariantLibrary;

// SAFETY: the trait asks that the engine's rules of initialisation are kept; the hooks only look up
// functions at a stage where all are there, and stop our own threads before they are gone.
#[gdextension]
unsafe impl ExtensionLibrary for FastVariantLibrary {
    fn on_stage_init(stage: InitStage) {
        if stage == InitStage::Scene {
            engine::initialize();
        }
    }

    fn on_stage_deinit(stage: InitStage) {
        if stage == InitStage::Scene {
            engine::shut_down();
        }
    }
}
