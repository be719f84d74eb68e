//! `attach`, `detach`

use godot_project::Project;
use godot_project::res_path::extension_of;
use godot_project::settings::lossy;
use godot_tscn::SectionId;

use crate::edit::Outcome;
use crate::edit::error::EditErrorKind;
use crate::edit::object::Object;
use crate::edit::properties::{Holder, PropertyPlace};
use crate::edit::resources::found_file;
use crate::edit::scene::SceneEdit;

impl SceneEdit {
    /// `attach`
    pub(super) fn attach(
        &mut self,
        project: &Project,
        path: &str,
        script: &str,
    ) -> Result<Outcome, EditErrorKind> {
        let path = self.plain_path(path)?;
        let object = self.node_object(project, &path);
        let object = object.ok_or_else(|| self.no_node(project, &path))?;
        let file = found_file(project, &self.path, script)?;
        let script = project.path(file).to_owned();
        if !matches!(&*extension_of(&script), "gd" | "cs") {
            return Err(EditErrorKind::Refused(format!("`{script}` is not a script")));
        }
        let native = project.scripts().chain(project, file).native;
        let class = object.called();
        if let (Some(native), Some(_)) = (&native, &object.class)
            && project.classes().class(&class).is_some()
            && !project.classes().inherits(&class, native)
        {
            let reason =
                format!("`{script}` extends {native}, so Godot cannot attach it to a {class}");
            return Err(EditErrorKind::Refused(reason));
        }
        let id = self.load(project, &script)?;
        let old = self.section_of(&Holder::Node(path.clone()));
        let old_script = old.and_then(|section| self.value(section, "script"));
        let place =
            PropertyPlace { holder: Holder::Node(path.clone()), object, key: "script".to_owned() };
        self.put(project, &place, &format!("ExtResource(\"{id}\")"))?;
        let mut outcome = Outcome {
            what: format!("attached `{script}` to `{path}`"),
            id: Some(id),
            ..Outcome::default()
        };
        if let (Some(section), Some(_)) = (old, old_script) {
            let object = self.node_object(project, &path);
            if let Some(object) = object {
                outcome.notes = self.drop_unknown(&path, &object, section);
            }
        }
        Ok(outcome)
    }

    /// `detach`
    pub(super) fn detach(
        &mut self,
        project: &Project,
        path: &str,
    ) -> Result<Outcome, EditErrorKind> {
        let path = self.plain_path(path)?;
        let object = self.node_object(project, &path);
        let object = object.ok_or_else(|| self.no_node(project, &path))?;
        let what = format!("detached the script of `{path}`");
        let section = self.section_of(&Holder::Node(path.clone()));
        let own = section.filter(|section| self.document.property(*section, "script").is_some());
        let inherited = object
            .base
            .as_ref()
            .is_some_and(|base| !matches!(base.node().script(project), Ok(None)));
        if own.is_none() && !inherited {
            let notes = vec!["the node has no script; nothing changed".to_owned()];
            return Ok(Outcome { what, notes, ..Outcome::default() });
        }
        if inherited {
            // The instanced scene gives it one.
            let place = PropertyPlace {
                holder: Holder::Node(path.clone()),
                object,
                key: "script".to_owned(),
            };
            self.put(project, &place, "null")?;
        } else if let Some(section) = own {
            self.take(&object, section, "script");
        }
        let section = self.section_of(&Holder::Node(path.clone()));
        let object = self.node_object(project, &path);
        let notes = match (section, object) {
            (Some(section), Some(object)) => self.drop_unknown(&path, &object, section),
            _ => Vec::new(),
        };
        self.drop_if_empty(project, &Holder::Node(path));
        Ok(Outcome { what, notes, ..Outcome::default() })
    }

    /// Removes the values that only another script has known: Godot does not save them. Returns the removed
    /// properties.
    fn drop_unknown(&mut self, path: &str, object: &Object<'_>, section: SectionId) -> Vec<String> {
        let keys = self.document.properties(section).map(|(key, _)| lossy(&key));
        let gone: Vec<String> = keys.filter(|key| object.property(key).is_none()).collect();
        let mut notes = Vec::new();
        for key in gone {
            self.take(object, section, &key);
            notes.push(format!("`{path}:{key}` was also removed, a variable of the old script"));
        }
        notes.extend(self.drop_lost_signals(path, object));
        notes
    }
}
