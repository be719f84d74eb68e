//! `SceneMerge`: conflicts that a merge left, as GDScript sees them.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

use godot::builtin::{
    AnyDictionary, Array, GString, PackedByteArray, PackedInt32Array, VarDictionary,
};
use godot::register::{GodotClass, godot_api};

use crate::edition;

/// Merges of texts, and the conflicts that [code]gdscene merge[/code] could not settle, for the addon.
#[derive(GodotClass)]
#[class(no_init, internal, base = Object)]
struct SceneMerge;

#[godot_api]
impl SceneMerge {
    /// Merges what two sides made of the file at [param path], as [code]gdscene merge[/code] does. Returns the [code]text[/code], how many [code]conflicts[/code] are left in it, and why the texts cannot be merged as [code]error[/code], or an empty string.
    #[func]
    fn merge(
        path: GString,
        base: PackedByteArray,
        ours: PackedByteArray,
        theirs: PackedByteArray,
    ) -> VarDictionary {
        let texts = [base.as_slice(), ours.as_slice(), theirs.as_slice()];
        edition::merge_texts(&path.to_string(), texts)
    }

    /// Returns the conflicts in a text, each as a dictionary.
    ///
    /// - [code]number[/code], from 1, [code]place[/code] and [code]what[/code], for people.
    /// - [code]kind[/code]: [code]property[/code], [code]field[/code], [code]removed[/code], [code]name[/code], [code]order[/code], [code]setting[/code] or [code]other[/code], and [code]name[/code]: of the property or field, the side that removed it, the name that was taken; [code]shown_name[/code] is the same for people.
    /// - [code]node_path[/code] from the root and [code]sub_resource[/code], its id; or empty.
    /// - [code]sides[/code]: the sides that [method settle] can take.
    /// - [code]values[/code], by side ([code]base[/code], [code]ours[/code], [code]theirs[/code]); a side that has none is left out. Each has [code]shown[/code], its text, in which ids are explained and hidden characters written out, the [code]path[/code] of the file if it is one, the [code]resource_class[/code] if it is one resource, and its [code]line[/code].
    #[func]
    fn conflicts(text: PackedByteArray) -> Array<VarDictionary> {
        edition::conflicts(text.as_slice())
    }

    /// Whether there are any.
    #[func]
    fn has_conflicts(text: PackedByteArray) -> bool {
        !godot_tscn::unresolved(text.as_slice()).is_empty()
    }

    /// Whether git has left its markers in the text of the file at [param path].
    #[func]
    fn has_markers(path: GString, text: PackedByteArray) -> bool {
        edition::has_markers(&path.to_string(), text.as_slice())
    }

    /// Returns where [param text] differs from [param other]: pairs of a first character and the one after the last.
    #[func]
    fn marks(other: GString, text: GString) -> PackedInt32Array {
        edition::marks(&other.to_string(), &text.to_string())
    }

    /// Returns the text without the conflicts in [param choices], by number: [code]base[/code], [code]ours[/code] or [code]theirs[/code] for what that side has, or [code]as_it_stands[/code] for what was settled by hand.
    #[func]
    fn settle(text: PackedByteArray, choices: AnyDictionary) -> PackedByteArray {
        edition::settle(text.as_slice(), &choices)
    }

    /// Returns a text resource that Godot can load, whose metadata [code]value[/code] is what the side has in the conflict of this number; empty if that refers to no resource.
    #[func]
    fn value_resource(text: PackedByteArray, number: i64, side: GString) -> PackedByteArray {
        edition::conflict_resource(text.as_slice(), number, &side.to_string())
    }
}
