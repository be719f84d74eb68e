//! `gdscene check --engine`: what the engine has to say, next to our own rules.

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::engine::{Engine, Limits, ProgramError};
use crate::inputs::{Input, Problem};
use crate::linter::{Imports, Linter};
use crate::output::progress::Progress;
use crate::terminal::complain;

/// The options for the engine.
#[derive(Debug, clap::Args)]
pub(super) struct EngineArgs {
    /// Also let Godot load the files, and report its errors and warnings.
    ///
    /// This starts the Godot at PATH, else the one in the variable GODOT, else `godot` or `godot4` on the PATH of the
    /// system. Godot imports the project if a file has changed, and loads each script, shader, scene, resource and
    /// asset. It runs code of the project: tool scripts, autoloads, static variables, extensions.
    #[arg(long, value_name = "PATH", num_args = 0..=1, require_equals = true)]
    #[arg(conflicts_with_all = ["watch", "no_project"])]
    engine: Option<Option<PathBuf>>,

    /// With --engine: the most seconds that Godot may take for one file.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, requires = "engine")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=86400))]
    engine_timeout: u64,

    /// With --engine: the most memory that Godot may take, in MiB (Linux).
    #[arg(long, value_name = "MIB", default_value_t = 8192, requires = "engine")]
    #[arg(value_parser = clap::value_parser!(u64).range(256..=1048576))]
    engine_memory: u64,
}

/// Why the engine cannot be asked.
#[derive(Debug, Error)]
pub(super) enum EngineError {
    #[error(
        "--engine runs code of the project, such as tool scripts and autoloads, so it is refused for untrusted files"
    )]
    Untrusted,
    #[error("--engine: none of these files is in a project; expected a folder with project.godot")]
    NoProject,
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// What the engine did.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    /// The files that no rule of ours looks at, in which it found something.
    pub(super) others: Vec<Input>,
    /// What it did not do.
    pub(super) gaps: Vec<Problem>,
    /// `Godot 4.6.3 loaded 7 files`
    pub(super) line: Option<(String, usize)>,
    /// Whether it ended at a file.
    pub(super) has_ended: bool,
}

impl EngineArgs {
    /// The engine, if it is asked for.
    pub(super) fn engine(&self, linter: &Linter) -> Result<Option<Engine>, EngineError> {
        let Some(path) = &self.engine else { return Ok(None) };
        if linter.has_untrusted() {
            return Err(EngineError::Untrusted);
        }
        if linter.folders().next().is_none() {
            return Err(EngineError::NoProject);
        }
        let limits = Limits {
            time: Duration::from_secs(self.engine_timeout),
            memory: self.engine_memory << 20,
        };
        Ok(Some(Engine::find(path.as_deref(), limits)?))
    }
}

/// Lets the engine load the inputs and the others, which are not checked otherwise.
pub(super) fn verdicts(
    engine: &Engine,
    linter: &mut Linter,
    inputs: &[Input],
    others: Vec<Input>,
    imports: Imports,
    progress: &Progress,
) -> Verdicts {
    let mut verdicts = Verdicts::default();
    progress.set_files(inputs.len() + others.len());
    let mut count = 0;
    let all: Vec<&Input> = inputs.iter().chain(&others).collect();
    for (root, judged) in linter.judge(engine, &all, imports, &|| progress.file_done()) {
        let gap =
            |reason: String| Problem { path: root.clone(), reason: format!("--engine: {reason}") };
        match judged {
            Ok(judged) => {
                let notes = judged.notes.iter();
                progress.above(|| {
                    notes.for_each(|note| complain(format_args!("{}: {note}", root.display())));
                });
                count += judged.count;
                verdicts.has_ended |= judged.has_ended;
                verdicts.gaps.extend(judged.gaps.into_iter().map(gap));
            }
            Err(error) => verdicts.gaps.push(gap(format!("cannot run {}: {error}", engine.name()))),
        }
    }
    verdicts.others =
        others.into_iter().filter(|input| linter.input_file(input).has_verdict()).collect();
    verdicts.line = Some((engine.name(), count));
    verdicts
}
