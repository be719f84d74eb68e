//! The program `git`, asked about repositories of strangers.
//!
//! A repository's own configuration names programs that git runs: `core.fsmonitor`, filters and text conversions by any
//! name, hooks, pagers, and, for incomplete repositories, the program that fetches the rest. No list of those is ever
//! complete, so a git that looks at files does not read that configuration at all. It works in our own git folder, which
//! contains only a copy of the repository's index, and reads the repository's objects. Attributes in the work tree still
//! name filters, but nothing defines those; a missing object is an error.
//!
//! Only the meaning of a revision, and the places of index and objects, are asked in the repository itself, by
//! `rev-parse`. That reads references and objects, neither index nor work tree. The one program that it could start
//! would fetch missing objects, which is forbidden in three ways ([`Git::without_network`]).

mod blobs;
mod committed;
mod difference;
mod file_history;
mod merge_setup;
mod ownership;
mod unmerged;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use tempfile::TempDir;

pub use self::blobs::Blobs;
pub use self::committed::{Committed, last_committed};
pub use self::difference::{Compared, Difference, FileVersion};
pub(crate) use self::file_history::{Commit, FileChange, Reach};
pub use self::merge_setup::{MergeSetup, merge_setup, set_up_merging};
pub use self::ownership::OwnFolder;
pub use self::unmerged::{Unmerged, unmerged};
use crate::Routes;
use crate::beneath::{Beneath, new_file};
use crate::read::{MAX_FILE_SIZE, read_file, read_file_up_to, read_opened};

/// A git that has not answered by then waits for something: a `.gitignore` that is a pipe.
const PATIENCE: Duration = Duration::from_secs(30);
/// The same for commands that take a few milliseconds.
const SHORT_PATIENCE: Duration = Duration::from_secs(5);

/// How often, and how long in between, the lock of an index is asked for.
const LOCK_ATTEMPTS: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(100);

/// Files of patterns, references and the like.
const MAX_SMALL: u64 = 1 << 20;

/// The settings in the section `core` that decide whether a file in the work tree equals the one in the repository,
/// and their values.
const SETTINGS: [(&str, &[&str]); 5] = [
    ("autocrlf", &["true", "false", "input"]),
    ("eol", &["lf", "crlf", "native"]),
    ("ignorecase", &["true", "false"]),
    ("precomposeunicode", &["true", "false"]),
    ("symlinks", &["true", "false"]),
];

/// A repository with a configuration that runs nothing.
#[derive(Debug)]
pub struct Git {
    program: PathBuf,
    /// The top folder of the work tree.
    top: PathBuf,
    /// The git folder that is ours.
    own: TempDir,
    /// The repository's index.
    index: PathBuf,
    /// The repository's objects.
    objects: PathBuf,
    /// The user's own ignore list.
    excludes: Option<String>,
}

/// The part of a folder that is not in the last commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uncommitted {
    /// The files that differ from it, by path. They need not be there.
    pub changed: Vec<PathBuf>,
    /// The files that git does not know.
    pub unknown: Vec<PathBuf>,
}

