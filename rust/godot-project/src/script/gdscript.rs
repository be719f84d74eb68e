//! GDScript, through the grammar of `tree-sitter-gdscript`.

use tree_sitter::{Node, Parser};

use crate::script::emits::all_emit;
use crate::script::outline::outline;
use crate::script::{
    Base, Enum, Function, MAX_SIZE, Script, Signal, Variable, early, loads, looked_up,
};

/// Classes inside classes are read so deep.
const MAX_DEPTH: u32 = 16;

pub(super) fn read(text: &[u8]) -> Script {
    let Ok(text) = std::str::from_utf8(text) else {
        return Script::default();
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MAX_SIZE {
        return Script::default();
    }
    let Some(outline) = outline(text) else {
        return Script::default();
    };
    let mut parser = Parser::new();
    if parser.set_language(&tree_sitter_gdscript::LANGUAGE.into()).is_err() {
        return Script::default();
    }
    let Some(tree) = parser.parse(&outline, None) else {
        return Script::default();
    };
    let root = tree.root_node();
    let mut reader = Reader { text: &outline };
    let mut script = reader.members(root, 0);
    script.is_complete &= !root.has_error();
    script.has_dynamic_signals = text.contains("add_user_signal");
    let looked_up = looked_up::in_gdscript(text);
    for variable in &mut script.variables {
        variable.is_looked_up = looked_up.contains(variable.name.as_str());
    }
    script.loads = loads::in_gdscript(text);
    let early = early::of_gdscript(text);
    (script.adds_nodes, script.runs_early) = (early.adds_nodes, early.runs_code);
    for signal in &mut script.signals {
        signal.argument_count =
            signal.argument_count.filter(|count| all_emit(text, &signal.name, *count));
    }
    script
}

struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn members(&mut self, body: Node<'_>, depth: u32) -> Script {
        let mut script = Script { is_complete: true, ..Script::default() };
        // `@tool` and `@export_range(…)` in their own line belong to the next statement.
        let mut annotations: Vec<Annotation> = Vec::new();
        let mut cursor = body.walk();
        for member in body.named_children(&mut cursor) {
            match member.kind() {
                "comment" | "region_start" | "region_end" => continue,
                "annotation" | "annotations" => {
                    annotations.extend(self.annotations(member));
                    script.is_tool |= annotations.iter().any(|found| found.name == "tool");
                    continue;
                }
                _ => self.member(member, &annotations, &mut script, depth),
            }
            annotations.clear();
        }
        script
    }

    fn member(&mut self, member: Node<'_>, before: &[Annotation], script: &mut Script, depth: u32) {
        match member.kind() {
            "class_name_statement" => {
                script.class_name = self.class_name(member);
                if let Some(extends) = member.child_by_field_name("extends") {
                    script.base = self.base(extends);
                }
            }
            "extends_statement" => script.base = self.base(member),
            "variable_statement" | "export_variable_statement" | "onready_variable_statement" => {
                script.variables.extend(self.variable(member, before));
            }
            "const_statement" => {
                script.constants.extend(self.field(member, "name"));
                script.preloads.extend(self.preload(member));
            }
            "signal_statement" => {
                let parameters = member.child_by_field_name("parameters");
                let argument_count = parameters.map(argument_count);
                let name = self.field(member, "name");
                script.signals.extend(name.map(|name| Signal { name, argument_count }));
            }
            "function_definition" => {
                let function = self.function(member);
                script.has_dynamic_properties |= function.as_ref().is_some_and(|function| {
                    matches!(function.name.as_str(), "_get_property_list" | "_set" | "_get")
                });
                script.functions.extend(function);
            }
            "class_definition" if depth < MAX_DEPTH => {
                let (Some(name), Some(body)) =
                    (self.field(member, "name"), member.child_by_field_name("body"))
                else {
                    script.is_complete = false;
                    return;
                };
                let mut class = self.members(body, depth + 1);
                if let Some(extends) = member.child_by_field_name("extends") {
                    class.base = self.base(extends);
                }
                script.is_complete &= class.is_complete;
                script.classes.push((name, class));
            }
            "enum_definition" => script.enums.extend(self.enumeration(member)),
            "constructor_definition" => script.needed_by_init = Some(parameters(member).0),
            "pass_statement" => {}
            // Godot 3: `tool` in a line of its own. Texts between `"""` are comments.
            "expression_statement" => {
                let text = self.text(member);
                script.is_tool |= text == "tool";
                script.is_complete &= text == "tool" || text.starts_with(['"', '\'']);
            }
            _ => script.is_complete = false,
        }
    }

    /// The name behind `class_name`. For a name with letters outside ASCII, the grammar takes a part, or another word.
    fn class_name(&self, member: Node<'_>) -> Option<String> {
        let name = member.child_by_field_name("name")?;
        let before = self.text[member.start_byte()..name.start_byte()].trim_end();
        let after = &self.text[name.end_byte()..];
        let is_whole = before.ends_with("class_name") && !after.starts_with(char::is_alphanumeric);
        is_whole.then(|| self.text(name).to_owned())
    }

    fn variable(&mut self, member: Node<'_>, before: &[Annotation]) -> Option<Variable> {
        let mut annotations = before.to_vec();
        let mut cursor = member.walk();
        for child in member.named_children(&mut cursor) {
            if child.kind() == "annotations" {
                annotations.extend(self.annotations(child));
            }
        }
        let is_exported = member.kind() == "export_variable_statement"
            || annotations.iter().any(|found| {
                found.name.starts_with("export")
                    && !matches!(
                        found.name.as_str(),
                        "export_category" | "export_group" | "export_subgroup"
                    )
            });
        let exports_type = annotations.iter().any(|found| found.name == "export");
        let of_files = ["export_file", "export_file_path", "export_dir"];
        let names_files = annotations.iter().any(|found| of_files.contains(&found.name.as_str()));
        let enums = annotations.iter().filter(|found| found.name == "export_enum");
        let choices = numbered(enums.flat_map(|found| &found.texts));
        let type_node = member.child_by_field_name("type").filter(|found| found.kind() == "type");
        let arguments = || {
            let arguments = member.child_by_field_name("arguments")?;
            Some(self.text(arguments.named_child(0)?).to_owned())
        };
        Some(Variable {
            name: self.field(member, "name")?,
            is_exported,
            exports_type,
            names_files,
            choices,
            type_name: type_node.map(|found| self.text(found).to_owned()).or_else(arguments),
            is_static: member.child_by_field_name("static").is_some(),
            is_looked_up: false,
            value: self.field(member, "value").filter(|value| !value.contains('\n')),
        })
    }

    fn function(&mut self, member: Node<'_>) -> Option<Function> {
        let name = self.field(member, "name")?;
        let (least, most) = parameters(member);
        let mut cursor = member.walk();
        let is_static = member.children(&mut cursor).any(|child| child.kind() == "static_keyword");
        Some(Function { name, least, most, is_static })
    }

    fn enumeration(&self, member: Node<'_>) -> Option<Enum> {
        let (name, body) = (self.field(member, "name")?, member.child_by_field_name("body")?);
        let mut values: Vec<(String, Option<i64>)> = Vec::new();
        let mut cursor = body.walk();
        for enumerator in body.named_children(&mut cursor) {
            let Some(constant) = self.field(enumerator, "left") else { continue };
            let number = match enumerator.child_by_field_name("right") {
                Some(right) => whole_number(self.text(right), &values),
                None => values
                    .last()
                    .map_or(Some(0), |(_, last)| last.and_then(|last| last.checked_add(1))),
            };
            values.push((constant, number));
        }
        Some(Enum { name, values })
    }

    /// `const Base = preload("res://base.gd")`
    fn preload(&mut self, member: Node<'_>) -> Option<(String, String)> {
        let value = self.field(member, "value")?;
        let argument =
            value.strip_prefix("preload")?.trim().strip_prefix('(')?.strip_suffix(')')?;
        Some((self.field(member, "name")?, unquoted(argument.trim())?))
    }

    fn base(&self, extends: Node<'_>) -> Base {
        let text = self.text(extends);
        let text = text.strip_prefix("extends").unwrap_or(text).trim();
        let Some(quote) = text.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
            return Base::Class(text.to_owned());
        };
        let end = text[1..].find(quote).map_or(text.len(), |end| end + 2);
        match unquoted(&text[..end]) {
            Some(path) => Base::Path(path, text[end..].trim_start_matches('.').to_owned()),
            None => Base::Class(text.to_owned()),
        }
    }

    fn annotations(&self, node: Node<'_>) -> Vec<Annotation> {
        if node.kind() == "annotation" {
            return self.annotation(node).into_iter().collect();
        }
        let mut cursor = node.walk();
        node.named_children(&mut cursor).filter_map(|child| self.annotation(child)).collect()
    }

    fn annotation(&self, node: Node<'_>) -> Option<Annotation> {
        let name = self.text(node.named_child(0)?).to_owned();
        let mut texts = Vec::new();
        if let Some(arguments) = node.child_by_field_name("arguments") {
            let mut cursor = arguments.walk();
            let children = arguments.named_children(&mut cursor);
            texts.extend(children.filter_map(|argument| unquoted(self.text(argument))));
        }
        Some(Annotation { name, texts })
    }

    fn field(&self, node: Node<'_>, name: &str) -> Option<String> {
        node.child_by_field_name(name).map(|found| self.text(found).to_owned())
    }

    fn text(&self, node: Node<'_>) -> &str {
        &self.text[node.byte_range()]
    }
}

