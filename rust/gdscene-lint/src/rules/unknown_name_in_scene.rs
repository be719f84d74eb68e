//! RES019

use godot_project::SceneContext;
use godot_project::names::NameKind;
use godot_project::settings::lossy;
use godot_tscn::{Reporter, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports an audio bus or an input action in a property of a node or resource, such as `bus` of an
    /// `AudioStreamPlayer` or `action` of a `TouchScreenButton`, if nothing in the project defines the name.
    ///
    /// It ignores all names of a kind if a script defines such names in a way that cannot be followed.
    ///
    /// ## Why is this bad?
    /// A sound plays on the bus `Master`, so its volume slider has no effect, and the next save drops the name. A button
    /// for an unknown action does nothing. Usually the name has a typo, or a bus or action was renamed.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="Steps" type="AudioStreamPlayer"]
    /// bus = &"Efects"
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="Steps" type="AudioStreamPlayer"]
    /// bus = &"Effects"
    /// ```
    ///
    /// ## References
    /// `AudioStreamPlayer::get_bus` (scene/audio/audio_stream_player.cpp), `TouchScreenButton::_press`
    /// (scene/2d/touch_screen_button.cpp), `InputEventAction::action_match` (core/input/input_event.cpp)
    "RES019", "unknown-name", Warning
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let project = context.project;
    for assignment in context.assignments() {
        let Some(class) = assignment.object.native() else { continue };
        let key = lossy(&assignment.property.engine_key());
        let found = NameKind::of_property(project.classes(), class, &key);
        let Some((kind, property)) = found else { continue };
        let Some(consequence) = property.when_missing else { continue };
        let value = assignment.property.value_tree();
        let Some(name) = value.root().text().map(|text| lossy(&text)) else { continue };
        let known = project.known_names(kind.id);
        if name.is_empty() || known.is_open() || known.may_have(project, &name) {
            continue;
        }
        let message = format!("{} {} not found in the project", kind.word, quote(name.as_bytes()));
        let diagnostic = reporter.report(value.root().span(), message);
        diagnostic.consequence(consequence);
        if let Some(near) =
            context.suggestions.spend().then(|| known.nearest(project, &name)).flatten()
        {
            diagnostic.help(format!("did you mean {}?", quote(near.as_bytes())));
        }
    }
}
