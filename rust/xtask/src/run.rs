//! Runs one step.

use std::{
    env, fs,
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    arguments::Arguments,
    build,
    counts::Counts,
    steps::{Step, Work},
};

/// The programs that are measured as they ship. They are built one at a time, as releases are: cargo builds a crate that both need with
/// all features that one of them asks for.
const SHIPPED: [&str; 2] = ["gdscene", "bench"];

/// What all steps of a run share.
#[derive(Debug)]
pub(crate) struct Context {
    root: PathBuf,
    /// Where cargo puts what it builds.
    target: PathBuf,
    logs: PathBuf,
    is_sample: bool,
    with_release: bool,
    seed: u32,
    script_arguments: Vec<String>,
    /// The step that gets them.
    only: Option<String>,
    /// Held while the run lasts: two would write over each other's projects and logs.
    _lock: File,
}

/// What came of a step.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) step: &'static Step,
    pub(crate) counts: Counts,
    pub(crate) is_ok: bool,
    pub(crate) took: Duration,
    pub(crate) log: PathBuf,
}

impl Context {
    pub(crate) fn new(arguments: &Arguments, root: PathBuf) -> Result<Self, String> {
        let target = root
            .join(env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from));
        let logs = root.join("target/engine/steps");
        let lock = lock(&root.join("target/engine"))?;
        let empty = || -> io::Result<()> {
            if logs.exists() {
                fs::remove_dir_all(&logs)?;
            }
            fs::create_dir_all(&logs)
        };
        empty().map_err(|error| format!("{} cannot be emptied: {error}", logs.display()))?;
        Ok(Self {
            root,
            target,
            logs,
            is_sample: arguments.is_sample(),
            with_release: arguments.all,
            seed: arguments.seed,
            script_arguments: arguments.script_arguments.clone(),
            only: arguments.steps.first().cloned(),
            _lock: lock,
        })
    }

    /// Runs a step, with all that it prints in a log of its own.
    pub(crate) fn run(&self, step: &'static Step) -> Outcome {
        let start = Instant::now();
        let log = self.logs.join(step.name).with_extension("log");
        let result = File::create(&log).and_then(|file| self.work(step, &file));
        let output = read_log(&log);
        let mut is_ok = match result {
            Ok(is_ok) => is_ok,
            Err(error) => {
                // A log that cannot be written has nothing to say either.
                let _ = fs::write(&log, format!("{output}\nerror: {}: {error}\n", step.name));
                false
            }
        };
        let mut counts = match step.work {
            Work::CrateTests => Counts::of_cargo(&output),
            // A script that lost its count has tested nothing that can be counted.
            Work::Suite(..) => Counts::of_script(&output).unwrap_or(one(false)),
            Work::Script(..) if is_ok && says_skipped(&output) => {
                Counts { skipped: 1, ..Counts::default() }
            }
            _ => one(is_ok),
        };
        is_ok &= counts.failed == 0;
        // A step that fails without a test that does counts as one.
        if !is_ok && counts.failed == 0 {
            counts.failed = 1;
        }
        Outcome { step, counts, is_ok, took: start.elapsed(), log }
    }

    /// Writes a step's log without running it, and returns the log's path.
    pub(crate) fn explain(&self, step: &Step, text: &str) -> PathBuf {
        let log = self.logs.join(step.name).with_extension("log");
        // The line on the screen says the same.
        let _ = fs::write(&log, text);
        log
    }

    /// Returns whether all commands of the step succeeded.
    fn work(&self, step: &Step, log: &File) -> io::Result<bool> {
        match step.work {
            Work::BuildLocal => self.build_local(log),
            Work::BuildShipped => {
                for package in SHIPPED {
                    if !self.succeeds(
                        &mut self.cargo(&["build", "--release", "--package", package]),
                        log,
                    )? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Work::InstallLibraries => {
                let mut build = self.script("scripts/build.sh");
                if self.with_release {
                    build.arg("--release").env_remove("FV_BUILT");
                }
                self.succeeds(&mut build, log)
            }
            Work::Cargo(arguments) => self.succeeds(&mut self.cargo(arguments), log),
            Work::CrateTests => {
                let arguments = [
                    "test",
                    "--workspace",
                    "--all-features",
                    "--no-fail-fast",
                    "--",
                    "--show-output",
                ];
                self.succeeds(&mut self.cargo(&arguments), log)
            }
            Work::Script(path, arguments) | Work::Suite(path, arguments) => {
                let mut script = self.script(path);
                script.args(arguments);
                if self.only.as_deref() == Some(step.name) {
                    script.args(&self.script_arguments);
                }
                self.succeeds(&mut script, log)
            }
        }
    }

    /// One call builds all that a run needs, so that each crate is compiled once, with one set of features.
    fn build_local(&self, log: &File) -> io::Result<bool> {
        let arguments = [
            "build",
            "--workspace",
            "--all-features",
            "--all-targets",
            "--message-format=json-render-diagnostics",
        ];
        let output =
            self.cargo(&arguments).stdin(Stdio::null()).stderr(log.try_clone()?).output()?;
        let programs = build::test_programs(&String::from_utf8_lossy(&output.stdout));
        fs::create_dir_all(self.built())?;
        fs::write(self.built().join("tests.tsv"), programs)?;
        Ok(output.status.success())
    }

    fn built(&self) -> PathBuf {
        self.target.join("debug")
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        // The cargo that runs this program set variables for it, which would make another build of what comes.
        let mut command = self.command(Path::new("cargo"));
        command.args(arguments);
        command
    }

    fn script(&self, path: &str) -> Command {
        self.command(&self.root.join(path))
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.root)
            .env("FV_BUILT", self.built())
            .env("FV_SHIPPED", self.target.join("release"))
            .env("FV_SEED", self.seed.to_string())
            .env("FV_SAMPLE", if self.is_sample { "1" } else { "" })
            .env("FV_TCP_SERVICE", self.built().join("tcp-service"));
        for (name, _) in env::vars_os() {
            let is_cargos = name.to_str().is_some_and(|name| {
                name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
            });
            if is_cargos {
                command.env_remove(name);
            }
        }
        command
    }

    fn succeeds(&self, command: &mut Command, log: &File) -> io::Result<bool> {
        Ok(command
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log.try_clone()?)
            .status()?
            .success())
    }
}

/// Does not wait: a second run in the same folder is an error.
fn lock(folder: &Path) -> Result<File, String> {
    let path = folder.join("lock");
    let open = || fs::create_dir_all(folder).and_then(|()| File::create(&path));
    let file = open().map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err("scripts/test.sh already runs in this folder; wait for it, or use another clone"
                .to_owned())
        }
        Err(TryLockError::Error(error)) => {
            Err(format!("{} cannot be locked: {error}", path.display()))
        }
    }
}

/// All that a step printed; logs may hold bytes that are not UTF-8.
pub(crate) fn read_log(path: &Path) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// Whether a script that is one test says that it could not run it.
fn says_skipped(output: &str) -> bool {
    output.lines().any(|line| line.starts_with("SKIPPED: "))
}

fn one(is_ok: bool) -> Counts {
    Counts { passed: usize::from(is_ok), failed: usize::from(!is_ok), skipped: 0 }
}
