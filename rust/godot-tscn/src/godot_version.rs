//! Versions of Godot with different text formats.

use std::fmt;

/// A version of Godot: `4.6`.
///
/// ```
/// use godot_tscn::GodotVersion;
/// let version: GodotVersion = "4.6.3-stable".parse().unwrap();
/// assert_eq!(version, GodotVersion { major: 4, minor: 6 });
/// assert_eq!("3.x".parse(), Ok(GodotVersion { major: 3, minor: 6 }));
/// assert!("5.0".parse::<GodotVersion>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GodotVersion {
    /// The first number.
    pub major: u8,
    /// The second number.
    pub minor: u8,
}

/// Why a text is not a [`GodotVersion`] with a known format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVersion {
    text: String,
}

impl GodotVersion {
    /// The last version of Godot 3.
    pub const LAST_3: Self = Self { major: 3, minor: 6 };
    /// The newest version with a known format.
    pub const NEWEST: Self = Self { major: 4, minor: 8 };
    /// The newest version with known classes, properties and settings.
    pub const NEWEST_WITH_CLASSES: Self = Self { major: 4, minor: 7 };

    /// Godot 4 with this minor version.
    pub const fn godot4(minor: u8) -> Self {
        Self { major: 4, minor }
    }

    /// The version in `config/features` of a `project.godot`, or Godot 3's if the project has none
    /// but its `config_version` is that of Godot 3.
    ///
    /// Returns nothing for projects of Godot 2 and 5. A version may be newer than [`Self::NEWEST`].
    ///
    /// ```
    /// use godot_tscn::GodotVersion;
    /// let project = b"config_version=5\n[application]\nconfig/features=PackedStringArray(\"4.3\", \"C#\")\n";
    /// assert_eq!(GodotVersion::of_project(project), Some(GodotVersion::godot4(3)));
    /// ```
    pub fn of_project(text: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(text);
        let value_of = |key: &str| {
            let lines = text.lines().map(str::trim);
            lines
                .filter_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='))
                .next_back()
        };
        let features = value_of("config/features").unwrap_or_default();
        let version = features.split('"').skip(1).step_by(2).find_map(|name| name.parse().ok());
        let is_godot3 = || value_of("config_version").is_some_and(|value| value.trim() == "4");
        version.or_else(|| is_godot3().then_some(Self::LAST_3))
    }
}

impl std::str::FromStr for GodotVersion {
    type Err = UnknownVersion;

    fn from_str(text: &str) -> Result<Self, UnknownVersion> {
        let unknown = || UnknownVersion { text: text.to_owned() };
        if text == "3.x" {
            return Ok(Self::LAST_3);
        }
        let mut parts = text.split(['.', '-']);
        let mut number = || parts.next().and_then(|part| part.parse::<u8>().ok());
        let (major, minor) = number().zip(number()).ok_or_else(unknown)?;
        let is_known = match major {
            3 => (1..=6).contains(&minor),
            // A version that is newer than all known ones reads the same text.
            4 => minor < 100,
            _ => false,
        };
        if is_known { Ok(Self { major, minor }) } else { Err(unknown()) }
    }
}

impl fmt::Display for GodotVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl fmt::Display for UnknownVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let newest = GodotVersion::NEWEST;
        write!(
            f,
            "`{}` is not a known Godot version; expected 3.x, 3.1 to 3.6, or 4.0 to {newest} and later",
            self.text
        )
    }
}

impl std::error::Error for UnknownVersion {}
