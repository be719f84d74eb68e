//! Values to and from a real Godot 3.6, in files that lie in one folder.
//!
//! | file | by | holds |
//! |---|---|---|
//! | `to_godot3` | [`write`] | values that this crate encoded |
//! | `broken` | [`write`] | such values, broken |
//! | `from_godot3` | the engine | values of its own |
//! | `again_from_godot3` | the engine | those of `to_godot3`, decoded and encoded again |
//! | `verdicts` | the engine | those of `broken` likewise, null for what it rejects |
//!
//! Each value follows its length of 32 bits.

use std::path::Path;
use std::{fs, io};

use godot_variant_codec::variant::{NodePath, Object, Value};
use godot_variant_codec::{
    DecodeErrorKind, DecodeOptions, Dialect, EncodeOptions, decode_as, encode_as,
};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use testkit::hex::hex_words;
use testkit::values;

const DIALECT: &Dialect = &Dialect::GODOT_3;

/// What was compared.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Values of the engine that were decoded and encoded.
    pub(crate) from_godot3: usize,
    /// Our values that the engine decoded and encoded.
    pub(crate) to_godot3: usize,
    /// Broken values whose verdicts were compared.
    pub(crate) broken: usize,
    /// How many of them the engine accepts as something else than null.
    pub(crate) accepted: usize,
    /// Texts that Godot 3 accepts and that are not UTF-8: surrogates, numbers beyond Unicode, and
    /// characters longer than they need to be.
    pub(crate) lax_texts: usize,
    /// Every difference, in a line.
    pub(crate) differences: Vec<String>,
}

/// Writes `count` values and as many broken ones into `folder`.
pub(crate) fn write(folder: &Path, count: usize, seed: u32) -> io::Result<()> {
    let mut bytes = [3; 32];
    bytes[..4].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let options = EncodeOptions { lossy: true, ..EncodeOptions::default() };
    let (mut values, mut broken) = (Vec::new(), Vec::new());
    let mut written = 0;
    while written < count {
        let value = values::value().new_tree(&mut runner).expect("every seed gives one").current();
        let Ok(bytes) = encode_as(&value, DIALECT, options) else { continue };
        // Keys that differ in Godot 4 may be one in Godot 3.
        let lossy = DecodeOptions { lossy: true, ..DecodeOptions::default() };
        let read = decode_as(&bytes, DIALECT, lossy).expect("we wrote it");
        if !survives_godot3(&read) {
            continue;
        }
        let bytes = encode_as(&read, DIALECT, EncodeOptions::default()).expect("we read it");
        put(&mut values, &bytes);
        put(&mut broken, &break_somewhere(bytes, &mut runner));
        written += 1;
    }
    fs::write(folder.join("to_godot3"), values)?;
    fs::write(folder.join("broken"), broken)
}

/// Compares what the engine wrote.
pub(crate) fn check(folder: &Path) -> io::Result<Report> {
    let mut report = Report::default();
    for bytes in records(&read(folder, "from_godot3")?) {
        report.from_godot3 += 1;
        report.differences.extend(check_foreign(bytes));
    }
    let (ours, again) = (read(folder, "to_godot3")?, read(folder, "again_from_godot3")?);
    let (broken, verdicts) = (read(folder, "broken")?, read(folder, "verdicts")?);
    let counts = [&ours, &again, &broken, &verdicts].map(|file| records(file).count());
    if report.from_godot3 == 0 || counts.iter().any(|&count| count != report.from_godot3) {
        let theirs = report.from_godot3;
        report.differences.push(format!("values are missing: {theirs} from Godot 3, {counts:?}"));
    }
    for (ours, again) in records(&ours).zip(records(&again)) {
        report.to_godot3 += 1;
        if !same_but_for_padding(again, ours) {
            let (ours, again) = (hex_words(ours), hex_words(again));
            report.differences.push(format!("to Godot 3: {ours} came back as {again}"));
        }
    }
    for (bytes, verdict) in records(&broken).zip(records(&verdicts)) {
        report.broken += 1;
        compare_verdict(bytes, verdict, &mut report);
    }
    Ok(report)
}

fn read(folder: &Path, name: &str) -> io::Result<Vec<u8>> {
    fs::read(folder.join(name))
}

fn put(file: &mut Vec<u8>, bytes: &[u8]) {
    file.extend((bytes.len() as u32).to_le_bytes());
    file.extend(bytes);
}

fn records(mut file: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (len, rest) = file.split_first_chunk::<4>()?;
        let (record, rest) = rest.split_at(u32::from_le_bytes(*len) as usize);
        file = rest;
        Some(record)
    })
}

