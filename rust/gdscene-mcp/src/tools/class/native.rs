//! Godot's own classes.

use godot_project::{Class, Project};

use super::{Members, Report, UncutReport, Wanted, argument_range};

pub(super) fn report(project: &Project, class: Class<'_>, wanted: &Wanted<'_>) -> UncutReport {
    let db = project.classes();
    let origin = match db.version() {
        Some(version) => format!("Godot {version}"),
        None => "Godot".to_owned(),
    };
    let mut remarks = Vec::new();
    if !class.is_instantiable() {
        remarks.push("Godot cannot create an object of it; it is a base of others".to_owned());
    }
    if class.is_editor_only() {
        remarks.push("only the editor has it".to_owned());
    }
    let report = Report {
        name: class.name().to_owned(),
        origin,
        bases: db.lineage(class.name()).skip(1).map(|base| base.name().to_owned()).collect(),
        remarks,
        ..Report::default()
    };
    let mut members = Members::default();
    add(project, class.name(), class.name(), wanted, &mut members);
    add_dynamic(project, class.name(), wanted, &mut members);
    UncutReport { report, members }
}

/// Adds the contents of an object that are not properties of its class: overrides of its theme, points,
/// metadata.
pub(super) fn add_dynamic(
    project: &Project,
    class: &str,
    wanted: &Wanted<'_>,
    members: &mut Members,
) {
    let db = project.classes();
    let overrides = db.theme_overrides(class).filter(|name| wanted.has(name));
    members.properties.extend(overrides.filter_map(|name| {
        let type_name = db.property(class, &name)?.type_name();
        Some(format!("{name}: {type_name}"))
    }));
    let points = gdscene_refactor::points_of(db, class).filter(|_| wanted.has("points"));
    members
        .properties
        .extend(points.map(|form| format!("points: a list, for `edit` only; each is {form}")));
    if db.inherits(class, "Node") || db.inherits(class, "Resource") {
        let metadata = ["metadata/*: Variant"].into_iter().filter(|_| wanted.has("metadata/"));
        members.properties.extend(metadata.map(str::to_owned));
    }
}

/// Adds the members of `class`, with the defaults of `heir`.
pub(super) fn add(
    project: &Project,
    class: &str,
    heir: &str,
    wanted: &Wanted<'_>,
    members: &mut Members,
) {
    let db = project.classes();
    let count = if wanted.is_inherited { usize::MAX } else { 1 };
    for class in db.lineage(class).take(count) {
        let properties = class.property_names().filter(|name| wanted.has(name));
        members.properties.extend(properties.filter_map(|name| {
            let property = class.property(name)?;
            let default = db.default(heir, name).map(|value| format!(" = {value}"));
            let stored = if property.is_stored() { "" } else { " (not saved in scenes)" };
            let type_name = property.type_name();
            Some(format!("{name}: {type_name}{}{stored}", default.unwrap_or_default()))
        }));
        let of_elements = class.element_properties().filter(|found| wanted.has(found.name()));
        let of_elements =
            of_elements.map(|found| format!("{}: {}", found.name(), found.type_name()));
        members.properties.extend(of_elements);
        let signals = class.signal_names().filter(|name| wanted.has(name));
        members.signals.extend(signals.filter_map(|name| {
            let types: Vec<&str> = class.signal(name)?.argument_types().collect();
            Some(format!("{name}({})", types.join(", ")))
        }));
        let methods = class.method_names().filter(|name| wanted.has(name));
        members.methods.extend(methods.filter_map(|name| {
            let method = class.method(name)?;
            let kind = match (method.is_static, method.is_virtual) {
                (true, _) => ", static",
                (_, true) => ", virtual",
                _ => "",
            };
            Some(format!("{name}: {} arguments{kind}", argument_range(method.least, method.most)))
        }));
        let enums = class.enum_names().filter(|name| wanted.has(name));
        members.enums.extend(enums.filter_map(|name| {
            let values = class.enum_values(name)?.map(|(name, value)| format!("{name}={value}"));
            Some(format!("{name}: {}", values.collect::<Vec<_>>().join(" ")))
        }));
    }
}
