//! What the engine may have to compare with each other, each with each: physics and navigation.

use crate::document::Section;
use crate::harmless::cost::{SHAPE_IN_MOTION, number};

/// Counts of things that may all be at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Crowd {
    /// The shapes of physics.
    pub shapes: u64,
    /// Those that may move.
    pub moving_shapes: u64,
    /// The triangles and segments that shapes have.
    pub triangles: u64,
    /// The rays that are cast for each picture.
    pub rays: u64,
    /// The shapes that are cast.
    pub shape_casts: u64,
    /// The links of navigation.
    pub links: u64,
    /// The polygons of navigation, each of which may be the nearest one to an end of a link.
    pub polygons: u64,
}

/// What it costs to compare a moving shape with a triangle.
const MOVING_AND_TRIANGLE: u64 = 256;
const RAY_AND_SHAPE: u64 = 128;
/// Where a shape ends that is cast is found by halving its way, and then what it touches, one after the other.
const CAST_AND_SHAPE: u64 = 8192;
const CAST_AND_TRIANGLE: u64 = 256;
const LINK_AND_POLYGON: u64 = 2;

impl Crowd {
    /// What it costs to compare each with each.
    pub(crate) fn cost(&self) -> u64 {
        let pairs = [
            (self.moving_shapes, self.triangles, MOVING_AND_TRIANGLE),
            (self.rays, self.shapes, RAY_AND_SHAPE),
            (self.shape_casts, self.shapes, CAST_AND_SHAPE),
            (self.shape_casts, self.triangles, CAST_AND_TRIANGLE),
            (self.links, self.polygons, LINK_AND_POLYGON),
        ];
        let costs = pairs.map(|(one, other, cost)| one.saturating_mul(other).saturating_mul(cost));
        costs.into_iter().fold(0, u64::saturating_add)
    }

    /// Adds `other`, so many times.
    pub(crate) fn add(&mut self, other: &Self, count: u64) {
        let add =
            |own: &mut u64, other: u64| *own = own.saturating_add(other.saturating_mul(count));
        add(&mut self.shapes, other.shapes);
        add(&mut self.moving_shapes, other.moving_shapes);
        add(&mut self.triangles, other.triangles);
        add(&mut self.rays, other.rays);
        add(&mut self.shape_casts, other.shape_casts);
        add(&mut self.links, other.links);
        add(&mut self.polygons, other.polygons);
    }

    /// What an object of this class, which costs so much for its class, brings with it.
    pub(super) fn of(class: &str, section: Section<'_>, cost: u64) -> Self {
        let count = |name: &str| number(section, name).unwrap_or(0.0) as u64;
        let mut crowd = Self::default();
        match class {
            "CollisionShape2D" | "CollisionShape3D" => crowd.add_shapes(1, cost),
            // It is cut into convex pieces.
            "CollisionPolygon2D" | "CollisionPolygon3D" => crowd.add_shapes(count("polygon"), cost),
            "ConcavePolygonShape2D" => crowd.triangles = count("segments") / 2,
            "ConcavePolygonShape3D" => crowd.triangles = count("data") / 3,
            "RayCast2D" | "RayCast3D" => crowd.rays = 1,
            "ShapeCast2D" | "ShapeCast3D" | "SpringArm3D" => crowd.shape_casts = 1,
            "NavigationLink2D" | "NavigationLink3D" => crowd.links = 1,
            "NavigationPolygon" | "NavigationMesh" => crowd.polygons = count("vertices") / 3,
            _ => {}
        }
        crowd
    }

    fn add_shapes(&mut self, shapes: u64, cost: u64) {
        self.shapes = shapes;
        self.moving_shapes = u64::from(cost >= SHAPE_IN_MOTION);
    }
}
