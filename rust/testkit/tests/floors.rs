//! The crates are floors: each one depends on those below it only. Inside a crate, no modules import each other in a circle,
//! except those that are listed here with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The lowest first. Crates of one floor do not know each other.
const FLOORS: &[&[&str]] = &[
    &["godot-variant"],
    &["godot-variant-codec", "godot-tscn", "o3de-json"],
    &["engine-kernels", "gdscene-render", "godot-project", "variant-schema"],
    &["gdscene-lint", "gdscene-refactor", "gdscene-journal"],
    &["gdscene-lsp", "gdscene-mcp", "wasm"],
    &["gdscene", "fast-variant", "fast-variant-editor"],
];

/// Modules at the top of a crate that import each other, directly or by way of others.
const CIRCLES: &[(&str, &[&str])] = &[
    // A place in encoded bytes, and what walks and indexes its elements.
    ("godot-variant-codec", &["element_index", "value_ref", "walk"]),
    // A document holds what the parser made of a text, and reads values of it when they are asked for.
    ("godot-tscn", &["decode", "document", "number", "syntax", "value"]),
    // A rule reports what the formatter would change, and the formatter asks the rules why it refuses a text.
    ("godot-tscn", &["findings", "format", "ignore", "lint", "rules", "withhold"]),
    // The project keeps what is worked out of its files, each analysis in a module of its own.
    (
        "godot-project",
        &[
            "graph",
            "history",
            "instances",
            "load_cycles",
            "missing_sidecars",
            "names",
            "project",
            "scripts",
            "tree",
            "usage",
        ],
    ),
    // The arguments list all commands, and one command writes completions for all arguments.
    ("gdscene", &["args", "commands"]),
    // What the engine calls is guarded by a check of arguments, which knows all classes; the classes use the engine.
    (
        "fast-variant",
        &[
            "edition",
            "engine",
            "fast_variant",
            "o3de_json",
            "o3de_json_result",
            "rpc_packet",
            "salvage",
            "saved_file",
            "scene_comparison",
            "scene_linter",
            "scene_loss",
            "scene_rewriter",
            "scene_safety",
            "variant_file",
            "variant_view",
            "wrong_arguments",
        ],
    ),
    // A kind of value loads and stores the values in it, of any kind.
    ("o3de-json", &["kinds", "load", "registry", "schema", "store", "streaming"]),
    // A layout encodes and decodes with modules that read it.
    ("variant-schema", &["decode", "encode", "fingerprint", "layout"]),
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn crates_depend_on_lower_floors() {
    let floor_of: BTreeMap<&str, usize> = FLOORS
        .iter()
        .enumerate()
        .flat_map(|(floor, names)| names.iter().map(move |name| (*name, floor)))
        .collect();
    let mut dependency_count = 0;
    for (name, floor) in &floor_of {
        let manifest = fs::read_to_string(crates().join(name).join("Cargo.toml")).unwrap();
        let (_, after) = manifest.split_once("[dependencies]\n").unwrap();
        for line in after.lines().take_while(|line| !line.starts_with('[')) {
            let dependency = line.split(['.', ' ']).next().unwrap_or_default();
            if let Some(below) = floor_of.get(dependency) {
                assert!(below < floor, "{name} depends on {dependency}, which is not below it");
                dependency_count += 1;
            }
        }
    }
    assert!(dependency_count > FLOORS.len());
}

#[test]
fn modules_import_in_no_circle() {
    let mut found = BTreeSet::new();
    for name in FLOORS.iter().copied().flatten() {
        let source = crates().join(name).join("src");
        // The editor's library has the sources of the other one.
        if source.is_dir() {
            found.extend(circles(&imports(&source)).into_iter().map(|circle| (*name, circle)));
        }
    }
    let listed = CIRCLES.iter().map(|(name, modules)| {
        (*name, modules.iter().map(|module| (*module).to_owned()).collect::<BTreeSet<_>>())
    });
    assert_eq!(found, listed.collect());
}

type Imports = BTreeMap<String, BTreeSet<String>>;

/// What each module at the top of a crate, with all modules below it, names of the others.
fn imports(source: &Path) -> Imports {
    let mut imports = Imports::new();
    let mut folders = vec![(source.to_owned(), None::<String>)];
    while let Some((folder, top)) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let module = top.clone().unwrap_or_else(|| name.clone());
            if name.ends_with("tests") || ["lib", "main"].contains(&&*module) {
                continue;
            } else if path.is_dir() {
                folders.push((path, Some(module)));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let named = named_modules(&fs::read_to_string(&path).unwrap());
                imports.entry(module).or_default().extend(named);
            }
        }
    }
    imports
}

/// What comes behind `crate::` in code that is not a test.
fn named_modules(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join(" ");
    let is_of_name = |character: char| character.is_alphanumeric() || character == '_';
    let mut named = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        let list = match after.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => after.split(|character| !is_of_name(character)).next().unwrap_or_default(),
        };
        named.extend(list.split(|character| !is_of_name(character)).map(str::to_owned));
    }
    named
}

/// The largest sets of modules in which each module reaches all others.
fn circles(imports: &Imports) -> BTreeSet<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = imports
        .keys()
        .map(|module| {
            let (mut reached, mut open) = (BTreeSet::new(), vec![module]);
            while let Some(module) = open.pop() {
                let next = imports.get(module).into_iter().flatten();
                open.extend(
                    next.filter(|other| imports.contains_key(*other) && reached.insert(*other)),
                );
            }
            (module, reached)
        })
        .collect();
    let circle_of = |module: &String| {
        let is_in = |other: &&&String| **other != module && reached[**other].contains(module);
        let others = reached[module].iter().filter(is_in).map(|other| (*other).clone());
        let circle: BTreeSet<String> = others.chain([module.clone()]).collect();
        (circle.len() > 1).then_some(circle)
    };
    imports.keys().filter_map(circle_of).collect()
}

#[test]
fn a_circle_is_found() {
    let imports = |list: &[(&str, &[&str])]| -> Imports {
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        list.iter().map(|(module, names)| ((*module).to_owned(), named(names))).collect()
    };
    let tree = imports(&[("a", &["b", "c"]), ("b", &["c", "b"]), ("c", &["elsewhere"])]);
    assert!(circles(&tree).is_empty());
    let ring = imports(&[("a", &["b"]), ("b", &["c"]), ("c", &["a"]), ("d", &["a"])]);
    assert_eq!(circles(&ring).into_iter().next().unwrap().into_iter().collect::<String>(), "abc");
}

#[test]
fn imports_are_read() {
    let text = "use crate::{a, b::c};\nlet x = crate::d::e(); // crate::f\n#[cfg(test)]\nmod tests {\nuse crate::g;";
    let named = named_modules(text);
    let expected = ["a", "b", "d"];
    assert!(expected.iter().all(|name| named.contains(*name)), "{named:?}");
    assert!(!named.contains("f") && !named.contains("g"), "{named:?}");
}
