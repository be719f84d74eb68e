//! The things that are counted in untrusted files, and the limit for each.

/// Declares the counted things: the variant, its name in options, the default limit, and its
/// description.
macro_rules! things {
    ($($(#[$doc:meta])* $variant:ident $name:literal $most:literal,)*) => {
        /// Something that is counted in untrusted files.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Thing {
            $($(#[$doc])* $variant,)*
        }

        impl Thing {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];
            const NAMES: &[&str] = &[$($name,)*];
            const USUAL: [u64; Self::ALL.len()] = [$($most,)*];
        }
    };
}

things! {
    /// Bytes of text.
    Bytes "bytes" 1_048_576,
    /// Nodes.
    Nodes "nodes" 2_000,
    /// Levels of nodes below each other.
    Depth "depth" 32,
    /// The factor by which nodes enlarge the nodes below them, all together.
    Enlargement "enlargement" 1_024,
    /// Nodes that are a `Control`.
    Controls "controls" 500,
    /// Nodes that are a `Container`; scroll and split containers count as three.
    Containers "containers" 200,
    /// Labels and buttons; a `RichTextLabel` counts as four.
    Texts "texts" 400,
    /// Characters of text: those of a `RichTextLabel` count as four, its tags, marks and changes of script as more.
    Characters "characters" 8_192,
    /// Connections of signals.
    Connections "connections" 200,
    /// Groups of nodes, each as often as a node is in it.
    Groups "groups" 500,
    /// Values of metadata, and of properties of listed scripts.
    Metadata "metadata" 1_000,
    /// Colors, constants, fonts, icons and styles of themes, and overrides in nodes.
    ThemeItems "theme_items" 1_000,
    /// Tags `[editable]`.
    Editable "editable" 50,
    /// Resources, in the file and in others.
    Resources "resources" 1_000,
    /// Materials.
    Materials "materials" 64,
    /// Pixels of textures that are worked out, and of letters.
    Pixels "pixels" 8_388_608,
    /// Tiles of maps.
    Tiles "tiles" 32_768,
    /// Points of lines, polygons and curves.
    Points "points" 32_768,
    /// Vertices of meshes, as often as they are drawn.
    Vertices "vertices" 262_144,
    /// Particles, and instances of a `MultiMesh`.
    Particles "particles" 8_192,
    /// Steps of particles that are worked out before the first picture.
    ParticleSteps "particle_steps" 262_144,
    /// Lights.
    Lights "lights" 64,
    /// Decals, fog, probes, environments, and nodes that copy the screen.
    Effects "effects" 32,
    /// Sounds that may play at once.
    Sounds "sounds" 64,
    /// Pictures of animated sprites, as often as they are played.
    Frames "frames" 4_096,
    /// Animation players.
    Players "players" 32,
    /// Keys and tracks of animations, as often as they are played.
    Keys "keys" 8_192,
    /// Timers.
    Timers "timers" 32,
    /// Shapes of physics.
    Shapes "shapes" 1_000,
    /// Those of areas and of bodies that may move.
    MovingShapes "moving_shapes" 128,
    /// Convex polygons of areas and of bodies that may move. One of 48 points in space counts as 36, one of 512 in the plane as 2.
    MovingHulls "moving_hulls" 1_000,
    /// Rays that are cast.
    Rays "rays" 64,
    /// Joints of bodies.
    Joints "joints" 100,
    /// Polygons of navigation, and points of obstacles.
    Polygons "polygons" 4_096,
    /// Links and obstacles of navigation.
    Links "links" 64,
    /// Edges of navigation polygons that no other polygon of the same mesh shares.
    FreeEdges "free_edges" 4_096,
    /// Names in paths of nodes and properties.
    PathNames "path_names" 8_192,
    /// Connections of signals that areas and bodies emit.
    Touches "touches" 64,
    /// The comparisons that physics, navigation and signals may need, each with each.
    Pairs "pairs" 4_000_000,
}

impl Thing {
    /// The name in options: `moving_shapes`.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// How much of it a file may have, and all files of a call together, unless options say otherwise.
    pub fn usual(self) -> u64 {
        Self::USUAL[self as usize]
    }

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|thing| thing.name() == name)
    }

    /// Whether a resource that is drawn or played several times brings it each time.
    pub(crate) fn is_drawn(self) -> bool {
        use Thing::*;
        matches!(
            self,
            Vertices | Points | Keys | Frames | Shapes | MovingShapes | Polygons | FreeEdges
        )
    }
}

