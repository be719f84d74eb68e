//! Names as whole words of a text.

/// The first place of a name as a whole word.
pub(super) fn first_word(text: &[u8], name: &str) -> Option<usize> {
    words(text, name).next()
}

/// The places of a name as a whole word.
pub(super) fn words(text: &[u8], name: &str) -> impl Iterator<Item = usize> {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    memchr::memmem::find_iter(text, name.as_bytes()).filter(move |at| {
        let after = text.get(at + name.len());
        !text[..*at].last().is_some_and(is_of_word) && !after.is_some_and(is_of_word)
    })
}