/// `@export_enum("Slow", "Fast:5")`: the name, and the texts in the parentheses.
#[derive(Clone)]
struct Annotation {
    name: String,
    texts: Vec<String>,
}

/// The names of an enum's values with their numbers: `Fast:5` has one, others count on.
fn numbered<'t>(texts: impl Iterator<Item = &'t String>) -> Vec<(String, i64)> {
    let mut next = Some(0);
    let mut choices = Vec::new();
    for text in texts {
        let given = text
            .rsplit_once(':')
            .and_then(|(name, number)| Some((name.to_owned(), number.trim().parse::<i64>().ok()?)));
        let (name, number) = match (given, next) {
            (Some(given), _) => given,
            (None, Some(next)) => (text.clone(), next),
            (None, None) => continue,
        };
        next = number.checked_add(1);
        choices.push((name, number));
    }
    choices
}

/// How many arguments a function needs, and how many it takes at most; nothing if any number.
fn parameters(function: Node<'_>) -> (usize, Option<usize>) {
    let (mut least, mut most) = (0, Some(0));
    let Some(parameters) = function.child_by_field_name("parameters") else {
        return (least, most);
    };
    let mut cursor = parameters.walk();
    for parameter in parameters.named_children(&mut cursor) {
        match parameter.kind() {
            "comment" => continue,
            "identifier" | "typed_parameter" => least += 1,
            "variadic_parameter" => {
                most = None;
                continue;
            }
            _ => {}
        }
        most = most.map(|most| most + 1);
    }
    (least, most)
}

