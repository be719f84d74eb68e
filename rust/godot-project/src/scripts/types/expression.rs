//! The types of expressions.

use godot_tscn::Span;
use tree_sitter::Node;

use crate::project::ResolvedPath;
use crate::res_path::extension_of;
use crate::script::source::{Declared, Role, first_part, is_operator};
use crate::scripts::types::resolve::MAX_STEPS;
use crate::scripts::types::{ClassRef, Loaded, Type, Types, resolve};

/// At most this number of parts of `a.b.c` is followed.
const MAX_PARTS: usize = 32;

/// Methods of Godot's that return objects of one class, to which no script of a node or resource is attached.
const RETURNS: &[(&str, &str)] = &[
    ("get_tree", "SceneTree"),
    ("create_tween", "Tween"),
    ("create_timer", "SceneTreeTimer"),
    ("get_viewport", "Viewport"),
    ("get_window", "Window"),
    ("get_multiplayer", "MultiplayerAPI"),
];

impl Types<'_> {
    /// The type of the text before a name in `a.b.name`.
    pub(crate) fn type_before(&self, loaded: &Loaded, class: ClassRef, name: Span) -> Type {
        let Some(node) = loaded.node(name) else { return Type::Unknown };
        let Some(mut part) = named(node, name) else { return Type::Unknown };
        let Some(mut around) = part.parent() else { return Type::Unknown };
        if matches!(around.kind(), "attribute_call" | "attribute_subscript") {
            part = around;
            let Some(parent) = part.parent() else { return Type::Unknown };
            around = parent;
        }
        if around.kind() != "attribute" {
            return Type::Unknown;
        }
        self.type_of_parts(loaded, class, around, Some(part.start_byte()), 0)
    }

    /// The type of the expression that covers a span.
    pub(crate) fn type_at(&self, loaded: &Loaded, class: ClassRef, span: Span) -> Type {
        let Some(node) = loaded.node(span) else { return Type::Unknown };
        let is_all =
            node.start_byte() == span.start as usize && node.end_byte() == span.end as usize;
        if is_all {
            return self.type_of(loaded, class, node, 0);
        }
        // The first parts of `a.b.c["d"]`.
        let next = (node.kind() == "attribute").then_some(node);
        next.map_or(Type::Unknown, |node| self.type_up_to(loaded, class, node, span.end))
    }

    fn type_up_to(&self, loaded: &Loaded, class: ClassRef, node: Node<'_>, end: u32) -> Type {
        let mut cursor = node.walk();
        let after = node.named_children(&mut cursor).find(|part| part.end_byte() > end as usize);
        match after {
            // `b` of `a.b["c"]`: itself, without its key.
            Some(part)
                if part.kind() == "attribute_subscript" && part.start_byte() < end as usize =>
            {
                let before = self.type_of_parts(loaded, class, node, Some(part.start_byte()), 0);
                let name = part.named_child(0).map_or("", |name| text(loaded, name));
                self.type_of_attribute(&before, name, 0)
            }
            Some(part) => self.type_of_parts(loaded, class, node, Some(part.start_byte()), 0),
            None => self.type_of_parts(loaded, class, node, None, 0),
        }
    }

    pub(super) fn type_of(
        &self,
        loaded: &Loaded,
        class: ClassRef,
        node: Node<'_>,
        steps: u32,
    ) -> Type {
        if steps >= MAX_STEPS {
            return Type::Unknown;
        }
        let of = |node: Node<'_>| self.type_of(loaded, class, node, steps + 1);
        match node.kind() {
            "identifier" => self.type_of_identifier(loaded, class, node, steps),
            // The part that the grammar assigns to the result belongs to the last operand.
            "attribute" if node.named_child(0).is_some_and(is_operator) => match first_part(node) {
                Some((_, false)) => Type::Other,
                Some((first, true)) => {
                    let name = Span::new(first.start_byte() as u32, node.end_byte() as u32);
                    self.type_named(loaded.source.text_of(name), class)
                }
                None => Type::Unknown,
            },
            "attribute" => self.type_of_parts(loaded, class, node, None, steps),
            "call" => self.type_of_call(loaded, class, node),
            "parenthesized_expression" => node.named_child(0).map_or(Type::Unknown, of),
            "get_node" => self.type_of_get_node(loaded, class, node),
            "binary_operator" => match node.child_by_field_name("op").map(|op| op.kind()) {
                Some("as") => {
                    let right = node.child_by_field_name("right");
                    right.map_or(Type::Unknown, |right| self.type_named(text(loaded, right), class))
                }
                _ => Type::Other,
            },
            "conditional_expression" => {
                let one = node.child_by_field_name("left").map_or(Type::Unknown, of);
                let other = node.child_by_field_name("right").map_or(Type::Unknown, of);
                if one == other { one } else { Type::Unknown }
            }
            "subscript" => element(&node.named_child(0).map_or(Type::Unknown, of)),
            // The result of a function is available after waiting, but not the value of a signal.
            "await_expression" => {
                let inner = node.named_child(0);
                let is_call = inner.is_some_and(|inner| {
                    let last =
                        inner.named_child(inner.named_child_count().saturating_sub(1) as u32);
                    inner.kind() == "call"
                        || last.is_some_and(|last| last.kind() == "attribute_call")
                });
                inner.filter(|_| is_call).map_or(Type::Unknown, of)
            }
            "string" | "string_name" | "node_path" | "integer" | "float" | "true" | "false"
            | "null" | "array" | "dictionary" | "lambda" | "unary_operator" => Type::Other,
            _ => Type::Unknown,
        }
    }

    fn type_of_identifier(
        &self,
        loaded: &Loaded,
        class: ClassRef,
        node: Node<'_>,
        steps: u32,
    ) -> Type {
        match text(loaded, node) {
            "self" => return Type::Object(class),
            "super" => return self.base(class),
            _ => {}
        }
        let name = loaded.source.name_at(node.start_byte() as u32);
        let Some(name) = name.filter(|name| name.is_certain) else { return Type::Unknown };
        match name.role {
            Role::Local { declaration } => {
                let found = self.type_of_local(loaded, class, declaration, steps);
                let is_certain = matches!(found, Type::Object(_) | Type::Other);
                let asked = || self.type_asked_for(loaded, class, node, declaration);
                let asked = (!is_certain).then(asked).flatten();
                asked.filter(|asked| matches!(asked, Type::Object(_))).unwrap_or(found)
            }
            Role::Bare | Role::Type => {
                self.class_named(loaded.source.text_of(name.span), class, steps + 1)
            }
            _ => Type::Unknown,
        }
    }

    fn type_of_local(&self, loaded: &Loaded, class: ClassRef, at: u32, steps: u32) -> Type {
        let make = || {
            let Some(name) = loaded.source.name_at(at) else { return Type::Unknown };
            let node = loaded.node(name.span).and_then(|node| named(node, name.span));
            let Some(declaration) = node.and_then(|node| node.parent()) else {
                return Type::Unknown;
            };
            let written = declaration.child_by_field_name("type");
            if let Some(written) = written.filter(|written| written.kind() == "type") {
                return self.type_named(text(loaded, written), class);
            }
            let is_inferred = written.is_some() || declaration.kind() == "const_statement";
            if let Some(value) = declaration.child_by_field_name("value").filter(|_| is_inferred) {
                return self.type_of(loaded, class, value, steps + 1);
            }
            if declaration.kind() == "for_statement"
                && let Some(list) = declaration.child_by_field_name("right")
                && let Type::Array(element) = self.type_of(loaded, class, list, steps + 1)
            {
                return *element;
            }
            Type::Unknown
        };
        if steps >= MAX_STEPS { Type::Unknown } else { self.remembered(class.file, at, make) }
    }

    /// The type of `a.b.c`, or of the text before the part that starts at `until`.
    fn type_of_parts(
        &self,
        loaded: &Loaded,
        class: ClassRef,
        node: Node<'_>,
        until: Option<usize>,
        steps: u32,
    ) -> Type {
        let mut cursor = node.walk();
        let mut found: Option<Type> = None;
        for (index, part) in node.named_children(&mut cursor).enumerate() {
            if until.is_some_and(|until| part.start_byte() >= until) {
                break;
            }
            if index > MAX_PARTS {
                return Type::Unknown;
            }
            found = Some(match found {
                None => match first_part(node) {
                    Some((first, false)) => self.type_of(loaded, class, first, steps + 1),
                    _ => return Type::Unknown,
                },
                Some(before) => self.type_of_part(loaded, class, &before, part, steps),
            });
        }
        found.unwrap_or(Type::Unknown)
    }

    fn type_of_part(
        &self,
        loaded: &Loaded,
        class: ClassRef,
        before: &Type,
        part: Node<'_>,
        steps: u32,
    ) -> Type {
        let name = part.named_child(0).unwrap_or(part);
        let name = text(loaded, name);
        match part.kind() {
            "attribute_call" => self.type_of_method(loaded, class, before, name, part),
            "attribute_subscript" => element(&self.type_of_attribute(before, name, steps)),
            _ => self.type_of_attribute(before, name, steps),
        }
    }

    fn type_of_attribute(&self, before: &Type, name: &str, steps: u32) -> Type {
        match before {
            Type::Object(of) | Type::Class(of) => self.type_in_class(*of, name, steps + 1),
            // A script may be attached that has more.
            Type::Native(native) => self.type_in_native(native, name),
            Type::NativeClass(_) => Type::Other,
            _ => Type::Unknown,
        }
    }

    fn type_of_call(&self, loaded: &Loaded, class: ClassRef, node: Node<'_>) -> Type {
        let Some(callee) = node.named_child(0).filter(|callee| callee.kind() == "identifier")
        else {
            return Type::Unknown;
        };
        let name = text(loaded, callee);
        match name {
            "preload" | "load" => return self.type_of_loaded(loaded, class, node),
            _ if resolve::is_built_in_type(name) => return Type::Other,
            _ => {}
        }
        self.type_of_method(loaded, class, &Type::Object(class), name, node)
    }

    /// The type of the script or scene that `preload` or `load` names.
    pub(super) fn type_of_loaded(&self, loaded: &Loaded, class: ClassRef, call: Node<'_>) -> Type {
        let callee = call.named_child(0).map(|callee| text(loaded, callee));
        if !matches!(callee, Some("preload" | "load")) {
            return Type::Unknown;
        }
        let Some(path) = self.text_argument(loaded, call) else { return Type::Unknown };
        match self.project.resolve(self.project.path(class.file), &path) {
            ResolvedPath::File(file) if self.loaded(file).is_some() => {
                Type::Class(ClassRef::of(file))
            }
            ResolvedPath::File(file) if extension_of(self.project.path(file)) == "tscn" => {
                Type::Scene(file)
            }
            _ => Type::Unknown,
        }
    }

    /// The text that is the first argument of a call.
    pub(super) fn text_argument(&self, loaded: &Loaded, call: Node<'_>) -> Option<String> {
        let argument = call.child_by_field_name("arguments")?.named_child(0)?;
        let start = argument.start_byte() as u32;
        let strings = loaded.source.strings();
        let index = strings.partition_point(|literal| literal.span.start < start);
        let literal = strings.get(index).filter(|literal| literal.span.start == start)?;
        let is_all = literal.span.end == argument.end_byte() as u32;
        literal.text.clone().filter(|_| is_all && literal.is_certain)
    }

    fn type_of_method(
        &self,
        loaded: &Loaded,
        class: ClassRef,
        before: &Type,
        name: &str,
        call: Node<'_>,
    ) -> Type {
        let of = match before {
            Type::Class(of) if name == "new" => return Type::Object(*of),
            Type::NativeClass(native) if name == "new" => return Type::Native(native.clone()),
            Type::Scene(scene) if matches!(name, "instantiate" | "instance") => {
                return self.root_of_scene(*scene);
            }
            Type::Object(of) | Type::Class(of) => *of,
            Type::Native(_) => return returned(name),
            Type::Array(element)
                if matches!(name, "front" | "back" | "pick_random" | "pop_back" | "pop_front") =>
            {
                return (**element).clone();
            }
            Type::Dictionary(value) if name == "get" => return (**value).clone(),
            _ => return Type::Unknown,
        };
        for base in &self.lineage(of).classes {
            if let Some((_, member)) = self.member(*base, name) {
                let written = member.type_name.filter(|_| member.kind == Declared::Function);
                return written.map_or(Type::Unknown, |written| self.type_named(&written, *base));
            }
        }
        if of == class && matches!(name, "get_node" | "get_node_or_null") {
            let path = self.text_argument(loaded, call);
            return path.map_or(Type::Unknown, |path| self.type_of_path(class, &path));
        }
        returned(name)
    }

    fn type_of_get_node(&self, loaded: &Loaded, class: ClassRef, node: Node<'_>) -> Type {
        let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
        let paths = loaded.source.node_paths();
        // `$` of `$%Name` is before it.
        let index = paths.partition_point(|path| path.span.end < end);
        let path = paths.get(index).filter(|path| path.span.end == end && path.span.start <= start);
        let path = path.and_then(|path| path.text.as_deref());
        path.map_or(Type::Unknown, |path| self.type_of_path(class, path))
    }
}

fn returned(method: &str) -> Type {
    let found = RETURNS.iter().find(|(name, _)| *name == method);
    found.map_or(Type::Unknown, |(_, class)| Type::Native((*class).to_owned()))
}

fn element(list: &Type) -> Type {
    match list {
        Type::Array(element) | Type::Dictionary(element) => (**element).clone(),
        _ => Type::Unknown,
    }
}

/// The node of exactly this span: the outermost may be a statement that is nothing but the name.
fn named<'n>(node: Node<'n>, span: Span) -> Option<Node<'n>> {
    let is_all = node.start_byte() == span.start as usize && node.end_byte() == span.end as usize;
    is_all.then_some(node)
}

fn text<'l>(loaded: &'l Loaded, node: Node<'_>) -> &'l str {
    loaded.source.text_of(Span::new(node.start_byte() as u32, node.end_byte() as u32))
}
