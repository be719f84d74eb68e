//! The shortest digits that read back as the same number, by Grisu2 (Florian Loitsch, "Printing
//! Floating-Point Numbers Quickly and Accurately with Integers", PLDI 2010).
//!
//! Godot prints with one implementation of it since 4.5 (thirdparty/grisu2). Grisu2 leaves freedom in
//! the choice of the powers of ten, in the rounding of products, and between two digit strings; the
//! choices here give Godot's digits. In a few cases of a thousand they are not the shortest, and
//! differ from the crates `dtoa`, `ryu` and `zmij`: a test compares millions of numbers with the
//! engine.

/// The decimal digits of a number, and the power of ten of the last one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digits {
    bytes: [u8; 20],
    length: usize,
    pub(crate) exponent: i32,
}

/// `significand * 2^exponent`
#[derive(Clone, Copy, Debug)]
struct Float {
    significand: u64,
    exponent: i32,
}

/// Godot's digits of a 64-bit number, which must be finite and above zero.
pub(crate) fn digits_of_f64(value: f64) -> Digits {
    let bits = value.to_bits();
    digits(bits >> 52, bits & ((1 << 52) - 1), 52, 1075)
}

/// Godot's digits of a 32-bit number, which must be finite and above zero.
pub(crate) fn digits_of_f32(value: f32) -> Digits {
    let bits = u64::from(value.to_bits());
    digits(bits >> 23, bits & ((1 << 23) - 1), 23, 150)
}

impl Digits {
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// The digits of the number with these fields. `bias` counts from the last bit of the fraction.
#[inline]
fn digits(biased: u64, fraction: u64, fraction_bits: u32, bias: i32) -> Digits {
    let value = match biased {
        0 => Float { significand: fraction, exponent: 1 - bias },
        _ => Float { significand: fraction | 1 << fraction_bits, exponent: biased as i32 - bias },
    };
    // Half way to the next numbers. Below a power of two they lie closer.
    let upper =
        Float { significand: 2 * value.significand + 1, exponent: value.exponent - 1 }.normalized();
    let lower = if fraction == 0 && biased > 1 {
        Float { significand: 4 * value.significand - 1, exponent: value.exponent - 2 }
    } else {
        Float { significand: 2 * value.significand - 1, exponent: value.exponent - 1 }
    };
    let lower_significand = lower.significand << (lower.exponent - upper.exponent);

    let (power, decimal_exponent) = power_for(upper.exponent);
    let scaled = value.normalized().significand_times(power);
    // A product may be one off: everything between these two is surely inside.
    let high = upper.significand_times(power) - 1;
    let low = Float { significand: lower_significand, exponent: upper.exponent }
        .significand_times(power)
        + 1;
    let exponent = upper.exponent + power.exponent + 64;
    generate(high, high - low, high - scaled, exponent, -decimal_exponent)
}

/// Writes digits of `high * 2^exponent` until the rest is not more than `delta`, then steps down to
/// the digits closest to the number itself, which is `distance` below.
#[inline]
fn generate(
    high: u64,
    mut delta: u64,
    mut distance: u64,
    exponent: i32,
    decimal_exponent: i32,
) -> Digits {
    let shift = (-exponent) as u32;
    let mask = (1_u64 << shift) - 1;
    let mut whole = (high >> shift) as u32;
    let mut part = high & mask;
    let mut digits = Digits { bytes: [0; 20], length: 0, exponent: decimal_exponent };

    let mut left = whole.checked_ilog10().map_or(1, |log| log + 1);
    let mut unit = 10_u32.pow(left - 1);
    while left > 0 {
        digits.push(whole / unit);
        whole %= unit;
        left -= 1;
        let rest = (u64::from(whole) << shift) + part;
        if rest <= delta {
            digits.exponent += left as i32;
            digits.step_down(distance, delta, rest, u64::from(unit) << shift);
            return digits;
        }
        unit /= 10;
    }
    loop {
        part *= 10;
        digits.push((part >> shift) as u32);
        part &= mask;
        delta *= 10;
        distance *= 10;
        digits.exponent -= 1;
        if part <= delta {
            digits.step_down(distance, delta, part, 1 << shift);
            return digits;
        }
    }
}

impl Digits {
    #[inline]
    fn push(&mut self, digit: u32) {
        self.bytes[self.length] = b'0' + digit as u8;
        self.length += 1;
    }

