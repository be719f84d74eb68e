//! Values as the engine writes them.
//!
//! `FV_VALUES` names the file that godot_project/tools/write_values.gd has written; scripts/test_format.sh
//! sets it.

use std::{env, fs};

fn unhex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[test]
fn what_godot_4_writes_for_values() {
    let Some(path) = env::var_os("FV_VALUES") else {
        println!("SKIPPED: no FV_VALUES: scripts/test_format.sh sets it");
        return;
    };
    let (mut count, mut undecoded, mut wrong) = (0, 0, Vec::new());
    for line in fs::read_to_string(path).unwrap().lines() {
        let (bytes, text) = line.split_once('\t').unwrap();
        let Ok(value) = variant_codec::decode(&unhex(bytes)) else {
            undecoded += 1;
            continue;
        };
        count += 1;
        let expected = String::from_utf8_lossy(&unhex(text)).into_owned();
        let ours = match tscn::write_value(&value) {
            Ok(text) => String::from_utf8_lossy(&text).into_owned(),
            Err(error) => error.to_string(),
        };
        if ours != expected {
            wrong.push(format!("{expected}\n  ours: {ours}"));
        }
    }
    println!("{count} values of the engine compared");
    assert!(count >= 3000 && undecoded == 0, "{count} compared, {undecoded} not decoded");
    assert!(
        wrong.is_empty(),
        "{} of {count} wrong: {}",
        wrong.len(),
        wrong[..wrong.len().min(10)].join("\n")
    );
}
