//! The bases of classes of scripts.

use crate::project::{FileId, ResolvedPath};
use crate::script::source::Declared;
use crate::scripts::types::loaded::Member;
use crate::scripts::types::{ClassRef, Lineage, Loaded, Type, Types};

/// Classes extend each other so deep at most: more is a circle.
const MAX_DEPTH: usize = 64;

impl Types<'_> {
    /// A class and all that it extends.
    pub fn lineage(&self, class: ClassRef) -> Lineage {
        let mut lineage = Lineage::default();
        let mut next = Some(class);
        while let Some(class) = next.take() {
            if lineage.classes.len() >= MAX_DEPTH || lineage.has(class) {
                return lineage;
            }
            lineage.classes.push(class);
            match self.base(class) {
                Type::Object(base) => next = Some(base),
                Type::Native(native) => lineage.native = Some(native),
                _ => {}
            }
        }
        lineage
    }

    /// The base of a class.
    pub(super) fn base(&self, class: ClassRef) -> Type {
        if self.is_csharp(class.file) {
            return self.base_in_csharp(class.file);
        }
        let Some(loaded) = self.loaded(class.file) else { return Type::Unknown };
        let Some(found) = loaded.source.classes().get(class.class as usize) else {
            return Type::Unknown;
        };
        let Some(extends) = found.extends else {
            // An `extends` in a part that is not understood would not be seen.
            if !loaded.source.unread().is_empty() && class.class == 0 && self.may_extend(class.file)
            {
                return Type::Unknown;
            }
            let is_godot_3 = self.project.classes().class("Reference").is_some();
            return Type::Native(if is_godot_3 { "Reference" } else { "RefCounted" }.to_owned());
        };
        let text = loaded.source.text_of(extends).trim();
        if text.starts_with(['"', '\'']) {
            let Some((path, rest)) = text[1..].split_once(&text[..1]) else { return Type::Unknown };
            let base = self.script_at(class.file, path);
            let base = base.and_then(|base| self.inner(base, rest.trim_start_matches('.')));
            return base.map_or(Type::Unknown, Type::Object);
        }
        let (first, rest) = text.split_once('.').unwrap_or((text, ""));
        match self.extended(first.trim(), class.file, found.parent.unwrap_or(0)) {
            Type::Class(base) => {
                let inner = self.inner(base, rest).filter(|inner| *inner != class);
                inner.map_or(Type::Unknown, Type::Object)
            }
            Type::NativeClass(native) if rest.is_empty() => Type::Native(native),
            _ => Type::Unknown,
        }
    }

    /// The base of a class in C#.
    fn base_in_csharp(&self, file: FileId) -> Type {
        let scripts = self.project.scripts();
        if let Some(base) = scripts.files_of_chain(self.project, file).get(1) {
            return Type::Object(ClassRef::of(*base));
        }
        let chain = scripts.chain(self.project, file);
        chain.native.filter(|_| chain.scripts.len() == 1).map_or(Type::Unknown, Type::Native)
    }

    /// The meaning of the first name after an `extends`. It is looked up among the members of the classes around, but not
    /// those of their bases, because these may depend on it.
    fn extended(&self, name: &str, file: FileId, scope: u32) -> Type {
        let Some(loaded) = self.loaded(file) else { return Type::Unknown };
        let mut scope = Some(scope);
        while let Some(class) = scope {
            if let Some(member) = loaded.member(class, name) {
                return self.own_class(loaded, ClassRef { file, class }, member);
            }
            scope = loaded.source.classes().get(class as usize).and_then(|found| found.parent);
        }
        self.known_to_all(name)
    }

    /// The class that a member is, or a script that it loads.
    pub(super) fn own_class(&self, loaded: &Loaded, class: ClassRef, member: &Member) -> Type {
        match member.kind {
            Declared::Class => {
                let inner = loaded.class_declared_at(member.name.start);
                inner.map_or(Type::Unknown, |inner| Type::Class(ClassRef { class: inner, ..class }))
            }
            Declared::Constant => {
                let value = member.value.and_then(|value| loaded.node(value));
                let call = value.filter(|value| value.kind() == "call");
                call.map_or(Type::Unknown, |call| self.type_of_loaded(loaded, class, call))
            }
            _ => Type::Unknown,
        }
    }

    fn may_extend(&self, file: FileId) -> bool {
        let script = self.project.scripts().script(file);
        script.is_none_or(|script| script.base != crate::script::Base::Unset)
    }

    /// The script at a path in a script.
    pub(super) fn script_at(&self, from: FileId, path: &str) -> Option<ClassRef> {
        match self.project.resolve(self.project.path(from), path) {
            ResolvedPath::File(file) => self.loaded(file).map(|_| ClassRef::of(file)),
            _ => None,
        }
    }

    /// A class inside another, by names with `.` between.
    fn inner(&self, class: ClassRef, names: &str) -> Option<ClassRef> {
        let mut names = names.split('.').map(str::trim).filter(|name| !name.is_empty());
        names.try_fold(class, |class, name| {
            let (loaded, member) = self.member(class, name)?;
            match self.own_class(&loaded, class, &member) {
                Type::Class(inner) => Some(inner),
                _ => None,
            }
        })
    }

    /// The meaning of a name after the `extends` of a class.
    pub fn type_extended(&self, file: FileId, class: u32, name: &str) -> Type {
        let classes = self.loaded(file).map(|loaded| loaded.source.classes());
        let found = classes.and_then(|classes| classes.get(class as usize));
        self.extended(name, file, found.and_then(|found| found.parent).unwrap_or(0))
    }
}
