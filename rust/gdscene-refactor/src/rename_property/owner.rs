//! Which objects have the variable that is renamed.

use godot_project::object_type::{Member, ObjectType};
use godot_project::{Project, SceneContext, Script};

/// The variable, and the script that declares it.
pub(super) struct Owner<'p> {
    pub(super) project: &'p Project,
    pub(super) script: &'p Script,
    pub(super) old: &'p str,
    pub(super) new: &'p str,
    /// Whether the script has the new name already, and only the references in other files change.
    pub(super) is_renamed_already: bool,
}

/// Whether a name means the variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Yes,
    No,
    /// It is unknown.
    Unknown,
}

impl Owner<'_> {
    /// Whether the old name means the variable on this object.
    pub(super) fn has(&self, object: &ObjectType<'_>) -> Verdict {
        let is_ours = |script: &Script| std::ptr::eq(script, self.script);
        if !object.scripts().any(is_ours) {
            // A script that can be read up to its end is another one.
            return if object.has_known_scripts() { Verdict::No } else { Verdict::Unknown };
        }
        if !self.is_renamed_already {
            return Verdict::Yes;
        }
        match object.property(self.old) {
            Member::Nothing => Verdict::Yes,
            Member::Unknown => Verdict::Unknown,
            Member::Native(_) | Member::Script(_) => Verdict::No,
        }
    }

    /// Which of the names behind the `:` of a path means the variable: `["stats", "health", "x"]`, seen from an object.
    pub(super) fn find_in_subnames<'c>(
        &self,
        context: &SceneContext<'c>,
        object: &ObjectType<'c>,
        names: &[&str],
    ) -> (usize, Verdict) {
        let Some(last) = names.iter().rposition(|name| *name == self.old) else {
            return (0, Verdict::No);
        };
        // A resource in a property, of the class that its variable says.
        let mut inner: Option<ObjectType<'c>> = None;
        for (index, name) in names[..=last].iter().enumerate() {
            let object = inner.as_ref().unwrap_or(object);
            if *name == self.old {
                match self.has(object) {
                    Verdict::No => {}
                    verdict => return (index, verdict),
                }
            }
            if index == last {
                break;
            }
            let class = match object.property(name) {
                Member::Script(variable) => variable.type_name.as_deref(),
                Member::Nothing => return (index, Verdict::No),
                Member::Native(_) | Member::Unknown => None,
            };
            let file = class.and_then(|class| self.project.scripts().class(class));
            let Some(file) = file else { return (index, Verdict::Unknown) };
            inner = Some(ObjectType::of_script(context, file));
        }
        (0, Verdict::No)
    }
}
