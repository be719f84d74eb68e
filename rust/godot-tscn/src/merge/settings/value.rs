//! Values of settings that both sides changed.

use crate::merge::value::{self, Owner};
use crate::value::tree::{PartRef, ValueTree};

/// The class of [`Owner`]s that are settings.
pub(crate) const SETTING: &[u8] = b"\x01setting";

/// The version of the file's format: a number.
const VERSIONS: &[&[u8]] = &[b"config_version", b"compatibility_minimum", b"importer_version"];

/// A value three ways; nothing if the two sides cannot both be had.
pub(super) fn merged(
    key: &[u8],
    base: Option<&[u8]>,
    ours: &[u8],
    theirs: &[u8],
) -> Option<Vec<u8>> {
    if VERSIONS.contains(&key) {
        let number = |text: &[u8]| std::str::from_utf8(text).ok()?.trim().parse::<i64>().ok();
        return Some(number(ours)?.max(number(theirs)?).to_string().into_bytes());
    }
    let is_list = |text: &[u8]| {
        let name = text.split(|byte| *byte == b'(').next().unwrap_or_default();
        matches!(name.trim_ascii_end(), b"PackedStringArray" | b"PoolStringArray")
    };
    if is_list(ours) && is_list(theirs) && base.is_none_or(is_list) {
        let merged = value::merged_set(base, ours, theirs)?;
        return Some(if key == b"config/features" { with_one_version(&merged) } else { merged });
    }
    value::merged(Owner::new(SETTING, key), base, ours, theirs)
}

/// Of several versions of Godot in a list of features, the newest stays.
fn with_one_version(list: &[u8]) -> Vec<u8> {
    let tree = ValueTree::new(list);
    let features: Vec<(&[u8], Option<Version>)> =
        tree.root().children().map(|part| (part.source(), version(part))).collect();
    let newest = features.iter().filter_map(|(_, version)| *version).max();
    let stays = |(_, version): &&(&[u8], Option<Version>)| version.is_none() || *version == newest;
    let kept: Vec<&[u8]> = features.iter().filter(stays).map(|(source, _)| *source).collect();
    [b"PackedStringArray(", kept.join(&b", "[..]).as_slice(), b")"].concat()
}

/// Major and minor.
type Version = (u32, u32);

fn version(feature: PartRef<'_>) -> Option<Version> {
    let text = feature.text()?;
    let (major, minor) = std::str::from_utf8(&text).ok()?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
