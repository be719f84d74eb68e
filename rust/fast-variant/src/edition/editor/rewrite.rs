//! The formatter and the fixes, for `SceneRewriter`.

use std::collections::HashSet;

use gdscene_lint::FixChoice;
use godot::builtin::PackedStringArray;
use godot_project::three_way;
use godot_tscn::{Applicability, FormatOptions, LocatedDiagnostic};

use super::{configuration, with_workspace};
use crate::scene_rewriter::Rewritten;

const ESCN_REASON: &str = "an exporter wrote this `.escn` file, so it is not edited";

/// Each of these functions fails with the reason why the text is left alone.
type Result = std::result::Result<Rewritten, String>;

pub(crate) fn format(text: &str, path: &str) -> Result {
    match godot_tscn::format(text.as_bytes(), &FormatOptions::for_path(path)) {
        Ok(formatted) => Ok(Rewritten { text: formatted.text.to_vec(), fix_count: 0 }),
        Err(refusal) => Err(refusal.to_string()),
    }
}

pub(crate) fn fix(text: &str, path: &str, with_unsafe: bool) -> Result {
    refuse_escn(path)?;
    let limit = if with_unsafe { Applicability::Unsafe } else { Applicability::Safe };
    let choice = FixChoice::up_to(limit);
    Ok(with_workspace(|workspace| workspace.fix(path, text.as_bytes(), choice)).into())
}

/// `place` is the line and the column.
pub(crate) fn fix_one(text: &str, path: &str, code: &str, place: (i64, i64)) -> Result {
    refuse_escn(path)?;
    let found = with_workspace(|workspace| workspace.check(path, text.as_bytes()));
    let found = found.into_iter().filter(|found| is_at(found, code, place));
    let found: Vec<_> = found.map(|found| found.diagnostic).take(1).collect();
    if let Some(fix) = found.iter().find_map(|found| found.fix.as_ref())
        && !fix.other_files().is_empty()
    {
        let files: Vec<&str> = fix.other_files().iter().map(|file| file.path.as_str()).collect();
        let files = files.join(", ");
        return Err(format!("the fix also changes {files}; use `SceneRewriter.fix_in_project()`"));
    }
    Ok(godot_tscn::apply_fixes(text.as_bytes(), &found, Applicability::Unsafe).into())
}

/// Whether it has this code and is at this line and column.
pub(super) fn is_at(found: &LocatedDiagnostic, code: &str, place: (i64, i64)) -> bool {
    let position = (i64::from(found.position.line), i64::from(found.position.column));
    found.diagnostic.code == code && position == place
}

/// `places` are `CODE:LINE:COLUMN`.
pub(crate) fn fix_listed(text: &str, path: &str, places: &PackedStringArray) -> Result {
    refuse_escn(path)?;
    let places: HashSet<String> = places.as_slice().iter().map(ToString::to_string).collect();
    let is_meant = |found: &LocatedDiagnostic| {
        let (code, position) = (found.diagnostic.code, found.position);
        places.contains(&format!("{code}:{}:{}", position.line, position.column))
    };
    let found = with_workspace(|workspace| workspace.check(path, text.as_bytes()));
    let found = found.into_iter().filter(is_meant);
    let found: Vec<_> = found.map(|found| found.diagnostic).collect();
    Ok(godot_tscn::apply_fixes(text.as_bytes(), &found, Applicability::Safe).into())
}

/// `place` is the line and the column.
pub(crate) fn ignore(text: &str, code: &str, place: (i64, i64)) -> Result {
    let offset = offset_of(text, place);
    Ok(Rewritten { text: godot_tscn::ignore_here(text.as_bytes(), offset, code), fix_count: 0 })
}

pub(crate) fn ignore_rule(text: &str, code: &str) -> Result {
    let text = configuration::with_ignored_code(text, code)?;
    Ok(Rewritten { text: text.into_bytes(), fix_count: 0 })
}

pub(crate) fn merge(before: &str, after: &str, now: &str) -> Result {
    let merged = three_way(before.as_bytes(), after.as_bytes(), now.as_bytes());
    let text = merged.ok_or("the same lines, or adjacent lines, have changed since")?;
    Ok(Rewritten { text, fix_count: 0 })
}

impl From<godot_tscn::Fixed> for Rewritten {
    fn from(fixed: godot_tscn::Fixed) -> Self {
        Self { text: fixed.text, fix_count: fixed.applied_count }
    }
}

fn refuse_escn(path: &str) -> std::result::Result<(), String> {
    let is_escn = path.to_ascii_lowercase().ends_with(".escn");
    if is_escn { Err(ESCN_REASON.to_owned()) } else { Ok(()) }
}

/// The byte at a line and column, both counted from 1; of the end for places past it.
fn offset_of(text: &str, (line, column): (i64, i64)) -> u32 {
    let (line, column) = (line.max(1) as usize - 1, column.max(1) as usize - 1);
    let start = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
    let inside = text[start..].char_indices().nth(column).map_or(text.len() - start, |(at, _)| at);
    (start + inside) as u32
}
