//! From names to classes.

use std::sync::Arc;

use crate::project::ResolvedPath;
use crate::script::source::Declared;
use crate::scripts::types::loaded::Member;
use crate::scripts::types::{ClassRef, Loaded, Type, Types};

/// So deep, types follow from each other.
pub(super) const MAX_STEPS: u32 = 16;

/// Types of values that no script can be attached to.
const BUILT_IN: &[&str] = &[
    "void",
    "bool",
    "int",
    "float",
    "String",
    "StringName",
    "NodePath",
    "Vector2",
    "Vector2i",
    "Vector3",
    "Vector3i",
    "Vector4",
    "Vector4i",
    "Rect2",
    "Rect2i",
    "Transform2D",
    "Transform3D",
    "Transform",
    "Plane",
    "Quaternion",
    "Quat",
    "AABB",
    "Basis",
    "Projection",
    "Color",
    "RID",
    "Callable",
    "Signal",
    "Dictionary",
    "Array",
    "PackedByteArray",
    "PackedInt32Array",
    "PackedInt64Array",
    "PackedFloat32Array",
    "PackedFloat64Array",
    "PackedStringArray",
    "PackedVector2Array",
    "PackedVector3Array",
    "PackedVector4Array",
    "PackedColorArray",
    "PoolByteArray",
    "PoolIntArray",
    "PoolRealArray",
    "PoolStringArray",
    "PoolVector2Array",
    "PoolVector3Array",
    "PoolColorArray",
];

/// Whether it is one of the types that are not classes: `Vector2`.
pub fn is_built_in_type(name: &str) -> bool {
    BUILT_IN.contains(&name)
}