impl Git {
    /// The top folder of the repository of `folder`.
    pub fn top_of(folder: &Path) -> Option<&Path> {
        folder.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok())
    }

    /// The repository with the top folder `top`, and its current index.
    ///
    /// # Errors
    /// When there is no `git`, or it finds no repository there.
    pub fn open(top: &Path) -> Result<Self, String> {
        let top = fs::canonicalize(top).map_err(|error| error.to_string())?;
        ownership::expect_files(&top)?;
        let program =
            program(&top).ok_or("the program `git` was not found on the PATH; install it first")?;
        let own = tempfile::Builder::new().prefix("gdscene-git-").tempdir();
        let own = own.map_err(|error| format!("cannot make a temporary folder: {error}"))?;
        let (index, objects) = (PathBuf::new(), PathBuf::new());
        let mut git = Self { program, top, own, index, objects, excludes: None };
        let asked = ["rev-parse", "--git-path", "index", "--git-path", "objects", "--git-path"];
        let asked = asked.into_iter().chain(["info/exclude", "--git-path", "shallow"]);
        let places = git.in_repository(asked)?;
        let format = git.in_repository(["rev-parse", "--show-object-format"])?;
        let places: Vec<PathBuf> =
            lines(&places).map(|place| git.top.join(path_of(place))).collect();
        let [index, objects, exclude, shallow] = places.as_slice() else {
            return Err("git did not report the folders of the repository".to_owned());
        };
        git.objects.clone_from(objects);
        git.index.clone_from(index);
        let format = if format.trim_ascii() == b"sha256" { "sha256" } else { "sha1" };
        git.fill_own(index, exclude, shallow, format)
            .map_err(|error| format!("cannot copy the repository's index: {error}"))?;
        let excludes = ["config", "--global", "--type=path", "--get", "core.excludesFile"];
        let excludes = git.in_repository(excludes).unwrap_or_default();
        git.excludes = String::from_utf8(excludes.trim_ascii().to_vec()).ok();
        Ok(git)
    }

    /// The top folder of the work tree, without links in its path.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// The commit of a revision; nothing for an unknown revision.
    ///
    /// # Errors
    /// When git fails.
    pub fn commit(&self, revision: &str) -> Result<Option<String>, String> {
        let commit = format!("{revision}^{{commit}}");
        let asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
        match self.in_repository(asked) {
            Ok(commit) => Ok(Some(String::from_utf8_lossy(&commit).trim().to_owned())),
            Err(reason) if reason.is_empty() => Ok(None),
            Err(reason) => Err(reason),
        }
    }

    /// The paths in the index, from `folder`, which is in the work tree.
    ///
    /// # Errors
    /// When git fails.
    pub fn tracked(&self, folder: &Path) -> Result<Vec<PathBuf>, String> {
        self.paths(folder, &["ls-files", "-z", "--cached"])
    }

    /// The paths below `folder` that are left out on purpose, from there.
    ///
    /// # Errors
    /// When git fails.
    pub fn ignored(&self, folder: &Path) -> Result<Vec<PathBuf>, String> {
        self.paths(folder, &["ls-files", "-z", "--others", "--ignored", "--exclude-standard"])
    }

    /// Whether a file of this name, which need not be there, would be left out on purpose in `folder`.
    pub fn ignores(&self, folder: &Path, name: &str) -> bool {
        let asked = ["check-ignore", "--no-index", "--", name];
        self.in_own(folder, &asked).is_ok_and(|printed| !printed.is_empty())
    }

    /// The files in the work tree that differ from the commit, and those that git does not know.
    ///
    /// # Errors
    /// When git fails.
    pub fn changed_since(&self, commit: &str) -> Result<Vec<PathBuf>, String> {
        // git would look into submodules with their own configuration.
        let diff = ["diff", "--name-only", "-z", "--no-renames", "--ignore-submodules=all"];
        let diff = [&diff[..], &["--no-ext-diff", "--no-textconv", commit, "--"]].concat();
        let mut changed = self.paths(&self.top, &diff)?;
        let others = ["ls-files", "-z", "--others", "--exclude-standard"];
        changed.extend(self.paths(&self.top, &others)?);
        Ok(changed.into_iter().map(|path| self.top.join(path)).collect())
    }

    /// The files below `folder`, which is in the work tree, that differ from the last commit in the work tree or in the
    /// index, and those that git does not know and does not ignore.
    ///
    /// # Errors
    /// When git fails.
    pub fn uncommitted(&self, folder: &Path) -> Result<Uncommitted, String> {
        let mut changed = Vec::new();
        if let Some(commit) = self.commit("HEAD")? {
            let diff = ["diff", "--name-only", "-z", "--no-renames", "--ignore-submodules=all"];
            let diff = [&diff[..], &["--relative", "--no-ext-diff", "--no-textconv"]].concat();
            changed = self.paths(folder, &[&diff[..], &[&commit, "--", "."]].concat())?;
            changed.extend(
                self.paths(folder, &[&diff[..], &["--cached", &commit, "--", "."]].concat())?,
            );
        } else {
            changed.extend(self.tracked(folder)?);
        }
        changed.sort();
        changed.dedup();
        let unknown = self.paths(folder, &["ls-files", "-z", "--others", "--exclude-standard"])?;
        let place = |paths: Vec<PathBuf>| paths.into_iter().map(|path| folder.join(path)).collect();
        Ok(Uncommitted { changed: place(changed), unknown: place(unknown) })
    }

    /// Lets the index name files by new paths, as `git mv` does: with the content that they have in the index. The paths are
    /// from the top folder, with `/`; files outside the index are left out. A path of a folder means all in it.
    ///
    /// Our git works on a copy of the index, which then takes its place under git's own lock.
    ///
    /// # Errors
    /// When another git is at work, git fails, or the repository is that of another folder. The index is as it was then.
    pub fn rename_in_index(&self, moves: &[(String, String)]) -> Result<(), String> {
        let folder = self.own_folder()?.of_work_tree;
        let folder = Beneath::open(&folder).map_err(|error| error.to_string())?;
        let lock = IndexLock::of(&folder)?;
        let own = self.own.path().join("index");
        copy_index(&folder, &own).map_err(|error| format!("the index cannot be read: {error}"))?;
        let entries = self.in_own(&self.top, &["ls-files", "--stage", "-z"])?;
        let changes = index_changes(&entries, moves);
        if changes.is_empty() {
            return Ok(());
        }
        let list = self.own.path().join("changes");
        fs::write(&list, changes).map_err(|error| error.to_string())?;
        let list = File::open(list).map_err(|error| error.to_string())?;
        // The shared part of a split index would have to be copied, too.
        let update = ["-c", "core.splitIndex=false", "update-index", "-z", "--index-info"];
        answer(self.own_command(&self.top).args(update).stdin(list), PATIENCE)?;
        let index = read_file(&own).map_err(|error| error.to_string())?;
        lock.replace(&index).map_err(|error| error.to_string())
    }

    /// Makes the git folder that is ours.
    fn fill_own(
        &self,
        index: &Path,
        exclude: &Path,
        shallow: &Path,
        format: &str,
    ) -> io::Result<()> {
        let own = self.own.path();
        for folder in ["refs", "objects", "info"] {
            fs::create_dir(own.join(folder))?;
        }
        fs::write(own.join("HEAD"), "ref: refs/heads/none\n")?;
        let mut config = format!(
            "[core]\nrepositoryFormatVersion = 1\nbare = false\nfileMode = false\n\
             [extensions]\nobjectFormat = {format}\n[core]\n"
        );
        let said = self.in_repository(["config", "--get-regexp", "^core\\.[a-z]*$"]);
        let said = String::from_utf8_lossy(&said.unwrap_or_default()).to_lowercase();
        // The last one counts, as in git.
        for (key, value) in said.lines().filter_map(|line| line.split_once(' ')) {
            let is_known = |(name, _): &&(&str, &[&str])| key.strip_prefix("core.") == Some(*name);
            if let Some((name, values)) = SETTINGS.iter().find(is_known)
                && values.contains(&value)
            {
                config += &format!("{name} = {value}\n");
            }
        }
        fs::write(own.join("config"), config)?;
        if let Ok(patterns) = read_file_up_to(exclude, MAX_SMALL) {
            fs::write(own.join("info/exclude"), patterns)?;
        }
        // The commits with missing parents.
        if let Ok(commits) = read_file_up_to(shallow, MAX_SMALL) {
            fs::write(own.join("shallow"), commits)?;
        }
        copy_with_time(index, &own.join("index"))?;
        // The shared part of a split index is next to it.
        for entry in index.parent().map(fs::read_dir).into_iter().flatten().flatten().flatten() {
            if entry.file_name().as_encoded_bytes().starts_with(b"sharedindex.") {
                copy_with_time(&entry.path(), &own.join(entry.file_name()))?;
            }
        }
        Ok(())
    }

    fn paths(&self, folder: &Path, arguments: &[&str]) -> Result<Vec<PathBuf>, String> {
        let printed = self.in_own(folder, arguments)?;
        let names = printed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(path_of).collect())
    }

    /// The output of a git that works with our git folder.
    fn in_own(&self, folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
        answer(self.own_command(folder).args(arguments), PATIENCE)
    }

    /// A git that works with our git folder.
    fn own_command(&self, folder: &Path) -> Command {
        let mut command = self.without_network(folder);
        let own = self.own.path();
        // No configuration counts, not even the user's: it may name filters for files that an attacker chooses.
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", own.join("none"));
        command.env("GIT_ATTR_NOSYSTEM", "1");
        command.env("GIT_DIR", own).env("GIT_WORK_TREE", &self.top);
        command.env("GIT_INDEX_FILE", own.join("index")).env("GIT_OBJECT_DIRECTORY", &self.objects);
        if let Some(excludes) = self.excludes.as_ref().filter(|excludes| !excludes.is_empty()) {
            command.arg("-c").arg(format!("excludesFile={excludes}"));
        }
        command
    }

    /// The output of a git that works in the repository itself: only for commands that read neither index
    /// nor work tree.
    fn in_repository<'a>(
        &self,
        arguments: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<u8>, String> {
        let mut command = self.without_network(&self.top);
        // A broken repository does not make it go on to one above.
        if let Some(above) = self.top.parent() {
            command.env("GIT_CEILING_DIRECTORIES", above);
        }
        answer(command.args(arguments), SHORT_PATIENCE)
    }

    /// A git that starts no other program for the repository's sake, if options can prevent it, in this folder.
    fn without_network(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(folder).stdin(Stdio::null());
        let is_of_git = |name: &OsStr| name.to_string_lossy().to_uppercase().starts_with("GIT_");
        for (name, _) in env::vars_os().filter(|(name, _)| is_of_git(name)) {
            command.env_remove(name);
        }
        command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
        command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0");
        command.args(["--no-pager", "-c", "protocol.allow=never", "-c", "core.fsmonitor=false"]);
        command.args(["-c", "safe.bareRepository=explicit", "-c", "core.hooksPath=/dev/null"]);
        command
    }
}

