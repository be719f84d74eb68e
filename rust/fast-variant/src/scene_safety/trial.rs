//! Tries a judged file in a separate process: the game's own program, with limits of time and memory.
//!
//! The child finds the folder with the private copies in an environment variable. There is `trial.tscn`, which becomes its main
//! scene in the place of the game's, before the engine reads which one that is. Both communicate by files in the folder:
//! `ready` (the engine has started; the limits are set now), `go` (the file to load) and `done`.

use std::time::Duration;

use godot::builtin::{AnyDictionary, VarDictionary, Variant};
use godot::meta::ToGodot;

use crate::by_name::{project_setting_names, set_project_setting};
use crate::decode_options::{limit, typed, unknown};

/// Names the folder of a trial to the child.
const VARIABLE: &str = "FAST_VARIANT_TRIAL";

/// What a trial may take.
pub(super) struct Limits {
    time: Duration,
    megabytes: usize,
}

impl Limits {
    /// Reads the options of `SceneSafety.try_run`.
    ///
    /// # Errors
    /// What is wrong with the first that is unknown or holds a wrong value.
    pub(super) fn parse(options: &AnyDictionary) -> Result<Self, String> {
        let mut limits = Self { time: Duration::from_secs(2), megabytes: 256 };
        for (key, value) in options.iter_shared() {
            match key.stringify().to_string().as_str() {
                "seconds" => limits.time = time(&key, &value)?,
                "megabytes" => limits.megabytes = limit(&key, &value)?,
                _ => return Err(unknown(&key, "`seconds` and `megabytes`")),
            }
        }
        Ok(limits)
    }
}

fn time(key: &Variant, value: &Variant) -> Result<Duration, String> {
    let seconds = match value.try_to::<i64>() {
        Ok(whole) => whole as f64,
        Err(_) => typed(key, value, "float")?,
    };
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| format!("the option `{key}` is {seconds}, expected 0 or more"))
}

/// What came of a trial.
#[derive(Debug, Default)]
pub(super) struct Report {
    was_tried: bool,
    /// Why it was not tried, or did not pass.
    error: Option<String>,
    seconds: f64,
    megabytes: f64,
}

impl Report {
    /// No trial was made.
    pub(super) fn untried(error: &str) -> Self {
        Self { error: Some(error.to_owned()), ..Self::default() }
    }

