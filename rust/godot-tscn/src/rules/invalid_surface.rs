//! FMT007

use crate::context::Context;
use crate::document::{Section, TagKind, ValueKind};
use crate::model::animations::{is_of_type, sub_resources};
use crate::number::parse_float;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::value::tree::{PartKind, PartRef};

declare_rule! {
    /// ## What it does
    /// Checks the surfaces of an `ArrayMesh`: `surfaces/N` of Godot 3, in its older form (`primitive`, `arrays`,
    /// `morph_arrays`) and its newer one (`array_data`), and `_surfaces` of Godot 4.
    ///
    /// It checks these conditions:
    ///
    /// - `primitive` is a valid type.
    /// - The numbers of `surfaces/N` start at 0 and ascend without gaps.
    /// - In the older form there are 9 arrays, the vertex arrays have the same length, the indices are in range, and a
    ///   blend shape has the same arrays without indices.
    ///
    /// ## Why is this bad?
    /// Godot drops the surface or draws it incorrectly.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [sub_resource type="ArrayMesh" id=1]
    /// surfaces/0 = {
    /// "primitive": 12,
    /// "arrays": [Vector3Array(0, 0, 0, 1, 0, 0, 0, 1, 0), null, null, null, null, null, null, null, IntArray(0, 1, 2)],
    /// "morph_arrays": []
    /// }
    ///
    /// [node name="A" type="MeshInstance"]
    /// mesh = SubResource( 1 )
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [sub_resource type="ArrayMesh" id=1]
    /// surfaces/0 = {
    /// "primitive": 4,
    /// "arrays": [Vector3Array(0, 0, 0, 1, 0, 0, 0, 1, 0), null, null, null, null, null, null, null, IntArray(0, 1, 2)],
    /// "morph_arrays": []
    /// }
    ///
    /// [node name="A" type="MeshInstance"]
    /// mesh = SubResource( 1 )
    /// ```
    ///
    /// ## References
    /// `ArrayMesh::_set`, `ArrayMesh::_set_surfaces` (scene/resources/mesh.cpp; 3.6 for the older forms)
    "FMT007", "invalid-surface", Error
}

/// `PRIMITIVE_TRIANGLE_FAN` of Godot 3; Godot 4 ends with `PRIMITIVE_TRIANGLE_STRIP`.
const LAST_PRIMITIVES: [i64; 2] = [6, 4];

/// The arrays of the older form and how many numbers each has for a vertex; the last one has the
/// indices.
const ARRAYS: [(&str, usize); 9] = [
    ("vertices", 3),
    ("normals", 3),
    ("tangents", 4),
    ("colours", 4),
    ("coordinates", 2),
    ("second coordinates", 2),
    ("bones", 4),
    ("weights", 4),
    ("indices", 0),
];

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.contains("ArrayMesh") {
        return;
    }
    for mesh in meshes(context) {
        let mut count = 0;
        for property in mesh.properties() {
            if property.kind() == ValueKind::Invalid {
                continue;
            }
            let key = property.key();
            let is_of_godot_4 = key.as_ref() == b"_surfaces";
            let surface = Surface { last_primitive: LAST_PRIMITIVES[usize::from(is_of_godot_4)] };
            if let Some(number) = key.strip_prefix(b"surfaces/") {
                let is_next =
                    std::str::from_utf8(number).is_ok_and(|number| number.parse() == Ok(count));
                if is_next {
                    count += 1;
                } else {
                    let key = quote(&key);
                    let message =
                        format!("{key} is not the next surface; expected `surfaces/{count}`");
                    let diagnostic = reporter.report(property.key_span(), message);
                    diagnostic.consequence("Godot drops the surface");
                }
                let tree = property.value_tree();
                surface.check(tree.root(), reporter);
            } else if key.as_ref() == b"_surfaces" {
                let tree = property.value_tree();
                for part in tree.root().children() {
                    surface.check(part, reporter);
                }
            }
        }
    }
}

fn meshes<'d>(context: &Context<'d>) -> Vec<Section<'d>> {
    let mut found: Vec<_> = sub_resources(context.document, b"ArrayMesh").collect();
    let header = context.document.sections().next();
    if header.is_some_and(|header| is_of_type(header, &[b"ArrayMesh"])) {
        found.extend(
            context.document.sections().find(|section| section.kind() == TagKind::Resource),
        );
    }
    found
}

