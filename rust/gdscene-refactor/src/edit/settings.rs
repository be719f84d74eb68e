//! `configure`

use godot_project::res_path::extension_of;
use godot_project::{KnownSetting, Project, ValueType};
use godot_tscn::{GodotVersion, quoted};
use indexmap::IndexMap;
use serde_json::Value as Json;

use crate::edit::Outcome;
use crate::edit::error::EditErrorKind;
use crate::edit::input_events::action_text;
use crate::edit::operation::ValueSpec;
use crate::edit::resources::found_file;
use crate::edit::session::Session;
use crate::edit::settings_text::SettingsText;
use crate::edit::value::{are_equal, of_godot, of_json, shortened};
use crate::names::{check_identifier, check_no_native_class};

/// The file with the settings of a project.
pub(super) const SETTINGS: &str = "res://project.godot";

const TRANSLATIONS: &str = "internationalization/locale/translations";

impl Session<'_> {
    /// `configure`
    pub(super) fn configure(
        &mut self,
        path: &str,
        settings: &IndexMap<String, ValueSpec>,
        autoloads: &IndexMap<String, Option<String>>,
        actions: &IndexMap<String, Json>,
    ) -> Result<Outcome, EditErrorKind> {
        let refuse = |reason: &str| Err(EditErrorKind::Refused(reason.to_owned()));
        if path != SETTINGS {
            return refuse(
                "`configure` changes `project.godot`; `set` changes scenes and resources",
            );
        }
        if self.project().settings().version.is_some_and(|version| version.major == 3) {
            return refuse("only the settings of Godot 4 projects can be changed");
        }
        let mut notes = Vec::new();
        let mut changes: Vec<(String, Option<String>)> = Vec::new();
        self.change_text(path, |project, text| {
            let mut text = SettingsText::new(text)?;
            for (name, value) in settings {
                changes.push((name.clone(), setting(name, value, &mut notes)?));
            }
            for (name, file) in autoloads {
                changes
                    .push((format!("autoload/{name}"), autoload(project, name, file.as_deref())?));
            }
            for (name, events) in actions {
                let key = format!("input/{name}");
                changes.push((key, action(name, events)?));
            }
            for (name, value) in &changes {
                let default = KnownSetting::named(name).map(|known| known.default);
                let value = value.as_deref();
                let is_default =
                    value.zip(default).is_some_and(|(value, default)| are_equal(default, value));
                text.put(name, value.filter(|_| !is_default));
            }
            Ok(text.into_bytes())
        })?;
        let what = match changes.as_slice() {
            [] => "changed no setting".to_owned(),
            [(name, None)] => format!("removed `{name}`"),
            [(name, Some(value))] => format!("set `{name}` to {}", shortened(value)),
            all => {
                let names: Vec<String> = all.iter().map(|(name, _)| format!("`{name}`")).collect();
                format!("changed the settings {}", names.join(", "))
            }
        };
        Ok(Outcome { file: path.to_owned(), what, notes, ..Outcome::default() })
    }
}

/// The text of a setting's value; nothing if it is to go.
fn setting(
    name: &str,
    value: &ValueSpec,
    notes: &mut Vec<String>,
) -> Result<Option<String>, EditErrorKind> {
    let is_name =
        |part: &str| !part.is_empty() && !part.contains(['"', '[', ']']) && has_no_controls(part);
    if !name.split('/').all(is_name) || name == "config_version" {
        let reason = format!(
            "`{name}` is not a valid setting path; expected a path such as `application/run/main_scene`"
        );
        return Err(EditErrorKind::Refused(reason));
    }
    // Settings for platforms, such as `….mobile`, have the same type.
    let plain = name.split_once('.').map_or(name, |(plain, _)| plain);
    let known = KnownSetting::named(name).or_else(|| KnownSetting::named(plain));
    if known.is_none()
        && let Some(near) = KnownSetting::nearest(name)
    {
        notes.push(format!("`{name}` is not a Godot setting; did you mean `{near}`?"));
    }
    let holds = known.map_or(ValueType::Any, |known| known.holds());
    let version = GodotVersion::NEWEST;
    let (text, given) = match value {
        ValueSpec::Json(Json::Null) => return Ok(None),
        ValueSpec::Json(json) => (of_json(json, &holds, version), json.to_string()),
        ValueSpec::Godot(text) => (of_godot(text, &holds, version), text.clone()),
        ValueSpec::Load(_) | ValueSpec::New(..) => {
            let reason =
                format!("`{name}` is a setting that names a file by its path; write \"res://…\"");
            return Err(EditErrorKind::Refused(reason));
        }
    };
    let text = text.map_err(|reason| EditErrorKind::WrongValue {
        value: shortened(&given),
        property: name.to_owned(),
        type_name: holds.to_string(),
        reason,
    })?;
    // They are read before Godot has a loader for these.
    if name == TRANSLATIONS && text.contains(".tres\"") {
        let reason = format!(
            "`{name}`: Godot does not load translations from `.tres` files at the start; use a `.po` or `.translation` file"
        );
        return Err(EditErrorKind::Refused(reason));
    }
    let texts = known.map(|known| known.texts()).unwrap_or_default();
    if !texts.is_empty() && !texts.iter().any(|known| quoted(known) == text) {
        notes.push(format!("`{name}` is usually one of {}", texts.join(", ")));
    }
    Ok(Some(text))
}

/// Whether a name fits into a line.
fn has_no_controls(name: &str) -> bool {
    !name.contains(char::is_control)
}

/// The value of an autoload, which scripts know by its name.
fn autoload(
    project: &Project,
    name: &str,
    file: Option<&str>,
) -> Result<Option<String>, EditErrorKind> {
    let Some(path) = file else { return Ok(None) };
    check_identifier(name, "autoload name")?;
    check_no_native_class(project, name)?;
    if let Some(script) = project.scripts().class(name) {
        let reason = format!(
            "the script `{}` has the `class_name {name}`, so the autoload needs a different name",
            project.path(script)
        );
        return Err(EditErrorKind::Refused(reason));
    }
    let path = path.trim_start_matches('*');
    let file = project.path(found_file(project, SETTINGS, path)?);
    if !matches!(&*extension_of(file), "tscn" | "scn" | "escn" | "gd" | "cs" | "res") {
        let reason = format!("`{path}` is not a scene or script, so it cannot be an autoload");
        return Err(EditErrorKind::Refused(reason));
    }
    Ok(Some(quoted(&format!("*{file}"))))
}

/// The value of an input action.
fn action(name: &str, events: &Json) -> Result<Option<String>, EditErrorKind> {
    if events.is_null() {
        return Ok(None);
    }
    if name.is_empty() || name.contains(['/', ':', '"', '=', '\\']) || !has_no_controls(name) {
        let reason = format!(
            "`{name}` is not a valid action name; expected a name without `/`, `:`, `=`, `\\` and `\"`"
        );
        return Err(EditErrorKind::Refused(reason));
    }
    let wrong = |reason| EditErrorKind::Refused(format!("the action `{name}`: {reason}"));
    action_text(events).map(Some).map_err(wrong)
}
