//! TREE016

use std::cell::LazyCell;

use godot_project::assignments::{Assignment, Target};
use godot_project::node_paths::exported_paths;
use godot_project::object_type::{Member, ObjectType};
use godot_project::settings::lossy;
use godot_project::{NodeInTree, ObjectClass, PropertyInfo, ResolvedPath, SceneContext, ValueType};
use godot_tscn::{PartKind, PartRef, Property, Reporter, ValueKind, quote};
use godot_variant::{Shape, VariantType};
use hashbrown::{HashMap, HashSet};
use memchr::memmem;

use crate::rules::declare_rule;
use crate::rules::shader_parameters::{self, Kind, Parameter};

declare_rule! {
    /// ## What it does
    /// Reports a value that Godot cannot convert to the type of its property, and a resource of a class that the
    /// property's setter does not accept, which may accept more classes than the inspector offers. The rule also checks
    /// the elements of typed arrays and dictionaries, `Array[int]([…])` in any value, exported nodes, and the shader
    /// parameters of materials. In scripts, it checks only GDScript variables with an explicit type.
    ///
    /// ## Why is this bad?
    /// Godot sets a different value without a warning: black for a color, zero for a vector, and the result of `str()`
    /// for a text. The next save stores this value. Variables of scripts keep their default, and the next save removes
    /// the value.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// position = "left"
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// position = Vector2(-10, 0)
    /// ```
    ///
    /// ## References
    /// `ClassDB::set_property` (core/object/class_db.cpp), `Variant::can_convert_strict` (core/variant/variant.cpp),
    /// `GDScriptInstance::set` (modules/gdscript/gdscript.cpp), `Array::assign` (core/variant/array.cpp)
    "TREE016", "property-type-mismatch", Warning
}

/// The values that a property takes: any value, values of a type, or resources and nodes of
/// classes.
enum Wanted<'n> {
    Anything,
    Type(VariantType),
    Classes(&'n str),
}

impl<'n> Wanted<'n> {
    /// By the name of a type in any version of Godot, or a list of classes.
    fn of(name: &'n str) -> Self {
        match variant_type(name.as_bytes()) {
            _ if name == "Variant" => Self::Anything,
            Some(ty) => Self::Type(ty),
            None => Self::Classes(name),
        }
    }
}

/// The type with this name in any version of Godot.
fn variant_type(name: &[u8]) -> Option<VariantType> {
    let present = || VariantType::from_name(godot_tscn::present_construct_name(name)?);
    let ty = VariantType::from_name(std::str::from_utf8(name).ok()?).or_else(present);
    ty.filter(|ty| *ty != VariantType::Nil)
}

/// Whether values of the type become values of the other one besides equal types (`Variant::can_convert_strict`, Godot
/// 4.6.3). Some that only scripts convert are among them.
fn converts(from: VariantType, to: VariantType) -> bool {
    use VariantType::*;
    match to {
        Bool => matches!(from, Int | Float),
        Int => matches!(from, Bool | Float),
        Float => matches!(from, Bool | Int),
        String => matches!(from, NodePath | StringName),
        StringName | NodePath => from == String,
        Vector2 => from == Vector2i,
        Vector2i => from == Vector2,
        Rect2 => from == Rect2i,
        Rect2i => from == Rect2,
        Vector3 => from == Vector3i,
        Vector3i => from == Vector3,
        Vector4 => from == Vector4i,
        Vector4i => from == Vector4,
        Transform2D => from == Transform3D,
        Transform3D => matches!(from, Transform2D | Quaternion | Basis | Projection),
        Basis => from == Quaternion,
        Quaternion => from == Basis,
        Projection => from == Transform3D,
        Color => matches!(from, String | Int),
        Rid => from == Object,
        // Arrays become each other, under all of their names.
        _ => is_list(from) && is_list(to),
    }
}

fn is_list(ty: VariantType) -> bool {
    ty == VariantType::Array || ty.shape() == Shape::Packed
}

