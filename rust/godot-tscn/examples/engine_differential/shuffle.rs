//! Sections at the wrong place. Their fixes have to bring back what Godot loaded before.

use fastrand::Rng;
use godot_tscn::{LintOptions, TagKind};

use crate::case::{Case, Origin};

/// How many files are shuffled for each rule.
const COUNT: usize = 120;

/// The rules that put sections into order.
const RULES: [&str; 2] = ["REF003", "STR004"];

/// For each rule as many texts as there are, up to a number: sound files of which one section was moved so that the
/// rule has a fix for it. Marks the sound files to be dumped.
pub(crate) fn shuffled(cases: &mut [Case], seed: u64) -> Vec<Case> {
    let mut random = Rng::with_seed(seed);
    let (mut found, mut counts) = (Vec::new(), [0; RULES.len()]);
    for (index, case) in cases.iter_mut().enumerate() {
        if !matches!(case.origin, Origin::Base(_)) {
            continue;
        }
        for (rule, count) in RULES.iter().zip(&mut counts) {
            if *count == COUNT {
                continue;
            }
            let Some(text) = shuffle(&case.text, rule, &mut random) else { continue };
            *count += 1;
            case.is_dumped = true;
            found.push(Case {
                label: format!("{rule} shuffled {}", case.label),
                extension: case.extension,
                text,
                items: Vec::new(),
                origin: Origin::Shuffled(index),
                is_dumped: false,
            });
        }
    }
    found
}

/// The text with one section elsewhere, and a comment above it.
fn shuffle(text: &[u8], rule: &str, random: &mut Rng) -> Option<Vec<u8>> {
    const TRIES: usize = 12;
    let document = godot_tscn::parse(text);
    let starts: Vec<usize> =
        document.sections().map(|section| section.tag_span().start as usize).collect();
    // Godot loads connections in their order, which nobody knows when a later one has moved to the front.
    let first_connection =
        document.sections().position(|section| section.kind() == TagKind::Connection);
    let movable: Vec<usize> = document
        .sections()
        .filter(|section| !matches!(section.kind(), TagKind::Node | TagKind::Resource))
        .map(|section| section.index() as usize)
        .filter(|index| *index > 0 && first_connection.is_none_or(|first| *index <= first))
        .collect();
    let piece =
        |index: usize| &text[starts[index]..starts.get(index + 1).copied().unwrap_or(text.len())];
    for _ in 0..TRIES {
        let from = *random.choice(&movable)?;
        let is_resource = document.sections().last()?.kind() == TagKind::Resource;
        // Behind `[resource]` nothing may stand; another rule says so.
        let end = starts.len() - usize::from(is_resource);
        let to = random.usize(1..end);
        let mut order: Vec<usize> = (0..starts.len()).filter(|index| *index != from).collect();
        order.insert(to, from);
        let mut shuffled = text[..starts[0]].to_vec();
        for index in order {
            if index == from {
                shuffled.extend_from_slice(b"; moved\n");
            }
            shuffled.extend_from_slice(piece(index));
            if !shuffled.ends_with(b"\n") {
                shuffled.push(b'\n');
            }
        }
        let mut found =
            godot_tscn::lint(&shuffled, &LintOptions::default()).diagnostics.into_iter();
        if found.any(|found| found.code == rule && found.fix.is_some()) {
            return Some(shuffled);
        }
    }
    None
}
