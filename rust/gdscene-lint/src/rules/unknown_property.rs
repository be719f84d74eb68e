//! TREE015

use godot_project::assignments::{Assignment, Target};
use godot_project::class_db::nearest;
use godot_project::families::{AbsentElement, absent_elements};
use godot_project::node_paths::exported_paths;
use godot_project::object_type::{METADATA, METADATA_NAMES, Member, ObjectType};
use godot_project::{Class, ClassDb, SceneContext};
use godot_tscn::{
    Applicability, Edit, Fix, GodotVersion, Property, Reporter, Section, Severity, Span, TagKind,
    quote,
};
use hashbrown::HashSet;

use crate::rules::default_value_stored::is_same;
use crate::rules::property_type_mismatch::may_take;
use crate::rules::shader_parameters::{self, Kind, Parameter};
use crate::rules::{declare_rule, not_convertible, renamed_variable};

declare_rule! {
    /// ## What it does
    /// Reports a property that the object does not have.
    ///
    /// It reports:
    ///
    /// - a property that neither the class nor the script of the node or resource has
    /// - metadata with a name that Godot does not accept
    /// - a parameter that the shader of a material or node lacks, or that comes before the shader
    /// - a property of a missing element: an item after the last one, a surface that the mesh lacks, a node that the
    ///   animation tree lacks, or a theme item of another class
    /// - a variable that is not exported
    ///
    /// The rule does not report anything if it cannot read the script completely, or if the script defines its
    /// properties in `_set`, `_get` or `_get_property_list`. If git shows that the script had a variable of this name
    /// before, `renamed-variable` reports it instead.
    ///
    /// Suggestions prefer names that the node or resource does not set yet and whose type accepts the value. Only these
    /// names get a fix.
    ///
    /// ## Why is this bad?
    /// Godot drops the value without a warning, and the next save removes it. A running game uses the value of a
    /// variable that is not exported until the scene is saved.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// positoin = Vector2(1, 2)
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// position = Vector2(1, 2)
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: a value that Godot dropped takes effect again.
    ///
    /// ## References
    /// `Object::set`, `Object::set_meta` (core/object/object.cpp), `ShaderMaterial::_set` (scene/resources/material.cpp)
    "TREE015", "unknown-property", Warning
}

/// Which of its groups the editor of Godot 3.0 showed closed.
const EDITOR_STATE: &str = "_sections_unfolded";
/// At most this number of near names is tried.
const MAX_NEAR: u32 = 4;

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    // The classes of Godot 4 list the older names that it takes. No list shows which names of Godot 2
    // are taken by Godot 3.
    if context.is_older_than_project() && !context.is_for_godot_4() {
        return;
    }
    check_shader_parameters(context, reporter);
    check_elements(context, reporter);
    check_theme_items(context, reporter);
    check_unexported(context, reporter);
    let mut given = Given::default();
    for found in context.assignments().iter().filter(|found| found.is_lost()) {
        let Assignment { section, property, key, object, .. } = found;
        let (section, property) = (*section, *property);
        let native = object.native().unwrap_or_default();
        let is_told_elsewhere = key == EDITOR_STATE
            || context.document.is_hash_line(property)
            || is_told_elsewhere(context, section, native, key)
            || renamed_variable::new_name(context, &mut given, section, property, key).is_some();
        if is_told_elsewhere {
            continue;
        }
        if key.starts_with(METADATA) {
            let name = quote(key.as_bytes());
            let message = format!("{name} is not a valid metadata name; {METADATA_NAMES}");
            let diagnostic = reporter.report(property.engine_key_span(), message);
            diagnostic.consequence(dropped(property));
            continue;
        }
        let near = nearest_property(context, object, key, |name, type_name| {
            !given.has(section, name) && given.may_give(context, section, property, type_name)
        });
        let hint = near.as_ref().map(|(near, _)| near.as_str());
        let message = lacks(object, "property", key, hint);
        let diagnostic = reporter.report(property.engine_key_span(), message);
        diagnostic.consequence(dropped(property));
        if is_old_default(native, key, property) {
            diagnostic.severity = Severity::Info;
        }
        if let Some((near, true)) = near {
            let edits = renamed(section, property, &near);
            let title = format!("write `{near}`");
            diagnostic.fix(Fix::new(title, Applicability::Unsafe, edits));
        }
    }
}

