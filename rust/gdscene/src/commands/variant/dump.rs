//! `gdscene variant dump`

use std::fmt::Display;
use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;

use gdscene_render::{JsonRow, JsonRows};
use godot_variant_codec::framing::ByteOrder;
use godot_variant_codec::inspect::{Content, inspect};
use godot_variant_codec::saved::{Compression, HEADER_LEN, Header};
use godot_variant_codec::{Dialect, FileKind};
use ruzstd::decoding::StreamingDecoder;

use super::{Order, dialect, input};
use crate::commands::{Status, written};
use crate::output::to_json;
use crate::terminal::complain;

/// List the values in a file, with their offsets and bytes.
///
/// Each value is one line: its offset, its bytes, its type and its content. If the bytes are not a valid value, the
/// listing ends with the error. A file of `FastVariant.save_file()` is listed after its header; if it is compressed,
/// offsets count from the start of the value.
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

    /// The file contains any number of values, each after its length, as `store_var` and `put_var` write them. `big` is
    /// for files and streams with `big_endian` set.
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
    let kind = FileKind::of(&bytes, bytes.len());
    let result = match args.framed {
        None if kind == Some(FileKind::Saved) => dump_saved(&mut out, &bytes, args, &mut status),
        None => dump_value(&mut out, &bytes, 0, args, &mut status),
        Some(order) => dump_frames(&mut out, &bytes, order, args, &mut status),
    };
    let result = result.and_then(|()| out.flush());
    if args.framed.is_none()
        && status == Status::Findings
        && let Some(hint) = kind.and_then(hint)
    {
        complain(format_args!("{}: {hint}", args.path.display()));
    }
    written(result, status)
}

/// What to do with bytes of this kind that are no value.
fn hint(kind: FileKind) -> Option<&'static str> {
    match kind {
        FileKind::Saved => None,
        FileKind::EncryptedByGodot3 => Some(
            "it looks like an encrypted file of Godot 3: the help of FastVariant.decode_as() shows how to read it",
        ),
        FileKind::Encrypted => Some("it looks like an encrypted file, which only Godot can read"),
        FileKind::Compressed => Some(
            "it looks like a file of FileAccess.open_compressed(); Variant Bytes in Godot's editor lists it",
        ),
        FileKind::Framed(ByteOrder::LittleEndian) => {
            Some("it looks like a file of store_var; --framed lists it")
        }
        FileKind::Framed(ByteOrder::BigEndian) => {
            Some("it looks like a file of store_var; --framed=big lists it")
        }
    }
}

/// Lists the value in a saved file.
fn dump_saved(
    out: &mut impl Write,
    bytes: &[u8],
    args: &DumpArgs,
    status: &mut Status,
) -> io::Result<()> {
    let mut wrong = |error: &dyn Display| {
        *status = Status::Findings;
        complain(format_args!("{}: {error}", args.path.display()));
    };
    let header = match Header::parse(bytes, MAX_VALUE_LEN) {
        Ok(header) => header,
        Err(error) => {
            wrong(&error);
            return Ok(());
        }
    };
    let content = &bytes[HEADER_LEN..];
    if let Err(error) = header.check(content) {
        wrong(&error);
    }
    let (name, len) = (header.compression.name().escape_ascii(), header.value_len);
    if !args.json {
        writeln!(out, "{:08x}  saved file: a value of {len} bytes, compression {name}", 0)?;
    }
    match header.compression {
        Compression::None => dump_value(out, bytes, HEADER_LEN, args, status),
        Compression::Zstd => match unpacked(content, len) {
            Some(value) => dump_value(out, &value, 0, args, status),
            None => {
                wrong(&"the content cannot be decompressed");
                Ok(())
            }
        },
    }
}

/// Memory is taken for what is there only.
fn unpacked(content: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut value = Vec::new();
    let decoder = StreamingDecoder::new(content).ok()?;
    decoder.take(len as u64 + 1).read_to_end(&mut value).ok()?;
    (value.len() == len).then_some(value)
}

/// What a compressed file may stand for.
const MAX_VALUE_LEN: usize = 1 << 30;

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
