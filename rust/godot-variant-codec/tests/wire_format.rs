//! The specification, `rust/docs/wire-format.md`: what it shows is what the crate does.
//!
//! Each block of bytes is decoded, described again and encoded again. With `BLESS=1` the blocks are
//! written anew from their bytes, which are all that needs to be typed; the diff wants to be read.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use godot_variant_codec::framing::rpc::{Packet, Target, compress, decompress_into};
use godot_variant_codec::framing::{ByteOrder, FrameDecoder, FrameOptions, append_frame};
use godot_variant_codec::inspect::{Content, inspect};
use godot_variant_codec::saved::{Compression, HEADER_LEN, Header};
use godot_variant_codec::variant::{Value, VariantType};
use godot_variant_codec::{
    DecodeError, DecodeOptions, Dialect, DialectDecoder, EncodeOptions, decode, encode, encode_as,
};
use testkit::hex::hex_words;

fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/wire-format.md")
}

#[test]
fn every_block_shows_what_is_there() {
    let text = fs::read_to_string(path()).unwrap();
    let (mut expected, mut blocks) = (String::new(), 0);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        expected.push_str(line);
        expected.push('\n');
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else {
            continue;
        };
        let content: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        expected.push_str(&block(info, &content));
        expected.push_str("```\n");
        blocks += 1;
    }
    assert!(blocks >= 10, "only {blocks} blocks");
    if std::env::var_os("BLESS").is_some() {
        fs::write(path(), expected).unwrap();
        return;
    }
    for (line, (found, expected)) in text.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "line {}", line + 1);
    }
}

/// What a block should be that has these bytes, which are checked on the way.
fn block(info: &str, lines: &[&str]) -> String {
    match info.split(' ').collect::<Vec<_>>()[..] {
        ["listing", name] => listing(lines, dialect(name), |bytes, dialect| {
            let value = decoded(bytes, dialect).unwrap();
            assert_eq!(encoded(&value, dialect), bytes, "{bytes:02x?} is not what is written");
        }),
        ["listing", name, "read"] => listing(lines, dialect(name), |bytes, dialect| {
            let value = decoded(bytes, dialect).unwrap();
            assert_ne!(encoded(&value, dialect), bytes, "{bytes:02x?} is just what is written");
        }),
        ["listing", name, "rejected"] => listing(lines, dialect(name), |bytes, dialect| {
            decoded(bytes, dialect).unwrap_err();
        }),
        ["stream", "little"] => stream(lines, ByteOrder::LittleEndian),
        ["stream", "big"] => stream(lines, ByteOrder::BigEndian),
        ["compressed"] => compressed(lines),
        ["packet"] => packets(lines),
        ["saved"] => lines.iter().map(|line| saved(&bytes_of(line))).collect(),
        _ => panic!("a block of the unknown kind `{info}`"),
    }
}

fn dialect(name: &str) -> &'static Dialect {
    Dialect::from_name(name).unwrap_or_else(|| panic!("there is no dialect {name}"))
}

fn encoded(value: &Value, dialect: &'static Dialect) -> Vec<u8> {
    encode_as(value, dialect, EncodeOptions::default()).unwrap()
}

fn decoded(bytes: &[u8], dialect: &'static Dialect) -> Result<Value, DecodeError> {
    let options = DecodeOptions { allow_objects: true, ..DecodeOptions::default() };
    let mut value = Value::Nil;
    let mut decoder = DialectDecoder::new(bytes, dialect, options);
    decoder.decode_into(&mut value)?;
    assert_eq!(decoder.offset(), bytes.len(), "bytes behind {bytes:02x?}");
    Ok(value)
}

/// The hexadecimal words of a line, behind its offset if there is one.
fn bytes_of(line: &str) -> Vec<u8> {
    let line = match line.split_once("  ") {
        Some((offset, rest)) if offset.len() == 8 && rest.starts_with(is_hex) => rest,
        _ => line,
    };
    let text = line.split("  ").next().unwrap_or_default();
    let digits: Vec<char> = text.chars().filter(|c| *c != ' ').collect();
    assert!(digits.iter().all(|c| is_hex(*c)) && digits.len().is_multiple_of(2), "{line:?}");
    let pair = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap();
    digits.chunks(2).map(pair).collect()
}

fn is_hex(c: char) -> bool {
    c.is_ascii_hexdigit()
}

