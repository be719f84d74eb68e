//! Why a call cannot be served, and where in the value that it was given.

use godot_variant::{Path, Segment, Value};

/// What is wrong with an argument or an option.
#[derive(Debug)]
pub(crate) struct Misuse {
    /// A JSON Pointer into the argument, empty for all of it.
    pub(crate) path: String,
    pub(crate) message: String,
}

impl Misuse {
    /// The same in the option `name`.
    pub(super) fn in_option(mut self, name: &str) -> Misuse {
        self.message = format!("the option `{name}`: {}", self.message);
        self
    }

    /// The same, seen from what holds the value.
    pub(super) fn at(mut self, step: &str) -> Misuse {
        let step: String = step.chars().take(SHOWN_CHARS).collect();
        self.path = format!("/{}{}", o3de_json::escape_segment(&step), self.path);
        self
    }
}

impl From<godot_variant::Refusal> for Misuse {
    fn from(refusal: godot_variant::Refusal) -> Misuse {
        Misuse { path: pointer(refusal.path()), message: refusal.kind().to_string() }
    }
}

impl From<String> for Misuse {
    fn from(message: String) -> Misuse {
        Misuse { path: String::new(), message }
    }
}

impl From<&str> for Misuse {
    fn from(message: &str) -> Misuse {
        Misuse::from(message.to_owned())
    }
}

impl From<Misuse> for String {
    fn from(misuse: Misuse) -> String {
        match misuse.path.char_indices().nth(SHOWN_CHARS) {
            None if misuse.path.is_empty() => misuse.message,
            None => format!("{} (at {})", misuse.message, misuse.path),
            Some((cut, _)) => format!("{} (at {}…)", misuse.message, &misuse.path[..cut]),
        }
    }
}

/// How much of a name or a path a message shows.
const SHOWN_CHARS: usize = 200;

fn pointer(path: &Path) -> String {
    let mut pointer = String::new();
    for segment in path.segments() {
        let step = match segment {
            Segment::Index(index) | Segment::EntryKey(index) => index.to_string(),
            Segment::Key(Value::String(name) | Value::StringName(name))
            | Segment::Property(name) => name.chars().take(SHOWN_CHARS).collect(),
            Segment::Key(key) => key.brief(),
        };
        pointer.push('/');
        pointer.push_str(&o3de_json::escape_segment(&step));
    }
    pointer
}
