//! SEC005

use crate::context::Context;
use crate::document::{ReferenceKind, TagKind};
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a file that is referenced by a uid, with or without a path. Ignores uids that are on the allow list and
    /// that lead to the path in the tag.
    ///
    /// ## Why is this bad?
    /// If Godot knows the uid, it loads the file with this uid and ignores the path. The text alone does not show which
    /// file that is.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Texture2D" uid="uid://b4gkfwf4i3ydl" path="res://a.png" id="1"]
    ///
    /// [node name="A" type="Sprite2D"]
    /// texture = ExtResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Texture2D" path="res://a.png" id="1"]
    ///
    /// [node name="A" type="Sprite2D"]
    /// texture = ExtResource("1")
    /// ```
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "SEC005", "uid-redirect", Info, off_by_default
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let sections = context.document.sections();
    for section in sections.filter(|section| section.kind() == TagKind::ExtResource) {
        let path = section.field_text("path").unwrap_or_default();
        if let Some(field) = section.field("uid") {
            let uid = field.text().unwrap_or_default();
            let is_known = context.is_listed(&uid) || is_confirmed(context, &uid, &path);
            if !is_known {
                reporter
                    .report(
                        field.span(),
                        format!(
                            "the uid takes precedence over the path {}",
                            crate::quote::quote(&path)
                        ),
                    )
                    .consequence("Godot loads whichever file has this uid");
            }
        }
        if let Some(field) = section.field("path").filter(|_| path.starts_with(b"uid://"))
            && !context.is_listed(&path)
        {
            reporter
                .report(field.span(), "the file is referenced only by its uid")
                .consequence("Godot loads whichever file has this uid");
        }
    }
    for reference in context.document.references() {
        let path = context.document.target(reference);
        let is_uid = reference.kind == ReferenceKind::Resource && path.starts_with(b"uid://");
        if is_uid && !context.is_listed(&path) {
            reporter.report(reference.target, "the file is referenced only by its uid");
        }
    }
}

fn is_confirmed(context: &Context<'_>, uid: &[u8], path: &[u8]) -> bool {
    let (Ok(uid), Ok(path)) = (std::str::from_utf8(uid), std::str::from_utf8(path)) else {
        return false;
    };
    context.allow_list.is_some_and(|list| list.confirms(uid, path))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::allow_list::AllowList;
    use crate::lint::lint;
    use crate::options::LintOptions;
    use crate::rules::tests::{clean, rendered};

    const TEXT: &str = "[gd_scene format=3]\n\n\
                        [ext_resource type=\"A\" uid=\"uid://b\" path=\"res://a\" id=\"1\"]\n";

    #[test]
    fn uids() {
        assert_snapshot!(rendered(&RULE, TEXT), @r#"
        3:24-3:37 info: the uid takes precedence over the path `res://a`
            at: uid="uid://b"
            so: Godot loads whichever file has this uid
        "#);
        clean(&RULE, &TEXT.replace(" uid=\"uid://b\"", ""));
        let only = TEXT.replace(" uid=\"uid://b\"", "").replace("res://a", "uid://b");
        assert_snapshot!(rendered(&RULE, &only), @r#"
        3:24-3:38 info: the file is referenced only by its uid
            at: path="uid://b"
            so: Godot loads whichever file has this uid
        "#);
    }

    #[test]
    fn known_uids() {
        let count = |path: &str| {
            let mut list = AllowList::default();
            list.uids.insert("uid://b".to_owned(), path.to_owned());
            let options =
                LintOptions { all_rules: true, allow_list: Some(&list), ..LintOptions::default() };
            let found = lint(TEXT.as_bytes(), &options).diagnostics;
            found.iter().filter(|found| found.code == RULE.code).count()
        };
        assert_eq!((count("res://a"), count("res://other")), (0, 1));
    }
}
