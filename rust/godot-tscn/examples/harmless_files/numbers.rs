//! Numbers at the ends of their ranges, and between.

use fastrand::Rng;

/// Which numbers a file prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Temper {
    Least,
    Most,
    Zero,
    Tiny,
    Middle,
    /// As in a file of someone who means well.
    Plain,
    /// Each number of another temper.
    Mixed,
}

const TEMPERS: [Temper; 6] =
    [Temper::Least, Temper::Most, Temper::Zero, Temper::Tiny, Temper::Middle, Temper::Plain];

/// `level` makes all that is far smaller by as many digits, for files that cost too much.
pub(crate) struct Numbers {
    pub(crate) random: Rng,
    pub(crate) temper: Temper,
    pub(crate) level: i32,
}

impl Numbers {
    pub(crate) fn chance(&mut self, share: f64) -> bool {
        self.random.f64() < share
    }

    pub(crate) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.random.usize(..list.len())]
    }

    pub(crate) fn float(&mut self, least: f64, most: f64) -> f64 {
        let (near_least, near_most) = (self.nearer(least), self.nearer(most));
        let number = match self.temper() {
            Temper::Least => near_least,
            Temper::Most => near_most,
            Temper::Zero => 0.0,
            Temper::Tiny => self.tiny(),
            Temper::Middle => f64::midpoint(near_least, near_most),
            _ if self.chance(0.2) => self.far(near_most),
            _ => f64::from(self.random.i32(-40..200)) / 10.0,
        };
        number.clamp(least, most)
    }

    pub(crate) fn int(&mut self, least: i64, most: i64) -> i64 {
        // Few numbers are names of choices.
        if most - least < 16 && self.chance(0.6) {
            return self.random.i64(least..=most);
        }
        (self.float(least as f64, most as f64).round() as i64).clamp(least, most)
    }

    /// How many elements of at most so many there are.
    pub(crate) fn count(&mut self, most: usize) -> usize {
        let many = [most, 2000, 300][self.random.usize(..3)] / 10_usize.pow(self.level as u32);
        match self.random.u32(..20) {
            0 => many.min(most),
            1..4 => 0,
            4..6 => 1.min(most),
            6..8 => 2.min(most),
            8..11 => 3.min(most),
            _ => self.random.usize(..24).min(most),
        }
    }

    fn temper(&mut self) -> Temper {
        // Never only one: a shape of zeros alone is not drawn at all.
        if self.temper == Temper::Mixed || self.chance(0.1) {
            return *self.pick(&TEMPERS);
        }
        self.temper
    }

    fn nearer(&self, limit: f64) -> f64 {
        if limit.abs() > 16.0 { limit / 10_f64.powi(self.level) } else { limit }
    }

    fn tiny(&mut self) -> f64 {
        *self.pick(&[1e-3, -1e-3, 1e-6, -1e-6, 1e-20, 1e-38, 0.01, 0.1])
    }

    /// Any size up to `most`, each digit as likely.
    fn far(&mut self, most: f64) -> f64 {
        let size = most.abs().max(1.0).powf(self.random.f64());
        if self.random.bool() { size } else { -size }
    }
}

/// As Godot writes it, so that a whole number stays a `float`.
pub(crate) fn written(number: f64) -> String {
    format!("{number:?}")
}

/// The same for what is stored in 32 bits.
pub(crate) fn written_real(number: f64) -> String {
    format!("{:?}", number as f32)
}
