//! The declarations of the classes of a C# script, the locals in their members, and the places of a
//! name.

use hashbrown::{HashMap, HashSet};
use tree_sitter::Node;

use super::syntax::{CsharpTree, Step, Visitor};

/// A script, seen for a few names.
#[derive(Debug)]
pub(super) struct Model<'a> {
    pub(super) tree: &'a CsharpTree<'a>,
    names: &'a [&'a str],
    pub(super) classes: Vec<Class<'a>>,
    /// The classes by name; nothing where two have the same.
    pub(super) by_name: HashMap<&'a str, Option<usize>>,
    pub(super) members: Vec<Member<'a>>,
    /// Where the names stand.
    pub(super) places: Vec<Place<'a>>,
    pub(super) comments: Vec<Node<'a>>,
    /// The names of the namespaces that the file declares.
    pub(super) namespaces: Vec<&'a str>,
    open_classes: Vec<(Node<'a>, usize)>,
    open_members: Vec<(Node<'a>, usize)>,
}

/// A class, struct, record or interface.
#[derive(Debug)]
pub(super) struct Class<'a> {
    pub(super) name: &'a str,
    /// Its bases, without namespaces.
    pub(super) bases: Vec<&'a str>,
    /// The class around it.
    pub(super) parent: Option<usize>,
    /// Whether other files may have more of it.
    pub(super) is_partial: bool,
    pub(super) is_interface: bool,
    /// The types of its fields and properties.
    pub(super) types: HashMap<&'a str, &'a str>,
    /// The types that its methods return; nothing if those of one name return several.
    pub(super) returns: HashMap<&'a str, Option<&'a str>>,
    /// The names of all its members.
    pub(super) names: HashSet<&'a str>,
}

/// A member of a class, with its contents.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) node: Node<'a>,
    /// Its locals.
    pub(super) locals: HashMap<&'a str, Local<'a>>,
}

