//! Where in a text the values are that issues are about.

use std::collections::HashMap;

use super::read::{lines_and_columns, without_mark};
use super::reader::{Read, Reader};
use crate::run::step_name;
use crate::{Issue, ReadLimits};

/// Sets the place of each issue: where in `text` the value begins that its path names.
///
/// If a name occurs twice, it is the last of its values. A path that names nothing in the text gets no place.
pub fn locate(text: &str, limits: ReadLimits, issues: &mut [Issue]) {
    let text = without_mark(text);
    let mut wanted = Wanted::default();
    for (index, issue) in issues.iter().enumerate() {
        let steps = issue.path.split('/').skip(1);
        steps
            .fold(&mut wanted, |node, step| node.inside.entry(step).or_default())
            .issues
            .push(index);
    }
    let mut found = vec![None; issues.len()];
    let mut reader = Reader::new(text, limits.max_depth);
    // In a text that is not JSON, what comes before the fault has a place.
    let _ = reader.begin().and_then(|()| find(&mut reader, Some(&wanted), &mut found));
    let places = found.iter().flatten().copied().collect();
    let places = lines_and_columns(text.as_bytes(), places);
    drop(wanted);
    for (issue, at) in issues.iter_mut().zip(found) {
        issue.place = at.and_then(|at| places.get(&at).copied());
    }
}

/// What issues are about, by the steps of their paths.
#[derive(Default)]
struct Wanted<'p> {
    issues: Vec<usize>,
    inside: HashMap<&'p str, Wanted<'p>>,
}

/// Goes through the value that begins here.
fn find(
    reader: &mut Reader<'_>,
    wanted: Option<&Wanted<'_>>,
    found: &mut [Option<usize>],
) -> Read<()> {
    for &issue in wanted.map_or(&[][..], |wanted| &wanted.issues) {
        found[issue] = Some(reader.at());
    }
    let inside = wanted.map(|wanted| &wanted.inside).filter(|inside| !inside.is_empty());
    match reader.peek() {
        Some(b'"') => reader.string().map(drop),
        Some(b'{') => {
            let mut has_more = reader.begin_object()?;
            while has_more {
                let name = reader.name()?.text;
                let member = inside.and_then(|inside| inside.get(&*step_name(&name)));
                reader.colon()?;
                find(reader, member, found)?;
                has_more = reader.next_member()?;
            }
            Ok(())
        }
        Some(b'[') => {
            let mut has_more = reader.begin_array()?;
            let mut index = 0_usize;
            while has_more {
                let step = itoa::Buffer::new().format(index).to_owned();
                find(reader, inside.and_then(|inside| inside.get(&*step)), found)?;
                index += 1;
                has_more = reader.next_element()?;
            }
            Ok(())
        }
        Some(b'-' | b'0'..=b'9') => reader.number().map(drop),
        Some(b't') => reader.word("true"),
        Some(b'f') => reader.word("false"),
        Some(b'n') => reader.word("null"),
        _ => reader.no_value(),
    }
}
