//! Code of others in a project: the key `third-party`.

use super::globs::Glob;

/// Which folders hold code of others, in which only errors are reported.
#[derive(Clone, Debug, Default)]
pub(super) struct ThirdParty {
    /// The patterns, each with whether it takes folders in or out. Without the key, what [`of_addons`] says.
    patterns: Option<Vec<(bool, Glob)>>,
}

/// The words of a project's name, as far as they matter.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProjectName(Vec<String>);

/// So many words of a project's name count: it may be of any length.
const MAX_WORDS: usize = 32;

impl ThirdParty {
    /// The folders of `patterns`. The last pattern that matches a file, or a folder above it, decides.
    pub(super) fn new(patterns: Vec<(bool, Glob)>) -> Self {
        Self { patterns: Some(patterns) }
    }

    /// The folder of others that the file at `path` lies in, both from the project's folder.
    pub(super) fn folder_of<'p>(&self, path: &'p str, name: &ProjectName) -> Option<&'p str> {
        let Some(patterns) = &self.patterns else { return of_addons(path, name) };
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        let matching = |glob: &Glob| {
            let mut folders = ends.clone().map(|end| &path[..end]);
            folders.find(|folder| glob.is_match(folder))
        };
        let mut found =
            patterns.iter().rev().filter_map(|(is_in, glob)| Some((*is_in, matching(glob)?)));
        found.next().filter(|(is_in, _)| *is_in).map(|(_, folder)| folder)
    }
}

impl ProjectName {
    pub(crate) fn new(name: &str) -> Self {
        let words = name.split(|character: char| !character.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty()).take(MAX_WORDS);
        Self(words.map(str::to_lowercase).collect())
    }

    /// Whether words of the name that follow each other make up that of the folder: `phantom_camera` and `PhantomCamera` in
    /// "Phantom Camera Demo".
    fn names(&self, folder: &str) -> bool {
        let wanted: String =
            folder.chars().filter(|character| character.is_alphanumeric()).collect();
        let wanted = wanted.to_lowercase();
        (0..self.0.len()).any(|first| {
            let mut rest = wanted.as_str();
            for word in &self.0[first..] {
                match rest.strip_prefix(word.as_str()) {
                    Some("") => return true,
                    Some(after) => rest = after,
                    None => return false,
                }
            }
            false
        })
    }
}

/// A folder in `addons/`, but for the addon that the project is there to make: the one that it is named after.
fn of_addons<'p>(path: &'p str, name: &ProjectName) -> Option<&'p str> {
    let (folder, _) = path.strip_prefix("addons/")?.split_once('/')?;
    (!name.names(folder)).then(|| &path[.."addons/".len() + folder.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addons_that_the_project_is_named_after() {
        for (name, folder, expected) in [
            ("Dialogue Manager", "dialogue_manager", true),
            ("LimboAI Demo", "limboai", true),
            ("godot-engine.rider-plugin", "rider-plugin", true),
            ("Maaack's Game Template", "maaacks_game_template", true),
            ("Terrain3D", "terrain_3d", true),
            ("gdUnit4", "gdUnit4", true),
            ("Gutter", "gut", false),
            ("Camera Phantom", "phantom_camera", false),
            ("My Game", "gut", false),
            ("", "gut", false),
            ("A", "_", false),
        ] {
            assert_eq!(ProjectName::new(name).names(folder), expected, "{name}: {folder}");
        }
        let name = ProjectName::new("Gut");
        let of = |path| ThirdParty::default().folder_of(path, &name);
        assert_eq!(of("addons/other/sub/a.tscn"), Some("addons/other"));
        for own in ["addons/gut/a.tscn", "addons/a.tscn", "a.tscn", "sub/addons/other/a.tscn"] {
            assert_eq!(of(own), None, "{own}");
        }
    }

    #[test]
    fn the_last_pattern_decides() {
        let glob = |text: &str| Glob::new(text).unwrap();
        let patterns =
            vec![(true, glob("addons/*")), (false, glob("addons/mine")), (true, glob("vendor/**"))];
        let others = ThirdParty::new(patterns);
        let of = |path| others.folder_of(path, &ProjectName::new("Gut"));
        assert_eq!(of("addons/gut/sub/a.tscn"), Some("addons/gut"));
        assert_eq!(of("addons/mine/sub/a.tscn"), None);
        assert_eq!(of("vendor/a/b.tscn"), Some("vendor/a"));
        assert_eq!(of("a.tscn"), None);
        assert_eq!(
            ThirdParty::new(Vec::new()).folder_of("addons/a/b.tscn", &ProjectName::default()),
            None
        );
    }
}
