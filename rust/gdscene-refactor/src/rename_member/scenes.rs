//! The uses of a method or signal in scenes and resources: connections, and tracks of animations that call
//! methods.

use std::sync::Arc;

use godot_project::animation_roots::{AnimationRoots, each_root_of_file};
use godot_project::node_paths::path_in;
use godot_project::object_type::ObjectType;
use godot_project::scripts::uses::MemberKind;
use godot_project::settings::lossy;
use godot_project::tree::Uses;
use godot_project::{NodeInTree, NodeLookup, SceneContext, Script};
use godot_tscn::{Field, PartRef, Property, Section, Span, TagKind};

use crate::draft::FileDraft;
use crate::rename_member::{Renaming, doubt_inner_script};
use crate::whole_word::first_word;

/// Whether an object has the member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Yes,
    No,
    Unknown,
}

const UNKNOWN_OBJECT: &str = "cannot determine the script of its object";

impl Renaming<'_> {
    pub(super) fn in_scene(&self, draft: &mut FileDraft) {
        let text = Arc::clone(&draft.text);
        let document = godot_tscn::parse(&text);
        let path = draft.path.clone();
        let context = SceneContext::new(self.project, &path, &document);
        if context.hides_sections || document.is_incomplete() {
            if let Some(at) = first_word(&text, self.old) {
                let span = Span::new(at as u32, (at + self.old.len()) as u32);
                draft.doubt(
                    span,
                    "the file has errors and cannot be read completely; repair it first",
                );
            }
            return;
        }
        let mut work = Work { renaming: self, context: &context, draft, uses: None };
        for section in document.sections() {
            match section.kind() {
                TagKind::Connection => work.connection(section),
                _ if section.kind_of_name().holds_object() => work.other_texts(section),
                _ => {}
            }
        }
        if self.kind == MemberKind::Function {
            work.tracks();
        }
    }
}

struct Work<'w, 'c> {
    renaming: &'w Renaming<'w>,
    context: &'w SceneContext<'c>,
    draft: &'w mut FileDraft,
    /// Where other scenes put this one, if it was asked for.
    uses: Option<Uses<'c>>,
}

