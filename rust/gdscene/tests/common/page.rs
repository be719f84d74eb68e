//! Pages of the documentation with examples that tests run.

use std::fmt::Write;

/// A part of the page.
#[derive(Debug, PartialEq, Eq)]
pub enum Part {
    /// Text, with line ends.
    Text(String),
    /// The language of a block, and its content.
    Block(String, String),
}

/// The parts of a page.
pub fn parts(text: &str) -> Vec<Part> {
    let mut parts = vec![Part::Text(String::new())];
    let mut language = None;
    for line in text.split_inclusive('\n') {
        match (line.strip_prefix("```"), language.is_some(), parts.last_mut()) {
            (Some(name), false, _) => {
                language = Some(());
                parts.push(Part::Block(name.trim_end().to_owned(), String::new()));
            }
            (Some(_), true, _) => {
                language = None;
                parts.push(Part::Text(String::new()));
            }
            (None, _, Some(Part::Text(text) | Part::Block(_, text))) => text.push_str(line),
            (None, _, None) => unreachable!("there is a first part"),
        }
    }
    parts
}

/// The page of these parts.
pub fn written(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Text(part) => text.push_str(part),
            Part::Block(language, content) => _ = write!(text, "```{language}\n{content}```\n"),
        }
    }
    text
}

/// The files of the project, each with its content.
pub fn files(parts: &[Part]) -> Vec<(String, String)> {
    let pairs = parts.iter().zip(&parts[1..]);
    let files = pairs.filter_map(|pair| match pair {
        (Part::Text(text), Part::Block(_, content)) => {
            let name = text.trim_end().lines().last()?.strip_prefix('`')?.strip_suffix("`:")?;
            Some((name.to_owned(), content.clone()))
        }
        _ => None,
    });
    files.collect()
}
