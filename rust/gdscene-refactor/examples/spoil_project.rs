//! Spoils the project in a folder in ways that safe fixes repair, and prints the number of each. The ways are stale or
//! missing uids, old paths or paths in the wrong case, lost `.uid` files, wrong script classes, `editable` tags, and classes
//! of Godot 3.
//!
//! ```text
//! cargo run --release -p gdscene-refactor --example spoil_project -- FOLDER
//! ```
//! Always the same in the same project. `scripts/test/project/fixes.sh` lets Godot load it before, and after the repair.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::{env, fs, io};

use godot_project::{ExtResource, FileId, Project, ResolvedPath};
use godot_tscn::{Edit, EditSet, Section, TagKind};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).expect("the folder of a project");
    let project = Project::open(&folder).expect("a project");
    let root = project.root().expect("it was opened from a folder");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let forgotten = forget_uids(&project, root, &mut counts)?;
    for (index, file) in project.text_files().into_iter().enumerate() {
        // Files of an importer or an exporter are not edited by hand.
        if project.path(file).ends_with(".escn") || project.import(file).is_some() {
            continue;
        }
        let text = project.read(file)?.into_owned();
        let document = godot_tscn::parse(&text);
        if document.is_incomplete() {
            continue;
        }
        let spoiler = Spoiler { project: &project, forgotten: &forgotten, file, index };
        let mut edits = Vec::new();
        for section in document.sections() {
            spoiler.section(section, &mut edits, &mut counts);
        }
        let end = text.trim_ascii_end().len() as u32;
        let is_scene = project.facts(file).scene.is_some();
        if is_scene && index.is_multiple_of(3) {
            edits.push(Edit::insert(end, "\n\n[editable path=\"NoSuchNode\"]"));
            *counts.entry("TREE009").or_default() += 1;
        }
        let mut set = EditSet::default();
        // One that touches another is left out.
        edits.iter().for_each(|edit| _ = set.add(std::slice::from_ref(edit)));
        fs::write(root.join(&project.path(file)["res://".len()..]), set.apply(&text))?;
    }
    for (code, count) in counts {
        println!("{code} spoilt {count} times");
    }
    Ok(())
}

/// Chooses files that lose their uid: scenes and resources the one in their header, scripts the file next to them, which is
/// removed here.
fn forget_uids(
    project: &Project,
    root: &Path,
    counts: &mut BTreeMap<&str, usize>,
) -> io::Result<HashSet<FileId>> {
    let mut called = HashSet::new();
    for file in project.files() {
        for resource in &project.facts(file).ext_resources {
            let target = project.resolve_external(project.path(file), resource);
            if let (ResolvedPath::File(to), true) = (target, resource.uid.is_some()) {
                called.insert(to);
            }
        }
    }
    let mut forgotten = HashSet::new();
    for (index, file) in project.files().enumerate() {
        let path = project.path(file);
        let beside = root.join(format!("{}.uid", &path["res://".len()..]));
        if !index.is_multiple_of(3) || !called.contains(&file) || project.import(file).is_some() {
            continue;
        }
        if path.ends_with(".gd") && beside.is_file() {
            fs::remove_file(beside)?;
            *counts.entry("RES011").or_default() += 1;
            forgotten.insert(file);
        } else if project.facts(file).uid.is_some() && path.ends_with('n') {
            forgotten.insert(file);
        }
    }
    Ok(forgotten)
}

struct Spoiler<'p> {
    project: &'p Project,
    forgotten: &'p HashSet<FileId>,
    file: FileId,
    index: usize,
}

impl Spoiler<'_> {
    fn section(
        &self,
        section: Section<'_>,
        edits: &mut Vec<Edit>,
        counts: &mut BTreeMap<&str, usize>,
    ) {
        let mut note = |code: &'static str, edit: Option<Edit>| {
            *counts.entry(code).or_default() += usize::from(edit.is_some());
            edits.extend(edit);
        };
        let field = |name: &str| section.field(name);
        match section.kind() {
            TagKind::GdScene | TagKind::GdResource => {
                let class = field("script_class");
                note("RES012", class.map(|field| Edit::replace(field.value_span(), "\"Wrong\"")));
                let uid = field("uid").filter(|_| self.forgotten.contains(&self.file));
                note("RES014", uid.map(|field| Edit::remove(field.span())));
            }
            TagKind::ExtResource => {
                let facts = self.project.facts(self.file);
                let resources = &facts.ext_resources;
                let resource = resources.iter().find(|found| found.section == section.index());
                if let Some((code, edit)) = resource.and_then(|found| self.external(section, found))
                {
                    note(code, Some(edit));
                }
            }
            TagKind::Editable if self.index.is_multiple_of(2) => {
                note("TREE008", Some(Edit::remove(section.tag_span())));
            }
            TagKind::Node | TagKind::SubResource if section.index().is_multiple_of(2) => {
                let class = field("type");
                let name = class.and_then(godot_tscn::Field::text);
                let old = name.and_then(|name| match &*name {
                    b"Node3D" => Some("Spatial"),
                    b"MeshInstance3D" => Some("MeshInstance"),
                    b"StandardMaterial3D" => Some("SpatialMaterial"),
                    b"CollisionShape3D" => Some("CollisionShape"),
                    b"Sprite2D" => Some("Sprite"),
                    _ => None,
                });
                let edit = class.zip(old);
                let edit = edit
                    .map(|(field, old)| Edit::replace(field.value_span(), format!("\"{old}\"")));
                note("MIG002", edit);
            }
            _ => {}
        }
    }

    /// One of the ways to spoil a reference, if its file can still be determined.
    fn external(
        &self,
        section: Section<'_>,
        resource: &ExtResource,
    ) -> Option<(&'static str, Edit)> {
        let project = self.project;
        let path = resource.path.as_deref()?;
        let ResolvedPath::File(file) = project.resolve(project.path(self.file), path) else {
            return None;
        };
        let uid = resource.uid?;
        let is_plain = project.files_with_uid(uid) == [file] && !path.contains("::");
        if !is_plain || self.forgotten.contains(&file) || !path.starts_with("res://") {
            return None;
        }
        let (uid, path_field) = (section.field("uid")?, section.field("path")?);
        match (self.index + section.index() as usize) % 5 {
            0 => Some(("RES003", Edit::replace(uid.value_span(), "\"uid://dxvykxmnsgcl4\""))),
            1 => Some(("RES004", Edit::remove(uid.span()))),
            2 => {
                let old = format!("\"res://before_it_moved/{}\"", &path["res://".len()..]);
                Some(("RES002", Edit::replace(path_field.value_span(), old)))
            }
            3 => {
                let other = path["res://".len()..].to_uppercase();
                let is_other = format!("res://{other}") != path;
                let edit = Edit::replace(path_field.value_span(), format!("\"res://{other}\""));
                is_other.then_some(("RES006", edit))
            }
            _ => None,
        }
    }
}
