//! Numbers of a range as integers.

use crate::bits::width_of;

/// Numbers from `min` to `max` in steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Steps {
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) step: f64,
    /// The index of the last number.
    last: u64,
}

impl Steps {
    pub(crate) fn new(min: f64, max: f64, step: f64) -> Self {
        // 2.0 / 0.1 must not become 21 steps.
        let last = ((max - min) / step - 1e-9).ceil().max(0.0) as u64;
        Self { min, max, step, last }
    }

    pub(crate) fn width(&self) -> u32 {
        width_of(self.last)
    }

    /// The index of the nearest number; nothing outside the range.
    #[inline]
    pub(crate) fn index_of(&self, value: f64) -> Option<u64> {
        let half = self.step / 2.0;
        if !(value >= self.min - half && value <= self.max + half) {
            return None;
        }
        // Rounded as `round` does, which is a call on some processors. What is below 0 becomes 0.
        let index = (((value - self.min) / self.step + 0.5) as u64).min(self.last);
        // The last step may be a shorter one.
        let is_last = index + 1 == self.last && self.max - value < value - self.at(index)?;
        Some(if is_last { self.last } else { index })
    }

    /// The number with this index; nothing after the last one.
    #[inline]
    pub(crate) fn at(&self, index: u64) -> Option<f64> {
        (index <= self.last).then(|| (self.min + index as f64 * self.step).min(self.max))
    }
}

/// The index of an angle in radians among `2^bits` ones of a full turn; nothing for infinity and NaN.
pub(crate) fn angle_index(angle: f64, bits: u32) -> Option<u64> {
    let turns = angle / std::f64::consts::TAU;
    // Beyond, a number has no fraction.
    if turns.abs() > (1_u64 << 52) as f64 || turns.is_nan() {
        return turns.is_finite().then_some(0);
    }
    let fraction = turns - turns as i64 as f64;
    let fraction = if fraction < 0.0 { fraction + 1.0 } else { fraction };
    let count = (1_u64 << bits) as f64;
    Some((fraction * count + 0.5) as u64 & ((1 << bits) - 1))
}

/// The angle with this index, from -π to π.
pub(crate) fn angle_at(index: u64, bits: u32) -> f64 {
    let turns = index as f64 / (1_u64 << bits) as f64;
    (if turns < 0.5 { turns } else { turns - 1.0 }) * std::f64::consts::TAU
}

/// No component of a unit quaternion except the greatest one is larger.
const MOST: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The index of the greatest component, and the others as integers of `bits` bits. Nothing for what is not a rotation.
pub(crate) fn smallest_three(rotation: [f32; 4], bits: u32) -> Option<(u64, [u64; 3])> {
    let parts = rotation.map(f64::from);
    let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
    if !(length.is_finite() && (length - 1.0).abs() < 0.01) {
        return None;
    }
    let greatest = (0..4).max_by(|a, b| parts[*a].abs().total_cmp(&parts[*b].abs()))?;
    let sign = if parts[greatest] < 0.0 { -1.0 } else { 1.0 };
    let last = ((1_u64 << bits) - 1) as f64;
    let mut others = [0; 3];
    for (index, other) in (0..4).filter(|index| *index != greatest).zip(&mut others) {
        let part = (sign * parts[index] / length).clamp(-MOST, MOST);
        *other = ((part / MOST + 1.0) / 2.0 * last).round() as u64;
    }
    Some((greatest as u64, others))
}

/// The rotation that [`smallest_three`] stored; nothing if no rotation has these components.
pub(crate) fn rotation_of(greatest: u64, others: [u64; 3], bits: u32) -> Option<[f32; 4]> {
    let last = ((1_u64 << bits) - 1) as f64;
    let others = others.map(|other| (other as f64 / last * 2.0 - 1.0) * MOST);
    let rest = 1.0 - others.iter().map(|part| part * part).sum::<f64>();
    let mut parts = [0.0; 4];
    let mut next = others.iter();
    for (index, part) in parts.iter_mut().enumerate() {
        *part = if index as u64 == greatest { rest.max(0.0).sqrt() } else { *next.next()? };
    }
    let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
    Some(parts.map(|part| (part / length) as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_comes_back() {
        for (min, max, step, width) in
            [(-512.0, 512.0, 0.01, 17), (0.0, 2.0, 0.1, 5), (0.0, 1.0, 0.3, 3), (-1.0, 1.0, 2.0, 1)]
        {
            let steps = Steps::new(min, max, step);
            assert_eq!(steps.width(), width, "{steps:?}");
            for index in (0..=steps.last).step_by(7).chain([steps.last]) {
                let value = steps.at(index).unwrap();
                assert!((min..=max).contains(&value));
                assert_eq!(steps.index_of(value), Some(index), "{value}");
            }
            assert_eq!(steps.at(steps.last), Some(max));
            assert_eq!(steps.at(steps.last + 1), None);
            for outside in [f64::NAN, f64::INFINITY, min - step, max + step] {
                assert_eq!(steps.index_of(outside), None);
            }
        }
    }

    #[test]
    fn angles_wrap() {
        for degrees in -720..=720 {
            let angle = f64::from(degrees).to_radians();
            let back = angle_at(angle_index(angle, 12).unwrap(), 12);
            let off = (angle - back).rem_euclid(std::f64::consts::TAU);
            let off = off.min(std::f64::consts::TAU - off);
            assert!(off <= std::f64::consts::PI / 4096.0 + 1e-12, "{degrees}: {back}");
        }
        assert_eq!(angle_index(f64::NAN, 8), None);
    }

    #[test]
    fn rotations_come_back_nearly() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..2_000 {
            let parts = [(); 4].map(|()| random.f64() * 2.0 - 1.0);
            let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
            if length < 0.1 {
                continue;
            }
            let rotation = parts.map(|part| (part / length) as f32);
            let (greatest, others) = smallest_three(rotation, 12).unwrap();
            let back = rotation_of(greatest, others, 12).unwrap();
            let dot: f32 = rotation.iter().zip(back).map(|(a, b)| a * b).sum();
            assert!(dot.abs() > 0.999_999, "{rotation:?} became {back:?}");
        }
        assert_eq!(smallest_three([0.0; 4], 10), None);
        assert_eq!(smallest_three([f32::NAN, 0.0, 0.0, 1.0], 10), None);
    }
}
