//! Whether an untrusted file may be loaded.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::allow_list::AllowList;
use crate::budget::{Budget, Excess, Tally, Thing};
use crate::diagnostic::RuleGroup;
use crate::diagnostic::{Diagnostic, Severity};
use crate::document::{Document, ReferenceKind, Section, TagKind};
use crate::harmless::{self, Letters, Uses, Weight};
use crate::lint::lint_for_safety;
use crate::model::untrusted;
use crate::options::{LintOptions, Profile, is_about_reading};
use crate::span::Span;
use crate::syntax;

/// The options of [`safety`].
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SafetyOptions<'a> {
    /// The file's path or name. Nothing is read.
    pub path: Option<&'a str>,
    /// The names that the file may use, if not everything else is allowed.
    pub allow_list: Option<&'a AllowList>,
    /// The budget of the file, if not the usual one.
    pub budget: Option<&'a Budget>,
}

/// Whether a file may be loaded, and why not.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Safety {
    /// Whether loading and instantiating the file runs no code and loads no file, according to its
    /// own text; [`Safety::references`] must be safe too.
    pub is_safe: bool,
    /// Why it is not safe: the diagnostics of the rules `SEC…`, including everything that is not known to be harmless
    /// (`SEC012`), and problems that prevent reading the file as Godot reads it.
    pub reasons: Vec<Diagnostic>,
    /// The files that are loaded with it, in the order of the text. Each has to be judged in turn.
    pub references: Vec<ExternalReference>,
    /// The weight of the file. [`total_weight`] adds up those of several.
    pub weight: Weight,
}

/// A file that another one names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExternalReference {
    /// The path as it is in the text. Bytes that are not UTF-8 are replaced.
    pub path: String,
    /// The uid. Where Godot knows it, it counts, and not the path.
    pub uid: Option<String>,
    /// The class that the file is said to hold.
    pub class: Option<String>,
    /// Where it is named.
    pub span: Span,
}

/// Judges whether an untrusted text may be loaded: a level, a mod, a saved game.
///
/// Loading a scene or resource runs whatever scripts it holds or names, at once. A file is safe if, and only if,
/// everything in it is on the list of harmless contents (`data/harmless.txt`). The other rules `SEC…` describe contents
/// that ran code in Godot 4.6.3; each has a file in `fixtures/security`.
///
/// ```
/// use godot_tscn::{SafetyOptions, safety};
///
/// let text = b"[gd_resource type=\"Resource\" format=3]\n\n[resource]\nmetadata/x = Resource(\"user://a.gd\")\n";
/// let safety = safety(text, &SafetyOptions::default());
/// assert!(!safety.is_safe);
/// assert!(safety.reasons.iter().any(|reason| reason.code == "SEC003"));
/// assert_eq!(safety.references[0].path, "user://a.gd");
/// ```
///
/// # What it does not see
/// Shaders run on the graphics card and may keep it busy; images, fonts and sounds are read by libraries that may
/// have their own faults. A file that is changed between the judgement and the loading was not judged: copy it
/// first.
pub fn safety(text: &[u8], options: &SafetyOptions<'_>) -> Safety {
    let document = syntax::parse(text);
    let mut lint_options = LintOptions::default();
    (lint_options.path, lint_options.allow_list) = (options.path, options.allow_list);
    lint_options.profile = Profile::Untrusted;
    lint_options.budget = options.budget;
    let (report, weight) = lint_for_safety(&document, &lint_options);
    let mut reasons = report.diagnostics;
    reasons.retain(is_reason);
    Safety {
        is_safe: reasons.is_empty() && !document.is_incomplete(),
        reasons,
        references: external_references(&document),
        weight,
    }
}

/// The weight of a file together with all files that it instances and draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TotalWeight {
    /// How much there is of everything. A scene of unknown weight counts as one node.
    pub tally: Tally,
    /// How much nodes enlarge each other, as [`Weight::scale`].
    pub scale: u64,
    letters: u64,
}

/// Why files that are safe one by one may not be loaded together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TooHeavy {
    /// A file uses itself, by way of others: a scene instances itself.
    Circle(String),
    /// All files together bring too much of these.
    Total(Vec<Excess>),
}

impl fmt::Display for TooHeavy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Circle(path) => write!(f, "`{path}` uses itself"),
            Self::Total(exceeded) => {
                write!(f, "all files together bring too much")?;
                let mut separator = ": ";
                for excess in exceeded {
                    write!(f, "{separator}{excess}")?;
                    separator = "; ";
                }
                Ok(())
            }
        }
    }
}