/// Whether values of the type differ from all others in their notation.
fn is_plain(ty: VariantType) -> bool {
    use VariantType::*;
    ty.shape() != Shape::Packed && !matches!(ty, Nil | Rid | Object | Callable | Signal)
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if context.is_older_than_project() {
        return;
    }
    check_shader_parameters(context, reporter);
    let mut exported = (u32::MAX, HashSet::new());
    let tags = LazyCell::new(|| {
        let tags = context.tree().tags().iter().enumerate();
        tags.map(|(index, tag)| (tag.section, index as u32)).collect::<HashMap<_, _>>()
    });
    for Assignment { section, property, key, object, target } in context.assignments() {
        if exported.0 != section.index() {
            exported = (section.index(), exported_paths(*section));
        }
        // Internal properties are declared with any type: `_data` of a `Curve` as a number.
        if key == "script" {
            continue;
        }
        if exported.1.contains(key.as_bytes()) {
            if let Some(wanted) = object.variable_type(key) {
                let place = tags.get(&section.index()).and_then(|tag| context.place_of(*tag));
                check_nodes(context, place.as_ref(), *property, &wanted, reporter);
            }
            continue;
        }
        if key.starts_with('_') {
            check_typed(context, *property, reporter);
            continue;
        }
        let (refused, consequence) = match target {
            Target::Native(found) => (
                refused_by_class(context, *property, *found),
                "Godot sets a different value, and the next save makes it permanent",
            ),
            Target::Script => (
                refused_by_script(context, object, *property, key),
                "Godot drops the value, and the next save removes it",
            ),
            Target::Unknown | Target::Nothing => (None, ""),
        };
        let Some(Refused { wanted, given }) = refused else {
            check_typed(context, *property, reporter);
            continue;
        };
        let (key, wanted) = (quote(key.as_bytes()), quote(wanted.as_bytes()));
        reporter
            .report(property.value_span(), format!("{key} takes {wanted}, not {given}"))
            .consequence(consequence);
    }
}

/// Reports nodes of another class than their variable takes, by the paths from the node that has it.
fn check_nodes(
    context: &SceneContext<'_>,
    place: Option<&NodeInTree>,
    property: Property<'_>,
    wanted: &ValueType,
    reporter: &mut Reporter<'_>,
) {
    let Some(place) = place else { return };
    let tree = property.value_tree();
    let (class, paths) = match wanted {
        ValueType::Object(class) => (class, vec![tree.root()]),
        ValueType::Array(element) | ValueType::Dictionary(_, element) => {
            let ValueType::Object(class) = &**element else { return };
            let root = tree.root();
            let inner = if root.kind() == PartKind::Typed { root.children().last() } else { None };
            let inner = inner.unwrap_or(root);
            let entries = inner.entries().map(|(_, value)| value);
            let is_array = inner.kind() == PartKind::Array;
            (class, if is_array { inner.children().collect() } else { entries.collect() })
        }
        _ => return,
    };
    for part in paths {
        let Some(path) = part.inner_text("NodePath").map(|path| lossy(&path)) else { continue };
        let Some(node) = place.find(context.project, &path).place() else { continue };
        let object = context.attached_to_place(&node);
        if !is_of_class(context, &object, class) {
            let key = quote(&property.engine_key());
            let (wanted, given) = (quote(wanted.to_string().as_bytes()), object.called());
            reporter
                .report(part.span(), format!("{key} takes {wanted}, but this node is {given}"))
                .consequence("Godot does not set the property, and the next save removes the path");
        }
    }
}

/// Whether a node may be of a class.
fn is_of_class(context: &SceneContext<'_>, object: &ObjectType<'_>, class: &ObjectClass) -> bool {
    let project = context.project;
    let (Some(given), Some(native)) = (object.native(), class.native.as_deref()) else {
        return true;
    };
    let is_native =
        project.classes().class(given).is_none() || project.classes().inherits(given, native);
    let Some(script) = class.script.filter(|_| is_native) else { return is_native };
    let mut files = object.script_file().into_iter();
    !object.has_known_scripts()
        || files.any(|file| project.scripts().files_of_chain(project, file).contains(&script))
}

