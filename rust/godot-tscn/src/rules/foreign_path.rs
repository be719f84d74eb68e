//! RES009

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::document::TagKind;
use crate::edit_set::Edit;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` whose path is not below `res://`: an absolute or relative path, a path in the user's
    /// folder (`user://`), and a path that leaves the project with `..`. Ignores files that exporters write (`.escn`).
    ///
    /// ## Why is this bad?
    /// Godot does not export a file outside the project, and other machines do not have it. A relative path inside the
    /// project, as Godot 3 wrote it, works while both files stay together, so it is only an info.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Texture2D" path="user://a.png" id="1"]
    ///
    /// [node name="A" type="Sprite2D"]
    /// texture = ExtResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Texture2D" path="res://a.png" id="1"]
    ///
    /// [node name="A" type="Sprite2D"]
    /// texture = ExtResource("1")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: writes a relative path in a file below `res://`, and a path with unnecessary `.` and `..`, as Godot
    /// resolves it. Other paths have no fix.
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp),
    /// `ProjectSettings::localize_path` (core/config/project_settings.cpp)
    "RES009", "foreign-path", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    // Exporters write relative paths, and the importer resolves them.
    let is_exported = context.path.is_some_and(|path| path.to_ascii_lowercase().ends_with(".escn"));
    if is_exported {
        return;
    }
    let sections = context.document.sections();
    for section in sections.filter(|section| section.kind() == TagKind::ExtResource) {
        let Some(field) = section.field("path") else { continue };
        let Some(path) = field.text() else { continue };
        let is_plain = path.starts_with(b"res://") && memchr::memmem::find(&path, b"/.").is_none();
        if is_plain || path.starts_with(b"uid://") || path.is_empty() {
            continue;
        }
        let Ok(path) = std::str::from_utf8(&path) else { continue };
        let (what, severity, simplified) = match judge(path, context.path) {
            Judgement::Sound => continue,
            Judgement::Simplified(path) => {
                ("is not in its simplest form", Severity::Warning, Some(path))
            }
            Judgement::Relative(path) => ("is relative to this file", Severity::Info, path),
            Judgement::Outside => ("is outside the project", Severity::Warning, None),
        };
        let diagnostic = reporter.report(
            field.value_span(),
            format!("{} {what}; write a path below `res://`", quote(path.as_bytes())),
        );
        diagnostic.severity = severity;
        if let Some(path) = simplified.filter(|path| !path.contains(['"', '\\'])) {
            let edits = vec![Edit::replace(field.value_span(), format!("\"{path}\""))];
            diagnostic.fix(Fix::new("write the full path", Applicability::Safe, edits));
        }
    }
}

/// The real form of a path that looks odd.
enum Judgement {
    Sound,
    /// Below `res://`, but with steps to and fro.
    Simplified(String),
    /// Relative; where it leads, if that is known and inside.
    Relative(Option<String>),
    Outside,
}

fn judge(path: &str, own: Option<&str>) -> Judgement {
    if let Some(inside) = path.strip_prefix("res://") {
        return match simplify(inside) {
            Some(simple) if simple == inside => Judgement::Sound,
            Some(simple) => Judgement::Simplified(format!("res://{simple}")),
            None => Judgement::Outside,
        };
    }
    let is_absolute = path.contains("://")
        || path.starts_with(['/', '\\'])
        || path.contains(":/")
        || path.contains(":\\");
    if is_absolute {
        return Judgement::Outside;
    }
    let folder = own.and_then(|own| {
        own.strip_prefix("res://")?.rsplit_once('/').map_or(Some(""), |(folder, _)| Some(folder))
    });
    let Some(folder) = folder else { return Judgement::Relative(None) };
    match simplify(&format!("{folder}/{path}")) {
        Some(simple) => Judgement::Relative(Some(format!("res://{simple}"))),
        None => Judgement::Outside,
    }
}

/// Without `.`, `..` and doubled slashes, or nothing if the path leads out (`String::simplify_path`).
fn simplify(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let mut names = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop()?;
            }
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, rendered, rendered_file};

    fn file(path: &str) -> String {
        format!("[gd_scene format=3]\n\n[ext_resource type=\"A\" path=\"{path}\" id=\"1\"]\n")
    }

    #[test]
    fn paths() {
        for path in ["res://a.png", "res://a/.b/c..d.png", "uid://abc"] {
            clean(&RULE, &file(path));
        }
        let mut found = String::new();
        for path in ["/a.png", "user://a.png", "res://../a.png", "C:/a.png", "res://a/../../a.png"]
        {
            found += &rendered(&RULE, &file(path));
        }
        assert_snapshot!(found, @r#"
        3:29-3:37 warning: `/a.png` is outside the project; write a path below `res://`
            at: "/a.png"
        3:29-3:43 warning: `user://a.png` is outside the project; write a path below `res://`
            at: "user://a.png"
        3:29-3:45 warning: `res://../a.png` is outside the project; write a path below `res://`
            at: "res://../a.png"
        3:29-3:39 warning: `C:/a.png` is outside the project; write a path below `res://`
            at: "C:/a.png"
        3:29-3:50 warning: `res://a/../../a.png` is outside the project; write a path below `res://`
            at: "res://a/../../a.png"
        "#);
    }

    #[test]
    fn relative_paths() {
        assert_snapshot!(rendered_file(&RULE, "res://b/c.tscn", &file("../a.png")), @r#"
        3:29-3:39 info: `../a.png` is relative to this file; write a path below `res://`
            at: "../a.png"
            safe fix: write the full path
              - [ext_resource type="A" path="../a.png" id="1"]
              + [ext_resource type="A" path="res://a.png" id="1"]
        "#);
        assert_snapshot!(rendered(&RULE, &file("../a.png")), @r#"
        3:29-3:39 info: `../a.png` is relative to this file; write a path below `res://`
            at: "../a.png"
        "#);
        check_fix(&RULE, &file("res://b/.././a.png"), &file("res://a.png"));
    }
}
