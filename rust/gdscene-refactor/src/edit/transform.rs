//! The transform of a `Node3D`; scenes contain nothing else: its position, rotation and scale are part of it.
//!
//! In the numbers and order of steps of Godot 4.6.3 (`Node3D::set_rotation` and its like, scene/3d/node_3d.cpp;
//! core/math/basis.cpp), so that the last digits are the same too.

use godot_variant::Value;

/// A transform, and the rotation and scale that Godot keeps next to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Transform {
    basis: Basis,
    origin: [f32; 3],
    /// In radians.
    euler: [f32; 3],
    scale: [f32; 3],
}

/// By rows.
type Basis = [[f32; 3]; 3];

/// The properties of `Node3D` in the transform.
pub(super) const PARTS: &[&str] =
    &["position", "rotation", "rotation_degrees", "scale", "quaternion", "basis"];

/// The order of rotations in which `Node3D` begins: `EULER_ORDER_YXZ`.
pub(super) const YXZ: i64 = 2;

impl Transform {
    pub(super) fn identity() -> Self {
        let basis = diagonal([1.0; 3]);
        Self { basis, origin: [0.0; 3], euler: [0.0; 3], scale: [1.0; 3] }
    }

    /// From the value of the property `transform`.
    pub(super) fn of_value(value: &Value) -> Option<Self> {
        let Value::Transform3D(numbers) = value else { return None };
        let row = |at: usize| [numbers[at], numbers[at + 1], numbers[at + 2]];
        let basis = [row(0), row(3), row(6)];
        let (euler, scale) = (euler_of(&basis), scale_of(&basis));
        Some(Self { basis, origin: row(9), euler, scale })
    }

    pub(super) fn to_value(&self) -> Value {
        let mut numbers = [0.0; 12];
        for (at, number) in self.basis.iter().flatten().chain(&self.origin).enumerate() {
            numbers[at] = *number;
        }
        Value::Transform3D(Box::new(numbers))
    }

    /// Whether the basis can be taken apart into a rotation and a scale.
    pub(super) fn is_regular(&self) -> bool {
        self.euler.iter().chain(&self.scale).all(|number| number.is_finite())
            && self.scale.iter().all(|number| *number != 0.0)
    }

    /// Gives one of [`PARTS`] a value. `None` if it has the wrong type.
    pub(super) fn set(&mut self, part: &str, value: &Value, order: i64) -> Option<()> {
        match (part, value) {
            ("position", Value::Vector3(position)) => self.origin = *position,
            ("rotation", Value::Vector3(euler)) => self.turn(*euler, self.scale, order),
            ("rotation_degrees", Value::Vector3(degrees)) => {
                self.turn(degrees.map(radians), self.scale, order);
            }
            ("scale", Value::Vector3(scale)) => self.turn(self.euler, *scale, order),
            ("quaternion", Value::Quaternion(quaternion)) => {
                self.basis = times(&of_quaternion(*quaternion), &diagonal(self.scale));
                self.euler = euler_of(&self.basis);
            }
            ("basis", Value::Basis(rows)) => {
                let mut numbers = [0.0; 12];
                numbers[..9].copy_from_slice(rows.as_slice());
                numbers[9..].copy_from_slice(&self.origin);
                *self = Self::of_value(&Value::Transform3D(Box::new(numbers)))?;
            }
            _ => return None,
        }
        Some(())
    }

    fn turn(&mut self, euler: [f32; 3], scale: [f32; 3], order: i64) {
        (self.euler, self.scale) = (euler, scale);
        self.basis = times(&of_euler(euler, order), &diagonal(scale));
    }
}

/// `Math::deg_to_rad`, of a `float`.
pub(super) fn radians(degrees: f32) -> f32 {
    degrees * (std::f32::consts::PI / 180.0)
}

fn diagonal(scale: [f32; 3]) -> Basis {
    [[scale[0], 0.0, 0.0], [0.0, scale[1], 0.0], [0.0, 0.0, scale[2]]]
}

fn times(one: &Basis, other: &Basis) -> Basis {
    one.map(|row| {
        [0, 1, 2].map(|column| {
            other[0][column] * row[0] + other[1][column] * row[1] + other[2][column] * row[2]
        })
    })
}

