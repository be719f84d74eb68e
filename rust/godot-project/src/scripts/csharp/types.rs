//! The types of expressions in C#, if the texts of the project contain them.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::{HashMap, HashSet};
use tree_sitter::Node;

use super::model::{Local, Model};
use super::syntax::CsharpTree;
use crate::project::{FileId, Project};

/// So deep, types follow from each other.
const MAX_STEPS: u32 = 16;

/// The contents of the classes of a C# project; each is looked for in the file with its name.
#[derive(Debug)]
pub struct CsharpTypes<'p> {
    project: &'p Project,
    known: Mutex<HashMap<FileId, Arc<Classes>>>,
}

/// The classes of a file by name; nothing where two have the same.
type Classes = HashMap<String, Option<Arc<ClassTypes>>>;

/// The bases of a class, and the types of its members.
#[derive(Debug, Default)]
pub struct ClassTypes {
    pub bases: Vec<String>,
    pub is_interface: bool,
    types: HashMap<String, String>,
    returns: HashMap<String, String>,
    names: HashSet<String>,
}

impl ClassTypes {
    pub fn has_member(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

/// The data in a class on one of its members.
enum Said {
    Type(String),
    /// It has the member, with an unknown type.
    Untyped,
    /// It does not have the member; these are its bases.
    Nothing(Vec<String>),
}

impl<'p> CsharpTypes<'p> {
    /// For a project, computed on demand.
    pub fn new(project: &'p Project) -> Self {
        Self { project, known: Mutex::default() }
    }

    fn knows(&self, class: &str) -> bool {
        self.project.scripts().csharp_class(class).is_some()
    }

    fn classes(&self, file: FileId) -> Arc<Classes> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&file) {
            return Arc::clone(found);
        }
        let made = Arc::new(self.read(file).unwrap_or_default());
        known().insert(file, Arc::clone(&made));
        made
    }

    fn read(&self, file: FileId) -> Option<Classes> {
        let text = self.project.read(file).ok()?;
        let tree = CsharpTree::parse(&text)?;
        let model = Model::of(&tree, &[])?;
        let mut classes = Classes::new();
        for class in model.classes {
            let owned = |text: &&str| (*text).to_owned();
            let returns = class.returns.iter();
            let returns =
                returns.filter_map(|(name, found)| Some((owned(name), owned(&(*found)?))));
            let types = ClassTypes {
                is_interface: class.is_interface,
                bases: class.bases.iter().map(owned).collect(),
                types: class
                    .types
                    .iter()
                    .map(|(name, found)| (owned(name), owned(found)))
                    .collect(),
                returns: returns.collect(),
                names: class.names.iter().map(owned).collect(),
            };
            let entry = classes.entry(class.name.to_owned());
            entry.and_modify(|found| *found = None).or_insert_with(|| Some(Arc::new(types)));
        }
        Some(classes)
    }

    /// The data on a class.
    pub fn class(&self, name: &str) -> Option<Arc<ClassTypes>> {
        let classes = self.classes(self.project.scripts().csharp_class(name)?);
        classes.get(name)?.clone()
    }

    /// The data in a class on a member; nothing for an unknown class.
    fn said(&self, class: &str, member: Member<'_>) -> Option<Said> {
        let class = self.class(class)?;
        let types = if member.is_called { &class.returns } else { &class.types };
        Some(match types.get(member.name) {
            Some(found) => Said::Type(found.clone()),
            None if class.names.contains(member.name) => Said::Untyped,
            None => Said::Nothing(class.bases.clone()),
        })
    }
}

/// A member that is asked for.
#[derive(Clone, Copy)]
struct Member<'n> {
    name: &'n str,
    is_called: bool,
}

/// The expressions of one script.
pub(super) struct Typing<'m, 'a> {
    pub(super) model: &'m Model<'a>,
    pub(super) others: Option<&'m CsharpTypes<'m>>,
    /// A class that is known in addition to them.
    pub(super) also: &'m str,
}

