//! How much the nodes of a scene enlarge each other.

use godot_variant::Value;

use crate::document::Section;
use crate::harmless::Judge;
use crate::model::node_tree::Parent;

/// The binary logarithm of a factor, in thousandths. What makes smaller counts for nothing.
pub(super) fn thousandths(factor: f64) -> u64 {
    (factor.max(1.0).log2() * 1000.0).ceil() as u64
}

/// Whether a property makes a node larger.
pub(super) fn enlarges(property: &str) -> bool {
    matches!(property, "scale" | "transform")
}

/// The most that a value of such a property enlarges.
pub(super) fn factor(value: &Value) -> f64 {
    let largest =
        |numbers: &[f32]| numbers.iter().map(|number| f64::from(number.abs())).fold(0.0, f64::max);
    // Of a basis, the length of the longest axis is at most this.
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
        for (index, node) in self.context.node_tree.nodes.iter().enumerate() {
            let above = match node.parent {
                Parent::Known(parent) => scales.get(parent as usize).copied(),
                _ => scales.first().copied(),
            };
            let own = own_scale(node.section);
            let animated = self.track_scales.get(&(index as u32)).copied().unwrap_or(0);
            scales.push(above.unwrap_or(self.loose_scale) + own.max(animated));
        }
        scales
    }
}

fn own_scale(section: Section<'_>) -> u64 {
    let enlarging = section
        .properties()
        .filter(|property| std::str::from_utf8(&property.engine_key()).is_ok_and(enlarges));
    // A `Transform3D` that is turned has no longer axes than an upright one.
    let factors = enlarging.filter_map(|property| Some(exact_factor(&property.value().ok()?)));
    factors.map(thousandths).sum()
}

/// [`factor`], with the length of each axis.
fn exact_factor(value: &Value) -> f64 {
    let length = |axis: &[f64]| axis.iter().map(|number| number * number).sum::<f64>().sqrt();
    match value {
        Value::Transform2D(numbers) => {
            let [xx, xy, yx, yy, ..] = numbers.map(f64::from);
            length(&[xx, xy]).max(length(&[yx, yy]))
        }
        // The text has the rows of the basis; the axes are its columns.
        Value::Transform3D(numbers) => {
            let axis =
                |column: usize| length(&[0, 3, 6].map(|row| f64::from(numbers[row + column])));
            axis(0).max(axis(1)).max(axis(2))
        }
        value => factor(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors() {
        let factor = |text: &str| exact_factor(&crate::parse_value(text.as_bytes()).unwrap());
        assert_eq!(factor("Vector2(2, -3)"), 3.0);
        assert_eq!(factor("Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 99, 99, 99)"), 1.0);
        assert_eq!(factor("Transform2D(3, 4, 0, 1, 99, 99)"), 5.0);
        let turned = factor("Transform3D(0.6, 0, 0.8, 0, 1, 0, -0.8, 0, 0.6, 0, 0, 0)");
        assert!((turned - 1.0).abs() < 1e-6);
        assert_eq!((thousandths(0.1), thousandths(1.0), thousandths(2.0)), (0, 0, 1000));
    }
}
