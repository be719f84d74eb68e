//! Where the engine enters the library.
#![allow(unsafe_code)]

use godot::init::{ExtensionLibrary, InitStage, gdextension};
use godot::sys;

use crate::{engine, scene_project};

struct FastVariantLibrary;

/// The entry symbol of `fast_variant.gdextension`.
///
/// # Safety
/// For the engine only: the pointers must be what its header says.
#[unsafe(no_mangle)]
unsafe extern "C" fn fast_variant_init(
    get_proc_address: sys::GDExtensionInterfaceGetProcAddress,
    library: sys::GDExtensionClassLibraryPtr,
    init: *mut sys::GDExtensionInitialization,
) -> sys::GDExtensionBool {
    // SAFETY: promised by the caller.
    unsafe { gdext_rust_init(engine::intercept(get_proc_address), library, init) }
}

// SAFETY: the trait asks that the engine's rules of initialisation are kept; the hooks only look up
// functions at a stage where all are there, and stop our own threads before they are gone.
#[gdextension(entry_symbol = gdext_rust_init)]
unsafe impl ExtensionLibrary for FastVariantLibrary {
    fn on_stage_init(stage: InitStage) {
        if stage == InitStage::Scene {
            engine::initialize();
        }
    }

    fn on_stage_deinit(stage: InitStage) {
        if stage == InitStage::Scene {
            scene_project::shut_down();
            engine::shut_down();
        }
    }
}