/// Lines of a listing; a value starts where the offset is 0, or in a line without an offset.
fn listing(
    lines: &[&str],
    dialect: &'static Dialect,
    check: impl Fn(&[u8], &'static Dialect),
) -> String {
    let mut values: Vec<Vec<u8>> = Vec::new();
    for line in lines {
        let offset = line.split_once("  ").map(|(offset, _)| offset);
        let continued = offset.is_some_and(|offset| offset.len() == 8 && offset != "00000000");
        match values.last_mut() {
            Some(value) if continued => value.extend(bytes_of(line)),
            _ => values.push(bytes_of(line)),
        }
    }
    values.iter().for_each(|bytes| check(bytes, dialect));
    values.iter().map(|bytes| inspect(bytes).dialect(dialect).to_string()).collect()
}

/// A file, and the value in it.
fn saved(file: &[u8]) -> String {
    let (start, content) = file.split_at(HEADER_LEN);
    let header = Header::of(Compression::None, content, content.len());
    assert_eq!(header.to_bytes()[..], *start, "{}", hex_words(&header.to_bytes()));
    assert_eq!(Header::parse(file, file.len()), Ok(header));
    assert_eq!(header.check(content), Ok(()));
    format!("{}  {}\n", hex_words(file), described(&decode(content).unwrap()))
}

/// The value in a few words.
fn described(value: &Value) -> String {
    let bytes = encode(value).unwrap();
    let rows = inspect(&bytes).rows().map(|row| match &row.content {
        Content::Error(error) => panic!("{error}"),
        content => content.describe(row.bytes),
    });
    rows.collect::<Vec<_>>().join("; ")
}

fn stream(lines: &[&str], byte_order: ByteOrder) -> String {
    let bytes = lines.iter().map(|line| bytes_of(line)).collect::<Vec<_>>().concat();
    let mut decoder =
        FrameDecoder::new(FrameOptions { byte_order, exact: true, ..FrameOptions::default() });
    decoder.push(&bytes).unwrap();
    let (mut shown, mut again) = (String::new(), Vec::new());
    while let Some(value) = decoder.next_value().unwrap() {
        let start = again.len();
        append_frame(&mut again, &value, byte_order).unwrap();
        let (length, content) = again[start..].split_at(4);
        let _ = writeln!(shown, "{:35}  length: {} bytes", hex_words(length), content.len());
        let _ = writeln!(shown, "{:35}  {}", hex_words(content), described(&value));
    }
    decoder.finish().unwrap();
    assert_eq!(again, bytes);
    shown
}

fn compressed(lines: &[&str]) -> String {
    let mut shown = String::new();
    for line in lines {
        let bytes = bytes_of(line);
        let mut value = Value::Nil;
        let end = decompress_into(&bytes, 0, DecodeOptions::default(), &mut value).unwrap();
        assert_eq!(end, bytes.len());
        let mut again = Vec::new();
        compress(&mut again, &value).unwrap();
        assert_eq!(again, bytes);
        let _ = writeln!(shown, "{:35}  {}", hex_words(&bytes), described(&value));
    }
    shown
}

fn packets(lines: &[&str]) -> String {
    let mut shown = String::new();
    for line in lines {
        let bytes = bytes_of(line);
        let packet = Packet::parse(&bytes).unwrap();
        assert_eq!(packet.to_bytes().unwrap(), bytes);
        let node = match packet.target {
            Target::Id(id) => format!("node {id}"),
            Target::Path(path) => format!("node {path:?}"),
        };
        let arguments = packet.decode_arguments().unwrap();
        let arguments: Vec<String> = arguments.iter().map(described).collect();
        let arguments = match &arguments[..] {
            [] => "no arguments".to_owned(),
            arguments => arguments.join(", "),
        };
        let method = packet.method;
        let _ = writeln!(shown, "{:35}  {node}, method {method}: {arguments}", hex_words(&bytes));
    }
    shown
}

#[test]
fn the_table_of_types_is_that_of_the_dialects() {
    const COLUMNS: [&Dialect; 5] = [
        &Dialect::GODOT_4,
        &Dialect::GODOT_3,
        &Dialect::GODOT_2,
        &Dialect::DOCS_3_0,
        &Dialect::DOCS_4_2,
    ];
    let text = fs::read_to_string(path()).unwrap();
    let mut types = VariantType::ALL.into_iter();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let Some(ty) = cells.get(1).and_then(|name| VariantType::from_name(name)) else {
            continue;
        };
        if cells.len() != 9 {
            continue;
        }
        assert_eq!(Some(ty), types.next());
        for (dialect, cell) in COLUMNS.iter().zip(&cells[2..]) {
            let id = dialect.type_id(ty).map(|id| id.to_string()).unwrap_or_default();
            assert_eq!(*cell, id, "{ty} in {}", dialect.name());
        }
    }
    assert_eq!(types.next(), None, "is missing");
}
