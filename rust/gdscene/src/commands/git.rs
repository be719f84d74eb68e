//! `gdscene git`

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fmt, fs, io};

use godot_project::{Git, git_program, read_file};
use thiserror::Error;

use crate::commands::Status;
use crate::files::create_or_replace;
use crate::terminal::complain;

/// Let git merge and compare scenes and resources with gdscene.
///
/// `install` registers the merge driver, the merge tool and the diff driver `gdscene` in the git configuration of the
/// repository in this folder, and assigns scenes and resources to them in its `.gitattributes`; commit that file.
/// People who have not run `install` keep git's own merge and diff. With --global, it sets up all repositories of this
/// user without writing to them. `uninstall` removes exactly these settings.
///
/// After that, `git merge`, `rebase`, `cherry-pick`, `revert` and `stash` merge by nodes, properties and resources. A
/// file with conflicts stays unmerged, as always: settle the conflicts with `gdscene resolve`, and `git add` the file.
///
/// On a terminal, `git diff` and `git show --ext-diff` show the differences like `gdscene diff`, and `git log -p` and
/// `git blame` show names instead of ids. If git writes to a file or a program, its output is unchanged, so that
/// patches can be applied. `git diff --no-ext-diff --no-textconv` shows the lines.
///
/// Examples:
///   gdscene git install
///   gdscene git uninstall --global
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct GitArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Let git merge and compare scenes and resources with gdscene.
    Install(ScopeArgs),
    /// Remove these settings.
    Uninstall(ScopeArgs),
}

#[derive(Clone, Copy, Debug, clap::Args)]
struct ScopeArgs {
    /// Set up all repositories of this user instead of the one in this folder.
    #[arg(long)]
    global: bool,
}

const EXIT_STATUS: &str = "Exit status:
  0  done
  2  wrong usage, or git's configuration or attributes cannot be written";

/// The files that the driver merges.
const PATTERNS: [&str; 10] = [
    "*.tscn",
    "*.tres",
    "*.escn",
    "*.import",
    "*.gdextension",
    "*.uid",
    "project.godot",
    "export_presets.cfg",
    "override.cfg",
    "plugin.cfg",
];

/// Why nothing, or not all, was done.
#[derive(Debug, Error)]
enum GitError {
    #[error("the program `git` was not found on the PATH; install it first")]
    NoGit,
    #[error("this folder is not in a git repository")]
    NoRepository,
    #[error("the repository in `{}` is not changed: {reason}; to change the user's configuration instead, use --global", top.display())]
    NotChanged { top: PathBuf, reason: String },
    #[error("git {what}: {reason}")]
    Git { what: String, reason: String },
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("cannot determine the path of this program: {0}")]
    NoProgram(io::Error),
    #[error(
        "cannot find a folder for git's attributes, because neither HOME nor XDG_CONFIG_HOME is set"
    )]
    NoHome,
}

pub(crate) fn run(args: &GitArgs) -> Status {
    let done = match args.action {
        Action::Install(scope) => Setup::new(scope).and_then(|setup| setup.install()),
        Action::Uninstall(scope) => Setup::new(scope).and_then(|setup| setup.uninstall()),
    };
    match done {
        Ok(text) => {
            println!("{text}");
            Status::Clean
        }
        Err(error) => {
            complain(error);
            Status::Failure
        }
    }
}

struct Setup {
    git: PathBuf,
    /// The arguments by which `git config` knows the file that it reads and writes.
    scope: Vec<OsString>,
    /// The file of attributes.
    attributes: PathBuf,
}

impl Setup {
    fn new(scope: ScopeArgs) -> Result<Self, GitError> {
        let here = env::current_dir().unwrap_or_default();
        if scope.global {
            let git = git_program(&here).ok_or(GitError::NoGit)?;
            let mut setup =
                Self { git, scope: vec!["--global".into()], attributes: PathBuf::new() };
            setup.attributes = setup.global_attributes()?;
            return Ok(setup);
        }
        // The work tree that the repository itself names may be any folder.
        let top = Git::top_of(&here).ok_or(GitError::NoRepository)?;
        let git = git_program(top).ok_or(GitError::NoGit)?;
        let config = own_configuration(top)
            .map_err(|reason| GitError::NotChanged { top: top.to_owned(), reason })?;
        Ok(Self {
            git,
            scope: vec!["--file".into(), config.into()],
            attributes: top.join(".gitattributes"),
        })
    }

