//! Names in texts of scripts and scenes, such as input actions, and the places that define them.

use godot_project::Project;
use godot_project::names::{KindOfName, NameKind, RoleOfName, names_in_script};
use godot_project::script::source::ScriptSource;
use godot_project::settings::lossy;
use godot_tscn::{Document, PartRef, Span, parse_config};
use ls_types::{Location, Range};
use memchr::memmem;

use crate::at::within_quotes;
use crate::declared::{self, MemberKind};
use crate::objects::Object;
use crate::snapshot::{File, Snapshot};

/// A text that is a name.
#[derive(Debug)]
pub(crate) struct NameInText {
    pub(crate) kind: &'static NameKind,
    pub(crate) name: String,
    /// The text between the quotes.
    pub(crate) span: Span,
}

/// The name at a place of a script, or of a scene or resource.
pub(crate) fn at(
    project: &Project,
    file: &File,
    document: Option<&Document<'_>>,
    offset: u32,
) -> Option<NameInText> {
    if let Some(document) = document {
        return in_scene(project, file, document, offset);
    }
    project.scripts().script(project.file(&file.path)?)?;
    let source = ScriptSource::parse(file.text.bytes())?;
    let found = names_in_script(project, &source).find(|found| is_within(found.span, offset))?;
    Some(NameInText { kind: found.kind, name: found.name.to_owned(), span: found.span })
}

/// The places that define a name, the one in `project.godot` first.
pub(crate) fn definitions(
    snapshot: &Snapshot,
    file: &File,
    project: &Project,
    found: &NameInText,
) -> Vec<Location> {
    let location = |path| {
        let (uri, text) = snapshot.text_at(&file.project, path)?;
        let place = place(project, path, text.bytes(), found);
        Some(Location::new(uri, place.map_or_else(Range::default, |place| text.range(place))))
    };
    let files = files(project, found).into_iter().take(MOST_LOCATIONS).filter_map(location);
    in_settings(snapshot, file, found).into_iter().chain(files).collect()
}

/// What a name is, and what defines it.
pub(crate) fn description(project: &Project, found: &NameInText) -> String {
    let known = project.known_names(found.kind.id);
    let files = files(project, found);
    let shown: Vec<String> =
        files.iter().take(MOST_SHOWN).map(|path| format!("`{path}`")).collect();
    let defined = match files.len() - shown.len() {
        _ if known.is_of_engine(project, &found.name) => "defined by Godot".to_owned(),
        _ if files.is_empty() && known.names().any(|name| name == found.name) => {
            "defined in `res://project.godot`".to_owned()
        }
        _ if files.is_empty() => "no definition found".to_owned(),
        0 => format!("defined in {}", shown.join(", ")),
        more => format!("defined in {} and {more} more", shown.join(", ")),
    };
    format!("{} `{}`\n\n{defined}", found.kind.word, found.name)
}

const MOST_LOCATIONS: usize = 200;
const MOST_SHOWN: usize = 5;

fn in_scene(
    project: &Project,
    file: &File,
    document: &Document<'_>,
    offset: u32,
) -> Option<NameInText> {
    let section = document.section_at(offset)?;
    let found = |kind, part: PartRef<'_>| {
        let span = within_quotes(document, part.span());
        Some(NameInText { kind, name: lossy(&part.text()?), span })
    };
    let groups = section.field("groups");
    if let Some(groups) = groups.filter(|groups| is_within(groups.value_span(), offset)) {
        let tree = groups.value_tree();
        let group = tree.root().children().find(|group| is_within(group.span(), offset))?;
        return found(NameKind::of(KindOfName::Group), group);
    }
    let mut properties = section.properties();
    let property = properties.find(|property| is_within(property.value_span(), offset))?;
    let class = Object::of(project, &file.path, document, section).class?;
    let key = lossy(&property.engine_key());
    let (kind, _) = NameKind::of_property(project.classes(), &class, &key)?;
    found(kind, property.value_tree().root())
}

/// The paths of the files that define a name.
fn files<'p>(project: &'p Project, found: &NameInText) -> Vec<&'p str> {
    let files = project.known_names(found.kind.id).files(&found.name);
    let mut paths: Vec<&str> = files.iter().map(|file| project.path(*file)).collect();
    paths.sort_unstable();
    paths
}

/// Where a file defines a name.
fn place(project: &Project, path: &str, text: &[u8], found: &NameInText) -> Option<Span> {
    let name = found.name.as_bytes();
    let member = match found.kind.id {
        KindOfName::Signal => Some(MemberKind::Signal),
        KindOfName::Method => Some(MemberKind::Method),
        KindOfName::Property => Some(MemberKind::Property),
        _ => None,
    };
    if let Some(member) = member {
        return declared::place(text, member, name);
    }
    let source = path.ends_with(".gd").then(|| ScriptSource::parse(text)).flatten();
    let in_call = source.and_then(|source| {
        let defines = names_in_script(project, &source).find(|used| {
            used.role == RoleOfName::Defines
                && used.kind.id == found.kind.id
                && used.name == found.name
        })?;
        Some(defines.span)
    });
    let spans =
        || memmem::find_iter(text, name).map(|at| Span::new(at as u32, (at + name.len()) as u32));
    let is_quoted = |span: &Span| {
        text[..span.start as usize].ends_with(b"\"") && text[span.end as usize..].starts_with(b"\"")
    };
    let is_word = |span: &Span| declared::word(text, span.start) == Some(*span);
    in_call.or_else(|| spans().find(is_quoted)).or_else(|| spans().find(is_word))
}

/// The setting in `project.godot` that defines a name.
fn in_settings(snapshot: &Snapshot, file: &File, found: &NameInText) -> Option<Location> {
    let setting = format!("{}{}", found.kind.settings()?, found.name);
    let (section, key) = setting.split_once('/')?;
    let (uri, text) = snapshot.text_at(&file.project, "res://project.godot")?;
    let config = parse_config(text.bytes());
    let property = config.get(section.as_bytes(), key.as_bytes())?;
    Some(Location::new(uri, text.range(property.key_span())))
}

fn is_within(span: Span, offset: u32) -> bool {
    span.start <= offset && offset <= span.end
}
