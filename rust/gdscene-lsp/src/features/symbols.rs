//! The tree of nodes, and the resources, of a text.

use std::collections::HashMap;

use godot_tscn::{Section, Span, TagKind};
use ls_types::request::DocumentSymbolRequest;
use ls_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, SymbolInformation,
    SymbolKind, Uri,
};

use crate::at;
use crate::features::Answer;
use crate::snapshot::{Failure, Snapshot};
use crate::text::Text;

impl Answer for DocumentSymbolRequest {
    fn answer(
        snapshot: &Snapshot,
        params: DocumentSymbolParams,
    ) -> Result<Option<DocumentSymbolResponse>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        if !file.is_in_notation() {
            return Ok(None);
        }
        let tree = match godot_tscn::is_config_path(&file.path) {
            true => of_settings(&file.text),
            false => of_scene(&file.text),
        };
        Ok(Some(match snapshot.client.features.shows_symbol_trees {
            true => DocumentSymbolResponse::Nested(tree),
            false => DocumentSymbolResponse::Flat(flat(tree, &file.uri)),
        }))
    }
}

/// A symbol before its children are put below it.
struct Entry {
    symbol: DocumentSymbol,
    parent: Option<usize>,
}

fn of_scene(text: &Text) -> Vec<DocumentSymbol> {
    let document = godot_tscn::parse(text.bytes());
    let mut entries: Vec<Entry> = Vec::new();
    let mut by_path: HashMap<String, usize> = HashMap::new();
    for section in document.sections() {
        let Some((name, detail, kind)) = described(section) else { continue };
        let symbol = symbol(text, name, detail, kind, section);
        let path = at::node_path(section);
        let parent = path.as_deref().filter(|path| *path != ".").and_then(|path| {
            let parent = path.rsplit_once('/').map_or(".", |(parent, _)| parent);
            by_path.get(parent).copied()
        });
        if let Some(path) = path {
            by_path.entry(path).or_insert(entries.len());
        }
        entries.push(Entry { symbol, parent });
    }
    nested(entries)
}

/// Name, detail and kind of a section; nothing if there is nothing to show.
fn described(section: Section<'_>) -> Option<(String, String, SymbolKind)> {
    let text =
        |name| section.field_text(name).map(|text| String::from_utf8_lossy(&text).into_owned());
    let class = || text("type").unwrap_or_default();
    Some(match section.kind() {
        TagKind::Node => {
            let detail = text("type").unwrap_or_else(|| match section.field("instance") {
                Some(_) => "instance".to_owned(),
                None => "changed here".to_owned(),
            });
            (text("name")?, detail, SymbolKind::OBJECT)
        }
        TagKind::ExtResource => (text("path").or_else(|| text("uid"))?, class(), SymbolKind::FILE),
        TagKind::SubResource => (text("id")?, class(), SymbolKind::STRUCT),
        TagKind::Resource => ("resource".to_owned(), String::new(), SymbolKind::STRUCT),
        TagKind::Connection => {
            let name = format!("{}.{}", text("from")?, text("signal")?);
            (name, format!("{}.{}()", text("to")?, text("method")?), SymbolKind::EVENT)
        }
        _ => return None,
    })
}

fn symbol(
    text: &Text,
    name: String,
    detail: String,
    kind: SymbolKind,
    section: Section<'_>,
) -> DocumentSymbol {
    let selection = ["name", "id", "signal"].iter().find_map(|name| section.field(name));
    let selection = selection.map_or(section.tag_span(), godot_tscn::Field::value_span);
    made(text, (name, detail, kind), section.span(), selection)
}

#[expect(deprecated, reason = "the type has a field that is not used any more")]
fn made(
    text: &Text,
    (name, detail, kind): (String, String, SymbolKind),
    span: Span,
    selection: Span,
) -> DocumentSymbol {
    DocumentSymbol {
        // A client may refuse the empty name.
        name: if name.is_empty() { "\"\"".to_owned() } else { name },
        detail: Some(detail),
        kind,
        tags: None,
        deprecated: None,
        range: text.range(span),
        selection_range: text.range(selection),
        children: None,
    }
}

/// Each symbol below its parent, which comes before it.
fn nested(entries: Vec<Entry>) -> Vec<DocumentSymbol> {
    let mut children: Vec<Vec<DocumentSymbol>> = entries.iter().map(|_| Vec::new()).collect();
    let mut roots = Vec::new();
    for (index, Entry { mut symbol, parent }) in entries.into_iter().enumerate().rev() {
        let mut below = std::mem::take(&mut children[index]);
        below.reverse();
        symbol.children = (!below.is_empty()).then_some(below);
        match parent.filter(|parent| *parent < index) {
            Some(parent) => children[parent].push(symbol),
            None => roots.push(symbol),
        }
    }
    roots.reverse();
    roots
}

fn of_settings(text: &Text) -> Vec<DocumentSymbol> {
    let document = godot_tscn::parse_config(text.bytes());
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut symbols = Vec::new();
    for section in document.sections() {
        let mut keys = Vec::new();
        for property in section.properties() {
            let span = Span::new(property.key_span().start, property.value_span().end);
            let named = (lossy(&property.key()), String::new(), SymbolKind::PROPERTY);
            keys.push(made(text, named, span, property.key_span()));
        }
        // Text before the first section has none around it.
        let Some(tag) = section.tag_span() else {
            symbols.append(&mut keys);
            continue;
        };
        let last = section.properties().next_back();
        let end = last.map_or(tag.end, |property| property.value_span().end);
        let named = (lossy(&section.name()), String::new(), SymbolKind::MODULE);
        let symbol = made(text, named, Span::new(tag.start, end.max(tag.end)), tag);
        symbols.push(DocumentSymbol { children: Some(keys), ..symbol });
    }
    symbols
}

/// For clients that know no trees: the name of the parent is the container's.
fn flat(tree: Vec<DocumentSymbol>, uri: &Uri) -> Vec<SymbolInformation> {
    let mut all = Vec::new();
    let mut left: Vec<(DocumentSymbol, Option<String>)> =
        tree.into_iter().rev().map(|symbol| (symbol, None)).collect();
    while let Some((mut symbol, container)) = left.pop() {
        for child in symbol.children.take().into_iter().flatten().rev() {
            left.push((child, Some(symbol.name.clone())));
        }
        all.push(information(symbol, container, uri));
    }
    all
}

#[expect(deprecated, reason = "the type has a field that is not used any more")]
fn information(symbol: DocumentSymbol, container: Option<String>, uri: &Uri) -> SymbolInformation {
    SymbolInformation {
        name: symbol.name,
        kind: symbol.kind,
        tags: None,
        deprecated: None,
        location: Location::new(uri.clone(), symbol.range),
        container_name: container,
    }
}