/// Reports `Array[…](…)` and `Dictionary[…](…)` with an element that Godot does not convert to their type.
fn check_typed(context: &SceneContext<'_>, property: Property<'_>, reporter: &mut Reporter<'_>) {
    if !matches!(property.kind(), ValueKind::Construct | ValueKind::Array | ValueKind::Dictionary)
        || memmem::find(property.source(), b"y[").is_none()
    {
        return;
    }
    let tree = property.value_tree();
    for value in tree.parts().filter(|part| part.kind() == PartKind::Typed) {
        let Some(wanted) = written_type(context, value) else { continue };
        let Some(given) = refused(context, value, &wanted, Place::Variable) else { continue };
        let Some(inner) = value.children().last() else { continue };
        let written = &value.source()[..(inner.span().start - value.span().start) as usize];
        let written = written.trim_ascii_end();
        let written = quote(written.strip_suffix(b"(").unwrap_or(written));
        let message = format!("{written} does not take {given}");
        let diagnostic = reporter.report(value.span(), message);
        diagnostic.consequence(
            "Godot logs an error and uses an empty container, and the next save makes it permanent",
        );
    }
}

/// The type in front of a container. Scripts count as objects of any class.
fn written_type(context: &SceneContext<'_>, value: PartRef<'_>) -> Option<ValueType> {
    let of = |part: PartRef<'_>| {
        let name = std::str::from_utf8(part.source()).ok()?;
        let name = if part.kind() == PartKind::Word { name } else { "Object" };
        Some(ValueType::of_native(context.project.classes(), name))
    };
    let parts: Vec<PartRef<'_>> = value.children().collect();
    match (value.name(), parts.as_slice()) {
        (b"Array", [element, _]) => Some(ValueType::Array(Box::new(of(*element)?))),
        (b"Dictionary", [key, element, _]) => {
            Some(ValueType::Dictionary(Box::new(of(*key)?), Box::new(of(*element)?)))
        }
        _ => None,
    }
}

/// Reports values that a shader makes nothing of.
fn check_shader_parameters(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    for Parameter { property, name, kind } in shader_parameters::all(context) {
        let Kind::Known(wanted) = kind else { continue };
        let Some(given) = refused_by_shader(context, property, &wanted) else { continue };
        let (name, wanted) = (quote(name.as_bytes()), quote(wanted.to_string().as_bytes()));
        reporter
            .report(property.value_span(), format!("{name} takes {wanted}, not {given}"))
            .consequence("the shader uses a different value");
    }
}

fn refused_by_shader(
    context: &SceneContext<'_>,
    property: Property<'_>,
    wanted: &ValueType,
) -> Option<String> {
    let given = type_in(property)?;
    let name = || quote(given.name().as_bytes());
    match (given, wanted) {
        (_, ValueType::Object(class)) if given == VariantType::Object => {
            refused_class(context, property.value_tree().root(), class)
        }
        (_, ValueType::Object(_)) => Some(name()),
        (VariantType::Object, ValueType::Of(_)) => Some("a resource".to_owned()),
        (_, ValueType::Of(wanted)) => (!suits_shader(given, *wanted)).then(name),
        _ => None,
    }
}

/// Whether a shader makes something of a value: numbers of any kind, as many of them.
fn suits_shader(given: VariantType, wanted: VariantType) -> bool {
    use VariantType::*;
    let count = |ty| match ty {
        Bool | Int | Float => 1,
        Vector2 | Vector2i => 2,
        Vector3 | Vector3i => 3,
        Vector4 | Vector4i | Color | Quaternion | Plane | Rect2 | Rect2i => 4,
        Transform2D | Basis | Transform3D | Projection => 16,
        _ if is_list(ty) => 100,
        _ => 0,
    };
    let (found, needed) = (count(given), count(wanted));
    given == wanted || found == needed && found > 0 || wanted == Color && found == 3
}

