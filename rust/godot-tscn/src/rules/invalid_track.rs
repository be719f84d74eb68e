//! FMT004

use crate::context::Context;
use crate::diagnostic::Severity;
use crate::document::{Field, Section, TagKind, ValueKind};
use crate::model::animations::{is_of_type, sub_resources};
use crate::model::indexed::{Group, groups};
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Checks the tracks of an `Animation`, which are properties `tracks/N/…`.
    ///
    /// It checks these conditions:
    ///
    /// - The numbers start at 0 and have no gaps.
    /// - `type` comes first and is valid.
    /// - `path` exists and is a `NodePath`.
    /// - `interp` is in range.
    ///
    /// ## Why is this bad?
    /// Godot creates a track when it reads the track's type. It drops properties before the type, a track of an unknown
    /// type, and a track whose number is not the next one.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="Animation" id="A"]
    /// tracks/0/path = NodePath(".:x")
    /// tracks/0/type = "value"
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
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = SubResource("A")
    /// ```
    ///
    /// ## References
    /// `Animation::_set` (scene/resources/animation.cpp)
    "FMT004", "invalid-track", Error
}

/// Of Godot 3 and 4.
const TYPES: &[&str] = &[
    "value",
    "transform",
    "method",
    "bezier",
    "audio",
    "animation",
    "position_3d",
    "rotation_3d",
    "scale_3d",
    "blend_shape",
];

/// `Animation::INTERPOLATION_CUBIC_ANGLE`; Godot 3 ends with `CUBIC`, which is 2.
const LAST_INTERPOLATION: [i64; 2] = [2, 4];

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.contains("Animation") {
        return;
    }
    for animation in animations(context) {
        let mut next = 0;
        for track in groups(animation, "tracks") {
            let (what, first) = &track.properties[0];
            let number = track.number;
            if number > next {
                reporter
                    .report(
                        first.key_span(),
                        format!("expected track {next}, found track {number}; number the tracks from 0 without gaps"),
                    )
                    .consequence("Godot drops the track");
                next = number + 1;
            } else if number == next {
                next += 1;
                if what.as_ref() != b"type" {
                    let message =
                        format!("`tracks/{number}/type` must be the first property of the track");
                    let diagnostic = reporter.report(first.key_span(), message);
                    diagnostic.consequence("Godot drops the properties before the type");
                    if !loses_much(&track) {
                        diagnostic.severity = Severity::Warning;
                    }
                }
                check_track(context, &track, reporter);
            }
        }
    }
}

/// Whether more comes before the type than properties that mostly equal their defaults.
fn loses_much(track: &Group<'_>) -> bool {
    let before = track.properties.iter().take_while(|(what, _)| what.as_ref() != b"type");
    before.into_iter().any(|(what, _)| matches!(what.as_ref(), b"path" | b"keys" | b"interp"))
}

fn check_track(context: &Context<'_>, track: &Group<'_>, reporter: &mut Reporter<'_>) {
    if let Some(property) = track.get("type")
        && property.kind() != ValueKind::Invalid
    {
        let tree = property.value_tree();
        let ty = tree.root().text().unwrap_or_default();
        if !TYPES.iter().any(|known| known.as_bytes() == ty.as_ref()) {
            let message = format!("{} is not a valid track type", quote(property.source()));
            let diagnostic = reporter.report(property.value_span(), message);
            diagnostic.consequence("Godot drops the track");
            let known = TYPES.iter().map(|known| known.as_bytes());
            if let Some(near) = context.nearest(&ty, known) {
                diagnostic.help(format!("did you mean {}?", quote(near)));
            }
        }
    }
    let number = track.number;
    match track.get("path") {
        None => {
            let (_, first) = &track.properties[0];
            let message = format!("the track has no path; add `tracks/{number}/path`");
            let diagnostic = reporter.report(first.key_span(), message);
            diagnostic.severity = Severity::Warning;
            diagnostic.consequence("the track has no effect");
        }
        Some(path) => {
            let tree = path.value_tree();
            let is_path = tree.root().inner_text("NodePath").is_some();
            // Godot 2 wrote a text.
            if !is_path && !matches!(path.kind(), ValueKind::Invalid | ValueKind::String) {
                reporter
                    .report(
                        path.value_span(),
                        format!("`path` must be a `NodePath`, not {}", quote(path.source())),
                    )
                    .consequence("the track has no effect");
            }
        }
    }
    check_interpolation(context, track, reporter);
}

