//! `gdscene variant convert`

use std::io::{self, Write};

use variant_codec::variant::Value;
use variant_codec::{DecodeOptions, DialectDecoder, encode_as};

use super::{ConvertArgs, Order, input};
use crate::commands::{Status, written};
use crate::files;
use crate::walk::{Problem, Target};

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
        Err(reason) => {
            target.problem(reason).report();
            Status::Findings
        }
    }
}

/// The one value that `bytes` are, which start at `offset` of the file.
fn convert(args: &ConvertArgs, bytes: &[u8], offset: usize) -> Result<Vec<u8>, String> {
    let at = match offset {
        0 => String::new(),
        _ => format!("the value at byte {offset}: "),
    };
    let options = DecodeOptions {
        allow_objects: true,
        double_precision: args.double_precision_from,
        lossy: args.lossy,
        ..DecodeOptions::default()
    };
    let mut value = Value::Nil;
    let mut decoder = DialectDecoder::new(bytes, args.from, options);
    decoder.decode_into(&mut value).map_err(|error| format!("{at}{error}"))?;
    if decoder.offset() < bytes.len() {
        let (end, len) = (decoder.offset(), bytes.len());
        return Err(format!(
            "{at}it ends after {end} of {len} bytes: is this really {}? (`--framed` is for files of \
             several values)",
            args.from.name()
        ));
    }
    let options = variant_codec::EncodeOptions {
        lossy: args.lossy,
        double_precision: args.double_precision_to,
    };
    encode_as(&value, args.to, options).map_err(|refusal| format!("{at}{refusal}"))
}

/// Values behind their lengths.
fn convert_frames(args: &ConvertArgs, bytes: &[u8], order: Order) -> Result<Vec<u8>, String> {
    let (mut converted, mut start) = (Vec::new(), 0);
    while start < bytes.len() {
        let rest = &bytes[start..];
        let ends = || format!("the file ends inside the value at byte {start}");
        let (length, rest) = rest.split_first_chunk().ok_or_else(ends)?;
        let len = order.byte_order().length(*length) as usize;
        let content = rest.get(..len).ok_or_else(ends)?;
        let value = convert(args, content, start + length.len())?;
        // `encode_as` gives no more than 31 bits can count.
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
            let problem: Problem = Target::File(path.clone()).problem(error);
            problem.report();
            Status::Failure
        }
    }
}
