//! `gdscene variant`: values in Godot's binary format.

mod convert;
mod dump;

use std::path::Path;

use clap::{Subcommand, ValueEnum};
use godot_variant_codec::Dialect;
use godot_variant_codec::framing::ByteOrder;
use thiserror::Error;

use crate::commands::Status;
use crate::files;
use crate::inputs::{Input, Problem};

/// List and convert values in Godot's binary format, which `var_to_bytes` and `store_var` write.
#[derive(Debug, clap::Args)]
pub(crate) struct VariantArgs {
    #[command(subcommand)]
    command: VariantCommand,
}

#[derive(Debug, Subcommand)]
enum VariantCommand {
    Dump(dump::DumpArgs),
    Convert(convert::ConvertArgs),
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

/// Why a text is not bytes in hexadecimal digits.
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
fn input(path: &Path, hex: bool) -> Result<(Input, Vec<u8>), Problem> {
    let target = Input::named(path);
    let bytes = files::read(&target)?;
    match hex {
        true => match unhex(&bytes) {
            Ok(bytes) => Ok((target, bytes)),
            Err(error) => Err(target.problem(error)),
        },
        false => Ok((target, bytes)),
    }
}

/// The bytes of a text of hexadecimal digits.
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

pub(crate) fn run(args: &VariantArgs) -> Status {
    match &args.command {
        VariantCommand::Dump(args) => dump::run(args),
        VariantCommand::Convert(args) => convert::run(args),
    }
}
