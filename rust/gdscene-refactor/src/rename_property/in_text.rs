//! The variable's values in a scene or resource.

use std::rc::Rc;
use std::sync::Arc;

use godot_project::animation_roots::{AnimationRoots, Roots, each_root_of_file};
use godot_project::node_paths::{each_path, node_path, path_in};
use godot_project::{FileId, NodeInTree, NodeLookup, SceneContext};
use godot_tscn::{Field, PartRef, Property, Section, Span, TagKind};
use hashbrown::HashMap;

use crate::RefactorError;
use crate::draft::FileDraft;
use crate::rename_member::doubt_inner_script;
use crate::rename_property::owner::{Owner, Verdict};
use crate::whole_word::first_word;

/// Renames the variable's values in one text.
pub(super) fn rename(
    owner: &Owner<'_>,
    file: FileId,
    draft: &mut FileDraft,
) -> Result<(), RefactorError> {
    let text = Arc::clone(&draft.text);
    let document = godot_tscn::parse(&text);
    let path = owner.project.path(file);
    let context = SceneContext::new(owner.project, path, &document);
    if context.hides_sections || document.is_incomplete() {
        if let Some(at) = memchr::memmem::find(&text, owner.old.as_bytes()) {
            let at = Span::new(at as u32, (at + owner.old.len()) as u32);
            draft.doubt(at, "the file has errors and cannot be read completely; repair it first");
        }
        return Ok(());
    }
    let mut work = Work { owner, context: &context, draft };
    for section in document.sections() {
        if section.kind_of_name().holds_object() {
            work.keys(section)?;
            work.built_in_script(section);
            work.expression(section);
        }
    }
    work.paths();
    Ok(())
}

struct Work<'w, 'c> {
    owner: &'w Owner<'w>,
    context: &'w SceneContext<'c>,
    draft: &'w mut FileDraft,
}

