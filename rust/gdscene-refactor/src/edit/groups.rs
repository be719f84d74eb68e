//! `group`

use std::collections::BTreeSet;

use godot_project::Project;
use godot_project::settings::lossy;
use godot_tscn::{ValueTree, quoted_name};

use crate::edit::Outcome;
use crate::edit::error::EditErrorKind;
use crate::edit::properties::Holder;
use crate::edit::scene::SceneEdit;

impl SceneEdit {
    /// `group`
    pub(super) fn group(
        &mut self,
        project: &Project,
        path: &str,
        add: &[String],
        remove: &[String],
    ) -> Result<Outcome, EditErrorKind> {
        let path = self.plain_path(path)?;
        if self.node_object(project, &path).is_none() {
            return Err(self.no_node(project, &path));
        }
        if let Some(empty) = add.iter().find(|group| group.is_empty()) {
            return Err(EditErrorKind::Refused(format!("`{empty}` is not a valid group name")));
        }
        let inherited =
            self.base(project, &path).map_or_else(Vec::new, |base| base.node().groups(project));
        let mut notes = Vec::new();
        let holder = Holder::Node(path.clone());
        let section = match self.section_of(&holder) {
            Some(section) => section,
            None => self.section_for(project, &path)?,
        };
        let old = self.document.field(section, "groups").map(<[u8]>::to_vec);
        let mut groups: BTreeSet<String> = old.as_deref().map(read).unwrap_or_default();
        for group in add {
            if inherited.contains(group) {
                notes.push(format!("its own scene already puts it in `{group}`"));
            } else {
                groups.insert(group.clone());
            }
        }
        for group in remove {
            if inherited.contains(group) {
                let reason = format!(
                    "`{path}` is in `{group}` because of its own scene; remove it from the group there, because Godot cannot save the removal here"
                );
                return Err(EditErrorKind::Refused(reason));
            }
            if !groups.remove(group) {
                notes.push(format!("it was not in `{group}`"));
            }
        }
        if groups.is_empty() {
            self.document.remove_field(section, "groups");
        } else if old.as_deref().map(read).as_ref() != Some(&groups) {
            let names: Vec<String> = groups.iter().map(|group| quoted_name(group)).collect();
            self.document.set_field(section, "groups", format!("[{}]", names.join(", ")));
        }
        self.drop_if_empty(project, &holder);
        let what = match (add, remove) {
            (add, []) => format!("added `{path}` to {}", listed(add)),
            ([], remove) => format!("removed `{path}` from {}", listed(remove)),
            (add, remove) => {
                format!("added `{path}` to {} and removed it from {}", listed(add), listed(remove))
            }
        };
        Ok(Outcome { what, notes, ..Outcome::default() })
    }
}

fn read(value: &[u8]) -> BTreeSet<String> {
    let tree = ValueTree::new(value);
    tree.root().children().filter_map(godot_tscn::PartRef::text).map(|text| lossy(&text)).collect()
}

fn listed(groups: &[String]) -> String {
    format!("`{}`", groups.join("`, `"))
}
