//! The fate of the exported variables that a change removed from a script.

use hashbrown::{HashMap, HashSet};

use super::declarations::{
    Declaration, declarations, lines_with_declarations, share_a_word, with_words, words,
};
use crate::script::Script;

/// If more variables come and go at once, the script was rewritten.
const MAX_VARIABLES: usize = 48;
/// At most this number of lines that use a name is compared, and none that is longer.
const MAX_LINES: usize = 64;
const MAX_LINE_LEN: usize = 500;
/// The replacement for names that are not compared.
const ANY: &str = "\u{1}";

/// An exported variable that went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gone {
    pub(super) name: String,
    /// Its new name, if it can be determined.
    pub(super) became: Option<Became>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Became {
    pub(super) name: String,
    /// Whether nothing else comes into question.
    pub(super) is_certain: bool,
}

/// The variables that the script at `path` exported before a change and not after it.
pub(super) fn gone_between(path: &str, before: &[u8], after: &[u8]) -> Vec<Gone> {
    let (Ok(before), Ok(after)) = (str::from_utf8(before), str::from_utf8(after)) else {
        return Vec::new();
    };
    if lines_with_declarations(path, before) == lines_with_declarations(path, after) {
        return Vec::new();
    }
    let old_script = Script::read(path, before.as_bytes());
    let new_script = Script::read(path, after.as_bytes());
    if !old_script.is_complete || !new_script.is_complete {
        return Vec::new();
    }
    let old = declarations(path, &old_script, before);
    let new = declarations(path, &new_script, after);
    // A variable that is only no longer exported has no other name.
    let stays = |script: &Script, name: &str| script.variable(name).is_some();
    let gone: Vec<usize> =
        (0..old.len()).filter(|at| !stays(&new_script, &old[*at].variable.name)).collect();
    let added: Vec<usize> =
        (0..new.len()).filter(|at| !stays(&old_script, &new[*at].variable.name)).collect();
    let became = match gone.len().max(added.len()) <= MAX_VARIABLES {
        true => Matches::new(&old, &new, &gone, &added, (before, after)).best(),
        false => HashMap::new(),
    };
    let told =
        |at: &usize| Gone { name: old[*at].variable.name.clone(), became: became.get(at).cloned() };
    gone.iter().map(told).collect()
}

/// How well a new variable fits to one that went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// The lines that used the old name use the new one, and how many there are.
    uses: usize,
    /// The names are equal except for case and underscores.
    has_same_name: bool,
    has_same_place: bool,
    /// The names have a word in common.
    shares_word: bool,
    /// All of the declaration but its name.
    has_same_rest: bool,
    has_same_type: bool,
    /// The old name was used, and no such line uses the new one.
    is_used_otherwise: bool,
}

impl Fit {
    fn is_possible(self) -> bool {
        !self.is_used_otherwise
            && (self.has_same_type
                && (self.has_same_rest || self.has_same_place || self.has_same_name)
                || self.uses > 0 && self.has_same_place)
    }

    /// Whether it is so, if nothing else is possible.
    fn is_certain(self) -> bool {
        // Where one switch gives way to another, the declaration may be the same.
        let is_declared_alike = self.has_same_rest && self.has_same_place && self.shares_word;
        self.has_same_type
            && (is_declared_alike
                || (self.uses > 0 && (self.has_same_rest || self.has_same_place))
                || self.has_same_name)
    }

    /// Whether it is a better one than another.
    fn strength(self) -> (bool, bool, u8) {
        let signs = u8::from(self.has_same_place) + u8::from(self.has_same_rest);
        (self.has_same_name, self.uses > 0, signs + u8::from(self.has_same_type))
    }
}

/// The removed variables, and the added ones.
struct Matches<'d> {
    old: &'d [Declaration<'d>],
    new: &'d [Declaration<'d>],
    /// By the place of the old one and of the new one.
    fits: Vec<(usize, usize, Fit)>,
}

