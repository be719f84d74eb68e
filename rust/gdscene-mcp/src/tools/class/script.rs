//! Classes that scripts declare.

use godot_project::{Base, FileId, Project, Script, Shader, resolve_path};

use super::{Members, Report, UncutReport, Wanted, argument_range, native};
use crate::paths;
use crate::tool::ToolError;

/// Scripts extend each other so deep at most: more is a circle.
const MAX_DEPTH: usize = 64;

/// The script of a class, by its name or path.
pub(super) fn find(project: &Project, name: &str) -> Result<Option<FileId>, ToolError> {
    if let Some(file) = project.scripts().class(name) {
        return Ok(Some(file));
    }
    if !name.contains(['/', '.']) {
        return Ok(None);
    }
    let file = paths::file(project, name)?;
    if project.scripts().script(file).is_none() {
        let path = project.path(file);
        return Err(ToolError(format!("`{path}` is not a script in GDScript or C#")));
    }
    Ok(Some(file))
}

/// A shader: materials have its parameters as properties.
pub(super) fn shader(project: &Project, name: &str, wanted: &Wanted<'_>) -> Option<UncutReport> {
    let file = paths::file(project, name).ok()?;
    let path = project.path(file);
    if !path.ends_with(".gdshader") {
        return None;
    }
    let shader = Shader::in_file(project, file)?;
    let uniforms = shader.uniforms.iter().filter(|uniform| wanted.has(&uniform.name));
    let properties = uniforms.map(|uniform| {
        let family =
            if uniform.is_of_material { "shader_parameter" } else { "instance_shader_parameters" };
        format!("{family}/{}: {}", uniform.name, uniform.holds)
    });
    let members = Members { properties: properties.collect(), ..Members::default() };
    let remark = "a ShaderMaterial has these properties once its `shader` is this file".to_owned();
    let (name, origin) = (path.to_owned(), path.to_owned());
    let report = Report { name, origin, remarks: vec![remark], ..Report::default() };
    Some(UncutReport { report, members })
}

pub(super) fn report(project: &Project, file: FileId, wanted: &Wanted<'_>) -> UncutReport {
    let (mut report, mut members) = (Report::default(), Members::default());
    let mut current = Some(file);
    for depth in 0..MAX_DEPTH {
        let Some(file) = current else { break };
        let Some(script) = project.scripts().script(file) else { break };
        let path = project.path(file);
        let name = script.class_name.clone().unwrap_or_else(|| path.to_owned());
        if depth == 0 {
            report = Report { name, origin: path.to_owned(), ..report };
        } else {
            report.bases.push(name);
        }
        if !script.is_complete {
            report.remarks.push(format!("`{path}` is not understood wholly; it may have more"));
        }
        if depth == 0 || wanted.is_inherited {
            add(script, wanted, &mut members);
        }
        current = base(project, path, &script.base, &mut report, wanted, &mut members);
    }
    UncutReport { report, members }
}

/// The script that a script extends. A class of the engine at the end is added.
fn base(
    project: &Project,
    path: &str,
    base: &Base,
    report: &mut Report,
    wanted: &Wanted<'_>,
    members: &mut Members,
) -> Option<FileId> {
    let class = match base {
        Base::Unset => "RefCounted",
        Base::Path(text, inner) => {
            let file = resolve_path(path, text).and_then(|path| project.file(&path));
            if file.is_none() || !inner.is_empty() {
                report.bases.push(text.clone());
                return None;
            }
            return file;
        }
        Base::Class(name) => name,
    };
    if let Some(file) = project.scripts().class(class) {
        return Some(file);
    }
    let lineage: Vec<String> =
        project.classes().lineage(class).map(|class| class.name().to_owned()).collect();
    if lineage.is_empty() {
        report.bases.push(class.to_owned());
        return None;
    }
    report.bases.extend(lineage);
    if wanted.is_inherited {
        native::add(project, class, class, wanted, members);
        native::add_dynamic(project, class, wanted, members);
    }
    None
}

fn add(script: &Script, wanted: &Wanted<'_>, members: &mut Members) {
    let variables = script.variables.iter().filter(|variable| wanted.has(&variable.name));
    members.properties.extend(variables.map(|variable| {
        let export = if variable.is_exported { "@export " } else { "" };
        let type_name = variable.type_name.as_ref().map(|name| format!(": {name}"));
        let value = variable.value.as_ref().map(|value| format!(" = {value}"));
        format!(
            "{export}{}{}{}",
            variable.name,
            type_name.unwrap_or_default(),
            value.unwrap_or_default()
        )
    }));
    let signals = script.signals.iter().filter(|signal| wanted.has(&signal.name));
    members.signals.extend(signals.map(|signal| match signal.argument_count {
        Some(count) => format!("{}: {count} arguments", signal.name),
        None => signal.name.clone(),
    }));
    let functions = script.functions.iter().filter(|function| wanted.has(&function.name));
    members.methods.extend(functions.map(|function| {
        let range = argument_range(function.least, function.most);
        let kind = if function.is_static { ", static" } else { "" };
        format!("{}: {range} arguments{kind}", function.name)
    }));
}
