//! JSON Pointer (RFC 6901).

use std::borrow::Cow;

/// A name as a segment of a pointer: `~` becomes `~0` and `/` becomes `~1`.
pub fn escape_segment(name: &str) -> Cow<'_, str> {
    if name.contains(['~', '/']) {
        Cow::Owned(name.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(name)
    }
}

/// The pointer to a value while a document is walked: it grows and shrinks, and is not built anew for
/// each value, which would take long where names are.
#[derive(Debug, Default)]
pub(crate) struct Pointer(String);

impl Pointer {
    /// As far as `path`.
    pub(crate) fn new(path: &str) -> Pointer {
        Pointer(path.to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Does `step` at the member `name`.
    pub(crate) fn at<R>(&mut self, name: &str, step: impl FnOnce(&mut Pointer) -> R) -> R {
        let len = self.0.len();
        self.0.push('/');
        self.0.push_str(&escape_segment(name));
        let result = step(self);
        self.0.truncate(len);
        result
    }

    /// Does `step` at the element number `index`.
    pub(crate) fn at_index<R>(&mut self, index: usize, step: impl FnOnce(&mut Pointer) -> R) -> R {
        self.at(itoa::Buffer::new().format(index), step)
    }
}

/// The segments of a pointer, unescaped; none if it does not start with `/` or a `~` is followed
/// by neither `0` nor `1`. The empty pointer has no segments and names the whole document.
///
/// ```
/// use o3de_json::parse_pointer;
/// assert_eq!(parse_pointer("/a~1b/0"), Some(vec!["a/b".to_owned(), "0".to_owned()]));
/// assert_eq!(parse_pointer("a"), None);
/// ```
pub fn parse_pointer(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    pointer.strip_prefix('/')?.split('/').map(unescape_segment).collect()
}

fn unescape_segment(segment: &str) -> Option<String> {
    let mut name = String::with_capacity(segment.len());
    let mut chars = segment.chars();
    while let Some(char) = chars.next() {
        name.push(match char {
            '~' => match chars.next()? {
                '0' => '~',
                '1' => '/',
                _ => return None,
            },
            char => char,
        });
    }
    Some(name)
}
