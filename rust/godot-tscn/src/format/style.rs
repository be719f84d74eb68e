//! The text inside brackets, in the styles of Godot 3 and 4.

use crate::format::spacing::Spacing;

/// The version with the profile for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `Vector2( 1, 2 )`, `[ 1, 2 ]`, empty `[  ]`: `VariantWriter::write` of Godot 3.1 to 3.6.
    Godot3,
    /// `Vector2(1, 2)`, `[1, 2]`, empty `[]`: since Godot 4.0.
    Godot4,
}

/// An open bracket, by the form of its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    /// `[1, 2]`, `Vector2(1, 2)`, `Array[int]`
    Tight,
    /// `[ 1, 2 ]`, `Vector2( 1, 2 )`
    Spaced,
    /// Entries on lines of their own: `{\n"a": 1,\n"b": 2\n}`.
    Dictionary,
    /// The same of Godot 3, where `{}` is `{\n}`.
    Godot3Dictionary,
    /// `Object(Class,"a":1,"b":2)`, the one without a space.
    Object,
    /// The same since Godot 4.8 (GH-92102), with a line for each property: `Object(Class,\n"a":1,\n"b":2\n)`.
    ObjectInLines,
}

impl Style {
    /// Inside the parentheses of the construct `name`.
    ///
    /// Godot 3 writes spaces in all but a few, which it builds in one piece.
    pub(crate) fn construct(self, name: &[u8]) -> Bracket {
        match (self, name) {
            (_, b"Object") => Bracket::Object,
            (Self::Godot3, b"NodePath" | b"RID") | (Self::Godot4, _) => Bracket::Tight,
            (Self::Godot3, _) => Bracket::Spaced,
        }
    }

    /// Inside the brackets of an array.
    pub(crate) fn array(self) -> Bracket {
        match self {
            Self::Godot3 => Bracket::Spaced,
            Self::Godot4 => Bracket::Tight,
        }
    }

    /// Inside the braces of a dictionary.
    pub(crate) fn dictionary(self) -> Bracket {
        match self {
            Self::Godot3 => Bracket::Godot3Dictionary,
            Self::Godot4 => Bracket::Dictionary,
        }
    }
}

impl Bracket {
    /// Between the opening bracket and the content.
    pub(crate) fn after_open(self) -> Spacing {
        match self {
            Self::Tight | Self::Object | Self::ObjectInLines => Spacing::Spaces(0),
            Self::Spaced => Spacing::Spaces(1),
            Self::Dictionary | Self::Godot3Dictionary => Spacing::Line,
        }
    }

    /// Between the content and the closing bracket.
    pub(crate) fn before_close(self, is_empty: bool) -> Spacing {
        match self {
            Self::Tight | Self::Object => Spacing::Spaces(0),
            Self::Spaced if is_empty => Spacing::Spaces(2),
            Self::Spaced => Spacing::Spaces(1),
            Self::Dictionary if is_empty => Spacing::Spaces(0),
            Self::Dictionary | Self::Godot3Dictionary | Self::ObjectInLines => Spacing::Line,
        }
    }

    /// After a comma.
    pub(crate) fn after_comma(self) -> Spacing {
        match self {
            Self::Tight | Self::Spaced => Spacing::Spaces(1),
            Self::Object => Spacing::Spaces(0),
            Self::Dictionary | Self::Godot3Dictionary | Self::ObjectInLines => Spacing::Line,
        }
    }

    /// After the colon behind a key.
    pub(crate) fn after_colon(self) -> Spacing {
        match self {
            Self::Dictionary | Self::Godot3Dictionary => Spacing::Spaces(1),
            _ => Spacing::Spaces(0),
        }
    }
}
