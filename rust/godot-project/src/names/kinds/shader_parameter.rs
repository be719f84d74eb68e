//! Uniforms of shaders that materials or nodes set.

use memchr::memmem;

use crate::defined_names::in_text::uniforms;
use crate::names::{KindOfName, Known, NameKind, fails};
use crate::project::Project;
use crate::res_path::extension_of;

pub(in crate::names) static KIND: NameKind = NameKind {
    id: KindOfName::ShaderParameter,
    word: "shader parameter",
    classes: &["ShaderMaterial", "CanvasItem", "GeometryInstance3D"],
    calls: &[
        fails("set_shader_parameter", &[0]),
        fails("get_shader_parameter", &[0]),
        fails("set_instance_shader_parameter", &[0]),
        fails("get_instance_shader_parameter", &[0]),
        fails("set_shader_param", &[0]),
        fails("get_shader_param", &[0]),
    ],
    properties: &[],
    built_in,
};

fn built_in(project: &Project, known: &mut Known) {
    for file in project.files() {
        if !matches!(&*extension_of(project.path(file)), "gdshader" | "gdshaderinc" | "shader") {
            continue;
        }
        let Ok(code) = project.read(file) else {
            known.open();
            continue;
        };
        for name in uniforms(&String::from_utf8_lossy(&code)) {
            known.define(file, name);
        }
        let makes_uniform = |line: &[u8]| {
            line.trim_ascii_start().starts_with(b"#define")
                && memmem::find(line, b"uniform").is_some()
        };
        if code.split(|byte| *byte == b'\n').any(makes_uniform) {
            known.open();
        }
    }
}