impl<'c> Work<'_, 'c> {
    /// The keys of properties, and the names in `node_paths`.
    fn keys(&mut self, section: Section<'c>) -> Result<(), RefactorError> {
        let old = self.owner.old.as_bytes();
        let mut keys = section.properties().filter(|property| *property.engine_key() == *old);
        let first = keys.next();
        let field = section.field("node_paths").filter(|field| names_property(*field, old));
        if first.is_none() && field.is_none() {
            return Ok(());
        }
        let object = self.context.attached(section);
        let verdict = self.owner.has(&object);
        for property in first.into_iter().chain(keys) {
            self.key(section, property, verdict)?;
        }
        if let Some(field) = field {
            self.node_paths(field, verdict);
        }
        Ok(())
    }

    fn key(
        &mut self,
        section: Section<'c>,
        property: Property<'c>,
        verdict: Verdict,
    ) -> Result<(), RefactorError> {
        let span = property.key_span();
        match verdict {
            Verdict::No => {}
            Verdict::Unknown => {
                self.draft
                    .doubt(span, "a value of this name; cannot determine the script of its object");
            }
            Verdict::Yes => {
                let new = self.owner.new.as_bytes();
                let taken = section.properties().find(|other| *other.engine_key() == *new);
                match taken {
                    None => self.draft.edit(
                        span,
                        godot_tscn::key_text(self.owner.new),
                        "value of the variable",
                    ),
                    Some(_) if self.owner.is_renamed_already => {
                        let why = "the file also has a value with the new name, which Godot loads; remove one of them";
                        self.draft.doubt(span, why);
                    }
                    Some(taken) => return Err(self.taken(taken)),
                }
            }
        }
        Ok(())
    }

    fn taken(&self, taken: Property<'_>) -> RefactorError {
        let lines = godot_tscn::LineIndex::new(&self.draft.text);
        let line = lines.position(taken.key_span().start).line;
        let (path, new) = (&self.draft.path, self.owner.new);
        RefactorError::Clash {
            what: format!(
                "`{path}` already has a value of `{new}` (line {line}), which Godot ignores; remove it first"
            ),
        }
    }

    fn node_paths(&mut self, field: Field<'c>, verdict: Verdict) {
        let tree = field.value_tree();
        for part in tree.root().children() {
            if part.text().as_deref() != Some(self.owner.old.as_bytes()) {
                continue;
            }
            match verdict {
                Verdict::Yes => {
                    self.draft.edit(
                        part.span(),
                        format!("\"{}\"", self.owner.new),
                        "name of the variable in `node_paths`",
                    );
                }
                Verdict::Unknown => {
                    self.draft.doubt(
                        part.span(),
                        "a property of this name; cannot determine the script of its object",
                    );
                }
                Verdict::No => {}
            }
        }
    }

    /// A script inside the file.
    fn built_in_script(&mut self, section: Section<'c>) {
        let source = section.properties().find(|found| *found.engine_key() == *b"script/source");
        if let Some(source) = source {
            doubt_inner_script(source, self.owner.old, self.draft);
        }
    }

    /// When an animation goes on, worked out on a node that the `AnimationTree` names
    /// (`AnimationNodeStateMachinePlayback::_check_advance_condition`, scene/animation/animation_node_state_machine.cpp, Godot
    /// 4.6.3).
    fn expression(&mut self, section: Section<'c>) {
        let key = b"advance_expression";
        let expression = section.properties().find(|found| *found.engine_key() == *key);
        if let Some(expression) = expression
            && first_word(expression.source(), self.owner.old).is_some()
        {
            let why = "an expression that contains the name; cannot determine its node";
            self.draft.doubt(expression.value_span(), why);
        }
    }

    /// Paths to the variable: `NodePath("Enemy:health")`.
    fn paths(&mut self) {
        let colon = format!(":{}", self.owner.old);
        if memchr::memmem::find(&self.draft.text, colon.as_bytes()).is_none() {
            return;
        }
        let roots = RootsOfPaths::new(self.context);
        for section in self.context.document.sections() {
            for property in section.properties() {
                if memchr::memmem::find(property.source(), colon.as_bytes()).is_none() {
                    continue;
                }
                let tree = property.value_tree();
                let mut path = |part: PartRef<'_>| {
                    let seen_from = roots.of(self.context, section, property);
                    self.path(part, &seen_from);
                };
                match is_track(property) {
                    true => path(tree.root()),
                    false => each_path(tree.root(), &mut path),
                }
            }
        }
    }

    fn path(&mut self, part: PartRef<'_>, seen_from: &SeenFrom) {
        let Some((_, path)) = path_in(part) else { return };
        let names: Vec<&str> = path.split(':').skip(1).collect();
        if !names.contains(&self.owner.old) {
            return;
        }
        let mut verdicts: Vec<(usize, Verdict)> = Vec::new();
        let mut judge = |context: &SceneContext<'_>, root: &NodeInTree| {
            let verdict = verdict(self.owner, context, root, &path, &names);
            if !verdicts.contains(&verdict) {
                verdicts.push(verdict);
            }
        };
        let is_all = match seen_from {
            SeenFrom::Here(roots) => {
                roots.known.iter().for_each(|root| judge(self.context, &root.1));
                !roots.has_more
            }
            SeenFrom::Users(file) => each_root_of_file(self.owner.project, *file, &mut judge),
        };
        let why = match verdicts[..] {
            [(at, Verdict::Yes)] if is_all => return self.edit_subname(part, at),
            [(_, Verdict::No)] if is_all => return,
            [_] | [] => "a path to a property with this name; cannot determine its object",
            [..] => {
                "a path to a property with this name, which leads to different objects in different places"
            }
        };
        self.draft.doubt(part.span(), why);
    }

    /// Replaces the name after the colon with this number.
    fn edit_subname(&mut self, part: PartRef<'_>, at: usize) {
        let Some((literal, _)) = path_in(part) else { return };
        let (span, source) = (literal.span(), literal.source());
        let name = source.split(|byte| *byte == b':').nth(at + 1);
        // With escapes, the source differs from the text.
        let is_plain = !source.contains(&b'\\');
        let Some(name) = name.filter(|_| is_plain) else {
            self.draft.doubt(span, "a path to the variable, written with escapes");
            return;
        };
        let start = span.start + (name.as_ptr() as usize - source.as_ptr() as usize) as u32;
        let old = self.owner.old.len() as u32;
        self.draft.edit(Span::new(start, start + old), self.owner.new, "path to the variable");
    }
}

