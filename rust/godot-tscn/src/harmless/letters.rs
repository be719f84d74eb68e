//! Texts: how many characters they have, and how large their letters may be.
//!
//! Each letter of a text may be drawn for it alone, with its outline and its shadow.

use std::collections::BTreeSet;

use godot_variant::Value;
use hashbrown::HashSet;

use crate::budget::{Tally, Thing};
use crate::document::{Property, Section, TagKind};
use crate::harmless::{Judge, tags};
use crate::model::untrusted::may_be_font;

/// The sizes that a game's own theme may have.
const USUAL: u64 = 32;
/// The largest font, and the largest outline, of the list in data/harmless_review.txt.
const LARGEST_FONT: u64 = 192;
const LARGEST_OUTLINE: u64 = 32;
/// For each run of characters that the engine's own font does not have, it asks the system for another font, which takes
/// about a millisecond.
const RUN: u64 = 64;
/// Marks above and below a letter take longer, the more there are.
const MARK: u64 = 16;

/// Godot lays a rich text out again for each of its containers, and each of its tags adds a style.
const RICH: u64 = 4;
const TAG: u64 = 16;
/// Tags that move or color each letter for each picture.
const EFFECTS: &[&str] = &["fade", "pulse", "rainbow", "shake", "tornado", "wave"];

/// The sizes of letters and the fonts that a file brings. Godot draws each letter into a picture, once for each of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Letters {
    sizes: BTreeSet<u64>,
    /// The sizes of outlines and shadows.
    arounds: BTreeSet<u64>,
    /// How many fonts are in the file itself.
    fonts: u64,
    /// The uids, or else the paths, of other files that may be fonts.
    font_files: BTreeSet<String>,
}

/// Adds the characters of a text that is shown as it is.
pub(super) fn add_text(tally: &mut Tally, text: &str) {
    tally.add(Thing::Characters, characters(text));
}

/// Adds the characters of a text with tags, each as often as there are effects on it.
pub(super) fn add_rich_text(tally: &mut Tally, text: &str) {
    let mut pieces = text.split('[');
    let mut count = characters(pieces.next().unwrap_or_default());
    let mut effects = 0_u64;
    for piece in pieces {
        let (tag, text) = piece.split_once(']').unwrap_or((piece, ""));
        let name = tag.split(['=', ' ']).next().unwrap_or_default();
        if EFFECTS.contains(&name) {
            effects += 1;
        } else if tag.strip_prefix('/').is_some_and(|name| EFFECTS.contains(&name)) {
            effects = effects.saturating_sub(1);
        }
        count = count.saturating_add(TAG + characters(text).saturating_mul(1 + effects));
    }
    tally.add(Thing::Characters, count.saturating_mul(RICH));
}

fn characters(text: &str) -> u64 {
    let mut last = None;
    let mut count = 0;
    for character in text.chars() {
        let block = is_foreign(character).then(|| block(character));
        count += match character {
            '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}' => MARK,
            _ if block.is_some() && block != last => RUN,
            _ => 1,
        };
        last = block;
    }
    count
}

/// The block of a character: scripts have blocks of their own, and each may need another font. Those of East Asia have one.
fn block(character: char) -> u32 {
    match character {
        '\u{2e80}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ffef}'
        | '\u{20000}'..='\u{3ffff}' => 0,
        _ => u32::from(character) >> 7,
    }
}

/// Whether the engine's own font has no such character: it has those of Europe.
fn is_foreign(character: char) -> bool {
    character >= '\u{530}'
        && !matches!(character, '\u{1e00}'..='\u{206f}' | '\u{20a0}'..='\u{20bf}')
}

/// How many distinct letters a text has.
pub(super) fn distinct(text: &str) -> u64 {
    text.chars().collect::<HashSet<char>>().len() as u64
}

impl Letters {
    /// Adds sizes and fonts of another file, which may meet those of this one: a theme is that of the texts in other files.
    pub(crate) fn join(&mut self, other: &Self) {
        self.sizes.extend(&other.sizes);
        self.arounds.extend(&other.arounds);
        self.fonts = self.fonts.saturating_add(other.fonts);
        self.font_files.extend(other.font_files.iter().cloned());
    }

    /// The pixels of all pictures of letters: pages for each font, size and outline, and each of the `count` letters as large
    /// as the largest.
    pub(crate) fn pixels(&self, count: u64) -> u64 {
        let side = self.sizes.iter().fold(USUAL, |most, size| most.max(*size)).min(LARGEST_FONT)
            + 2 * self
                .arounds
                .iter()
                .fold(0, |most, around| most.max(*around))
                .min(LARGEST_OUTLINE);
        self.pages().saturating_add(count.saturating_mul(side * side))
    }

