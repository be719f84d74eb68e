//! How often a scene or resource is used, above its first line.

use ls_types::request::CodeLensRequest;
use ls_types::{CodeLens, CodeLensParams, Command, Range};
use project::Dependencies;

use crate::features::Answer;
use crate::snapshot::{Failure, Snapshot};

impl Answer for CodeLensRequest {
    fn answer(
        snapshot: &Snapshot,
        params: CodeLensParams,
    ) -> Result<Option<Vec<CodeLens>>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        let is_scene = file.path.ends_with(".tscn");
        if !is_scene && !file.path.ends_with(".tres") {
            return Ok(None);
        }
        let count = file.project.look_at_all(|workspace| {
            let project = workspace.project()?;
            Some(Dependencies::new(project).dependents(project.file(&file.path)?).len())
        });
        let title = count.map(|count| match count {
            0 => "no file of the project uses it".to_owned(),
            1 => "used by 1 file".to_owned(),
            _ => format!("used by {count} files"),
        });
        let lens = title.map(|title| CodeLens {
            range: Range::default(),
            // It says something, and does nothing.
            command: Some(Command { title, command: String::new(), arguments: None }),
            data: None,
        });
        Ok(Some(lens.into_iter().collect()))
    }
}