    fn install(&self) -> Result<String, GitError> {
        let calls = Calls::new(&program()?);
        let settings = [
            ("merge.gdscene.name", "Godot's scenes, resources and settings".to_owned()),
            ("merge.gdscene.driver", calls.merge_driver()),
            // For ancestors that are merged during a merge, the text before both is enough.
            ("merge.gdscene.recursive", "binary".to_owned()),
            ("mergetool.gdscene.cmd", calls.merge_tool()),
            ("mergetool.gdscene.trustExitCode", "true".to_owned()),
            ("diff.gdscene.command", calls.diff()),
            ("diff.gdscene.textconv", calls.textconv()),
            // The text in the first line of a hunk: the tag.
            ("diff.gdscene.xfuncname", "^\\[.*$".to_owned()),
        ];
        for (name, value) in settings {
            self.configure(&[name, &value])?;
        }
        let text = self.read_attributes()?;
        self.write_attributes(&text, &with_lines(&text))?;
        let mut said = format!(
            "git merges and compares scenes, resources and settings with gdscene; see {}",
            Shown(&self.attributes)
        );
        let in_lfs: Vec<&str> = text.lines().filter_map(pattern_in_lfs).collect();
        if !in_lfs.is_empty() {
            said += &format!(
                "\nGit LFS stores {}: git merges only its pointers, and leaves conflicts; `git mergetool --tool gdscene` merges the contents",
                in_lfs.join(", ")
            );
        }
        Ok(said)
    }

    fn uninstall(&self) -> Result<String, GitError> {
        for section in ["merge.gdscene", "mergetool.gdscene", "diff.gdscene"] {
            // There may be none.
            let pattern = format!("^{}\\.", section.replace('.', "\\."));
            if self.configure(&["--get-regexp", &pattern]).is_ok() {
                self.configure(&["--remove-section", section])?;
            }
        }
        let text = self.read_attributes()?;
        let ours = [PATTERNS.map(line_of), PATTERNS.map(older_line_of)].concat();
        let is_kept = |line: &&str| !ours.iter().any(|ours| line.trim_end() == ours);
        let new: String = text.split_inclusive('\n').filter(is_kept).collect();
        if new.is_empty() && !text.is_empty() {
            let removed = fs::remove_file(&self.attributes);
            removed.map_err(|source| GitError::File { path: self.attributes.clone(), source })?;
        } else {
            self.write_attributes(&text, &new)?;
        }
        Ok("git merges and compares scenes and resources by lines again".to_owned())
    }

    /// Where git looks for a user's attributes.
    fn global_attributes(&self) -> Result<PathBuf, GitError> {
        if let Ok(path) = self.configure(&["--type=path", "--get", "core.attributesFile"]) {
            return Ok(path.into());
        }
        let folder = env::var_os("XDG_CONFIG_HOME").filter(|folder| !folder.is_empty());
        let folder = folder.map(PathBuf::from).or_else(|| {
            let home = env::var_os("HOME").or_else(|| env::var_os("USERPROFILE"))?;
            Some(PathBuf::from(home).join(".config"))
        });
        Ok(folder.ok_or(GitError::NoHome)?.join("git").join("attributes"))
    }

    fn read_attributes(&self) -> Result<String, GitError> {
        let text = read_file(&self.attributes).and_then(|text| {
            String::from_utf8(text)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
        });
        match text {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            text => text.map_err(|source| GitError::File { path: self.attributes.clone(), source }),
        }
    }

    fn write_attributes(&self, old: &str, new: &str) -> Result<(), GitError> {
        if old == new {
            return Ok(());
        }
        let error = |source| GitError::File { path: self.attributes.clone(), source };
        if let Some(folder) = self.attributes.parent() {
            fs::create_dir_all(folder).map_err(error)?;
        }
        create_or_replace(&self.attributes, new.as_bytes()).map_err(error)
    }

    /// Runs `git config`.
    fn configure(&self, arguments: &[&str]) -> Result<String, GitError> {
        let failed = |reason: String| GitError::Git { what: arguments.join(" "), reason };
        let mut git = Command::new(&self.git);
        // A folder of the project may look like a repository, and git would read the configuration in it.
        if let Some(folder) = self.git.parent() {
            git.current_dir(folder);
        }
        git.env_remove("GIT_DIR").arg("config").args(&self.scope).args(arguments);
        let output = git.output();
        let output = output.map_err(|error| failed(error.to_string()))?;
        if !output.status.success() {
            return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim_end_matches(['\r', '\n']).to_owned())
    }
}

/// The configuration of the repository, which is a file of it.
fn own_configuration(top: &Path) -> Result<PathBuf, String> {
    let git = Git::open(top)?;
    let config = git.own_folder()?.common.join("config");
    match fs::symlink_metadata(&config) {
        // git would write to where the link leads.
        Ok(found) if !found.is_file() => {
            Err(format!("`{}` is a symbolic link, or not a file", config.display()))
        }
        _ => Ok(config),
    }
}

/// A path for people.
struct Shown<'p>(&'p Path);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.display())
    }
}

