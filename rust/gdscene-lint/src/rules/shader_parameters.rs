//! The parameters that materials and nodes give to shaders, for the rules on properties.

use std::rc::Rc;

use godot_project::assignments::Assignment;
use godot_project::{FileId, ResolvedPath, SceneContext, Shader, Uniform, ValueType};
use godot_tscn::{Property, Section};
use hashbrown::HashMap;

/// The prefix of a material's parameter, in Godot 4 and before.
const STARTS: [&str; 4] = ["shader_parameter/", "shader_param/", "param/", "shader_uniform/"];
/// And that of a node.
const OF_INSTANCE: &str = "instance_shader_parameters/";

/// A parameter that a material or node gives to a shader.
pub(super) struct Parameter<'c> {
    pub(super) property: Property<'c>,
    pub(super) name: String,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    /// Godot knows no shader yet when it reads it.
    BeforeShader,
    /// The shader has no such parameter; perhaps one with a similar name.
    Unknown(Option<String>),
    Known(ValueType),
}

/// The parameters of all materials and nodes with a shader that can be read.
pub(super) fn all<'c>(context: &SceneContext<'c>) -> Vec<Parameter<'c>> {
    let mut found = Vec::new();
    let mut shaders = Shaders { context, known: HashMap::new() };
    let mut section_now = None;
    let mut shader_now = None;
    for Assignment { section, property, key, object, .. } in context.assignments() {
        let of_instance = key.strip_prefix(OF_INSTANCE);
        let starts = if context.is_for_godot_4() { &STARTS[..] } else { &STARTS[..1] };
        let of_material = || starts.iter().find_map(|start| key.strip_prefix(start));
        let Some(name) = of_instance.or_else(of_material) else { continue };
        let class = object.native().unwrap_or_default();
        let has_parameters = match of_instance {
            // In 3D, surfaces have materials too.
            Some(_) => context.project.classes().inherits(class, "CanvasItem"),
            None => class == "ShaderMaterial",
        };
        if !has_parameters {
            continue;
        }
        if section_now != Some(section.index()) {
            section_now = Some(section.index());
            shader_now = match of_instance {
                Some(_) => shaders.of_node(*section),
                None => shaders.of_material(*section),
            };
        }
        let Some((shader, start)) = &shader_now else { continue };
        let is_meant = |uniform: &Uniform| match of_instance {
            Some(_) => uniform.is_of_instance,
            None => uniform.is_of_material,
        };
        let known = shader.uniform(name).filter(|uniform| is_meant(uniform));
        let kind = match known {
            _ if of_instance.is_none() && property.key_span().start < *start => Kind::BeforeShader,
            Some(uniform) => Kind::Known(uniform.holds.clone()),
            None if shader.is_complete => Kind::Unknown(near(shader, name, is_meant)),
            None => continue,
        };
        found.push(Parameter { property: *property, name: name.to_owned(), kind });
    }
    found
}

fn near(shader: &Shader, name: &str, is_meant: impl Fn(&Uniform) -> bool) -> Option<String> {
    let names = shader.uniforms.iter().filter(|found| is_meant(found));
    let near = godot_tscn::nearest(name.as_bytes(), names.map(|found| found.name.as_bytes()))?;
    Some(String::from_utf8_lossy(near).into_owned())
}

/// The shaders of a text, each read once: many materials may have one.
struct Shaders<'s, 'c> {
    context: &'s SceneContext<'c>,
    known: HashMap<Source, Option<Rc<Shader>>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    File(FileId),
    Section(u32),
}

impl Shaders<'_, '_> {
    /// The shader of the material that a node has in the text, if the node does not use that of its parent.
    fn of_node(&mut self, node: Section<'_>) -> Option<(Rc<Shader>, u32)> {
        let uses_other = |found: Property<'_>| *found.engine_key() == *b"use_parent_material";
        if node.properties().any(uses_other) {
            return None;
        }
        let material = node.properties().rfind(|found| *found.engine_key() == *b"material")?;
        let id = material.value_tree().root().inner_text("SubResource")?.into_owned();
        let section = self.context.sub_resource(&id)?;
        let object = self.context.attached(section);
        (object.is_plain() && object.native() == Some("ShaderMaterial")).then_some(())?;
        self.of_material(section)
    }

    /// The shader of a material, and where the material's text names it first.
    fn of_material(&mut self, material: Section<'_>) -> Option<(Rc<Shader>, u32)> {
        let mut named = material.properties().filter(|found| *found.engine_key() == *b"shader");
        let first = named.next()?;
        let last = named.next_back().unwrap_or(first);
        let tree = last.value_tree();
        let source = match tree.root().inner_text("ExtResource") {
            Some(id) => match *self.context.target_of_id(&id)? {
                ResolvedPath::File(file) => Source::File(file),
                _ => return None,
            },
            None => {
                let id = tree.root().inner_text("SubResource")?;
                Source::Section(self.context.sub_resource(&id)?.index())
            }
        };
        let context = self.context;
        let shader = self.known.entry(source).or_insert_with(|| read(context, source).map(Rc::new));
        Some((Rc::clone(shader.as_ref()?), first.key_span().start))
    }
}

fn read(context: &SceneContext<'_>, source: Source) -> Option<Shader> {
    let section = match source {
        Source::File(file) => return Shader::in_file(context.project, file),
        Source::Section(section) => context.document.section(section),
    };
    let code = section.properties().rfind(|found| *found.engine_key() == *b"code")?;
    let tree = code.value_tree();
    Some(Shader::read(std::str::from_utf8(&tree.root().text()?).ok()?))
}
