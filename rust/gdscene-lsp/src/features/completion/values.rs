//! Values of a property, by its type.

use godot_project::ValueType;
use godot_tscn::{Section, TagKind};
use godot_variant::VariantType;
use ls_types::CompletionItemKind;

use super::{Choice, Completer};
use crate::at;
use crate::objects::Member;

impl Completer<'_> {
    /// The values that a property takes, if its type has few, and its default.
    pub(super) fn values(&self, key: &str) -> Vec<Choice> {
        let Some(member) = self.object().member(self.project, key) else { return Vec::new() };
        let Member { holds, default, .. } = member;
        let value = CompletionItemKind::VALUE;
        let mut choices = match &holds {
            ValueType::Of(VariantType::Bool) => {
                vec![Choice::new("true", value, ""), Choice::new("false", value, "")]
            }
            ValueType::Enum { values, .. } => {
                let choice = |(name, number): &(String, i64)| {
                    Choice::new(number.to_string(), CompletionItemKind::ENUM_MEMBER, name)
                };
                values.iter().map(choice).collect()
            }
            ValueType::Of(VariantType::NodePath) => self.node_paths(),
            ValueType::Object(class) if class.is_node => self.node_paths(),
            ValueType::Object(class) => {
                self.resources(class.native.as_deref().unwrap_or("Resource"))
            }
            _ => Vec::new(),
        };
        if let Some(default) = default
            && !choices.iter().any(|choice| choice.text == default)
        {
            choices.push(Choice::new(default, value, "default"));
        }
        choices
    }

    fn node_paths(&self) -> Vec<Choice> {
        let quoted =
            |choice: Choice| Choice { text: format!("NodePath(\"{}\")", choice.text), ..choice };
        self.nodes_seen_from_here().into_iter().map(quoted).collect()
    }

    /// The resources of the text with a class that inherits `base`.
    fn resources(&self, base: &str) -> Vec<Choice> {
        let classes = self.project.classes();
        let choice = |section: Section<'_>| {
            let constructor = match section.kind() {
                TagKind::ExtResource => "ExtResource",
                TagKind::SubResource => "SubResource",
                _ => return None,
            };
            let (class, id) = (at::text(section, "type")?, at::text(section, "id")?);
            // Only the tag of a file may name a base of the object's class.
            let may_be = section.kind() == TagKind::ExtResource && classes.inherits(base, &class);
            let is_meant = classes.inherits(&class, base) || may_be;
            let text = format!("{constructor}(\"{id}\")");
            let path = at::text(section, "path").unwrap_or_default();
            let detail = format!("{class} {path}");
            is_meant.then(|| Choice::new(text, CompletionItemKind::REFERENCE, detail.trim()))
        };
        self.document.sections().filter_map(choice).collect()
    }
}
