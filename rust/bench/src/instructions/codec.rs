//! Values into bytes and back.

use std::hint::black_box;

use godot_variant_codec::variant::{Source, Value};
use godot_variant_codec::{Buffer, DecodeError, Encoder, ValueRef, decode, encode, encoded_len};

use super::workloads::WORKLOADS;
use super::{Path, measured};

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

pub(super) fn paths() -> Vec<Path> {
    let pair = |(operation, run): (&str, Operation), (workload, make): (&str, fn() -> Value)| {
        Path::new(format!("codec: {operation} {workload}"), move || take(run, &make()))
    };
    OPERATIONS
        .into_iter()
        .flat_map(|operation| WORKLOADS.map(|workload| pair(operation, workload)))
        .collect()
}

fn take(operation: Operation, value: &Value) -> usize {
    let bytes = encode(value).expect("the workloads encode");
    let (value, bytes) = (black_box(value), black_box(&bytes[..]));
    let done = measured(|| operation(value, bytes));
    assert!(is_right(&done, value, bytes), "a wrong result must not count as a fast one");
    bytes.len()
}

fn is_right(done: &Done, value: &Value, bytes: &[u8]) -> bool {
    match done {
        Done::Bytes(encoded) => encoded == bytes,
        Done::Buffer(buffer) => buffer.kept() == Some(bytes),
        Done::Value(decoded) => decoded == value,
        Done::Len(len) => *len == bytes.len(),
    }
}

/// As the engine's library encodes: into a buffer that grows, and is used again.
fn encode_into_buffer(value: &Value) -> Buffer {
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
