//! PERF002

use crate::context::Context;
use crate::document::TagKind;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports meshes, images, textures and collision shapes of more than 4 KiB of text that are part of the
    /// scene: `ArrayMesh`, `Image`, `PortableCompressedTexture2D`, `ConcavePolygonShape3D` and their like.
    ///
    /// ## Why is this bad?
    /// Godot reads this data slowly, together with the scene. Another scene cannot share it, and merges of it fail.
    ///
    /// ## Example
    /// A `[sub_resource type="ArrayMesh" id="1"]` with the vertices of a house.
    ///
    /// ## Use instead
    /// The mesh in a separate file, saved as `.res` and listed as `ext_resource`.
    ///
    /// ## References
    /// Godot proposal 8053
    "PERF002", "embedded-data", Info
}

/// Smaller ones cost less than another file.
const LARGE: u32 = 4 * 1024;

const CLASSES: &[&[u8]] = &[
    b"ArrayMesh",
    b"ArrayOccluder3D",
    b"AudioStreamMP3",
    b"AudioStreamSample",
    b"AudioStreamWAV",
    b"BitMap",
    b"ConcavePolygonShape",
    b"ConcavePolygonShape2D",
    b"ConcavePolygonShape3D",
    b"ConvexPolygonShape",
    b"ConvexPolygonShape3D",
    b"FontFile",
    b"HeightMapShape3D",
    b"Image",
    b"LightmapGIData",
    b"NavigationMesh",
    b"PortableCompressedTexture2D",
    b"VoxelGIData",
];

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if context.document.text().len() <= LARGE as usize {
        return;
    }
    let sections = context.document.sections();
    for section in sections.filter(|section| section.kind() == TagKind::SubResource) {
        let end = section
            .next()
            .map_or(context.document.text().len() as u32, |next| next.tag_span().start);
        let size = end - section.tag_span().start;
        if size <= LARGE {
            continue;
        }
        let Some(class) = section.field_text("type") else { continue };
        if CLASSES.contains(&class.as_ref()) {
            let message = format!(
                "{} of {} KiB is part of the file; move it into a `.res` file",
                quote(&class),
                size.div_ceil(1024)
            );
            reporter.report(section.tag_span(), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, rendered};

    #[test]
    fn classes() {
        let file = |class: &str, count: usize| {
            format!(
                "[gd_scene format=3]\n\n[sub_resource type=\"{class}\" id=\"1\"]\n\
                 data = PackedVector3Array(1, 2, 3{})\n",
                ", 1, 2, 3".repeat(count)
            )
        };
        assert_snapshot!(rendered(&RULE, &file("ConcavePolygonShape3D", 500)), @r#"
        3:1-3:51 info: `ConcavePolygonShape3D` of 5 KiB is part of the file; move it into a `.res` file
            at: [sub_resource type="ConcavePolygonShape3D" id="1"]
        "#);
        clean(&RULE, &file("ConcavePolygonShape3D", 100));
        clean(&RULE, &file("Curve", 500));
    }
}
