//! New uids and ids, as Godot makes them, and the same each time.

use std::collections::HashSet;
use std::fmt::Write;

use godot_project::{Project, Uid};
use md5::{Digest, Md5};

/// Gives out uids that no file of the project has.
pub(crate) struct FreshUids<'p> {
    project: &'p Project,
    given: HashSet<Uid>,
}

impl<'p> FreshUids<'p> {
    pub(crate) fn new(project: &'p Project) -> Self {
        Self { project, given: HashSet::new() }
    }

    /// The uid that Godot would give to the file at `path` with this content. It depends only on these and the name of the
    /// project, so it is the same for everyone who opens the project (`ResourceUID::create_id_for_path`,
    /// core/io/resource_uid.cpp, Godot 4.6.3).
    pub(crate) fn of_file(&mut self, path: &str, content: &[u8]) -> Uid {
        let name = &self.project.settings().name;
        let mut md5 = String::new();
        for byte in Md5::digest(content) {
            let _ = write!(md5, "{byte:02x}");
        }
        let hashes = [name.as_str(), &path.to_lowercase(), &md5].map(djb2);
        let mut random = Pcg::new(hashes.into_iter().fold(1, u64::wrapping_mul));
        loop {
            let low = u64::from(random.next());
            let number = (low | u64::from(random.next()) << 32) & i64::MAX as u64;
            if let Some(uid) = Uid::new(number as i64)
                && self.project.files_with_uid(uid).is_empty()
                && self.given.insert(uid)
            {
                return uid;
            }
        }
    }
}

/// Gives out ids of resources inside a file, or of nodes.
pub(crate) struct FreshIds {
    random: Pcg,
    taken: HashSet<String>,
    /// The last number that was given out.
    last: Option<u64>,
}

impl FreshIds {
    /// Other ids for each path, and none that is taken.
    pub(crate) fn new(path: &str, taken: impl IntoIterator<Item = String>) -> Self {
        Self { random: Pcg::new(djb2(path)), taken: taken.into_iter().collect(), last: None }
    }

    /// `Curve_x4f2a`, with `Curve` in `before`. In files of Godot 3, ids are numbers.
    pub(crate) fn id(&mut self, before: &str, is_number: bool) -> String {
        if is_number {
            let taken = || self.taken.iter().filter_map(|id| id.parse::<u32>().ok()).max();
            let last = self.last.unwrap_or_else(|| taken().unwrap_or(0).into());
            self.last = Some(last + 1);
            let id = (last + 1).to_string();
            self.taken.insert(id.clone());
            return id;
        }
        loop {
            let id = format!("{before}_{}", self.suffix());
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }

    /// Keeps `id` if it is not taken.
    pub(crate) fn keep(&mut self, id: &str) -> bool {
        let is_free = self.taken.insert(id.to_owned());
        if is_free && let (Some(last), Ok(number)) = (self.last, id.parse::<u32>()) {
            self.last = Some(last.max(number.into()));
        }
        is_free
    }

    /// `Resource::generate_scene_unique_id` (core/io/resource.cpp, Godot 4.6.3): `a` to `y` and `0` to `8`.
    fn suffix(&mut self) -> String {
        const ALPHABET: &[u8; 34] = b"abcdefghijklmnopqrstuvwxy012345678";
        let mut number = self.random.next();
        let mut suffix = String::with_capacity(5);
        for _ in 0..5 {
            suffix.push(char::from(ALPHABET[(number % 34) as usize]));
            number /= 34;
        }
        suffix
    }
}

/// Gives out `unique_id`s of nodes: any positive number of 31 bits that no node of the scene has
/// (`SceneState::_parse_node`, scene/resources/packed_scene.cpp, Godot 4.6.3, which takes random ones).
#[derive(Debug)]
pub(crate) struct FreshNodeIds {
    random: Pcg,
    taken: HashSet<i32>,
}

impl FreshNodeIds {
    pub(crate) fn new(path: &str, taken: impl IntoIterator<Item = i32>) -> Self {
        Self { random: Pcg::new(djb2(path)), taken: taken.into_iter().collect() }
    }

    /// The one for the node at a path, the same in whatever order nodes are made.
    pub(crate) fn id_for(&mut self, path: &str) -> i32 {
        self.random = Pcg::new(djb2(path));
        self.id()
    }

    /// Keeps `id` if no node has it.
    pub(crate) fn keep(&mut self, id: i32) -> Option<i32> {
        self.taken.insert(id).then_some(id)
    }

    pub(crate) fn id(&mut self) -> i32 {
        loop {
            let id = (self.random.next() & i32::MAX as u32) as i32;
            if id != 0 && self.taken.insert(id) {
                return id;
            }
        }
    }
}

/// `String::hash64`
fn djb2(text: &str) -> u64 {
    let add = |hash: u64, letter: char| hash.wrapping_mul(33).wrapping_add(u64::from(letter));
    text.chars().fold(5381, add)
}

/// `RandomPCG`: the generator PCG-XSH-RR of 32 bits.
#[derive(Debug)]
struct Pcg {
    state: u64,
}

impl Pcg {
    const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
    /// From `PCG_DEFAULT_INC_64`, as `pcg32_srandom_r` sets it.
    const INCREMENT: u64 = 1_442_695_040_888_963_407 << 1 | 1;

    fn new(seed: u64) -> Self {
        let mut random = Self { state: 0 };
        random.next();
        random.state = random.state.wrapping_add(seed);
        random.next();
        random
    }

    fn next(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(Self::MULTIPLIER).wrapping_add(Self::INCREMENT);
        let shifted = ((old >> 18 ^ old) >> 27) as u32;
        shifted.rotate_right((old >> 59) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of `ResourceUID.create_id_for_path()` of Godot 4.6.3 in a project with this name.
    #[test]
    fn uids_are_those_of_the_engine() {
        let folder = tempfile::tempdir().unwrap();
        let settings = "config_version=5\n\n[application]\n\nconfig/name=\"My Größe\"\n";
        std::fs::write(folder.path().join("project.godot"), settings).unwrap();
        let project = Project::open(folder.path()).unwrap();
        let mut uids = FreshUids::new(&project);
        let mut uid = |path: &str, content: &[u8]| uids.of_file(path, content).to_string();
        assert_eq!(uid("res://sub/Ab.gd", b"extends Node\n"), "uid://bxb6284skesxb");
        assert_eq!(uid("res://x y.gd", b"extends Resource\nvar a := 1\n"), "uid://c5l0081341ijy");
        assert_ne!(uid("res://sub/Ab.gd", b"extends Node\n"), "uid://bxb6284skesxb", "it is given");
    }

    #[test]
    fn ids() {
        let mut ids = FreshIds::new("res://a.tscn", ["3".to_owned(), "b".to_owned()]);
        let first = ids.id("Curve", false);
        assert!(first.starts_with("Curve_") && first.len() == 11, "{first}");
        assert_ne!(ids.id("Curve", false), first);
        assert_eq!((ids.id("", true), ids.id("", true)), ("4".to_owned(), "5".to_owned()));
        assert!(!ids.keep("b") && ids.keep("c") && ids.keep("9"));
        assert_eq!(ids.id("", true), "10");
        assert_eq!(
            FreshIds::new("res://a.tscn", []).id("Curve", false),
            first,
            "the same each time"
        );
    }
}
