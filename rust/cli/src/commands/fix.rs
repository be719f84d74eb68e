//! `gdscene fix`

use std::io::{self, Write};

use tscn::Applicability;

use crate::args::FixArgs;
use crate::batches::in_batches_that_may_fail;
use crate::commands::{Counted, Status, written};
use crate::files::{read, replace};
use crate::linter::Linter;
use crate::output::diff;
use crate::output::progress::Progress;
use crate::walk::{Problem, Target, targets};

/// A file that was dealt with.
struct Done {
    /// How many fixes were applied.
    fixes: usize,
    /// How many findings are left, errors and warnings.
    left: usize,
    /// Whether it is an `.escn` file.
    left_alone: bool,
    output: Vec<u8>,
}

/// What is counted for the last line.
#[derive(Debug, Default)]
struct Summary {
    files: usize,
    changed: usize,
    fixes: usize,
    left: usize,
    left_alone: usize,
    failed: usize,
    /// Whether nothing is written.
    is_dry: bool,
}

pub(crate) fn run(args: &FixArgs) -> Status {
    let progress = Progress::start();
    let (targets, problems) = targets(&args.paths);
    progress.above(|| problems.iter().for_each(Problem::report));
    let linter = match Linter::new(&targets, &args.rules) {
        Ok(linter) => linter,
        Err(error) => {
            progress.above(|| eprintln!("gdscene: {error}"));
            return Status::Failure;
        }
    };
    let is_dry = args.diff || args.dry_run;
    let mut summary = Summary { failed: problems.len(), is_dry, ..Summary::default() };
    let (mut out, mut result) = (io::stdout().lock(), Ok(()));
    let work = |target: &Target| fix(target, args, &linter);
    let failed = in_batches_that_may_fail(&targets, &progress, work, |done| {
        summary.add(&done);
        if result.is_ok() {
            // A closed pipe does not leave the other files as they were.
            result = out.write_all(&done.output);
        }
    });
    summary.failed += failed;
    drop(progress);
    // Standard output may be a text or a patch, to which nothing is added.
    if args.diff || targets.contains(&Target::Stdin) {
        eprintln!("{summary}");
    } else {
        result = result.and_then(|()| writeln!(out, "{summary}"));
    }
    written(result, summary.status())
}

/// Reads and fixes one file, and writes it unless asked not to.
fn fix(target: &Target, args: &FixArgs, linter: &Linter) -> Result<Done, Problem> {
    let name = target.name();
    let text = read(target)?;
    if !args.force_escn && name.to_ascii_lowercase().ends_with(".escn") {
        return Ok(Done { fixes: 0, left: 0, left_alone: true, output: Vec::new() });
    }
    let limit = if args.with_unsafe { Applicability::Unsafe } else { Applicability::Safe };
    let fixed = tscn::fix_by(&text, limit, |text| linter.lint(target, text));
    let diagnostics = linter.lint(target, &fixed.text);
    let left = diagnostics.iter().filter(|found| found.severity > tscn::Severity::Info).count();
    let output = match target {
        _ if args.diff => diff::unified(&name, &text, &fixed.text),
        _ if args.dry_run && fixed.applied_count == 0 => Vec::new(),
        _ if args.dry_run => {
            format!("{name}: {} would be applied\n", Counted(fixed.applied_count, "fix"))
                .into_bytes()
        }
        Target::Stdin => fixed.text,
        Target::File(path) if fixed.text != text => {
            replace(path, &fixed.text).map_err(|error| target.problem(error))?;
            format!("{name}: {}\n", Counted(fixed.applied_count, "fix")).into_bytes()
        }
        Target::File(_) => Vec::new(),
    };
    Ok(Done { fixes: fixed.applied_count, left, left_alone: false, output })
}

impl Summary {
    fn add(&mut self, done: &Done) {
        self.files += 1;
        self.changed += usize::from(done.fixes > 0);
        self.fixes += done.fixes;
        self.left += done.left;
        self.left_alone += usize::from(done.left_alone);
    }

    fn status(&self) -> Status {
        if self.failed > 0 {
            Status::Failure
        } else if self.left > 0 || self.is_dry && self.fixes > 0 {
            Status::Findings
        } else {
            Status::Clean
        }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let would = if self.is_dry { "would be " } else { "" };
        let (fixes, changed) = (Counted(self.fixes, "fix"), Counted(self.changed, "file"));
        write!(f, "{fixes} {would}applied in {changed}; ")?;
        match self.left {
            0 => write!(f, "nothing left")?,
            left => write!(f, "{} left, see `gdscene check`", Counted(left, "finding"))?,
        }
        if self.left_alone > 0 {
            let files = Counted(self.left_alone, ".escn file");
            write!(f, "; {files} left alone, see --force-escn")?;
        }
        if self.failed > 0 {
            write!(f, "; {} not fixed", Counted(self.failed, "path"))?;
        }
        Ok(())
    }
}
