//! From the key `rule` of a configuration to rules.

use std::ops::Range;

use godot_tscn::{NamePattern, RuleGroup, RuleInfo, Severity};
use hashbrown::HashMap;
use toml::Spanned;

use super::code_names::kept;
use super::conditions::{
    Condition, Connection, Counted, Mention, Named, Property, Relation, ResourceKind, Subject,
    ValueTest, Wanted,
};
use super::message::Message;
use super::raw::{
    OneOrMore, RawConditions, RawConnection, RawRule, RawTest, RawTests, YesOrPatterns,
};
use super::words::{
    RESERVED, classes_in, code, count, definition, each, impossible, index_of, name_span,
    not_empty, one, one_line, rule_name, severity, texts,
};
use super::{OwnRule, OwnRules};
use crate::globs::{Glob, MAX_GLOBS};
use crate::naming;

/// Something wrong at a place of the file.
pub(crate) type Wrong = (Range<usize>, String);

/// The largest number of rules in a configuration: each looks at each file.
const MAX_RULES: usize = 1000;

/// The largest number of different name patterns in all rules: each is a program.
const MAX_PATTERNS: usize = 100;

impl OwnRules {
    /// The rules of a configuration, whose text this is.
    ///
    /// # Errors
    /// The first rule that makes no sense, and why.
    pub(crate) fn read(raw: &[RawRule], text: &str) -> Result<Self, Wrong> {
        let mut reader = Reader::default();
        if let Some(rule) = raw.get(MAX_RULES) {
            let message = format!("more than {MAX_RULES} rules; use fewer rules");
            return Err((rule.code.span(), message));
        }
        for rule in raw {
            let made = reader.rule(rule, text)?;
            reader.all.rules.push(made);
        }
        reader.check_names(raw)?;
        Ok(reader.all)
    }
}

#[derive(Default)]
struct Reader {
    all: OwnRules,
    class_indexes: HashMap<String, usize>,
    key_indexes: HashMap<String, usize>,
    patterns: HashMap<String, NamePattern>,
    glob_count: usize,
}

/// Where conditions are.
#[derive(Clone, Copy)]
struct Place<'p> {
    subject: Subject,
    /// Whether `min` and `max` say how many things there must be.
    is_counted: bool,
    /// The classes of the objects, if a table before this one names them.
    classes: &'p [usize],
}

impl Reader {
    fn rule(&mut self, raw: &RawRule, text: &str) -> Result<OwnRule, Wrong> {
        let code = code(&raw.code)?;
        let name = match &raw.name {
            Some(name) => rule_name(name)?,
            None => &raw.code.get_ref().to_ascii_lowercase(),
        };
        for (text, span) in [(code, raw.code.span()), (name, name_span(raw))] {
            let is_known = |known: &OwnRule| known.info.is_called(text);
            if let Some(known) = self.all.rules.iter().find(|known| is_known(known)) {
                let message = format!("`{text}` is already the rule `{}`", known.info.code);
                return Err((span, format!("{message}; use another code or name")));
            }
        }
        let severity = raw.severity.as_ref().map_or(Ok(Severity::Warning), severity)?;
        let full = || (raw.code.span(), "too many different codes; start gdscene again".to_owned());
        let (code, name) = (kept(code).ok_or_else(full)?, kept(name).ok_or_else(full)?);

        let (subject, selector) = match (&raw.nodes, &raw.resources) {
            (Some(_), Some(resources)) => {
                let message = "a rule looks at `nodes` or at `resources`; use two rules";
                return Err((resources.span(), message.to_owned()));
            }
            (Some(nodes), None) => (Subject::Node, Some(nodes)),
            (None, Some(resources)) => (Subject::Resource, Some(resources)),
            (None, None) => (Subject::File, None),
        };
        let mut place = Place { subject, is_counted: false, classes: &[] };
        let select = selector.map(|raw| self.conditions(raw.get_ref(), place));
        let select = select.transpose()?.unwrap_or_default();
        let classes = classes_in(&select);
        place.classes = &classes;
        let mut of = |raw: &Option<Spanned<RawConditions>>, key| -> Result<_, Wrong> {
            let Some(raw) = raw else { return Ok(Vec::new()) };
            let conditions = self.conditions(raw.get_ref(), place)?;
            if conditions.is_empty() {
                let message = format!("`{key}` has no condition; {}", conditions_of(subject));
                return Err((raw.span(), message));
            }
            Ok(conditions)
        };
        let except = of(&raw.except, "except")?;
        let (must, must_not) = (of(&raw.must, "must")?, of(&raw.must_not, "must-not")?);
        if must.is_empty() && must_not.is_empty() {
            let message = "a rule needs `must` or `must-not`, with what it demands or forbids";
            return Err((raw.code.span(), message.to_owned()));
        }
        let message = Message::read(raw.message.get_ref(), subject);
        let message = message.map_err(|reason| (raw.message.span(), reason))?;
        let help = raw.help.as_ref().map(one_line).transpose()?;
        one_line(&raw.message)?;
        Ok(OwnRule {
            info: RuleInfo::own(code, name, severity),
            message,
            help: help.map(str::to_owned),
            definition: definition(text, raw.code.span().start).to_owned(),
            paths: self.globs(raw.paths.as_ref())?,
            ignore: self.globs(raw.ignore.as_ref())?,
            subject,
            select,
            except,
            must,
            must_not,
        })
    }

