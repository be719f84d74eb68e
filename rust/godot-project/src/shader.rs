//! The uniforms of a shader, which are the parameters of its materials.

use godot_variant::VariantType;

use crate::project::{FileId, Project};
use crate::res_path::extension_of;
use crate::value_type::{ObjectClass, ValueType};

/// The declarations of a shader.
///
/// ```
/// use godot_project::Shader;
///
/// let shader = Shader::read("shader_type canvas_item;\nuniform vec4 tint : source_color;\n");
/// assert_eq!(shader.uniform("tint").unwrap().holds.to_string(), "Color");
/// assert!(shader.is_complete);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shader {
    /// The uniforms, in the order in which a material has them.
    pub uniforms: Vec<Uniform>,
    /// Whether it has no other uniforms: nothing is included, and nothing depends on a condition.
    pub is_complete: bool,
}

/// A uniform of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniform {
    /// Its name.
    pub name: String,
    /// The type of a material's value for it.
    pub holds: ValueType,
    /// Whether materials have a value for it. Else each node has its own, or all have one of the project.
    pub is_of_material: bool,
    /// Whether each node has its own value.
    pub is_of_instance: bool,
}

impl Shader {
    /// Reads the code of a shader.
    pub fn read(code: &str) -> Self {
        let code = without_comments(code);
        let mut is_complete = true;
        let mut plain = String::with_capacity(code.len());
        for line in code.lines() {
            match line.trim_start().starts_with('#') {
                true => is_complete = false,
                false => plain.push_str(line),
            }
            plain.push('\n');
        }
        let uniforms = statements(&plain).filter_map(uniform).collect();
        Self { uniforms, is_complete }
    }

    /// Reads the shader in a file. None if it is not one in text, or cannot be read.
    pub fn in_file(project: &Project, file: FileId) -> Option<Self> {
        let is_text = extension_of(project.path(file)) == "gdshader";
        let code = is_text.then(|| project.read(file).ok())??;
        Some(Self::read(std::str::from_utf8(&code).ok()?))
    }

    /// The uniform `name`.
    pub fn uniform(&self, name: &str) -> Option<&Uniform> {
        self.uniforms.iter().find(|found| found.name == name)
    }
}

fn without_comments(code: &str) -> String {
    let mut plain = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(['/', '"']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            plain.push(' ');
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(inside) = rest.strip_prefix('"') {
            // Hints such as `hint_enum("a; b")`: no name or type is inside.
            inside.find('"').map_or(rest.len(), |end| end + 2)
        } else {
            plain.push('/');
            1
        };
        rest = &rest[end..];
    }
    plain.push_str(rest);
    plain
}

