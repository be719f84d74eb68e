//! Files as a repository has them.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::program;

/// Files of a repository, by revision and path, all from one `git cat-file --batch`.
///
/// It works in the repository that git's own variables name, as a program that git itself has started. It reads objects
/// alone: no index, no work tree, and nothing that must be fetched.
#[derive(Debug)]
pub struct Blobs {
    child: Child,
    /// Closed before the child is waited for.
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Blobs {
    /// The blobs of the repository of `folder`.
    ///
    /// # Errors
    /// When there is no `git`.
    pub fn open(folder: &Path) -> Result<Self, String> {
        let program = program(folder)
            .ok_or("the program `git` was not found on the PATH; install it first")?;
        let mut command = Command::new(program);
        command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_OPTIONAL_LOCKS", "0");
        let mut child = command
            .args(["--no-pager", "cat-file", "--batch"])
            .spawn()
            .map_err(|error| format!("cannot run `git`: {error}"))?;
        let (Some(questions), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("cannot talk to `git`".to_owned());
        };
        Ok(Self { child, questions: Some(questions), answers: BufReader::new(answers) })
    }

    /// The content of a file: of `REVISION:PATH`, with the path from the repository's top, or of an object's id. Nothing if there
    /// is no such file.
    ///
    /// # Errors
    /// When git fails.
    pub fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, String> {
        if name.contains('\n') {
            return Ok(None);
        }
        self.ask(name).map_err(|error| format!("git cat-file: {error}"))
    }

    fn ask(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let questions = self.questions.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(questions, "{name}")?;
        questions.flush()?;
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // `<id> <type> <size>`, or `<name> missing` and the like.
        let mut words = line.trim_end().rsplitn(3, ' ');
        let (size, kind) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let Ok(size) = size.parse::<u64>() else { return Ok(None) };
        let mut content = Vec::new();
        // A line feed comes behind it.
        (&mut self.answers).take(size + 1).read_to_end(&mut content)?;
        if content.pop() != Some(b'\n') {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok((kind == "blob").then_some(content))
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        self.questions = None;
        // It ends by itself, and an answer that it has not been asked for it does not give.
        let _ = self.child.wait();
    }
}