struct Surface {
    last_primitive: i64,
}

impl Surface {
    fn check(&self, surface: PartRef<'_>, reporter: &mut Reporter<'_>) {
        if surface.kind() != PartKind::Dictionary {
            reporter.report(surface.span(), "a surface must be a dictionary");
            return;
        }
        match surface.get("primitive") {
            None => self.report(surface, "the surface has no `primitive`", reporter),
            Some(primitive)
                if primitive
                    .int()
                    .is_none_or(|value| !(0..=self.last_primitive).contains(&value)) =>
            {
                let message = format!(
                    "{} is not a valid primitive type; expected 0..={}",
                    quote(primitive.source()),
                    self.last_primitive
                );
                self.report(primitive, message, reporter);
            }
            Some(_) => {}
        }
        if let Some(arrays) = surface.get("arrays") {
            let vertex_count = self.check_arrays(arrays, None, reporter);
            let morphs = surface.get("morph_arrays").into_iter().flat_map(PartRef::children);
            for morph in morphs {
                self.check_arrays(morph, Some(vertex_count), reporter);
            }
        } else if !["array_data", "vertex_data"].iter().any(|key| surface.get(key).is_some()) {
            self.report(surface, "the surface has neither `arrays` nor packed data", reporter);
        }
    }

    /// Checks nine arrays, or those of a morph of `morph_of` vertices. Returns the number of vertices.
    fn check_arrays(
        &self,
        arrays: PartRef<'_>,
        morph_of: Option<usize>,
        reporter: &mut Reporter<'_>,
    ) -> usize {
        let children: Vec<_> = arrays.children().collect();
        let is_morph = morph_of.is_some();
        // A morph may leave the place of the indices out.
        if children.len() != ARRAYS.len() && !(is_morph && children.len() == ARRAYS.len() - 1) {
            let message =
                format!("expected {} arrays for a surface, found {}", ARRAYS.len(), children.len());
            self.report(arrays, message, reporter);
            return 0;
        }
        let vertices = children[0].number_count() / 3;
        let expected = morph_of.unwrap_or(vertices);
        for (array, (name, size)) in children.iter().zip(ARRAYS) {
            if array.kind() != PartKind::Numbers {
                continue;
            }
            if size == 0 {
                self.check_indices(*array, vertices, is_morph, reporter);
            } else if array.number_count() != expected * size {
                let message = format!(
                    "the {name} have {} numbers; expected {} for {expected} vertices",
                    array.number_count(),
                    expected * size
                );
                self.report(*array, message, reporter);
            }
        }
        vertices
    }

    fn check_indices(
        &self,
        indices: PartRef<'_>,
        vertices: usize,
        is_morph: bool,
        reporter: &mut Reporter<'_>,
    ) {
        if is_morph {
            self.report(
                indices,
                "a blend shape cannot have indices; write `null` instead",
                reporter,
            );
            return;
        }
        let is_wrong = |index: &f64| *index < 0.0 || *index >= vertices as f64;
        if let Some(index) = indices.numbers().map(parse_float).find(is_wrong) {
            let message = format!("vertex index {index} is out of range; expected 0..{vertices}");
            self.report(indices, message, reporter);
        }
    }

    fn report(&self, part: PartRef<'_>, message: impl Into<String>, reporter: &mut Reporter<'_>) {
        reporter
            .report(part.span(), message)
            .consequence("Godot drops the surface or draws it incorrectly");
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, rendered};

    fn mesh(surface: &str) -> String {
        format!("[gd_resource type=\"ArrayMesh\" format=2]\n[resource]\nsurfaces/0 = {surface}\n")
    }

    fn arrays(indices: &str, normals: &str, morphs: &str) -> String {
        mesh(&format!(
            "{{\n\"primitive\": 4,\n\"arrays\": [\nVector3Array(0, 0, 0, 1, 0, 0, 0, 1, 0),\n{normals},\n\
             null, null, null, null, null, null,\n{indices}],\n\"morph_arrays\": [{morphs}]\n}}"
        ))
    }