/// Statements that end with `;` outside functions and structs.
fn statements(code: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut start, mut found) = (0_u32, 0, Vec::new());
    for (at, letter) in code.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                start = at + 1;
            }
            ';' if depth == 0 => {
                found.push(&code[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.into_iter()
}

/// `instance uniform highp vec4[2] name : hint = value`
fn uniform(statement: &str) -> Option<Uniform> {
    let (declared, rest) = match statement.find([':', '=']) {
        Some(at) => statement.split_at(at),
        None => (statement, ""),
    };
    let hints = rest.split('=').next().unwrap_or_default();
    let is_array = declared.contains('[');
    let outside = without_brackets(declared);
    let mut words = outside.split_whitespace().peekable();
    let scope = words.next_if(|word| matches!(*word, "global" | "instance"));
    words.next_if_eq(&"uniform")?;
    words.next_if(|word| matches!(*word, "lowp" | "mediump" | "highp"));
    let (type_name, name) = (words.next()?, words.next()?);
    let is_color = hints.contains("source_color") || hints.contains("hint_color");
    Some(Uniform {
        name: name.to_owned(),
        holds: holds(type_name, is_color, is_array),
        is_of_material: scope.is_none(),
        is_of_instance: scope == Some("instance"),
    })
}

/// `vec4[2]name` is two words.
fn without_brackets(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        plain.push(' ');
        rest = after.split_once(']').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain
}

/// The list of Godot 4.6.3 for a type (`ShaderLanguage::uniform_to_property_info`,
/// servers/rendering/shader_language.cpp).
fn holds(type_name: &str, is_color: bool, is_array: bool) -> ValueType {
    use VariantType::*;
    let of = match (type_name, is_array) {
        ("vec3" | "vec4", false) if is_color => Color,
        ("vec3" | "vec4", true) if is_color => PackedColorArray,
        ("bool", false) => Bool,
        ("int" | "uint" | "bvec2" | "bvec3" | "bvec4", false) => Int,
        ("ivec2" | "uvec2", false) => Vector2i,
        ("ivec3" | "uvec3", false) => Vector3i,
        ("ivec4" | "uvec4", false) => Vector4i,
        ("float", false) => Float,
        ("vec2", false) => Vector2,
        ("vec3", false) => Vector3,
        ("vec4", false) => Vector4,
        ("mat2", false) => Transform2D,
        ("mat3", false) => Basis,
        ("mat4", false) => Projection,
        ("float" | "mat2" | "mat3" | "mat4", true) => PackedFloat32Array,
        ("vec2", true) => PackedVector2Array,
        ("vec3", true) => PackedVector3Array,
        ("vec4", true) => PackedVector4Array,
        (name, true) if name.contains("sampler") => Array,
        (name, true) if is_whole(name) => PackedInt32Array,
        (name, false) => return sampler(name),
        _ => return ValueType::Unknown,
    };
    ValueType::Of(of)
}

fn is_whole(name: &str) -> bool {
    matches!(name, "bool" | "int" | "uint")
        || name.len() == 5 && name.starts_with(['b', 'i', 'u']) && name[1..].starts_with("vec")
}

fn sampler(name: &str) -> ValueType {
    let class = match name.trim_start_matches(['i', 'u']) {
        "sampler2D" => "Texture2D",
        "sampler3D" => "Texture3D",
        "sampler2DArray" | "samplerCube" | "samplerCubeArray" => "TextureLayered",
        "samplerExternalOES" => "ExternalTexture",
        _ => return ValueType::Unknown,
    };
    let (name, native) = (class.to_owned(), Some(class.to_owned()));
    ValueType::Object(ObjectClass { name, native, script: None, is_node: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Godot 4.6.3 lists the parameters of a material.
    #[test]
    fn types_are_those_of_the_parameters() {
        for (declared, expected) in [
            ("bool a", "bool"),
            ("uvec3 a", "Vector3i"),
            ("bvec4 a", "int"),
            ("bvec4 a[3]", "PackedInt32Array"),
            ("uint[2] a", "PackedInt32Array"),
            ("highp float a : hint_range(0, 1, 0.1) = 0.5", "float"),
            ("vec3 a:source_color", "Color"),
            ("vec4 a", "Vector4"),
            ("vec4[2]a : source_color", "PackedColorArray"),
            ("mat2 a[N]", "PackedFloat32Array"),
            ("mat4 a", "Projection"),
            ("usampler2D a : filter_nearest", "Texture2D"),
            ("sampler2D a[4]", "Array"),
            ("isampler2DArray a", "TextureLayered"),
            ("int a : hint_enum(\"A: x\", \"B;C\") = 1", "int"),
            ("Thing a", "Variant"),
        ] {
            let shader = Shader::read(&format!("shader_type spatial;\nuniform {declared};\n"));
            assert_eq!(shader.uniforms.len(), 1, "{declared}");
            assert_eq!(shader.uniform("a").unwrap().holds.to_string(), expected, "{declared}");
        }
    }

    #[test]
    fn other_statements_are_none() {
        let shader = Shader::read(
            "shader_type canvas_item;\n// uniform int no;\n/* uniform int no2; */\ngroup_uniforms A.B;\n\
             struct S { int x; };\nconst float F = 1.0;\nvoid f() { int uniform_x = 1; }\n\
             instance uniform float own; global uniform vec2 all;uniform int last;",
        );
        let found: Vec<_> = shader
            .uniforms
            .iter()
            .map(|found| (found.name.as_str(), found.is_of_material))
            .collect();
        assert_eq!(found, [("own", false), ("all", false), ("last", true)]);
        assert!(shader.is_complete);
        assert!(!Shader::read("#include \"a.gdshaderinc\"\nuniform int a;").is_complete);
    }
}
