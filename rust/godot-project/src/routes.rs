//! Which of many moves takes a file along.

use hashbrown::HashMap;

/// Moves by their sources. A lookup takes as long as the path is, however many there are.
#[derive(Clone, Debug)]
pub struct Routes<'m> {
    by_start: HashMap<&'m str, usize>,
}

impl<'m> Routes<'m> {
    /// For moves that begin at these paths.
    pub fn new(starts: impl IntoIterator<Item = &'m str>) -> Self {
        Self { by_start: starts.into_iter().zip(0..).collect() }
    }

    /// The number of the move that takes the file at `path` along, and the rest of the path: nothing if the file itself
    /// moves, `/a/b.gd` if a folder does.
    ///
    /// ```
    /// let routes = godot_project::Routes::new(["res://a.gd", "res://folder"]);
    /// assert_eq!(routes.of("res://folder/b.gd"), Some((1, "/b.gd")));
    /// assert_eq!(routes.of("res://folder2/b.gd"), None);
    /// ```
    pub fn of<'p>(&self, path: &'p str) -> Option<(usize, &'p str)> {
        if self.by_start.is_empty() {
            return None;
        }
        let mut ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        ends.find_map(|end| self.by_start.get(&path[..end]).map(|index| (*index, &path[end..])))
    }
}