/// The accepted values of a property, and the value that it does not accept.
struct Refused {
    wanted: String,
    given: String,
}

/// A value that the setter of a class does not take.
fn refused_by_class(
    context: &SceneContext<'_>,
    property: Property<'_>,
    found: PropertyInfo<'_>,
) -> Option<Refused> {
    let name = found.type_name();
    // Any value becomes a text there.
    if found.is_of_element() && matches!(name, "String" | "StringName") {
        return None;
    }
    let wanted = Wanted::of(name);
    let given = match type_in(property)? {
        VariantType::Object => refused_object(context, property.value_tree().root(), &wanted)?,
        given if refused_type(context, given, &wanted) => quote(given.name().as_bytes()),
        _ => return None,
    };
    Some(Refused { wanted: name.to_owned(), given })
}

/// A value that a variable of a script does not take.
fn refused_by_script(
    context: &SceneContext<'_>,
    object: &ObjectType<'_>,
    property: Property<'_>,
    key: &str,
) -> Option<Refused> {
    // Without a type in the source, the variable takes any value.
    if !matches!(object.property(key), Member::Script(found) if found.type_name.is_some()) {
        return None;
    }
    let wanted = object.variable_type(key)?;
    let given = refused(context, property.value_tree().root(), &wanted, Place::Variable)?;
    Some(Refused { wanted: wanted.to_string(), given })
}

/// Where a value is: the conversions differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Variable,
    Element,
}

/// The value, or the first element, that a variable of a type does not take.
fn refused(
    context: &SceneContext<'_>,
    value: PartRef<'_>,
    wanted: &ValueType,
    place: Place,
) -> Option<String> {
    let is_null = value.source() == b"null";
    if is_null {
        let takes_null = place == Place::Variable
            || !matches!(wanted, ValueType::Of(_) | ValueType::Enum { .. });
        return (!takes_null).then(|| "`null` as an element".to_owned());
    }
    let given = type_of(value)?;
    let wrong = || {
        let name = quote(given.name().as_bytes());
        Some(if place == Place::Element { format!("{name} as an element") } else { name })
    };
    let inner = match value.kind() {
        PartKind::Typed => value.children().last()?,
        _ => value,
    };
    match wanted {
        ValueType::Unknown | ValueType::Any => None,
        ValueType::Object(class) => match given {
            VariantType::Object => refused_class(context, value, class),
            // `node_paths` is missing, which another rule reports.
            VariantType::NodePath if class.is_node => None,
            _ => wrong(),
        },
        ValueType::Array(_) if inner.kind() != PartKind::Array => wrong(),
        ValueType::Array(element) => {
            inner.children().find_map(|part| refused(context, part, element, Place::Element))
        }
        ValueType::Dictionary(..) if inner.kind() != PartKind::Dictionary => wrong(),
        ValueType::Dictionary(of_key, of_value) => inner.entries().find_map(|(key, value)| {
            refused(context, key, of_key, Place::Element)
                .or_else(|| refused(context, value, of_value, Place::Element))
        }),
        ValueType::Of(_) | ValueType::Enum { .. } => {
            let to = wanted.variant_type()?;
            let converts = match (place, value.text()) {
                (Place::Variable, Some(text)) if given == VariantType::String => {
                    converts_text(&text, to)
                }
                (Place::Variable, _) => converts_in_script(given, to),
                (Place::Element, _) => converts(given, to),
            };
            if given == to || converts { None } else { wrong() }
        }
    }
}

