//! The parameters that materials give their shaders, for the rules on properties.

use godot_project::assignments::Assignment;
use godot_project::res_path::extension_of;
use godot_project::{ResolvedPath, SceneContext, Shader, ValueType};
use godot_tscn::{Property, Section};

/// What a parameter's key begins with.
const START: &str = "shader_parameter/";

/// A parameter that a material gives its shader.
pub(super) struct Parameter<'c> {
    pub(super) property: Property<'c>,
    pub(super) name: String,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    /// Godot knows no shader yet when it reads it.
    BeforeShader,
    /// The shader has none of this name, but perhaps one that is near.
    Unknown(Option<String>),
    Known(ValueType),
}

/// The parameters of all materials of which the shader can be read.
pub(super) fn all<'c>(context: &SceneContext<'c>) -> Vec<Parameter<'c>> {
    let mut found = Vec::new();
    let mut of_section: Option<(u32, Option<(Shader, u32)>)> = None;
    for Assignment { section, property, key, object, .. } in context.assignments() {
        let Some(name) = key.strip_prefix(START) else { continue };
        if object.native() != Some("ShaderMaterial") {
            continue;
        }
        if of_section.as_ref().is_none_or(|(index, _)| *index != section.index()) {
            of_section = Some((section.index(), shader_of(context, *section)));
        }
        let Some((_, Some((shader, start)))) = &of_section else { continue };
        let known = shader.uniform(name).filter(|uniform| uniform.is_of_material);
        let kind = match known {
            _ if property.key_span().start < *start => Kind::BeforeShader,
            Some(uniform) => Kind::Known(uniform.holds.clone()),
            None if shader.is_complete => Kind::Unknown(near(shader, name)),
            None => continue,
        };
        found.push(Parameter { property: *property, name: name.to_owned(), kind });
    }
    found
}

fn near(shader: &Shader, name: &str) -> Option<String> {
    let names = shader.uniforms.iter().filter(|found| found.is_of_material);
    let near = godot_tscn::nearest(name.as_bytes(), names.map(|found| found.name.as_bytes()))?;
    Some(String::from_utf8_lossy(near).into_owned())
}

/// The shader of a material, and where the material's text names it first.
fn shader_of(context: &SceneContext<'_>, material: Section<'_>) -> Option<(Shader, u32)> {
    let mut named = material.properties().filter(|found| *found.engine_key() == *b"shader");
    let first = named.next()?;
    let last = named.next_back().unwrap_or(first);
    let tree = last.value_tree();
    let code = if let Some(id) = tree.root().inner_text("ExtResource") {
        let ResolvedPath::File(file) = *context.target_of_id(&id)? else { return None };
        let is_text = extension_of(context.project.path(file)) == "gdshader";
        is_text.then(|| context.project.read(file).ok())??.into_owned()
    } else {
        let shader = context.sub_resource(&tree.root().inner_text("SubResource")?)?;
        let code = shader.properties().rfind(|found| *found.engine_key() == *b"code")?;
        code.value_tree().root().text()?.into_owned()
    };
    Some((Shader::read(std::str::from_utf8(&code).ok()?), first.key_span().start))
}