/// How much there is of each [`Thing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally([u64; Thing::ALL.len()]);

impl Default for Tally {
    fn default() -> Self {
        Self([0; Thing::ALL.len()])
    }
}

impl Tally {
    /// How much there is of a thing.
    pub fn get(&self, thing: Thing) -> u64 {
        self.0[thing as usize]
    }

    pub(crate) fn add(&mut self, thing: Thing, count: u64) {
        let known = &mut self.0[thing as usize];
        *known = known.saturating_add(count);
    }

    pub(crate) fn set(&mut self, thing: Thing, count: u64) {
        self.0[thing as usize] = count;
    }

    pub(crate) fn raise(&mut self, thing: Thing, count: u64) {
        let known = &mut self.0[thing as usize];
        *known = count.max(*known);
    }

    /// Adds another tally `times` times.
    pub(crate) fn add_all(&mut self, other: &Self, times: u64) {
        for thing in Thing::ALL {
            self.add(*thing, other.get(*thing).saturating_mul(times));
        }
    }

    /// The things that are multiplied when a resource is drawn again, and the others.
    pub(crate) fn split(&self) -> (Self, Self) {
        let (mut drawn, mut rest) = (Self::default(), Self::default());
        for thing in Thing::ALL {
            let part = if thing.is_drawn() { &mut drawn } else { &mut rest };
            part.add(*thing, self.get(*thing));
        }
        (drawn, rest)
    }
}

/// How much there may be of each [`Thing`]: in a file, and in all files of a call together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget([u64; Thing::ALL.len()]);

impl Default for Budget {
    fn default() -> Self {
        Self(Thing::USUAL)
    }
}

impl Budget {
    /// The most of a thing.
    pub fn get(&self, thing: Thing) -> u64 {
        self.0[thing as usize]
    }

    /// Sets the limit for a thing.
    pub fn set(&mut self, thing: Thing, most: u64) {
        self.0[thing as usize] = most;
    }

    /// The things in a tally that exceed their limits.
    pub(crate) fn exceeded(&self, tally: &Tally) -> Vec<Excess> {
        let things = Thing::ALL.iter().copied();
        things
            .map(|thing| Excess { thing, count: tally.get(thing), most: self.get(thing) })
            .filter(|excess| excess.count > excess.most)
            .collect()
    }
}

/// More of a thing than the budget allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excess {
    /// The thing.
    pub thing: Thing,
    /// How much there is of it.
    pub count: u64,
    /// How much there may be of it.
    pub most: u64,
}

impl std::fmt::Display for Excess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is {}, more than {}", self.thing.name(), self.count, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_things() {
        for thing in Thing::ALL {
            assert_eq!(Thing::from_name(thing.name()), Some(*thing));
            assert!(thing.usual() > 0);
        }
        assert_eq!(Thing::from_name("node"), None);
    }

    #[test]
    fn only_what_is_too_much_is_exceeded() {
        let (mut budget, mut tally) = (Budget::default(), Tally::default());
        tally.add(Thing::Nodes, 3);
        budget.set(Thing::Nodes, 3);
        assert_eq!(budget.exceeded(&tally), []);
        tally.add_all(&tally.clone(), u64::MAX);
        let exceeded = budget.exceeded(&tally);
        assert_eq!(exceeded.len(), 1);
        assert_eq!(exceeded[0].to_string(), format!("`nodes` is {}, more than 3", u64::MAX));
    }
}
