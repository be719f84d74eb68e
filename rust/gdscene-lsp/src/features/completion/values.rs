//! What a property may hold, as far as its type has few values.

use godot_project::{Class, Project};
use ls_types::CompletionItemKind;

use super::Choice;
use crate::objects::Object;

/// The values of a property: of a `bool`, of an enum, and the one that it has when nothing is said.
pub(super) fn of(project: &Project, object: &Object, name: &str) -> Vec<Choice> {
    let members = object.members(project);
    let Some(member) = members.into_iter().find(|member| member.name == name) else {
        return Vec::new();
    };
    let value = CompletionItemKind::VALUE;
    let mut choices = match member.type_name.as_str() {
        "bool" => vec![Choice::new("true", value, ""), Choice::new("false", value, "")],
        "int" => enum_values(project, object, name),
        _ => Vec::new(),
    };
    if let Some(default) = member.default
        && !choices.iter().any(|choice| choice.text == default)
    {
        choices.push(Choice::new(default, value, "default"));
    }
    choices
}

/// The values of the enum that is called as the property, as Godot's enums are: `TextureFilter` of `texture_filter`.
fn enum_values(project: &Project, object: &Object, name: &str) -> Vec<Choice> {
    let wanted = camel_case(name);
    let classes = project.classes();
    let mut lineage = classes.lineage(object.class.as_deref().unwrap_or_default());
    let found = lineage.find_map(|class: Class<'_>| {
        let name = class.enum_names().find(|found| *found == wanted)?;
        class.enum_values(name).map(Iterator::collect::<Vec<_>>)
    });
    let choice = |(name, value): (&str, i64)| {
        Choice::new(value.to_string(), CompletionItemKind::ENUM_MEMBER, name)
    };
    found.into_iter().flatten().filter(|(name, _)| !name.ends_with("_MAX")).map(choice).collect()
}

fn camel_case(name: &str) -> String {
    let part = |part: &str| {
        let mut characters = part.chars();
        let first = characters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(characters).collect::<String>()
    };
    name.split('_').map(part).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_of_enums() {
        assert_eq!(super::camel_case("texture_filter"), "TextureFilter");
        assert_eq!(super::camel_case("mode"), "Mode");
    }
}
