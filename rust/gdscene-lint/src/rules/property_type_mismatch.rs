//! TREE016

use godot_project::assignments::{Assignment, Target};
use godot_project::node_paths::exported_paths;
use godot_project::object_type::{Member, ObjectType};
use godot_project::settings::lossy;
use godot_project::{ObjectClass, PropertyInfo, ResolvedPath, SceneContext, ValueType};
use godot_tscn::{PartKind, PartRef, Property, Reporter, ValueKind, quote};
use godot_variant::{Shape, VariantType};
use hashbrown::HashSet;

use crate::rules::declare_rule;
use crate::rules::shader_parameters::{self, Kind, Parameter};

declare_rule! {
    /// ## What it does
    /// Reports a value that Godot cannot convert to the type of its property, or a resource of a class that the property's
    /// setter does not accept, which may be more than the inspector offers. The elements of typed arrays and dictionaries are
    /// checked too, and the parameters that materials give shaders. Of scripts, only variables in GDScript with an explicit type are checked.
    ///
    /// ## Why is this bad?
    /// Godot drops the value without a warning, and the next save removes it.
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

/// What the property takes: any value, values of a type, or resources and nodes of classes.
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

/// Whether values of the type are told from all others by how they are written.
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
    for Assignment { section, property, key, object, target } in context.assignments() {
        if exported.0 != section.index() {
            exported = (section.index(), exported_paths(*section));
        }
        // What is not for people is declared with any type: `_data` of a `Curve` as a number.
        if key == "script" || key.starts_with('_') || exported.1.contains(key.as_bytes()) {
            continue;
        }
        let refused = match target {
            Target::Native(found) => refused_by_class(context, *property, *found),
            Target::Script => refused_by_script(context, object, *property, key),
            Target::Unknown | Target::Nothing => None,
        };
        let Some(Refused { wanted, given }) = refused else { continue };
        let (key, wanted) = (quote(key.as_bytes()), quote(wanted.as_bytes()));
        reporter
            .report(property.value_span(), format!("{key} takes {wanted}, not {given}"))
            .consequence("Godot drops the value, and the next save removes it");
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
            .consequence("the shader uses another value");
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

/// What a property takes, and the value that it does not take.
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

/// Whether a property of a type may take a value, as far as can be told.
pub(super) fn may_take(context: &SceneContext<'_>, value: PartRef<'_>, type_name: &str) -> bool {
    let wanted = Wanted::of(type_name);
    match type_of(value) {
        None => true,
        Some(VariantType::Object) => refused_object(context, value, &wanted).is_none(),
        Some(given) => !refused_type(context, given, &wanted),
    }
}

/// Whether two values are of types that become each other, as far as can be told.
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

/// [`type_of`] what a property holds. For most of them the parser has told it.
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

/// The type of a value; nothing for `null` and what is not clear.
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
            // A file may hold an heir of the class that is known of it. What the text makes is what it says.
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
