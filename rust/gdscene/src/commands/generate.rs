//! `gdscene completions` and `gdscene man`

use std::io;

use clap::CommandFactory;

use crate::args::Args;
use crate::commands::{Status, written};

/// Print a script that completes commands in a shell.
///
/// For example: gdscene completions bash > ~/.local/share/bash-completion/completions/gdscene
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    shell: clap_complete::Shell,
}

pub(crate) fn completions(args: &CompletionsArgs) -> Status {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "gdscene", &mut script);
    written(io::Write::write_all(&mut io::stdout(), &script), Status::Clean)
}

/// The page of the program, and then that of each command.
pub(crate) fn man() -> Status {
    let mut page = Vec::new();
    let mut command = Args::command();
    command.build();
    // A `Vec` takes everything.
    let _ = clap_mangen::Man::new(command.clone()).render(&mut page);
    for subcommand in command.get_subcommands().filter(|command| command.get_name() != "help") {
        let _ = clap_mangen::Man::new(subcommand.clone()).render(&mut page);
    }
    written(io::Write::write_all(&mut io::stdout(), &page), Status::Clean)
}
