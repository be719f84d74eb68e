//! `gdscene variant`: values in Godot's binary format.

mod dump;
mod json;

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use crate::commands::Status;

/// Look into values in Godot's binary format: what `var_to_bytes` and `store_var` write.
#[derive(Debug, clap::Args)]
pub(crate) struct VariantArgs {
    #[command(subcommand)]
    command: VariantCommand,
}

#[derive(Debug, Subcommand)]
enum VariantCommand {
    Dump(DumpArgs),
}

/// List what stands at which byte.
///
/// One line for each value: its offset, its bytes, its type and its content. Of bytes that are no
/// value, what can be read is listed, and then what is wrong.
///
/// Examples:
///   gdscene variant dump packet.bin           what var_to_bytes gave
///   gdscene variant dump --framed save.dat    what store_var wrote, or a stream of put_var
///   echo 02000000 07000000 | gdscene variant dump --hex -
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = DUMP_EXIT_STATUS)]
pub(crate) struct DumpArgs {
    /// The file; `-` reads standard input.
    #[arg(value_name = "FILE")]
    path: PathBuf,

    /// The file is any number of values, each behind its length, as `store_var` and `put_var` write
    /// them. `big` is for files and streams with `big_endian` set.
    #[arg(
        long, value_enum, value_name = "ORDER",
        num_args = 0..=1, require_equals = true, default_missing_value = "little"
    )]
    framed: Option<Order>,

    /// The file is text: hexadecimal digits, with white space anywhere.
    #[arg(long)]
    hex: bool,

    /// Print a JSON object for each line of the listing.
    #[arg(long)]
    json: bool,
}

/// The order of the bytes of a length.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Order {
    Little,
    Big,
}

const DUMP_EXIT_STATUS: &str = "Exit status: 0 all bytes are values, 1 some are not, 2 wrong usage or a file that cannot be read.";

pub(crate) fn run(args: &VariantArgs) -> Status {
    match &args.command {
        VariantCommand::Dump(args) => dump::run(args),
    }
}
