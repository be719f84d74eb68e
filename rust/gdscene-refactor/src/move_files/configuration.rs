//! Patterns of paths in `gdscene.toml`, and in git's files.

use std::ops::Range;

use godot_tscn::Span;
use toml::Spanned;

use crate::draft::FileDraft;
use crate::move_files::literal::{Moving, Verdict};
use crate::move_files::patterns::{self, Syntax};
use crate::move_files::texts::{self, put};

/// Adds the changes of the patterns in a `gdscene.toml`.
pub(super) fn change(moving: Moving<'_>, draft: &mut FileDraft) {
    let text = draft.text.clone();
    let parsed = std::str::from_utf8(&text)
        .ok()
        .and_then(|text| Some((text, toml::from_str::<Patterns>(text).ok()?)));
    let Some((text, found)) = parsed else { return texts::change(moving, draft) };
    let keys = found.per_path_ignores.keys().map(|key| (key.span(), key.get_ref().as_str()));
    let folders = found.third_party.iter().map(|folder| (folder.span(), folder.get_ref().as_str()));
    for (index, (span, pattern)) in keys.chain(folders).enumerate() {
        let Some(place) = place_of(text, span, pattern) else { continue };
        let bare = pattern.strip_prefix('!').unwrap_or(pattern);
        let place = Span::new(place.end - bare.len() as u32, place.end);
        put(draft, place, patterns::moved(moving, bare, Syntax::Config, index), "path pattern");
    }
}

/// Where paths stand in the file.
#[derive(serde::Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[derive(Default)]
struct Patterns {
    per_path_ignores: std::collections::BTreeMap<Spanned<String>, toml::Value>,
    third_party: Vec<Spanned<String>>,
}

/// The place of a string that is written without escapes.
fn place_of(text: &str, span: Range<usize>, content: &str) -> Option<Span> {
    let start = span.start + text.get(span.clone())?.find(content)?;
    Some(Span::new(start as u32, (start + content.len()) as u32))
}

/// The references to moved files in git's files in the project's folder. They are not Godot's, and nothing else reads them
/// as paths.
pub(super) fn of_git(moving: Moving<'_>) -> Vec<FileDraft> {
    let names = ["res://.gitignore", "res://.gitattributes"];
    let draft = |path: &str| {
        let text = moving.project.source().read(path).ok()?;
        let mut draft = FileDraft::of_text(path.to_owned(), text.as_slice());
        let mut start = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let first = start;
            start += line.len();
            let Some(pattern) =
                std::str::from_utf8(line).ok().and_then(|line| line.split_whitespace().next())
            else {
                continue;
            };
            let bare = pattern.trim_start_matches(['!', '/']).trim_end_matches('/');
            // One without a slash means a name, wherever it is.
            let is_path = pattern.trim_end_matches('/').contains('/') && !bare.starts_with('#');
            if is_path
                && matches!(
                    patterns::moved(moving, bare, Syntax::Config, usize::MAX),
                    Verdict::Becomes(_)
                )
            {
                let span = Span::new(first as u32, (first + pattern.len()) as u32);
                draft.doubt(span, "is a git pattern for the moved file");
            }
        }
        Some(draft)
    };
    names.into_iter().filter_map(draft).collect()
}
