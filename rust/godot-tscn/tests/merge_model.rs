//! What holds for all merges: edits by chance of scenes made up as parts, of all kinds that a user makes.
//!
//! `MERGES=N cargo test -p godot-tscn --test tests merge_model` tries N merges.

mod edits;
mod read;
mod scene;

use std::collections::{BTreeMap, HashSet};

use self::edits::{Edit, Plan, with};
use self::read::{children, facts};
use self::scene::{Key, Kind, Scene, Style, made, node, plain};
use fastrand::Rng;
use godot_tscn::{MergeSide, TagKind};

fn cases() -> u64 {
    std::env::var("MERGES").map_or(600, |count| count.parse().unwrap())
}

struct Case {
    texts: [String; 3],
    both: String,
    about: String,
}

fn case(number: u64) -> Case {
    let mut rng = Rng::with_seed(number);
    let base = made(&mut rng);
    let has_unique_ids = number.is_multiple_of(2);
    // Where all ids are others, a resource is known by what it has.
    let is_renumbered = number.is_multiple_of(3);
    let mut plan = Plan::new(&base, has_unique_ids);
    let count = rng.usize(1..16);
    let ours = plan.side(&mut rng, count, !is_renumbered);
    let theirs = plan.side(&mut rng, count, true);
    let scenes = [base.clone(), with(&base, &ours), with(&base, &theirs)];
    let both = with(&scenes[1], &theirs);
    let text = |scene: &Scene, is_renumbered, rng: &mut Rng| {
        scene.text(&Style { has_unique_ids, is_renumbered }, rng)
    };
    let texts = [(&scenes[0], false), (&scenes[1], is_renumbered), (&scenes[2], false)];
    let texts = texts.map(|(scene, is_renumbered)| text(scene, is_renumbered, &mut rng));
    // What both sides added has no id in common there.
    let both = text(&both, true, &mut rng);
    Case { texts, both, about: format!("{number}: ours {ours:?}, theirs {theirs:?}") }
}

#[test]
fn independent_edits() {
    let mut wrong = Vec::new();
    for number in 0..cases() {
        let Case { texts: [base, ours, theirs], both, about } = case(number);
        let expected = facts(&both);
        for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
            let merged =
                godot_tscn::merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes()).unwrap();
            let text = String::from_utf8(merged.text).unwrap();
            let found = facts(&text);
            let is_good = merged.conflicts.is_empty() && found == expected;
            if !is_good {
                let missing: Vec<_> = expected
                    .iter()
                    .filter(|(name, value)| found.get(*name) != Some(value))
                    .collect();
                let more: Vec<_> = found
                    .iter()
                    .filter(|(name, value)| expected.get(*name) != Some(value))
                    .collect();
                wrong.push(format!(
                    "{about}\nconflicts {:#?}\nmisses {missing:#?}\nhas {more:#?}",
                    merged.conflicts
                ));
                break;
            }
            check_order([&base, ours, theirs], &text, &about);
            check_ids(&text, &about);
        }
    }
    let least = wrong.iter().min_by_key(|text| text.len());
    assert!(wrong.is_empty(), "{} are wrong. {}", wrong.len(), least.unwrap());
}

/// Children that all texts have stand as in ours where theirs left them as they were, and the other way round.
fn check_order([base, ours, theirs]: [&str; 3], merged: &str, about: &str) {
    let [base, ours, theirs, merged] = [base, ours, theirs, merged].map(children);
    for (parent, found) in &merged {
        let nothing = Vec::new();
        let [base, ours, theirs] =
            [&base, &ours, &theirs].map(|each| each.get(parent).unwrap_or(&nothing));
        let common: HashSet<_> = [base, ours, theirs, found]
            .map(|names| names.iter().collect::<HashSet<_>>())
            .into_iter()
            .reduce(|one, other| &one & &other)
            .unwrap();
        let [base, ours, theirs, found] = [base, ours, theirs, found]
            .map(|names| names.iter().filter(|name| common.contains(name)).collect::<Vec<_>>());
        let wanted = if base == ours { theirs } else { ours };
        assert_eq!(found, wanted, "order below {parent}: {about}");
    }
}

/// No two nodes have one `unique_id`.
fn check_ids(merged: &str, about: &str) {
    let document = godot_tscn::parse(merged.as_bytes());
    let mut known = BTreeMap::new();
    for node in document.sections().filter(|section| section.kind() == TagKind::Node) {
        if let Some(field) = node.fields().find(|field| field.name() == b"unique_id") {
            let range = field.value_span().range();
            let other = known.insert(&merged[range], node.span());
            assert_eq!(other, None, "{about}\n{merged}");
        }
    }
}