    /// Takes one from the last digit as long as that comes closer to the number.
    #[inline]
    fn step_down(&mut self, distance: u64, delta: u64, mut rest: u64, unit: u64) {
        while rest < distance
            && delta - rest >= unit
            && (rest + unit < distance || distance - rest > rest + unit - distance)
        {
            self.bytes[self.length - 1] -= 1;
            rest += unit;
        }
    }
}

impl Float {
    #[inline]
    fn normalized(self) -> Self {
        let zeros = self.significand.leading_zeros();
        Self { significand: self.significand << zeros, exponent: self.exponent - zeros as i32 }
    }

    /// The upper half of the product, rounded.
    #[inline]
    fn significand_times(self, other: Self) -> u64 {
        let product = u128::from(self.significand) * u128::from(other.significand);
        ((product + (1 << 63)) >> 64) as u64
    }
}

/// A power of ten which brings a number with this binary exponent into the range of `generate` (a
/// product's exponent from -60 to -32), and its decimal exponent.
#[inline]
fn power_for(exponent: i32) -> (Float, i32) {
    let distance = -60 - exponent - 1;
    // log10(2) is about 78913 / 2^18.
    let decimal = distance * 78913 / (1 << 18) + i32::from(distance > 0);
    let index = (decimal - FIRST_POWER + POWER_STEP - 1) / POWER_STEP;
    let decimal = FIRST_POWER + index * POWER_STEP;
    // log2(10) is about 1741647 / 2^19.
    let exponent = ((decimal * 1_741_647) >> 19) - 63;
    (Float { significand: POWERS[index as usize], exponent }, decimal)
}

const FIRST_POWER: i32 = -300;
const POWER_STEP: i32 = 8;

/// The first 64 bits of 10^-300, 10^-292, …, 10^324, rounded.
#[rustfmt::skip]
const POWERS: [u64; 79] = [
    0xab70fe17c79ac6ca, 0xff77b1fcbebcdc4f, 0xbe5691ef416bd60c, 0x8dd01fad907ffc3c,
    0xd3515c2831559a83, 0x9d71ac8fada6c9b5, 0xea9c227723ee8bcb, 0xaecc49914078536d,
    0x823c12795db6ce57, 0xc21094364dfb5637, 0x9096ea6f3848984f, 0xd77485cb25823ac7,
    0xa086cfcd97bf97f4, 0xef340a98172aace5, 0xb23867fb2a35b28e, 0x84c8d4dfd2c63f3b,
    0xc5dd44271ad3cdba, 0x936b9fcebb25c996, 0xdbac6c247d62a584, 0xa3ab66580d5fdaf6,
    0xf3e2f893dec3f126, 0xb5b5ada8aaff80b8, 0x87625f056c7c4a8b, 0xc9bcff6034c13053,
    0x964e858c91ba2655, 0xdff9772470297ebd, 0xa6dfbd9fb8e5b88f, 0xf8a95fcf88747d94,
    0xb94470938fa89bcf, 0x8a08f0f8bf0f156b, 0xcdb02555653131b6, 0x993fe2c6d07b7fac,
    0xe45c10c42a2b3b06, 0xaa242499697392d3, 0xfd87b5f28300ca0e, 0xbce5086492111aeb,
    0x8cbccc096f5088cc, 0xd1b71758e219652c, 0x9c40000000000000, 0xe8d4a51000000000,
    0xad78ebc5ac620000, 0x813f3978f8940984, 0xc097ce7bc90715b3, 0x8f7e32ce7bea5c70,
    0xd5d238a4abe98068, 0x9f4f2726179a2245, 0xed63a231d4c4fb27, 0xb0de65388cc8ada8,
    0x83c7088e1aab65db, 0xc45d1df942711d9a, 0x924d692ca61be758, 0xda01ee641a708dea,
    0xa26da3999aef774a, 0xf209787bb47d6b85, 0xb454e4a179dd1877, 0x865b86925b9bc5c2,
    0xc83553c5c8965d3d, 0x952ab45cfa97a0b3, 0xde469fbd99a05fe3, 0xa59bc234db398c25,
    0xf6c69a72a3989f5c, 0xb7dcbf5354e9bece, 0x88fcf317f22241e2, 0xcc20ce9bd35c78a5,
    0x98165af37b2153df, 0xe2a0b5dc971f303a, 0xa8d9d1535ce3b396, 0xfb9b7cd9a4a7443c,
    0xbb764c4ca7a44410, 0x8bab8eefb6409c1a, 0xd01fef10a657842c, 0x9b10a4e5e9913129,
    0xe7109bfba19c0c9d, 0xac2820d9623bf429, 0x80444b5e7aa7cf85, 0xbf21e44003acdd2d,
    0x8e679c2f5e44ff8f, 0xd433179d9c8cb841, 0x9e19db92b4e31ba9,
];