fn argument_count(parameters: Node<'_>) -> usize {
    let mut cursor = parameters.walk();
    parameters.named_children(&mut cursor).filter(|child| child.kind() != "comment").count()
}

/// The value of `12`, `-1`, `0x10`, `1 << 3` or an earlier constant of the enum.
fn whole_number(text: &str, known: &[(String, Option<i64>)]) -> Option<i64> {
    let text = text.trim();
    if let Some((number, shift)) = text.split_once("<<") {
        let shift = u32::try_from(whole_number(shift, known)?).ok()?;
        return whole_number(number, known)?.checked_shl(shift);
    }
    if let Some(number) = text.strip_prefix('-') {
        return whole_number(number, known)?.checked_neg();
    }
    if let Some((_, number)) = known.iter().find(|(constant, _)| constant == text) {
        return *number;
    }
    let digits = text.replace('_', "");
    match digits.split_at_checked(2) {
        Some(("0x" | "0X", digits)) => i64::from_str_radix(digits, 16).ok(),
        Some(("0b" | "0B", digits)) => i64::from_str_radix(digits, 2).ok(),
        _ => digits.parse().ok(),
    }
}

/// The text between quotes, if nothing in it is escaped.
fn unquoted(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let inside = text[1..].strip_suffix(quote)?;
    (!inside.contains('\\') && !inside.contains(quote)).then(|| inside.to_owned())
}
