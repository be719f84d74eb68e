//! The command that git calls in the place of its own diff (`diff.<driver>.command`,
//! gitattributes(5)).
//!
//! People see the contents of the files. If the output goes to a file or a program, it is git's own patch: `git apply`
//! takes the result of `git diff > a.patch`.

use std::borrow::Cow;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};

use crate::args::ColorChoice;
use crate::commands::diff::files::Pair;
use crate::commands::{Status, written};
use crate::files;
use crate::inputs::Input;
use crate::output::diff::{hunks, quoted, quoted_path};
use crate::output::diff_text;
use crate::terminal::complain;

/// A file as git gives it: where its content is, its blob and its mode.
struct Version<'a> {
    file: &'a OsStr,
    blob: Cow<'a, str>,
    mode: Cow<'a, str>,
}

impl Version<'_> {
    fn is_there(&self) -> bool {
        self.file != "/dev/null"
    }

    fn text(&self) -> Result<Option<Vec<u8>>, String> {
        if !self.is_there() {
            return Ok(None);
        }
        let read = files::read(&Input::named(self.file.as_ref()));
        read.map(Some).map_err(|problem| format!("{}: {}", problem.path.display(), problem.reason))
    }
}

pub(super) fn run(arguments: &[OsString], color: ColorChoice) -> Status {
    let arguments: Vec<&OsStr> = arguments.iter().map(OsString::as_os_str).collect();
    let (path, new_path, about) = match arguments[..] {
        // A file with conflicts.
        [path] => {
            println!("* Unmerged path {}", quoted(&path.to_string_lossy()));
            return Status::Clean;
        }
        [path, _, _, _, _, _, _] => (path, path, OsStr::new("")),
        [path, _, _, _, _, _, _, new_path, about] => (path, new_path, about),
        _ => {
            complain("--driver is only for git, which passes seven or nine arguments");
            return Status::Failure;
        }
    };
    let version = |at: usize| Version {
        file: arguments[at],
        blob: arguments[at + 1].to_string_lossy(),
        mode: arguments[at + 2].to_string_lossy(),
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
                path: new_path.to_string_lossy().into_owned(),
                old_path: (path != new_path).then(|| path.to_string_lossy().into_owned()),
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

/// Whether git shows our output in a pager (`setup_pager`, pager.c, git 2.47).
pub(crate) fn is_paged() -> bool {
    env::var_os("GIT_PAGER_IN_USE").is_some_and(|value| value == "true" || value == "1")
}

/// As `builtin_diff` of git's diff.c writes it.
fn patch(
    path: &OsStr,
    new_path: &OsStr,
    about: &OsStr,
    [old, new]: [&Version<'_>; 2],
    texts: [Option<Vec<u8>>; 2],
) -> Vec<u8> {
    let names = [quoted_path("a", path), quoted_path("b", new_path)];
    let mut out = format!("diff --git {} {}\n", names[0], names[1]).into_bytes();
    let about_mode = match (old.is_there(), new.is_there()) {
        (false, _) => format!("new file mode {}\n", new.mode),
        (_, false) => format!("deleted file mode {}\n", old.mode),
        _ if old.mode != new.mode => format!("old mode {}\nnew mode {}\n", old.mode, new.mode),
        _ => String::new(),
    };
    out.extend(about_mode.into_bytes());
    let about = about.as_encoded_bytes().trim_ascii_end();
    out.extend_from_slice(about);
    if !about.is_empty() {
        out.push(b'\n');
    } else if old.blob != new.blob {
        let short = |blob: &str| blob.chars().take(10).collect::<String>();
        let mode = if old.mode == new.mode { format!(" {}", new.mode) } else { String::new() };
        out.extend(
            format!("index {}..{}{mode}\n", short(&old.blob), short(&new.blob)).into_bytes(),
        );
    }
    let [old_text, new_text] = texts.map(Option::unwrap_or_default);
    if old_text == new_text {
        return out;
    }
    let place = |version: &Version<'_>, name| match version.is_there() {
        true => name,
        false => "/dev/null".to_owned(),
    };
    let [old_name, new_name] = names;
    let names = [place(old, old_name), place(new, new_name)];
    if [&old_text, &new_text].iter().any(|text| text.contains(&0)) {
        out.extend(format!("Binary files {} and {} differ\n", names[0], names[1]).into_bytes());
        return out;
    }
    // A name with a blank ends with a tab, because programs that apply patches read the text after a blank as a
    // time.
    let ended = |name: &str| if name.contains(' ') { format!("{name}\t") } else { name.to_owned() };
    out.extend(format!("--- {}\n+++ {}\n", ended(&names[0]), ended(&names[1])).into_bytes());
    hunks(&mut out, &old_text, &new_text);
    out
}