/// Attributes with those of the driver. A line of an earlier version becomes the present one.
fn with_lines(text: &str) -> String {
    let mut new = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let found = PATTERNS.iter().find(|pattern| line.trim_end() == older_line_of(pattern));
        match found {
            Some(pattern) if has_line(text, &line_of(pattern)) => {}
            Some(pattern) => {
                new.push_str(&line_of(pattern));
                new.push_str(&line[line.trim_end().len()..]);
            }
            None => new.push_str(line),
        }
    }
    for line in PATTERNS.map(line_of) {
        if has_line(&new, &line) {
            continue;
        }
        if !new.is_empty() && !new.ends_with('\n') {
            new.push('\n');
        }
        new.push_str(&line);
        new.push('\n');
    }
    new
}

fn line_of(pattern: &str) -> String {
    format!("{pattern} merge=gdscene diff=gdscene")
}

/// As it was before there was a diff driver.
fn older_line_of(pattern: &str) -> String {
    format!("{pattern} merge=gdscene")
}

fn has_line(text: &str, line: &str) -> bool {
    text.lines().any(|each| each.trim_end() == line)
}

/// The pattern of a line of attributes by which Git LFS stores files that the driver merges.
fn pattern_in_lfs(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let pattern = words.next()?;
    let name = pattern.rsplit('/').next().unwrap_or(pattern);
    let is_merged = |ours: &&str| *ours == name || matches!(name, "*" | "**");
    let is_stored = words.any(|word| word == "filter=lfs") && PATTERNS.iter().any(is_merged);
    is_stored.then_some(pattern)
}

/// The lines that git gives to its shell: what calls this program, or what git itself has if the program cannot be found, as when a
/// program with windows has started git with another PATH. They need no other program than git.
struct Calls {
    /// Puts the place of this program into the variable `gdscene`; empty if there is none.
    find: String,
}

impl Calls {
    /// For a program that is called so: by a name, or by its place.
    fn new(Program { place, is_on_path }: &Program) -> Self {
        let place = shell_quoted(place);
        let find = match is_on_path {
            // An update may have moved it.
            true => format!("gdscene=$(command -v gdscene || command -v {place})"),
            false => format!("gdscene=$(command -v {place})"),
        };
        Self { find }
    }

    /// Before version 2.44 git has no names for the sides. Without the program, or if it fails, there are markers: a file that is left as ours would lose theirs at the next `git add`.
    fn merge_driver(&self) -> String {
        format!(
            "{}; if [ \"$gdscene\" ]; then \"$gdscene\" merge --path=%P --labels %S %X %Y -o %A %O %A %B; s=$?; \
             if [ $s -lt 2 ]; then exit $s; fi; else echo gdscene: cannot be found, so git merge-file merges %P by lines >&2; fi; \
             git merge-file -L ours -L base -L theirs %A %O %B",
            // git puts something else in the place of a percent sign and some letters.
            self.find.replace('%', "%%")
        )
    }

    fn merge_tool(&self) -> String {
        let merge = "merge --tool -o \"$MERGED\" \"$BASE\" \"$LOCAL\" \"$REMOTE\"";
        format!("{}; \"${{gdscene:-gdscene}}\" {merge}", self.find)
    }

    fn diff(&self) -> String {
        let lines =
            "git --no-pager diff --no-index --no-ext-diff --no-textconv -- \"$2\" \"$5\" || :";
        self.function("diff --driver --", lines)
    }

    fn textconv(&self) -> String {
        self.function("textconv", "cat \"$1\"")
    }

    /// git adds arguments at the end.
    fn function(&self, command: &str, otherwise: &str) -> String {
        format!(
            "f() {{ {}; if [ \"$gdscene\" ]; then \"$gdscene\" {command} \"$@\"; else {otherwise}; fi; }}; f",
            self.find
        )
    }
}

/// Where this program is.
struct Program {
    place: String,
    /// Whether the one on the PATH is this one.
    is_on_path: bool,
}

fn program() -> Result<Program, GitError> {
    let here = env::current_exe().and_then(fs::canonicalize).map_err(GitError::NoProgram)?;
    let name = if cfg!(windows) { "gdscene.exe" } else { "gdscene" };
    let path = env::var_os("PATH").unwrap_or_default();
    let first =
        env::split_paths(&path).map(|folder| folder.join(name)).find(|place| place.is_file());
    let is_this = |place: &PathBuf| fs::canonicalize(place).is_ok_and(|it| it == here);
    let first = first.filter(is_this);
    // An update replaces the program on the PATH, which may be a link.
    let place = first.as_ref().filter(|place| place.is_absolute()).unwrap_or(&here);
    Ok(Program { place: place.display().to_string(), is_on_path: first.is_some() })
}

/// For the shell that git starts. On Windows it takes only what has slashes for a path.
fn shell_quoted(text: &str) -> String {
    let text = text.strip_prefix(r"\\?\").unwrap_or(text);
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    match text.bytes().all(is_plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}