impl Types<'_> {
    /// The type that a text like `Array[Enemy.Kind]` names, in a class.
    pub(crate) fn type_named(&self, text: &str, scope: ClassRef) -> Type {
        self.type_named_within(text, scope, 0)
    }

    fn type_named_within(&self, text: &str, scope: ClassRef, steps: u32) -> Type {
        if steps >= MAX_STEPS {
            return Type::Unknown;
        }
        let text = text.trim();
        let (name, arguments) = match text.split_once('[') {
            Some((name, rest)) => (name.trim(), rest.trim_end().strip_suffix(']')),
            None => (text, None),
        };
        match (name, arguments) {
            ("Array", Some(element)) => {
                return Type::Array(Box::new(self.type_named_within(element, scope, steps + 1)));
            }
            ("Dictionary", Some(arguments)) => {
                let value = arguments.rsplit_once(',').map_or("", |(_, value)| value);
                return Type::Dictionary(Box::new(self.type_named_within(value, scope, steps + 1)));
            }
            _ => {}
        }
        let mut names = name.split('.').map(str::trim);
        let first = self.class_named(names.next().unwrap_or_default(), scope, steps + 1);
        let found = names.fold(first, |found, name| match found {
            Type::Class(class) => self.type_in_class(class, name, steps + 1),
            // An enum of a class of Godot's.
            Type::NativeClass(_) => Type::Other,
            other => other,
        });
        match found {
            Type::Class(class) => Type::Object(class),
            Type::NativeClass(class) => Type::Native(class),
            other => other,
        }
    }

    /// The meaning of a name in a class, as the first part of a type or of an expression, if it is not a local. GDScript
    /// searches the class and its bases, the classes around it, and then the whole project
    /// (`GDScriptAnalyzer::reduce_identifier`, modules/gdscript/gdscript_analyzer.cpp, Godot 4.6.3).
    pub(super) fn class_named(&self, name: &str, scope: ClassRef, steps: u32) -> Type {
        if is_built_in_type(name) {
            return Type::Other;
        }
        if let Some(found) = self.in_scope(name, scope, steps) {
            return found;
        }
        self.known_to_all(name)
    }

    /// The meaning of a name in a class if it is not a local.
    pub fn type_of_name(&self, scope: ClassRef, name: &str) -> Type {
        self.class_named(name, scope, 0)
    }

    /// Whether a name means a member at its place in a class: one of the class, of its bases or of the classes around it.
    pub fn is_member_in_scope(&self, name: &str, scope: ClassRef) -> bool {
        let mut next = Some(scope);
        while let Some(class) = next {
            let lineage = self.lineage(class);
            let native = lineage.native.as_ref();
            if lineage.classes.iter().any(|base| self.member(*base, name).is_some())
                || native.is_some_and(|native| self.type_in_native(native, name) != Type::Unknown)
            {
                return true;
            }
            let loaded = self.loaded(class.file);
            let found = loaded.and_then(|loaded| loaded.source.classes().get(class.class as usize));
            next = found
                .and_then(|found| found.parent)
                .map(|parent| ClassRef { class: parent, ..class });
        }
        false
    }

    /// The meaning of a name in its class and those around it.
    fn in_scope(&self, name: &str, scope: ClassRef, steps: u32) -> Option<Type> {
        let mut class = Some(scope);
        while let Some(found) = class {
            let lineage = self.lineage(found);
            for base in &lineage.classes {
                if let Some((loaded, member)) = self.member(*base, name) {
                    return Some(self.type_of_member(&loaded, *base, &member, steps));
                }
            }
            let Some(native) = &lineage.native else {
                // A global class is found after those of the bases, which may have anything.
                let is_global = self.project.scripts().class(name).is_some();
                return (!is_global).then_some(Type::Unknown);
            };
            if let Some(property) = self.project.classes().property(native, name) {
                return Some(self.type_of_native(property.type_name()));
            }
            let loaded = self.loaded(found.file)?;
            let parent = loaded.source.classes().get(found.class as usize)?.parent;
            class = parent.map(|class| ClassRef { class, ..found });
        }
        None
    }

    pub(super) fn known_to_all(&self, name: &str) -> Type {
        let scripts = self.project.scripts();
        if scripts.class(name).is_some() || scripts.class_names().any(|found| found == name) {
            let file = scripts.class(name).filter(|file| self.is_class(*file));
            return file.map_or(Type::Unknown, |file| Type::Class(ClassRef::of(file)));
        }
        let autoloads = &self.project.settings().autoloads;
        if let Some(autoload) =
            autoloads.iter().find(|found| found.name == name && found.is_singleton)
        {
            return self.type_of_autoload(&autoload.path);
        }
        match self.project.classes().class(name) {
            Some(class) => Type::NativeClass(class.name().to_owned()),
            None => Type::Unknown,
        }
    }

    fn type_of_autoload(&self, path: &str) -> Type {
        match self.project.resolve("res://project.godot", path) {
            ResolvedPath::File(file) if self.is_class(file) => Type::Object(ClassRef::of(file)),
            ResolvedPath::File(file) => self.root_of_scene(file),
            _ => Type::Unknown,
        }
    }

    /// The type of a property as Godot's classes say it.
    pub(super) fn type_of_native(&self, name: &str) -> Type {
        if is_built_in_type(name) {
            return Type::Other;
        }
        match self.project.classes().class(name) {
            Some(class) => Type::Native(class.name().to_owned()),
            None => Type::Unknown,
        }
    }

    /// The own declaration of a name in a class.
    pub fn member(&self, class: ClassRef, name: &str) -> Option<(Arc<Loaded>, Member)> {
        let loaded = self.loaded(class.file)?;
        let member = loaded.member(class.class, name)?.clone();
        Some((Arc::clone(loaded), member))
    }

    /// The type of an expression `class.name`.
    pub(super) fn type_in_class(&self, class: ClassRef, name: &str, steps: u32) -> Type {
        let lineage = self.lineage(class);
        for base in &lineage.classes {
            if let Some((loaded, member)) = self.member(*base, name) {
                return self.type_of_member(&loaded, *base, &member, steps);
            }
        }
        match &lineage.native {
            Some(native) => self.type_in_native(native, name),
            None => Type::Unknown,
        }
    }

    pub(super) fn type_in_native(&self, class: &str, name: &str) -> Type {
        let classes = self.project.classes();
        match classes.property(class, name) {
            Some(property) => self.type_of_native(property.type_name()),
            None if classes.signal(class, name).is_some() => Type::Other,
            None if classes.method(class, name).is_some() => Type::Other,
            None => Type::Unknown,
        }
    }

    fn type_of_member(
        &self,
        loaded: &Loaded,
        class: ClassRef,
        member: &Member,
        steps: u32,
    ) -> Type {
        match member.kind {
            Declared::Class => self.own_class(loaded, class, member),
            Declared::Variable | Declared::Constant => {
                if let Some(name) = &member.type_name {
                    return self.type_named_within(name, class, steps + 1);
                }
                let Some(value) = member.value.filter(|_| member.is_inferred) else {
                    return Type::Unknown;
                };
                if steps >= MAX_STEPS {
                    return Type::Unknown;
                }
                self.remembered(class.file, member.name.start, || {
                    let node = loaded.node(value);
                    node.map_or(Type::Unknown, |node| self.type_of(loaded, class, node, steps + 1))
                })
            }
            _ => Type::Other,
        }
    }
}