/// Whether Godot 3 writes the value as it reads it. Of an object that travels as its id it makes one
/// that carries the id and has another of its own; an absolute path without names it takes for none.
fn survives_godot3(value: &Value) -> bool {
    match value {
        Value::Object(object) => matches!(**object, Object::Null),
        Value::NodePath(path) => {
            !path.absolute || !path.names.is_empty() || !path.subnames.is_empty()
        }
        Value::Array(array) => array.elements.iter().all(survives_godot3),
        Value::Dictionary(dictionary) => {
            dictionary.iter().all(|(key, value)| survives_godot3(key) && survives_godot3(value))
        }
        _ => true,
    }
}

fn break_somewhere(mut bytes: Vec<u8>, runner: &mut TestRunner) -> Vec<u8> {
    let mut below = |max: usize| (0..max).new_tree(runner).expect("a number").current();
    for _ in 0..=below(3) {
        let place = below(bytes.len());
        match below(4) {
            0 => bytes.truncate(place.max(1)),
            1 => bytes[place] = below(256) as u8,
            // Headers and counts are at multiples of 4.
            2 => bytes[place / 4 * 4] = below(32) as u8,
            _ => bytes[place] ^= 1 << below(8),
        }
    }
    bytes
}

/// A value of the engine: we read it, and write the same.
fn check_foreign(bytes: &[u8]) -> Option<String> {
    let value = match decode_as(bytes, DIALECT, DecodeOptions::default()) {
        Ok(value) => value,
        Err(error) => return Some(format!("from Godot 3: {error} in {}", hex_words(bytes))),
    };
    match encode_as(&value, DIALECT, EncodeOptions::default()) {
        Ok(ours) if same_but_for_padding(bytes, &ours) => None,
        Ok(ours) => {
            Some(format!("from Godot 3: {} and ours {}", hex_words(bytes), hex_words(&ours)))
        }
        Err(refusal) => Some(format!("from Godot 3: {refusal} for {}", hex_words(bytes))),
    }
}

/// The padding of names in node paths is what was in the engine's memory before; ours is zeros.
///
/// So a byte may differ where ours is zero, if as many at most differ as such padding there is, and
/// the engine's value stays the same when they are zeros.
fn same_but_for_padding(theirs: &[u8], ours: &[u8]) -> bool {
    if theirs == ours {
        return true;
    }
    let mut cleaned = theirs.to_vec();
    let mut differences = 0;
    for (byte, ours) in cleaned.iter_mut().zip(ours) {
        if *byte != *ours && *ours == 0 {
            *byte = 0;
            differences += 1;
        }
    }
    let decode = |bytes| decode_as(bytes, DIALECT, DecodeOptions::default());
    let (Ok(value), Ok(cleaned_value)) = (decode(theirs), decode(&cleaned)) else { return false };
    cleaned == ours && differences <= name_padding(&value) && value == cleaned_value
}

fn name_padding(value: &Value) -> usize {
    match value {
        Value::NodePath(path) => {
            let NodePath { names, subnames, .. } = &**path;
            names.iter().chain(subnames).map(|name| name.len().wrapping_neg() % 4).sum()
        }
        Value::Array(array) => array.elements.iter().map(name_padding).sum(),
        Value::Dictionary(dictionary) => {
            dictionary.iter().map(|(key, value)| name_padding(key) + name_padding(value)).sum()
        }
        _ => 0,
    }
}

fn compare_verdict(bytes: &[u8], verdict: &[u8], report: &mut Report) {
    const NIL: [u8; 4] = [0; 4];
    let accepted = *verdict != NIL;
    report.accepted += usize::from(accepted);
    match decode_as(bytes, DIALECT, DecodeOptions { lossy: true, ..DecodeOptions::default() }) {
        Err(error) if *error.kind() == DecodeErrorKind::InvalidUtf8 && accepted => {
            report.lax_texts += 1;
        }
        Err(error) if accepted => {
            report.differences.push(format!("broken: {error} for {}", hex_words(bytes)));
        }
        Err(_) => {}
        // What does not survive its way through the engine cannot be compared.
        Ok(value) if !survives_godot3(&value) => {}
        Ok(value) => {
            let ours = encode_as(&value, DIALECT, EncodeOptions::default());
            if !ours.is_ok_and(|ours| same_but_for_padding(verdict, &ours)) {
                let (bytes, verdict) = (hex_words(bytes), hex_words(verdict));
                report.differences.push(format!("broken: {value:?} and {verdict} for {bytes}"));
            }
        }
    }
}