/// The lines for `git update-index -z --index-info` that rename entries.
fn index_changes(entries: &[u8], moves: &[(String, String)]) -> Vec<u8> {
    let routes = Routes::new(moves.iter().map(|(from, _)| from.as_str()));
    let mut changes = Vec::new();
    for entry in entries.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
        // Mode, object and stage, a tab, and the path.
        let Some(tab) = entry.iter().position(|byte| *byte == b'\t') else { continue };
        let (about, path) = (&entry[..tab], &entry[tab + 1..]);
        // The paths of moves are UTF-8.
        let moved = str::from_utf8(path).ok().and_then(|path| routes.of(path));
        let Some((index, rest)) = moved else { continue };
        let new = format!("{}{rest}", moves[index].1);
        let object_len = about.split(|byte| *byte == b' ').nth(1).map_or(40, <[u8]>::len);
        changes.extend(format!("0 {}\t", "0".repeat(object_len)).into_bytes());
        changes.extend([path, b"\0", about, b"\t", new.as_bytes(), b"\0"].concat());
    }
    changes
}

/// The lock on an index that every git respects. It goes when this is dropped.
struct IndexLock<'f> {
    /// The git folder, in which nothing is a link.
    folder: &'f Beneath,
    file: Option<File>,
}

const INDEX: &str = "index";
const INDEX_LOCK: &str = "index.lock";

