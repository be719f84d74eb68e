//! The places where GDScript files declare their members, and their documentation comments.

use godot_project::{FileId, Project};
use godot_tscn::Span;
use memchr::memmem;

/// The beginnings of a line with the script's own documentation above or below it.
const HEADS: [&str; 5] = ["class_name", "extends", "@tool", "@icon", "@abstract"];

/// A kind of member of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberKind {
    Property,
    Method,
    Signal,
}

impl MemberKind {
    pub(crate) const ALL: [Self; 3] = [Self::Property, Self::Method, Self::Signal];
}

/// The script, or one that it extends, that declares a member.
pub(crate) fn declaring(
    project: &Project,
    first: Option<FileId>,
    kind: MemberKind,
    name: &str,
) -> Option<FileId> {
    project.scripts().files_of_chain(project, first?).into_iter().find(|file| {
        project.scripts().script(*file).is_some_and(|script| match kind {
            MemberKind::Property => script.variable(name).is_some(),
            MemberKind::Method => script.function(name).is_some(),
            MemberKind::Signal => script.signal(name).is_some(),
        })
    })
}

/// Where a script declares a member: its name.
pub(crate) fn place(script: &[u8], kind: MemberKind, name: &[u8]) -> Option<Span> {
    let word: &[u8] = match kind {
        MemberKind::Property => b"var ",
        MemberKind::Method => b"func ",
        MemberKind::Signal => b"signal ",
    };
    memmem::find_iter(script, name).find_map(|start| {
        let end = start + name.len();
        let line = script[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let is_whole = !script.get(end).is_some_and(is_part);
        (is_whole && script[line..start].ends_with(word))
            .then(|| Span::new(start as u32, end as u32))
    })
}

/// The word of a script at a place.
pub(crate) fn word(script: &[u8], offset: u32) -> Option<Span> {
    let offset = (offset as usize).min(script.len());
    let before = script[..offset].iter().rev().take_while(|byte| is_part(byte)).count();
    let behind = script[offset..].iter().take_while(|byte| is_part(byte)).count();
    let span = Span::new((offset - before) as u32, (offset + behind) as u32);
    (!span.is_empty()).then_some(span)
}

/// Whether a byte is part of a name.
fn is_part(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80
}

/// The documentation comment (`## …`) of a member: above its declaration and its annotations, or behind it.
pub(crate) fn member_documentation(script: &[u8], kind: MemberKind, name: &str) -> Option<String> {
    let place = place(script, kind, name.as_bytes())?;
    let script = std::str::from_utf8(script).ok()?;
    let before: Vec<&str> = script[..place.start as usize].lines().collect();
    let (_, above) = before.split_last()?;
    let above = above
        .iter()
        .rev()
        .skip_while(|line| line.trim_start().starts_with('@') && !line.contains("var "))
        .map_while(|line| comment(line));
    let mut lines: Vec<&str> = above.collect();
    lines.reverse();
    let behind = script[place.end as usize..].lines().next().unwrap_or_default();
    if lines.is_empty() {
        lines.extend(behind.split_once(" ## ").map(|(_, text)| text));
    }
    text_of(&lines)
}

/// The documentation comment of the script itself: the first one next to its head, or alone above its members.
pub(crate) fn script_documentation(script: &[u8]) -> Option<String> {
    let script = std::str::from_utf8(script).ok()?;
    let is_head = |line: &&str| {
        let line = line.trim();
        line.is_empty()
            || line.starts_with('#') && comment(line).is_none()
            || HEADS.iter().any(|head| line.starts_with(head))
    };
    let mut lines = script.lines().skip_while(is_head).peekable();
    let block: Vec<&str> = std::iter::from_fn(|| lines.next_if(|line| comment(line).is_some()))
        .filter_map(comment)
        .collect();
    // Directly above a member, it is about that.
    let next = lines.next().unwrap_or_default();
    let is_own = next.trim().is_empty() || HEADS.iter().any(|head| next.starts_with(head));
    text_of(&block).filter(|_| is_own)
}

fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("##")?;
    (!text.starts_with('#')).then(|| text.trim())
}

/// Without the tags for tutorials and the like.
fn text_of(lines: &[&str]) -> Option<String> {
    let lines: Vec<&str> = lines.iter().copied().filter(|line| !line.starts_with('@')).collect();
    let text = lines.join("\n").trim().to_owned();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "class_name Tower\nextends Node2D\n## A tower\n## that shoots.\n##\n## @tutorial: none\n\n\
        ## How far it shoots.\n@export_range(0, 10)\nvar reach := 2.0\n@export var speed := 1.0 ## Per second.\n\
        ## Came down.\nsignal fell\n# plain\nvar plain = 1\n\n## Shoots.\nfunc shoot() -> void:\n\tpass\n";

    #[test]
    fn comments_of_members_and_of_the_script() {
        let member = |kind, name| member_documentation(SCRIPT.as_bytes(), kind, name);
        let property = |name| member(MemberKind::Property, name);
        assert_eq!(property("reach").as_deref(), Some("How far it shoots."));
        assert_eq!(property("speed").as_deref(), Some("Per second."));
        assert_eq!(property("plain"), None);
        assert_eq!(property("nothing"), None);
        assert_eq!(member(MemberKind::Signal, "fell").as_deref(), Some("Came down."));
        assert_eq!(member(MemberKind::Method, "shoot").as_deref(), Some("Shoots."));
        let of = |text: &str| script_documentation(text.as_bytes());
        assert_eq!(of(SCRIPT).as_deref(), Some("A tower\nthat shoots."));
        assert_eq!(of("## Above.\nextends Node\n").as_deref(), Some("Above."));
        assert_eq!(of("extends Node\n\n## Of the member.\nvar a = 1\n"), None);
        assert_eq!(of(""), None);
    }
}
