//! The numbers that the setters of Godot's classes take, from calls of each setter (`scripts/data/class_db.sh`, Godot 4.6.3).

use std::sync::OnceLock;

use hashbrown::HashMap;

const LIMITS: &str = include_str!("../../data/limits.txt");

/// The numbers that a property takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    least: Option<Limit>,
    greatest: Option<Limit>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Limit {
    number: f64,
    /// The number as the table writes it.
    text: &'static str,
    /// Whether the number itself is taken.
    is_taken: bool,
    beyond: Beyond,
}

/// The effect of a number that a property does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// The setter logs an error, and the property keeps its default.
    Refused,
    /// The setter sets another number, without an error in the log.
    Changed,
}

impl Limits {
    /// Those of the property that the class itself adds; nothing if it takes all numbers.
    pub fn of(class: &str, property: &str) -> Option<Self> {
        static TABLE: OnceLock<HashMap<(&str, &str), Limits>> = OnceLock::new();
        let table = TABLE.get_or_init(|| LIMITS.lines().filter_map(Self::parse).collect());
        table.get(&(class, property)).copied()
    }

    fn parse(line: &'static str) -> Option<((&'static str, &'static str), Self)> {
        let mut words = line.split(' ');
        let key = (words.next()?, words.next()?);
        let mut limit = || Some(Limit::parse(words.next()?));
        Some((key, Self { least: limit()?, greatest: limit()? }))
    }

    /// The effect of a number that the setter does not take.
    pub fn beyond(&self, number: f64) -> Option<Beyond> {
        let is_below =
            |limit: &Limit| number < limit.number || !limit.is_taken && number == limit.number;
        let is_above =
            |limit: &Limit| number > limit.number || !limit.is_taken && number == limit.number;
        let limit = self.least.filter(is_below).or_else(|| self.greatest.filter(is_above))?;
        Some(limit.beyond)
    }

    /// The accepted numbers, for a message: `numbers from 1 to 3`.
    pub fn describe(&self) -> String {
        let least = |limit: Limit| match limit.is_taken {
            true => format!("from {}", limit.text),
            false => format!("greater than {}", limit.text),
        };
        let greatest = |limit: Limit| match limit.is_taken {
            true => format!("to {}", limit.text),
            false => format!("less than {}", limit.text),
        };
        match (self.least, self.greatest) {
            (Some(from), Some(to)) if from.is_taken || !to.is_taken => {
                let and = if to.is_taken { "" } else { "and " };
                format!("numbers {} {and}{}", least(from), greatest(to))
            }
            (Some(from), Some(to)) => format!("numbers {}, up {}", least(from), greatest(to)),
            (Some(from), None) if from.is_taken => format!("numbers {} on", least(from)),
            (Some(from), None) => format!("numbers {}", least(from)),
            (None, Some(to)) if to.is_taken => format!("numbers up {}", greatest(to)),
            (None, Some(to)) => format!("numbers {}", greatest(to)),
            (None, None) => String::from("all numbers"),
        }
    }
}

impl Limit {
    /// `-` means none; `>` or `<` is before a number that is not accepted itself, `~` before a limit with changes beyond it.
    fn parse(word: &'static str) -> Option<Self> {
        let (word, beyond) = match word.strip_prefix('~') {
            Some(word) => (word, Beyond::Changed),
            None => (word, Beyond::Refused),
        };
        let text = word.trim_start_matches(['<', '>']);
        let number = text.parse().ok()?;
        let text = text.strip_suffix(".0").unwrap_or(text);
        Some(Self { number, text, is_taken: !word.starts_with(['<', '>']), beyond })
    }
}

#[cfg(test)]
mod tests {
    use super::{Beyond, LIMITS, Limits};

    #[test]
    fn numbers() {
        let limits = |class, property| Limits::of(class, property).unwrap();
        let contacts = limits("RigidBody3D", "max_contacts_reported");
        let refused = Some(Beyond::Refused);
        assert_eq!(
            [-1.0, 0.0, 4095.0, 4096.0].map(|n| contacts.beyond(n)),
            [refused, None, None, refused]
        );
        let font = limits("TextMesh", "font_size");
        let changed = Some(Beyond::Changed);
        assert_eq!(
            [0.0, 1.0, 127.0, 128.0].map(|n| font.beyond(n)),
            [changed, None, None, changed]
        );
        assert_eq!(contacts.describe(), "numbers from 0 to 4095");
        let wait = limits("Timer", "wait_time");
        assert_eq!([-1.0, 0.0, 0.001].map(|n| wait.beyond(n)), [refused, refused, None]);
        assert_eq!(wait.describe(), "numbers greater than 0");
        assert_eq!(limits("SphereMesh", "rings").describe(), "numbers from 1 on");
        assert_eq!(
            limits("CSGPolygon3D", "spin_degrees").describe(),
            "numbers greater than 0.01, up to 360"
        );
        assert_eq!(
            limits("AnimatedTexture", "speed_scale").describe(),
            "numbers from -1000 and less than 1000"
        );
        assert!(Limits::of("Node", "name").is_none());
    }

    #[test]
    fn every_line_is_read() {
        assert!(LIMITS.lines().all(|line| Limits::parse(line).is_some()));
        assert!(LIMITS.lines().count() > 440);
    }
}
