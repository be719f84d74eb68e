//! How often a scene or resource is used, above its first line.

use ls_types::request::CodeLensRequest;
use ls_types::{CodeLens, CodeLensParams, Command, Location, Position, Range};
use serde_json::json;

use crate::client::SHOW_REFERENCES;
use crate::features::{Answer, references};
use crate::snapshot::{Failure, File, Snapshot};

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
        let users = file.project.look_at_all(|workspace| {
            references::of_file(snapshot, &file, workspace.project()?, &file.path)
        });
        let lens = users.map(|users| CodeLens {
            range: Range::default(),
            command: Some(command(snapshot, &file, &users)),
            data: None,
        });
        Ok(Some(lens.into_iter().collect()))
    }
}

/// Says how many files there are. Where the client has the command for it, a click shows them.
fn command(snapshot: &Snapshot, file: &File, users: &[Location]) -> Command {
    let title = match users.len() {
        0 => "not used by any file of the project".to_owned(),
        1 => "used by 1 file".to_owned(),
        count => format!("used by {count} files"),
    };
    if users.is_empty() || !snapshot.client.features.shows_references {
        return Command { title, command: String::new(), arguments: None };
    }
    let arguments = vec![json!(file.uri), json!(Position::default()), json!(users)];
    Command { title, command: SHOW_REFERENCES.to_owned(), arguments: Some(arguments) }
}