    #[test]
    fn numbers() {
        let surface = |number: &str| {
            format!(
                "surfaces/{number} = {{\n\"primitive\": 4,\n\"array_data\": PoolByteArray()\n}}\n"
            )
        };
        let file = |numbers: [&str; 2]| {
            let [first, second] = numbers.map(surface);
            format!("[gd_resource type=\"ArrayMesh\" format=2]\n[resource]\n{first}{second}")
        };
        clean(&RULE, &file(["0", "1"]));
        assert_snapshot!(rendered(&RULE, &file(["0", "2"])), @r"
        7:1-7:11 error: `surfaces/2` is not the next surface; expected `surfaces/1`
            at: surfaces/2
            so: Godot drops the surface
        ");
        assert_snapshot!(rendered(&RULE, &file(["1", "0"])), @r"
        3:1-3:11 error: `surfaces/1` is not the next surface; expected `surfaces/0`
            at: surfaces/1
            so: Godot drops the surface
        ");
    }

    #[test]
    fn older_form() {
        let normals = "Vector3Array(0, 0, 1, 0, 0, 1, 0, 0, 1)";
        clean(&RULE, &arrays("IntArray(0, 1, 2)", normals, ""));
        let found =
            rendered(&RULE, &arrays("IntArray(0, 1, 3)", "Vector3Array(0, 0, 1)", "[null]"));
        assert_snapshot!(found, @"
        7:1-7:22 error: the normals have 3 numbers; expected 9 for 3 vertices
            at: Vector3Array(0, 0, 1)
            so: Godot drops the surface or draws it incorrectly
        9:1-9:18 error: vertex index 3 is out of range; expected 0..3
            at: IntArray(0, 1, 3)
            so: Godot drops the surface or draws it incorrectly
        10:18-10:24 error: expected 9 arrays for a surface, found 1
            at: [null]
            so: Godot drops the surface or draws it incorrectly
        ");
        let morph = "[Vector3Array(0, 0, 0, 1, 0, 0, 0, 1, 0), null, null, null, null, null, null, null, IntArray(0, 1, 2)]";
        assert_snapshot!(rendered(&RULE, &arrays("null", normals, morph)), @"
        10:102-10:119 error: a blend shape cannot have indices; write `null` instead
            at: IntArray(0, 1, 2)
            so: Godot drops the surface or draws it incorrectly
        ");
    }

    #[test]
    fn packed_forms() {
        clean(&RULE, &mesh("{\n\"primitive\": 4,\n\"array_data\": PoolByteArray( 1 )\n}"));
        assert_snapshot!(rendered(&RULE, &mesh("{\n\"primitive\": 9\n}")), @r#"
        3:14-5:2 error: the surface has neither `arrays` nor packed data
            at: {\n"primitive": 9\n}
            so: Godot drops the surface or draws it incorrectly
        4:14-4:15 error: `9` is not a valid primitive type; expected 0..=6
            at: 9
            so: Godot drops the surface or draws it incorrectly
        "#);
        let found = rendered(
            &RULE,
            "[gd_resource type=\"ArrayMesh\" format=4]\n[resource]\n_surfaces = [{\n\"primitive\": 3,\n\"vertex_data\": PackedByteArray(\"\")\n}, 1]\n",
        );
        assert_snapshot!(found, @"
        6:4-6:5 error: a surface must be a dictionary
            at: 1
        ");
    }

    #[test]
    fn godot_4() {
        let mesh = |primitive: u8| {
            format!(
                "[gd_resource type=\"ArrayMesh\" format=4]\n\n[resource]\n_surfaces = [{{\n\
                 \"aabb\": AABB(0, 0, 0, 1, 1, 0),\n\"format\": 34359742465,\n\"primitive\": {primitive},\n\
                 \"vertex_count\": 0,\n\"vertex_data\": PackedByteArray(\"\")\n}}]\n"
            )
        };
        clean(&RULE, &mesh(4));
        assert_snapshot!(rendered(&RULE, &mesh(5)), @"
        7:14-7:15 error: `5` is not a valid primitive type; expected 0..=4
            at: 5
            so: Godot drops the surface or draws it incorrectly
        ");
        let without = mesh(3).replace("\"vertex_data\": PackedByteArray(\"\")\n", "");
        assert_snapshot!(rendered(&RULE, &without), @r#"
        4:14-9:2 error: the surface has neither `arrays` nor packed data
            at: {\n"aabb": AABB(0, 0, 0, 1, 1, 0),\n"format": 34359742465,\n"primitive": 3,\n"vertex_count": 0,\n}
            so: Godot drops the surface or draws it incorrectly
        "#);
    }
}