/// `EulerOrder`: the order in which the axes follow each other.
fn of_euler([x, y, z]: [f32; 3], order: i64) -> Basis {
    let (sin, cos) = x.sin_cos();
    let x = [[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]];
    let (sin, cos) = y.sin_cos();
    let y = [[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]];
    let (sin, cos) = z.sin_cos();
    let z = [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]];
    match order {
        0 => times(&x, &times(&y, &z)),
        1 => times(&times(&x, &z), &y),
        3 => times(&times(&y, &z), &x),
        4 => times(&times(&z, &x), &y),
        5 => times(&times(&z, &y), &x),
        _ => times(&times(&y, &x), &z),
    }
}

fn of_quaternion([x, y, z, w]: [f32; 4]) -> Basis {
    let s = 2.0 / (x * x + y * y + z * z + w * w);
    let (xs, ys, zs) = (x * s, y * s, z * s);
    let (wx, wy, wz) = (w * xs, w * ys, w * zs);
    let (xx, xy, xz) = (x * xs, x * ys, x * zs);
    let (yy, yz, zz) = (y * ys, y * zs, z * zs);
    [
        [1.0 - (yy + zz), xy - wz, xz + wy],
        [xy + wz, 1.0 - (xx + zz), yz - wx],
        [xz - wy, yz + wx, 1.0 - (xx + yy)],
    ]
}

fn column(basis: &Basis, at: usize) -> [f32; 3] {
    [basis[0][at], basis[1][at], basis[2][at]]
}

fn dot(one: [f32; 3], other: [f32; 3]) -> f32 {
    one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
}

fn determinant(basis: &Basis) -> f32 {
    let [a, b, c] = basis;
    a[0] * (b[1] * c[2] - c[1] * b[2]) - b[0] * (a[1] * c[2] - c[1] * a[2])
        + c[0] * (a[1] * b[2] - b[1] * a[2])
}

/// `Basis::get_scale`
fn scale_of(basis: &Basis) -> [f32; 3] {
    let determinant = determinant(basis);
    let sign = if determinant == 0.0 { 0.0 } else { determinant.signum() };
    [0, 1, 2].map(|at| {
        let column = column(basis, at);
        sign * dot(column, column).sqrt()
    })
}

/// `Basis::get_euler_normalized`, for [`YXZ`].
fn euler_of(basis: &Basis) -> [f32; 3] {
    let mut m = orthonormalized(basis);
    if determinant(&m) < 0.0 {
        m = m.map(|row| row.map(|number| -number));
    }
    let m12 = m[1][2];
    let limit = 1.0 - 0.000_000_25;
    if m12 >= limit {
        return [-std::f32::consts::FRAC_PI_2, -m[0][1].atan2(m[0][0]), 0.0];
    }
    if m12 <= -limit {
        return [std::f32::consts::FRAC_PI_2, m[0][1].atan2(m[0][0]), 0.0];
    }
    let others = [m[1][0], m[0][1], m[0][2], m[2][0]];
    if others == [0.0; 4] && m[0][0] == 1.0 {
        return [(-m12).atan2(m[1][1]), 0.0, 0.0];
    }
    [(-m12).asin(), m[0][2].atan2(m[2][2]), m[1][0].atan2(m[1][1])]
}

fn orthonormalized(basis: &Basis) -> Basis {
    let normalized = |vector: [f32; 3]| {
        let length = dot(vector, vector);
        if length == 0.0 { [0.0; 3] } else { vector.map(|number| number / length.sqrt()) }
    };
    let without = |vector: [f32; 3], axis: [f32; 3], length: f32| {
        [0, 1, 2].map(|at| vector[at] - axis[at] * length)
    };
    let (x, y, z) = (column(basis, 0), column(basis, 1), column(basis, 2));
    let x = normalized(x);
    let y = normalized(without(y, x, dot(x, y)));
    let z = normalized(without(without(z, x, dot(x, z)), y, dot(y, z)));
    [0, 1, 2].map(|row| [x[row], y[row], z[row]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_together_comes_apart() {
        let mut transform = Transform::identity();
        transform.set("rotation_degrees", &Value::Vector3([10.0, 20.0, 30.0]), YXZ).unwrap();
        transform.set("scale", &Value::Vector3([1.0, 2.0, 3.0]), YXZ).unwrap();
        let read = Transform::of_value(&transform.to_value()).unwrap();
        let is_near = |one: &[f32; 3], other: &[f32; 3]| {
            one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-5)
        };
        assert!(is_near(&read.euler, &transform.euler), "{read:?}");
        assert!(is_near(&read.scale, &transform.scale), "{read:?}");
        assert!(read.is_regular());
    }
}
