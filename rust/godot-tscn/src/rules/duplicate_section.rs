//! STR018

use hashbrown::HashMap;

use crate::config_file::own_name;
use crate::context::Context;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a duplicate section in a settings file (`project.godot`, `.import`, `plugin.cfg`, …).
    ///
    /// ## Why is this bad?
    /// Godot reads both parts as one section and writes them as one. A person who reads the file may see only the first
    /// part. Merges produce such files.
    ///
    /// ## Example
    /// ```ini
    /// [display]
    /// window/size/viewport_width=640
    ///
    /// [rendering]
    /// renderer/rendering_method="mobile"
    ///
    /// [display]
    /// window/size/viewport_height=480
    /// ```
    ///
    /// ## Use instead
    /// ```ini
    /// [display]
    /// window/size/viewport_width=640
    /// window/size/viewport_height=480
    ///
    /// [rendering]
    /// renderer/rendering_method="mobile"
    /// ```
    ///
    /// ## References
    /// `ConfigFile::_parse` (core/io/config_file.cpp), `ProjectSettings::_load_settings_text`
    /// (core/config/project_settings.cpp)
    "STR018", "duplicate-section", Warning, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.is_config {
        return;
    }
    let document = context.document;
    let mut first_tags = HashMap::new();
    for section in document.sections().filter(|section| !section.is_broken()) {
        let Some(name) = own_name(document, section.index()) else { continue };
        let message = format!("duplicate section {}; move its keys into one section", quote(&name));
        let first = *first_tags.entry(name).or_insert(section.tag_span());
        if first != section.tag_span() {
            reporter
                .report(section.tag_span(), message)
                .label(first, "first defined here")
                .consequence("Godot reads both as one section");
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, clean_file, rendered_file};

    #[test]
    fn sections() {
        let text = "a=1\n[b]\na=1\n[]\n[c]\n[ b ]\nc=1\n";
        assert_snapshot!(rendered_file(&RULE, "plugin.cfg", text), @"
        6:1-6:6 warning: duplicate section `b`; move its keys into one section
            at: [ b ]
            label 2:1-2:4: first defined here: [b]
            so: Godot reads both as one section
        ");
        clean_file(&RULE, "plugin.cfg", b"[b/c]\n[b]\n");
        clean(&RULE, text);
    }
}