    /// The pixels of the pictures into which Godot puts letters: it makes some for each font, size and outline, even for one
    /// letter.
    fn pages(&self) -> u64 {
        let (mut sizes, mut arounds) = (self.sizes.clone(), self.arounds.clone());
        sizes.insert(USUAL);
        arounds.insert(0);
        let page = |size: u64, around: u64| {
            let letter = size.min(LARGEST_FONT) + 2 * around.min(LARGEST_OUTLINE);
            (4 * letter).next_power_of_two().pow(2)
        };
        let of_size = |size: &u64| arounds.iter().map(|around| page(*size, *around)).sum::<u64>();
        // The usual letters are there in any game.
        let all = sizes.iter().map(of_size).sum::<u64>() - page(USUAL, 0);
        all.saturating_mul(1 + self.fonts + self.font_files.len() as u64)
    }

    fn add_property(&mut self, property: Property<'_>) {
        let key = property.engine_key();
        if key.ends_with(b"font_size") || has_piece(&key, b"font_sizes") {
            self.sizes.insert(number(property));
        } else if key.ends_with(b"outline_size") || key.ends_with(b"shadow_size") {
            self.arounds.insert(number(property));
        } else if key.as_ref() == b"text" {
            self.sizes.extend(options(property.source(), "font_size="));
            self.arounds.extend(options(property.source(), "outline_size="));
        }
    }

    /// A font of the file, or a file that may be one: Godot recognizes a font by its contents, not by the tag.
    fn add_font(&mut self, section: Section<'_>) {
        let text = |name| section.field_text(name).unwrap_or_default();
        if section.kind() != TagKind::ExtResource {
            let is_font = tags::class_of(section).is_some_and(|class| class.inherits("Font"));
            self.fonts += u64::from(is_font);
        } else if may_be_font(&text("path")) {
            let name = section.field_text("uid").unwrap_or_else(|| text("path"));
            self.font_files.insert(String::from_utf8_lossy(&name).into_owned());
        }
    }
}

impl Judge<'_, '_> {
    /// The sizes of letters and the fonts of the file.
    pub(super) fn letters(&self) -> Letters {
        let mut letters = Letters::default();
        for section in self.context.document.sections() {
            letters.add_font(section);
            section.properties().for_each(|property| letters.add_property(property));
        }
        letters
    }
}

fn number(property: Property<'_>) -> u64 {
    match property.value() {
        Ok(Value::Int(int)) => int.unsigned_abs(),
        _ => 0,
    }
}

/// The numbers behind an option of BBCode tags.
fn options(source: &[u8], option: &str) -> Vec<u64> {
    let text = String::from_utf8_lossy(source);
    let numbers = text.split(option).skip(1).map(|rest| {
        let end = rest.find([']', ' ']).unwrap_or(rest.len());
        // Any other way to write a number counts as the largest.
        rest[..end].parse().unwrap_or(LARGEST_FONT)
    });
    numbers.collect()
}

/// Whether one of the pieces of a key, between slashes, is this one, or ends with it: `theme_override_font_sizes/font_size`.
fn has_piece(key: &[u8], piece: &[u8]) -> bool {
    key.split(|byte| *byte == b'/').any(|found| found.ends_with(piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_and_runs_of_other_scripts() {
        let count = characters;
        assert_eq!(count("Grüße, Привет – “Γειά” €5"), 25);
        assert_eq!(count("你好世界"), RUN + 3);
        assert_eq!(count("ꙮaꙮaꙮa"), 3 * RUN + 3);
        assert_eq!(count("ꙮ\u{f40}ꙮ\u{f40}"), 4 * RUN);
        assert_eq!(count("a\u{301}\u{301}"), 1 + 2 * MARK);
    }

    #[test]
    fn effects_count_for_each_character() {
        let count = |text: &str| {
            let mut tally = Tally::default();
            add_rich_text(&mut tally, text);
            tally.get(Thing::Characters)
        };
        assert_eq!(count("abc"), RICH * 3);
        assert_eq!(count("a[b]bc[/b]"), RICH * (3 + 2 * TAG));
        assert_eq!(count("a[wave amp=9][shake]bc[/wave]d"), RICH * (1 + 3 * 2 + 2 + 3 * TAG));
    }

    #[test]
    fn sizes_in_tags() {
        assert_eq!(options(b"\"[font_size=20]a[font_size=48]b\"", "font_size="), [20, 48]);
        assert_eq!(options(b"[font_size=9e1]", "font_size="), [LARGEST_FONT]);
        assert_eq!(options(b"[font_size=.5e2]", "font_size="), [LARGEST_FONT]);
        assert_eq!(options(b"plain", "font_size="), []);
    }
}
