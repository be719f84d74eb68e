//! What holds for all merges of settings files: edits by chance, compared with a model that reads lines.

use std::collections::BTreeMap;

use fastrand::Rng;
use godot_tscn::{MergeSide, merge_config, resolve, unresolved};

/// Sections with their keys and values. No section is empty: a file with one says nothing else.
type Settings = BTreeMap<String, BTreeMap<String, String>>;

/// In which files settings are merged one by one, without lists that mean something else.
const PATHS: [&str; 3] = ["project.godot", "plugin.cfg", "a.gdextension"];

const CASES: u64 = 2_000;

/// The sections in an order by chance.
fn written(settings: &Settings, rng: &mut Rng) -> String {
    let mut sections: Vec<_> = settings.iter().collect();
    rng.shuffle(&mut sections);
    let mut text = "; Engine configuration file.\n\nconfig_version=5\n\n".to_owned();
    for (name, entries) in sections {
        text += &format!("[{name}]\n\n");
        for (key, value) in entries {
            text += &format!("{key}={value}\n");
        }
        text.push('\n');
    }
    text
}

/// Knows nothing of settings but lines, and of values over several lines only those that `value` makes.
fn read(text: &[u8]) -> Settings {
    let mut settings = Settings::new();
    let mut section = String::new();
    let mut last: Option<String> = None;
    for line in str::from_utf8(text).unwrap().lines() {
        if let Some(key) = &last {
            let value = settings.get_mut(&section).unwrap().get_mut(key).unwrap();
            *value += &format!("\n{line}");
            if line.ends_with('"') {
                last = None;
            }
        } else if let Some(name) = line.strip_prefix('[') {
            section = name.strip_suffix(']').unwrap().to_owned();
        } else if let Some((key, value)) = line.split_once('=')
            && key != "config_version"
        {
            let old = settings.entry(section.clone()).or_default().insert(key.into(), value.into());
            assert_eq!(old, None, "{key} stands twice");
            last = (value.matches('"').count() % 2 == 1).then(|| key.to_owned());
        } else {
            let is_plain = line.is_empty() || line.starts_with(';') || line.starts_with("config_");
            assert!(is_plain, "a line that nothing explains: {line}");
        }
    }
    settings.retain(|_, entries| !entries.is_empty());
    settings
}

fn value(rng: &mut Rng) -> String {
    match rng.u8(..5) {
        0 => rng.u32(..).to_string(),
        1 => format!("Vector2({}, 0.5)", rng.u8(..)),
        2 => format!("\"two\n[lines] a=b ; {}\"", rng.u32(..)),
        3 => format!("{{ \"a\": [{}, null] }}", rng.u32(..)),
        _ => format!("\"text {}\"", rng.u32(..)),
    }
}

fn base(rng: &mut Rng) -> Settings {
    let section = |rng: &mut Rng| {
        let keys = 1..rng.usize(2..6);
        keys.map(|key| (format!("group/key{key}"), value(rng))).collect()
    };
    (0..rng.usize(1..8)).map(|number| (format!("section{number}"), section(rng))).collect()
}

/// What one side does: to sections and keys whose number is `parity` of two, and to new ones with its name.
fn edit(settings: &mut Settings, rng: &mut Rng, parity: usize, name: &str) {
    for (number, (section, entries)) in settings.clone().into_iter().enumerate() {
        if number % 2 == parity && rng.u8(..6) == 0 {
            settings.remove(&section);
            if rng.bool() {
                settings.insert(format!("{section}_{name}"), entries);
            }
            continue;
        }
        // The other side may remove the section.
        if number % 2 != parity {
            continue;
        }
        let known = settings.get_mut(&section).unwrap();
        for key in entries.keys() {
            match rng.u8(..5) {
                0 => drop(known.remove(key)),
                1 | 2 => drop(known.insert(key.clone(), value(rng))),
                _ => {}
            }
        }
        if rng.bool() {
            known.insert(format!("{name}/key{}", rng.u8(..)), value(rng));
        }
    }
    if rng.bool() {
        let new = [("key".to_owned(), value(rng))].into();
        settings.insert(format!("{name}{}", rng.u8(..)), new);
    }
    settings.retain(|_, entries| !entries.is_empty());
}

