//! What git calls in the place of its own diff (`diff.<driver>.command`, gitattributes(5)).
//!
//! People see what the files say. Where the output goes to a file or a program, it is the patch that git would have written:
//! `git diff > a.patch` makes what `git apply` takes.

use std::env;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

use crate::args::ColorChoice;
use crate::commands::diff::files::Pair;
use crate::commands::{Status, written};
use crate::files;
use crate::inputs::Input;
use crate::output::diff::{hunks, quoted};
use crate::output::diff_text;
use crate::output::terminal::complain;

/// A file as git gives it: where its content is, its blob and its mode.
struct Version<'a> {
    file: &'a str,
    blob: &'a str,
    mode: &'a str,
}

impl Version<'_> {
    fn is_there(&self) -> bool {
        self.file != "/dev/null"
    }

    fn text(&self) -> Result<Option<Vec<u8>>, String> {
        if !self.is_there() {
            return Ok(None);
        }
        let read = files::read(&Input::File(self.file.into()));
        read.map(Some).map_err(|problem| format!("{}: {}", problem.path.display(), problem.reason))
    }
}

pub(super) fn run(arguments: &[String], color: ColorChoice) -> Status {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (path, new_path, about) = match arguments[..] {
        // A file with conflicts.
        [path] => {
            println!("* Unmerged path {}", quoted(path));
            return Status::Clean;
        }
        [path, _, _, _, _, _, _] => (path, path, ""),
        [path, _, _, _, _, _, _, new_path, about] => (path, new_path, about),
        _ => {
            complain("--driver is for git, which gives it seven arguments, or nine");
            return Status::Failure;
        }
    };
    let version = |at: usize| Version {
        file: arguments[at],
        blob: arguments[at + 1],
        mode: arguments[at + 2],
    };
    let (old, new) = (version(1), version(4));
    let texts = match old.text().and_then(|text| Ok((text, new.text()?))) {
        Ok(texts) => texts,
        Err(reason) => {
            complain(reason);
            return Status::Failure;
        }
    };
    let is_paged = is_paged();
    let out = match io::stdout().is_terminal() || is_paged {
        true => {
            let pair = Pair {
                path: new_path.to_owned(),
                old_path: (path != new_path).then(|| path.to_owned()),
                old: texts.0,
                new: texts.1,
            };
            let found: Vec<_> = pair.compare().into_iter().collect();
            diff_text::text(&found, false, color.is_on_or_paged(is_paged)).into_bytes()
        }
        false => patch(path, new_path, about, [&old, &new], [texts.0, texts.1]),
    };
    written(io::stdout().lock().write_all(&out), Status::Clean)
}

/// Whether git shows what we print in a pager (`setup_pager`, pager.c, git 2.47).
pub(crate) fn is_paged() -> bool {
    env::var_os("GIT_PAGER_IN_USE").is_some_and(|value| value == "true" || value == "1")
}

/// As `builtin_diff` of git's diff.c writes it.
fn patch(
    path: &str,
    new_path: &str,
    about: &str,
    [old, new]: [&Version<'_>; 2],
    texts: [Option<Vec<u8>>; 2],
) -> Vec<u8> {
    let name = |side: &str, path: &str| quoted(&format!("{side}/{path}")).into_owned();
    let mut head = format!("diff --git {} {}\n", name("a", path), name("b", new_path));
    let short = |blob: &str| blob.chars().take(10).collect::<String>();
    let about_mode = match (old.is_there(), new.is_there()) {
        (false, _) => format!("new file mode {}\n", new.mode),
        (_, false) => format!("deleted file mode {}\n", old.mode),
        _ if old.mode != new.mode => format!("old mode {}\nnew mode {}\n", old.mode, new.mode),
        _ => String::new(),
    };
    head.push_str(&about_mode);
    head.push_str(about.trim_end_matches('\n'));
    if !about.is_empty() {
        head.push('\n');
    } else if old.blob != new.blob {
        let mode = if old.mode == new.mode { format!(" {}", new.mode) } else { String::new() };
        let _ = writeln!(head, "index {}..{}{mode}", short(old.blob), short(new.blob));
    }
    let mut out = head.into_bytes();
    let [old_text, new_text] = texts.map(Option::unwrap_or_default);
    if old_text == new_text {
        return out;
    }
    let place = |version: &Version<'_>, name: String| match version.is_there() {
        true => name,
        false => "/dev/null".to_owned(),
    };
    let names = [place(old, name("a", path)), place(new, name("b", new_path))];
    if [&old_text, &new_text].iter().any(|text| text.contains(&0)) {
        out.extend(format!("Binary files {} and {} differ\n", names[0], names[1]).into_bytes());
        return out;
    }
    // A name with a blank ends with a tab, as programs that apply patches take what is behind a blank for a time.
    let ended = |name: &str| if name.contains(' ') { format!("{name}\t") } else { name.to_owned() };
    out.extend(format!("--- {}\n+++ {}\n", ended(&names[0]), ended(&names[1])).into_bytes());
    hunks(&mut out, &old_text, &new_text);
    out
}
