//! The meaning of the ids of resources: the path of a file, or the class of a resource and its name or first user.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::document::{Section, TagKind};
use crate::merge::content::references_in;
use crate::merge::names::{Names, quoted};
use crate::merge::rows::Row;
use crate::merge::side::{BASE, NONE, Side, THEIRS};
use crate::merge::tree::path_of;
use crate::span::Span;
use crate::value::tree::PartKind;

/// So long are the labels at most, which stand once for each use of a resource.
const MAX_PATH: usize = 200;
const MAX_TITLE: usize = 80;

/// For each row that is a resource, the replacement of its id. No two are equal.
#[derive(Debug)]
pub(super) struct Labels {
    of: Vec<Option<Box<str>>>,
}

impl Labels {
    pub(super) fn new(names: &Names<'_, '_>) -> Self {
        let titles = [BASE, THEIRS].map(|side| titles(&names.sides[side]));
        let mut taken: HashMap<String, u32> = HashMap::new();
        let mut label = |(index, row): (usize, &Row)| {
            let side = if row.is_in(THEIRS) { THEIRS } else { BASE };
            let section = names.sides[side].section(row.at[side]);
            let (before, title) = match row.kind {
                TagKind::ExtResource => {
                    let path = section.field_text("path").unwrap_or_default();
                    (String::new(), shortened(&path, MAX_PATH))
                }
                TagKind::SubResource => {
                    let class = section.field_text("type").unwrap_or_default();
                    // Only the old text may use it.
                    let title = titles[usize::from(side == THEIRS)]
                        .get(&section.index())
                        .or_else(|| titles[0].get(&row.at[BASE]))
                        .cloned();
                    let title = title.unwrap_or_else(|| {
                        shortened(&section.field_text("id").unwrap_or_default(), MAX_TITLE)
                    });
                    (format!("{} ", shortened(&class, MAX_TITLE)), title)
                }
                _ => return None,
            };
            let written = |title: &str| format!("{before}{}", text_quoted(title));
            let number = taken.entry(written(&title)).or_default();
            *number += 1;
            if *number == 1 {
                return Some(written(&title).into_boxed_str());
            }
            let numbered = written(&format!("{title} ({number})"));
            let count = taken.entry(numbered.clone()).or_default();
            *count += 1;
            match *count {
                1 => Some(numbered.into_boxed_str()),
                // A resource has that very name.
                _ => Some(written(&format!("{title} (({index}))")).into_boxed_str()),
            }
        };
        Self { of: names.rows.rows.iter().enumerate().map(&mut label).collect() }
    }

    /// The name of a resource.
    pub(super) fn get(&self, row: u32) -> Option<&str> {
        self.of.get(row as usize)?.as_deref()
    }

    /// The ids in a part of a section, and the meaning of each.
    pub(super) fn edits<'d>(
        &self,
        names: &Names<'_, 'd>,
        side: usize,
        section: Section<'d>,
        span: Span,
        edits: &mut Vec<(Span, Vec<u8>)>,
    ) {
        for reference in references_in(section, span) {
            let Some(target) = names.sides[side].target(reference) else { continue };
            if let Some(label) = self.get(names.rows.of[side][target as usize]) {
                edits.push((reference.target, label.as_bytes().to_vec()));
            }
        }
    }
}

/// The middle of a long text is left out.
pub(super) fn shortened(text: &[u8], max: usize) -> String {
    let text = String::from_utf8_lossy(text);
    if text.len() <= max {
        return text.into_owned();
    }
    let mut head = max / 2;
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    let mut tail = text.len() - max / 2;
    while !text.is_char_boundary(tail) {
        tail += 1;
    }
    format!("{}…{}", &text[..head], &text[tail..])
}

/// A string with quotes.
pub(super) fn text_quoted(text: &str) -> String {
    String::from_utf8_lossy(&quoted(text.as_bytes())).into_owned()
}

/// The first use of a `sub_resource`.
struct Use<'d> {
    user: Section<'d>,
    key: Cow<'d, [u8]>,
    /// Its key in a dictionary.
    name: Option<String>,
}

/// For the `sub_resource`s of a text, by section: their name, or the user and property that they are
/// for.
fn titles(side: &Side<'_>) -> HashMap<u32, String> {
    let uses = first_uses(side);
    let mut titles: HashMap<u32, String> = HashMap::new();
    // Users come after the resources that they use.
    let count = side.document.sections().len() as u32;
    let mut places: HashMap<u32, String> = HashMap::new();
    for index in (0..count).rev() {
        let section = side.section(index);
        if section.kind() != TagKind::SubResource {
            continue;
        }
        let named = section.properties().rfind(|property| &*property.key() == b"resource_name");
        let name = named.and_then(|property| {
            property.value_tree().root().text().map(|name| shortened(&name, MAX_TITLE))
        });
        let title = name.filter(|name| !name.is_empty()).or_else(|| {
            let used = uses.get(&index)?;
            if let Some(name) = &used.name {
                return Some(name.clone());
            }
            let user = used.user.index();
            let place = match used.user.kind() {
                TagKind::SubResource => titles.get(&user)?.clone(),
                TagKind::Node => places.entry(user).or_insert_with(|| place(side, user)).clone(),
                _ => return Some(shortened(&used.key, MAX_TITLE)),
            };
            let key = String::from_utf8_lossy(&used.key);
            Some(shortened(format!("{place}:{key}").as_bytes(), MAX_TITLE))
        });
        titles.extend(title.map(|title| (index, title)));
    }
    titles
}

fn place(side: &Side<'_>, node: u32) -> String {
    let path = path_of(&side.tree, side.node_of[node as usize]);
    if path.is_empty() { ".".to_owned() } else { shortened(&path, MAX_TITLE) }
}

fn first_uses<'d>(side: &Side<'d>) -> HashMap<u32, Use<'d>> {
    let mut uses: HashMap<u32, Use<'d>> = HashMap::new();
    for user in side.document.sections().filter(|section| !section.references().is_empty()) {
        for property in user.properties() {
            let key = property.engine_key();
            let mut is_new = false;
            for reference in references_in(user, property.value_span()) {
                let target = side.target(reference).unwrap_or(NONE);
                if target == NONE || side.section(target).kind() != TagKind::SubResource {
                    continue;
                }
                uses.entry(target).or_insert_with(|| {
                    is_new = true;
                    let name = key.strip_prefix(b"anims/").map(|name| shortened(name, MAX_TITLE));
                    Use { user, key: key.clone(), name }
                });
            }
            if !is_new {
                continue;
            }
            let tree = property.value_tree();
            let root = tree.root();
            if root.kind() != PartKind::Dictionary {
                continue;
            }
            for (name, value) in root.entries() {
                let Some(id) = value.inner_text("SubResource") else { continue };
                let target = side.subs.get(&*id).and_then(|target| uses.get_mut(target));
                let Some(target) = target.filter(|found| found.user.index() == user.index()) else {
                    continue;
                };
                let name = name.text().filter(|name| !name.is_empty());
                target.name = name.map(|name| shortened(&name, MAX_TITLE));
            }
        }
    }
    uses
}
