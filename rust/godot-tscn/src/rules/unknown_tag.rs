//! STR003

use crate::context::Context;
use crate::document::{Section, TagKind};
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports tags that are unknown to Godot, or not valid in this kind of file.
    ///
    /// ## Why is this bad?
    /// Godot does not load the file.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [nodes name="A" type="Node"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## References
    /// `ResourceLoaderText::load`, `ResourceLoaderText::_parse_node_tag`
    /// (scene/resources/resource_format_text.cpp)
    "STR003", "unknown-tag", Error
}

/// `resource`, with name and metadata of the scene, came with 4.8: the rule `downgrade` reports it for older versions.
const SCENE_TAGS: &[&str] =
    &["ext_resource", "sub_resource", "node", "connection", "editable", "resource"];
const RESOURCE_TAGS: &[&str] = &["ext_resource", "sub_resource", "resource"];

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let mut sections = context.document.sections();
    let header = sections.next().map(Section::kind);
    let tags = match header {
        Some(TagKind::GdResource) => RESOURCE_TAGS,
        // The rule `bad-header` reports a file without header.
        Some(TagKind::GdScene) => SCENE_TAGS,
        _ => return,
    };
    for section in sections {
        let name = section.name();
        // In one that is broken the name may be too.
        let is_other = section.is_broken() && section.kind() == TagKind::Unknown;
        let is_known = tags.iter().any(|tag| tag.as_bytes() == name);
        if name.is_empty() || is_other || is_known || section.kind() == TagKind::Nested {
            continue;
        }
        let place = if header == Some(TagKind::GdScene) { "a scene" } else { "a resource file" };
        let quoted = quote(name);
        let message = match section.kind() {
            TagKind::GdScene | TagKind::GdResource => {
                format!("unexpected second header {quoted}; only the first tag can be a header")
            }
            TagKind::Unknown => {
                match context.nearest(name, tags.iter().map(|tag| tag.as_bytes())) {
                    Some(tag) => {
                        format!("{quoted} is not a valid tag; did you mean {}?", quote(tag))
                    }
                    None => format!("{quoted} is not a valid tag in {place}"),
                }
            }
            _ => format!("{quoted} is not a valid tag in {place}"),
        };
        reporter.report(section.name_span(), message).consequence("Godot does not load the file");
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{node, rendered};

    #[test]
    fn tags() {
        let found = rendered(&RULE, &node("[nod name=\"B\"]\n[whatever]\n[gd_scene format=3]\n"));
        assert_snapshot!(found, @"
        4:2-4:5 error: `nod` is not a valid tag; did you mean `node`?
            at: nod
            so: Godot does not load the file
        5:2-5:10 error: `whatever` is not a valid tag in a scene
            at: whatever
            so: Godot does not load the file
        6:2-6:10 error: unexpected second header `gd_scene`; only the first tag can be a header
            at: gd_scene
            so: Godot does not load the file
        ");
        let found = rendered(
            &RULE,
            "[gd_resource type=\"Resource\" format=3]\n[node name=\"A\" type=\"Node\"]\n",
        );
        assert_snapshot!(found, @"
        2:2-2:6 error: `node` is not a valid tag in a resource file
            at: node
            so: Godot does not load the file
        ");
    }
}
