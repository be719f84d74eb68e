//! The contents of the tags of files.

use std::io;
use std::rc::Rc;

use godot_project::settings::lossy;
use godot_project::{Project, ResolvedPath};
use godot_tscn::{Section, TagKind, ValueTree};
use hashbrown::HashMap;

use crate::outline::{ConnectionOutline, SubResourceOutline};

/// The texts that were read, each once.
pub(super) struct Texts<'p> {
    project: &'p Project,
    by_path: HashMap<String, Rc<FileText>>,
}

/// The contents of one text.
#[derive(Debug, Default)]
pub(super) struct FileText {
    /// By number, as the project's facts count them.
    sections: Vec<SectionText>,
    pub(super) connections: Vec<ConnectionOutline>,
}

/// The contents of a section.
#[derive(Debug, Default)]
pub(super) struct SectionText {
    kind: Option<TagKind>,
    id: String,
    class: String,
    pub(super) groups: Vec<String>,
    pub(super) properties: Vec<String>,
    /// The value of the property `script`.
    pub(super) script: Option<String>,
}

impl<'p> Texts<'p> {
    pub(super) fn new(project: &'p Project) -> Self {
        Self { project, by_path: HashMap::new() }
    }

    /// The contents of the file at a path.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn read(&mut self, path: &str) -> io::Result<Rc<FileText>> {
        if let Some(text) = self.by_path.get(path) {
            return Ok(Rc::clone(text));
        }
        let file = self.project.file(path).ok_or(io::ErrorKind::NotFound)?;
        let bytes = self.project.read(file)?;
        let text = Rc::new(FileText::new(&godot_tscn::parse(&bytes)));
        self.by_path.insert(path.to_owned(), Rc::clone(&text));
        Ok(text)
    }

    /// [`Texts::read`]; nothing is said by a file that cannot be read.
    pub(super) fn get(&mut self, path: &str) -> Rc<FileText> {
        self.read(path).unwrap_or_default()
    }

    /// The script that a value in the file at `path` names: its path, or `::ID` for one inside the file.
    pub(super) fn script(&self, path: &str, value: &str) -> Option<String> {
        let tree = ValueTree::new(value.as_bytes());
        if let Some(id) = tree.root().inner_text("SubResource") {
            return Some(format!("::{}", lossy(&id)));
        }
        let id = lossy(&tree.root().inner_text("ExtResource")?);
        let facts = self.project.facts(self.project.file(path)?);
        let resource = facts.ext_resources.iter().rfind(|resource| resource.id == id)?;
        match self.project.resolve_external(path, resource) {
            ResolvedPath::File(file) => Some(self.project.path(file).to_owned()),
            ResolvedPath::Unseen(path) | ResolvedPath::Missing(path) => Some(path),
            ResolvedPath::Outside => resource.path.clone(),
        }
    }
}

impl FileText {
    fn new(document: &godot_tscn::Document<'_>) -> Self {
        let is_connection = |section: &Section<'_>| section.kind() == TagKind::Connection;
        Self {
            sections: document.sections().map(SectionText::new).collect(),
            connections: document.sections().filter(is_connection).map(connection).collect(),
        }
    }

    /// A section, by its number.
    pub(super) fn section(&self, index: u32) -> Option<&SectionText> {
        self.sections.get(index as usize)
    }

    pub(super) fn main_resource(&self) -> Option<&SectionText> {
        self.sections.iter().find(|section| section.kind == Some(TagKind::Resource))
    }

    pub(super) fn sub_resources(&self, texts: &Texts<'_>, path: &str) -> Vec<SubResourceOutline> {
        let subs =
            self.sections.iter().filter(|section| section.kind == Some(TagKind::SubResource));
        let outline = |section: &SectionText| SubResourceOutline {
            id: section.id.clone(),
            properties: section.properties.clone(),
            script: section.script.as_deref().and_then(|script| texts.script(path, script)),
            class: section.class.clone(),
        };
        subs.map(outline).collect()
    }
}

impl SectionText {
    fn new(section: Section<'_>) -> Self {
        let text = |name: &str| section.field_text(name).map(|text| lossy(&text));
        let groups = section.field("groups").map(|groups| {
            let tree = groups.value_tree();
            let names = tree.root().children().filter_map(|part| Some(lossy(&part.text()?)));
            names.collect()
        });
        let script = section.properties().rfind(|property| *property.engine_key() == *b"script");
        Self {
            kind: Some(section.kind()),
            id: text("id").unwrap_or_default(),
            class: text("type").unwrap_or_default(),
            groups: groups.unwrap_or_default(),
            properties: section
                .properties()
                .map(|property| lossy(&property.engine_key()))
                .collect(),
            script: script.map(|script| lossy(script.source())),
        }
    }
}

fn connection(section: Section<'_>) -> ConnectionOutline {
    let text = |name: &str| section.field_text(name).map(|text| lossy(&text)).unwrap_or_default();
    let number = |name: &str| section.field(name).and_then(godot_tscn::Field::int);
    ConnectionOutline {
        binds: section.field("binds").map(|binds| lossy(binds.source())),
        flags: number("flags"),
        from: text("from"),
        made_by: None,
        method: text("method"),
        signal: text("signal"),
        to: text("to"),
        unbinds: number("unbinds"),
    }
}
