//! The engine's own verdict on projects: `gdscene check --engine`.
//!
//! `program` finds a Godot, `import` lets it import the project where that is due, and `load` lets it load the files: a script of
//! ours (`load_files.gd`) loads one after another, and prints a mark before and after each. `process` limits it, `output` reads what
//! it prints, `debugger` what only its debugger receives. `findings` makes findings of all that, which the rules `ENG…` report.

mod debugger;
mod findings;
mod import;
mod load;
mod output;
mod process;
mod program;

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

use gdscene_lint::Verdict;
use godot_project::res_path::extension_of;
use godot_project::{Dependencies, Dependency, FileId, Project};

use self::import::Import;
pub(crate) use self::import::Imported;
use self::load::Job;
pub(crate) use self::process::Limits;
use self::program::Program;
pub(crate) use self::program::ProgramError;
use crate::counted::Counted;

/// A Godot, and what it may take.
#[derive(Debug)]
pub(crate) struct Engine {
    program: Program,
    limits: Limits,
}

/// What an engine has to say of a project.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    /// How many files it was asked to load and did.
    pub(crate) count: usize,
    /// What it did not do, and why.
    pub(crate) gaps: Vec<String>,
    /// Whether it ended at a file.
    pub(crate) has_ended: bool,
    /// What does not hinder it.
    pub(crate) notes: Vec<String>,
}

/// No resource of a project, although Godot has loaders for some of them.
const NOT_LOADED: &[&str] =
    &["crt", "cs", "gdextension", "gdshaderinc", "import", "json", "key", "pub", "uid"];

impl Engine {
    /// The Godot at `path`, or else the one that the environment names.
    pub(crate) fn find(path: Option<&Path>, limits: Limits) -> Result<Self, ProgramError> {
        Ok(Self { program: Program::find(path)?, limits })
    }

    /// `Godot 4.6.3`
    pub(crate) fn name(&self) -> String {
        self.program.to_string()
    }

    /// Lets it import a project, where that is due.
    pub(crate) fn import(&self, project: &Project, root: &Path) -> io::Result<Imported> {
        // The verdict reports the refusal.
        if self.refusal(project).is_some() {
            return Ok(Imported::default());
        }
        import::import_if_due(&self.program, project, &std::path::absolute(root)?, self.limits)
    }

    /// Loads the files at `paths` (`res://…`) of a project, those of them that are resources. `progress` is called for each.
    pub(crate) fn judge(
        &self,
        project: &Project,
        root: &Path,
        paths: &[String],
        imported: Imported,
        progress: &dyn Fn(),
    ) -> io::Result<Judged> {
        let mut judged = Judged::default();
        if let Some(reason) = self.refusal(project) {
            judged.gaps.push(reason);
            return Ok(judged);
        }
        judged.notes.extend(self.other_version(project));
        let root = std::path::absolute(root)?;
        judged.gaps.extend(imported.gap);
        let failures = imported.failures;
        let Loadable { paths, imported, failed } = Loadable::new(&root, paths);
        let dependencies = Dependencies::new(project);
        let paths = needed_first(project, &dependencies, &paths);
        import::report(&failed, &failures, &mut judged.verdict);
        let job = Job {
            program: &self.program.path,
            root: &root,
            paths: &paths,
            imported: &imported,
            limits: self.limits,
        };
        let loaded =
            job.run(&|number| needing(project, &dependencies, &paths, number), progress)?;
        findings::findings(project, &paths, &loaded, &mut judged.verdict);
        judged.count = loaded.count;
        judged.has_ended = !loaded.ended.is_empty();
        judged.gaps.extend(loaded.gaps);
        judged.notes.extend(loaded.notes);
        if !self.program.has_dotnet()
            && project.files().any(|file| project.path(file).ends_with(".cs"))
        {
            judged
                .notes
                .push(format!("scripts in C# are not loaded: this {} has no .NET", self.program));
        }
        if !loaded.left_out.is_empty() {
            let count = Counted(loaded.left_out.len(), "file");
            judged
                .notes
                .push(format!("{count} not loaded: a file is needed at which the engine ended"));
        }
        Ok(judged)
    }

    /// Why this engine cannot judge a project.
    fn refusal(&self, project: &Project) -> Option<String> {
        let settings = project.settings();
        if settings.version.is_some_and(|version| version.major < 4) {
            return Some(format!(
                "the project is for Godot 3, and {} would convert it",
                self.program
            ));
        }
        let needs_dotnet = settings.features.iter().any(|feature| feature == "C#");
        (needs_dotnet && !self.program.has_dotnet()).then(|| {
            format!(
                "the project has scripts in C#, which this {} does not run; name one with .NET",
                self.program
            )
        })
    }

    fn other_version(&self, project: &Project) -> Option<String> {
        let version = project.settings().version?;
        (!self.program.is(version))
            .then(|| format!("the project is for Godot {version}, and {} loads it", self.program))
    }
}

/// What Godot has to do with the files of a project.
#[derive(Debug, Default)]
struct Loadable {
    paths: Vec<String>,
    /// Those of them that an importer made a resource of.
    imported: HashSet<String>,
    /// The assets that cannot be imported.
    failed: Vec<String>,
}

impl Loadable {
    fn new(root: &Path, paths: &[String]) -> Self {
        let mut all = Self::default();
        for path in paths.iter().filter(|path| !path.contains(['\n', '\t'])) {
            if NOT_LOADED.contains(&&*extension_of(path)) {
                continue;
            }
            match import::state(root, path) {
                Some(Import::Failed) => all.failed.push(path.clone()),
                Some(Import::Other) => {}
                Some(Import::Loadable) => {
                    all.imported.insert(path.clone());
                    all.paths.push(path.clone());
                }
                None => all.paths.push(path.clone()),
            }
        }
        all
    }
}

/// The paths in an order in which each file follows those that it needs, so that the engine ends at the right one.
fn needed_first(project: &Project, dependencies: &Dependencies, paths: &[String]) -> Vec<String> {
    let wanted: HashSet<&str> = paths.iter().map(String::as_str).collect();
    let mut seen: HashSet<FileId> = HashSet::new();
    let mut ordered = Vec::with_capacity(paths.len());
    for path in paths {
        let Some(file) = project.file(path) else {
            ordered.push(path.clone());
            continue;
        };
        // A file stays on the stack until those that it needs are done.
        let mut open = vec![(file, false)];
        while let Some((file, is_left)) = open.pop() {
            if is_left {
                let path = project.path(file);
                ordered.extend(wanted.contains(path).then(|| path.to_owned()));
            } else if seen.insert(file) {
                open.push((file, true));
                let needed = dependencies.of(file).iter().rev();
                open.extend(needed.filter_map(Dependency::file).map(|file| (file, false)));
            }
        }
    }
    ordered
}

/// The numbers of the files that cannot be loaded without the one with a number.
fn needing(
    project: &Project,
    dependencies: &Dependencies,
    paths: &[String],
    number: usize,
) -> Vec<usize> {
    let Some(file) = project.file(&paths[number]) else { return Vec::new() };
    let dependents = dependencies.all_dependents([file]);
    let numbers: HashMap<&str, usize> =
        paths.iter().enumerate().map(|(number, path)| (path.as_str(), number)).collect();
    let number_of = |file: FileId| numbers.get(project.path(file)).copied();
    dependents.into_iter().filter(|other| *other != file).filter_map(number_of).collect()
}
