//! The formatter on real files: what an engine saved is a fixpoint, and comes back after its
//! spacing, orders and numbers were spoiled.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::format_spoil::Random;
use godot_tscn::{FormatOptions, FormatRefusal, GodotVersion, format};
use testkit::shared::require_shared;

/// The folders of which every file must be a fixpoint, but for those that an older [`Origin`] shows in.
const ENGINE_FOLDERS: &[&str] =
    &["godotengine__godot-demo-projects__master", "godotengine__godot-demo-projects__4.2"];

/// The one file that was changed by hand: no blank line stands before its connections.
const EDITED: &str = "godotengine__godot-demo-projects__4.2/mono/2.5d/addons/node25d-cs/main_screen/main_screen_25d.tscn";

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                folders.push(path);
            } else if extension.is_some_and(|extension| ["tscn", "tres"].contains(&extension)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The one file whose `load_steps` was not counted by an engine.
const MISCOUNTED: &str = "derkork__godot-safe-resource-loader/tests/data/safe.tres";

#[derive(Debug, Default)]
struct Count {
    fixpoints: usize,
    changed: usize,
    refused: usize,
}

#[test]
fn no_file_shows_a_bug() {
    let Some(corpus) = require_shared("corpus") else { return };
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for path in files(&corpus) {
        let name = path.strip_prefix(&corpus).unwrap();
        let folder = name.iter().next().unwrap().to_str().unwrap();
        let text = fs::read(&path).unwrap();
        let outcome = format(&text, &FormatOptions::default());
        for key in [folder, "total"] {
            let count = counts.entry(key.to_owned()).or_default();
            match &outcome {
                Ok(formatted) if formatted.is_changed => count.changed += 1,
                Ok(_) => count.fixpoints += 1,
                Err(FormatRefusal::Bug(bug)) => panic!("{}: {bug:?}", name.display()),
                Err(_) => count.refused += 1,
            }
        }
    }
    for (folder, Count { fixpoints, changed, refused }) in &counts {
        println!("{folder}: {fixpoints} fixpoints, {changed} changed, {refused} refused");
    }
    let Count { fixpoints, changed, refused } = counts["total"];
    assert_eq!((fixpoints, changed, refused), (2974, 590, 195));
}

/// Which engine wrote a file that is no fixpoint, as its text shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// An alpha of Godot 4.0: inner spaces in `ExtResource( "1" )` and nowhere else.
    Alpha,
    /// The same before `format=3` was introduced, with numbers as ids.
    EarlyAlpha,
    /// Godot 3.0: a blank line after a tag that has properties, or at the text's end, or more of them
    /// than one.
    Godot30,
}

/// The older engine that wrote the file, proved by changing only what is typical for that engine:
/// then the file is a fixpoint.
fn origin(text: &str) -> Option<Origin> {
    let is_fixpoint = |text: &str| {
        format(text.as_bytes(), &FormatOptions::default()).is_ok_and(|f| !f.is_changed)
    };
    let mut alpha = text.to_owned();
    for (spaced, tight) in [("ExtResource( ", "ExtResource("), ("SubResource( ", "SubResource(")] {
        let mut pieces = alpha.split(spaced);
        let mut joined = pieces.next()?.to_owned();
        for piece in pieces {
            joined += tight;
            joined += &piece.replacen(" )", ")", 1);
        }
        alpha = joined;
    }
    let early = with_quoted_ids(&alpha.replacen("format=2", "format=3", 1));
    let mut godot30 = text.replace("\n\n\n", "\n\n");
    let mut search = 0;
    while let Some(found) = godot30[search..].find("]\n\n").map(|found| search + found) {
        if godot30[found + 3..].starts_with(|byte: char| byte != '[' && byte != '\n') {
            godot30.remove(found + 1);
        }
        search = found + 1;
    }
    let godot30 = format!("{}\n", godot30.trim_end());
    [(Origin::Alpha, alpha), (Origin::EarlyAlpha, early), (Origin::Godot30, godot30)]
        .into_iter()
        .find(|(_, text)| is_fixpoint(text))
        .map(|(origin, _)| origin)
}

/// The text with `"1"` for each `1` that is an id, and `ext_resource`s as Godot 4 writes them.
fn with_quoted_ids(text: &str) -> String {
    let mut out = text.to_owned();
    for (before, after) in [(" id=", "]"), ("ExtResource(", ")"), ("SubResource(", ")")] {
        let mut pieces = out.split(before);
        let mut quoted = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            quoted += before;
            match piece.split_once(after) {
                Some((id, rest)) if id.bytes().all(|byte| byte.is_ascii_digit()) => {
                    quoted += &format!("\"{id}\"{after}{rest}");
                }
                _ => quoted += piece,
            }
        }
        out = quoted;
    }
    // The order of fields was still that of Godot 3.
    let lines = out.split_inclusive('\n').map(|line| {
        let fields = line.strip_prefix("[ext_resource path=\"").and_then(|rest| {
            let (path, rest) = rest.split_once("\" type=\"")?;
            let (class, rest) = rest.split_once('"')?;
            Some(format!("[ext_resource type=\"{class}\" path=\"{path}\"{rest}"))
        });
        fields.unwrap_or_else(|| line.to_owned())
    });
    lines.collect()
}

