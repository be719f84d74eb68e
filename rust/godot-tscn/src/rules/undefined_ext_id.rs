//! REF001

use std::borrow::Cow;

use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::document::{Reference, ReferenceKind, TagKind};
use crate::model::resource_ids::ResourceIds;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports `ExtResource("…")` with an id that no `ext_resource` defines.
    ///
    /// ## Why is this bad?
    /// Godot does not load the file and prints only `Parse error`.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1_a")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1_a"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1_a")
    /// ```
    ///
    /// ## References
    /// godotengine/godot#80079; `ResourceLoaderText::_parse_ext_resource`
    /// (scene/resources/resource_format_text.cpp)
    "REF001", "undefined-ext-id", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for (reference, id) in undefined(context, ReferenceKind::ExtResource, &context.ext_resources) {
        let message = format!(
            "`ext_resource` with the id {} not found; add it or correct the id",
            quote(&id)
        );
        let diagnostic = reporter.report(reference.target, message);
        diagnostic.consequence("Godot does not load the file and prints only `Parse error`");
        if context.sub_resources.find(&id).is_some() {
            diagnostic.help("a `sub_resource` has this id: did you mean `SubResource`?");
        } else {
            suggest(context, diagnostic, &id, &context.ext_resources, TagKind::ExtResource);
        }
    }
}

/// The references of this kind without a definition, and the ids that they name; none if the definition
/// could be in a part of the text that was not understood.
pub(super) fn undefined<'c>(
    context: &'c Context<'_>,
    kind: ReferenceKind,
    resources: &'c ResourceIds<'c>,
) -> impl Iterator<Item = (&'c Reference, Cow<'c, [u8]>)> {
    let is_asked = resources.has_undefined && !context.hides_sections;
    let references = context.document.references().iter().filter(move |_| is_asked);
    references
        .filter(move |reference| reference.kind == kind)
        .map(|reference| (reference, context.document.target(reference)))
        .filter(|(_, id)| resources.find(id).is_none())
}

/// Names the id that was probably meant: one that begins with the same number, or looks alike.
pub(super) fn suggest(
    context: &Context<'_>,
    diagnostic: &mut Diagnostic,
    id: &[u8],
    resources: &ResourceIds<'_>,
    tag: TagKind,
) {
    let ids = || resources.definitions.iter().map(|definition| definition.id.as_ref());
    let same_number = match tag {
        TagKind::ExtResource => resources.with_number_of(id),
        _ => None,
    };
    let Some(meant) = same_number.or_else(|| context.nearest(id, ids())) else {
        return;
    };
    let path = resources.find(meant).and_then(|definition| {
        definition.section.field_text(if tag == TagKind::ExtResource { "path" } else { "type" })
    });
    let path = path.unwrap_or(Cow::Borrowed(b"?"));
    diagnostic.help(format!("did you mean {} ({})?", quote(meant), quote(&path)));
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, diagnostics, node, rendered};

    #[test]
    fn ids() {
        let found =
            rendered(&RULE, &node("script = ExtResource(\"1_a\")\nb = [ExtResource( 7 )]\n"));
        assert_snapshot!(found, @r#"
        4:22-4:27 error: `ext_resource` with the id `1_a` not found; add it or correct the id
            at: "1_a"
            so: Godot does not load the file and prints only `Parse error`
        5:19-5:20 error: `ext_resource` with the id `7` not found; add it or correct the id
            at: 7
            so: Godot does not load the file and prints only `Parse error`
        "#);
    }

    #[test]
    fn a_number_and_a_string_are_the_same_id() {
        clean(
            &RULE,
            "[gd_scene format=2]\n[ext_resource path=\"a\" type=\"Script\" id=1]\n\
             [node name=\"A\" type=\"Node\"]\nscript = ExtResource( \"1\" )\n",
        );
    }

    #[test]
    fn suggestion() {
        let text = "[gd_scene format=3]\n[ext_resource path=\"res://a.gd\" type=\"Script\" id=\"1_abcde\"]\n\
                    [node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1_zyxwv\")\n";
        let diagnostic = &diagnostics(&RULE, text.as_bytes())[0];
        assert_eq!(diagnostic.help.as_deref(), Some("did you mean `1_abcde` (`res://a.gd`)?"));
    }

    #[test]
    fn silent_where_the_definition_may_be_broken() {
        let text = node(
            "[ext_resource id=\"1\" = ]\n[node name=\"B\" parent=\".\"]\na = ExtResource(\"1\")\n",
        );
        clean(&RULE, &text);
    }
}
