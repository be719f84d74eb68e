//! How much the nodes of a scene enlarge each other.

use godot_variant::Value;

use crate::document::Section;
use crate::harmless::Judge;
use crate::model::node_tree::Parent;

/// The binary logarithm of a factor, in thousandths. A factor that makes smaller does not count.
pub(super) fn thousandths(factor: f64) -> u64 {
    // A matrix that only turns is not quite exact.
    ((factor.max(1.0).log2() - 1e-4).max(0.0) * 1000.0).ceil() as u64
}

/// Whether a property makes a node larger.
pub(super) fn enlarges(property: &str) -> bool {
    matches!(property, "scale" | "transform" | "skew" | "basis" | "quaternion")
}

/// The most that a value of such a property enlarges.
pub(super) fn factor(value: &Value) -> f64 {
    let largest =
        |numbers: &[f32]| numbers.iter().map(|number| f64::from(number.abs())).fold(0.0, f64::max);
    // For a basis, the length of the longest axis is at most this.
    let axes = |numbers: &[f32], count: f64| largest(numbers) * count.sqrt();
    match value {
        Value::Int(int) => int.unsigned_abs() as f64,
        Value::Float(float) => float.abs(),
        Value::Vector2(numbers) => largest(numbers),
        Value::Vector3(numbers) => largest(numbers),
        Value::Transform2D(numbers) => axes(&numbers[..4], 2.0),
        Value::Transform3D(numbers) => axes(&numbers[..9], 3.0),
        _ => 1.0,
    }
}

impl<'d> Judge<'_, 'd> {
    /// How much each node of the tree is enlarged, by itself and those above it, in thousandths.
    pub(super) fn scales(&self) -> Vec<u64> {
        let mut scales: Vec<u64> = Vec::with_capacity(self.context.node_tree.nodes.len());
        let others = self.scale_in_instances();
        for (index, node) in self.context.node_tree.nodes.iter().enumerate() {
            let above = match node.parent {
                Parent::Known(parent) => scales.get(parent as usize).copied(),
                _ => scales.first().copied(),
            };
            let own = match node.section.field("type") {
                Some(_) => own_scale(node.section),
                None if node.section.field("instance").is_some() => {
                    own_scale(node.section) + others
                }
                None => 0,
            };
            let animated = self.track_scales.get(&(index as u32)).copied().unwrap_or(0);
            scales.push(above.unwrap_or(self.loose_scale) + own.max(animated));
        }
        scales
    }
}

impl Judge<'_, '_> {
    /// How much all nodes of other scenes are enlarged together: any of them may be above any other.
    fn scale_in_instances(&self) -> u64 {
        let sections = self.context.node_tree.nodes.iter().map(|node| node.section);
        let is_of_another = |section: &Section<'_>| {
            section.field("type").is_none() && section.field("instance").is_none()
        };
        sections.filter(is_of_another).map(own_scale).sum()
    }
}

fn own_scale(section: Section<'_>) -> u64 {
    let factors = section.properties().filter_map(|property| {
        let key = property.engine_key();
        let key = std::str::from_utf8(&key).ok().filter(|key| enlarges(key))?;
        Some(exact_factor(key, &property.value().ok()?))
    });
    factors.map(thousandths).sum()
}

/// The factor by which a value enlarges content turned in any way: the largest singular value of a
/// matrix.
fn exact_factor(property: &str, value: &Value) -> f64 {
    match (property, value) {
        // It makes the axes parallel at most.
        ("skew", _) => std::f64::consts::SQRT_2,
        (_, Value::Transform2D(numbers)) => {
            let [xx, xy, yx, yy, ..] = numbers.map(f64::from);
            largest_stretch([[xx, xy, 0.0], [yx, yy, 0.0], [0.0; 3]])
        }
        (_, Value::Transform3D(numbers)) => {
            let row = |row: usize| [0, 1, 2].map(|column| f64::from(numbers[3 * row + column]));
            largest_stretch([row(0), row(1), row(2)])
        }
        (_, value) => factor(value),
    }
}

/// The largest singular value of a matrix: the square root of the largest eigenvalue of its product with itself.
fn largest_stretch(matrix: [[f64; 3]; 3]) -> f64 {
    let product = |one: usize, other: usize| -> f64 {
        matrix[one].iter().zip(matrix[other]).map(|(a, b)| a * b).sum()
    };
    let [xx, yy, zz] = [product(0, 0), product(1, 1), product(2, 2)];
    let [xy, xz, yz] = [product(0, 1), product(0, 2), product(1, 2)];
    let mean = (xx + yy + zz) / 3.0;
    let spread: f64 = [xx, yy, zz].iter().map(|square| (square - mean).powi(2)).sum();
    let spread = ((spread + 2.0 * (xy * xy + xz * xz + yz * yz)) / 6.0).sqrt();
    if spread <= mean * 1e-9 {
        return mean.sqrt();
    }
    let [a, b, c] = [xx, yy, zz].map(|square| (square - mean) / spread);
    let [d, e, f] = [xy, xz, yz].map(|product| product / spread);
    let half_determinant = (a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)) / 2.0;
    let angle = half_determinant.clamp(-1.0, 1.0).acos() / 3.0;
    (mean + 2.0 * spread * angle.cos()).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors() {
        let factor = |text: &str| exact_factor("", &crate::parse_value(text.as_bytes()).unwrap());
        assert_eq!(factor("Vector2(2, -3)"), 3.0);
        assert_eq!(factor("Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 99, 99, 99)"), 1.0);
        assert!((factor("Transform2D(3, 4, 0, 0, 99, 99)") - 5.0).abs() < 1e-6);
        let parallel = factor("Transform2D(0.6, 0.8, 0.6, 0.8, 0, 0)");
        assert!((parallel - 2_f64.sqrt()).abs() < 1e-6);
        let third = 3_f64.sqrt().recip();
        let rows = vec![third.to_string(); 9].join(", ");
        let flat = factor(&format!("Transform3D({rows}, 0, 0, 0)"));
        assert!((flat - 3_f64.sqrt()).abs() < 1e-6);
        let large = factor("Transform3D(2, 0, 0, 0, 7, 0, 0, 0, -3, 0, 0, 0)");
        assert!((large - 7.0).abs() < 1e-6);
        let turned = factor("Transform3D(0.6, 0, 0.8, 0, 1, 0, -0.8, 0, 0.6, 0, 0, 0)");
        assert!((turned - 1.0).abs() < 1e-6);
        assert_eq!((thousandths(0.1), thousandths(1.0), thousandths(2.0)), (0, 0, 1000));
    }
}
