//! FMT005

use crate::context::Context;
use crate::diagnostic::Severity;
use crate::document::{Section, ValueKind};
use crate::model::indexed::groups;
use crate::number::parse_float;
use crate::rules::invalid_track::animations;
use crate::rules::{Reporter, declare_rule};
use crate::value::tree::{PartKind, PartRef};

declare_rule! {
    /// ## What it does
    /// Checks the keys of an `Animation`'s tracks.
    ///
    /// It checks these conditions:
    ///
    /// - The numbers of a transform track come in groups: 12 in Godot 3; 5 for positions and scales, 6 for rotations
    ///   and 3 for blend shapes in Godot 4.
    /// - The lists of other tracks (`times`, `values`, `transitions`, `points`, `clips`) have the same length.
    /// - The times ascend, and are within the `length` of the animation.
    ///
    /// ## Why is this bad?
    /// Godot drops keys with a wrong number of values. It does not reach keys in the wrong order or after the end.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="Animation" id="A"]
    /// tracks/0/type = "value"
    /// tracks/0/path = NodePath(".:x")
    /// tracks/0/keys = {
    /// "times": PackedFloat32Array(0, 0.5),
    /// "values": [1]
    /// }
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = SubResource("A")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="Animation" id="A"]
    /// tracks/0/type = "value"
    /// tracks/0/path = NodePath(".:x")
    /// tracks/0/keys = {
    /// "times": PackedFloat32Array(0, 0.5),
    /// "values": [1, 2]
    /// }
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = SubResource("A")
    /// ```
    ///
    /// ## References
    /// `Animation::_set` (scene/resources/animation.cpp)
    "FMT005", "invalid-track-keys", Error
}

/// A little later than the end is the end: times are stored in single precision.
const TOLERANCE: f64 = 0.001;

/// The length of an animation without `length`.
const DEFAULT_LENGTH: f64 = 1.0;

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.contains("Animation") {
        return;
    }
    for animation in animations(context) {
        let length = length(animation);
        for track in groups(animation, "tracks") {
            let ty = track.get("type").map(|ty| crate::decode::text(ty.source()));
            if let (Some(ty), Some(keys)) = (ty, track.get("keys"))
                && keys.kind() != ValueKind::Invalid
            {
                let tree = keys.value_tree();
                let checked = Keys { length };
                checked.check(&ty, tree.root(), reporter);
            }
        }
    }
}

fn length(animation: Section<'_>) -> f64 {
    let mut properties = animation.properties();
    let property = properties.rfind(|property| property.key().as_ref() == b"length");
    property.and_then(|property| property.value_tree().root().number()).unwrap_or(DEFAULT_LENGTH)
}

/// The keys of a track.
struct Keys {
    length: f64,
}

impl Keys {
    fn check(&self, ty: &[u8], keys: PartRef<'_>, reporter: &mut Reporter<'_>) {
        let group = match ty {
            b"transform" => 12,
            b"position_3d" | b"scale_3d" => 5,
            b"rotation_3d" => 6,
            b"blend_shape" => 3,
            _ => return self.check_lists(ty, keys, reporter),
        };
        if keys.kind() != PartKind::Numbers {
            return;
        }
        let count = keys.number_count();
        if !count.is_multiple_of(group) {
            let message = format!(
                "each key of this track has {group} numbers; {count} is not a multiple of {group}"
            );
            reporter.report(keys.span(), message).consequence("Godot drops all keys of the track");
        }
        self.check_times(keys, group, reporter);
    }

    fn check_lists(&self, ty: &[u8], keys: PartRef<'_>, reporter: &mut Reporter<'_>) {
        if keys.kind() != PartKind::Dictionary {
            return;
        }
        let values = match ty {
            b"bezier" => "points",
            b"audio" | b"animation" => "clips",
            _ => "values",
        };
        let Some(times) = keys.get("times") else {
            reporter
                .report(keys.span(), "the keys have no `times`")
                .consequence("Godot drops all keys of the track");
            return;
        };
        let count = self.count(times);
        let per_key = if values == "points" { 5 } else { 1 };
        match keys.get(values) {
            None => {
                reporter
                    .report(keys.span(), format!("the keys have no `{values}`"))
                    .consequence("Godot drops all keys of the track");
            }
            // Points of Godot 3 had no modes, so 5 numbers are right as well.
            Some(list) if self.count(list) != count * per_key => {
                self.report_length(values, list, count * per_key, times, reporter);
            }
            Some(_) => {}
        }
        // Without times they stand for nothing.
        if let Some(list) = keys.get("transitions")
            && count > 0
            && self.count(list) != count
        {
            self.report_length("transitions", list, count, times, reporter);
        }
        if ty == b"method" {
            self.check_calls(keys, reporter);
        }
        self.check_times(times, 1, reporter);
    }