#[test]
fn what_the_engine_saved_is_a_fixpoint() {
    let Some(corpus) = require_shared("corpus") else { return };
    let mut older: BTreeMap<Origin, usize> = BTreeMap::new();
    let (mut fixpoints, mut edited, mut wrong) = (0, 0, Vec::new());
    for path in ENGINE_FOLDERS.iter().flat_map(|folder| files(&corpus.join(folder))) {
        let text = fs::read(&path).unwrap();
        match format(&text, &FormatOptions::default()) {
            Ok(formatted) if !formatted.is_changed => fixpoints += 1,
            _ => match origin(std::str::from_utf8(&text).unwrap()) {
                Some(origin) => *older.entry(origin).or_default() += 1,
                None if path.ends_with(EDITED) => edited += 1,
                None => wrong.push(path),
            },
        }
    }
    println!("{fixpoints} fixpoints; written by older engines: {older:?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!((fixpoints, edited), (826, 1));
    let expected = [(Origin::Alpha, 46), (Origin::EarlyAlpha, 31), (Origin::Godot30, 9)];
    assert_eq!(older, BTreeMap::from(expected));
}

/// The version that the nearest `project.godot` names.
fn project_version(path: &Path) -> Option<GodotVersion> {
    let projects = path.ancestors().map(|folder| folder.join("project.godot"));
    let project = projects.into_iter().find_map(|project| fs::read(project).ok())?;
    GodotVersion::of_project(&project)
}

/// How many files of the corpus are in projects of each version and in a form that it reads: fixpoints, and others.
const FIXPOINTS_BY_VERSION: &[(&str, usize, usize)] = &[
    ("3.6", 650, 114),
    ("4.0", 8, 8),
    ("4.2", 270, 47),
    ("4.3", 2, 0),
    ("4.5", 176, 1),
    ("4.6", 506, 0),
    ("4.7", 675, 0),
];

/// The oracle for the versions that are not at hand: files in projects of that version. What is a
/// fixpoint whatever the version is one for that version, too.
#[test]
fn files_in_projects_of_each_version_are_fixpoints() {
    let Some(corpus) = require_shared("corpus") else { return };
    let (mut counts, mut wrong) = (BTreeMap::<GodotVersion, [usize; 2]>::new(), Vec::new());
    for path in files(&corpus) {
        let text = fs::read(&path).unwrap();
        let mut options = FormatOptions::default();
        options.target = godot_tscn::project_target(&text, project_version(&path));
        let Some(version) = options.target else { continue };
        let is_fixpoint =
            |options| format(&text, options).is_ok_and(|formatted| !formatted.is_changed);
        let no_target = FormatOptions::default();
        let [fixpoints, others] = counts.entry(version).or_default();
        // Saved by an older engine, edited, or broken; see the other tests.
        if !is_fixpoint(&no_target) {
            *others += 1;
        } else {
            *fixpoints += 1;
            if !is_fixpoint(&options) && !path.ends_with(MISCOUNTED) {
                wrong.push(format!("{} ({version})", path.display()));
            }
        }
    }
    println!("fixpoints in projects of each version: {counts:?}");
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    let counts: Vec<_> = counts
        .iter()
        .map(|(version, [fixpoints, others])| (version.to_string(), *fixpoints, *others))
        .collect();
    let counts: Vec<_> = counts
        .iter()
        .map(|(version, fixpoints, others)| (&**version, *fixpoints, *others))
        .collect();
    assert_eq!(counts, FIXPOINTS_BY_VERSION);
}

#[test]
fn spoiled_texts_come_back() {
    let Some(corpus) = require_shared("corpus") else { return };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut count, mut wrong) = (0, Vec::new());
    let (mut commented, mut changed, mut broken, mut converted) = (0, 0, 0, 0);
    for path in files(&corpus) {
        let text = fs::read(&path).unwrap();
        let has_comments = !godot_tscn::parse(&text).comments().is_empty();
        let is_fixpoint =
            format(&text, &FormatOptions::default()).is_ok_and(|formatted| !formatted.is_changed);
        // There, fields stand twice in a tag.
        let is_broken = path.starts_with(corpus.join("BROKEN"));
        let why = [
            (is_broken, &mut broken),
            (has_comments, &mut commented),
            (!is_fixpoint, &mut changed),
        ];
        if let Some((_, counter)) = why.into_iter().find(|(applies, _)| *applies) {
            *counter += 1;
            continue;
        }
        count += 1;
        let mut spoiled = text.clone();
        for spoil in [
            crate::format_spoil::numbers,
            crate::format_spoil::dictionaries,
            crate::format_spoil::ext_resources,
            crate::format_spoil::fields,
            crate::format_spoil::spacing,
        ] {
            spoiled = spoil(&spoiled, &mut random);
        }
        match format(&spoiled, &FormatOptions::default()) {
            Ok(formatted) if *formatted.text == *text => {}
            Ok(other) => {
                let lines = text.split(|byte| *byte == b'\n');
                let pair = lines.zip(other.text.split(|byte| *byte == b'\n')).find(|(a, b)| a != b);
                let pair = pair
                    .map(|(a, b)| [a, b].map(|line| String::from_utf8_lossy(line).into_owned()));
                wrong.push(format!("{}: {pair:?}", path.display()));
            }
            // All line ends are those of its strings then, as in a file that git converted.
            Err(_) if memchr::memmem::find(&text, b"\r\n").is_some() => converted += 1,
            Err(refusal) => wrong.push(format!("{}: {refusal}", path.display())),
        }
    }
    println!("{count} files came back");
    // Nothing else drops out unseen.
    assert_eq!((count, broken, commented, changed, converted), (2922, 110, 10, 717, 1));
    assert!(wrong.is_empty(), "{} of {count}: {wrong:#?}", wrong.len());
}
