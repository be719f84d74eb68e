//! Extracting, inlining, merging and upgrading over real projects; the corpus contains their scenes. Godot loads the
//! results, and they are the same as before, up to ids and the order of resources.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gdscene_lint::{Config, Overrides, Workspace};
use gdscene_refactor::{RefactorError, dedupe, extract, inline, upgrade};
use godot_project::{ListedFiles, Plan, Project};
use godot_tscn::{Document, GodotVersion, ReferenceKind, Section, TagKind};

/// The projects of the corpus: those of Godot 3 and of pieces are left out.
fn projects() -> Vec<Project> {
    let Some(corpus) = testkit::shared::require_shared("corpus") else { return Vec::new() };
    let mut repositories: Vec<PathBuf> =
        fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    repositories.sort();
    let mut projects = Vec::new();
    for repository in repositories.iter().filter(|path| path.join("FILES.txt").is_file()) {
        let list = fs::read_to_string(repository.join("FILES.txt")).unwrap();
        for folder in list.lines().filter_map(|line| line.strip_suffix("project.godot")) {
            if !repository.join(folder).join("project.godot").is_file() {
                continue;
            }
            let paths = list
                .lines()
                .filter_map(|line| Some(format!("res://{}", line.strip_prefix(folder)?)));
            projects.push(open(&repository.join(folder), paths));
        }
    }
    projects.retain(|project| project.settings().version.is_some_and(|version| version.major == 4));
    testkit::shared::sample(projects, 8)
}

fn open(folder: &Path, paths: impl Iterator<Item = String>) -> Project {
    Project::from_source(Arc::new(ListedFiles::new(folder, paths))).unwrap()
}

/// Lets the project see the plan's result, or the original again.
fn carry_out(project: &mut Project, plan: &Plan, is_done: bool) {
    let texts: Vec<(String, Vec<u8>)> =
        plan.files.iter().map(|file| (file.path.clone(), file.new_text())).collect();
    let overlays =
        texts.iter().map(|(path, text)| (path.as_str(), is_done.then_some(text.as_slice())));
    project.set_overlays(overlays).unwrap();
}

/// The meaning of a text, up to ids and the order of its resources: the hashes of the nodes with their contents, in order.
fn meaning(text: &[u8]) -> Vec<u64> {
    let document = godot_tscn::parse(text);
    let mut known: HashMap<(ReferenceKind, Vec<u8>), u64> = HashMap::new();
    let mut nodes = Vec::new();
    for section in document.sections() {
        let id = section.field_text("id").map(std::borrow::Cow::into_owned).unwrap_or_default();
        match section.kind() {
            TagKind::ExtResource => {
                let hash = hash_of(|hasher| {
                    ["type", "path"].map(|field| section.field_text(field)).hash(hasher);
                });
                known.insert((ReferenceKind::ExtResource, id), hash);
            }
            TagKind::SubResource => {
                let hash = content(&document, section, &known, &["id"]);
                known.insert((ReferenceKind::SubResource, id), hash);
            }
            TagKind::GdScene | TagKind::GdResource => {
                nodes.push(content(&document, section, &known, &["format", "load_steps"]));
            }
            _ => nodes.push(content(&document, section, &known, &[])),
        }
    }
    nodes
}

/// As the saver would format it, if the formatter takes it: the text of the new file has this format.
fn formatted(text: &[u8]) -> Vec<u8> {
    let formatted = godot_tscn::format(text, &godot_tscn::FormatOptions::default());
    formatted.map_or_else(|_| text.to_vec(), |formatted| formatted.text.into_owned())
}

fn hash_of(add: impl FnOnce(&mut DefaultHasher)) -> u64 {
    let mut hasher = DefaultHasher::new();
    add(&mut hasher);
    hasher.finish()
}

