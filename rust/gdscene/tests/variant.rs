//! `gdscene variant`: listings of files, streams and text.

use std::fs;

use crate::common::{gdscene, run, scratch};

/// `{"pos": Vector2(1, 2), "list": [1, null]}`, as `var_to_bytes` gives it.
const VALUE: &str = "1b000000 02000000 04000000 03000000 706f7300 05000000 0000803f 00000040
    04000000 04000000 6c697374 1c000000 02000000 02000000 01000000 00000000";

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<char> = hex.chars().filter(|c| !c.is_whitespace()).collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap())
        .collect()
}

fn framed(values: &[&str], length: fn(u32) -> [u8; 4]) -> Vec<u8> {
    let frame = |hex: &&str| {
        let content = bytes(hex);
        [&length(content.len() as u32)[..], &content].concat()
    };
    values.iter().flat_map(frame).collect()
}

#[test]
fn a_value() {
    insta::assert_snapshot!(run(&["variant", "dump", "-"], &bytes(VALUE)));
    let file = scratch("variant_dump").join("value.bin");
    fs::write(&file, bytes(VALUE)).unwrap();
    let from_file = run(&["variant", "dump", file.to_str().unwrap()], b"");
    assert_eq!(from_file, run(&["variant", "dump", "--hex", "-"], VALUE.as_bytes()));
}