/// Whether a path, seen from a node of a scene, leads to the variable, and which of its names that is.
fn verdict(
    owner: &Owner<'_>,
    context: &SceneContext<'_>,
    root: &NodeInTree,
    path: &str,
    names: &[&str],
) -> (usize, Verdict) {
    match root.find(context.project, path) {
        NodeLookup::Node(node) => {
            owner.find_in_subnames(context, &context.attached_to_place(&node), names)
        }
        NodeLookup::Unknown => (0, Verdict::Unknown),
        NodeLookup::Missing => (0, Verdict::No),
    }
}

/// From where a path is seen.
enum SeenFrom {
    /// From nodes of this scene.
    Here(Roots),
    /// From nodes of the scenes that use this file.
    Users(FileId),
}

/// From where the paths in a property are seen.
struct RootsOfPaths {
    animations: AnimationRoots,
    /// By the section of a `SceneReplicationConfig`.
    replications: HashMap<u32, Roots>,
}

impl RootsOfPaths {
    fn new(context: &SceneContext<'_>) -> Self {
        let mut roots =
            Self { animations: AnimationRoots::of(context), replications: HashMap::new() };
        for (index, tag) in context.tree().tags().iter().enumerate() {
            roots.synchronizer(context, index as u32, context.section(tag.section));
        }
        roots
    }

    /// Notes from where a `MultiplayerSynchronizer` sees the paths of its configuration.
    fn synchronizer(&mut self, context: &SceneContext<'_>, index: u32, section: Section<'_>) {
        let property = |key: &[u8]| section.properties().rfind(|found| *found.engine_key() == *key);
        let Some(config) = property(b"replication_config") else { return };
        let tree = config.value_tree();
        let Some(id) = tree.root().inner_text("SubResource") else { return };
        let Some(config) = context.sub_resource(&id) else { return };
        let root = property(b"root_path");
        let root = root.and_then(|root| node_path(root.source()));
        let root = root.unwrap_or_else(|| "..".to_owned());
        let place =
            context.place_of(index).and_then(|place| place.find(context.project, &root).place());
        let place = place.map(|place| Rc::new((place.path(), place)));
        self.replications.entry(config.index()).or_default().add(&Roots::of(place.as_ref()));
    }

    fn of(
        &self,
        context: &SceneContext<'_>,
        section: Section<'_>,
        property: Property<'_>,
    ) -> SeenFrom {
        let roots = match section.kind() {
            TagKind::Node => {
                let tags = context.tree().tags();
                let index = tags.binary_search_by_key(&section.index(), |tag| tag.section).ok();
                let place = index.and_then(|index| context.place_of(index as u32));
                let place = place.map(|place| Rc::new((place.path(), place)));
                Some(Roots::of(place.as_ref()))
            }
            _ if is_track(property) => match context.file {
                Some(file) if context.facts.scene.is_none() => return SeenFrom::Users(file),
                _ => self.animations.of_animation(section.index()).cloned(),
            },
            _ => self.replications.get(&section.index()).cloned(),
        };
        SeenFrom::Here(roots.unwrap_or_else(|| Roots::of(None)))
    }
}

fn is_track(property: Property<'_>) -> bool {
    let key = property.engine_key();
    key.starts_with(b"tracks/") && key.ends_with(b"/path")
}

fn names_property(field: Field<'_>, name: &[u8]) -> bool {
    memchr::memmem::find(field.source(), name).is_some()
}
