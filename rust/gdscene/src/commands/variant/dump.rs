//! `gdscene variant dump`

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use gdscene_render::{JsonRow, JsonRows};
use godot_variant_codec::Dialect;
use godot_variant_codec::inspect::{Content, inspect};

use super::{Order, dialect, input};
use crate::commands::{Status, written};
use crate::output::to_json;

/// List the values in a file, with their offsets and bytes.
///
/// There is one line for each value: its offset, its bytes, its type and its content. If the bytes are
/// not a valid value, the listing ends with the error.
///
/// Examples:
///   gdscene variant dump packet.bin           what var_to_bytes returned
///   gdscene variant dump --framed save.dat    what store_var wrote, or a stream of put_var
///   echo 02000000 07000000 | gdscene variant dump --hex -
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(super) struct DumpArgs {
    /// The file; `-` reads standard input.
    #[arg(value_name = "FILE")]
    path: PathBuf,

    /// The file holds any number of values, each after its length, as `store_var` and `put_var` write
    /// them. `big` is for files and streams with `big_endian` set.
    #[arg(
        long, value_enum, value_name = "ORDER",
        num_args = 0..=1, require_equals = true, default_missing_value = "little"
    )]
    framed: Option<Order>,

    /// The generation of the format: godot4, godot4.3, godot4.0, godot3, godot2, docs3.0, docs4.2.
    #[arg(long, value_name = "DIALECT", default_value = "godot4", value_parser = dialect)]
    dialect: &'static Dialect,

    /// In docs3.0 and docs4.2: vectors have components of 64 bits. The bytes do not show it.
    #[arg(long)]
    double_precision: bool,

    /// The file is text: hexadecimal digits, with white space between them.
    #[arg(long)]
    hex: bool,

    /// Print a JSON object for each line of the listing.
    #[arg(long)]
    json: bool,
}

const EXIT_STATUS: &str = "Exit status: 0 all bytes are values, 1 some bytes are not, 2 wrong usage or a file that cannot be read.";

pub(crate) fn run(args: &DumpArgs) -> Status {
    let bytes = match input(&args.path, args.hex) {
        Ok((_, bytes)) => bytes,
        Err(problem) => {
            problem.report();
            return Status::Failure;
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut status = Status::Clean;
    let result = match args.framed {
        None => dump_value(&mut out, &bytes, 0, args, &mut status),
        Some(order) => dump_frames(&mut out, &bytes, order, args, &mut status),
    };
    written(result.and_then(|()| out.flush()), status)
}

/// Lists the value that starts at `start` of `bytes`, and the bytes after it.
fn dump_value(
    out: &mut impl Write,
    bytes: &[u8],
    start: usize,
    args: &DumpArgs,
    status: &mut Status,
) -> io::Result<()> {
    let mut objects = JsonRows::default();
    let listing = inspect(bytes).starting_at(start).dialect(args.dialect);
    for row in listing.double_precision(args.double_precision).rows() {
        if matches!(row.content, Content::Error(_) | Content::Trailing) {
            *status = Status::Findings;
        }
        match args.json {
            true => writeln!(out, "{}", to_json(&objects.next(&row)))?,
            false => write!(out, "{row}")?,
        }
    }
    Ok(())
}

/// Lists values that each follow their length, to the end of the file.
fn dump_frames(
    out: &mut impl Write,
    bytes: &[u8],
    order: Order,
    args: &DumpArgs,
    status: &mut Status,
) -> io::Result<()> {
    const LENGTH_LEN: usize = 4;
    let mut start = 0;
    while let Some(length) = bytes[start..].first_chunk::<LENGTH_LEN>() {
        let len = order.byte_order().length(*length) as usize;
        let content = start + LENGTH_LEN;
        let left = bytes.len() - content;
        let shown = len.min(left);
        if args.json {
            writeln!(out, "{}", to_json(&JsonRow::length(start, len, shown)))?;
        } else {
            let [a, b, c, d] = length;
            let cut = match len > left {
                true => format!(", of which {left} are there"),
                false => String::new(),
            };
            writeln!(out, "{start:08x}  {a:02x}{b:02x}{c:02x}{d:02x}  length: {len} bytes{cut}")?;
        }
        if len > left {
            *status = Status::Findings;
        }
        start = content + shown;
        dump_value(out, &bytes[..start], content, args, status)?;
    }
    let left = bytes.len() - start;
    if left > 0 {
        *status = Status::Findings;
        if args.json {
            writeln!(out, "{}", to_json(&JsonRow::rest(start, left)))?;
        } else {
            writeln!(out, "{start:08x}  {left} bytes are left, a length takes 4")?;
        }
    }
    Ok(())
}