fn content(
    document: &Document<'_>,
    section: Section<'_>,
    known: &HashMap<(ReferenceKind, Vec<u8>), u64>,
    without: &[&str],
) -> u64 {
    hash_of(|hasher| {
        section.name().hash(hasher);
        let fields = section
            .fields()
            .filter(|field| !without.iter().any(|name| name.as_bytes() == field.name()));
        let fields = fields.map(|field| (field.name(), field.value_span()));
        let keys = section
            .properties()
            .map(|property| (property.engine_key().into_owned(), property.value_span()));
        let fields = fields.map(|(name, span)| (name.to_vec(), span));
        for (name, span) in fields.chain(keys) {
            name.hash(hasher);
            let mut at = span.start as usize;
            for reference in section.references().iter().filter(|found| span.contains(found.target))
            {
                // The spaces of Godot 3 in `SubResource( 1 )` say nothing.
                let before = document.text()[at..reference.target.start as usize].trim_ascii();
                let before = before
                    .strip_suffix(b"SubResource(")
                    .or(before.strip_suffix(b"ExtResource("))
                    .unwrap_or(before);
                before.hash(hasher);
                known.get(&(reference.kind, document.target(reference).into_owned())).hash(hasher);
                at = reference.target.end as usize;
            }
            document.text()[at..span.end as usize].trim_ascii_start().hash(hasher);
        }
    })
}

/// The findings in each file, without those about style.
fn diagnostics(workspace: &Workspace, paths: &[String]) -> BTreeMap<(String, &'static str), usize> {
    let project = workspace.project().unwrap();
    let mut counts = BTreeMap::new();
    for path in paths {
        let Some(file) = project.file(path) else { continue };
        let Ok(text) = project.read(file) else { continue };
        for found in workspace.diagnostics(path, &text) {
            *counts.entry((path.clone(), found.code)).or_default() += 1;
        }
    }
    counts
}

fn workspace(project: Project) -> Workspace {
    let overrides = Overrides { no_third_party: true, ..Overrides::default() };
    Workspace::of_project(project, Arc::new(Config::without_file(&overrides).unwrap()))
}

fn text_of(project: &Project, path: &str) -> Option<Vec<u8>> {
    project.read(project.file(path)?).ok().map(std::borrow::Cow::into_owned)
}

fn sub_ids(text: &[u8]) -> Vec<String> {
    let document = godot_tscn::parse(text);
    let subs = document.sections().filter(|section| section.kind() == TagKind::SubResource);
    subs.filter_map(|section| {
        Some(String::from_utf8(section.field_text("id")?.into_owned()).unwrap())
    })
    .collect()
}

/// At most this number of resources of one file is extracted.
const MOST_IN_ONE: usize = 1;

#[test]
fn extract_and_inline() {
    let (mut done, mut refused) = (0, BTreeMap::<String, usize>::new());
    for project in projects() {
        let mut workspace = workspace(project);
        let project = workspace.project().unwrap();
        let paths = project.text_files().into_iter().map(|file| project.path(file).to_owned());
        let paths: Vec<String> = paths.filter(|path| !path.ends_with(".escn")).collect();
        for path in paths {
            let Some(before) = text_of(workspace.project().unwrap(), &path) else { continue };
            let ids = sub_ids(&before);
            for id in ids.iter().step_by(ids.len().div_ceil(MOST_IN_ONE).max(1)) {
                match there_and_back(&mut workspace, &path, &before, id) {
                    Ok(()) => done += 1,
                    Err(error) => *refused.entry(kind_of(&error)).or_default() += 1,
                }
            }
        }
    }
    println!("{done} resources were extracted and came back; refused: {refused:#?}");
    let is_whole = testkit::shared::shared_dir().is_some() && !testkit::shared::is_sample();
    assert!(done > 500 || !is_whole, "{done}");
}

fn kind_of(error: &RefactorError) -> String {
    let text = error.to_string();
    let is_shared = text.contains("is also used by");
    let text = if is_shared {
        "a part is shared".to_owned()
    } else {
        text.split('`').step_by(2).collect::<Vec<_>>().join("…")
    };
    text.split(';').next().unwrap_or_default().to_owned()
}

fn there_and_back(
    workspace: &mut Workspace,
    path: &str,
    before: &[u8],
    id: &str,
) -> Result<(), RefactorError> {
    let project = workspace.project().unwrap();
    let is_script = godot_tscn::parse(before).sections().any(|section| {
        section.field_text("id").as_deref() == Some(id.as_bytes())
            && section.field_text("type").as_deref() == Some(b"GDScript")
    });
    let new = if is_script { "res://extracted_1.gd" } else { "res://extracted_1.tres" };
    let there = extract(project, path, id, new)?;
    let found_before = diagnostics(workspace, &[path.to_owned()]);
    carry_out(workspace.project_mut().unwrap(), &there, true);
    let result = judge(workspace, path, new, before, &found_before, is_script);
    carry_out(workspace.project_mut().unwrap(), &there, false);
    if let Err(error) = result {
        panic!("{path} {id}: {error}");
    }
    Ok(())
}