impl<'c> Work<'_, 'c> {
    fn connection(&mut self, section: Section<'c>) {
        let (field, end) = match self.renaming.kind {
            MemberKind::Function => ("method", "to"),
            _ => ("signal", "from"),
        };
        let Some(field) = section.field(field).filter(|field| self.is_old(*field)) else { return };
        let Some(path) = section.field_text(end).map(|path| lossy(&path)) else { return };
        let span = field.value_span();
        match self.verdict(&self.context.attached_at(&path)) {
            Verdict::Yes => {
                self.draft.edit(span, format!("\"{}\"", self.renaming.new), "connection");
            }
            Verdict::Unknown => self.draft.doubt(span, format!("a connection: {UNKNOWN_OBJECT}")),
            Verdict::No if self.may_come_from_outside(&path) => {
                self.draft.doubt(span, "a connection: only some scenes give its node the script");
            }
            Verdict::No => {}
        }
    }

    fn is_old(&self, field: Field<'_>) -> bool {
        field.text().as_deref() == Some(self.renaming.old.as_bytes())
    }

    fn verdict(&self, object: &ObjectType<'_>) -> Verdict {
        if object.scripts().any(|script| self.is_owner(script)) {
            Verdict::Yes
        } else if object.has_known_scripts() {
            Verdict::No
        } else {
            Verdict::Unknown
        }
    }

    fn is_owner(&self, script: &Script) -> bool {
        std::ptr::eq(script, self.renaming.script)
    }

    /// Whether a scene that uses this one gives a node the script.
    fn may_come_from_outside(&mut self, path: &str) -> bool {
        let Some(file) = self.context.file else { return false };
        let project = self.context.project;
        let owner = self.renaming.script;
        let uses = self.uses.get_or_insert_with(|| Uses::of(project, file));
        uses.give_script(project, path, |chain| {
            chain.scripts.iter().any(|script| std::ptr::eq(script.as_ref(), owner))
        })
    }

    /// Scripts in the scene, and texts in properties that are there for names.
    fn other_texts(&mut self, section: Section<'c>) {
        let old = self.renaming.old;
        for property in section.properties() {
            if first_word(property.source(), old).is_none() {
                continue;
            }
            let key = property.engine_key();
            let span = property.value_span();
            if *key == *b"script/source" {
                doubt_inner_script(property, old, self.draft);
            } else if *key == *b"advance_expression" {
                let why = "an expression that contains the name; cannot determine its node";
                self.draft.doubt(span, why);
            } else if names_members(&key) && self.is_nothing_else(property) {
                self.draft.doubt(
                    span,
                    "a string with this name in a property that may contain method or signal names",
                );
            }
        }
    }

    fn is_nothing_else(&self, property: Property<'_>) -> bool {
        property.value_tree().root().text().as_deref() == Some(self.renaming.old.as_bytes())
    }

    /// Tracks that call methods.
    fn tracks(&mut self) {
        let mut roots = None;
        for section in self.context.document.sections() {
            let is_animation = match section.kind() {
                TagKind::SubResource => section.field_text("type").as_deref() == Some(b"Animation"),
                TagKind::Resource => {
                    self.context.facts.resource_type.as_deref() == Some("Animation")
                }
                _ => false,
            };
            if !is_animation {
                continue;
            }
            for track in godot_tscn::property_groups(section, "tracks") {
                let Some(keys) = track.get("keys") else { continue };
                if memchr::memmem::find(keys.source(), self.renaming.old.as_bytes()).is_none() {
                    continue;
                }
                let is_call = track.get("type").is_some_and(|kind| {
                    kind.value_tree().root().text().as_deref() == Some(b"method")
                });
                let path = track.get("path");
                let path = path.and_then(|path| Some(path_in(path.value_tree().root())?.1));
                let Some(path) = path.filter(|_| is_call) else { continue };
                let roots = roots.get_or_insert_with(|| AnimationRoots::of(self.context));
                let verdict = self.verdict_of_track(roots, section, &path);
                self.calls(keys, verdict);
            }
        }
    }

    fn verdict_of_track(&self, all: &AnimationRoots, section: Section<'c>, path: &str) -> Verdict {
        let mut verdicts: Vec<Verdict> = Vec::new();
        let mut judge = |context: &SceneContext<'_>, root: &NodeInTree| {
            let verdict = match root.find(context.project, path) {
                NodeLookup::Node(node) => self.verdict(&context.attached_to_place(&node)),
                NodeLookup::Unknown => Verdict::Unknown,
                NodeLookup::Missing => Verdict::No,
            };
            if !verdicts.contains(&verdict) {
                verdicts.push(verdict);
            }
        };
        let is_all = match (self.context.file, &self.context.facts.scene) {
            (Some(file), None) => each_root_of_file(self.context.project, file, &mut judge),
            _ => match all.of_animation(section.index()) {
                Some(roots) => {
                    roots.known.iter().for_each(|root| judge(self.context, &root.1));
                    !roots.has_more
                }
                None => false,
            },
        };
        match verdicts[..] {
            [verdict] if is_all => verdict,
            _ => Verdict::Unknown,
        }
    }

    /// The names in the keys of a track.
    fn calls(&mut self, keys: Property<'_>, verdict: Verdict) {
        let tree = keys.value_tree();
        for call in tree.root().get("values").into_iter().flat_map(PartRef::children) {
            let Some(method) = call.get("method") else { continue };
            if method.text().as_deref() != Some(self.renaming.old.as_bytes()) {
                continue;
            }
            let sign = if method.source().starts_with(b"&") { "&" } else { "" };
            match verdict {
                Verdict::Yes => self.draft.edit(
                    method.span(),
                    format!("{sign}\"{}\"", self.renaming.new),
                    "method that a track calls",
                ),
                Verdict::Unknown => {
                    self.draft
                        .doubt(method.span(), format!("a track that calls it: {UNKNOWN_OBJECT}"));
                }
                Verdict::No => {}
            }
        }
    }
}

/// Whether a property is called as if it were for names: `method_name`, `callback`.
fn names_members(key: &[u8]) -> bool {
    let words: [&[u8]; 5] = [b"method", b"func", b"callback", b"signal", b"event"];
    let key = key.to_ascii_lowercase();
    words.iter().any(|word| memchr::memmem::find(&key, word).is_some())
}