    /// A name that is the letters of codes would stand for all of them.
    fn check_names(&self, raw: &[RawRule]) -> Result<(), Wrong> {
        let letters = || RuleGroup::all_letters().chain(RESERVED);
        let own = || self.all.rules.iter().map(|rule| rule.info.letters());
        let own: hashbrown::HashSet<&str> = own().chain(letters()).collect();
        for (rule, raw) in self.all.rules.iter().zip(raw) {
            if own.contains(rule.info.name.to_ascii_uppercase().as_str()) {
                let message = format!("the name `{}` stands for a group of rules", rule.info.name);
                return Err((name_span(raw), format!("{message}; use another name")));
            }
        }
        Ok(())
    }

    fn conditions(
        &mut self,
        raw: &RawConditions,
        place: Place<'_>,
    ) -> Result<Vec<Condition>, Wrong> {
        check_keys(raw, place)?;
        let mut all = Vec::new();
        let own_classes = raw.class.as_ref().map(|class| self.classes(class)).transpose()?;
        let classes = own_classes.clone().unwrap_or_else(|| place.classes.to_vec());
        all.extend(own_classes.map(Condition::Class));
        all.extend(raw.root.as_ref().map(|root| Condition::Root(*root.get_ref())));
        if let Some(depth) = &raw.depth {
            let span = depth.span();
            let depth = depth.get_ref();
            if depth.max.is_some_and(|max| max < depth.min) {
                return Err((span, impossible(depth.min, depth.max)));
            }
            all.push(Condition::Depth { min: depth.min, max: depth.max });
        }
        if let Some(kinds) = &raw.kind {
            all.push(Condition::Kind(each(kinds, "kind", &KINDS)?));
        }
        if let Some(name) = &raw.name {
            all.push(Condition::Name(self.pattern(name)?));
        }
        all.extend(raw.unique_name.as_ref().map(|is| Condition::UniqueName(*is.get_ref())));
        if let Some(script) = &raw.script {
            all.push(Condition::Script(self.wanted(script)?));
        }
        if let Some(instance) = &raw.instance_of {
            all.push(Condition::InstanceOf(self.wanted(instance)?));
        }
        if let Some(named) = &raw.same_name_as {
            all.push(Condition::SameNameAs(one(named, "same-name-as", &NAMED)?));
        }
        if let Some(groups) = &raw.group {
            all.push(Condition::Group(texts(groups)?));
        }
        if raw.path.is_some() {
            all.push(Condition::Path(self.globs(raw.path.as_ref())?));
        }
        for (key, test) in raw.properties.iter().flat_map(toml::Spanned::get_ref) {
            let tests = self.tests(test, key.span())?;
            let mention =
                Mention { name: key.get_ref().clone(), span: key.span(), classes: classes.clone() };
            let key = index_of(&mut self.key_indexes, &mut self.all.keys, key.get_ref());
            self.all.property_mentions.push(mention);
            all.push(Condition::Property(Property { key, tests }));
        }
        if let Some(connection) = &raw.connection {
            all.push(Condition::Connection(self.connection(connection)?));
        }
        for (raw, relation) in [
            (&raw.parent, Relation::Parent),
            (&raw.child, Relation::Child),
            (&raw.sibling, Relation::Sibling),
            (&raw.ancestor, Relation::Ancestor),
            (&raw.descendant, Relation::Descendant),
        ] {
            let is_counted = relation != Relation::Parent;
            if let Some(counted) = self.counted(raw.as_ref(), Subject::Node, is_counted)? {
                all.push(Condition::Near(relation, counted));
            }
        }
        all.extend(
            self.counted(raw.node.as_ref(), Subject::Node, true)?.map(Condition::NodeOfFile),
        );
        let resource = self.counted(raw.resource.as_ref(), Subject::Resource, true)?;
        all.extend(resource.map(Condition::ResourceOfFile));
        Ok(all)
    }

