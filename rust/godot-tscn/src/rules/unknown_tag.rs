//! STR003

use crate::context::Context;
use crate::document::{Section, TagKind};
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports tags that Godot does not know, or does not know in this kind of file.
    ///
    /// ## Why is this bad?
    /// Godot refuses the file.
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

const SCENE_TAGS: &[&str] = &["ext_resource", "sub_resource", "node", "connection", "editable"];
const RESOURCE_TAGS: &[&str] = &["ext_resource", "sub_resource", "resource"];

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let mut sections = context.document.sections();
    let header = sections.next().map(Section::kind);
    let tags = match header {
        Some(TagKind::GdResource) => RESOURCE_TAGS,
        // Of a file without header the rule `bad-header` speaks.
        Some(TagKind::GdScene) => SCENE_TAGS,
        _ => return,
    };
    for section in sections {
        let name = section.name();
        // In one that is broken the name may be too.
        let is_other = section.is_broken() && section.kind() == TagKind::Unknown;
        if name.is_empty() || is_other || tags.iter().any(|tag| tag.as_bytes() == name) {
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
            _ => format!("{quoted} does not belong in {place}"),
        };
        reporter.report(section.name_span(), message).consequence("Godot refuses the file");
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{node, rendered};

    #[test]
    fn tags() {
        let found = rendered(
            &RULE,
            &node("[nod name=\"B\"]\n[whatever]\n[resource]\n[gd_scene format=3]\n"),
        );
        assert_snapshot!(found, @"
        4:2-4:5 error: `nod` is not a valid tag; did you mean `node`?
            at: nod
            so: Godot refuses the file
        5:2-5:10 error: `whatever` is not a valid tag in a scene
            at: whatever
            so: Godot refuses the file
        6:2-6:10 error: `resource` does not belong in a scene
            at: resource
            so: Godot refuses the file
        7:2-7:10 error: unexpected second header `gd_scene`; only the first tag can be a header
            at: gd_scene
            so: Godot refuses the file
        ");
        let found = rendered(
            &RULE,
            "[gd_resource type=\"Resource\" format=3]\n[node name=\"A\" type=\"Node\"]\n",
        );
        assert_snapshot!(found, @"
        2:2-2:6 error: `node` does not belong in a resource file
            at: node
            so: Godot refuses the file
        ");
    }
}
