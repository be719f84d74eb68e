//! `gdscene resolve`

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use godot_project::read_file;
use godot_tscn::{MergeSide, Unresolved, resolve_by, unresolved};

use crate::commands::Status;
use crate::commands::merge::short;
use crate::counted::Counted;
use crate::files::create_or_replace;
use crate::terminal::{complain, printable};

/// Settle the conflicts that `gdscene merge` left in files.
///
/// --ours, --theirs and --base settle all conflicts with the value of that side, and remove the metadata that stored
/// them. --pick settles the conflicts with the given numbers. --interactive asks for each conflict. Without an option,
/// the conflicts are listed with their numbers.
///
/// A conflict that cannot be settled, for example because another node already has the name, stays in the file with its
/// metadata and is listed. Edit the file, and remove the entry of the settled conflict.
///
/// Examples:
///   gdscene resolve level.tscn              list the conflicts
///   gdscene resolve --theirs level.tscn
///   gdscene resolve --pick 1=theirs,3=ours level.tscn
#[derive(Debug, Default, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct ResolveArgs {
    /// Scenes and resources with conflicts.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Keep our value, which the file already has.
    #[arg(long, group = "side")]
    ours: bool,

    /// Take their value.
    #[arg(long, group = "side")]
    theirs: bool,

    /// Take the value of the common ancestor.
    #[arg(long, group = "side")]
    base: bool,

    /// Settle the conflict with this number with the value of a side; the other conflicts stay. Only for one file.
    #[arg(long, group = "side", value_name = "NUMBER=SIDE", value_delimiter = ',', value_parser = pick)]
    pick: Vec<(usize, MergeSide)>,

    /// Ask for each conflict which side to take.
    #[arg(long, short, group = "side")]
    interactive: bool,
}

/// `1=theirs`
fn pick(text: &str) -> Result<(usize, MergeSide), String> {
    let wrong = || "expected a number and a side, such as `1=theirs`".to_owned();
    let (number, side) = text.split_once('=').ok_or_else(wrong)?;
    Ok((number.parse().map_err(|_| wrong())?, side_of(side).ok_or_else(wrong)?))
}

fn side_of(text: &str) -> Option<MergeSide> {
    [MergeSide::Base, MergeSide::Ours, MergeSide::Theirs]
        .into_iter()
        .find(|side| side.as_str() == text)
}

const EXIT_STATUS: &str = "Exit status:
  0  no conflicts left
  1  conflicts left
  2  wrong usage, or a file that cannot be read or written";

pub(crate) fn run(args: &ResolveArgs) -> Status {
    if !args.pick.is_empty() && args.files.len() > 1 {
        complain("--pick works with only one file, because each file has its own numbers");
        return Status::Failure;
    }
    let worst = args.files.iter().map(|file| one(file, args)).max();
    worst.unwrap_or(Status::Clean)
}

/// Asks for the conflicts of a file.
pub(super) fn interactive(file: &Path) -> Status {
    let side = ResolveArgs { interactive: true, ..ResolveArgs::default() };
    one(file, &side)
}

fn one(file: &Path, args: &ResolveArgs) -> Status {
    match settle(file, args) {
        Ok(left) if left.is_empty() => Status::Clean,
        Ok(left) => {
            for conflict in left {
                println!("{}", told(file, &conflict));
            }
            Status::Findings
        }
        Err(error) => {
            complain(format_args!("{}: {error}", file.display()));
            Status::Failure
        }
    }
}

/// Settles what is asked for. Returns what is left.
fn settle(file: &Path, args: &ResolveArgs) -> Result<Vec<Unresolved>, String> {
    let text = read_file(file).map_err(|error| error.to_string())?;
    let found = unresolved(&text);
    if let Some((number, _)) =
        args.pick.iter().find(|(number, _)| !(1..=found.len()).contains(number))
    {
        return Err(format!("has no conflict {number}; it has {}", found.len()));
    }
    let choices = match args {
        ResolveArgs { ours: true, .. } => vec![Some(MergeSide::Ours); found.len()],
        ResolveArgs { theirs: true, .. } => vec![Some(MergeSide::Theirs); found.len()],
        ResolveArgs { base: true, .. } => vec![Some(MergeSide::Base); found.len()],
        ResolveArgs { interactive: true, .. } => ask(file, &found, &mut io::stdin().lock()),
        _ => {
            let picked = |conflict: &Unresolved| {
                let found = args.pick.iter().rfind(|(number, _)| *number == conflict.number);
                found.map(|(_, side)| *side)
            };
            found.iter().map(picked).collect()
        }
    };
    if choices.iter().all(Option::is_none) {
        return Ok(found);
    }
    let resolved =
        resolve_by(&text, |conflict| choices.get(conflict.number - 1).copied().flatten());
    if resolved.text != text {
        create_or_replace(file, &resolved.text).map_err(|error| error.to_string())?;
    }
    let settled = Counted(resolved.settled, "conflict");
    println!("{}: {settled} settled", printable(&file.display().to_string()));
    Ok(resolved.left)
}

/// Asks for each conflict; what is not answered stays.
fn ask(file: &Path, conflicts: &[Unresolved], input: &mut dyn BufRead) -> Vec<Option<MergeSide>> {
    let mut choices = vec![None; conflicts.len()];
    for (conflict, choice) in conflicts.iter().zip(&mut choices) {
        println!("{}", told(file, conflict));
        let sides = [&conflict.base, &conflict.ours, &conflict.theirs];
        for (side, value) in ["base", "ours", "theirs"].into_iter().zip(sides) {
            let value = value.as_deref().map_or("(none)".into(), short);
            println!("    {side:6} {}", printable(&value));
        }
        loop {
            print!("[o]urs, [t]heirs, [b]ase, [l]eave it, [q]uit: ");
            let mut line = String::new();
            let is_end =
                io::stdout().flush().is_err() || input.read_line(&mut line).unwrap_or(0) == 0;
            *choice = match line.trim() {
                "o" | "ours" => Some(MergeSide::Ours),
                "t" | "theirs" => Some(MergeSide::Theirs),
                "b" | "base" => Some(MergeSide::Base),
                "l" | "leave" => None,
                "q" | "quit" => return choices,
                _ if is_end => return choices,
                _ => continue,
            };
            break;
        }
    }
    choices
}

fn told(file: &Path, conflict: &Unresolved) -> String {
    let Unresolved { number, place, what, .. } = conflict;
    printable(&format!("{}: conflict {number}: {place}: {what}", file.display())).into_owned()
}
