//! Parameters of an `AnimationTree`, and positions in the resources that it plays, for missing nodes and states.

use godot_tscn::{Section, quote};

use super::{AbsentElement, Place};

/// The parameters of a state machine itself.
const OF_STATE_MACHINE: [&str; 2] = ["conditions", "playback"];
/// The node that each blend tree has, and the states that each state machine has.
const ALWAYS: [&str; 3] = ["output", "Start", "End"];
/// Trees are nested by hand.
const MAX_DEPTH: usize = 32;

pub(super) fn find<'c>(place: &Place<'_, 'c>, found: &mut Vec<AbsentElement<'c>>) {
    if place.is("AnimationTree") {
        find_parameters(place, found);
    }
    let Some(start) = start_of(place.native) else { return };
    for property in place.section.properties() {
        let key = String::from_utf8_lossy(&property.engine_key()).into_owned();
        let name = key.strip_prefix(start).and_then(|rest| rest.strip_suffix("/position"));
        let Some(name) = name.filter(|name| !ALWAYS.contains(name)) else { continue };
        if place.keys().before(property, format!("{start}{name}/node")).is_none() {
            let problem = format!("but {} does not exist", quote(name.as_bytes()));
            found.push(AbsentElement { property, problem });
        }
    }
}

/// The prefix of the properties of nodes or states.
fn start_of(class: &str) -> Option<&'static str> {
    match class {
        "AnimationNodeBlendTree" => Some("nodes/"),
        "AnimationNodeStateMachine" => Some("states/"),
        _ => None,
    }
}

fn find_parameters<'c>(place: &Place<'_, 'c>, found: &mut Vec<AbsentElement<'c>>) {
    for property in place.section.properties() {
        let key = String::from_utf8_lossy(&property.engine_key()).into_owned();
        let Some(path) = key.strip_prefix("parameters/") else { continue };
        let root =
            place.keys().before(property, "tree_root").and_then(|root| place.sub_resource(root));
        let Some(root) = root else { continue };
        if let Some((name, class)) = missing(place, root, path) {
            let what = if class == "AnimationNodeStateMachine" { "state" } else { "node" };
            let (class, name) = (quote(class.as_bytes()), quote(name.as_bytes()));
            let problem = format!("but {class} has no {what} {name}");
            found.push(AbsentElement { property, problem });
        }
    }
}

/// The first missing name of a parameter's path, and the class that lacks it.
fn missing(
    place: &Place<'_, '_>,
    root: (Section<'_>, String),
    path: &str,
) -> Option<(String, String)> {
    let (mut section, mut class) = (root.0.index(), root.1);
    let mut names = path.split('/').peekable();
    for _ in 0..MAX_DEPTH {
        let start = start_of(&class)?;
        let name = names.next()?;
        // The last part is a parameter of the node itself.
        names.peek().filter(|_| !ALWAYS.contains(&name) && !OF_STATE_MACHINE.contains(&name))?;
        let keys = place.all.of(place.context.document.section(section));
        match keys.last(format!("{start}{name}/node")) {
            None => return Some((name.to_owned(), class)),
            Some(node) => {
                let (inner, of_inner) = place.sub_resource(node)?;
                (section, class) = (inner.index(), of_inner);
            }
        }
    }
    None
}