impl<'f> IndexLock<'f> {
    fn of(folder: &'f Beneath) -> Result<Self, String> {
        for _ in 0..LOCK_ATTEMPTS {
            match folder.open_with(INDEX_LOCK.as_ref(), &mut new_file()) {
                Ok(file) => return Ok(Self { folder, file: Some(file) }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    thread::sleep(LOCK_PAUSE);
                }
                Err(error) => return Err(format!("cannot lock the index: {error}")),
            }
        }
        let lock = folder.path().join(INDEX_LOCK);
        Err(format!("another git process is running, or was killed and left `{}`", lock.display()))
    }

    fn replace(mut self, content: &[u8]) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let old = self.folder.open_file(INDEX.as_ref())?.metadata()?;
        file.write_all(content)?;
        file.set_permissions(old.permissions())?;
        file.sync_all()?;
        self.folder.rename(INDEX_LOCK.as_ref(), INDEX.as_ref())?;
        self.file = None;
        Ok(())
    }
}

impl Drop for IndexLock<'_> {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // git reports a remaining lock to the user.
            let _ = self.folder.remove_file(INDEX_LOCK.as_ref());
        }
    }
}

/// [`copy_with_time`] of an index that is a file of its folder.
fn copy_index(folder: &Beneath, to: &Path) -> io::Result<()> {
    let file = match folder.open_file(INDEX.as_ref()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    let modified = file.metadata()?.modified()?;
    fs::write(to, read_opened(file, MAX_FILE_SIZE)?)?;
    File::options().write(true).open(to)?.set_modified(modified)
}

/// The `git` on the PATH. One in the project's folder, or in whatever folder is the current one, is not ours.
pub(crate) fn program(top: &Path) -> Option<PathBuf> {
    program_called("git", top)
}

/// The program of this name on the PATH, but none below `top`.
fn program_called(name: &str, top: &Path) -> Option<PathBuf> {
    let name = if cfg!(windows) { format!("{name}.exe") } else { name.to_owned() };
    let path = env::var_os("PATH")?;
    let top = &*fs::canonicalize(top).unwrap_or_else(|_| top.to_owned());
    let folders = env::split_paths(&path).filter(|folder| folder.is_absolute());
    let is_ours = |program: &PathBuf| {
        let real = fs::canonicalize(program);
        real.is_ok_and(|real| real.is_file() && !real.starts_with(top)) && is_executable(program)
    };
    folders.map(|folder| folder.join(&name)).find(is_ours)
}

#[cfg(unix)]
fn is_executable(program: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(program).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}

/// The output of a program. Its own words are the reason when it fails.
///
/// It prints into files. Programs that git has started may hold a pipe for any time, and each pipe takes a thread, which
/// would have to end before a library with this code is unloaded.
fn answer(command: &mut Command, patience: Duration) -> Result<Vec<u8>, String> {
    let no_file = |error: io::Error| format!("cannot make a temporary file: {error}");
    let name = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    let mut printed = tempfile::tempfile().map_err(no_file)?;
    let mut words = tempfile::tempfile().map_err(no_file)?;
    command.stdout(printed.try_clone().map_err(no_file)?);
    command.stderr(words.try_clone().map_err(no_file)?);
    let mut child = command.spawn().map_err(|error| format!("cannot run `{name}`: {error}"))?;
    let Some(status) = wait(&mut child, patience).map_err(|error| error.to_string())? else {
        // It may have ended just now.
        let _ = child.kill();
        let _ = child.wait();
        let seconds = patience.as_secs();
        return Err(format!(
            "`{name}` did not answer within {seconds} seconds; one of its files may be a pipe, for example"
        ));
    };
    let content = |file: &mut File| {
        let mut bytes = Vec::new();
        file.rewind().and_then(|()| file.read_to_end(&mut bytes)).map(|_| bytes)
    };
    let answer = if status.success() { content(&mut printed) } else { content(&mut words) };
    let answer = answer.map_err(|error| format!("cannot read what `{name}` printed: {error}"))?;
    match status.success() {
        true => Ok(answer),
        false => Err(String::from_utf8_lossy(&answer).trim().replace('\n', " ")),
    }
}

/// How a program ended; nothing if it has not when the time is over.
fn wait(child: &mut Child, patience: Duration) -> io::Result<Option<ExitStatus>> {
    const LONGEST_PAUSE: Duration = Duration::from_millis(10);
    let deadline = Instant::now() + patience;
    let mut pause = Duration::from_micros(200);
    loop {
        let status = child.try_wait()?;
        if status.is_some() || Instant::now() >= deadline {
            return Ok(status);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Copies an index. Its time shows git which files may have changed unseen after it was written.
fn copy_with_time(from: &Path, to: &Path) -> io::Result<()> {
    let content = match read_file(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        content => content?,
    };
    let modified = fs::metadata(from)?.modified()?;
    fs::write(to, content)?;
    File::options().write(true).open(to)?.set_modified(modified)
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::new(&*String::from_utf8_lossy(bytes)))
}