/// Reports values of variables that are not exported: a running game takes them, and the editor does not.
fn check_unexported(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    for Assignment { property, key, object, target, .. } in context.assignments() {
        let is_unexported = matches!(target, Target::Script)
            && matches!(object.property(key), Member::Script(found) if !found.is_exported)
            && object.variable_type(key).is_some()
            && !object.scripts().any(|script| script.has_dynamic_properties)
            && !matches!(object.method("_validate_property"), Member::Script(_));
        if is_unexported {
            let name = quote(key.as_bytes());
            reporter
                .report(property.engine_key_span(), format!("the variable {name} is not exported"))
                .consequence("the game uses the value, but the next save in the editor removes it");
        }
    }
}

/// Whether a value is the default of the property in Godot 3: nothing is lost with it.
fn is_old_default(class: &str, key: &str, property: Property<'_>) -> bool {
    let default = ClassDb::for_version(GodotVersion::LAST_3).default(class, key);
    default.is_some_and(|default| is_same(property, default))
}

fn check_elements(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    for AbsentElement { property, problem } in absent_elements(context) {
        let name = quote(&property.engine_key());
        reporter
            .report(property.engine_key_span(), format!("{name} is set, {problem}"))
            .consequence(dropped(property));
    }
}

/// The theme items of this version of Godot are known.
const THEMES: GodotVersion = GodotVersion::godot4(6);
const KINDS_OF_ITEMS: [&str; 6] = ["colors", "constants", "fonts", "font_sizes", "icons", "styles"];

/// Reports overrides of theme items that the class does not have: the editor does not save them.
fn check_theme_items(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let version = context.project.settings().version;
    if version.is_some_and(|version| version != THEMES) {
        return;
    }
    let classes = context.project.classes();
    for Assignment { property, key, object, .. } in context.assignments() {
        let Some((kind, name)) =
            key.strip_prefix("theme_override_").and_then(|item| item.split_once('/'))
        else {
            continue;
        };
        if !KINDS_OF_ITEMS.contains(&kind) {
            continue;
        }
        let decides_itself = object.scripts().any(|script| script.has_dynamic_properties);
        let class = object.native().and_then(|name| classes.class(name));
        let Some(class) = class.filter(|_| object.has_known_scripts() && !decides_itself) else {
            continue;
        };
        let is_known = class.is_instantiable()
            && !class.is_editor_only()
            && ["Control", "Window"].iter().any(|base| classes.inherits(class.name(), base));
        let of_kind = |item: &&'static str| item.strip_prefix(kind)?.strip_prefix('/');
        let mut items = classes.theme_items(class.name()).iter().filter_map(of_kind);
        if !is_known || items.clone().any(|item| item == name) {
            continue;
        }
        let hint = nearest(name, items.by_ref()).map(str::to_owned);
        let message = lacks(object, "theme item", name, hint.as_deref());
        reporter
            .report(property.engine_key_span(), message)
            .consequence("only scripts find the value, and the next save in the editor removes it");
    }
}

fn check_shader_parameters(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    for Parameter { property, name, kind } in shader_parameters::all(context) {
        let name = quote(name.as_bytes());
        match kind {
            Kind::Known(_) => {}
            Kind::BeforeShader => {
                let message =
                    format!("the parameter {name} comes before `shader`; move it after `shader`");
                reporter.report(property.engine_key_span(), message).consequence(dropped(property));
            }
            Kind::Unknown(near) => {
                let hint = near.map(|near| format!("; did you mean {}?", quote(near.as_bytes())));
                let message =
                    format!("the shader has no parameter {name}{}", hint.unwrap_or_default());
                reporter
                    .report(property.engine_key_span(), message)
                    .consequence("the value has no effect, and the next save removes it");
            }
        }
    }
}

fn dropped(property: Property<'_>) -> String {
    format!("Godot drops {}, and the next save removes it", quote(property.source()))
}

/// The owner of the values in a section, with those that are nodes. For the section of the last
/// call.
#[derive(Default)]
pub(super) struct Given {
    section: Option<u32>,
    names: HashSet<Vec<u8>>,
    nodes: HashSet<Vec<u8>>,
}

impl Given {
    /// Whether the section sets the property.
    pub(super) fn has(&mut self, section: Section<'_>, name: &str) -> bool {
        self.of(section).names.contains(name.as_bytes())
    }

