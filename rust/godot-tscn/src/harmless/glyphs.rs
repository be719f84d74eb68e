//! How large the glyphs of a file's texts may be.
//!
//! Each character may be of a glyph that is drawn for it alone, once for itself, once for its outline and once for its shadow.

use godot_variant::Value;

use crate::harmless::Judge;

/// The sizes that a game's own theme may have.
const USUAL: f64 = 32.0;
/// The largest font and outline of the list, in data/harmless_review.txt.
const LARGEST: f64 = 192.0 + 2.0 * 32.0;
/// What laying out a character costs, however small it is.
const LEAST: u64 = 256;
/// Two bytes for each pixel, of three pictures, by ten bytes for a unit.
const UNITS_OF_A_PIXEL: f64 = 0.6;

/// For each run of characters that the engine's own font does not have, it asks the system for another font, which takes about a
/// millisecond.
const UNITS_OF_A_RUN: u64 = 32 << 10;

/// What a text costs of which each character costs so much.
pub(super) fn cost_of_text(text: &str, character: u64) -> u64 {
    let foreign = text.chars().map(is_foreign);
    let runs = foreign.clone().zip(std::iter::once(false).chain(foreign));
    let runs = runs.filter(|(is_foreign, was_foreign)| *is_foreign && !was_foreign).count() as u64;
    (text.chars().count() as u64 * character).saturating_add(runs * UNITS_OF_A_RUN)
}

/// Whether the engine's own font has no such character: it has those of Europe.
fn is_foreign(character: char) -> bool {
    character >= '\u{530}'
        && !matches!(character, '\u{1e00}'..='\u{206f}' | '\u{20a0}'..='\u{20bf}')
}

impl Judge<'_, '_> {
    /// What a character of a text in the file costs.
    pub(super) fn cost_of_a_character(&self) -> u64 {
        let side = self.largest_glyph();
        LEAST.max((side * side * UNITS_OF_A_PIXEL) as u64)
    }

    fn largest_glyph(&self) -> f64 {
        let context = self.context;
        let externals = context.ext_resources.definitions.iter();
        let mut paths = externals.filter_map(|found| found.section.field_text("path"));
        // A theme or a `LabelSettings` in another file, or BBCode, may say any size.
        if context.contains("font_size=")
            || context.contains("outline_size=")
            || paths.any(|path| crate::model::untrusted::is_text_path(&path))
        {
            return LARGEST;
        }
        let (mut size, mut around): (f64, f64) = (USUAL, 0.0);
        for property in context.document.sections().flat_map(crate::document::Section::properties) {
            let key = property.engine_key();
            let found = if key.ends_with(b"font_size") || has_piece(&key, b"font_sizes") {
                &mut size
            } else if key.ends_with(b"outline_size") || key.ends_with(b"shadow_size") {
                &mut around
            } else {
                continue;
            };
            if let Ok(Value::Int(int)) = property.value() {
                *found = found.max(int as f64);
            }
        }
        (size + 2.0 * around).min(LARGEST)
    }
}

/// Whether one of the pieces of a key, between slashes, is this one, or ends with it: `theme_override_font_sizes/font_size`.
fn has_piece(key: &[u8], piece: &[u8]) -> bool {
    key.split(|byte| *byte == b'/').any(|found| found.ends_with(piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_characters_without_a_glyph() {
        let runs = |text: &str| cost_of_text(text, 0) / UNITS_OF_A_RUN;
        assert_eq!(runs("Grüße, Привет – “Γειά” €5"), 0);
        assert_eq!(runs("你好世界"), 1);
        assert_eq!(runs("ꙮaꙮaꙮa"), 3);
    }
}
