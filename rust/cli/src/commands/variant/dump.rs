//! `gdscene variant dump`

use std::io::{self, BufWriter, Write};

use variant_codec::inspect::{Content, inspect};

use super::json::{self, JsonRows};
use super::{DumpArgs, Order, input};
use crate::commands::{Status, written};

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

/// The value that starts at `start` of `bytes`, and what stands behind it.
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
            true => objects.write(out, &row)?,
            false => write!(out, "{row}")?,
        }
    }
    Ok(())
}

/// Values behind their lengths, to the end.
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
            json::write_length(out, start, len, shown)?;
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
            json::write_rest(out, start, left)?;
        } else {
            writeln!(out, "{start:08x}  {left} bytes are left, a length takes 4")?;
        }
    }
    Ok(())
}
