//! `.godot/uid_cache.bin`, in which Godot keeps the uids of a project.

use crate::Uid;

/// The entries: a uid and a path. Ends where the content is not as `ResourceUID::save_to_cache`
/// (core/io/resource_uid.cpp, Godot 4.6.3) writes it.
pub fn entries(content: &[u8]) -> impl Iterator<Item = (Uid, &[u8])> {
    let (count, mut rest) = match content.split_first_chunk::<4>() {
        Some((count, rest)) => (u32::from_le_bytes(*count), rest),
        None => (0, content),
    };
    let entries = (0..count).map_while(move |_| {
        let (uid, after) = rest.split_first_chunk::<8>()?;
        let (length, after) = after.split_first_chunk::<4>()?;
        let (path, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        rest = after;
        Some((Uid::new(i64::from_le_bytes(*uid)), path))
    });
    entries.filter_map(|(uid, path)| Some((uid?, path)))
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn written_and_broken() {
        let mut content = 2u32.to_le_bytes().to_vec();
        for (uid, path) in [(7i64, "res://a.res"), (8, "res://b.scn")] {
            content.extend(uid.to_le_bytes());
            content.extend((path.len() as u32).to_le_bytes());
            content.extend(path.bytes());
        }
        let read = |content: &[u8]| -> Vec<(i64, Vec<u8>)> {
            entries(content).map(|(uid, path)| (uid.number(), path.to_vec())).collect()
        };
        let all = read(&content);
        assert_eq!(all, [(7, b"res://a.res".to_vec()), (8, b"res://b.scn".to_vec())]);
        for length in 0..content.len() {
            let cut = read(&content[..length]);
            assert_eq!(cut, all[..cut.len()]);
        }
        assert!(read(&[0xff; 40]).is_empty());
    }
}
