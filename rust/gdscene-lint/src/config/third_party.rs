//! Code of others in a project: the key `third-party`.

use crate::globs::Glob;

/// Which folders hold code of others, in which only errors are reported.
#[derive(Clone, Debug, Default)]
pub(super) struct ThirdParty {
    /// The patterns, each with whether it takes folders in or out. Without the key, the result of
    /// [`of_addons`].
    patterns: Option<Vec<(bool, Glob)>>,
}

/// Recognizes a project's own addons if the configuration does not list them: the project is named after them, or starts
/// in them.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnAddons {
    /// The relevant words of the project's name.
    words: Vec<String>,
    /// The path of the main scene from the project's folder.
    main_scene: String,
}

/// At most this number of patterns may be in a configuration: each is compared with all folders
/// above each file.
pub(super) const MAX_FOLDERS: usize = 100;

/// At most this number of words of a project's name counts: it may have any length.
const MAX_WORDS: usize = 32;

impl ThirdParty {
    /// The folders of `patterns`. The last pattern that matches a file, or a folder above it, decides.
    pub(super) fn new(patterns: Vec<(bool, Glob)>) -> Self {
        Self { patterns: Some(patterns) }
    }

    /// The third-party folder with the file at `path`, both from the project's folder.
    pub(super) fn folder_of<'p>(&self, path: &'p str, own: &OwnAddons) -> Option<&'p str> {
        let Some(patterns) = &self.patterns else { return of_addons(path, own) };
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

impl OwnAddons {
    /// Those of a project with this name and main scene (`res://…`).
    pub(crate) fn new(name: &str, main_scene: &str) -> Self {
        let words = name.split(|character: char| !character.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty()).take(MAX_WORDS);
        let main_scene = main_scene.strip_prefix("res://").unwrap_or_default().to_owned();
        Self { words: words.map(str::to_lowercase).collect(), main_scene }
    }

    /// Whether words of the name that follow each other make up that of the folder: `phantom_camera` and `PhantomCamera` in
    /// "Phantom Camera Demo".
    fn is_named_after(&self, folder: &str) -> bool {
        let wanted: String =
            folder.chars().filter(|character| character.is_alphanumeric()).collect();
        let wanted = wanted.to_lowercase();
        (0..self.words.len()).any(|first| {
            let mut rest = wanted.as_str();
            for word in &self.words[first..] {
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

/// The folder in `addons/` with the file at `path`, unless it is the project's own.
fn of_addons<'p>(path: &'p str, own: &OwnAddons) -> Option<&'p str> {
    let (name, _) = path.strip_prefix("addons/")?.split_once('/')?;
    let folder = &path[.."addons/".len() + name.len()];
    let starts_there =
        own.main_scene.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    (!starts_there && !own.is_named_after(name)).then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_addons() {
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
            assert_eq!(
                OwnAddons::new(name, "").is_named_after(folder),
                expected,
                "{name}: {folder}"
            );
        }
        let own = OwnAddons::new("Gut", "res://addons/start/sub/main.tscn");
        let of = |path| ThirdParty::default().folder_of(path, &own);
        assert_eq!(of("addons/start_not/a.tscn"), Some("addons/start_not"));
        assert_eq!(of("addons/start/a.tscn"), None);
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
        let of = |path| others.folder_of(path, &OwnAddons::new("Gut", ""));
        assert_eq!(of("addons/gut/sub/a.tscn"), Some("addons/gut"));
        assert_eq!(of("addons/mine/sub/a.tscn"), None);
        assert_eq!(of("vendor/a/b.tscn"), Some("vendor/a"));
        assert_eq!(of("a.tscn"), None);
        assert_eq!(
            ThirdParty::new(Vec::new()).folder_of("addons/a/b.tscn", &OwnAddons::default()),
            None
        );
    }
}