    /// The calls of a track: dictionaries with the method's name and its arguments.
    fn check_calls(&self, keys: PartRef<'_>, reporter: &mut Reporter<'_>) {
        for call in keys.get("values").into_iter().flat_map(PartRef::children) {
            if call.kind() != PartKind::Dictionary {
                continue;
            }
            if let Some(missing) = ["method", "args"].iter().find(|key| call.get(key).is_none()) {
                reporter
                    .report(call.span(), format!("the call has no `{missing}`"))
                    .consequence("Godot drops the key");
            }
        }
    }

    fn report_length(
        &self,
        name: &str,
        list: PartRef<'_>,
        expected: usize,
        times: PartRef<'_>,
        reporter: &mut Reporter<'_>,
    ) {
        let count = self.count(list);
        reporter
            .report(
                list.span(),
                format!("the length of `{name}` is {count}; expected {expected} for these times"),
            )
            .label(times.span(), "the times")
            .consequence(match name {
                "transitions" => "Godot drops all transitions of the track",
                _ => "Godot drops all keys of the track",
            });
    }

    /// Times ascend and lie within the animation; they are every `step`th number.
    fn check_times(&self, numbers: PartRef<'_>, step: usize, reporter: &mut Reporter<'_>) {
        if numbers.kind() != PartKind::Numbers {
            return;
        }
        let mut last = f64::NEG_INFINITY;
        for time in numbers.numbers().step_by(step).map(parse_float) {
            let message = if time < last {
                "the times are not in ascending order"
            } else if time > self.length + TOLERANCE {
                "a key is after the end of the animation"
            } else {
                last = time;
                continue;
            };
            let diagnostic = reporter.report(numbers.span(), message);
            diagnostic.severity = if time < last { Severity::Warning } else { Severity::Info };
            diagnostic.consequence("Godot plays such keys late or never");
            return;
        }
    }