/// Whether the file at `path` is a scene or resource as text, by its extension.
pub fn is_text_path(path: &str) -> bool {
    untrusted::is_text_path(path.as_bytes())
}

/// Whether Godot's importers make data of the file at `path`, that no code is in: a picture, a sound or a font.
pub fn is_data_path(path: &str) -> bool {
    untrusted::is_data_path(path.as_bytes())
}

/// Adds up the weight of the file `first` and of all files that it names. `weights` has the weight of each file by
/// its path, with the paths of its dependencies as in [`Weight::uses`], after `locate` has found their files.
///
/// # Errors
/// If files use each other in a circle, or together bring more than the budget allows.
pub fn total_weight(
    first: &str,
    weights: &BTreeMap<String, Weight>,
    budget: &Budget,
    locate: impl Fn(&str, &str) -> String,
) -> Result<TotalWeight, TooHeavy> {
    // In the order in which all that a file uses is done: with a stack of its own, as files may lead far.
    let mut totals: BTreeMap<&str, TotalWeight> = BTreeMap::new();
    let mut open: BTreeSet<&str> = BTreeSet::new();
    let mut stack = vec![first];
    while let Some(&path) = stack.last() {
        let Some((path, weight)) =
            weights.get_key_value(path).filter(|_| !totals.contains_key(path))
        else {
            stack.pop();
            continue;
        };
        let path = path.as_str();
        let located = weight.uses.iter().map(|(used, uses)| (locate(path, used), *uses));
        let known =
            |(used, uses): (String, Uses)| Some((weights.get_key_value(&used)?.0.as_str(), uses));
        let used: Vec<(&str, Uses)> = located.filter_map(known).collect();
        let missing = used.iter().map(|(used, _)| *used).filter(|used| !totals.contains_key(used));
        let missing: Vec<&str> = missing.collect();
        if missing.is_empty() {
            totals.insert(path, TotalWeight::of(weight, &used, &totals));
            open.remove(path);
            stack.pop();
            continue;
        }
        if !open.insert(path) || missing.iter().any(|used| open.contains(used)) {
            return Err(TooHeavy::Circle(path.to_owned()));
        }
        stack.extend(missing);
    }
    let mut total = totals.get(first).copied().unwrap_or_default();
    let mut fonts = Letters::default();
    for (path, weight) in weights {
        // A resource that is only named, such as a material, exists once.
        if !totals.contains_key(path.as_str()) {
            total.tally.add_all(&weight.each, 1);
            total.letters = total.letters.saturating_add(weight.letters);
        }
        total.tally.add_all(&weight.once, 1);
        fonts.join(&weight.fonts);
    }
    harmless::finish(&mut total.tally, total.letters, &fonts, total.scale);
    let exceeded = budget.exceeded(&total.tally);
    if exceeded.is_empty() { Ok(total) } else { Err(TooHeavy::Total(exceeded)) }
}

impl TotalWeight {
    /// A file and its dependencies, each time that the file itself is used.
    fn of(weight: &Weight, used: &[(&str, Uses)], totals: &BTreeMap<&str, Self>) -> Self {
        let mut total = Self { tally: weight.each, scale: weight.scale, letters: weight.letters };
        let mut deepest = weight.each.get(Thing::Depth);
        for (path, Uses { count, depth, scale }) in used {
            let inner = totals[path];
            total.tally.add_all(&inner.tally, *count);
            total.letters = total.letters.saturating_add(count.saturating_mul(inner.letters));
            deepest = deepest.max(depth.saturating_add(inner.tally.get(Thing::Depth)));
            total.scale = total.scale.max(scale.saturating_add(inner.scale));
        }
        total.tally.set(Thing::Depth, deepest);
        total
    }
}

impl<'a> SafetyOptions<'a> {
    /// Options for the file at `path`.
    pub fn for_path(path: &'a str) -> Self {
        Self { path: Some(path), ..Self::default() }
    }
}

/// Whether a diagnostic is a reason against loading: it reports a danger, or that Godot may read the
/// text in another way than we do.
fn is_reason(found: &Diagnostic) -> bool {
    let is_about_security = found.group == RuleGroup::Security;
    found.severity != Severity::Info
        && (is_about_security || is_about_reading(found.group, found.severity))
}

