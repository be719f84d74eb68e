//! The properties of a `MeshInstance3D` for each surface and each blend shape of its mesh.

use godot_tscn::{PartKind, Section};
use hashbrown::{HashMap, HashSet};

use super::{AbsentElement, Place};

const SURFACE: &[u8] = b"surface_material_override/";
const BLEND_SHAPE: &[u8] = b"blend_shapes/";

/// The contents of a mesh; unknown ones are left out.
struct Mesh {
    called: String,
    surfaces: Option<usize>,
    blend_shapes: Option<HashSet<Vec<u8>>>,
}

/// The meshes of a text by section, each read once: a node may name one for each of its surfaces.
#[derive(Default)]
pub(super) struct Meshes {
    known: HashMap<u32, Option<Mesh>>,
}

impl Meshes {
    pub(super) fn find<'c>(&mut self, place: &Place<'_, 'c>, found: &mut Vec<AbsentElement<'c>>) {
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
            let mesh = place.keys().before(property, "mesh");
            let Some((section, class)) = mesh.and_then(|mesh| place.sub_resource(mesh)) else {
                continue;
            };
            let mesh = self.known.entry(section.index());
            let Some(mesh) = mesh.or_insert_with(|| Mesh::of(place, section, &class)) else {
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
                && !known.contains(name)
            {
                let problem = format!("but {} has no such blend shape", mesh.called);
                found.push(AbsentElement { property, problem });
            }
        }
    }
}

impl Mesh {
    fn of(place: &Place<'_, '_>, section: Section<'_>, class: &str) -> Option<Self> {
        let called = godot_tscn::quote(class.as_bytes());
        if place.context.project.classes().inherits(class, "PrimitiveMesh") {
            return Some(Self { called, surfaces: Some(1), blend_shapes: Some(HashSet::new()) });
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

fn names(mesh: Section<'_>) -> HashSet<Vec<u8>> {
    let mut properties = mesh.properties();
    let Some(names) =
        properties.rfind(|property| property.engine_key().ends_with(b"blend_shape_names"))
    else {
        return HashSet::new();
    };
    let tree = names.value_tree();
    tree.root().children().filter_map(|name| Some(name.text()?.into_owned())).collect()
}