#[test]
fn as_json() {
    let output = gdscene(&["variant", "dump", "--json", "-"], &bytes(VALUE));
    let text = String::from_utf8(output.stdout).unwrap();
    for line in text.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn broken_values() {
    let cut = bytes(VALUE);
    insta::assert_snapshot!(run(&["variant", "dump", "-"], &cut[..50]));
    insta::assert_snapshot!(run(&["variant", "dump", "--json", "-"], &cut[..50]));
    insta::assert_snapshot!(run(&["variant", "dump", "-"], &[&cut[..], b"!!"].concat()));
}

/// The files of `FastVariant.save_file()`, plain and compressed.
#[test]
fn saved_files() {
    use godot_variant_codec::saved::{Compression, Header};
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    let value = bytes(VALUE);
    let file = |compression, content: &[u8]| {
        let header = Header::of(compression, content, value.len()).to_bytes();
        [&header[..], content].concat()
    };
    let plain = file(Compression::None, &value);
    let packed = file(Compression::Zstd, &compress_to_vec(&value[..], CompressionLevel::Fastest));
    insta::assert_snapshot!(run(&["variant", "dump", "-"], &plain));
    insta::assert_snapshot!(run(&["variant", "dump", "-"], &packed));
    let mut spoilt = plain;
    spoilt[60] ^= 1;
    insta::assert_snapshot!(run(&["variant", "dump", "-"], &spoilt));
    insta::assert_snapshot!(run(&["variant", "dump", "-"], &packed[..40]));
}

/// The message says which call, or option, reads them.
#[test]
fn other_files() {
    let hint = |bytes: &[u8]| {
        let output = gdscene(&["variant", "dump", "-"], bytes);
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(hint(b"GDEC\x01\0\0\0").contains("encrypted"));
    assert!(hint(b"GCPF\x02\0\0\0").contains("open_compressed"));
    let value =
        "1c000000 06000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000";
    assert!(hint(&framed(&[value], u32::to_le_bytes)).contains("--framed lists it"));
    assert!(hint(&framed(&[value], u32::to_be_bytes)).contains("--framed=big lists it"));
    assert_eq!(hint(&bytes(VALUE)[..50]), "");
}

#[test]
fn streams() {
    let values = ["02000000 07000000", "04000000 02000000 68690000"];
    let little = framed(&values, u32::to_le_bytes);
    insta::assert_snapshot!(run(&["variant", "dump", "--framed", "-"], &little));
    let big = framed(&values, u32::to_be_bytes);
    insta::assert_snapshot!(run(&["variant", "dump", "--framed=big", "-"], &big));
    // The end is missing: of the last value, of the last length.
    insta::assert_snapshot!(run(&["variant", "dump", "--framed", "-"], &little[..22]));
    let and_two = [&little[..], &[1, 0]].concat();
    insta::assert_snapshot!(run(&["variant", "dump", "--framed", "-"], &and_two));
    insta::assert_snapshot!(run(&["variant", "dump", "--framed", "--json", "-"], &and_two));
    // The wrong order.
    let output = gdscene(&["variant", "dump", "--framed=big", "-"], &little);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn wrong_usage() {
    for (args, stdin) in [
        (&["variant", "dump", "no/such.bin"][..], &b""[..]),
        (&["variant", "dump", "--hex", "-"], b"0g"),
        (&["variant", "dump", "--hex", "-"], b"012"),
        (&["variant", "dump"], b""),
        (&["variant"], b""),
        (&["variant", "dump", "--framed=middle", "-"], b""),
    ] {
        let output = gdscene(args, stdin);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    assert_eq!(gdscene(&["variant", "dump", "-"], b"").status.code(), Some(1));
    assert_eq!(gdscene(&["variant", "dump", "--framed", "-"], b"").status.code(), Some(0));
}

/// A Vector3 and a RID in a Dictionary, as Godot 3 writes them.
const GODOT_3: &str =
    "12000000 02000000 04000000 03000000 706f7300 07000000 0000803f 00000040 00004040
    04000000 03000000 72696400 10000000";

#[test]
fn dialects() {
    insta::assert_snapshot!(run(&["variant", "dump", "--dialect", "godot3", "-"], &bytes(GODOT_3)));
    let output = gdscene(&["variant", "dump", "--dialect", "godot5", "-"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("the dialects are GODOT_4, "));
}

#[test]
fn conversions() {
    let convert = |args: &[&str], stdin: &[u8]| {
        let args = [&["variant", "convert"][..], args, &["-"]].concat();
        let output = gdscene(&args, stdin);
        let stderr = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), output.stdout, stderr)
    };
    let there = ["--from", "godot3", "--to", "godot4"];
    let back = ["--from", "godot4", "--to", "godot3"];

    let (code, godot4, stderr) = convert(&there, &bytes(GODOT_3));
    assert_eq!((code, stderr.as_str()), (0, ""));
    insta::assert_snapshot!(run(&["variant", "dump", "-"], &godot4));
    assert_eq!(convert(&back, &godot4), (0, bytes(GODOT_3), String::new()));

    // Frames keep their order of bytes and get their new lengths.
    let frames = framed(&[GODOT_3, "02000000 07000000"], u32::to_be_bytes);
    let (code, converted, _) = convert(&[&there[..], &["--framed=big"]].concat(), &frames);
    assert_eq!(code, 0);
    assert_eq!(converted[..4], (godot4.len() as u32).to_be_bytes());
    let again = convert(&[&back[..], &["--framed=big"]].concat(), &converted);
    assert_eq!(again, (0, frames.clone(), String::new()));

    // Types that the other Godot does not have.
    let vector2i = bytes("06000000 01000000 02000000");
    let (code, stdout, stderr) = convert(&back, &vector2i);
    assert_eq!((code, stdout.len()), (1, 0));
    assert_eq!(
        stderr,
        "gdscene: <stdin>: GODOT_3 cannot store this Vector2i: it does not have this type\n"
    );
    let (code, stdout, _) = convert(&[&back[..], &["--lossy"]].concat(), &vector2i);
    assert_eq!((code, stdout), (0, bytes("05000000 0000803f 00000040")));

    // Bytes that are not a value, or of another dialect.
    for (args, stdin, reason) in [
        (&there[..], &bytes("ff000000")[..], "unknown type 255"),
        (&there[..], &[bytes(GODOT_3), vec![0; 4]].concat()[..], "it ends after 52 of 56 bytes"),
        (&[&there[..], &["--framed"]].concat()[..], &frames[..], "the file ends inside"),
        (&[&there[..], &["--framed=big"]].concat()[..], &frames[..30], "the file ends inside"),
    ] {
        let (code, stdout, stderr) = convert(args, stdin);
        assert_eq!((code, stdout.len()), (1, 0), "{stderr}");
        assert!(stderr.contains(reason), "{stderr}");
    }
}

#[test]
fn conversion_to_a_file() {
    let folder = scratch("variant_convert");
    let (from, to) = (folder.join("old.bin"), folder.join("new.bin"));
    fs::write(&from, bytes(GODOT_3)).unwrap();
    let args = ["variant", "convert", "--from", "godot3", "--to", "godot3"];
    let (from, output) = (from.to_str().unwrap(), to.to_str().unwrap());
    let done = gdscene(&[&args[..], &[from, "-o", output]].concat(), b"");
    assert_eq!((done.status.code(), done.stdout.len()), (Some(0), 0));
    assert_eq!(fs::read(&to).unwrap(), bytes(GODOT_3));

    // The output may be the input file, and no other file is left next to it.
    let in_place = gdscene(&[&args[..], &[output, "-o", output]].concat(), b"");
    assert_eq!(in_place.status.code(), Some(0));
    assert_eq!(fs::read(&to).unwrap(), bytes(GODOT_3));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);

    // Permissions stay; and so does the content where the new one is refused.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&to).unwrap().permissions().mode() & 0o111, 0);
        fs::set_permissions(&to, fs::Permissions::from_mode(0o640)).unwrap();
        let kept = gdscene(&[&args[..], &[from, "-o", output]].concat(), b"");
        assert_eq!(kept.status.code(), Some(0));
        assert_eq!(fs::metadata(&to).unwrap().permissions().mode() & 0o777, 0o640);
    }
    let refused = gdscene(&[&args[..], &["-", "-o", output]].concat(), &bytes("ff000000"));
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(fs::read(&to).unwrap(), bytes(GODOT_3));

    let nowhere = folder.join("no/such/folder");
    let failed = gdscene(&[&args[..], &[from, "-o", nowhere.to_str().unwrap()]].concat(), b"");
    assert_eq!(failed.status.code(), Some(2));
}