impl<'d> Matches<'d> {
    fn new(
        old: &'d [Declaration<'d>],
        new: &'d [Declaration<'d>],
        gone: &[usize],
        added: &[usize],
        (before, after): (&str, &str),
    ) -> Self {
        let mut matches = Self { old, new, fits: Vec::new() };
        if gone.is_empty() || added.is_empty() {
            return matches;
        }
        let places = aligned(old, new, gone, added);
        let name = |declaration: &'d Declaration<'_>| declaration.variable.name.as_str();
        let old_names: HashSet<&str> = gone.iter().map(|at| name(&old[*at])).collect();
        let new_names: HashSet<&str> = added.iter().map(|at| name(&new[*at])).collect();
        let mut uses = Uses::new(before, after, &old_names, &new_names);
        for &gone in gone {
            for &added in added {
                let has_same_place = places.get(&gone) == Some(&added);
                let mut fit = matches.declared(gone, added, has_same_place);
                if has_same_place || fit.has_same_rest && fit.has_same_type || fit.has_same_name {
                    let (same, all) = uses.shared(name(&old[gone]), name(&new[added]));
                    fit.uses = if same * 2 >= all { same } else { 0 };
                    fit.is_used_otherwise = all > 0 && same == 0;
                }
                if fit.is_possible() {
                    matches.fits.push((gone, added, fit));
                }
            }
        }
        matches
    }

    fn declared(&self, gone: usize, added: usize, has_same_place: bool) -> Fit {
        let (old, new) = (&self.old[gone], &self.new[added]);
        let (old_name, new_name) = (&old.variable.name, &new.variable.name);
        let has_same_rest = match (&old.around, &new.around) {
            (Some((before, after)), Some(other)) => {
                // A setter may have the name in its own: `set = set_health`.
                *before == other.0
                    && (*after == other.1 || after.replace(&**old_name, new_name) == other.1)
            }
            _ => false,
        };
        Fit {
            uses: 0,
            has_same_name: folded(old_name) == folded(new_name),
            has_same_place,
            shares_word: share_a_word(old_name, new_name),
            has_same_rest,
            has_same_type: old.variable.type_name == new.variable.type_name
                && (old.variable.type_name.is_some() || is_alike(old, new)),
            is_used_otherwise: false,
        }
    }

    /// The new name of each variable that went, if there is a best one that no other has as well.
    fn best(&self) -> HashMap<usize, Became> {
        let best_of = |side: fn(&(usize, usize, Fit)) -> usize| {
            let mut best: HashMap<usize, (&(usize, usize, Fit), bool)> = HashMap::new();
            for found in &self.fits {
                let strength = found.2.strength();
                let known = best.entry(side(found)).or_insert((found, true));
                if std::ptr::eq(known.0, found) {
                    continue;
                }
                match strength.cmp(&known.0.2.strength()) {
                    std::cmp::Ordering::Greater => *known = (found, true),
                    std::cmp::Ordering::Equal => known.1 = false,
                    std::cmp::Ordering::Less => {}
                }
            }
            best
        };
        let (of_old, of_new) = (best_of(|found| found.0), best_of(|found| found.1));
        let mut became = HashMap::new();
        for (gone, (found, is_only)) in of_old {
            let is_mutual =
                of_new.get(&found.1).is_some_and(|(other, is_only)| *is_only && other.0 == gone);
            if is_only && is_mutual {
                let name = self.new[found.1].variable.name.clone();
                became.insert(gone, Became { name, is_certain: found.2.is_certain() });
            }
        }
        became
    }
}

/// The names of variables without a type say nothing of it; their first values do.
fn is_alike(old: &Declaration<'_>, new: &Declaration<'_>) -> bool {
    let value = |found: &Declaration<'_>| found.variable.value.clone();
    value(old).is_some() && value(old) == value(new)
}

fn folded(name: &str) -> String {
    name.chars().filter(|letter| *letter != '_').flat_map(char::to_lowercase).collect()
}

