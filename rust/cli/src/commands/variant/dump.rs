//! `gdscene variant dump`

use std::io::{self, BufWriter, Write};

use variant_codec::inspect::{Content, inspect};

use super::json::{self, JsonRows};
use super::{DumpArgs, Order};
use crate::commands::{Status, written};
use crate::files;
use crate::walk::{Problem, Target};

pub(crate) fn run(args: &DumpArgs) -> Status {
    let bytes = match read(args) {
        Ok(bytes) => bytes,
        Err(problem) => {
            problem.report();
            return Status::Failure;
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut status = Status::Clean;
    let result = match args.framed {
        None => dump_value(&mut out, &bytes, 0, args.json, &mut status),
        Some(order) => dump_frames(&mut out, &bytes, order, args.json, &mut status),
    };
    written(result.and_then(|()| out.flush()), status)
}

fn read(args: &DumpArgs) -> Result<Vec<u8>, Problem> {
    let target = match args.path.as_os_str() == "-" {
        true => Target::Stdin,
        false => Target::File(args.path.clone()),
    };
    let bytes = files::read(&target)?;
    match args.hex {
        true => unhex(&bytes).map_err(|reason| target.problem(reason)),
        false => Ok(bytes),
    }
}

/// The bytes that hexadecimal digits stand for.
fn unhex(text: &[u8]) -> Result<Vec<u8>, String> {
    let digits = text.iter().enumerate().filter(|(_, c)| !c.is_ascii_whitespace());
    let digits = digits
        .map(|(offset, &c)| {
            let digit = char::from(c).to_digit(16).map(|digit| digit as u8);
            digit.ok_or_else(|| format!("byte {offset} of the text is no hexadecimal digit"))
        })
        .collect::<Result<Vec<u8>, String>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    match rest {
        [] => Ok(pairs.iter().map(|[high, low]| high << 4 | low).collect()),
        _ => Err("the number of hexadecimal digits is odd".to_owned()),
    }
}

/// The value that starts at `start` of `bytes`, and what stands behind it.
fn dump_value(
    out: &mut impl Write,
    bytes: &[u8],
    start: usize,
    json: bool,
    status: &mut Status,
) -> io::Result<()> {
    let mut objects = JsonRows::default();
    for row in inspect(bytes).starting_at(start).rows() {
        if matches!(row.content, Content::Error(_) | Content::Trailing) {
            *status = Status::Findings;
        }
        match json {
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
    json: bool,
    status: &mut Status,
) -> io::Result<()> {
    const LENGTH_LEN: usize = 4;
    let mut start = 0;
    while let Some(length) = bytes[start..].first_chunk::<LENGTH_LEN>() {
        let len = match order {
            Order::Little => u32::from_le_bytes(*length),
            Order::Big => u32::from_be_bytes(*length),
        } as usize;
        let content = start + LENGTH_LEN;
        let left = bytes.len() - content;
        let shown = len.min(left);
        if json {
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
        dump_value(out, &bytes[..start], content, json, status)?;
    }
    let left = bytes.len() - start;
    if left > 0 {
        *status = Status::Findings;
        if json {
            json::write_rest(out, start, left)?;
        } else {
            writeln!(out, "{start:08x}  {left} bytes are left, a length takes 4")?;
        }
    }
    Ok(())
}
