//! `rename`, `move`: the refactorings, among other operations.

use godot_project::Plan;
use godot_project::property_path::node_path;

use crate::edit::Outcome;
use crate::edit::error::EditErrorKind;
use crate::edit::operation::Operation;
use crate::edit::session::Session;
use crate::{RefactorError, move_node, rename_node};

impl Session<'_> {
    /// Makes the changes in other files: those that name the node.
    pub(super) fn refactor(
        &mut self,
        scene: &str,
        operation: &Operation,
    ) -> Result<Outcome, EditErrorKind> {
        self.show_all()?;
        let (plan, node) = self.refactoring(scene, operation)?;
        for file in &plan.files {
            self.take(file)?;
        }
        let doubts = plan.doubts.iter();
        let notes = doubts.map(|doubt| format!("{}:{}: {}", doubt.path, doubt.line, doubt.what));
        let (file, what) = (scene.to_owned(), plan.title.clone());
        Ok(Outcome { file, what, node: Some(node), notes: notes.collect(), id: None })
    }

    /// The plan, and the path that the node has then.
    fn refactoring(
        &self,
        scene: &str,
        operation: &Operation,
    ) -> Result<(Plan, String), EditErrorKind> {
        let below = |parent: &str, name: &str| match parent {
            "." => name.to_owned(),
            parent => format!("{parent}/{name}"),
        };
        let split = |path: &str| {
            let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
            (parent.to_owned(), name.to_owned())
        };
        match operation {
            Operation::Rename { node, name, .. } => {
                let node = node_path(node)?;
                let new = if node == "." { node.clone() } else { below(&split(&node).0, name) };
                Ok((rename_node(self.project(), scene, &node, name)?, new))
            }
            Operation::Move { node, parent, index, .. } => {
                let node = node_path(node)?;
                let (old_parent, name) = split(&node);
                let parent = parent.as_deref().map(node_path).transpose()?.unwrap_or(old_parent);
                Ok((
                    move_node(self.project(), scene, &node, &parent, *index)?,
                    below(&parent, &name),
                ))
            }
            _ => Err(RefactorError::Refused("it is not a refactoring".to_owned()).into()),
        }
    }
}