/// The meaning of a name by itself in a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InScope {
    /// A member of this type.
    Type(String),
    /// A member with an unknown type.
    Untyped,
    /// No member that is known.
    Nothing,
}

/// The place of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    pub(super) class: Option<usize>,
    pub(super) member: Option<usize>,
}

impl<'a> Typing<'_, 'a> {
    /// Whether the project has a class of this name.
    pub(super) fn knows(&self, class: &str) -> bool {
        self.model.by_name.contains_key(class)
            || self.also == class
            || self.others.is_some_and(|others| others.knows(class))
    }

    /// The type of an expression, without its namespace and `?`. For the name of a class, this is the class.
    pub(super) fn of(&self, expression: Node<'a>, scope: Scope) -> Option<String> {
        self.within(expression, scope, 0)
    }

    fn within(&self, expression: Node<'a>, scope: Scope, steps: u32) -> Option<String> {
        if steps >= MAX_STEPS {
            return None;
        }
        if let Some(found) = self.model.plain_type(expression) {
            return Some(found.to_owned());
        }
        let steps = steps + 1;
        let part = |field| expression.child_by_field_name(field);
        match expression.kind() {
            "this" | "this_expression" => Some(self.model.classes[scope.class?].name.to_owned()),
            "base" | "base_expression" => {
                let bases = &self.model.classes[scope.class?].bases;
                bases.first().map(|base| (*base).to_owned())
            }
            "element_access_expression" => {
                let list = self.within(part("expression")?, scope, steps)?;
                element_of(&list).map(str::to_owned)
            }
            "parenthesized_expression" | "postfix_unary_expression" => {
                self.within(expression.named_child(0)?, scope, steps)
            }
            "invocation_expression" => self.of_named(part("function")?, true, scope, steps),
            _ => self.of_named(expression, false, scope, steps),
        }
    }

    /// The type of a name, or the result type of the method with this name.
    fn of_named(
        &self,
        named: Node<'a>,
        is_called: bool,
        scope: Scope,
        steps: u32,
    ) -> Option<String> {
        let part = |field| named.child_by_field_name(field);
        let member = |node| Member { name: self.model.name_at(node), is_called };
        match named.kind() {
            "identifier" => self.of_name(member(named), scope, steps),
            "member_access_expression" => {
                let receiver = self.within(part("expression")?, scope, steps)?;
                self.of_bases(vec![receiver], member(part("name")?)).flatten()
            }
            "conditional_access_expression" => {
                let receiver = self.within(part("condition")?, scope, steps)?;
                let last = named.named_child_count().checked_sub(1)?;
                let mut binding = named.named_child(last as u32)?;
                let is_inner_call = binding.kind() == "invocation_expression";
                let is_called = is_called || is_inner_call;
                if is_inner_call {
                    binding = binding.child_by_field_name("function")?;
                }
                if binding.kind() != "member_binding_expression" {
                    return None;
                }
                let name = self.model.name_at(binding.child_by_field_name("name")?);
                self.of_bases(vec![receiver], Member { name, is_called }).flatten()
            }
            _ => None,
        }
    }

    /// A name by itself: a local, a member of the class or of its bases, or a class.
    fn of_name(&self, member: Member<'_>, scope: Scope, steps: u32) -> Option<String> {
        let locals = scope.member.map(|member| &self.model.members[member].locals);
        if let Some(local) = locals.and_then(|locals| locals.get(member.name)) {
            return match *local {
                _ if member.is_called => None,
                Local::Type(found) => Some(found.to_owned()),
                Local::Value(value) => self.within(value, scope, steps),
                Local::Element(list) => {
                    let list = self.within(list, scope, steps)?;
                    element_of(&list).filter(|_| !list.contains("Dictionary<")).map(str::to_owned)
                }
                Local::Unknown => None,
            };
        }
        match self.in_classes(member, scope) {
            InScope::Type(found) => Some(found),
            InScope::Untyped => None,
            InScope::Nothing => {
                let is_class = !member.is_called && self.knows(member.name);
                is_class.then(|| member.name.to_owned())
            }
        }
    }

    /// The meaning of a name by itself among the members of the class and of those around it.
    pub(super) fn in_scope(&self, name: &str, scope: Scope) -> InScope {
        self.in_classes(Member { name, is_called: false }, scope)
    }

    fn in_classes(&self, member: Member<'_>, scope: Scope) -> InScope {
        let mut class = scope.class;
        for _ in 0..MAX_STEPS {
            let Some(index) = class else { break };
            match self.said_here(index, member) {
                Said::Type(found) => return InScope::Type(found),
                Said::Untyped => return InScope::Untyped,
                Said::Nothing(bases) => match self.of_bases(bases, member) {
                    Some(Some(found)) => return InScope::Type(found),
                    Some(None) => return InScope::Untyped,
                    None => {}
                },
            }
            class = self.model.classes[index].parent;
        }
        InScope::Nothing
    }

    fn said_here(&self, class: usize, member: Member<'_>) -> Said {
        let class = &self.model.classes[class];
        let found = match member.is_called {
            true => class.returns.get(member.name).copied().flatten(),
            false => class.types.get(member.name).copied(),
        };
        match found {
            Some(found) => Said::Type(found.to_owned()),
            None if class.names.contains(member.name) => Said::Untyped,
            None => Said::Nothing(class.bases.iter().map(|base| (*base).to_owned()).collect()),
        }
    }

    /// The type of a member of the first of these classes, or of its bases; nothing if none of them has it.
    fn of_bases(&self, mut bases: Vec<String>, member: Member<'_>) -> Option<Option<String>> {
        for _ in 0..MAX_STEPS {
            let class = bases.into_iter().next()?;
            let said = match self.model.by_name.get(class.as_str()) {
                Some(Some(index)) => Some(self.said_here(*index, member)),
                Some(None) => return Some(None),
                None => self.others.and_then(|others| others.said(&class, member)),
            };
            match said? {
                Said::Type(found) => return Some(Some(found)),
                Said::Untyped => return Some(None),
                Said::Nothing(next) => bases = next,
            }
        }
        None
    }
}