fn judge(
    workspace: &Workspace,
    path: &str,
    new: &str,
    before: &[u8],
    found_before: &BTreeMap<(String, &'static str), usize>,
    is_script: bool,
) -> Result<(), String> {
    let project = workspace.project().unwrap();
    let scene = text_of(project, path).unwrap();
    let found = diagnostics(workspace, &[path.to_owned(), new.to_owned()]);
    for (place, count) in &found {
        if count > found_before.get(place).unwrap_or(&0)
            && !is_of_the_resource(&place.0, path, place.1)
        {
            return Err(format!("{place:?} is new"));
        }
    }
    if is_script {
        return Ok(());
    }
    let document = godot_tscn::parse(&scene);
    let tag = document
        .sections()
        .find(|section| section.field_text("path").as_deref() == Some(new.as_bytes()));
    let ext = tag.and_then(|tag| tag.field_text("id")).ok_or("the file is not used")?;
    let back = inline(project, path, std::str::from_utf8(&ext).unwrap(), true)
        .map_err(|error| error.to_string())?;
    let after =
        back.files.iter().find(|file| file.path == path).ok_or("nothing came back")?.new_text();
    if meaning(&formatted(&after)) != meaning(&formatted(before)) {
        return Err(format!("not the same:\n{}", String::from_utf8_lossy(&after)));
    }
    let count = |text: &[u8]| sub_ids(text).len();
    if count(&after) != count(before) {
        return Err("another number of resources".to_owned());
    }
    if back.removals != [new] {
        return Err(format!("{:?}", back.removals));
    }
    Ok(())
}

/// The findings on the resource in the scene are now on the file.
fn is_of_the_resource(place: &str, scene: &str, _: &str) -> bool {
    place != scene
}

#[test]
fn merged_resources_say_the_same() {
    let (mut files, mut merged, mut doubts) = (0, 0, 0);
    for project in projects() {
        for file in project.text_files() {
            let path = project.path(file);
            let (false, Ok(before)) = (path.ends_with(".escn"), project.read(file)) else {
                continue;
            };
            let Ok(plan) = dedupe(&project, path) else { continue };
            doubts += plan.doubts.len();
            let Some(changed) = plan.files.first() else { continue };
            let after = changed.new_text();
            assert!(godot_tscn::refusal(&godot_tscn::parse(&after)).is_none(), "{path}");
            assert_eq!(meaning(&after), meaning(&before), "{path}");
            let options = godot_tscn::FormatOptions::for_path(path);
            assert!(
                godot_tscn::format(&before, &options).is_err()
                    || godot_tscn::format(&after, &options).is_ok(),
                "{path}"
            );
            files += 1;
            merged += sub_ids(&before).len() - sub_ids(&after).len();
        }
    }
    println!("{merged} resources became one with others in {files} files, {doubts} doubts");
}

#[test]
fn upgrades_are_done_once() {
    let (mut changed, mut new) = (0, 0);
    for project in projects() {
        let name = project.settings().name.clone();
        let target = GodotVersion::godot4(6);
        let mut workspace = workspace(project);
        let all = |project: &Project| -> Vec<String> {
            project.text_files().into_iter().map(|file| project.path(file).to_owned()).collect()
        };
        let paths = all(workspace.project().unwrap());
        let found_before = diagnostics(&workspace, &paths);
        let plan = upgrade(workspace.project().unwrap(), None, target, &[]).unwrap();
        changed += plan.files.iter().filter(|file| file.text().is_some()).count();
        new += plan.files.iter().filter(|file| file.text().is_none()).count();
        carry_out(workspace.project_mut().unwrap(), &plan, true);
        let again = upgrade(workspace.project().unwrap(), None, target, &[]).unwrap();
        assert!(again.is_empty(), "{name}: {:#?}", again.places.first());
        let found = diagnostics(&workspace, &paths);
        for (place, count) in &found {
            // The project says that it is of an older version, which does not know all of it.
            let is_newer = place.1 == "MIG009";
            assert!(
                is_newer || count <= found_before.get(place).unwrap_or(&0),
                "{name}: {place:?} is new"
            );
        }
    }
    println!("{changed} files changed, {new} are new");
}