/// Every file that is named in the text where Godot loads it, in the order of the text.
pub fn external_references(document: &Document<'_>) -> Vec<ExternalReference> {
    let text = |section: Section<'_>, name: &str| {
        section.field_text(name).map(|text| String::from_utf8_lossy(&text).into_owned())
    };
    let mut references: Vec<_> = document
        .sections()
        .filter_map(|section| {
            let (field, class) = match section.kind_of_name() {
                TagKind::ExtResource => ("path", text(section, "type")),
                TagKind::Node => ("instance_placeholder", Some("PackedScene".to_owned())),
                _ => return None,
            };
            let span = section.field(field)?.value_span();
            let uid = text(section, "uid");
            Some(ExternalReference { path: text(section, field)?, uid, class, span })
        })
        .collect();
    let inline = document.references().iter();
    references.extend(inline.filter(|found| found.kind == ReferenceKind::Resource).map(|found| {
        let path = String::from_utf8_lossy(&document.target(found)).into_owned();
        ExternalReference { path, uid: None, class: None, span: found.target }
    }));
    references.sort_by_key(|reference| reference.span);
    references
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file, its nodes, and the scenes that it instances: how often, and how deep.
    type Sketch<'t> = (&'t str, u64, &'t [(&'t str, u64, u64)]);

    fn weights(files: &[Sketch<'_>]) -> BTreeMap<String, Weight> {
        let weight = |nodes: u64, instances: &[(&str, u64, u64)]| {
            let instances = instances.iter().map(|(path, count, depth)| {
                ((*path).to_owned(), Uses { count: *count, depth: *depth, scale: 0 })
            });
            let mut weight = Weight { uses: instances.collect(), ..Weight::default() };
            weight.each.set(Thing::Nodes, nodes);
            weight
        };
        files
            .iter()
            .map(|(path, nodes, instances)| ((*path).to_owned(), weight(*nodes, instances)))
            .collect()
    }

    #[test]
    fn files_are_weighed_together() {
        let budget = Budget::default();
        let total =
            |files: &[_]| total_weight("a", &weights(files), &budget, |_, path| path.to_owned());
        let two = total(&[("a", 3, &[("b", 2, 1), ("own", 5, 2)]), ("b", 10, &[])]).unwrap();
        assert_eq!((two.tally.get(Thing::Nodes), two.tally.get(Thing::Depth)), (23, 1));
        assert_eq!(total(&[("a", 1, &[("a", 1, 1)])]), Err(TooHeavy::Circle("a".to_owned())));
        let circle =
            [("a", 1, &[("b", 1, 1)][..]), ("b", 1, &[("c", 1, 1)]), ("c", 1, &[("b", 1, 1)])];
        assert!(matches!(total(&circle), Err(TooHeavy::Circle(_))));
        let diamond =
            [("a", 1, &[("b", 1, 1), ("c", 1, 1)][..]), ("b", 1, &[("c", 1, 1)]), ("c", 1, &[])];
        assert_eq!(total(&diamond).unwrap().tally.get(Thing::Nodes), 4);
    }

    #[test]
    fn what_is_drawn_counts_each_time() {
        let weight = |each, once, uses: &[(&str, u64)]| {
            let uses = uses.iter().map(|(path, count)| {
                ((*path).to_owned(), Uses { count: *count, ..Uses::default() })
            });
            let mut weight = Weight { uses: uses.collect(), ..Weight::default() };
            weight.each.set(Thing::Points, each);
            weight.once.set(Thing::Points, once);
            weight
        };
        let weights = BTreeMap::from([
            ("level".to_owned(), weight(1, 10, &[("tree", 5), ("mesh", 2)])),
            ("tree".to_owned(), weight(2, 20, &[("mesh", 3)])),
            ("mesh".to_owned(), weight(100, 0, &[])),
            ("material".to_owned(), weight(1000, 0, &[])),
        ]);
        let budget = Budget::default();
        let total = total_weight("level", &weights, &budget, |_, path| path.to_owned()).unwrap();
        let expected = 1 + 5 * (2 + 3 * 100) + 2 * 100 + 10 + 20 + 1000;
        assert_eq!(total.tally.get(Thing::Points), expected);
    }

    /// The weight of a file alone.
    fn weight_of(text: &str) -> Weight {
        safety(text.as_bytes(), &SafetyOptions::default()).weight
    }

    #[track_caller]
    fn pixels(files: &[&str]) -> u64 {
        let name = |(index, text): (usize, &&str)| (index.to_string(), weight_of(text));
        let weights: BTreeMap<_, _> = files.iter().enumerate().map(name).collect();
        let budget = Budget::default();
        let total = total_weight("0", &weights, &budget, |_, path| path.to_owned());
        total.unwrap().tally.get(Thing::Pixels)
    }

    /// A theme in one file is that of the texts, and has the fonts, of another.
    #[test]
    fn sizes_of_one_file_and_fonts_of_another() {
        let label =
            "[gd_scene format=3]\n\n[node name=\"A\" type=\"Label\"]\ntext = \"abcdefgh\"\n";
        let theme =
            "[gd_resource type=\"Theme\" format=3]\n\n[resource]\ndefault_font_size = 128\n";
        let font = |name: &str| {
            format!("[ext_resource type=\"Texture2D\" path=\"res://{name}\" id=\"1\"]\n")
        };
        let with = |fonts: &str| {
            format!("[gd_scene format=3]\n\n{fonts}\n[node name=\"A\" type=\"Node\"]\n")
        };
        let alone = pixels(&[label]);
        let large = pixels(&[label, theme]);
        let page = 512 * 512;
        assert_eq!(large - alone, 8 * (128 * 128 - 32 * 32) + page);
        // Each distinct font has pages of its own, whatever the tag says; pictures have none.
        for (files, count) in [("a.ttf", 1), ("a.tres", 1), ("a.png", 0)] {
            let with = with(&font(files));
            assert_eq!(pixels(&[label, theme, &with, &with]) - large, count * page, "{files}");
        }
    }

    #[test]
    fn laughs_and_chains_are_too_heavy() {
        let names: Vec<String> = (0..70).map(|number| format!("f{number}")).collect();
        let chain = |length: usize, count, depth| {
            let with_nodes = |nodes, uses| {
                let mut weight = Weight { uses, ..Weight::default() };
                weight.each.set(Thing::Nodes, nodes);
                weight.each.set(Thing::Depth, depth);
                weight
            };
            let link = |pair: &[String]| {
                let uses = [(pair[1].clone(), Uses { count, depth, scale: 100 })].into();
                (pair[0].clone(), with_nodes(count, uses))
            };
            let mut weights: BTreeMap<_, _> = names[..length].windows(2).map(link).collect();
            weights.insert(names[length - 1].clone(), with_nodes(1, BTreeMap::new()));
            total_weight("f0", &weights, &Budget::default(), |_, path| path.to_owned())
        };
        let exceeds = |found: Result<TotalWeight, TooHeavy>, thing| match found {
            Err(TooHeavy::Total(exceeded)) => exceeded.iter().any(|excess| excess.thing == thing),
            _ => false,
        };
        assert!(exceeds(chain(70, 10, 1), Thing::Nodes));
        assert!(exceeds(chain(20, 1, 2), Thing::Depth));
        let sound = chain(20, 1, 1).unwrap();
        assert_eq!((sound.tally.get(Thing::Depth), sound.scale), (20, 1900));
    }

    #[test]
    fn references_are_listed_in_order() {
        let text = b"[gd_scene format=3]\n\n[ext_resource type=\"A\" uid=\"uid://b\" path=\"res://a\" id=\"1\"]\n\n\
                     [node name=\"A\" type=\"Node\"]\nx = Resource(\"res://c\")\n\n\
                     [node name=\"B\" parent=\".\" instance_placeholder=\"res://d\"]\n";
        let references = safety(text, &SafetyOptions::default()).references;
        let paths: Vec<_> = references.iter().map(|found| found.path.as_str()).collect();
        assert_eq!(paths, ["res://a", "res://c", "res://d"]);
        assert_eq!(references[0].uid.as_deref(), Some("uid://b"));
    }

    #[test]
    fn what_cannot_be_read_is_not_safe() {
        for text in [
            &b""[..],
            b"RSRC\0\0",
            b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\na = [1",
        ] {
            assert!(!safety(text, &SafetyOptions::default()).is_safe);
        }
        let sound = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";
        let safety = safety(sound, &SafetyOptions::default());
        assert!(safety.is_safe, "{:?}", safety.reasons);
    }

    #[test]
    fn lists() {
        let mut list = AllowList::default();
        assert!(list.allows_class("Node") && !list.lists_path("res://a"));
        list.paths = Some(vec!["user://mods/".to_owned(), "res://a".to_owned()]);
        list.classes = Some(["Node".to_owned()].into());
        assert!(list.lists_path("user://mods/b/c") && list.lists_path("res://a"));
        assert!(!list.lists_path("user://mods/../c") && !list.lists_path("res://ab"));
        assert!(!list.allows_class("Node2D"));
    }
}