    fn counted(
        &mut self,
        raw: Option<&Spanned<Box<RawConditions>>>,
        subject: Subject,
        is_counted: bool,
    ) -> Result<Option<Counted>, Wrong> {
        let Some(spanned) = raw else { return Ok(None) };
        let raw = spanned.get_ref();
        let place = Place { subject, is_counted, classes: &[] };
        let conditions = self.conditions(raw, place)?;
        let count = count(raw.min.as_ref(), raw.max.as_ref())?;
        Ok(Some(Counted { conditions, count }))
    }

    fn connection(&mut self, raw: &Spanned<RawConnection>) -> Result<Connection, Wrong> {
        let raw = raw.get_ref();
        let list = |raw: &Option<OneOrMore>| raw.as_ref().map_or_else(|| Ok(Vec::new()), texts);
        Ok(Connection {
            signals: list(&raw.signal)?,
            methods: list(&raw.method)?,
            count: count(raw.min.as_ref(), raw.max.as_ref())?,
        })
    }

    fn tests(&mut self, raw: &RawTest, span: Range<usize>) -> Result<Vec<ValueTest>, Wrong> {
        let raw = match raw {
            RawTest::OneOf(values) if values.is_empty() => {
                return Err((span, "the list has no values; name at least one".to_owned()));
            }
            RawTest::OneOf(values) => return Ok(vec![ValueTest::OneOf(values.clone())]),
            RawTest::Tests(tests) => tests,
        };
        let RawTests { equals, one_of, set, min, max, matches, path, class } = &**raw;
        let mut all = Vec::new();
        all.extend(equals.clone().map(|value| ValueTest::OneOf(vec![value])));
        if let Some(values) = one_of {
            if values.get_ref().is_empty() {
                return Err((
                    values.span(),
                    "`one-of` has no values; name at least one".to_owned(),
                ));
            }
            all.push(ValueTest::OneOf(values.get_ref().clone()));
        }
        all.extend(set.map(ValueTest::Set));
        if let Some(end) = max.as_ref().or(min.as_ref()) {
            let value = |end: &Option<Spanned<f64>>, without| {
                end.as_ref().map_or(without, |end| *end.get_ref())
            };
            let (min, max) = (value(min, f64::NEG_INFINITY), value(max, f64::INFINITY));
            // Nothing is in a range that ends in NaN, either.
            if min > max || min.is_nan() || max.is_nan() {
                let message = format!("no number is from {min} to {max}; exchange `min` and `max`");
                return Err((end.span(), message));
            }
            all.push(ValueTest::Range { min, max });
        }
        if let Some(matches) = matches {
            all.push(ValueTest::Matches(self.pattern(matches)?));
        }
        if path.is_some() {
            all.push(ValueTest::Path(self.globs(path.as_ref())?));
        }
        if let Some(class) = class {
            all.push(ValueTest::Class(self.classes(class)?));
        }
        if all.is_empty() {
            let message = "the property has no test; use a value, or `{ set = true }`";
            return Err((span, message.to_owned()));
        }
        Ok(all)
    }

    fn classes(&mut self, raw: &OneOrMore) -> Result<Vec<usize>, Wrong> {
        let mut indexes = Vec::new();
        for name in not_empty(raw)? {
            let index = index_of(&mut self.class_indexes, &mut self.all.classes, name.get_ref());
            let mention = |name: &Spanned<String>| Mention {
                name: name.get_ref().clone(),
                span: name.span(),
                classes: Vec::new(),
            };
            if self.all.class_mentions.len() == index {
                self.all.class_mentions.push(mention(name));
            }
            indexes.push(index);
        }
        Ok(indexes)
    }

    fn wanted(&mut self, raw: &Spanned<YesOrPatterns>) -> Result<Wanted, Wrong> {
        Ok(match raw.get_ref() {
            YesOrPatterns::Is(is) => Wanted::Is(*is),
            YesOrPatterns::Patterns(patterns) => Wanted::Matching(self.globs(Some(patterns))?),
        })
    }