/// The type of the elements of a list, or of the values of a dictionary.
fn element_of(list: &str) -> Option<&str> {
    let simple = |text: &'_ str| -> usize { text.rfind('.').map_or(0, |dot| dot + 1) };
    let found = match list.strip_suffix("[]") {
        Some(element) => element,
        None => {
            let (name, arguments) = list.split_once('<')?;
            let arguments = arguments.strip_suffix('>')?;
            let is_nested = arguments.contains(['<', '(']);
            match &name[simple(name)..] {
                "Array" | "List" | "IList" | "IReadOnlyList" | "IEnumerable" | "ICollection"
                | "HashSet" | "Queue" | "Stack" => arguments,
                "Dictionary" | "IDictionary" if !is_nested => arguments.rsplit_once(',')?.1.trim(),
                _ => return None,
            }
        }
    };
    let found = found.trim_end_matches('?');
    Some(if found.contains('<') { found } else { &found[simple(found)..] })
}

#[cfg(test)]
mod tests {
    use super::element_of;

    #[test]
    fn elements() {
        assert_eq!(element_of("Enemy[]"), Some("Enemy"));
        assert_eq!(element_of("Godot.Collections.Array<Game.Enemy>"), Some("Enemy"));
        assert_eq!(element_of("Dictionary<string, Enemy?>"), Some("Enemy"));
        assert_eq!(element_of("List<List<Enemy>>"), Some("List<Enemy>"));
        assert_eq!(element_of("Enemy"), None);
        assert_eq!(element_of("Task<Enemy>"), None);
    }
}
