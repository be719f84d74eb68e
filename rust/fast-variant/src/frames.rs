//! Objects with a method `poll` that is called once a frame, while they work in the background.

use godot::builtin::Callable;
use godot::classes::{Engine, Object, SceneTree};
use godot::obj::{Gd, Singleton};

const SIGNAL: &str = "process_frame";

/// Lets `poll` of `object` be called once a frame. For the main thread.
pub(crate) fn connect(object: &Gd<Object>) {
    if let Some(mut tree) = scene_tree() {
        tree.connect(SIGNAL, &poll_of(object));
    }
}

/// Ends what [`connect`] began, if it did.
pub(crate) fn disconnect(object: &Gd<Object>) {
    let poll = poll_of(object);
    if let Some(mut tree) = scene_tree()
        && tree.is_connected(SIGNAL, &poll)
    {
        tree.disconnect(SIGNAL, &poll);
    }
}

/// A callable by name: it does not keep the object alive, and outlasts a reload of the library.
fn poll_of(object: &Gd<Object>) -> Callable {
    Callable::from_object_method(object, "poll")
}

fn scene_tree() -> Option<Gd<SceneTree>> {
    Engine::singleton().get_main_loop()?.try_cast().ok()
}