fn pick<'t, V: PartialEq>(
    base: Option<&'t V>,
    one: Option<&'t V>,
    other: Option<&'t V>,
) -> Option<&'t V> {
    if base == one { other } else { one }
}

/// What both sides together say. No key is changed by both.
fn both(base: &Settings, ours: &Settings, theirs: &Settings) -> Settings {
    let mut both = Settings::new();
    for settings in [base, ours, theirs] {
        for (section, entries) in settings {
            for key in entries.keys() {
                let [b, o, t] =
                    [base, ours, theirs].map(|all| all.get(section).and_then(|all| all.get(key)));
                if let Some(value) = pick(b, o, t) {
                    both.entry(section.clone()).or_default().insert(key.clone(), value.clone());
                }
            }
        }
    }
    both
}

#[test]
fn independent_edits() {
    for number in 0..CASES {
        let mut rng = Rng::with_seed(number);
        let base = base(&mut rng);
        let (mut ours, mut theirs) = (base.clone(), base.clone());
        edit(&mut ours, &mut rng, 0, "o");
        edit(&mut theirs, &mut rng, 1, "t");
        let expected = both(&base, &ours, &theirs);
        let texts = [&base, &ours, &theirs].map(|settings| written(settings, &mut rng));
        let path = PATHS[number as usize % PATHS.len()];
        for (ours, theirs) in [(&texts[1], &texts[2]), (&texts[2], &texts[1])] {
            let merged =
                merge_config(path, texts[0].as_bytes(), ours.as_bytes(), theirs.as_bytes())
                    .unwrap();
            assert_eq!(merged.conflicts, [], "{number}");
            assert_eq!(read(&merged.text), expected, "{number}: {texts:#?}");
        }
    }
}

#[test]
fn edits_of_the_same() {
    for number in 0..CASES {
        let mut rng = Rng::with_seed(number);
        let base = base(&mut rng);
        let (mut ours, mut theirs) = (base.clone(), base.clone());
        edit(&mut ours, &mut rng, 0, "o");
        edit(&mut theirs, &mut rng, 1, "t");
        // What both sides have still, each changes otherwise, or removes.
        let common = ours.iter().filter(|(name, _)| theirs.contains_key(*name));
        let Some((section, key)) = common
            .flat_map(|(name, entries)| entries.keys().map(move |key| (name.clone(), key.clone())))
            .find(|(name, key)| theirs[name].contains_key(key) && base[name].contains_key(key))
        else {
            continue;
        };
        ours.get_mut(&section).unwrap().insert(key.clone(), "\"ours\"".into());
        let of_theirs = theirs.get_mut(&section).unwrap();
        match rng.bool() {
            true => drop(of_theirs.insert(key.clone(), "\"theirs\"".into())),
            false => drop(of_theirs.remove(&key)),
        }
        let texts = [&base, &ours, &theirs].map(|settings| written(settings, &mut rng));
        let [base, ours, theirs] = texts.each_ref().map(String::as_bytes);
        let merged = merge_config("project.godot", base, ours, theirs).unwrap();
        assert_eq!(merged.conflicts.len(), 1, "{number}: {:?}", merged.conflicts);
        assert_eq!(merged.conflicts[0].what, format!("setting {key}"), "{number}");
        assert_eq!(unresolved(&merged.text).len(), 1, "{number}");
        for (side, text) in [(MergeSide::Ours, ours), (MergeSide::Theirs, theirs)] {
            let settled = read(&resolve(&merged.text, side).text);
            let found = settled.get(&section).and_then(|entries| entries.get(&key));
            let expected = read(text);
            let expected = expected.get(&section).and_then(|entries| entries.get(&key));
            assert_eq!(found, expected, "{number}: {texts:#?}");
        }
        let marked = merge_config("plugin.cfg", base, ours, theirs).unwrap();
        assert_eq!(marked.conflicts.len(), 1);
        let text = String::from_utf8(marked.text).unwrap();
        assert_eq!(text.matches("\n<<<<<<< ours\n").count(), 1, "{text}");
    }
}