    fn globs(&mut self, raw: Option<&OneOrMore>) -> Result<Vec<Glob>, Wrong> {
        let Some(raw) = raw else { return Ok(Vec::new()) };
        let mut globs = Vec::new();
        for pattern in not_empty(raw)? {
            self.glob_count += 1;
            let made = match self.glob_count <= MAX_GLOBS {
                true => Glob::new(pattern.get_ref()),
                false => Err(format!("more than {MAX_GLOBS} path patterns; use fewer patterns")),
            };
            globs.push(made.map_err(|reason| (pattern.span(), reason))?);
        }
        Ok(globs)
    }

    fn pattern(&mut self, raw: &Spanned<String>) -> Result<NamePattern, Wrong> {
        if let Some(known) = self.patterns.get(raw.get_ref()) {
            return Ok(known.clone());
        }
        let made = match self.patterns.len() < MAX_PATTERNS {
            true => naming::pattern(raw.get_ref()),
            false => Err(format!("more than {MAX_PATTERNS} different name patterns; use fewer")),
        };
        let made = made.map_err(|reason| (raw.span(), reason))?;
        self.patterns.insert(raw.get_ref().clone(), made.clone());
        Ok(made)
    }
}

const KINDS: [(&str, ResourceKind); 3] = [
    ("external", ResourceKind::External),
    ("built-in", ResourceKind::BuiltIn),
    ("main", ResourceKind::Main),
];

const NAMED: [(&str, Named); 5] = [
    ("class", Named::Class),
    ("file", Named::File),
    ("instance", Named::Instance),
    ("parent", Named::Parent),
    ("script", Named::Script),
];

/// The conditions that each subject can have.
fn keys_of(subject: Subject) -> &'static [&'static str] {
    match subject {
        Subject::Node => &[
            "class",
            "script",
            "instance-of",
            "group",
            "name",
            "same-name-as",
            "unique-name",
            "root",
            "depth",
            "properties",
            "connection",
            "child",
            "descendant",
            "parent",
            "ancestor",
            "sibling",
        ],
        Subject::Resource => &["class", "kind", "name", "path", "properties"],
        Subject::File => &["name", "path", "node", "resource"],
    }
}

fn conditions_of(subject: Subject) -> String {
    let what = match subject {
        Subject::Node => "nodes",
        Subject::Resource => "resources",
        Subject::File => "files",
    };
    format!("the conditions of {what} are `{}`", keys_of(subject).join("`, `"))
}

/// Whether all keys fit the subject.
fn check_keys(raw: &RawConditions, place: Place<'_>) -> Result<(), Wrong> {
    fn at<T>(value: Option<&Spanned<T>>) -> Option<Range<usize>> {
        value.map(Spanned::span)
    }
    let list = |value: &Option<OneOrMore>| value.as_ref().map(|list| list.span.clone());
    let given = [
        ("class", list(&raw.class)),
        ("script", at(raw.script.as_ref())),
        ("instance-of", at(raw.instance_of.as_ref())),
        ("group", list(&raw.group)),
        ("name", at(raw.name.as_ref())),
        ("same-name-as", at(raw.same_name_as.as_ref())),
        ("unique-name", at(raw.unique_name.as_ref())),
        ("root", at(raw.root.as_ref())),
        ("depth", at(raw.depth.as_ref())),
        ("kind", list(&raw.kind)),
        ("path", list(&raw.path)),
        ("properties", at(raw.properties.as_ref())),
        ("connection", at(raw.connection.as_ref())),
        ("child", at(raw.child.as_ref())),
        ("descendant", at(raw.descendant.as_ref())),
        ("parent", at(raw.parent.as_ref())),
        ("ancestor", at(raw.ancestor.as_ref())),
        ("sibling", at(raw.sibling.as_ref())),
        ("node", at(raw.node.as_ref())),
        ("resource", at(raw.resource.as_ref())),
        ("min", at(raw.min.as_ref())),
        ("max", at(raw.max.as_ref())),
    ];
    for (key, span) in given {
        let Some(span) = span else { continue };
        let is_count = matches!(key, "min" | "max");
        if is_count && !place.is_counted {
            return Err((
                span,
                format!("`{key}` has no meaning here; only things that can be counted have it"),
            ));
        }
        if !is_count && !keys_of(place.subject).contains(&key) {
            return Err((
                span,
                format!("`{key}` does not fit here; {}", conditions_of(place.subject)),
            ));
        }
    }
    Ok(())
}