/// The class of a resource, if a variable does not take it.
fn refused_class(
    context: &SceneContext<'_>,
    value: PartRef<'_>,
    class: &ObjectClass,
) -> Option<String> {
    let native = class.native.as_deref()?;
    if let Some(given) = refused_object(context, value, &Wanted::Classes(native)) {
        return Some(given);
    }
    let wanted = class.script?;
    let (script, called) = match value.inner_text("SubResource") {
        Some(id) => {
            let object = context.attached(context.sub_resource(&id)?);
            (object.has_known_scripts().then(|| object.script_file())?, object.called())
        }
        None => {
            let id = value.inner_text("ExtResource")?;
            let ResolvedPath::File(file) = *context.target_of_id(&id)? else { return None };
            let name = context.project.facts(file).script_class.as_deref()?;
            (Some(context.project.scripts().class(name)?), quote(name.as_bytes()))
        }
    };
    let scripts = context.project.scripts();
    let files = script.map(|file| scripts.files_of_chain(context.project, file));
    let has_script = files.is_some_and(|files| files.contains(&wanted));
    (!has_script).then_some(called)
}

/// Whether a variable of a script takes a text for a value of another type: something of the text has to remain.
fn converts_text(text: &[u8], to: VariantType) -> bool {
    match to {
        VariantType::Int | VariantType::Float => text.iter().any(u8::is_ascii_digit),
        VariantType::Color => {
            let digits = text.strip_prefix(b"#").unwrap_or(text);
            match digits.iter().all(u8::is_ascii_hexdigit) {
                true => matches!(digits.len(), 3 | 4 | 6 | 8),
                // A name.
                false => digits.len() == text.len(),
            }
        }
        to => converts_in_script(VariantType::String, to),
    }
}

/// Whether a variable of a script takes a value of another type (`GDScriptInstance::set`): the type has a constructor for it.
/// All pairs as Godot 4.6.3 loads them, which `scripts/test/project/exported_values.sh` compares.
fn converts_in_script(from: VariantType, to: VariantType) -> bool {
    use VariantType::*;
    match to {
        Bool | Int | Float => matches!(from, Bool | Int | Float),
        Color => matches!(from, Int | String),
        String | StringName | NodePath => matches!(from, String | StringName | NodePath),
        Vector2 | Vector2i => matches!(from, Vector2 | Vector2i),
        Rect2 | Rect2i => matches!(from, Rect2 | Rect2i),
        Vector3 | Vector3i | Plane => matches!(from, Vector3 | Vector3i),
        Vector4 | Vector4i => matches!(from, Vector4 | Vector4i),
        Transform2D => from == Transform3D,
        Quaternion => from == Basis,
        Basis => from == Quaternion,
        Transform3D => matches!(from, Transform2D | Quaternion | Basis | Projection),
        Projection => matches!(from, Transform2D | Quaternion | Basis | Transform3D),
        Array => is_list(from),
        _ => from == Array && is_list(to),
    }
}

/// Whether a property of a type may accept a value, if that can be determined.
pub(super) fn may_take(context: &SceneContext<'_>, value: PartRef<'_>, type_name: &str) -> bool {
    let wanted = Wanted::of(type_name);
    match type_of(value) {
        None => true,
        Some(VariantType::Object) => refused_object(context, value, &wanted).is_none(),
        Some(given) => !refused_type(context, given, &wanted),
    }
}

/// Whether two values have types that become each other, if that can be determined.
pub(super) fn may_replace(value: PartRef<'_>, other: PartRef<'_>) -> bool {
    let (Some(given), Some(wanted)) = (type_of(value), type_of(other)) else { return true };
    given == wanted || !is_plain(given) || !is_plain(wanted) || converts(given, wanted)
}

/// Whether the property does not take values of the type.
fn refused_type(context: &SceneContext<'_>, given: VariantType, wanted: &Wanted<'_>) -> bool {
    let is_known = |ty| is_plain(ty) || ty.shape() == Shape::Packed || ty == VariantType::Rid;
    match *wanted {
        Wanted::Anything => false,
        Wanted::Type(wanted) => {
            given != wanted && is_known(given) && is_known(wanted) && !converts(given, wanted)
        }
        Wanted::Classes(names) => {
            let first = names.split(',').next().unwrap_or_default();
            context.project.classes().class(first).is_some()
        }
    }
}

