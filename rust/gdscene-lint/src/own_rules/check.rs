//! What the rules of a project find in a scene or resource.

use std::cell::OnceCell;

use godot_project::res_path::name_of;
use godot_project::{ExtResource, FileId, ResolvedPath, SceneContext};
use godot_tscn::{Findings, Reporter, Section, Span, TagKind};

use super::conditions::{Condition, Counted, ResourceKind, Subject, Truth, is_match};
use super::message::Placeholder;
use super::objects::{Objects, stem};
use super::{OwnRule, OwnRules};

impl OwnRules {
    /// Adds what the rules find in a file of the project.
    pub(crate) fn run<'d>(
        &self,
        context: &SceneContext<'_>,
        mut findings: Findings<'d>,
    ) -> Findings<'d> {
        if self.rules.is_empty() || context.hides_sections {
            return findings;
        }
        let checker = Checker::new(self, context);
        for rule in self.rules.iter().filter(|rule| rule.is_for(context.path)) {
            findings.run(&rule.info, |reporter| checker.check(rule, reporter));
        }
        findings
    }
}

impl OwnRule {
    fn is_for(&self, path: &str) -> bool {
        (self.paths.is_empty() || is_match(&self.paths, path)) && !is_match(&self.ignore, path)
    }

    /// The first condition that is broken by something that the rule is about. `truth` says which conditions hold of it.
    fn broken(&self, truth: impl Fn(&Condition) -> Truth) -> Option<&Condition> {
        let all = |conditions: &[Condition]| Truth::all(conditions.iter().map(&truth));
        if all(&self.select) != Truth::Yes {
            return None;
        }
        if !self.except.is_empty() && all(&self.except) != Truth::No {
            return None;
        }
        let mut must = self.must.iter();
        let mut must_not = self.must_not.iter();
        must.find(|condition| truth(condition) == Truth::No)
            .or_else(|| must_not.find(|condition| truth(condition) == Truth::Yes))
    }
}

/// What the rules ask of one file.
struct Checker<'o, 'c> {
    context: &'o SceneContext<'c>,
    objects: Objects<'o, 'c>,
    resources: OnceCell<Vec<Resource<'o>>>,
}

/// A resource that a file names or contains.
struct Resource<'o> {
    kind: ResourceKind,
    section: Section<'o>,
    /// Of one in another file, its index among all, and the file.
    external: Option<(usize, Option<FileId>)>,
    /// Its path, if it has one that is known.
    path: Option<String>,
}

impl<'o, 'c> Checker<'o, 'c> {
    fn new(own: &'o OwnRules, context: &'o SceneContext<'c>) -> Self {
        Self { context, objects: Objects::new(own, context), resources: OnceCell::new() }
    }

    fn check(&self, rule: &OwnRule, reporter: &mut Reporter<'_>) {
        if rule.subject != Subject::Resource {
            self.objects.nodes().begin_rule();
        }
        match rule.subject {
            Subject::Node => self.check_nodes(rule, reporter),
            Subject::Resource => {
                for resource in self.resources() {
                    if let Some(broken) =
                        rule.broken(|condition| self.of_resource(resource, condition))
                    {
                        let message = rule.message.of(|part| self.about_resource(resource, part));
                        report(
                            rule,
                            reporter,
                            resource.place_of(broken, self.objects.keys()),
                            message,
                        );
                    }
                }
            }
            Subject::File => {
                let Some(header) = self.context.document.sections().next() else { return };
                if rule.broken(|condition| self.of_file(condition)).is_some() {
                    let message = rule.message.of(|part| self.about_file(part));
                    report(rule, reporter, header.tag_span(), message);
                }
            }
        }
    }

    fn check_nodes(&self, rule: &OwnRule, reporter: &mut Reporter<'_>) {
        if self.context.facts.scene.is_none() {
            return;
        }
        let tags = self.context.tree().tags();
        for listed in self.objects.nodes().listed() {
            let Some(broken) =
                rule.broken(|condition| self.objects.of_node(listed.node, condition))
            else {
                continue;
            };
            let section = self.context.section(tags[listed.tag as usize].section);
            let message = rule.message.of(|part| self.about_node(listed.node, part));
            report(rule, reporter, place_in_node(section, broken, self.objects.keys()), message);
        }
    }

