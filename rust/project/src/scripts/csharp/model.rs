//! What the classes of a script in C# declare, what is local in their members, and where a name stands.

use hashbrown::{HashMap, HashSet};
use tree_sitter::Node;

use super::syntax::{CsharpTree, Step, Visitor};

/// A script, seen for one name.
#[derive(Debug)]
pub(super) struct Model<'a> {
    pub(super) tree: &'a CsharpTree<'a>,
    pub(super) name: &'a str,
    pub(super) classes: Vec<Class<'a>>,
    pub(super) members: Vec<Member<'a>>,
    /// Where the name stands.
    pub(super) places: Vec<Place<'a>>,
    open_classes: Vec<(Node<'a>, usize)>,
    open_members: Vec<(Node<'a>, usize)>,
}

/// A class, struct, record or interface.
#[derive(Debug)]
pub(super) struct Class<'a> {
    pub(super) name: &'a str,
    /// What it extends, without namespaces.
    pub(super) bases: Vec<&'a str>,
    /// The class around it.
    pub(super) parent: Option<usize>,
    /// The types of its fields and properties.
    pub(super) fields: HashMap<&'a str, &'a str>,
    /// The names of all its members.
    pub(super) names: HashSet<&'a str>,
}

/// A member of a class, with what is inside it.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) node: Node<'a>,
    /// The types of what is local in it; nothing where they are not certain.
    pub(super) locals: HashMap<&'a str, Option<&'a str>>,
}

/// A place where the name stands as an identifier or a text.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) step: Step<'a>,
    /// The nearest nodes around it, the nearest first.
    pub(super) around: Vec<Step<'a>>,
    pub(super) class: Option<usize>,
    pub(super) member: Option<usize>,
    pub(super) is_broken: bool,
}

/// So many nodes around a place are kept.
const KEPT: usize = 6;

const CLASSES: &[&str] = &[
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

/// Clauses of queries, which give names to what they go through.
const CLAUSES: &[&str] =
    &["from_clause", "let_clause", "join_clause", "join_into_clause", "query_continuation"];

/// Functions with the type of what they return between `<` and `>`.
const TYPED: &[&str] =
    &["GetNode", "GetNodeOrNull", "GetParent", "GetOwner", "Instantiate", "Load"];

impl<'a> Model<'a> {
    /// Nothing if the tree is too deep.
    pub(super) fn of(tree: &'a CsharpTree<'a>, name: &'a str) -> Option<Self> {
        let mut model = Self {
            tree,
            name,
            classes: Vec::new(),
            members: Vec::new(),
            places: Vec::new(),
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
    fn type_at(&self, node: Node<'_>) -> &'a str {
        let text = self.tree.text_of(node).trim_end_matches('?');
        if text.contains('<') { text } else { text.rsplit('.').next().unwrap_or(text) }
    }

    fn class(&self) -> Option<usize> {
        self.open_classes.last().map(|(_, class)| *class)
    }

    fn open_class(&mut self, node: Node<'a>) {
        let name = node.child_by_field_name("name").map_or("", |name| self.tree.text_of(name));
        let mut cursor = node.walk();
        let list = node.children(&mut cursor).find(|child| child.kind() == "base_list");
        let mut bases = Vec::new();
        if let Some(list) = list {
            let mut cursor = list.walk();
            bases.extend(list.named_children(&mut cursor).map(|base| self.type_at(base)));
        }
        let (fields, names) = (HashMap::new(), HashSet::new());
        let class = Class { name, bases, parent: self.class(), fields, names };
        self.open_classes.push((node, self.classes.len()));
        self.classes.push(class);
    }

    fn add_local(&mut self, name: &'a str, type_name: Option<&'a str>) {
        let Some((_, member)) = self.open_members.last() else { return };
        let locals = &mut self.members[*member].locals;
        let known = locals.entry(name).or_insert(type_name);
        if *known != type_name {
            *known = None;
        }
    }

    fn add_member_name(&mut self, name: &'a str, type_name: Option<Node<'a>>) {
        let type_name = type_name.map(|node| self.type_at(node));
        let Some(class) = self.class().map(|class| &mut self.classes[class]) else { return };
        class.names.insert(name);
        if let Some(type_name) = type_name {
            class.fields.insert(name, type_name);
        }
    }

    /// Notes what an identifier declares.
    fn declare(&mut self, step: Step<'a>, around: &[Step<'a>]) {
        let name = self.tree.text_of(step.node);
        let Some(parent) = around.last().map(|parent| parent.node) else { return };
        let kind = parent.kind();
        if CLASSES.contains(&kind) {
            return;
        }
        if CLAUSES.contains(&kind) || kind == "parenthesized_variable_designation" {
            return self.add_local(name, None);
        }
        let type_node = parent.child_by_field_name("type");
        match (kind, step.field) {
            ("variable_declarator", Some("name")) => self.declare_variable(name, parent, around),
            ("foreach_statement", Some("left"))
            | (
                "parameter"
                | "declaration_expression"
                | "declaration_pattern"
                | "catch_declaration",
                Some("name"),
            ) => {
                let type_name = type_node.map(|node| self.type_at(node));
                self.add_local(name, type_name.filter(|name| *name != "var"));
            }
            (kind, Some("name")) if kind.ends_with("_declaration") && !NAMED.contains(&kind) => {
                self.add_member_name(name, type_node);
            }
            (kind, Some("name")) if !NAMED.contains(&kind) => self.add_local(name, None),
            _ => {}
        }
    }

    fn declare_variable(&mut self, name: &'a str, declarator: Node<'a>, around: &[Step<'a>]) {
        let mut above = around.iter().rev().skip(1).map(|step| step.node);
        let (Some(declaration), Some(statement)) = (above.next(), above.next()) else { return };
        let type_node = declaration.child_by_field_name("type");
        if statement.kind().ends_with("field_declaration") {
            return self.add_member_name(name, type_node);
        }
        let type_name = type_node.map(|node| self.type_at(node)).filter(|name| *name != "var");
        let value = || {
            let last = declarator.named_child_count().checked_sub(1)?;
            self.plain_type(declarator.named_child(last as u32)?)
        };
        let type_name = type_name.or_else(value);
        self.add_local(name, type_name);
    }

    fn add_place(&mut self, step: Step<'a>, around: &[Step<'a>]) {
        let member = self.open_members.last().map(|(_, member)| *member);
        let is_broken = around.iter().any(|step| step.node.is_error())
            || member.is_some_and(|member| self.members[member].node.has_error());
        let around = around.iter().rev().take(KEPT).copied().collect();
        self.places.push(Place { step, around, class: self.class(), member, is_broken });
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
                if self.tree.text_of(step.node) == self.name {
                    self.add_place(step, around);
                }
            }
            "implicit_parameter" => self.add_local(self.tree.text_of(step.node), None),
            "string_literal_content" | "raw_string_content"
                if self.tree.text_of(step.node) == self.name =>
            {
                self.add_place(step, around);
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
