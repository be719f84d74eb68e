//! The type of a property: by the table of classes, or by its declaration in a script.

use godot_variant::VariantType;

use crate::class_db::{ClassDb, PropertyEnum};
use crate::project::{FileId, Project};
use crate::res_path::{extension_of, resolve_path};
use crate::script::Variable;
use crate::scripts::Chain;

/// Types contain types at most so deep: GDScript refuses nested ones.
const MAX_DEPTH: u32 = 4;

/// The type of a property.
///
/// ```
/// use godot_project::{Project, ValueType};
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n");
/// # write("tower.gd", "extends Node\n@export var targets: Array[Node2D]\n");
/// # let project = Project::open(folder.path()).unwrap();
///
/// // `@export var targets: Array[Node2D]`
/// let chain = project.scripts().chain(&project, project.file("res://tower.gd").unwrap());
/// let targets = ValueType::of_variable(&project, &chain, chain.variable("targets").unwrap());
/// assert_eq!(targets.to_string(), "Array[Node2D]");
/// assert!(targets.holds_nodes());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// Nothing is known of it.
    Unknown,
    /// A value of any type.
    Any,
    /// A value of one type. The elements of arrays and dictionaries may have any.
    Of(VariantType),
    /// A whole number. Some numbers have names.
    Enum {
        /// Its name.
        name: String,
        /// The names with the numbers.
        values: Vec<(String, i64)>,
    },
    /// An object.
    Object(ObjectClass),
    /// An array with elements of one type.
    Array(Box<Self>),
    /// A dictionary with keys and values of one type each.
    Dictionary(Box<Self>, Box<Self>),
}

/// Which objects a property takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectClass {
    /// The class, or several with `,` between them and `-` in front of one that is excluded: `BaseMaterial3D,ShaderMaterial`.
    pub name: String,
    /// The native class of the objects, if it is known.
    pub native: Option<String>,
    /// The script, if the class is declared by one.
    pub script: Option<FileId>,
    /// Whether the objects are nodes: scenes hold their paths.
    pub is_node: bool,
}

impl ValueType {
    /// The type of a property of a native class, by [`type_name`](crate::PropertyInfo::type_name).
    pub fn of_native(classes: &ClassDb, type_name: &str) -> Self {
        match VariantType::from_name(type_name) {
            _ if type_name == "Variant" => Self::Any,
            Some(VariantType::Object) | None => {
                let is_known = classes.class(type_name).is_some();
                let native = is_known.then(|| type_name.to_owned());
                // Native properties hold nodes as paths only where their type is `NodePath`.
                Self::Object(ObjectClass {
                    name: type_name.to_owned(),
                    native,
                    script: None,
                    is_node: false,
                })
            }
            Some(of) => Self::Of(of),
        }
    }

    /// The type of the property of a native class with this key, including properties of its elements (`bones/0/name`);
    /// nothing if the class has no such property.
    pub fn of_native_property(classes: &ClassDb, class: &str, key: &str) -> Option<Self> {
        let found = classes.property(class, key)?;
        if found.type_name() == "int"
            && let Some(found) = PropertyEnum::of(classes, class, key)
        {
            let values = found.values().map(|(name, number)| (name.to_owned(), number)).collect();
            return Some(Self::Enum { name: found.name.to_owned(), values });
        }
        let holds = Self::of_native(classes, found.type_name());
        // Each parameter of a shader has a type of its own.
        let is_open = found.is_of_element() && holds == Self::Any;
        Some(if is_open { Self::Unknown } else { holds })
    }

    /// The type of a variable of a script.
    pub fn of_variable(project: &Project, chain: &Chain<'_>, variable: &Variable) -> Self {
        let is_csharp = chain.file.is_some_and(|file| extension_of(project.path(file)) == "cs");
        let written = variable.type_name.as_deref();
        let holds_number = match (written, &variable.value) {
            (Some(written), _) => written == "int",
            (None, value) => value.as_ref().is_none_or(|value| value.parse::<i64>().is_ok()),
        };
        // Others hold the name itself.
        if !variable.choices.is_empty() && holds_number {
            return Self::Enum { name: "int".to_owned(), values: variable.choices.clone() };
        }
        match (written, &variable.value) {
            (Some(written), _) if is_csharp => match csharp_type(written) {
                Some(of) => Self::Of(of),
                None => Self::named(project, chain, written, 0),
            },
            (Some(written), _) => Self::named(project, chain, written, 0),
            // A constructor means the same in GDScript and in a scene.
            (None, Some(value)) => match godot_tscn::parse_value(value.as_bytes()) {
                Ok(value) if value.variant_type() != VariantType::Nil => {
                    Self::Of(value.variant_type())
                }
                _ => Self::Unknown,
            },
            (None, None) => Self::Any,
        }
    }

    /// The type with a name as a script writes it.
    fn named(project: &Project, chain: &Chain<'_>, written: &str, depth: u32) -> Self {
        let written = written.trim();
        if depth >= MAX_DEPTH {
            return Self::Unknown;
        }
        let inner = |text: &str| Self::named(project, chain, text, depth + 1);
        if let Some((outer, arguments)) = written.split_once('[') {
            let Some(arguments) = arguments.trim_end().strip_suffix(']') else {
                return Self::Unknown;
            };
            return match (outer.trim(), arguments.split_once(',')) {
                ("Array", None) => Self::array(inner(arguments)),
                ("Dictionary", Some((key, value))) => Self::dictionary(inner(key), inner(value)),
                _ => Self::Unknown,
            };
        }
        match VariantType::from_name(written) {
            _ if written == "Variant" => Self::Any,
            Some(VariantType::Nil) => Self::Unknown,
            Some(VariantType::Object) => Self::object(project, written, Some("Object"), None),
            Some(of) => Self::Of(of),
            None => match written.split_once('.') {
                Some((owner, name)) => Self::in_class(project, chain, owner.trim(), name.trim()),
                None => Self::in_scope(project, chain, written),
            },
        }
    }

