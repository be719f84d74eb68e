//! Whether the classes and properties that rules name are there.

use godot_project::object_type::METADATA;
use godot_project::{ClassDb, Project};
use godot_tscn::{GodotVersion, quote};

use super::OwnRules;
use super::conditions::Mention;
use super::read::Wrong;

impl OwnRules {
    /// Looks for the classes and properties that the rules name.
    ///
    /// # Errors
    /// The first name that is neither Godot's nor the project's.
    pub(crate) fn check_names_in(&self, project: &Project) -> Result<(), Wrong> {
        self.class_mentions.iter().try_for_each(|found| check_class(project, found))?;
        let mut properties = self.property_mentions.iter();
        properties.try_for_each(|found| self.check_property(project, found))
    }

    fn check_property(&self, project: &Project, found: &Mention) -> Result<(), Wrong> {
        let name = found.name.as_str();
        let classes: Vec<&str> = found.classes.iter().map(|class| &*self.classes[*class]).collect();
        let is_native = |class: &&str| project.classes().class(class).is_some();
        let is_judged = !classes.is_empty()
            && classes.iter().all(is_native)
            && !project.has_unknown_classes()
            && name != "script"
            && !name.starts_with(METADATA);
        if !is_judged || has_property(project, &classes, name) {
            return Ok(());
        }
        let names = classes.iter().flat_map(|class| project.classes().lineage(class));
        let names: Vec<&str> = names.flat_map(godot_project::Class::property_names).collect();
        let near = godot_tscn::nearest(name.as_bytes(), names.iter().map(|name| name.as_bytes()));
        // Such as `tooltip_text` for `tooltip`.
        let longer = || {
            let longer = names.iter().filter(|found| found.starts_with(name));
            longer.min_by_key(|found| found.len()).map(|found| found.as_bytes())
        };
        let hint = match near.or_else(longer) {
            Some(near) => format!("did you mean {}?", quote(near)),
            None => "no class that extends it has one, either".to_owned(),
        };
        let message =
            format!("`{}` has no property {}", classes.join("`, `"), quote(name.as_bytes()));
        Err((found.span.clone(), format!("{message}; {hint}")))
    }
}

fn check_class(project: &Project, found: &Mention) -> Result<(), Wrong> {
    let name = found.name.as_str();
    let newest = ClassDb::for_version(GodotVersion::NEWEST);
    let scripts = project.scripts();
    let is_known = project.classes().class(name).is_some()
        || newest.class(name).is_some() && !project.classes().is_live()
        || scripts.declares(name)
        || scripts.may_declare(project, name)
        || scripts.has_csharp_file(name)
        || project.script_classes().iter().any(|class| class.name == name)
        || project.has_unknown_classes();
    if is_known {
        return Ok(());
    }
    let hint = match project.nearest_class(name) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "use a class of Godot, or the `class_name` of a script".to_owned(),
    };
    Err((found.span.clone(), format!("unknown class {}; {hint}", quote(name.as_bytes()))))
}

/// Whether objects of one of the classes, of classes that extend them, or scripts have a property of this name.
fn has_property(project: &Project, classes: &[&str], name: &str) -> bool {
    let known = project.classes();
    let has = |class: &str| known.property(class, name).is_some() || known.takes(class, name);
    if classes.iter().any(|class| has(class)) {
        return true;
    }
    let is_heir = |class: &str| classes.iter().any(|base| known.inherits(class, base));
    let scripts = project.files().filter_map(|file| project.scripts().script(file));
    scripts.into_iter().any(|script| {
        script.has_dynamic_properties
            || script.variables.iter().any(|variable| variable.name == name)
    }) || known.class_names().any(|class| is_heir(class) && has(class))
}