    /// As scripts see it.
    pub(super) fn to_dictionary(&self) -> VarDictionary {
        let mut dictionary = VarDictionary::new();
        let has_passed = self.was_tried && self.error.is_none();
        dictionary.set("passed", has_passed);
        dictionary.set("tried", self.was_tried);
        dictionary.set("error", self.error.as_deref().unwrap_or_default());
        dictionary.set("seconds", self.seconds);
        dictionary.set("megabytes", self.megabytes);
        dictionary
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) use linux::run;

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(super) fn run(_: &[super::walk::JudgedFile], _: &Limits) -> Report {
    Report::untried("files can be tried on Linux (x86-64 and ARM64) only")
}

/// In a process that was started for a trial: confines it, and takes away what the game would run.
pub(crate) fn enter() {
    let Some(folder) = std::env::var_os(VARIABLE) else { return };
    let folder = std::path::PathBuf::from(folder);
    if let Err(error) = confine() {
        // The other process finds why. Nothing of the file was loaded.
        let _ = std::fs::write(folder.join("unconfined"), error);
        std::process::exit(1);
    }
    for name in project_setting_names() {
        if name.starts_with("autoload/") {
            set_project_setting(&name, &Variant::nil());
        }
    }
    // The game may take warnings for errors.
    set_project_setting("debug/gdscript/warnings/enable", &false.to_variant());
    set_project_setting("application/run/main_loop_type", &"SceneTree".to_variant());
    let scene = folder.join("trial.tscn").to_string_lossy().into_owned();
    set_project_setting("application/run/main_scene", &scene.to_variant());
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn confine() -> Result<(), String> {
    super::confine::forbid_network_and_programs()
        .map_err(|error| format!("the system cannot block the network for a process: {error}"))
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn confine() -> Result<(), String> {
    Err("the system cannot block the network for a process".to_owned())
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod linux {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, ExitStatus, Stdio};
    use std::time::{Duration, Instant};

    use super::{Limits, Report, VARIABLE};
    use crate::by_name::{globalize_path, own_command};
    use crate::scene_safety::confine::limit_data;
    use crate::scene_safety::private_copy::PrivateCopies;
    use crate::scene_safety::walk::JudgedFile;

    /// The script that runs in the child.
    const SCRIPT: &str = include_str!("trial.gd");
    /// How long the program may take to start.
    const START: Duration = Duration::from_secs(60);
    /// How long it may take to end, when all is done.
    const END: Duration = Duration::from_secs(5);
    const PAUSE: Duration = Duration::from_millis(2);

    /// Tries the first of the files.
    pub(in crate::scene_safety) fn run(files: &[JudgedFile], limits: &Limits) -> Report {
        Trial::start(files)
            .and_then(|mut trial| trial.run(limits))
            .unwrap_or_else(|error| Report::untried(&error))
    }

    struct Trial {
        copies: PrivateCopies,
        child: Child,
    }

    impl Drop for Trial {
        fn drop(&mut self) {
            // It may have ended by itself.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    impl Trial {
        fn start(files: &[JudgedFile]) -> Result<Self, String> {
            let copies = PrivateCopies::write(files)?;
            let folder = copies.folder.path();
            let scene = scene(SCRIPT);
            fs::write(folder.join("trial.tscn"), scene)
                .map_err(|error| format!("the scene of the trial cannot be written: {error}"))?;
            let (program, arguments) = own_command();
            let child = Command::new(&program)
                .args(arguments_of_game(&arguments))
                .args(["--headless", "--log-file"])
                .arg(folder.join("log"))
                .env(VARIABLE, folder)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .map_err(|error| format!("`{program}` cannot be started: {error}"))?;
            Ok(Self { copies, child })
        }

        fn run(&mut self, limits: &Limits) -> Result<Report, String> {
            self.wait_for_start()?;
            let before = Memory::of(self.child.id()).ok_or("the process cannot be watched")?;
            let most = before.data + ((limits.megabytes as u64) << 20);
            limit_data(self.child.id(), most)
                .map_err(|error| format!("the memory of the process cannot be limited: {error}"))?;
            let go = self.folder().join("go");
            let part = self.folder().join("go.part");
            fs::write(&part, &self.copies.places[0])
                .and_then(|()| fs::rename(&part, &go))
                .map_err(|error| format!("cannot start the process: {error}"))?;
            let start = Instant::now();
            let mut report = Report { was_tried: true, ..Report::default() };
            let mut peak = before.resident;
            report.error = loop {
                peak = Memory::of(self.child.id()).map_or(peak, |now| now.peak.max(peak));
                if let Some(done) = self.said("done") {
                    break reason(&done);
                }
                if let Some(status) = self.status()? {
                    break Some(format!(
                        "Godot ended while it ran the file ({status}); the limit is {} megabytes",
                        limits.megabytes
                    ));
                }
                if start.elapsed() > limits.time {
                    break Some(format!("it needs more than {} s", limits.time.as_secs_f64()));
                }
                std::thread::sleep(PAUSE);
            };
            report.seconds = start.elapsed().as_secs_f64();
            report.megabytes = peak.saturating_sub(before.resident) as f64 / f64::from(1 << 20);
            if report.error.is_none() {
                report.error = self.wait_for_end()?;
            }
            Ok(report)
        }

        fn wait_for_start(&mut self) -> Result<(), String> {
            let start = Instant::now();
            while self.said("ready").is_none() {
                if let Some(status) = self.status()? {
                    let reason = self.said("unconfined");
                    return Err(reason.unwrap_or_else(|| {
                        format!("the program ended before it was ready ({status})")
                    }));
                }
                if start.elapsed() > START {
                    return Err("the program does not start, or lacks this library".into());
                }
                std::thread::sleep(PAUSE);
            }
            Ok(())
        }

        /// What went wrong when the file was freed with the program.
        fn wait_for_end(&mut self) -> Result<Option<String>, String> {
            let start = Instant::now();
            while start.elapsed() < END {
                if let Some(status) = self.status()? {
                    let ended_well = status.success();
                    return Ok(
                        (!ended_well).then(|| format!("Godot exited with an error ({status})"))
                    );
                }
                std::thread::sleep(PAUSE);
            }
            Ok(Some("Godot does not exit".to_owned()))
        }

        fn folder(&self) -> PathBuf {
            self.copies.folder.path().to_owned()
        }

        fn said(&self, name: &str) -> Option<String> {
            fs::read_to_string(self.folder().join(name)).ok()
        }

        fn status(&mut self) -> Result<Option<ExitStatus>, String> {
            self.child.try_wait().map_err(|error| format!("the process cannot be watched: {error}"))
        }
    }

    /// What leads the program to the game: its folder, or the pack that it was started with.
    fn arguments_of_game(own: &[String]) -> Vec<String> {
        let project = globalize_path("res://");
        if Path::new(&project).join("project.godot").is_file() {
            return vec!["--path".to_owned(), project];
        }
        let pack = own.iter().position(|argument| argument == "--main-pack");
        pack.map_or_else(Vec::new, |at| own[at..].iter().take(2).cloned().collect())
    }

    /// A scene of one node with the script.
    fn scene(script: &str) -> String {
        let source = script.replace('\\', "\\\\").replace('"', "\\\"");
        format!(
            "[gd_scene format=3]\n\n[sub_resource type=\"GDScript\" id=\"1\"]\nscript/source = \"{source}\"\n\n\
             [node name=\"Trial\" type=\"Node\"]\nscript = SubResource(\"1\")\n"
        )
    }

    /// The reason in `{"reason": "…", …}`; nothing if it is empty.
    fn reason(done: &str) -> Option<String> {
        let (_, rest) = done.split_once("\"reason\":\"")?;
        let reason = rest.split('"').next()?;
        (!reason.is_empty()).then(|| reason.to_owned())
    }

    /// How much memory a process has, in bytes.
    struct Memory {
        data: u64,
        resident: u64,
        peak: u64,
    }

    impl Memory {
        fn of(process: u32) -> Option<Self> {
            let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
            let kibibytes = |name: &str| {
                let line = status.lines().find_map(|line| line.strip_prefix(name))?;
                line.split_ascii_whitespace().next()?.parse::<u64>().ok()
            };
            Some(Self {
                data: kibibytes("VmData:")? << 10,
                resident: kibibytes("VmRSS:")? << 10,
                peak: kibibytes("VmHWM:")? << 10,
            })
        }
    }
}