/// [`type_of`] the value of a property. The parser has determined most of them.
fn type_in(property: Property<'_>) -> Option<VariantType> {
    match property.kind() {
        ValueKind::Null => None,
        ValueKind::Bool => Some(VariantType::Bool),
        ValueKind::String => Some(VariantType::String),
        ValueKind::StringName => Some(VariantType::StringName),
        ValueKind::Construct => {
            let source = property.source();
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            type_of_construct(&source[..source.iter().take_while(|byte| is_part(byte)).count()])
        }
        _ => type_of(property.value_tree().root()),
    }
}

/// The type of a value; nothing for `null` and unclear values.
fn type_of(value: PartRef<'_>) -> Option<VariantType> {
    Some(match value.kind() {
        PartKind::String => VariantType::String,
        PartKind::StringName => VariantType::StringName,
        PartKind::Number if value.int().is_some() => VariantType::Int,
        PartKind::Number => VariantType::Float,
        PartKind::Color => VariantType::Color,
        PartKind::Array => VariantType::Array,
        PartKind::Dictionary => VariantType::Dictionary,
        PartKind::Word => match value.source() {
            b"true" | b"false" => VariantType::Bool,
            b"inf" | b"nan" | b"inf_neg" | b"-inf" => VariantType::Float,
            _ => return None,
        },
        PartKind::Construct | PartKind::Numbers | PartKind::Typed => {
            return type_of_construct(value.name());
        }
    })
}

fn type_of_construct(name: &[u8]) -> Option<VariantType> {
    match name {
        b"ExtResource" | b"SubResource" | b"Resource" => Some(VariantType::Object),
        name => variant_type(name),
    }
}

/// The class of the resource, or that it is one, if the property does not take it.
fn refused_object(
    context: &SceneContext<'_>,
    value: PartRef<'_>,
    wanted: &Wanted<'_>,
) -> Option<String> {
    let classes = context.project.classes();
    let class = class_of(context, value)?;
    classes.class(&class)?;
    match *wanted {
        Wanted::Anything => None,
        Wanted::Type(wanted) => {
            let is_refused = is_plain(wanted) || wanted.shape() == Shape::Packed;
            is_refused.then(|| "a resource".to_owned())
        }
        Wanted::Classes(names) => {
            // A file may hold an heir of the class that is known of it. A resource in the text has exactly
            // its type.
            let is_exact = value.name() == b"SubResource";
            let takes = |name: &str| {
                classes.inherits(&class, name) || !is_exact && classes.inherits(name, &class)
            };
            let mut names = names.split(',').filter(|name| !name.starts_with('-'));
            let are_known = names.clone().all(|name| classes.class(name).is_some());
            (are_known && !names.any(takes)).then(|| quote(class.as_bytes()))
        }
    }
}

/// The class of the resource that a value refers to.
fn class_of(context: &SceneContext<'_>, value: PartRef<'_>) -> Option<String> {
    if let Some(id) = value.inner_text("SubResource") {
        return class_of_sub_resource(context, &id);
    }
    let id = value.inner_text("ExtResource")?;
    let ResolvedPath::File(file) = *context.target_of_id(&id)? else { return None };
    context.project.resource_type(file).map(str::to_owned)
}

/// The class that Godot makes of the `sub_resource` with an id.
pub(super) fn class_of_sub_resource(context: &SceneContext<'_>, id: &[u8]) -> Option<String> {
    let section = context.sub_resource(id)?;
    let class = lossy(&section.field_text("type")?);
    let made = context.project.classes().class_for_older_name(&class);
    Some(made.map_or(class, str::to_owned))
}
