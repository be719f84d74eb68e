//! Values in files, in O3DE's wrapper.

use godot::builtin::{AnyDictionary, GString, Variant};
use godot::classes::FileAccess;
use godot::classes::file_access::ModeFlags;
use godot_variant::{Object, Value};
use o3de_json::{
    Issue, Json, Kind, Outcome, ResultCode, Schema, Task, load_wrapped_over, store_wrapped,
    wrapped_class,
};

use super::call::{Call, NoJson};
use super::work::{self, Answer};
use super::{classes, descriptor, objects};
use crate::o3de_json_result::O3deJsonResult;
use crate::saved_file;

pub(super) fn store(path: &GString, value: &Variant, options: &AnyDictionary) -> Answer {
    let call = Call::parse(options)?;
    if call.default.is_some() || call.report.is_some() {
        return Err("the options `default` and `report` do not work with files".into());
    }
    work::register_scripts(value)?;
    let classes = classes::current();
    let value = objects::value_of(value, &classes)?;
    let class = match &value {
        Value::Object(object) => match &**object {
            Object::Full { class, .. } => class.to_string(),
            _ => return Err("the object's class is not registered: register it".into()),
        },
        value => value.variant_type().to_string(),
    };
    let json = match store_wrapped(&value, &class, &classes.registry, call.settings) {
        Ok(json) => json,
        Err(issues) => return Ok(O3deJsonResult::refused(Task::WriteValue, &issues)),
    };
    let text = call.text(&json);
    Ok(match saved_file::write_text(&path.to_string(), &text) {
        Ok(()) => {
            let code = ResultCode::new(Task::WriteValue, Outcome::Success);
            O3deJsonResult::written(&text, code, &[])
        }
        Err(message) => refused(Task::WriteValue, message),
    })
}

pub(super) fn load(path: &GString, schema: &Variant, options: &AnyDictionary) -> Answer {
    let call = Call::parse(options)?;
    let schema = descriptor::schema_of(schema)?;
    let classes = classes::current();
    let Some(mut file) = FileAccess::open(path, ModeFlags::READ) else {
        let message = format!("`{path}` cannot be read: {:?}", FileAccess::get_open_error());
        return Ok(refused(Task::ReadField, message));
    };
    let len = file.get_length();
    if len > call.limits.max_len as u64 {
        let message = format!("`{path}` has {len} bytes, too many: raise `max_bytes`");
        return Ok(refused(Task::ReadField, message));
    }
    let bytes = file.get_buffer(len as i64);
    let json = match Json::parse_bytes(bytes.as_slice(), call.limits) {
        Ok(json) => json,
        Err(error) => return Ok(O3deJsonResult::no_json(Task::ReadField, NoJson::Text(error))),
    };
    let text = std::str::from_utf8(bytes.as_slice()).ok();
    let wanted = match &schema {
        Some(Schema { kind: Kind::Class(class), .. }) => Some(class.to_string()),
        _ => None,
    };
    let Some(class) = wrapped_class(&json) else {
        return match &schema {
            Some(schema) => work::load_tree(&json, text, schema, &call, &classes),
            None => Ok(refused(
                Task::ReadField,
                "the file has no `ClassName` and `ClassData`: give a schema".to_owned(),
            )),
        };
    };
    // The file may spell the class in another case.
    let class = wanted.unwrap_or_else(|| {
        let known = classes.registry.classes().map(|class| &class.full_name);
        let known = known.into_iter().find(|name| name.eq_ignore_ascii_case(class));
        known.map_or_else(|| class.to_owned(), ToString::to_string)
    });
    if call.report.is_some() {
        return Err("the option `report` does not work with files in the wrapper".into());
    }
    let target = work::target_of(&call, &Kind::Class((*class).into()).into(), &classes)?;
    match load_wrapped_over(&json, &class, target, &classes.registry, call.settings) {
        Ok(mut loaded) => {
            call.locate(text, &mut loaded.issues);
            work::finished(&loaded.value, loaded.code, &loaded.issues, &call, &classes)
        }
        Err(mut issues) => {
            call.locate(text, &mut issues);
            Ok(O3deJsonResult::refused(Task::ReadField, &issues))
        }
    }
}

fn refused(task: Task, message: String) -> godot::obj::Gd<O3deJsonResult> {
    let code = ResultCode::new(task, Outcome::Catastrophic);
    O3deJsonResult::refused(task, &[Issue::new("", message, code)])
}
