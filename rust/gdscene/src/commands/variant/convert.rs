//! `gdscene variant convert`

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use godot_variant_codec::variant::{Refusal, Value};
use godot_variant_codec::{
    DecodeError, DecodeOptions, Dialect, DialectDecoder, EncodeOptions, encode_as,
};
use thiserror::Error;

use super::{Order, dialect, input};
use crate::commands::{Status, written};
use crate::files;
use crate::inputs::{Input, Problem};

/// Convert a value to the format of another Godot version.
///
/// If the other version lacks a type, nothing is written; with `--lossy`, the closest value is written. Objects are
/// converted with their properties, without creating them.
///
/// Examples:
///   gdscene variant convert --from godot3 --to godot4 --framed old_save.dat -o save.dat
///   gdscene variant convert --from godot4 --to godot3 --lossy packet.bin > packet3.bin
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(super) struct ConvertArgs {
    /// The file; `-` reads standard input.
    #[arg(value_name = "FILE")]
    path: PathBuf,

    /// The dialect of the file: one of godot4, godot4.3, godot4.0, godot3, godot2, docs3.0, docs4.2.
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    from: &'static Dialect,

    /// The dialect to write.
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    to: &'static Dialect,

    /// The file to write. Default: standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The file contains any number of values, each after its length, as `store_var` writes them.
    #[arg(
        long, value_enum, value_name = "ORDER",
        num_args = 0..=1, require_equals = true, default_missing_value = "little"
    )]
    framed: Option<Order>,

    /// Write the closest value if the other Godot version lacks the type, and the last value of keys that only older
    /// versions distinguish.
    #[arg(long)]
    lossy: bool,

    /// In docs3.0 and docs4.2: the vectors in the file have components of 64 bits.
    #[arg(long)]
    double_precision_from: bool,

    /// Write vectors with components of 64 bits.
    #[arg(long)]
    double_precision_to: bool,
}

const EXIT_STATUS: &str = "Exit status: 0 converted, 1 invalid bytes or a value that cannot be written, 2 wrong usage or a file that cannot be read or written.";

/// Why a file cannot be converted.
#[derive(Debug, Error)]
enum ConvertError {
    #[error("{at}{source}")]
    Decode { at: At, source: DecodeError },
    /// Bytes follow the value, which is all that a file without `--framed` may hold.
    #[error(
        "{at}it ends after {end} of {len} bytes: is this really {}? (`--framed` is for files of \
         several values)",
        dialect.name()
    )]
    Trailing { at: At, end: usize, len: usize, dialect: &'static Dialect },
    #[error("{at}{source}")]
    Encode { at: At, source: Refusal },
    #[error("the file ends inside the value at byte {start}")]
    Truncated { start: usize },
}

/// The start of a message: the offset of a value, unless it is the first.
#[derive(Clone, Copy, Debug)]
struct At(usize);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            offset => write!(f, "the value at byte {offset}: "),
        }
    }
}

pub(crate) fn run(args: &ConvertArgs) -> Status {
    let (target, bytes) = match input(&args.path, false) {
        Ok(input) => input,
        Err(problem) => {
            problem.report();
            return Status::Failure;
        }
    };
    let converted = match args.framed {
        None => convert(args, &bytes, 0),
        Some(order) => convert_frames(args, &bytes, order),
    };
    match converted {
        Ok(converted) => write(args, &converted),
        Err(error) => {
            target.problem(error).report();
            Status::Findings
        }
    }
}

/// Converts one value, which takes all of `bytes`. They start at `offset` of the file.
fn convert(args: &ConvertArgs, bytes: &[u8], offset: usize) -> Result<Vec<u8>, ConvertError> {
    let at = At(offset);
    let options = DecodeOptions {
        allow_objects: true,
        double_precision: args.double_precision_from,
        lossy: args.lossy,
        ..DecodeOptions::default()
    };
    let mut value = Value::Nil;
    let mut decoder = DialectDecoder::new(bytes, args.from, options);
    decoder.decode_into(&mut value).map_err(|source| ConvertError::Decode { at, source })?;
    if decoder.offset() < bytes.len() {
        let (end, len) = (decoder.offset(), bytes.len());
        return Err(ConvertError::Trailing { at, end, len, dialect: args.from });
    }
    let options = EncodeOptions { lossy: args.lossy, double_precision: args.double_precision_to };
    encode_as(&value, args.to, options).map_err(|source| ConvertError::Encode { at, source })
}

/// Converts values that each follow their length.
fn convert_frames(args: &ConvertArgs, bytes: &[u8], order: Order) -> Result<Vec<u8>, ConvertError> {
    let (mut converted, mut start) = (Vec::new(), 0);
    while start < bytes.len() {
        let rest = &bytes[start..];
        let truncated = || ConvertError::Truncated { start };
        let (length, rest) = rest.split_first_chunk().ok_or_else(truncated)?;
        let len = order.byte_order().length(*length) as usize;
        let content = rest.get(..len).ok_or_else(truncated)?;
        let value = convert(args, content, start + length.len())?;
        // The length fits: `encode_as` returns at most as many bytes as 31 bits can count.
        converted.extend(order.byte_order().length_bytes(value.len() as u32));
        converted.extend(value);
        start += length.len() + len;
    }
    Ok(converted)
}

fn write(args: &ConvertArgs, bytes: &[u8]) -> Status {
    let Some(path) = &args.output else {
        let mut out = io::stdout().lock();
        return written(out.write_all(bytes).and_then(|()| out.flush()), Status::Clean);
    };
    match files::create_or_replace(path, bytes) {
        Ok(()) => Status::Clean,
        Err(error) => {
            let problem: Problem = Input::File(path.clone()).problem(error);
            problem.report();
            Status::Failure
        }
    }
}