    /// The meaning of a name without a `.` in a script.
    fn in_scope(project: &Project, chain: &Chain<'_>, name: &str) -> Self {
        if let Some(found) = chain.scripts.iter().find_map(|script| script.enumeration(name)) {
            return Self::of_script_enum(found);
        }
        if chain.scripts.iter().any(|script| script.class(name).is_some()) {
            return Self::Unknown;
        }
        if let Some(file) = preloaded(project, chain, name) {
            return Self::of_script(project, name, file);
        }
        let classes = project.classes();
        let native = chain.native.as_deref();
        if let Some(found) = native.and_then(|class| Self::of_native_enum(classes, class, name)) {
            return found;
        }
        if let Some(file) = project.scripts().class(name) {
            return Self::of_script(project, name, file);
        }
        match classes.class(name) {
            Some(class) => Self::object(project, name, Some(class.name()), None),
            None => Self::Unknown,
        }
    }

    /// The meaning of `owner.name` in a script.
    fn in_class(project: &Project, chain: &Chain<'_>, owner: &str, name: &str) -> Self {
        let file = preloaded(project, chain, owner).or_else(|| project.scripts().class(owner));
        if let Some(file) = file {
            let chain = project.scripts().chain(project, file);
            let found = chain.scripts.iter().find_map(|script| script.enumeration(name));
            return found.map_or(Self::Unknown, Self::of_script_enum);
        }
        Self::of_native_enum(project.classes(), owner, name).unwrap_or(Self::Unknown)
    }

    fn of_script_enum(found: &crate::script::Enum) -> Self {
        let known =
            found.values.iter().filter_map(|(name, number)| Some((name.clone(), (*number)?)));
        Self::Enum { name: found.name.clone(), values: known.collect() }
    }

    fn of_native_enum(classes: &ClassDb, class: &str, name: &str) -> Option<Self> {
        let values = classes.lineage(class).find_map(|class| class.enum_values(name))?;
        let values = values.map(|(constant, number)| (constant.to_owned(), number));
        Some(Self::Enum { name: name.to_owned(), values: values.collect() })
    }

    fn of_script(project: &Project, name: &str, file: FileId) -> Self {
        let chain = project.scripts().chain(project, file);
        match &chain.native {
            Some(native) => Self::object(project, name, Some(native), Some(file)),
            None => Self::Unknown,
        }
    }

    fn object(project: &Project, name: &str, native: Option<&str>, script: Option<FileId>) -> Self {
        let is_node = native.is_some_and(|native| project.classes().inherits(native, "Node"));
        let native = native.map(str::to_owned);
        Self::Object(ObjectClass { name: name.to_owned(), native, script, is_node })
    }

    fn array(element: Self) -> Self {
        match element {
            Self::Any => Self::Of(VariantType::Array),
            element => Self::Array(Box::new(element)),
        }
    }

    fn dictionary(key: Self, value: Self) -> Self {
        match (key, value) {
            (Self::Any, Self::Any) => Self::Of(VariantType::Dictionary),
            (key, value) => Self::Dictionary(Box::new(key), Box::new(value)),
        }
    }

    /// Whether scenes hold paths to nodes for it, and list it in `node_paths`.
    pub fn holds_nodes(&self) -> bool {
        match self {
            Self::Object(class) => class.is_node,
            Self::Array(element) => element.holds_nodes(),
            Self::Dictionary(key, value) => key.holds_nodes() || value.holds_nodes(),
            _ => false,
        }
    }

    /// The type of its values, if they have one.
    pub fn variant_type(&self) -> Option<VariantType> {
        Some(match self {
            Self::Unknown | Self::Any => return None,
            Self::Of(of) => *of,
            Self::Enum { .. } => VariantType::Int,
            Self::Object(_) => VariantType::Object,
            Self::Array(_) => VariantType::Array,
            Self::Dictionary(..) => VariantType::Dictionary,
        })
    }
}

/// As GDScript writes it.
impl std::fmt::Display for ValueType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown | Self::Any => f.write_str("Variant"),
            Self::Of(of) => f.write_str(of.name()),
            Self::Enum { name, .. } => f.write_str(name),
            Self::Object(class) => f.write_str(&class.name),
            Self::Array(element) => write!(f, "Array[{element}]"),
            Self::Dictionary(key, value) => write!(f, "Dictionary[{key}, {value}]"),
        }
    }
}

/// The type that has another name in C#.
fn csharp_type(written: &str) -> Option<VariantType> {
    Some(match written {
        "string" | "String" => VariantType::String,
        "double" | "Single" | "Double" => VariantType::Float,
        "sbyte" | "byte" | "short" | "ushort" | "uint" | "long" | "ulong" => VariantType::Int,
        "Aabb" => VariantType::Aabb,
        "Array" => VariantType::Array,
        _ => return None,
    })
}

/// The script that one of the scripts loads under a name.
fn preloaded(project: &Project, chain: &Chain<'_>, name: &str) -> Option<FileId> {
    let mut all = chain.scripts.iter().flat_map(|script| &script.preloads);
    let (_, path) = all.find(|(found, _)| found == name)?;
    let from = chain.file.map_or("res://a.gd", |file| project.path(file));
    let file = project.file(&resolve_path(from, path)?)?;
    matches!(extension_of(project.path(file)).as_ref(), "gd" | "cs").then_some(file)
}
