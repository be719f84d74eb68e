//! Pointers and smart pointers (JsonDeserializer::LoadToPointer, SmartPointerSerializer.cpp).

use godot_variant::Value;

use super::class::{self, TYPE_MEMBER};
use crate::load::{load_anew, load_value};
use crate::registry::TypeId;
use crate::run::Run;
use crate::store::{Step, misfit, store_value};
use crate::{Json, Kind, Outcome, Registry, ResultCode, Schema, Task};

pub(crate) fn load(
    run: &mut Run<'_>,
    item: &Schema,
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    if *json == Json::Null {
        *target = Value::Nil;
        return run.success(Task::ReadField);
    }
    if let Kind::Class(base) = &item.kind
        && !run.registry.is_known(base)
    {
        return class::unknown(run, base);
    }
    let schema = match pointee(run, item, target, json) {
        Ok(schema) => schema,
        Err(code) => return code,
    };
    let is_same = *target != Value::Nil
        && match &schema.kind {
            Kind::Class(class) => Registry::class_of(target) == Some(class),
            _ => true,
        };
    if is_same {
        return load_anew(run, &schema, target, json);
    }
    if let Kind::Class(class) = &schema.kind
        && run.registry.class(class).is_some_and(|class| class.is_abstract)
    {
        let message =
            format!("`{class}` is abstract: name a class that derives from it in `$type`");
        return run.report(Task::CreateDefault, Outcome::Catastrophic, message);
    }
    let mut value = schema.default_value(run.registry);
    let code = load_value(run, &schema, &mut value, json);
    if !code.is_refused() {
        *target = value;
    }
    code
}

/// What is pointed to: what `$type` names, else what is there, else what is declared.
fn pointee(
    run: &mut Run<'_>,
    item: &Schema,
    target: &Value,
    json: &Json,
) -> Result<Schema, ResultCode> {
    let Kind::Class(base) = &item.kind else { return Ok(item.clone()) };
    if json.member(TYPE_MEMBER).is_none() {
        let class = Registry::class_of(target).filter(|class| run.registry.class(class).is_some());
        return Ok(class.map_or_else(|| item.clone(), |class| Kind::Class(class.into()).into()));
    }
    let found = match run.registry.load_type_id(json, Some(base)) {
        Ok(TypeId::Class(class)) => Ok(class),
        Ok(TypeId::Uuid(uuid)) => {
            Err(format!("no registered class has the UUID {uuid}: register it"))
        }
        Err(issue) => Err(issue.message),
    };
    let refused = |run: &mut Run<'_>, task, outcome, message| {
        run.at(TYPE_MEMBER, |run| Err(run.report(task, outcome, message)))
    };
    match found {
        Ok(class) if run.registry.derives_from(&class, base) => Ok(Kind::Class(class).into()),
        Ok(class) => {
            let message =
                format!("`{class}` does not derive from `{base}`: name a class that does");
            refused(run, Task::Convert, Outcome::TypeMismatch, message)
        }
        Err(message) => refused(run, Task::RetrieveInfo, Outcome::Unknown, message),
    }
}

pub(crate) fn store(
    run: &mut Run<'_>,
    item: &Schema,
    value: &Value,
    default: Option<&Value>,
) -> Step {
    if *value == Value::Nil {
        let is_default = default == Some(&Value::Nil);
        let code = if is_default {
            run.defaults_used(Task::WriteValue)
        } else {
            run.success(Task::WriteValue)
        };
        return (Json::Null, code);
    }
    if Registry::class_of(value).is_none() && matches!(value, Value::Object(_)) {
        return misfit(run, value, &item.kind);
    }
    let (Kind::Class(base), Some(class)) = (&item.kind, Registry::class_of(value)) else {
        let item_default = item.default_value(run.registry);
        let default =
            default.map(|default| if *default == Value::Nil { &item_default } else { default });
        return store_value(run, item, value, default);
    };
    let is_default_class =
        default.is_some_and(|default| Registry::class_of(default) == Some(class));
    let new_instance;
    let default = if default.is_some() && !is_default_class {
        new_instance = Kind::Class(class.into());
        let new_instance = Schema::from(new_instance).default_value(run.registry);
        Some(new_instance)
    } else {
        default.cloned()
    };
    let (mut members, mut code) = class::store_members(run, class, value, default.as_ref());
    if **base != *class
        && !is_default_class
        && let Ok(name) = run.registry.store_type_id(class)
    {
        members.insert(0, (TYPE_MEMBER.to_owned(), Json::String(name)));
        code.add(run.success(Task::WriteValue));
    }
    (Json::Object(members), code)
}
