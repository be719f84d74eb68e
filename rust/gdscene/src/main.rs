//! `gdscene`: checks and formats Godot's text scenes and resources on the command line, without the
//! engine.

mod args;
mod baseline;
mod batches;
mod commands;
mod counted;
mod engine;
mod files;
mod git;
mod godot_versions;
mod inputs;
mod linter;
mod output;
mod rule_args;
mod rule_text;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

/// All threads make what is known of many files, which is kept. The allocators of C libraries ask the system for each page of it,
/// or let threads wait for each other. It does not ask for huge pages (`no_thp`): where a virtual machine had to get them from its
/// host, that took as long as the work itself. It was not measured on other systems.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match Args::parse().command {
        Command::Check(args) => commands::check::run(&args).into(),
        Command::Format(args) => commands::format::run(&args).into(),
        Command::Fix(args) => commands::fix::run(&args).into(),
        Command::Tree(args) => commands::tree::run(&args).into(),
        Command::Get(args) => commands::get::run(&args).into(),
        Command::Operation(operation) => operation.run().into(),
        Command::Edit(args) => commands::edit::run(&args).into(),
        Command::Mv(args) => commands::mv::run(&args).into(),
        Command::RenameProperty(args) => commands::rename_property::run(&args).into(),
        Command::RenameClass(args) => commands::rename_class::run(&args).into(),
        Command::RenameMethod(args) => commands::rename_method::run(&args).into(),
        Command::RenameSignal(args) => commands::rename_signal::run(&args).into(),
        Command::RenameName(args) => commands::rename_name::run(&args).into(),
        Command::RenameNode(args) => commands::rename_node::run(&args).into(),
        Command::Diff(args) => commands::diff::run(&args).into(),
        Command::Merge(args) => commands::merge::run(&args).into(),
        Command::MoveNode(args) => commands::move_node::run(&args).into(),
        Command::Resolve(args) => commands::resolve::run(&args).into(),
        Command::Git(args) => commands::git::run(&args).into(),
        Command::Undo(args) => commands::undo::run(&args).into(),
        Command::Unused(args) => commands::unused::list(&args).into(),
        Command::Prune(args) => commands::unused::prune(&args).into(),
        Command::Extract(args) => commands::extract::run(&args).into(),
        Command::Inline(args) => commands::inline::run(&args).into(),
        Command::Dedupe(args) => commands::dedupe::run(&args).into(),
        Command::Upgrade(args) => commands::upgrade::run(&args).into(),
        Command::Explain(args) => commands::explain::run(&args).into(),
        Command::Rules(args) => commands::rules::run(&args).into(),
        Command::Variant(args) => commands::variant::run(&args).into(),
        Command::O3de(args) => commands::o3de::run(&args).into(),
        Command::Parse(args) => commands::parse::run(&args).into(),
        Command::Deps(args) => commands::deps::run(&args).into(),
        Command::Stats(args) => commands::stats::run(&args).into(),
        Command::Lsp(args) => commands::lsp::run(&args).into(),
        Command::Mcp(args) => commands::mcp::run(&args).into(),
        Command::Textconv(args) => commands::textconv::run(&args).into(),
        Command::Completions(args) => commands::generate::completions(&args).into(),
        Command::Man => commands::generate::man().into(),
    }
}
