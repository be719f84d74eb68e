//! Ids for resources that have none of their own yet, in the form of the file's format.

use std::borrow::Cow;

use hashbrown::HashSet;

use crate::document::{Document, Field, TagKind};
use crate::model::resource_ids::ResourceIds;

/// Gives out ids that no resource of the kind has. The same text gets the same ids every time.
pub(crate) struct FreshIds<'d> {
    taken: HashSet<Cow<'d, [u8]>>,
    /// The next number, for formats up to 2.
    next: Option<u64>,
    seed: u64,
}

impl<'d> FreshIds<'d> {
    pub(crate) fn new(document: &'d Document<'d>, resources: &ResourceIds<'d>) -> Self {
        let taken: HashSet<_> =
            resources.definitions.iter().map(|definition| definition.id.clone()).collect();
        let number = |id: &Cow<'_, [u8]>| std::str::from_utf8(id).ok()?.parse::<u32>().ok();
        let next = u64::from(taken.iter().filter_map(number).max().unwrap_or(0)) + 1;
        let header = document.sections().next();
        let format = header.and_then(|header| header.field("format")).and_then(Field::int);
        Self { taken, next: matches!(format, Some(..=2)).then_some(next), seed: 0 }
    }

    /// Lets these ids be given to no resource, either.
    pub(crate) fn avoid(&mut self, ids: impl Iterator<Item = Cow<'d, [u8]>>) {
        for id in ids {
            if let (Some(next), Some(number)) = (
                &mut self.next,
                std::str::from_utf8(&id).ok().and_then(|id| id.parse::<u32>().ok()),
            ) {
                *next = (*next).max(u64::from(number) + 1);
            }
            self.taken.insert(id);
        }
    }

    /// An id for the tag's `id` field and for references, with the quotes that it needs.
    ///
    /// The part before the `_`: the number of an `ext_resource`, the type of a `sub_resource`.
    pub(crate) fn id(&mut self, kind: TagKind, before: &str) -> String {
        if let Some(next) = &mut self.next {
            let id = next.to_string();
            *next += 1;
            return id;
        }
        let word = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let before: String = before.chars().map(word).collect();
        let before = match (before.is_empty(), kind) {
            (false, _) => before,
            (true, TagKind::ExtResource) => "1".to_owned(),
            (true, _) => "Resource".to_owned(),
        };
        loop {
            self.seed += 1;
            let id = format!("{before}_{}", suffix(&before, self.seed));
            if self.taken.insert(Cow::Owned(id.clone().into_bytes())) {
                return format!("\"{id}\"");
            }
        }
    }
}

/// Five of the characters that `Resource::generate_scene_unique_id` (core/io/resource.cpp, Godot
/// 4.6.3) takes: `a` to `y` and `0` to `8`.
fn suffix(before: &str, seed: u64) -> String {
    const ALPHABET: &[u8; 34] = b"abcdefghijklmnopqrstuvwxy012345678";
    // FNV-1a, and a last mix so that neighbouring seeds look different.
    let bytes = before.bytes().chain(seed.to_le_bytes());
    let mut hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash ^= hash >> 29;
    let mut suffix = String::with_capacity(5);
    for _ in 0..5 {
        suffix.push(char::from(ALPHABET[(hash % 34) as usize]));
        hash /= 34;
    }
    suffix
}

#[cfg(test)]
mod tests {
    use super::FreshIds;
    use crate::document::{ReferenceKind, TagKind};
    use crate::model::resource_ids::ResourceIds;

    fn ids(text: &str, before: &[&str]) -> Vec<String> {
        let document = crate::parse(text.as_bytes());
        let resources = ResourceIds::new(&document, ReferenceKind::SubResource);
        let mut fresh = FreshIds::new(&document, &resources);
        before.iter().map(|before| fresh.id(TagKind::SubResource, before)).collect()
    }

    #[test]
    fn forms() {
        let given = ids("[gd_scene format=3]\n", &["Curve", "Curve", "a b", ""]);
        assert!(given[0].starts_with("\"Curve_") && given[0].len() == 13, "{given:?}");
        assert_ne!(given[0], given[1]);
        assert!(given[2].starts_with("\"a_b_") && given[3].starts_with("\"Resource_"), "{given:?}");
        let taken = format!("[gd_scene format=3]\n[sub_resource type=\"Curve\" id={}]\n", given[0]);
        assert_ne!(ids(&taken, &["Curve"])[0], given[0]);
        assert_eq!(
            ids("[gd_scene format=2]\n[sub_resource type=\"A\" id=7]\n", &["A", "A"]),
            ["8", "9"]
        );
    }
}