    fn count(&self, list: PartRef<'_>) -> usize {
        match list.kind() {
            PartKind::Numbers => list.number_count(),
            PartKind::Typed => list.children().last().map_or(0, |list| list.children().count()),
            _ => list.children().count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, rendered};

    fn animation(ty: &str, keys: &str) -> String {
        format!(
            "[gd_resource type=\"Animation\" format=2]\n[resource]\nlength = 2\n\
             tracks/0/type = \"{ty}\"\ntracks/0/keys = {keys}\n"
        )
    }

    #[test]
    fn groups() {
        let keys = "PoolRealArray( 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 )";
        clean(&RULE, &animation("transform", keys));
        let found = rendered(&RULE, &animation("transform", "PoolRealArray( 0, 1 )"));
        assert_snapshot!(found, @"
        5:17-5:38 error: each key of this track has 12 numbers; 2 is not a multiple of 12
            at: PoolRealArray( 0, 1 )
            so: Godot drops all keys of the track
        ");
        clean(&RULE, &animation("position_3d", "PackedFloat32Array(0, 1, 0, 0, 0, 1, 1, 0, 0, 0)"));
    }

    #[test]
    fn lists() {
        let found = rendered(
            &RULE,
            &animation(
                "value",
                "{\n\"times\": PoolRealArray( 0, 1 ),\n\"transitions\": PoolRealArray( 1 ),\n\"values\": [ 1 ]\n}",
            ),
        );
        assert_snapshot!(found, @"
        7:16-7:34 error: the length of `transitions` is 1; expected 2 for these times
            at: PoolRealArray( 1 )
            label 6:10-6:31: the times: PoolRealArray( 0, 1 )
            so: Godot drops all transitions of the track
        8:11-8:16 error: the length of `values` is 1; expected 2 for these times
            at: [ 1 ]
            label 6:10-6:31: the times: PoolRealArray( 0, 1 )
            so: Godot drops all keys of the track
        ");
        clean(
            &RULE,
            &animation(
                "bezier",
                "{\n\"times\": PoolRealArray( 0 ),\n\"points\": PoolRealArray( 1, 2, 3, 4, 5 )\n}",
            ),
        );
        let found = rendered(&RULE, &animation("audio", "{\n\"times\": PoolRealArray( 0 )\n}"));
        assert_snapshot!(found, @r#"
        5:17-7:2 error: the keys have no `clips`
            at: {\n"times": PoolRealArray( 0 )\n}
            so: Godot drops all keys of the track
        "#);
    }

    #[test]
    fn times() {
        let keys = |times: &str| {
            animation(
                "value",
                &format!("{{\"times\": PoolRealArray({times}), \"values\": [1, 2]}}"),
            )
        };
        clean(&RULE, &keys("0, 2"));
        assert_snapshot!(rendered(&RULE, &keys("1, 0")), @"
        5:27-5:46 warning: the times are not in ascending order
            at: PoolRealArray(1, 0)
            so: Godot plays such keys late or never
        ");
        assert_snapshot!(rendered(&RULE, &keys("1, 3")), @"
        5:27-5:46 info: a key is after the end of the animation
            at: PoolRealArray(1, 3)
            so: Godot plays such keys late or never
        ");
    }

    #[test]
    fn calls() {
        let calls = |call: &str| {
            let keys = format!(
                "{{\"times\": PackedFloat32Array(0), \"transitions\": PackedFloat32Array(1), \"values\": [{call}]}}"
            );
            animation("method", &keys)
        };
        clean(&RULE, &calls("{\"args\": [], \"method\": &\"a\"}"));
        assert_snapshot!(rendered(&RULE, &calls("{\"args\": []}")), @r#"
        5:99-5:111 error: the call has no `method`
            at: {"args": []}
            so: Godot drops the key
        "#);
        assert_snapshot!(rendered(&RULE, &calls("{\"method\": &\"a\"}")), @r#"
        5:99-5:115 error: the call has no `args`
            at: {"method": &"a"}
            so: Godot drops the key
        "#);
    }

    #[test]
    fn godot_4() {
        let animation = |ty: &str, keys: &str| animation(ty, keys).replace("format=2", "format=3");
        let packed = |count: usize| format!("PackedFloat32Array({})", vec!["0"; count].join(", "));
        let mut found = String::new();
        for (ty, size) in
            [("position_3d", 5), ("rotation_3d", 6), ("scale_3d", 5), ("blend_shape", 3)]
        {
            clean(&RULE, &animation(ty, &packed(2 * size)));
            let count = 2 * size - 1;
            found += &rendered(&RULE, &animation(ty, &packed(count)));
        }
        assert_snapshot!(found, @"
        5:17-5:62 error: each key of this track has 5 numbers; 9 is not a multiple of 5
            at: PackedFloat32Array(0, 0, 0, 0, 0, 0, 0, 0, 0)
            so: Godot drops all keys of the track
        5:17-5:68 error: each key of this track has 6 numbers; 11 is not a multiple of 6
            at: PackedFloat32Array(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
            so: Godot drops all keys of the track
        5:17-5:62 error: each key of this track has 5 numbers; 9 is not a multiple of 5
            at: PackedFloat32Array(0, 0, 0, 0, 0, 0, 0, 0, 0)
            so: Godot drops all keys of the track
        5:17-5:50 error: each key of this track has 3 numbers; 5 is not a multiple of 3
            at: PackedFloat32Array(0, 0, 0, 0, 0)
            so: Godot drops all keys of the track
        ");
        let found = rendered(
            &RULE,
            &animation(
                "value",
                "{\n\"times\": PackedFloat32Array(0, 1),\n\"transitions\": PackedFloat32Array(1, 1),\n\
                 \"update\": 0,\n\"values\": [Vector2(0, 0)]\n}",
            ),
        );
        assert_snapshot!(found, @"
        9:11-9:26 error: the length of `values` is 1; expected 2 for these times
            at: [Vector2(0, 0)]
            label 6:10-6:34: the times: PackedFloat32Array(0, 1)
            so: Godot drops all keys of the track
        ");
        let bezier = |points: &str| {
            animation(
                "bezier",
                &format!(
                    "{{\n\"handle_modes\": PackedInt32Array(0),\n\"points\": PackedFloat32Array({points}),\n\
                     \"times\": PackedFloat32Array(0)\n}}"
                ),
            )
        };
        clean(&RULE, &bezier("1, 2, 3, 4, 5"));
        assert_snapshot!(rendered(&RULE, &bezier("1, 2, 3, 4")), @"
        7:11-7:41 error: the length of `points` is 4; expected 5 for these times
            at: PackedFloat32Array(1, 2, 3, 4)
            label 8:10-8:31: the times: PackedFloat32Array(0)
            so: Godot drops all keys of the track
        ");
    }
}