/// The source of the type of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local<'a> {
    /// It is written there.
    Type(&'a str),
    /// The type of this expression.
    Value(Node<'a>),
    /// The type of the elements of this expression.
    Element(Node<'a>),
    /// Nothing, or it is not certain.
    Unknown,
}

/// A place of one of the names, as an identifier or a text.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) step: Step<'a>,
    /// Which of the names.
    pub(super) name: &'a str,
    /// The nearest nodes around it, the nearest first.
    pub(super) around: Vec<Step<'a>>,
    pub(super) class: Option<usize>,
    pub(super) member: Option<usize>,
    pub(super) is_broken: bool,
}

/// At most this number of nodes around a place is kept.
const KEPT: usize = 6;

/// The kinds of nodes that declare a class or its like.
pub(super) const CLASSES: &[&str] = &[
    "class_declaration",
    "struct_declaration",
    "record_declaration",
    "interface_declaration",
    "enum_declaration",
];

/// Nodes that have a name without declaring it.
const NAMED: &[&str] = &[
    "member_access_expression",
    "member_binding_expression",
    "qualified_name",
    "alias_qualified_name",
    "argument",
    "attribute",
    "attribute_argument",
    "using_directive",
    "namespace_declaration",
    "file_scoped_namespace_declaration",
];

/// Clauses of queries, which name the elements that they visit.
const CLAUSES: &[&str] =
    &["from_clause", "let_clause", "join_clause", "join_into_clause", "query_continuation"];

/// Functions with their result type between `<` and `>`.
const TYPED: &[&str] =
    &["GetNode", "GetNodeOrNull", "GetParent", "GetOwner", "Instantiate", "Load"];

impl<'a> Model<'a> {
    /// Nothing if the tree is too deep.
    pub(super) fn of(tree: &'a CsharpTree<'a>, names: &'a [&'a str]) -> Option<Self> {
        let mut model = Self {
            tree,
            names,
            classes: Vec::new(),
            by_name: HashMap::new(),
            members: Vec::new(),
            places: Vec::new(),
            comments: Vec::new(),
            namespaces: Vec::new(),
            open_classes: Vec::new(),
            open_members: Vec::new(),
        };
        tree.walk(&mut model)?;
        Some(model)
    }

    /// The type of an expression that says it itself, such as `new Enemy()` or `GetNode<Enemy>("A")`.
    pub(super) fn plain_type(&self, expression: Node<'a>) -> Option<&'a str> {
        let mut expression = expression;
        while expression.kind() == "parenthesized_expression" {
            expression = expression.named_child(0)?;
        }
        let part = |field| expression.child_by_field_name(field);
        match expression.kind() {
            "object_creation_expression" | "cast_expression" => Some(self.type_at(part("type")?)),
            "as_expression" => Some(self.type_at(part("right")?)),
            "invocation_expression" => {
                let function = part("function")?;
                let function = function.child_by_field_name("name").unwrap_or(function);
                let (name, list) = (function.named_child(0)?, function.named_child(1)?);
                let is_typed = function.kind() == "generic_name"
                    && TYPED.contains(&self.tree.text_of(name))
                    && list.named_child_count() == 1;
                is_typed.then_some(())?;
                Some(self.type_at(list.named_child(0)?))
            }
            _ => None,
        }
    }

    /// A type without its namespace and `?`.
    pub(super) fn type_at(&self, node: Node<'_>) -> &'a str {
        let text = self.tree.text_of(node).trim_end_matches('?');
        if text.contains('<') { text } else { text.rsplit('.').next().unwrap_or(text) }
    }

    /// The class that is open.
    fn class(&self) -> Option<usize> {
        self.open_classes.last().map(|(_, class)| *class)
    }

    fn open_class(&mut self, node: Node<'a>) {
        let name = node.child_by_field_name("name").map_or("", |name| self.name_at(name));
        let (mut bases, mut is_partial) = (Vec::new(), false);
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "base_list" => {
                    let mut cursor = child.walk();
                    bases.extend(child.named_children(&mut cursor).map(|base| self.type_at(base)));
                }
                "modifier" => is_partial |= self.tree.text_of(child) == "partial",
                _ => {}
            }
        }
        let class = Class {
            name,
            bases,
            parent: self.class(),
            is_partial,
            is_interface: node.kind() == "interface_declaration",
            types: HashMap::new(),
            returns: HashMap::new(),
            names: HashSet::new(),
        };
        let index = self.classes.len();
        self.by_name.entry(name).and_modify(|known| *known = None).or_insert(Some(index));
        self.open_classes.push((node, index));
        self.classes.push(class);
    }

    fn add_local(&mut self, name: &'a str, local: Local<'a>) {
        let Some((_, member)) = self.open_members.last() else { return };
        let locals = &mut self.members[*member].locals;
        let known = locals.entry(name).or_insert(local);
        if *known != local {
            *known = Local::Unknown;
        }
    }

    fn add_member_name(&mut self, name: &'a str, type_name: Option<Node<'a>>) {
        let type_name = type_name.map(|node| self.type_at(node));
        let Some(class) = self.class().map(|class| &mut self.classes[class]) else { return };
        class.names.insert(name);
        if let Some(type_name) = type_name {
            class.types.insert(name, type_name);
        }
    }

    fn add_method(&mut self, name: &'a str, method: Node<'a>) {
        self.add_member_name(name, None);
        let returned = method.child_by_field_name("returns").map(|node| self.type_at(node));
        let Some(class) = self.class().map(|class| &mut self.classes[class]) else { return };
        let known = class.returns.entry(name).or_insert(returned);
        if *known != returned {
            *known = None;
        }
    }

    /// Notes the declaration of an identifier.
    fn declare(&mut self, step: Step<'a>, around: &[Step<'a>]) {
        let name = self.name_at(step.node);
        let Some(parent) = around.last().map(|parent| parent.node) else { return };
        let kind = parent.kind();
        if CLASSES.contains(&kind) {
            return;
        }
        if CLAUSES.contains(&kind) || kind == "parenthesized_variable_designation" {
            return self.add_local(name, Local::Unknown);
        }
        // Only nodes with few declarations are asked for their parts: a list may have any number.
        match (kind, step.field) {
            ("variable_declarator", Some("name")) => self.declare_variable(name, parent, around),
            ("foreach_statement", Some("left")) => {
                let list = parent.child_by_field_name("right");
                let list = list.map_or(Local::Unknown, Local::Element);
                self.add_local(name, self.written_type(parent).unwrap_or(list));
            }
            (
                "parameter"
                | "declaration_expression"
                | "declaration_pattern"
                | "catch_declaration",
                Some("name"),
            ) => self.add_local(name, self.written_type(parent).unwrap_or(Local::Unknown)),
            ("method_declaration", Some("name")) => self.add_method(name, parent),
            // They are called as the class.
            ("constructor_declaration" | "destructor_declaration", _) => {}
            ("delegate_declaration" | "enum_member_declaration", Some("name")) => {
                self.add_member_name(name, None);
            }
            (kind, Some("name")) if kind.ends_with("_declaration") && !NAMED.contains(&kind) => {
                self.add_member_name(name, parent.child_by_field_name("type"));
            }
            (kind, Some("name")) if !NAMED.contains(&kind) => self.add_local(name, Local::Unknown),
            _ => {}
        }
    }

    /// The type that a declaration writes out.
    fn written_type(&self, declaration: Node<'a>) -> Option<Local<'a>> {
        let type_name = self.type_at(declaration.child_by_field_name("type")?);
        (type_name != "var").then_some(Local::Type(type_name))
    }

    fn declare_variable(&mut self, name: &'a str, declarator: Node<'a>, around: &[Step<'a>]) {
        let mut above = around.iter().rev().skip(1).map(|step| step.node);
        let (Some(declaration), Some(statement)) = (above.next(), above.next()) else { return };
        if statement.kind().ends_with("field_declaration") {
            return self.add_member_name(name, declaration.child_by_field_name("type"));
        }
        let value = || {
            let last = declarator.named_child_count().checked_sub(1)?;
            let value = declarator.named_child(last as u32)?;
            Some(self.plain_type(value).map_or(Local::Value(value), Local::Type))
        };
        let local = self.written_type(declaration).or_else(value);
        self.add_local(name, local.unwrap_or(Local::Unknown));
    }

    /// A name without the `@` that may stand before it.
    pub(super) fn name_at(&self, node: Node<'_>) -> &'a str {
        let text = self.tree.text_of(node);
        text.strip_prefix('@').unwrap_or(text)
    }

    /// Notes the place if it has one of the names.
    fn look(&mut self, step: Step<'a>, around: &[Step<'a>]) {
        let text = self.name_at(step.node);
        // `@"…"`
        let content = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let text = content.unwrap_or(text);
        if let Some(name) = self.names.iter().find(|name| **name == text) {
            self.add_place(step, name, around);
        }
    }

    fn add_place(&mut self, step: Step<'a>, name: &'a str, around: &[Step<'a>]) {
        let member = self.open_members.last().map(|(_, member)| *member);
        let is_broken = around.iter().any(|step| step.node.is_error())
            || member.is_some_and(|member| self.members[member].node.has_error());
        let around = around.iter().rev().take(KEPT).copied().collect();
        self.places.push(Place { step, name, around, class: self.class(), member, is_broken });
    }
}

impl<'a> Visitor<'a> for Model<'a> {
    fn enter(&mut self, step: Step<'a>, around: &[Step<'a>]) {
        let kind = step.node.kind();
        if CLASSES.contains(&kind) {
            self.open_class(step.node);
        } else if around.last().is_some_and(|parent| parent.node.kind() == "declaration_list")
            && step.node.is_named()
        {
            self.open_members.push((step.node, self.members.len()));
            self.members.push(Member { node: step.node, locals: HashMap::new() });
        }
        match kind {
            "identifier" => {
                self.declare(step, around);
                self.look(step, around);
            }
            "comment" => self.comments.push(step.node),
            "namespace_declaration" | "file_scoped_namespace_declaration" => {
                let name = step.node.child_by_field_name("name");
                self.namespaces.extend(name.map(|name| self.tree.text_of(name)));
            }
            "implicit_parameter" => self.add_local(self.name_at(step.node), Local::Unknown),
            "string_literal_content" | "raw_string_content" | "verbatim_string_literal" => {
                self.look(step, around);
            }
            _ => {}
        }
    }

    fn leave(&mut self, node: Node<'a>) {
        if self.open_classes.last().is_some_and(|(open, _)| *open == node) {
            self.open_classes.pop();
        }
        if self.open_members.last().is_some_and(|(open, _)| *open == node) {
            self.open_members.pop();
        }
    }
}
