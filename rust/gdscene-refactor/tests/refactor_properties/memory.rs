//! Projects in memory, and on the disk.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use godot_project::{FileSource, FoundFile, Listing, Plan, Project};

/// The files of a project, by path.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

#[derive(Debug)]
struct Memory(Files);

impl FileSource for Memory {
    fn list(&self) -> io::Result<Listing> {
        let found = |(path, text): (&String, &Vec<u8>)| FoundFile {
            path: path.clone(),
            size: text.len() as u64,
            modified: 0,
        };
        Ok(Listing { files: self.0.iter().map(found).collect(), ..Listing::default() })
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn exists(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }
}

pub(crate) fn opened(files: &Files) -> Project {
    Project::from_source(Arc::new(Memory(files.clone()))).unwrap()
}

/// The files after a plan.
pub(crate) fn with_plan(files: &Files, plan: &Plan) -> Files {
    let mut files = files.clone();
    for file in &plan.files {
        assert_eq!(files.get(&file.path).map(|text| &text[..]), file.text().map(|text| &text[..]));
        files.insert(file.path.clone(), file.new_text());
    }
    for moved in &plan.moves {
        let below = format!("{}/", moved.from);
        let is_moved = |path: &&String| **path == moved.from || path.starts_with(&below);
        let paths: Vec<String> = files.keys().filter(is_moved).cloned().collect();
        assert!(!paths.is_empty(), "{} is not there", moved.from);
        for path in paths {
            let text = files.remove(&path).unwrap();
            let replaced = files.insert(format!("{}{}", moved.to, &path[moved.from.len()..]), text);
            assert_eq!(replaced, None, "{} is there already", moved.to);
        }
    }
    for path in &plan.removals {
        files.remove(path).unwrap();
    }
    files
}

#[track_caller]
pub(crate) fn compare(found: &Files, expected: &Files, what: &str) {
    let paths = |files: &Files| files.keys().cloned().collect::<Vec<String>>();
    assert_eq!(paths(found), paths(expected), "{what}");
    for (path, text) in expected {
        let (text, found) = (String::from_utf8_lossy(text), String::from_utf8_lossy(&found[path]));
        assert_eq!(found, text, "{what}: {path}");
    }
}

pub(crate) fn write(root: &Path, files: &Files) {
    for (path, text) in files {
        let path = root.join(path.trim_start_matches("res://"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// All files but those below hidden folders.
pub(crate) fn read(root: &Path) -> Files {
    let mut files = Files::new();
    let mut open = vec![(root.to_owned(), "res://".to_owned())];
    while let Some((folder, path)) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            if name.starts_with('.') {
                continue;
            }
            if entry.file_type().unwrap().is_dir() {
                open.push((entry.path(), format!("{path}{name}/")));
            } else {
                files.insert(format!("{path}{name}"), fs::read(entry.path()).unwrap());
            }
        }
    }
    files
}

/// The id under which a scene knows an external resource.
pub(crate) fn id_of_path(text: &[u8], path: &str) -> String {
    let text = String::from_utf8_lossy(text);
    let is_wanted = |line: &&str| line.starts_with("[ext_resource ") && line.contains(path);
    let tag = text.lines().find(is_wanted).expect("a tag with the path");
    tag.split(" id=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an id").to_owned()
}

/// The sections of a text in a fixed order, without the ids of resources.
pub(crate) fn sections(text: &str) -> Vec<String> {
    let masked = regex::Regex::new(r#"(Resource\(|\bid=)"[^"]*""#).unwrap();
    let text = masked.replace_all(text, "${1}\"\"");
    let mut sections: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match sections.last_mut() {
            Some(section) if !line.starts_with('[') => section.push_str(line),
            _ => sections.push(line.to_owned()),
        }
    }
    sections.sort();
    sections
}
