use crate::{MergeRefusal, MergeSide, Merged, merge_config, resolve, resolve_by, unresolved};

const PROJECT: &str = "\
; Engine configuration file.

config_version=5

[application]

config/name=\"Game\"
config/features=PackedStringArray(\"4.4\", \"Forward Plus\")

[autoload]

First=\"*res://first.gd\"
Second=\"*res://second.gd\"

[input]

jump={
\"deadzone\": 0.5,
\"events\": [Object(InputEventKey,\"keycode\":32)
]
}

[rendering]

quality=1
";

#[track_caller]
fn merged(path: &str, base: &str, ours: &str, theirs: &str) -> Merged {
    merge_config(path, base.as_bytes(), ours.as_bytes(), theirs.as_bytes()).unwrap()
}

/// The merge of two changes that go together, both ways round.
#[track_caller]
fn clean(path: &str, base: &str, ours: &str, theirs: &str) -> String {
    let merged = merged(path, base, ours, theirs);
    assert!(merged.conflicts.is_empty(), "{:?}", merged.conflicts);
    String::from_utf8(merged.text).unwrap()
}

#[track_caller]
fn both_ways(path: &str, base: &str, ours: &str, theirs: &str, expected: &str) {
    assert_eq!(clean(path, base, ours, theirs), expected);
    assert_eq!(clean(path, base, theirs, ours), expected);
}