/// The variables that stand in each other's places: between the same neighbours, of as many, in their order.
fn aligned(
    old: &[Declaration<'_>],
    new: &[Declaration<'_>],
    gone: &[usize],
    added: &[usize],
) -> HashMap<usize, usize> {
    let (old_blocks, new_blocks) = (blocks(old, gone), blocks(new, added));
    let mut places = HashMap::new();
    for (neighbours, old_block) in &old_blocks {
        let Some(new_block) = new_blocks.get(neighbours) else { continue };
        if old_block.len() == new_block.len() {
            places.extend(old_block.iter().copied().zip(new_block.iter().copied()));
        }
    }
    places
}

/// The variables of a list that stand side by side, by the names of the two around them.
fn blocks<'d>(
    all: &'d [Declaration<'_>],
    listed: &[usize],
) -> HashMap<(Option<&'d str>, Option<&'d str>), Vec<usize>> {
    let listed: HashSet<usize> = listed.iter().copied().collect();
    let name = |at: usize| all.get(at).map(|found| found.variable.name.as_str());
    let (mut blocks, mut at) = (HashMap::new(), 0);
    while at < all.len() {
        let end = (at..all.len()).find(|at| !listed.contains(at)).unwrap_or(all.len());
        if end > at {
            let above = at.checked_sub(1).and_then(name);
            blocks.insert((above, name(end)), (at..end).collect());
        }
        at = end + 1;
    }
    blocks
}

/// The lines that use the names of variables.
struct Uses<'t> {
    old_names: &'t HashSet<&'t str>,
    new_names: &'t HashSet<&'t str>,
    /// By the name.
    old_lines: HashMap<&'t str, Vec<&'t str>>,
    new_lines: HashMap<&'t str, Vec<&'t str>>,
    /// Those of a new name, with [`ANY`] for the other new ones.
    known: HashMap<String, HashSet<String>>,
}

impl<'t> Uses<'t> {
    fn new(
        before: &'t str,
        after: &'t str,
        old_names: &'t HashSet<&'t str>,
        new_names: &'t HashSet<&'t str>,
    ) -> Self {
        let (old_lines, new_lines) = (lines_of(before, old_names), lines_of(after, new_names));
        Self { old_names, new_names, old_lines, new_lines, known: HashMap::new() }
    }

    /// How many of the lines that used the old name stand there with the new one, and how many there were, without the
    /// declaration.
    fn shared(&mut self, old: &'t str, new: &'t str) -> (usize, usize) {
        let new_names = self.new_names;
        let other_new = |word: &'t str| (word != new && new_names.contains(word)).then_some(ANY);
        let new_lines = self.new_lines.get(new);
        let after = self.known.entry_ref(new).or_insert_with(|| {
            new_lines.into_iter().flatten().map(|line| with_words(line, other_new)).collect()
        });
        let changed = |word: &'t str| match word {
            word if word == old => Some(new),
            word => self.old_names.contains(word).then_some(ANY),
        };
        let uses = self.old_lines.get(old).into_iter().flatten();
        let uses: Vec<String> = uses.map(|line| with_words(line, changed)).collect();
        let same = uses.iter().filter(|line| after.contains(*line)).count();
        (same, uses.len())
    }
}

/// The lines that use each name, except those that declare a variable with it.
fn lines_of<'t>(text: &'t str, names: &HashSet<&'t str>) -> HashMap<&'t str, Vec<&'t str>> {
    let mut lines: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in text.lines().filter(|line| line.len() <= MAX_LINE_LEN) {
        let code = line.trim_start();
        let is_declaration = code.starts_with(['#', '@', '[', '/'])
            || words(code).any(|(_, word)| matches!(word, "var" | "export" | "public" | "private"));
        if is_declaration {
            continue;
        }
        let mut found: Vec<&str> = words(line).map(|(_, word)| word).collect();
        found.sort_unstable();
        found.dedup();
        for word in found {
            if let Some(name) = names.get(word) {
                let lines = lines.entry(*name).or_default();
                if lines.len() < MAX_LINES {
                    lines.push(line);
                }
            }
        }
    }
    lines
}
