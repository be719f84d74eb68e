//! The areas of the repository, and which files belong to them.

use std::{fmt, str::FromStr};

/// An area whose tests can run alone. `scripts/test` has a folder for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// All crates: format, lints, their own tests, licences.
    Crates,
    /// FastVariant, and what scripts call in the engine.
    Codec,
    /// Parser, rules and formatter for single files.
    Scenes,
    /// Rules, fixes, refactorings, edits and merges in projects.
    Project,
    /// The addon in Godot's editor.
    Editor,
    /// `gdscene lsp` and `gdscene mcp`.
    Servers,
    /// The npm package and the playground.
    Javascript,
    /// What is published, and how it is installed.
    Packaging,
    /// The site of the documentation.
    Docs,
    /// Work in proportion to the input, and instruction counts.
    Performance,
}

impl Group {
    pub(crate) const ALL: [Self; 10] = [
        Self::Crates,
        Self::Codec,
        Self::Scenes,
        Self::Project,
        Self::Editor,
        Self::Servers,
        Self::Javascript,
        Self::Packaging,
        Self::Docs,
        Self::Performance,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Crates => "crates",
            Self::Codec => "codec",
            Self::Scenes => "scenes",
            Self::Project => "project",
            Self::Editor => "editor",
            Self::Servers => "servers",
            Self::Javascript => "javascript",
            Self::Packaging => "packaging",
            Self::Docs => "docs",
            Self::Performance => "performance",
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Group {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|group| group.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("`{text}` is not a valid group; expected one of {names}")
        })
    }
}

/// Which groups a change of the files below a path touches. The longest path counts.
const TOUCHED: &[(&str, &[Group])] = {
    use Group::{
        Codec, Crates, Docs, Editor, Javascript, Packaging, Performance, Project, Scenes, Servers,
    };
    &[
        (".deny.toml", &[Crates]),
        (".github/", &[Packaging]),
        ("CHANGELOG.md", &[Crates, Docs]),
        ("README.md", &[Crates, Docs, Project]),
        ("addons/", &[Editor, Packaging]),
        ("godot_project/tests/", &[Codec, Editor]),
        ("rust/ARCHITECTURE.md", &[Crates, Docs]),
        ("rust/bench/", &[Crates, Performance]),
        ("rust/docs/", &[Crates, Docs, Editor]),
        ("rust/editors/", &[Servers]),
        ("rust/engine-kernels/", &[Crates, Codec, Performance]),
        ("rust/examples/", &[Crates, Codec]),
        ("rust/fast-variant-editor/", &[Crates, Codec, Editor, Packaging]),
        ("rust/fast-variant/", &[Crates, Codec, Editor, Packaging]),
        ("rust/fuzz/", &[Crates]),
        ("rust/gdscene-journal/", &[Crates, Project, Servers]),
        ("rust/gdscene-lint/", &[Crates, Project, Editor, Servers, Performance]),
        ("rust/gdscene-lsp/", &[Crates, Servers]),
        ("rust/gdscene-mcp/", &[Crates, Servers]),
        ("rust/gdscene-refactor/", &[Crates, Project, Editor, Servers]),
        ("rust/gdscene-render/", &[Crates, Javascript]),
        ("rust/gdscene/", &[Crates, Project, Servers, Javascript, Packaging, Docs, Performance]),
        ("rust/godot-project/", &[Crates, Project, Editor, Servers, Performance]),
        ("rust/npm/", &[Javascript]),
        ("rust/o3de-json/", &[Crates, Codec, Performance]),
        ("rust/packaging/", &[Packaging]),
        ("rust/playground/", &[Javascript]),
        ("rust/variant-schema/", &[Crates, Codec]),
        ("rust/wasm/", &[Crates, Javascript]),
        ("rust/xtask/", &[Crates]),
        ("scripts/bench", &[Performance]),
        ("scripts/docs", &[Docs]),
        ("scripts/package", &[Packaging, Javascript]),
        ("scripts/test/codec/", &[Codec]),
        ("scripts/test/crates/", &[Crates]),
        ("scripts/test/docs/", &[Docs]),
        ("scripts/test/editor/", &[Editor]),
        ("scripts/test/javascript/", &[Javascript]),
        ("scripts/test/packaging/", &[Packaging]),
        ("scripts/test/performance/", &[Performance]),
        ("scripts/test/project/", &[Project]),
        ("scripts/test/scenes/", &[Scenes]),
        ("scripts/test/servers/", &[Servers]),
    ]
};

/// The groups that changes of these files touch. A file that no line names touches all of them, as crates do on which all others
/// depend.
pub(crate) fn touched<'path>(paths: impl Iterator<Item = &'path str>) -> Vec<Group> {
    let mut is_touched = [false; Group::ALL.len()];
    for path in paths {
        let longest = TOUCHED
            .iter()
            .filter(|(prefix, _)| path.starts_with(prefix))
            .max_by_key(|(prefix, _)| prefix.len());
        for group in longest.map_or(&Group::ALL[..], |(_, groups)| groups) {
            is_touched[*group as usize] = true;
        }
    }
    Group::ALL.into_iter().filter(|group| is_touched[*group as usize]).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Group, TOUCHED, touched};

    #[test]
    fn the_longest_path_counts_and_unknown_files_touch_everything() {
        assert_eq!(touched(["scripts/test/docs/site.sh"].into_iter()), [Group::Docs]);
        assert_eq!(
            touched(["rust/npm/README.md", "rust/gdscene-lsp/src/lib.rs"].into_iter()),
            [Group::Crates, Group::Servers, Group::Javascript]
        );
        assert_eq!(touched(["rust/godot-variant/src/lib.rs"].into_iter()), Group::ALL);
        assert_eq!(touched([].into_iter()), []);
    }

    #[test]
    fn all_paths_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (path, _) in TOUCHED {
            assert!(root.join(path).exists(), "{path}");
        }
    }

    #[test]
    fn each_group_has_a_folder_of_scripts() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/test");
        for group in Group::ALL {
            assert!(root.join(group.name()).is_dir(), "{group}");
        }
    }
}
