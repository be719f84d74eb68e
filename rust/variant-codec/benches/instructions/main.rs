//! One operation on one value, for a tool that counts its instructions.
//!
//! `scripts/bench.sh instructions` runs this under callgrind once for each pair, and collects only
//! what happens in [`measured`]: neither the making of the value nor the freeing of the result. The
//! counts depend on the code and the compiler alone, not on the machine nor on what else it does.
//!
//! ```text
//! instructions list                        prints all pairs: operation, tab, workload
//! instructions OPERATION WORKLOAD          runs one, and prints the length of the encoded value
//! ```
//!
//! No harness of a library: the one that drives callgrind (gungraun) brings more crates than the
//! whole workspace has, and a runner that has to be installed.

mod workloads;

use std::hint::black_box;
use std::process::ExitCode;

use variant_codec::variant::Value;
use variant_codec::{Buffer, DecodeError, Encoder, ValueRef, decode, encode, encoded_len};

use workloads::WORKLOADS;

/// What is measured. Each takes the value and its bytes.
const OPERATIONS: [(&str, Operation); 6] = [
    ("encode", |value, _| Done::Bytes(encode(value).expect("encodes"))),
    ("encode into a buffer", |value, _| Done::Buffer(encode_into_buffer(value))),
    ("measure", |value, _| Done::Len(encoded_len(value).expect("encodes"))),
    ("decode", |_, bytes| Done::Value(decode(bytes).expect("decodes"))),
    ("skip", |_, bytes| Done::Len(skip(bytes).expect("decodes"))),
    ("read in place", |_, bytes| Done::Len(read_in_place(bytes).expect("decodes"))),
];

type Operation = fn(&Value, &[u8]) -> Done;

/// A result, to be freed after the measurement.
enum Done {
    Bytes(Vec<u8>),
    Buffer(Buffer),
    Value(Value),
    Len(usize),
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["list"] => {
            for (operation, _) in OPERATIONS {
                for (workload, _) in WORKLOADS {
                    println!("{operation}\t{workload}");
                }
            }
            ExitCode::SUCCESS
        }
        [operation, workload] => run(operation, workload),
        _ => {
            // `cargo bench` starts every bench, with arguments of its own.
            println!("Counted by scripts/bench.sh instructions; here nothing is done.");
            ExitCode::SUCCESS
        }
    }
}

fn run(operation: &str, workload: &str) -> ExitCode {
    let operation = OPERATIONS.iter().find(|(name, _)| *name == operation);
    let workload = WORKLOADS.iter().find(|(name, _)| *name == workload);
    let (Some((_, operation)), Some((_, make))) = (operation, workload) else {
        eprintln!("error: unknown operation or workload; `instructions list` prints all");
        return ExitCode::FAILURE;
    };
    let value = make();
    let bytes = encode(&value).expect("the workloads encode");
    let done = measured(*operation, black_box(&value), black_box(&bytes));
    if let Err(what) = check(&done, &value, &bytes) {
        eprintln!("error: {what}");
        return ExitCode::FAILURE;
    }
    println!("{}", bytes.len());
    ExitCode::SUCCESS
}

/// Callgrind collects between entering and leaving this function, which it finds by its name.
#[inline(never)]
fn measured(operation: Operation, value: &Value, bytes: &[u8]) -> Done {
    black_box(operation(value, bytes))
}

/// A wrong result must not count as a fast one.
fn check(done: &Done, value: &Value, bytes: &[u8]) -> Result<(), &'static str> {
    let right = match done {
        Done::Bytes(encoded) => encoded == bytes,
        Done::Buffer(buffer) => buffer.kept() == Some(bytes),
        Done::Value(decoded) => decoded == value,
        Done::Len(len) => *len == bytes.len(),
    };
    if right { Ok(()) } else { Err("the operation gave a wrong result") }
}

/// As the engine's library encodes: into a buffer that grows, and is used again.
fn encode_into_buffer(value: &Value) -> Buffer {
    use variant_codec::variant::Source;
    let mut buffer = Buffer::default();
    value.emit(Encoder::new(&mut buffer)).expect("encodes");
    buffer
}

fn skip(bytes: &[u8]) -> Result<usize, DecodeError> {
    Ok(ValueRef::new(bytes)?.encoded_bytes()?.len())
}

/// Walks to the last child of the last child and so on, and ends where the value ends.
fn read_in_place(bytes: &[u8]) -> Result<usize, DecodeError> {
    let mut value = ValueRef::new(bytes)?;
    loop {
        let last = match (value.elements()?, value.entries()?) {
            (Some(elements), _) => elements.last().transpose()?,
            (_, Some(entries)) => entries.last().transpose()?.map(|(_, value)| value),
            _ => None,
        };
        match last {
            Some(last) => value = last,
            None => return Ok(value.offset() + value.encoded_bytes()?.len()),
        }
    }
}
