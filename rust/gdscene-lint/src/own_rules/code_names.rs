//! Codes and names of rules that live as long as the process.
//!
//! A finding names its rule with `&'static str`, so that thousands of them cost no allocation and compare as plain data. The codes and
//! names of a project's rules are kept here instead, each text once: a configuration that is read again adds nothing. While
//! somebody types a code, each of its beginnings stays; the table has a limit, so that a process cannot grow without end.

use std::sync::{LazyLock, Mutex, PoisonError};

use hashbrown::HashSet;

/// The largest number of different texts in a process. A code or name has at most 64 bytes.
const MAX_TEXTS: usize = 1 << 14;

/// The text, for as long as the process runs; nothing if the table is full.
pub(super) fn kept(text: &str) -> Option<&'static str> {
    static TEXTS: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
    kept_in(&mut TEXTS.lock().unwrap_or_else(PoisonError::into_inner), text, MAX_TEXTS)
}

fn kept_in(texts: &mut HashSet<&'static str>, text: &str, max: usize) -> Option<&'static str> {
    if let Some(known) = texts.get(text) {
        return Some(known);
    }
    if texts.len() == max {
        return None;
    }
    let text: &'static str = Box::leak(Box::from(text));
    texts.insert(text);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_once_up_to_the_limit() {
        let mut texts = HashSet::new();
        let first = kept_in(&mut texts, "GAME001", 2).unwrap();
        for _ in 0..1000 {
            let again = kept_in(&mut texts, &String::from("GAME001"), 2).unwrap();
            assert!(std::ptr::eq(first, again));
        }
        assert_eq!(kept_in(&mut texts, "GAME002", 2), Some("GAME002"));
        assert_eq!(kept_in(&mut texts, "GAME003", 2), None);
        assert_eq!(kept_in(&mut texts, "GAME002", 2), Some("GAME002"));
    }
}
