//! `gdscene variant`: values in Godot's binary format.

mod convert;
mod dump;
mod json;

use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};
use thiserror::Error;
use variant_codec::Dialect;
use variant_codec::framing::ByteOrder;

use crate::commands::Status;
use crate::files;
use crate::walk::{Problem, Target};

/// Look into values in Godot's binary format: what `var_to_bytes` and `store_var` write.
#[derive(Debug, clap::Args)]
pub(crate) struct VariantArgs {
    #[command(subcommand)]
    command: VariantCommand,
}

#[derive(Debug, Subcommand)]
enum VariantCommand {
    Dump(DumpArgs),
    Convert(ConvertArgs),
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

    /// The generation of the format: godot4, godot4.3, godot4.0, godot3, godot2, docs3.0, docs4.2.
    #[arg(long, value_name = "DIALECT", default_value = "godot4", value_parser = dialect)]
    dialect: &'static Dialect,

    /// In docs3.0 and docs4.2: vectors have components of 64 bits, which no mark in the bytes tells.
    #[arg(long)]
    double_precision: bool,

    /// The file is text: hexadecimal digits, with white space anywhere.
    #[arg(long)]
    hex: bool,

    /// Print a JSON object for each line of the listing.
    #[arg(long)]
    json: bool,
}

/// Write a value anew as another Godot reads it.
///
/// Nothing is written if there is a value that the other Godot does not have; `--lossy` writes what
/// comes closest. Objects are converted with their properties, and none is made.
///
/// Examples:
///   gdscene variant convert --from godot3 --to godot4 --framed old_save.dat -o save.dat
///   gdscene variant convert --from godot4 --to godot3 --lossy packet.bin > packet3.bin
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = CONVERT_EXIT_STATUS)]
pub(crate) struct ConvertArgs {
    /// The file; `-` reads standard input.
    #[arg(value_name = "FILE")]
    path: PathBuf,

    /// What the file is written in: one of godot4, godot4.3, godot4.0, godot3, godot2, docs3.0, docs4.2.
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    from: &'static Dialect,

    /// What to write.
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    to: &'static Dialect,

    /// Where to write; standard output without it.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The file is any number of values, each behind its length, as `store_var` writes them.
    #[arg(
        long, value_enum, value_name = "ORDER",
        num_args = 0..=1, require_equals = true, default_missing_value = "little"
    )]
    framed: Option<Order>,

    /// Write what comes closest to a value that the other Godot does not have.
    #[arg(long)]
    lossy: bool,

    /// In docs3.0 and docs4.2: the vectors that are read have components of 64 bits.
    #[arg(long)]
    double_precision_from: bool,

    /// Write components of vectors with 64 bits.
    #[arg(long)]
    double_precision_to: bool,
}

/// The order of the bytes of a length.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn byte_order(self) -> ByteOrder {
        match self {
            Self::Little => ByteOrder::LittleEndian,
            Self::Big => ByteOrder::BigEndian,
        }
    }
}

/// A name that no dialect has.
#[derive(Debug, Error)]
#[error("the dialects are {}", Dialect::ALL.map(Dialect::name).join(", "))]
struct UnknownDialect;

/// Why a text does not stand for bytes.
#[derive(Debug, Error)]
enum HexError {
    #[error("byte {offset} of the text is not a hexadecimal digit")]
    NotADigit { offset: usize },
    #[error("the number of hexadecimal digits is odd")]
    OddCount,
}

/// The dialect with this name, in any spelling that [`Dialect::from_name`] accepts.
fn dialect(name: &str) -> Result<&'static Dialect, UnknownDialect> {
    Dialect::from_name(name).ok_or(UnknownDialect)
}

/// The file at `path` and its bytes, or the bytes that its hexadecimal digits stand for if `hex`.
fn input(path: &Path, hex: bool) -> Result<(Target, Vec<u8>), Problem> {
    let target = match path.as_os_str() == "-" {
        true => Target::Stdin,
        false => Target::File(path.to_owned()),
    };
    let bytes = files::read(&target)?;
    match hex {
        true => match unhex(&bytes) {
            Ok(bytes) => Ok((target, bytes)),
            Err(error) => Err(target.problem(error)),
        },
        false => Ok((target, bytes)),
    }
}

/// The bytes that hexadecimal digits stand for.
fn unhex(text: &[u8]) -> Result<Vec<u8>, HexError> {
    let digits = text.iter().enumerate().filter(|(_, c)| !c.is_ascii_whitespace());
    let digits = digits
        .map(|(offset, &c)| {
            let digit = char::from(c).to_digit(16).map(|digit| digit as u8);
            digit.ok_or(HexError::NotADigit { offset })
        })
        .collect::<Result<Vec<u8>, _>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    match rest {
        [] => Ok(pairs.iter().map(|[high, low]| high << 4 | low).collect()),
        _ => Err(HexError::OddCount),
    }
}

const CONVERT_EXIT_STATUS: &str = "Exit status: 0 converted, 1 bytes that are no value, or a value that cannot be written, 2 wrong usage or a file that cannot be read or written.";

const DUMP_EXIT_STATUS: &str = "Exit status: 0 all bytes are values, 1 some are not, 2 wrong usage or a file that cannot be read.";

pub(crate) fn run(args: &VariantArgs) -> Status {
    match &args.command {
        VariantCommand::Dump(args) => dump::run(args),
        VariantCommand::Convert(args) => convert::run(args),
    }
}
