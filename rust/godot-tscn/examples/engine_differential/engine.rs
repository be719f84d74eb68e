//! Letting the engine judge.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::case::Case;
use crate::intent::Item;

/// What the engine made of a case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdict {
    /// Why the case counts as refused, crashed or crippled, each in a word and with details.
    pub(crate) harms: Vec<String>,
    /// What keeps the engine from reading it, but is not in the text: a class that this engine does
    /// not have, a file that is not there.
    pub(crate) outside: Vec<String>,
    /// All objects that it loads, if it was asked for them and loads and instantiates the file.
    pub(crate) dump: Option<String>,
    /// The tree of nodes that comes out of it, if it is a scene.
    pub(crate) tree: Option<String>,
}

/// As many processes as the machine has processors that the tests may count on.
const PROCESSES: usize = 2;

/// A file that takes longer hangs the engine.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// The verdict for each case.
pub(crate) fn judge(
    folder: &Path,
    program: &OsStr,
    arguments: &[OsString],
    cases: &[Case],
) -> io::Result<Vec<Verdict>> {
    let case_folder = folder.join("cases");
    fs::create_dir_all(&case_folder)?;
    for (index, case) in cases.iter().enumerate() {
        fs::write(case_folder.join(file_name(index, case)), &case.text)?;
    }
    let share = |process: usize| (0..cases.len()).filter(move |index| index % PROCESSES == process);
    let mut verdicts = vec![Verdict::default(); cases.len()];
    let shares: Vec<io::Result<Vec<_>>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..PROCESSES)
            .map(|process| {
                scope.spawn(move || {
                    let indices: Vec<usize> = share(process).collect();
                    Share { folder, program, arguments, process }.judge(cases, &indices)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    for share in shares {
        for (index, verdict) in share? {
            verdicts[index] = verdict;
        }
    }
    Ok(verdicts)
}

fn file_name(index: usize, case: &Case) -> String {
    format!("{index:06}.{}", case.extension)
}

/// What one process after the other judges.
struct Share<'a> {
    folder: &'a Path,
    program: &'a OsStr,
    arguments: &'a [OsString],
    process: usize,
}

impl Share<'_> {
    fn judge(&self, cases: &[Case], indices: &[usize]) -> io::Result<Vec<(usize, Verdict)>> {
        let manifest = self.path("manifest.jsonl");
        let mut lines = Vec::new();
        for index in indices {
            let case = &cases[*index];
            let file = format!("res://cases/{}", file_name(*index, case));
            let items: Vec<Value> = case.items.iter().map(item_json).collect();
            writeln!(lines, "{}", json!({ "file": file, "items": items, "dump": case.is_dumped }))?;
        }
        fs::write(&manifest, lines)?;
        let mut verdicts: Vec<(usize, Verdict)> = Vec::new();
        while verdicts.len() < indices.len() {
            let found = self.run(&manifest, verdicts.len())?;
            let is_stuck = found.is_empty();
            for verdict in found {
                verdicts.push((indices[verdicts.len()], verdict));
            }
            if is_stuck {
                let message =
                    format!("the engine did not begin; see {}", self.path("log").display());
                return Err(io::Error::other(message));
            }
        }
        Ok(verdicts)
    }

    /// Lets one process judge from the case number `first` on, until it ends or crashes.
    fn run(&self, manifest: &Path, first: usize) -> io::Result<Vec<Verdict>> {
        let output = self.path("verdicts.jsonl");
        fs::write(&output, "")?;
        let log = File::options().create(true).append(true).open(self.path("log"))?;
        let mut child = Command::new(self.program)
            .args(self.arguments)
            .args(["--headless", "--path"])
            .arg(self.folder)
            .args(["-s", "res://tools/lint_differential.gd", "--"])
            .arg(manifest)
            .arg(&output)
            .arg(first.to_string())
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        wait(&mut child, &output)?;
        let mut verdicts = Vec::new();
        let written = fs::read_to_string(&output)?;
        let mut begun = 0;
        for line in written.lines() {
            match serde_json::from_str::<Value>(line) {
                Ok(Value::Object(verdict)) => verdicts.push(Verdict {
                    harms: texts(verdict.get("harms")),
                    outside: texts(verdict.get("outside")),
                    dump: verdict.get("dump").and_then(Value::as_str).map(str::to_owned),
                    tree: verdict.get("tree").and_then(Value::as_str).map(str::to_owned),
                }),
                _ => begun += 1,
            }
        }
        if begun > verdicts.len() {
            verdicts.push(Verdict { harms: vec!["crashed".to_owned()], ..Verdict::default() });
        }
        Ok(verdicts)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("process_{}.{name}", self.process))
    }
}

/// Waits for the end, or for too long a time without a new verdict.
fn wait(child: &mut Child, output: &Path) -> io::Result<()> {
    let (mut len, mut since) = (0, Instant::now());
    while child.try_wait()?.is_none() {
        thread::sleep(Duration::from_millis(20));
        let now = fs::metadata(output)?.len();
        if now != len {
            (len, since) = (now, Instant::now());
        } else if since.elapsed() > TIME_LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok(());
        }
    }
    Ok(())
}

fn texts(list: Option<&Value>) -> Vec<String> {
    let items = list.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

fn item_json(item: &Item) -> Value {
    match item {
        Item::Tag { name, fields } => json!({ "tag": name, "fields": fields }),
        Item::Property { key, value } => json!({ "key": key, "value": value }),
        Item::Junk(text) => json!({ "junk": text }),
    }
}
