//! Uses in scripts in GDScript.

use std::sync::PoisonError;

use godot_tscn::Edit;

use super::{ChangeKind, ChangedMember, ChangedUse, VersionChange, VersionChanges, once};
use crate::project::FileId;
use crate::script::source::{Declared, Name, Role};
use crate::scripts::types::{ClassRef, Loaded, Type, is_built_in_type};

/// Whether a name means something that a version changes.
enum Meaning {
    Certain,
    Doubtful(&'static str),
    No,
}

const UNTYPED: &str = "the type of the object is unknown";
const UNREAD: &str = "the syntax around it cannot be parsed";

impl VersionChanges<'_> {
    /// The uses in a script of the project in GDScript, in the order of its text. Nothing for a script that cannot be read.
    pub fn in_script(&self, file: FileId) -> Option<Vec<ChangedUse>> {
        let mut uses = Vec::new();
        let loaded = self.types().loaded(file)?;
        for name in loaded.source.names() {
            for change in self.named(loaded.source.text_of(name.span)) {
                let mut found = ChangedUse::of(name.span, change);
                match self.meaning(loaded, file, name, change) {
                    Meaning::Certain => {}
                    Meaning::Doubtful(why) => found.doubt = Some(why),
                    Meaning::No => continue,
                }
                if change.is_plain_rename() && found.doubt.is_none() {
                    found.edits.push(Edit::replace(name.span, change.new));
                }
                uses.push(found);
            }
        }
        self.added(loaded, ClassRef::of(file), &mut uses);
        for literal in loaded.source.strings() {
            let Some(text) = &literal.text else { continue };
            let settings = self.named(text).filter(|change| change.is_of(ChangedMember::Setting));
            uses.extend(settings.map(|change| ChangedUse::of(literal.span, change)));
        }
        uses.sort_by_key(|found| found.span.start);
        Some(once(uses))
    }

    fn meaning(
        &self,
        loaded: &Loaded,
        file: FileId,
        name: &Name,
        change: &'static VersionChange,
    ) -> Meaning {
        let class = ClassRef { file, class: name.class };
        let is_certain = name.is_certain;
        match change.member {
            _ if change.is_for_csharp_only() => Meaning::No,
            Some((_, text)) if !is_certain && self.is_telling(text, change) => {
                Meaning::Doubtful(UNREAD)
            }
            _ if !is_certain => Meaning::No,
            _ if change.kind == ChangeKind::Arguments && passes_nothing(loaded, name) => {
                Meaning::No
            }
            None => self.class_meaning(class, name, change),
            // A new default of a property shows where objects are made, not where the property is used.
            Some((ChangedMember::Property, _)) if change.kind == ChangeKind::Default => Meaning::No,
            Some((ChangedMember::Setting, _)) => Meaning::No,
            Some((kind, text)) => match name.role {
                Role::Declares(Declared::Function) if kind == ChangedMember::Method => {
                    let lineage = self.types().lineage(class);
                    let is_override = text.starts_with('_')
                        && lineage.native.is_some_and(|native| self.is_a(&native, change));
                    if is_override { Meaning::Certain } else { Meaning::No }
                }
                Role::Bare => self.bare_meaning(class, text, change),
                Role::Attribute { .. } | Role::TypeAttribute { .. } => {
                    let before = self.types().type_before(loaded, class, name.span);
                    self.member_meaning(&before, text, change)
                }
                Role::OfBase => self.member_meaning(&Type::Object(class), text, change),
                _ => Meaning::No,
            },
        }
    }

    fn class_meaning(&self, class: ClassRef, name: &Name, change: &VersionChange) -> Meaning {
        let is_class = matches!(name.role, Role::Type | Role::Bare)
            && !is_built_in_type(change.class)
            && self.types().type_of_name(class, change.class)
                == Type::NativeClass(change.class.to_owned());
        if is_class { Meaning::Certain } else { Meaning::No }
    }

    /// A name alone.
    fn bare_meaning(&self, class: ClassRef, text: &str, change: &VersionChange) -> Meaning {
        let lineage = self.types().lineage(class);
        let is_own = |base: &ClassRef| self.types().member(*base, text).is_some();
        if lineage.classes.iter().any(is_own) {
            return Meaning::No;
        }
        let is_meant = match change.class.starts_with('@') {
            true => !self.types().is_member_in_scope(text, class),
            false => lineage.native.is_some_and(|native| self.is_a(&native, change)),
        };
        if is_meant { Meaning::Certain } else { Meaning::No }
    }

    /// A name behind an expression of a type.
    fn member_meaning(&self, before: &Type, text: &str, change: &'static VersionChange) -> Meaning {
        match before {
            Type::Native(native) | Type::NativeClass(native) if self.is_a(native, change) => {
                Meaning::Certain
            }
            // The object may be of a class below.
            Type::Native(native) if self.classes().inherits(change.class, native) => {
                self.doubt(text, change)
            }
            Type::Object(class) | Type::Class(class) => {
                let lineage = self.types().lineage(*class);
                let is_own = |base: &ClassRef| self.types().member(*base, text).is_some();
                match &lineage.native {
                    _ if lineage.classes.iter().any(is_own) => Meaning::No,
                    Some(native) if self.is_a(native, change) => Meaning::Certain,
                    Some(_) => Meaning::No,
                    None => self.doubt(text, change),
                }
            }
            Type::Unknown => self.doubt(text, change),
            _ => Meaning::No,
        }
    }

    fn is_a(&self, class: &str, change: &VersionChange) -> bool {
        self.classes().inherits(class, change.class)
    }

    /// A doubt, if nothing else that is known has a member of the name.
    fn doubt(&self, text: &str, change: &'static VersionChange) -> Meaning {
        if self.is_telling(text, change) { Meaning::Doubtful(UNTYPED) } else { Meaning::No }
    }

    /// Whether only the class of a change, with those above and below it, has a member of this name.
    pub(super) fn is_telling(&self, text: &str, change: &'static VersionChange) -> bool {
        if !change.is_breaking() || is_built_in_type(change.class) || change.class.starts_with('@')
        {
            return false;
        }
        let known = || self.telling.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&(change.name(), change.class)) {
            return *found;
        }
        let found = self.is_only_of(text, change);
        known().insert((change.name(), change.class), found);
        found
    }

    fn is_only_of(&self, text: &str, change: &'static VersionChange) -> bool {
        let classes = self.classes();
        let has = |class: &str| {
            classes.property(class, text).is_some()
                || classes.method(class, text).is_some()
                || classes.signal(class, text).is_some()
        };
        let is_other = |class: &str| {
            !classes.inherits(class, change.class) && !classes.inherits(change.class, class)
        };
        // The types of scripts are known, so a member of theirs is found as one.
        !classes.class_names().any(|class| is_other(class) && has(class))
    }
}

/// Whether a name is called without arguments: `get_as_text()`.
fn passes_nothing(loaded: &Loaded, name: &Name) -> bool {
    let behind = loaded.source.text().get(name.span.end as usize..).unwrap_or_default();
    let inside = behind.trim_start().strip_prefix('(');
    name.is_called && inside.is_some_and(|inside| inside.trim_start().starts_with(')'))
}