fn replaced(pairs: &[(&str, &str)]) -> String {
    pairs.iter().fold(PROJECT.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

#[test]
fn settings_one_by_one() {
    let ours = replaced(&[("\"Game\"", "\"Better Game\""), ("quality=1", "quality=1\nshadows=2")]);
    let theirs = replaced(&[("Second=\"*res://second.gd\"\n", ""), ("quality=1", "quality=3")]);
    let expected = replaced(&[
        ("\"Game\"", "\"Better Game\""),
        ("quality=1", "quality=3\nshadows=2"),
        ("Second=\"*res://second.gd\"\n", ""),
    ]);
    both_ways("project.godot", PROJECT, &ours, &theirs, &expected);
}

#[test]
fn sections_come_and_go() {
    let ours = replaced(&[("[rendering]\n\nquality=1\n", "")]);
    let theirs = replaced(&[("[input]", "[display]\n\nmode=3\n\n[input]")]);
    let merged = clean("a/project.godot", PROJECT, &ours, &theirs);
    assert_eq!(merged, ours.replace("[input]", "[display]\n\nmode=3\n\n[input]"));
    let merged = clean("a/project.godot", PROJECT, &theirs, &ours);
    assert_eq!(merged.trim_end(), theirs.replace("[rendering]\n\nquality=1\n", "").trim_end());
    let first = PROJECT.replace("[application]", "[aaa]\n\nx=1\n\n[application]");
    both_ways("project.godot", PROJECT, &first, &replaced(&[("quality=1", "quality=2")]), &{
        first.replace("quality=1", "quality=2")
    });
}

#[test]
fn lists_and_events() {
    let ours = replaced(&[
        ("\"4.4\", \"Forward Plus\"", "\"4.5\", \"Forward Plus\""),
        ("\"keycode\":32)\n]", "\"keycode\":32)\n, Object(InputEventKey,\"keycode\":65)\n]"),
    ]);
    let theirs = replaced(&[
        ("\"4.4\", \"Forward Plus\"", "\"4.6\", \"C#\", \"Forward Plus\""),
        ("\"keycode\":32)\n]", "\"keycode\":32)\n, Object(InputEventKey,\"keycode\":66)\n]"),
        ("\"deadzone\": 0.5", "\"deadzone\": 0.2"),
    ]);
    let text = clean("project.godot", PROJECT, &ours, &theirs);
    assert!(text.contains("PackedStringArray(\"4.6\", \"C#\", \"Forward Plus\")"), "{text}");
    for part in ["0.2", "\"keycode\":32", "\"keycode\":65", "\"keycode\":66"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(crate::parse_config(text.as_bytes()).errors().is_empty());
}

#[test]
fn the_order_of_autoloads() {
    let [first, second] = ["First=\"*res://first.gd\"", "Second=\"*res://second.gd\""];
    let lines = |lines: &[&str]| replaced(&[(&format!("{first}\n{second}"), &lines.join("\n"))]);
    let swapped = lines(&[second, first]);
    let more = lines(&[first, second, "Third=\"*res://third.gd\""]);
    let expected = lines(&[second, first, "Third=\"*res://third.gd\""]);
    both_ways("project.godot", PROJECT, &swapped, &more, &expected);
    let changed = lines(&[first, "Second=\"*res://other.gd\""]);
    let expected = lines(&["Second=\"*res://other.gd\"", first]);
    both_ways("project.godot", PROJECT, &swapped, &changed, &expected);
}

#[test]
fn conflicts_of_a_project_are_a_setting() {
    let ours = replaced(&[("quality=1", "quality=2"), ("Second=\"*res://second.gd\"\n", "")]);
    let theirs = replaced(&[
        ("quality=1", "quality=3"),
        ("res://second.gd", "res://other.gd"),
        ("\"Game\"", "\"Theirs\""),
    ]);
    let result = merged("project.godot", PROJECT, &ours, &theirs);
    let about: Vec<String> =
        result.conflicts.iter().map(|found| format!("{} {}", found.place, found.what)).collect();
    assert_eq!(about, ["[autoload] setting Second", "[rendering] setting quality"]);
    let text = String::from_utf8(result.text.clone()).unwrap();
    assert!(text.starts_with(&ours.replace("\"Game\"", "\"Theirs\"")), "{text}");
    assert!(crate::parse_config(&result.text).errors().is_empty());
    assert_eq!(unresolved(&result.text).len(), 2);
    let settle = |side: MergeSide| {
        let resolved = resolve(&result.text, side);
        assert_eq!((resolved.settled, resolved.left.len()), (2, 0));
        assert!(unresolved(&resolved.text).is_empty());
        String::from_utf8(resolved.text).unwrap()
    };
    assert_eq!(settle(MergeSide::Ours), ours.replace("\"Game\"", "\"Theirs\""));
    let of_theirs = settle(MergeSide::Theirs);
    assert!(of_theirs.contains("quality=3\n"), "{of_theirs}");
    assert!(of_theirs.contains("Second=\"*res://other.gd\""), "{of_theirs}");
    let of_base = settle(MergeSide::Base);
    assert!(of_base.contains("quality=1\n") && of_base.contains("res://second.gd"), "{of_base}");
    let picked =
        resolve_by(&result.text, |conflict| (conflict.number == 2).then_some(MergeSide::Theirs));
    let text = String::from_utf8(picked.text.clone()).unwrap();
    assert!(text.contains("quality=3\n") && !text.contains("Second="), "{text}");
    assert_eq!(picked.left, unresolved(&result.text)[..1]);
    assert_eq!(unresolved(&picked.text), picked.left);
    let theirs = &picked.left[0].theirs;
    assert_eq!(theirs.as_deref(), Some("\"*res://other.gd\""));
    // It is not merged before it is settled.
    let again =
        merge_config("project.godot", PROJECT.as_bytes(), &result.text, b"config_version=5\n");
    assert_eq!(again.unwrap_err(), MergeRefusal::Unresolved(MergeSide::Ours));
}

const IMPORT: &str = "[remap]\n\nimporter=\"texture\"\nuid=\"uid://a\"\npath=\"res://.godot/imported/a.png-1.ctex\"\n\n\
                      [deps]\n\nsource_file=\"res://a.png\"\n\n[params]\n\ncompress/mode=0\nmipmaps/generate=false\n";

#[test]
fn imports() {
    let ours = IMPORT.replace("uid://a", "uid://b").replace("mode=0", "mode=1");
    let theirs = IMPORT.replace("uid://a", "uid://c").replace("generate=false", "generate=true");
    let result = merged("a.png.import", IMPORT, &ours, &theirs);
    assert!(result.conflicts.is_empty());
    assert_eq!(result.notes.len(), 1);
    assert_eq!(result.notes[0].text, "both changed `uid`; that of theirs was \"uid://c\"");
    let text = String::from_utf8(result.text).unwrap();
    assert_eq!(text, ours.replace("generate=false", "generate=true"));
    let theirs = IMPORT.replace("mode=0", "mode=2");
    let result = merged("a.png.import", IMPORT, &ours, &theirs);
    assert_eq!(result.conflicts.len(), 1);
    let markers = "<<<<<<< ours\ncompress/mode=1\n=======\ncompress/mode=2\n>>>>>>> theirs\n";
    let text = String::from_utf8(result.text).unwrap();
    assert_eq!(text, ours.replace("compress/mode=1\n", markers));
}

fn presets(presets: &[(&str, &str)]) -> String {
    let preset = |(number, (name, more)): (usize, &(&str, &str))| {
        format!(
            "[preset.{number}]\n\nname=\"{name}\"\nrunnable=true\n\n[preset.{number}.options]\n\n{more}\n"
        )
    };
    presets.iter().enumerate().map(preset).collect::<Vec<_>>().join("\n")
}

#[test]
fn export_presets_are_told_apart_by_name() {
    let path = "export_presets.cfg";
    let base = presets(&[("Linux", "x=1"), ("Windows", "x=2")]);
    // Both add one, which gets the same number.
    let ours = presets(&[("Linux", "x=1"), ("Windows", "x=2"), ("Web", "x=3")]);
    let theirs = presets(&[("Linux", "x=9"), ("Windows", "x=2"), ("Android", "x=4")]);
    let expected =
        presets(&[("Linux", "x=9"), ("Windows", "x=2"), ("Web", "x=3"), ("Android", "x=4")]);
    assert_eq!(clean(path, &base, &ours, &theirs), expected);
    // One removes the first, the other changes the second.
    let ours = presets(&[("Windows", "x=2")]);
    let theirs = presets(&[("Linux", "x=1"), ("Windows", "x=7")]);
    both_ways(path, &base, &ours, &theirs, &presets(&[("Windows", "x=7")]));
    // One renames a preset that the other changes.
    let ours = presets(&[("Linux", "x=1"), ("PC", "x=2")]);
    both_ways(path, &base, &ours, &theirs, &presets(&[("Linux", "x=1"), ("PC", "x=7")]));
    // One removes a preset that the other changes.
    let ours = presets(&[("Linux", "x=1")]);
    let result = merged(path, &base, &ours, &theirs);
    assert!(!result.conflicts.is_empty());
    let text = String::from_utf8(result.text).unwrap();
    assert!(
        text.contains("<<<<<<< ours\n=======\n[preset.1.options]\n\nx=7\n>>>>>>> theirs"),
        "{text}"
    );
}

#[test]
fn both_added_the_file() {
    let [ours, theirs] = ["[a]\n\nx=1\ny=2\n", "[a]\n\nx=1\nz=3\n\n[b]\n\nw=1\n"];
    assert_eq!(clean("a.gdextension", "", ours, theirs), "[a]\n\nx=1\ny=2\nz=3\n\n[b]\n\nw=1\n");
}

#[test]
fn line_ends_and_comments_of_ours() {
    let ours = replaced(&[("quality=1", "quality=1 ; as on phones")]).replace('\n', "\r\n");
    let theirs = replaced(&[("config/name=\"Game\"", "config/name=\"Theirs\"")]);
    let text = clean("project.godot", PROJECT, &ours, &theirs);
    assert_eq!(text, ours.replace("\"Game\"", "\"Theirs\""));
}

#[test]
fn refused() {
    let broken = PROJECT.replace("quality=1", "quality=(");
    let refusal = merge_config("project.godot", PROJECT.as_bytes(), broken.as_bytes(), b"a=1\n");
    let refusal = refusal.unwrap_err().to_string();
    assert!(refusal.starts_with("Godot cannot read the text of ours: line "), "{refusal}");
}

/// Files may be hostile: entries are looked up, not searched.
#[test]
fn many_presets_doubled_keys_and_empty_tags() {
    let many = |count: usize, x: &str| {
        let names: Vec<String> = (0..count).map(|number| format!("n{number}")).collect();
        presets(&names.iter().map(|name| (name.as_str(), x)).collect::<Vec<_>>())
    };
    let (base, theirs) = (many(5_000, "x=1"), many(10_000, "x=2"));
    let ours = base.replacen("runnable=true", "runnable=false", 1);
    let expected = theirs.replacen("runnable=true", "runnable=false", 1);
    assert_eq!(clean("export_presets.cfg", &base, &ours, &theirs), expected);
    let doubled: String = (0..20_000).map(|key| format!("a{key}=1\na{key}=2\n")).collect();
    let base = format!("[s]\n\nq=1\n{doubled}");
    assert_eq!(
        clean("plugin.cfg", &base, &format!("{base}z=1\n"), "[s]\n\nq=1\n"),
        "[s]\n\nq=1\nz=1\n"
    );
    let empty = "[]\n".repeat(50_000);
    let [base, ours, theirs] = ["", "x=1\n", "y=1\n"].map(|more| format!("[a]\n{more}{empty}"));
    assert!(clean("plugin.cfg", &base, &ours, &theirs).contains("x=1\n"));
}

#[test]
fn sections_that_come_where_one_goes() {
    let [a, b, c] = ["[a]\n\nx=1\n", "[b]\n\ny=1\n", "[c]\n\nz=1\n"];
    let of = |sections: &[&str]| sections.join("\n");
    // In the place of the first, of one between, of the last, and of the only one; ours changes something else.
    let changed = "[c]\n\nz=2\n";
    let both = |base: &[&str], ours: &[&str], theirs: &[&str], expected: &[&str]| {
        both_ways("project.godot", &of(base), &of(ours), &of(theirs), &of(expected));
    };
    both(&[a, c], &[a, changed], &[b, c], &[b, changed]);
    both(&[c, a], &[changed, a], &[c, b], &[changed, b]);
    both(&["k=1\n", a], &["k=2\n", a], &["k=1\n", b], &["k=2\n", b]);
    let merged =
        clean("plugin.cfg", &of(&[a, c]), &of(&[a, changed]), &of(&[b, "[d]\n\nz=1\n", c]));
    assert_eq!(merged, of(&[b, "[d]\n\nz=1\n", changed]));
}

#[test]
fn markers_stand_in_lines_of_their_own() {
    let [base, ours, theirs] = [1, 2, 3].map(|value| format!("[a] x={value} y={value}\n"));
    let merged = merged("plugin.cfg", &base, &ours, &theirs);
    assert_eq!(
        String::from_utf8(merged.text).unwrap(),
        "[a] \n<<<<<<< ours\nx=2\n=======\nx=3\n>>>>>>> theirs\n \n<<<<<<< ours\ny=2\n=======\ny=3\n>>>>>>> theirs\n"
    );
}

#[test]
fn sections_called_as_those_of_scenes() {
    let [base, ours, theirs] = [1, 2, 3].map(|value| format!("[resource]\n\nx={value}\n"));
    let merged = merged("project.godot", &base, &ours, &theirs);
    assert_eq!(unresolved(&merged.text).len(), 1);
    let settled = resolve(&merged.text, MergeSide::Theirs);
    assert_eq!(String::from_utf8(settled.text).unwrap().trim_end(), theirs.trim_end());
}