    /// The resources that the file names and contains.
    fn resources(&self) -> &[Resource<'o>] {
        self.resources.get_or_init(|| {
            let named = self.context.facts.ext_resources.iter().zip(self.context.targets());
            let external = |(index, (found, target)): (usize, (&ExtResource, &ResolvedPath))| {
                let file = match target {
                    ResolvedPath::File(file) => Some(*file),
                    _ => None,
                };
                let path = match target {
                    ResolvedPath::File(file) => Some(self.context.project.path(*file)),
                    ResolvedPath::Unseen(path) | ResolvedPath::Missing(path) => Some(path.as_str()),
                    ResolvedPath::Outside => None,
                };
                Resource {
                    kind: ResourceKind::External,
                    section: self.context.document.section(found.section),
                    external: Some((index, file)),
                    // A uid that no file has says nothing.
                    path: path.filter(|path| path.starts_with("res://")).map(str::to_owned),
                }
            };
            let internal = |section: Section<'o>| {
                let (kind, path) = match section.kind() {
                    TagKind::SubResource => (ResourceKind::BuiltIn, None),
                    TagKind::Resource => (ResourceKind::Main, Some(self.context.path.to_owned())),
                    _ => return None,
                };
                Some(Resource { kind, section, external: None, path })
            };
            let internal = self.context.document.sections().filter_map(internal);
            named.enumerate().map(external).chain(internal).collect()
        })
    }

    fn of_resource(&self, resource: &Resource<'_>, condition: &Condition) -> Truth {
        let path = resource.path.as_deref();
        match condition {
            Condition::Kind(kinds) => Truth::of(kinds.contains(&resource.kind)),
            Condition::Class(classes) => match resource.external {
                Some((index, file)) => {
                    let class = &self.context.facts.ext_resources[index].resource_type;
                    let of = |wanted| self.objects.is_external_of(class, file, wanted);
                    Truth::any(classes.iter().map(|class| of(*class)))
                }
                None => self.objects.is_of_class(&self.context.attached(resource.section), classes),
            },
            Condition::Name(pattern) => {
                path.map_or(Truth::Unknown, |path| Truth::of(pattern.is_match(stem(path))))
            }
            Condition::Path(globs) => {
                path.map_or(Truth::Unknown, |path| Truth::of(is_match(globs, path)))
            }
            Condition::Property(property) if resource.external.is_none() => {
                self.objects.property_of_section(resource.section, property)
            }
            _ => Truth::Unknown,
        }
    }

    fn of_file(&self, condition: &Condition) -> Truth {
        match condition {
            Condition::Name(pattern) => Truth::of(pattern.is_match(stem(self.context.path))),
            Condition::Path(globs) => Truth::of(is_match(globs, self.context.path)),
            Condition::NodeOfFile(counted) if self.context.facts.scene.is_some() => {
                self.objects.count_all(counted)
            }
            Condition::ResourceOfFile(Counted { conditions, count }) => {
                let of = |resource| {
                    Truth::all(
                        conditions.iter().map(|condition| self.of_resource(resource, condition)),
                    )
                };
                count.of(self.resources().iter().map(of), || true)
            }
            _ => Truth::Unknown,
        }
    }

    fn about_node(&self, node: usize, part: Placeholder) -> String {
        let nodes = self.objects.nodes();
        let place = nodes.place(node);
        match part {
            Placeholder::Name => place.name.clone(),
            Placeholder::Path => nodes.path(node).unwrap_or_else(|| place.name.clone()),
            Placeholder::Class => self.objects.class_of_node(&place),
            Placeholder::File => name_of(self.context.path).to_owned(),
        }
    }

    fn about_resource(&self, resource: &Resource<'_>, part: Placeholder) -> String {
        let path = resource.path.clone();
        let text = |name| {
            let text = resource.section.field_text(name).unwrap_or_default();
            String::from_utf8_lossy(&text).into_owned()
        };
        match part {
            Placeholder::Name => path.map_or_else(|| text("id"), |path| name_of(&path).to_owned()),
            Placeholder::Path => path.unwrap_or_else(|| match resource.kind {
                ResourceKind::External => text("path"),
                ResourceKind::BuiltIn | ResourceKind::Main => self.context.path.to_owned(),
            }),
            Placeholder::Class => match resource.kind {
                ResourceKind::External => text("type"),
                _ => self.objects.class_of(&self.context.attached(resource.section)),
            },
            Placeholder::File => name_of(self.context.path).to_owned(),
        }
    }

    fn about_file(&self, part: Placeholder) -> String {
        match part {
            Placeholder::Path => self.context.path.to_owned(),
            Placeholder::Name | Placeholder::File | Placeholder::Class => {
                name_of(self.context.path).to_owned()
            }
        }
    }
}

impl Resource<'_> {
    /// The part of the text that breaks a condition.
    fn place_of(&self, broken: &Condition, keys: &[String]) -> Span {
        let field = match (broken, self.kind) {
            (Condition::Property(property), _) => {
                return place_of_property(self.section, &keys[property.key])
                    .unwrap_or_else(|| self.section.tag_span());
            }
            (Condition::Class(_), _) => "type",
            (_, ResourceKind::External) => "path",
            _ => "id",
        };
        let field = self.section.field(field);
        field.map_or_else(|| self.section.tag_span(), godot_tscn::Field::value_span)
    }
}

fn report(rule: &OwnRule, reporter: &mut Reporter<'_>, span: Span, message: String) {
    let diagnostic = reporter.report(span, message);
    if let Some(help) = &rule.help {
        diagnostic.help(help.clone());
    }
}

/// The part of a node's tag that breaks a condition.
fn place_in_node(section: Section<'_>, broken: &Condition, keys: &[String]) -> Span {
    let property = |key: &str| place_of_property(section, key);
    let field = |name: &str| section.field(name).map(godot_tscn::Field::value_span);
    let found = match broken {
        Condition::Property(found) => property(&keys[found.key]),
        Condition::Script(_) => property("script"),
        Condition::UniqueName(_) => property("unique_name_in_owner"),
        Condition::Group(_) => field("groups"),
        Condition::Class(_) => field("type"),
        Condition::InstanceOf(_) => field("instance"),
        _ => None,
    };
    found.or_else(|| field("name")).unwrap_or_else(|| section.tag_span())
}

fn place_of_property(section: Section<'_>, key: &str) -> Option<Span> {
    let mut properties = section.properties();
    let property = properties.rfind(|property| *property.engine_key() == *key.as_bytes())?;
    Some(property.value_span())
}
