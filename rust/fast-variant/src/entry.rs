//! Where the engine enters the library, and leaves it.
#![allow(unsafe_code)]

#[cfg(all(feature = "editor", target_os = "linux"))]
mod detach;
mod pin;

use std::time::{Duration, Instant};

#[cfg(all(feature = "editor", target_os = "linux"))]
use godot::classes::Engine;
use godot::global::{godot_error, godot_warn};
use godot::init::{ExtensionLibrary, InitStage, gdextension};
#[cfg(all(feature = "editor", target_os = "linux"))]
use godot::obj::Singleton;
use godot::sys;

use crate::{edition, engine, scene_safety, threads};

/// `scripts/package.sh` looks for this text, and refuses a library that has it: it is slower and larger than one that ships.
#[cfg(debug_assertions)]
const LOCAL_BUILD: &str = "fast_variant: a local build";

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

// For linkers that do not get rustc's list of exports, such as zig: they would export the functions that C code marks for
// export, or everything without such marks.
#[cfg(all(windows, target_env = "gnu"))]
std::arch::global_asm!(
    r#".section .drectve, "yn""#,
    r#".ascii " -export:fast_variant_init""#,
    ".text"
);

// SAFETY: the trait asks that the engine's rules of initialisation are kept; the hooks only look up
// functions at a stage where all are there, and see to it that no thread runs code that is unloaded.
#[gdextension(entry_symbol = gdext_rust_init)]
unsafe impl ExtensionLibrary for FastVariantLibrary {
    fn on_stage_init(stage: InitStage) {
        if stage == InitStage::Scene {
            #[cfg(debug_assertions)]
            std::hint::black_box(LOCAL_BUILD);
            let_go_of_file();
            engine::initialize();
            scene_safety::enter_trial();
        }
    }

    fn on_stage_deinit(stage: InitStage) {
        if stage == InitStage::Scene {
            shut_down();
        }
    }
}

/// So that the editor survives when the file is overwritten; a game that it runs ends soon. No thread is started yet.
#[cfg(all(feature = "editor", target_os = "linux"))]
fn let_go_of_file() {
    if Engine::singleton().is_editor_hint()
        && let Err(error) = detach::let_go_of_file()
    {
        godot_warn!(
            "fast_variant: the library cannot run without its file on this system ({error}); close the editor before you \
             update the addon."
        );
    }
}

/// On Windows, Godot loads a copy of the file; macOS ends a process when the file of its code is changed.
#[cfg(not(all(feature = "editor", target_os = "linux")))]
const fn let_go_of_file() {}

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
            "fast_variant is still running a task: its library stays in memory until the process ends."
        );
    } else {
        godot_error!(
            "fast_variant is still running a task, but its library cannot stay in memory."
        );
    }
}
