//! What a `MeshInstance3D` has for each surface and each blend shape of its mesh.

use godot_tscn::{PartKind, Section};

use super::{AbsentElement, Place};

const SURFACE: &[u8] = b"surface_material_override/";
const BLEND_SHAPE: &[u8] = b"blend_shapes/";

/// What a mesh has; what is not known is left out.
struct Mesh {
    called: String,
    surfaces: Option<usize>,
    blend_shapes: Option<Vec<Vec<u8>>>,
}

pub(super) fn find<'c>(place: &Place<'_, 'c>, found: &mut Vec<AbsentElement<'c>>) {
    if !place.is("MeshInstance3D") {
        return;
    }
    for property in place.section.properties() {
        let key = property.engine_key();
        let surface = key.strip_prefix(SURFACE);
        let blend_shape = key.strip_prefix(BLEND_SHAPE);
        if surface.is_none() && blend_shape.is_none() {
            continue;
        }
        let Some(mesh) = place.earlier(property, "mesh").and_then(|mesh| Mesh::of(place, mesh))
        else {
            continue;
        };
        let number =
            surface.and_then(|number| std::str::from_utf8(number).ok()?.parse::<usize>().ok());
        if let (Some(number), Some(count)) = (number, mesh.surfaces)
            && number >= count
        {
            let plural = if count == 1 { "" } else { "s" };
            let problem = format!("but {} has {count} surface{plural}", mesh.called);
            found.push(AbsentElement { property, problem });
        }
        if let (Some(name), Some(known)) = (blend_shape, &mesh.blend_shapes)
            && !known.iter().any(|known| known == name)
        {
            let problem = format!("but {} has no such blend shape", mesh.called);
            found.push(AbsentElement { property, problem });
        }
    }
}

impl Mesh {
    /// The mesh that a property names, if it is in this text.
    fn of(place: &Place<'_, '_>, property: godot_tscn::Property<'_>) -> Option<Self> {
        let (section, class) = place.sub_resource(property)?;
        let called = godot_tscn::quote(class.as_bytes());
        if place.context.project.classes().inherits(&class, "PrimitiveMesh") {
            return Some(Self { called, surfaces: Some(1), blend_shapes: Some(Vec::new()) });
        }
        if class != "ArrayMesh" {
            return None;
        }
        Some(Self { called, surfaces: surfaces(section), blend_shapes: Some(names(section)) })
    }
}

/// How many surfaces an `ArrayMesh` has; nothing if it has them in an older form.
fn surfaces(mesh: Section<'_>) -> Option<usize> {
    if mesh.properties().any(|property| property.engine_key().starts_with(b"surface")) {
        return None;
    }
    let surfaces = mesh.properties().rfind(|property| *property.engine_key() == *b"_surfaces");
    let Some(surfaces) = surfaces else { return Some(0) };
    let tree = surfaces.value_tree();
    (tree.root().kind() == PartKind::Array).then(|| tree.root().children().count())
}

fn names(mesh: Section<'_>) -> Vec<Vec<u8>> {
    let mut properties = mesh.properties();
    let Some(names) =
        properties.rfind(|property| property.engine_key().ends_with(b"blend_shape_names"))
    else {
        return Vec::new();
    };
    let tree = names.value_tree();
    tree.root().children().filter_map(|name| Some(name.text()?.into_owned())).collect()
}
