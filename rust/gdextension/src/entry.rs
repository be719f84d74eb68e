//! Where the engine enters the library, and leaves it.
#![allow(unsafe_code)]

mod pin;

use std::time::{Duration, Instant};

use godot::global::{godot_error, godot_warn};
use godot::init::{ExtensionLibrary, InitStage, gdextension};
use godot::sys;

use crate::{edition, engine, threads};

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
// functions at a stage where all are there, and see to it that no thread runs code that is unloaded.
#[gdextension(entry_symbol = gdext_rust_init)]
unsafe impl ExtensionLibrary for FastVariantLibrary {
    fn on_stage_init(stage: InitStage) {
        if stage == InitStage::Scene {
            engine::initialize();
        }
    }

    fn on_stage_deinit(stage: InitStage) {
        if stage == InitStage::Scene {
            shut_down();
        }
    }
}

/// Ends what runs. The engine unloads the library next, so if there is something that does not end, the library stays in
/// memory: better than to wait for ever, and than code that is no longer there.
fn shut_down() {
    const PATIENCE: Duration = Duration::from_secs(5);
    let deadline = Instant::now() + PATIENCE;
    edition::shut_down(deadline);
    threads::join_abandoned(deadline);
    let is_idle = engine::shut_down(deadline);
    if is_idle && !threads::are_left() {
        return;
    }
    if pin::keep_loaded() {
        godot_warn!(
            "fast_variant is still at work: its library stays in memory until the process ends."
        );
    } else {
        godot_error!("fast_variant is still at work, and its library cannot be kept in memory.");
    }
}