    /// Whether a property of a type may take the value of another one.
    pub(super) fn may_give(
        &mut self,
        context: &SceneContext<'_>,
        section: Section<'_>,
        property: Property<'_>,
        type_name: Option<&str>,
    ) -> bool {
        // A path to a node means the node.
        type_name.is_none_or(|name| may_take(context, property.value_tree().root(), name))
            || self.of(section).nodes.contains(&*property.engine_key())
    }

    fn of(&mut self, section: Section<'_>) -> &Self {
        if self.section != Some(section.index()) {
            self.section = Some(section.index());
            let keys = section.properties().map(|property| property.engine_key().into_owned());
            self.names = keys.collect();
            self.nodes = exported_paths(section);
        }
        self
    }
}

/// `Hero` (`hero.gd`) has no property `hight`; did you mean `height`?
pub(super) fn lacks(object: &ObjectType<'_>, what: &str, name: &str, near: Option<&str>) -> String {
    let hint = near.map(|near| format!("; did you mean {}?", quote(near.as_bytes())));
    let name = quote(name.as_bytes());
    format!("{} has no {what} {name}{}", object.called(), hint.unwrap_or_default())
}

/// Whether another rule reports the property: `renamed-property`, `not-convertible`, or `class-not-node`, where Godot makes
/// no object of the class.
fn is_told_elsewhere(
    context: &SceneContext<'_>,
    section: Section<'_>,
    native: &str,
    key: &str,
) -> bool {
    let classes = context.project.classes();
    let is_abstract = |class: Class<'_>| !class.is_instantiable() && !class.is_editor_only();
    classes.renamed_property(native, key).is_some()
        || not_convertible::is_told(context, section, key)
        || (section.kind() != TagKind::Node && classes.class(native).is_some_and(is_abstract))
}

/// The property with this name, which `node_paths` may list too.
pub(super) fn renamed(section: Section<'_>, property: Property<'_>, name: &str) -> Vec<Edit> {
    let mut edits = vec![Edit::replace(property.key_span(), godot_tscn::key_text(name))];
    if let Some(field) = section.field("node_paths") {
        let (tree, key) = (field.value_tree(), property.engine_key());
        let entries = tree.root().children().filter(|part| part.text().as_ref() == Some(&key));
        edits.extend(entries.map(|part| Edit::replace(part.span(), format!("\"{name}\""))));
    }
    edits
}

/// The whole line of a property, for a fix that takes it away.
pub(super) fn line_of(context: &SceneContext<'_>, property: Property<'_>) -> Span {
    let text = context.document.text();
    let (start, mut end) = (property.engine_key_span().start, property.value_span().end);
    while text.get(end as usize).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
        end += 1;
    }
    if text.get(end as usize) == Some(&b'\n') {
        Span::new(start, end + 1)
    } else {
        Span::new(start, property.value_span().end)
    }
}

/// The probable intended property, and whether it fits; among near names, one that fits is preferred. `fits` is asked of few, with
/// the name and the type, if there is one.
pub(super) fn nearest_property(
    context: &SceneContext<'_>,
    attached: &ObjectType<'_>,
    key: &str,
    mut fits: impl FnMut(&str, Option<&str>) -> bool,
) -> Option<(String, bool)> {
    let class = attached.native()?;
    context.suggestions.spend().then_some(())?;
    let classes = context.project.classes();
    let variables = attached.scripts().flat_map(|script| script.variables.iter());
    let exported = variables.filter(|variable| variable.is_exported);
    let own = exported.map(|variable| (variable.name.as_str(), variable.type_name.clone()));
    let own: Vec<(&str, Option<String>)> = own.collect();
    let mut candidates: Vec<&str> = own.iter().map(|(name, _)| *name).collect();
    candidates.extend(classes.lineage(class).flat_map(Class::property_names));
    let type_of = |name: &str| match own.iter().find(|(found, _)| *found == name) {
        Some((_, type_name)) => type_name.clone(),
        None => classes.property(class, name).map(|found| found.type_name().to_owned()),
    };
    let first = nearest(key, candidates.iter().copied())?.to_owned();
    let mut near = first.clone();
    for _ in 0..MAX_NEAR {
        if fits(&near, type_of(&near).as_deref()) {
            return Some((near, true));
        }
        candidates.retain(|name| *name != near);
        let Some(next) = nearest(key, candidates.iter().copied()) else { break };
        near = next.to_owned();
    }
    Some((first, false))
}
