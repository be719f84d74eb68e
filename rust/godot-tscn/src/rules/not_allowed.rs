//! SEC008

use crate::context::Context;
use crate::document::{ReferenceKind, TagKind};
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports classes and files that are not on the allow list, if one is configured.
    ///
    /// ## Why is this bad?
    /// The other rules know which data is dangerous in Godot itself. They cannot know the effects of extension classes,
    /// or how the game's own scenes use untrusted values. An allow list of the classes and files of a level is the only
    /// reliable way.
    ///
    /// ## Example
    /// A `[node name="A" type="HTTPRequest"]`, and a list that contains the classes `Node2D` and `Sprite2D`.
    ///
    /// ## Use instead
    /// Nodes of the listed classes.
    ///
    /// ## References
    /// Godot proposals 4925 and 10968
    "SEC008", "not-allowed", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let Some(list) = context.allow_list else { return };
    let allows_class =
        |class: &[u8]| std::str::from_utf8(class).is_ok_and(|class| list.allows_class(class));
    let allows_path = |path: &[u8]| {
        list.paths.is_none() || std::str::from_utf8(path).is_ok_and(|path| list.lists_path(path))
    };
    for section in context.document.sections() {
        let class = match section.kind_of_name() {
            TagKind::GdResource | TagKind::ExtResource | TagKind::SubResource | TagKind::Node => {
                section.field("type")
            }
            _ => None,
        };
        if let Some((field, class)) = class.and_then(|field| Some((field, field.text()?)))
            && !allows_class(&class)
        {
            let message = format!("the class {} is not allowed", quote(&class));
            reporter.report(field.value_span(), message);
        }
        let path = match section.kind_of_name() {
            TagKind::ExtResource => section.field("path"),
            TagKind::Node => section.field("instance_placeholder"),
            _ => None,
        };
        if let Some((field, path)) = path.and_then(|field| Some((field, field.text()?)))
            && !allows_path(&path)
        {
            reporter
                .report(field.value_span(), format!("the file {} is not allowed", quote(&path)));
        }
    }
    for reference in context.document.references() {
        let path = context.document.target(reference);
        if reference.kind == ReferenceKind::Resource && !allows_path(&path) {
            reporter.report(reference.target, format!("the file {} is not allowed", quote(&path)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::allow_list::AllowList;
    use crate::lint::lint;
    use crate::options::LintOptions;

    #[test]
    fn lists() {
        let text = b"[gd_scene format=3]\n\n[ext_resource type=\"Texture2D\" path=\"res://a/b.png\" id=\"1\"]\n\n\
                     [node name=\"A\" type=\"Sprite2D\"]\ntexture = ExtResource(\"1\")\nx = Resource(\"res://c\")\n";
        let messages = |list: &AllowList| {
            let options = LintOptions { allow_list: Some(list), ..LintOptions::default() };
            let mut found = lint(text, &options).diagnostics;
            found.retain(|found| found.code == RULE.code);
            found.into_iter().map(|found| found.message).collect::<Vec<_>>()
        };
        let mut list = AllowList::default();
        assert!(messages(&list).is_empty());
        list.classes = Some(["Sprite2D".to_owned()].into());
        assert_eq!(messages(&list), ["the class `Texture2D` is not allowed"]);
        list.classes = None;
        list.paths = Some(vec!["res://a/".to_owned()]);
        assert_eq!(messages(&list), ["the file `res://c` is not allowed"]);
    }
}
