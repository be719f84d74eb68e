//! The names that scripts define while the game runs, by a light look at their texts: too many rather than too few.

use memchr::memmem;

use crate::defined_names::{DEFINERS, DefinedNames, Definer, KindOfName};

/// Collects the names that a script in GDScript or C# defines.
pub(crate) fn add_script(text: &[u8], is_csharp: bool, found: &mut DefinedNames) {
    for (kind, definers) in DEFINERS {
        for definer in *definers {
            let function = if is_csharp { definer.in_csharp } else { definer.function };
            for at in memmem::find_iter(text, function) {
                let after = &text[at + function.len()..];
                let begins_inside = text[..at].last().is_some_and(is_part_of_name);
                let ends_inside =
                    definer.argument.is_some() && after.first().is_some_and(is_part_of_name);
                if !begins_inside && !ends_inside {
                    add_call(text, after, definer, *kind, found);
                }
            }
        }
    }
}

fn add_call(
    text: &[u8],
    after: &[u8],
    definer: &Definer,
    kind: KindOfName,
    found: &mut DefinedNames,
) {
    let arguments = after.trim_ascii_start().strip_prefix(b"(");
    let argument = definer.argument.and_then(|index| argument(arguments?, index));
    let Some(argument) = argument else {
        // The function is passed on: `add_to_group.bind("a")`, `call_deferred("add_to_group", name)`.
        if may_be_name(text, definer) {
            found.open(kind);
        }
        return;
    };
    match literal(argument).or_else(|| constant(text, argument)) {
        Some(name) => {
            // Animations are named with their library, too.
            let last = name.strip_prefix(definer.start).and_then(|name| name.rsplit('/').next());
            let name = if kind == KindOfName::Setting { Some(name) } else { last };
            name.into_iter().for_each(|name| found.define(kind, name));
        }
        None if may_be_name(text, definer) => found.open(kind),
        None => {}
    }
}

/// Whether an argument that cannot be read may be a name.
fn may_be_name(text: &[u8], definer: &Definer) -> bool {
    memmem::find(text, definer.start.as_bytes()).is_some()
}

/// The argument with an index, of those that start a text.
fn argument(text: &[u8], index: usize) -> Option<&[u8]> {
    let (mut depth, mut start, mut count, mut at) = (0_usize, 0, 0, 0);
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' | b'\'' => at += 1 + length_of_text(&text[at + 1..], *byte),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth > 0 => depth -= 1,
            b')' | b',' if depth == 0 => {
                if count == index {
                    return Some(text[start..at].trim_ascii()).filter(|found| !found.is_empty());
                }
                if *byte == b')' {
                    return None;
                }
                count += 1;
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// How long a text is up to its closing quote.
fn length_of_text(rest: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' => at += 1,
            found if *found == quote => return at,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

/// The text of an argument that is a literal without escapes: `"a"`, `&"a"`.
fn literal(argument: &[u8]) -> Option<&str> {
    let quoted = argument.strip_prefix(b"&").unwrap_or(argument);
    let quote = quoted.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let inside = quoted[1..].strip_suffix(&[*quote])?;
    let is_plain = !inside.contains(quote) && !inside.contains(&b'\\');
    std::str::from_utf8(inside).ok().filter(|_| is_plain)
}

/// The text of a constant of the same script: `const GROUP := &"a"`.
fn constant<'t>(text: &'t [u8], name: &[u8]) -> Option<&'t str> {
    if name.is_empty() || !name.iter().all(is_part_of_name) {
        return None;
    }
    let mut declared = memmem::find_iter(text, b"const ").filter_map(|at| {
        let rest = text[at..].trim_ascii_start().strip_prefix(b"const ")?.trim_ascii_start();
        let line = rest.split(|byte| *byte == b'\n').next()?;
        // In C#, the type comes first.
        let (before, value) = line.split_at_checked(memchr::memchr(b'=', line)?)?;
        let mut words = before.split(|byte| !is_part_of_name(byte)).filter(|word| !word.is_empty());
        let is_it = words.any(|word| word == name);
        let value = value[1..].trim_ascii().strip_suffix(b";").unwrap_or(value[1..].trim_ascii());
        is_it.then(|| literal(value))
    });
    let first = declared.next()??;
    declared.next().is_none().then_some(first)
}

fn is_part_of_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}
