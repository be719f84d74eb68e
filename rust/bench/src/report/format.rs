//! Numbers as people read them.

use super::rows::Range;

/// Ratios this close to 1 are noise: a tie.
pub(crate) const TIE: Range = Range { min: 0.95, max: 1.05 };

/// Who is faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Faster,
    Tie,
    Slower,
    /// Slower for some of the workloads that share a line, faster for others.
    Mixed,
}

/// A range is judged by its worse end, unless the other end lies on the other side.
pub(crate) fn verdict(ratio: Range) -> Verdict {
    if ratio.min < TIE.min && ratio.max > TIE.max {
        Verdict::Mixed
    } else if ratio.min < TIE.min {
        Verdict::Slower
    } else if ratio.min <= TIE.max {
        Verdict::Tie
    } else {
        Verdict::Faster
    }
}

/// `5.9x`, or `0.62x`: below 10 as exact as it matters.
pub(crate) fn ratio(ratio: f64) -> String {
    match ratio {
        _ if ratio < 1.0 => format!("{ratio:.2}x"),
        _ if ratio < 9.95 => format!("{ratio:.1}x"),
        _ => format!("{ratio:.0}x"),
    }
}

/// One ratio, or `0.62x to 1.4x`.
pub(crate) fn ratios(range: Range) -> String {
    joined(&ratio(range.min), &ratio(range.max))
}

/// One time, or `2.0 to 2.5 µs`.
pub(crate) fn times(range: Range) -> String {
    let (min, max) = (time(range.min), time(range.max));
    match (min.split_once(' '), max.split_once(' ')) {
        (Some((number, unit)), Some((_, other))) if unit == other && min != max => {
            joined(number, &max)
        }
        _ => joined(&min, &max),
    }
}

fn joined(min: &str, max: &str) -> String {
    if min == max { min.into() } else { format!("{min} to {max}") }
}

fn time(us: f64) -> String {
    let (number, unit) = match us {
        _ if us < 1.0 => return format!("{:.0} ns", us * 1000.0),
        _ if us < 1000.0 => (us, "µs"),
        _ => (us / 1000.0, "ms"),
    };
    if number < 10.0 { format!("{number:.1} {unit}") } else { format!("{number:.0} {unit}") }
}

/// `100 B`, `65.5 KB`, `8.4 MB`; thousands, not 1024s.
pub(crate) fn bytes(bytes: u64) -> String {
    let number = bytes as f64;
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..1_000_000 => format!("{:.0} KB", number / 1e3),
        _ => format!("{:.1} MB", number / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_those_of_the_worse_end() {
        let judged = |min, max| verdict(Range { min, max });
        assert_eq!(judged(0.949, 5.0), Verdict::Mixed);
        assert_eq!(judged(0.949, 1.05), Verdict::Slower);
        assert_eq!(judged(0.95, 5.0), Verdict::Tie);
        assert_eq!(judged(1.05, 1.05), Verdict::Tie);
        assert_eq!(judged(1.06, 5.0), Verdict::Faster);
    }

    #[test]
    fn numbers() {
        assert_eq!(ratios(Range::from(5.94)), "5.9x");
        assert_eq!(ratios(Range { min: 0.618, max: 12.4 }), "0.62x to 12x");
        assert_eq!(times(Range::from(0.135)), "135 ns");
        assert_eq!(times(Range { min: 2.0, max: 2.51 }), "2.0 to 2.5 µs");
        assert_eq!(times(Range { min: 0.5, max: 33_840.0 }), "500 ns to 34 ms");
        assert_eq!(bytes(4088), "4088 B");
        assert_eq!(bytes(65_528), "66 KB");
        assert_eq!(bytes(8_388_608), "8.4 MB");
    }
}