#[test]
fn one_side_alone() {
    for number in 0..cases() {
        let Case { texts: [base, ours, theirs], about, .. } = case(number);
        for side in [&ours, &theirs] {
            for texts in [[&base, side, side], [&base, &base, side], [&base, side, &base]] {
                let merged = godot_tscn::merge(
                    texts[0].as_bytes(),
                    texts[1].as_bytes(),
                    texts[2].as_bytes(),
                )
                .unwrap();
                assert_eq!(
                    (merged.conflicts.len(), merged.text == side.as_bytes()),
                    (0, true),
                    "{about}"
                );
            }
            // Other white space is no change; it takes the long way.
            let spaced = base.replacen("\n\n[node", "\n\n\n[node", 1);
            let merged =
                godot_tscn::merge(base.as_bytes(), side.as_bytes(), spaced.as_bytes()).unwrap();
            assert_eq!(
                (merged.conflicts.len(), String::from_utf8(merged.text).unwrap()),
                (0, side.clone()),
                "{about}"
            );
            let merged =
                godot_tscn::merge(base.as_bytes(), spaced.as_bytes(), side.as_bytes()).unwrap();
            assert_eq!(merged.conflicts, [], "{about}");
            assert_eq!(facts(str::from_utf8(&merged.text).unwrap()), facts(side), "{about}");
        }
    }
}

/// What two sides do that does not go together.
fn opposed(scene: &Scene, rng: &mut Rng) -> [Edit; 2] {
    let own: Vec<Key> = (scene.nodes.iter())
        .filter(|(key, node)| **key > 4 && matches!(node.kind, Kind::Of(_)))
        .map(|(key, _)| *key)
        .collect();
    let key = own[rng.usize(..own.len())];
    let mut others: Vec<Key> =
        own.iter().copied().filter(|other| !scene.below(key).contains(other)).collect();
    others.retain(|other| scene.nodes[&key].parent != Some(*other));
    let set = |value| Edit::Set(key, "z_index".into(), plain(value));
    let has_resource = scene.resources.contains_key(&key);
    match rng.u8(..9) {
        0 => [set(1000), set(2000)],
        1 => [set(1000), Edit::Unset(key, "z_index".into())],
        2 => [1000, 2000].map(|name| Edit::Rename(key, format!("Renamed{name}"))),
        3 if others.len() > 1 => [Edit::Move(key, others[0]), Edit::Move(key, others[1])],
        4 => [Edit::Remove(key), set(2000)],
        5 => [set(1000), Edit::Remove(key)],
        6 => {
            let added = node("Added", Some(key), Kind::Of("Node2D"));
            [Edit::Remove(key), Edit::Add(added, 3000)]
        }
        7 if has_resource => [1000, 2000].map(|value| Edit::Inside(key, "size".into(), value)),
        _ => [11, 12].map(|tile| Edit::Cell((0, 0), Some(tile))),
    }
}

#[test]
fn edits_of_the_same() {
    for number in 0..cases() {
        let mut rng = Rng::with_seed(number);
        let mut base = made(&mut rng);
        if base.nodes.len() < 6 {
            continue;
        }
        // What is removed leaves nothing behind.
        base.connections.clear();
        base.resources.get_mut(&500).unwrap().tracks.clear();
        for node in base.nodes.values_mut() {
            node.properties.remove("metadata/path");
        }
        let edits = opposed(&base, &mut rng);
        let style = Style { has_unique_ids: true, is_renumbered: false };
        let scenes = [base.clone(), with(&base, &edits[..1]), with(&base, &edits[1..])];
        let texts = scenes.map(|scene| scene.text(&style, &mut rng));
        let [base, ours, theirs] = texts.each_ref().map(String::as_bytes);
        let merged = godot_tscn::merge(base, ours, theirs).unwrap();
        assert!(!merged.conflicts.is_empty(), "{number}: {edits:?}");
        assert_eq!(
            godot_tscn::unresolved(&merged.text).len(),
            merged.conflicts.len(),
            "{number}: {edits:?}"
        );
        for (side, expected) in [(MergeSide::Ours, &texts[1]), (MergeSide::Theirs, &texts[2])] {
            let resolved = godot_tscn::resolve(&merged.text, side);
            assert_eq!(resolved.left, [], "{number}: {edits:?}");
            let text = String::from_utf8(resolved.text).unwrap();
            assert_eq!(facts(&text), facts(expected), "{number} {side:?}: {edits:?}");
        }
    }
}
