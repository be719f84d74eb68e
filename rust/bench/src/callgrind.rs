//! Reads the dumps of callgrind.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

/// What a call out of the program counts, in instructions: to take memory, to copy, to ask the system. What happens behind it
/// is another version's on each machine, and chosen there by the processor.
const CALL_OUT: u64 = 100;

/// Begins the line of a dump that says behind which function it was made.
pub(crate) const TRIGGER: &str = "desc: Trigger: --dump-after=";

/// The dumps in a folder that were made on the way: `out.1` and so on.
pub(crate) fn dumps(folder: &Path) -> io::Result<Vec<String>> {
    let mut all = Vec::new();
    loop {
        match read(&folder.join(format!("out.{}", all.len() + 1))) {
            Ok(dump) => all.push(dump),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(all),
            Err(error) => return Err(error),
        }
    }
}

/// Names of functions may be anything.
fn read(path: &Path) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}

/// The rest of the first line of a dump that starts with this.
pub(crate) fn line_after<'d>(dump: &'d str, start: &str) -> Option<&'d str> {
    dump.lines().find_map(|line| line.strip_prefix(start))
}

/// What a function took of which a dump was made when it was left, or all of the program, if it is `whole`: the program's own
/// code, and what it called.
pub(crate) fn work(program: &Path, folder: &Path, whole: bool) -> io::Result<u64> {
    let dumps = if whole { vec![read(&folder.join("out"))?] } else { dumps(folder)? };
    let is_wanted = |dump: &&String| whole || line_after(dump, TRIGGER).is_some();
    let name = program.file_name().unwrap_or_default();
    // Where nothing was measured, valgrind says nothing.
    match dumps.iter().find(is_wanted).map_or(0, |dump| work_in(dump, name)) {
        0 => Err(io::Error::other(format!(
            "{}: valgrind counted nothing in {}: was the measured function inlined?",
            folder.display(),
            program.display()
        ))),
        work => Ok(work),
    }
}

/// The instructions of the object of this name, with [`CALL_OUT`] for each call to another object.
fn work_in(dump: &str, program: &OsStr) -> u64 {
    let (mut names, mut work) = (Names::default(), 0);
    let (mut is_own, mut calls_out, mut is_cost_of_call) = (false, false, false);
    for line in dump.lines() {
        if let Some(object) = line.strip_prefix("ob=") {
            is_own = names.is(object, program);
        } else if let Some(object) = line.strip_prefix("cob=") {
            calls_out = !names.is(object, program);
        } else if let Some(calls) = line.strip_prefix("calls=") {
            let calls = calls.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0);
            work += if is_own && calls_out { CALL_OUT * calls } else { 0 };
            // The next line has what the called function took, which is counted where that function stands.
            (calls_out, is_cost_of_call) = (false, true);
        } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            if is_own && !is_cost_of_call {
                let cost = line.split(' ').nth(1).and_then(|cost| cost.parse().ok());
                work += cost.unwrap_or(0);
            }
            is_cost_of_call = false;
        }
    }
    work
}

/// Names of objects are written once, as `(3) /usr/lib/libc.so.6`, and later on as `(3)`.
#[derive(Default)]
struct Names<'d>(HashMap<&'d str, &'d str>);

impl<'d> Names<'d> {
    /// Whether this is the path of a file of that name.
    fn is(&mut self, object: &'d str, name: &OsStr) -> bool {
        let path = match object.split_once(' ') {
            Some((number, path)) => *self.0.entry(number).or_insert(path),
            None => self.0.get(object).copied().unwrap_or(object),
        };
        Path::new(path).file_name() == Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `main` takes 3 and 4, `helper` 50; both call `malloc`, which takes 1,000.
    const DUMP: &str = "version: 1\npositions: line\nevents: Ir\nsummary: 2057\n\n\
        ob=(1) /usr/lib/libc.so.6\nfl=(1) ???\nfn=(1) malloc\n0 1000\n\n\
        ob=(2) /build/program\nfl=(1)\nfn=(2) main\n0 3\n\
        cfn=(3) helper\ncalls=1 0\n0 1050\n\
        cob=(1)\ncfn=(1)\ncalls=2 0\n+4 2000\n* 4\n\n\
        fn=(3)\n0 50\ncob=(1)\ncfn=(1)\ncalls=1 0\n0 1000\n";

    #[test]
    fn the_programs_own_work_and_its_calls_out_count() {
        assert_eq!(work_in(DUMP, OsStr::new("program")), 3 + 4 + 50 + 3 * CALL_OUT);
        assert_eq!(work_in(DUMP, OsStr::new("libc.so.6")), 1000);
        assert_eq!(work_in(DUMP, OsStr::new("other")), 0);
    }

    #[test]
    fn the_dump_behind_the_measured_function_counts() {
        let folder = tempfile::tempdir().unwrap();
        let program = Path::new("/elsewhere/program");
        let write = |name: &str, trigger: &str| {
            let dump = DUMP.replace("positions", &format!("desc: Trigger: {trigger}\npositions"));
            fs::write(folder.path().join(name), dump).unwrap();
        };
        write("out.1", "Program termination");
        let message = work(program, folder.path(), false).unwrap_err().to_string();
        assert!(message.contains("valgrind counted nothing in /elsewhere/program"), "{message}");
        write("out.2", "--dump-after=measured");
        assert_eq!(work(program, folder.path(), false).unwrap(), 57 + 3 * CALL_OUT);
        assert!(work(Path::new("other"), folder.path(), false).is_err());
        // The whole of it stands elsewhere.
        assert!(work(program, folder.path(), true).is_err());
        write("out", "Program termination");
        assert_eq!(work(program, folder.path(), true).unwrap(), 57 + 3 * CALL_OUT);
    }
}