fn check_interpolation(context: &Context<'_>, track: &Group<'_>, reporter: &mut Reporter<'_>) {
    let Some(property) = track.get("interp") else {
        return;
    };
    let header = context.document.sections().next();
    let format = header.and_then(|header| header.field("format")).and_then(Field::int);
    let last = LAST_INTERPOLATION[usize::from(!matches!(format, Some(1 | 2)))];
    let value = property.value_tree().root().int();
    if property.kind() != ValueKind::Invalid
        && !value.is_some_and(|value| (0..=last).contains(&value))
    {
        let message = format!(
            "{} is not a valid interpolation; expected 0..={last}",
            quote(property.source())
        );
        let diagnostic = reporter.report(property.value_span(), message);
        diagnostic.severity = Severity::Warning;
        diagnostic.consequence("the track is interpolated incorrectly");
    }
}

/// The animations of the text: internal resources, or the whole file.
pub(super) fn animations<'d>(context: &Context<'d>) -> Vec<Section<'d>> {
    let mut found: Vec<_> = sub_resources(context.document, b"Animation").collect();
    let header = context.document.sections().next();
    if header.is_some_and(|header| is_of_type(header, &[b"Animation"])) {
        found.extend(
            context.document.sections().find(|section| section.kind() == TagKind::Resource),
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, rendered};

    #[test]
    fn tracks() {
        let found = rendered(
            &RULE,
            "[gd_resource type=\"Animation\" format=2]\n[resource]\ntracks/0/path = NodePath(\".\")\n\
             tracks/0/type = \"valu\"\ntracks/0/interp = 3\ntracks/1/type = \"value\"\n\
             tracks/3/type = \"value\"\ntracks/4/type = \"value\"\ntracks/4/path = 1\n",
        );
        assert_snapshot!(found, @r#"
        3:1-3:14 error: `tracks/0/type` must be the first property of the track
            at: tracks/0/path
            so: Godot drops the properties before the type
        4:17-4:23 error: `"valu"` is not a valid track type
            at: "valu"
            so: Godot drops the track
            help: did you mean `value`?
        5:19-5:20 warning: `3` is not a valid interpolation; expected 0..=2
            at: 3
            so: the track is interpolated incorrectly
        6:1-6:14 warning: the track has no path; add `tracks/1/path`
            at: tracks/1/type
            so: the track has no effect
        7:1-7:14 error: expected track 2, found track 3; number the tracks from 0 without gaps
            at: tracks/3/type
            so: Godot drops the track
        9:17-9:18 error: `path` must be a `NodePath`, not `1`
            at: 1
            so: the track has no effect
        "#);
    }

    #[test]
    fn godot_4() {
        let animation = |ty: &str, interpolation: u8| {
            format!(
                "[gd_resource type=\"Animation\" format=3]\n\n[resource]\ntracks/0/type = \"{ty}\"\n\
                 tracks/0/imported = false\ntracks/0/enabled = true\ntracks/0/path = NodePath(\"A:b\")\n\
                 tracks/0/interp = {interpolation}\n"
            )
        };
        for ty in
            ["value", "position_3d", "rotation_3d", "scale_3d", "blend_shape", "bezier", "audio"]
        {
            clean(&RULE, &animation(ty, 4));
        }
        assert_snapshot!(rendered(&RULE, &animation("rotation3d", 5)), @r#"
        4:17-4:29 error: `"rotation3d"` is not a valid track type
            at: "rotation3d"
            so: Godot drops the track
            help: did you mean `rotation_3d`?
        8:19-8:20 warning: `5` is not a valid interpolation; expected 0..=4
            at: 5
            so: the track is interpolated incorrectly
        "#);
    }

    /// For Godot `tracks//type` is that of track 0.
    #[test]
    fn no_number() {
        clean(
            &RULE,
            "[gd_resource type=\"Animation\" format=3]\n[resource]\ntracks//type = \"value\"\n\
             tracks/0/path = NodePath(\"A\")\n",
        );
    }
}
