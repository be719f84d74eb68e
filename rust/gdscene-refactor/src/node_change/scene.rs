//! The paths in the text of a scene.

use std::borrow::Cow;
use std::cell::LazyCell;

use godot_project::animation_roots::AnimationRoots;
use godot_project::instances::instanced;
use godot_project::node_paths::{each_path, exported_paths, path_in};
use godot_project::object_type::Member;
use godot_project::settings::lossy;
use godot_project::tree::Uses;
use godot_project::{FileId, SceneContext};
use godot_tscn::{Field, PartRef, Section, Span, TagKind, ValueKind};
use hashbrown::{HashMap, HashSet};

use crate::draft::FileDraft;
use crate::node_change::rewrite::{Names, Seen, View, joined, names_of};
use crate::node_change::{ChangeKind, NodeChange, resources};

/// A scene with changed text.
pub(super) struct SceneText<'a, 'c, 'p> {
    pub(super) change: &'a NodeChange<'p>,
    pub(super) file: FileId,
    pub(super) context: &'a SceneContext<'c>,
    pub(super) view: View<'a, 'p>,
    /// The root of each node that plays animations, by section.
    pub(super) players: HashMap<u32, Names>,
    pub(super) roots: AnimationRoots,
}

/// Changes all paths in the text of a scene.
pub(super) fn change(
    change: &NodeChange<'_>,
    file: FileId,
    draft: &mut FileDraft,
    in_scene: &impl Fn(&SceneContext<'_>, &mut FileDraft),
) {
    let text = std::sync::Arc::clone(&draft.text);
    let document = godot_tscn::parse(&text);
    let context = SceneContext::new(change.project, change.project.path(file), &document);
    let roots = AnimationRoots::of(&context);
    let players = roots.players().iter().map(|(section, root)| (*section, names_of(&root.0)));
    let players = players.collect();
    let view = change.view(file);
    let scene = SceneText { change, file, context: &context, view, players, roots };
    scene.tags(draft);
    scene.connections(draft);
    resources::change(&scene, draft);
    in_scene(&context, draft);
}

/// The scenes that lie in one that has the node: their paths may lead out of them and to the node.
pub(super) fn scenes_inside(change: &NodeChange<'_>) -> HashSet<FileId> {
    let mut open = change.scenes();
    let mut inside: HashSet<FileId> = HashSet::new();
    while let Some(file) = open.pop() {
        let inner = instanced(change.project, file).into_iter();
        // Not models: the importer's result has no text.
        let is_text = |inner: &FileId| change.project.facts(*inner).scene.is_some();
        open.extend(inner.filter(is_text).filter(|inner| inside.insert(*inner)));
    }
    inside
}

/// The path as a text literal.
pub(crate) fn quoted(path: &str) -> String {
    format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
}

impl SceneText<'_, '_, '_> {
    /// The new form of a path from the node at `base`; if it leads above the root, in all scenes that have this one.
    pub(super) fn seen(&self, base: &[String], path: &str) -> Seen {
        seen_everywhere(self.change, &self.view, self.file, base, path)
    }

    fn tags(&self, draft: &mut FileDraft) {
        let tree = self.context.tree();
        for (index, tag) in tree.tags().iter().enumerate() {
            let section = self.context.section(tag.section);
            let Some(path) = tree.path_of_tag(index as u32) else { continue };
            let path = names_of(&path);
            if index > 0 && self.view.has_node() {
                self.fields(section, &path, draft);
            }
            self.properties(section, &path, draft);
        }
    }

    /// The name and the parent of a tag, and its owner.
    fn fields(&self, section: Section<'_>, path: &[String], draft: &mut FileDraft) {
        let target = self.view.target(path);
        if let (Some(_), ChangeKind::Rename(name), Some(field)) =
            (target, &self.change.kind, section.field("name"))
        {
            draft.edit(field.value_span(), quoted(name), "name of the node");
        }
        if let Some(field) = section.field("parent") {
            match (target, &self.change.kind) {
                (Some(placed), ChangeKind::Move) => {
                    let (_, parent) = placed.new.split_last().expect("it is below the root");
                    let parent = self.view.after(parent);
                    draft.edit(field.value_span(), quoted(&joined(&parent)), "parent of the node");
                }
                _ => self.seen_by_root(field, "parent of a node", draft),
            }
        }
        if let Some(field) = section.field("owner") {
            self.seen_by_root(field, "owner of a node", draft);
        }
    }

    /// A path that is seen from the root.
    fn seen_by_root(&self, field: Field<'_>, what: &'static str, draft: &mut FileDraft) {
        let Some(path) = field.text() else { return };
        match self.view.rewrite(&[], &lossy(&path)) {
            Seen::Same => {}
            Seen::New(new) => draft.edit(field.value_span(), quoted(&new), what),
            Seen::Unclear(why) => draft.doubt(field.value_span(), format!("{what}: {why}")),
        }
    }

    fn connections(&self, draft: &mut FileDraft) {
        for section in self.context.document.sections() {
            let fields: &[(&str, &'static str)] = match section.kind() {
                TagKind::Connection => &[
                    ("from", "node that emits the signal"),
                    ("to", "node that receives the signal"),
                ],
                TagKind::Editable => &[("path", "node whose children are editable")],
                _ => continue,
            };
            if self.view.has_node() {
                for (name, what) in fields {
                    if let Some(field) = section.field(name) {
                        self.seen_by_root(field, what, draft);
                    }
                }
            }
            if let Some(binds) = section.field("binds") {
                let tree = binds.value_tree();
                self.unseen(
                    tree.root(),
                    "the method that gets the path decides where it starts",
                    draft,
                );
            }
        }
    }

    fn properties(&self, section: Section<'_>, path: &[String], draft: &mut FileDraft) {
        let moves = self.view.moves(path);
        let exported = LazyCell::new(|| exported_paths(section));
        for property in section.properties() {
            let source = property.source();
            let is_text = property.kind() == ValueKind::String;
            if !(is_text || memchr::memmem::find(source, b"NodePath(").is_some())
                || !(moves || self.change.is_named_in(source))
            {
                continue;
            }
            let key = lossy(&property.engine_key());
            let tree = property.value_tree();
            if is_text {
                if self.takes_path(section, &key) {
                    self.path_in(tree.root(), path, &key, draft);
                }
                continue;
            }
            match key.as_str() {
                // The remains of an import of Godot 3.
                "_import_path" => {}
                "root_motion_track" => match self.players.get(&section.index()) {
                    Some(root) => self.paths_in(tree.root(), root, &key, draft),
                    None => {
                        self.unseen(
                            tree.root(),
                            "cannot determine the root node of the animations",
                            draft,
                        );
                    }
                },
                _ if key.starts_with("metadata/") => {
                    self.unseen(
                        tree.root(),
                        "cannot determine what the path in the metadata is for",
                        draft,
                    );
                }
                _ if exported.contains(key.as_bytes()) => {
                    self.paths_in(tree.root(), path, &key, draft);
                }
                _ if matches!(self.context.attached(section).property(&key), Member::Nothing) => {
                    self.unseen(tree.root(), "the node has no such property", draft);
                }
                _ => self.paths_in(tree.root(), path, &key, draft),
            }
        }
    }

    /// Changes the paths in a value, which are seen from the node at `base`.
    pub(super) fn paths_in(
        &self,
        value: PartRef<'_>,
        base: &[String],
        key: &str,
        draft: &mut FileDraft,
    ) {
        each_path(value, &mut |part| self.path_in(part, base, key, draft));
    }

    fn path_in(&self, value: PartRef<'_>, base: &[String], key: &str, draft: &mut FileDraft) {
        let Some((text, path)) = path_in(value) else { return };
        let seen = self.seen(base, &path);
        note(draft, text.span(), seen, || format!("path in `{key}`").into());
    }

    /// Whether Godot makes a path of a text in the property.
    fn takes_path(&self, section: Section<'_>, key: &str) -> bool {
        match self.context.attached(section).property(key) {
            Member::Native(found) => found.type_name() == "NodePath",
            Member::Script(found) => found.type_name.as_deref() == Some("NodePath"),
            Member::Unknown | Member::Nothing => false,
        }
    }

    /// Notes the paths in a value that may lead to the node, if their start is unknown.
    pub(super) fn unseen(&self, value: PartRef<'_>, why: &'static str, draft: &mut FileDraft) {
        each_path(value, &mut |part| {
            let path = part.inner_text("NodePath");
            if path.is_some_and(|path| self.change.is_on_path(&lossy(&path))) {
                draft.doubt(part.span(), why);
            }
        });
    }
}

/// Writes the new path.
pub(super) fn note(
    draft: &mut FileDraft,
    span: Span,
    seen: Seen,
    what: impl FnOnce() -> Cow<'static, str>,
) {
    match seen {
        Seen::Same => {}
        Seen::New(new) => draft.edit(span, quoted(&new), what()),
        Seen::Unclear(why) => draft.doubt(span, why),
    }
}

/// The new form of a path from the node at `base` in the scene `file`. A path that leads above the root is checked in
/// all scenes that have this one: it changes if it leads to the node in each of them.
pub(super) fn seen_everywhere(
    change: &NodeChange<'_>,
    view: &View<'_, '_>,
    file: FileId,
    base: &[String],
    path: &str,
) -> Seen {
    let seen = view.rewrite(base, path);
    if !matches!(seen, Seen::Unclear(_)) || path.starts_with('/') {
        return seen;
    }
    let uses = Uses::of(change.project, file);
    let mut all: Vec<Seen> = Vec::new();
    for (user, root) in uses.places(change.project) {
        let base: Names = names_of(root).iter().chain(base).cloned().collect();
        let there = change.view(user).rewrite(&base, path);
        // The scenes that use this one decide.
        let is_above = matches!(there, Seen::Unclear(_))
            && Uses::of(change.project, user).places(change.project).next().is_some();
        if !is_above && !all.contains(&there) {
            all.push(there);
        }
    }
    match all.as_slice() {
        _ if uses.has_more() => seen,
        [Seen::Same] => Seen::Same,
        [one @ Seen::New(_)] => one.clone(),
        [] => seen,
        _ => Seen::Unclear(
            "the path leads out of the scene, and to different nodes in different places",
        ),
    }
}

impl NodeChange<'_> {
    /// Whether a path has the name of the node in it.
    pub(super) fn is_on_path(&self, path: &str) -> bool {
        let nodes = path.split(':').next().unwrap_or_default();
        nodes.split('/').any(|piece| piece.strip_prefix('%').unwrap_or(piece) == self.name)
    }
}
