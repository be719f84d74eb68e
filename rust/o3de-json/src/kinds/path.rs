//! `path` (PathSerializer.cpp).

use godot_variant::Value;

use super::unsupported;
use crate::run::Run;
use crate::{Json, Outcome, ResultCode, Task};

/// What O3DE's `FixedMaxPath` holds (`AZ::IO::MaxPathLength`).
const MAX_LEN: usize = 1024;

pub(crate) fn load(run: &mut Run<'_>, target: &mut Value, json: &Json) -> ResultCode {
    let Json::String(text) = json else {
        return unsupported(run, json, "path: write a string");
    };
    if text.len() > MAX_LEN {
        let message =
            format!("the path has {} bytes; the limit is {MAX_LEN}: shorten it", text.len());
        return run.report(Task::ReadField, Outcome::Invalid, message);
    }
    *target = Value::from(normalized(text).as_str());
    run.success(Task::ReadField)
}

/// The path without `.`, `..` and double separators, with `/` between its parts.
fn normalized(path: &str) -> String {
    let path = path.replace('\\', "/");
    let is_absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." => _ = parts.pop(),
                _ if is_absolute => {}
                _ => parts.push(".."),
            },
            _ => parts.push(part),
        }
    }
    match (is_absolute, parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) if !path.is_empty() => ".".into(),
        (false, _) => parts.join("/"),
    }
}

#[cfg(test)]
mod tests {
    use super::normalized;

    #[test]
    fn paths_are_normalized() {
        let table = [
            ("a//b/./c", "a/b/c"),
            ("a\\b", "a/b"),
            ("a/../../b", "../b"),
            ("/../a", "/a"),
            ("a/..", "."),
            ("", ""),
        ];
        for (path, expected) in table {
            assert_eq!(normalized(path), expected, "{path}");
        }
    }
}
