//! The command line. The arguments of each command are in its file; their doc comments are the help texts. `operation` has a table.

use std::io::{IsTerminal, stdout};

use clap::{Parser, Subcommand, ValueEnum};

use crate::commands::check::CheckArgs;
use crate::commands::dedupe::DedupeArgs;
use crate::commands::deps::DepsArgs;
use crate::commands::diff::DiffArgs;
use crate::commands::edit::EditArgs;
use crate::commands::explain::ExplainArgs;
use crate::commands::extract::ExtractArgs;
use crate::commands::fix::FixArgs;
use crate::commands::format::FormatArgs;
use crate::commands::generate::CompletionsArgs;
use crate::commands::get::GetArgs;
use crate::commands::git::GitArgs;
use crate::commands::inline::InlineArgs;
use crate::commands::lsp::LspArgs;
use crate::commands::mcp::McpArgs;
use crate::commands::merge::MergeArgs;
use crate::commands::move_node::MoveNodeArgs;
use crate::commands::mv::MvArgs;
use crate::commands::o3de::O3deArgs;
use crate::commands::operation::OneOperation;
use crate::commands::parse::ParseArgs;
use crate::commands::rename_class::RenameClassArgs;
use crate::commands::rename_method::RenameMethodArgs;
use crate::commands::rename_name::RenameNameArgs;
use crate::commands::rename_node::RenameNodeArgs;
use crate::commands::rename_property::RenamePropertyArgs;
use crate::commands::rename_signal::RenameSignalArgs;
use crate::commands::resolve::ResolveArgs;
use crate::commands::rules::RulesArgs;
use crate::commands::stats::StatsArgs;
use crate::commands::textconv::TextconvArgs;
use crate::commands::tree::TreeArgs;
use crate::commands::undo::UndoArgs;
use crate::commands::unused::{PruneArgs, UnusedArgs};
use crate::commands::upgrade::UpgradeArgs;
use crate::commands::variant::VariantArgs;

/// Checks, repairs, formats and edits Godot's text scenes and resources (.tscn, .tres, .escn) without the engine.
///
/// It reports errors that make Godot crash, fail to load a file, or lose data without a warning, each with its place
/// and reason. It writes files in the form in which Godot saves them.
#[derive(Debug, Parser)]
#[command(name = "gdscene", version, after_help = FIRST_STEPS)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(CheckArgs),
    Format(FormatArgs),
    Fix(FixArgs),
    Tree(TreeArgs),
    Get(GetArgs),
    #[command(flatten)]
    Operation(OneOperation),
    Edit(EditArgs),
    Mv(MvArgs),
    RenameProperty(RenamePropertyArgs),
    RenameClass(RenameClassArgs),
    RenameMethod(RenameMethodArgs),
    RenameSignal(RenameSignalArgs),
    RenameName(RenameNameArgs),
    RenameNode(RenameNodeArgs),
    MoveNode(MoveNodeArgs),
    Undo(UndoArgs),
    Diff(DiffArgs),
    Merge(MergeArgs),
    Resolve(ResolveArgs),
    Git(GitArgs),
    Unused(UnusedArgs),
    Prune(PruneArgs),
    Extract(ExtractArgs),
    Inline(InlineArgs),
    Dedupe(DedupeArgs),
    Upgrade(UpgradeArgs),
    Explain(ExplainArgs),
    Rules(RulesArgs),
    Variant(VariantArgs),
    O3de(O3deArgs),
    Parse(ParseArgs),
    Deps(DepsArgs),
    Stats(StatsArgs),
    Lsp(LspArgs),
    Mcp(McpArgs),
    #[command(hide = true)]
    Textconv(TextconvArgs),
    Completions(CompletionsArgs),
    /// Print the manual pages.
    ///
    /// For example: gdscene man > /usr/local/share/man/man1/gdscene.1
    Man,
}

/// The value of `--color`.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum ColorChoice {
    #[default]
    Auto,
    Always,
    Never,
}

const FIRST_STEPS: &str = "First steps, in the folder of a project:
  gdscene check .            report errors and warnings
  gdscene explain REF007     explain a code in the report
  gdscene fix --diff .       show the repairs; without --diff, apply them
  gdscene format --check .   list the files that Godot would save differently

`gdscene help COMMAND` describes one command, with examples.

Exit status:
  0  nothing found
  1  errors or warnings found
  2  wrong usage, or a file that cannot be read";

/// The exit status of the commands that report diagnostics.
pub(crate) const EXIT_STATUS: &str = "Exit status:
  0  nothing found
  1  errors or warnings found
  2  wrong usage, or a file that cannot be read";

impl ColorChoice {
    /// Whether standard output gets colours.
    pub(crate) fn is_on(self) -> bool {
        self.is_on_or_paged(false)
    }

    /// The same, where `is_paged` says that a pager shows it.
    pub(crate) fn is_on_or_paged(self, is_paged: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                (stdout().is_terminal() || is_paged) && !no_color
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn definition_is_sound() {
        use clap::CommandFactory;
        super::Args::command().debug_assert();
    }
}
