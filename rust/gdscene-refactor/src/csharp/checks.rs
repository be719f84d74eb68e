//! Whether a member of a class in C# can be called otherwise.

use godot_project::scripts::Chain;
use godot_project::scripts::uses::MemberKind;
use godot_project::{Project, Script};
use hashbrown::HashSet;

use crate::RefactorError;
use crate::csharp::InCsharp;

/// At most this number of classes and interfaces is checked.
const MOST_CLASSES: usize = 1000;

/// Names that all objects have (`System.Object`, and `GodotObject` beyond Godot's `Object`,
/// modules/mono/glue/GodotSharp/GodotSharp/Core/GodotObject.base.cs, Godot 4.6.3).
const OF_OBJECTS: &[&str] = &[
    "Equals",
    "Finalize",
    "GetHashCode",
    "GetType",
    "MemberwiseClone",
    "ReferenceEquals",
    "ToString",
    "Dispose",
    "NativeInstance",
    "ToSignal",
    "MethodName",
    "PropertyName",
    "SignalName",
];

impl InCsharp<'_> {
    /// Whether the class has an interface that has the member too. Returns why that is unknown.
    ///
    /// # Errors
    /// When it has one.
    pub(super) fn check_interfaces(&self) -> Result<Option<String>, RefactorError> {
        let Some(types) = &self.member.types else { return Ok(None) };
        let mut seen = HashSet::new();
        let mut open: Vec<String> = vec![self.member.class.to_owned()];
        open.extend(self.member.heirs.iter().map(|heir| (*heir).to_owned()));
        let mut unknown = None;
        while let Some(class) = open.pop() {
            if seen.len() > MOST_CLASSES || !seen.insert(class.clone()) {
                continue;
            }
            let Some(found) = types.class(&class) else {
                if is_interface(&class) {
                    unknown = Some(format!(
                        "`{class}`, an interface of the class or of a class that extends it, may require `{}`",
                        self.member.name
                    ));
                }
                continue;
            };
            if found.is_interface && found.has_member(self.member.name) {
                return Err(self.asked_by(&class));
            }
            open.extend(found.bases.iter().map(|base| without_arguments(base).to_owned()));
        }
        Ok(unknown)
    }

    /// Whether the class itself, or one that extends it, has an interface.
    pub(super) fn has_interface(&self, name: &str) -> bool {
        let Some(types) = &self.member.types else { return false };
        let classes = std::iter::once(self.member.class).chain(self.member.heirs.iter().copied());
        let mut bases = classes.filter_map(|class| types.class(class));
        bases.any(|class| class.bases.iter().any(|base| without_arguments(base) == name))
    }

    pub(super) fn asked_by(&self, interface: &str) -> RefactorError {
        RefactorError::Refused(format!(
            "the interface `{interface}` requires `{}`, or a class that extends it, to have `{}`",
            self.member.class, self.member.name
        ))
    }
}

fn without_arguments(type_name: &str) -> &str {
    let name = type_name.split('<').next().unwrap_or(type_name);
    name.rsplit('.').next().unwrap_or(name)
}

/// Whether it is called as interfaces are: `IDisposable`.
fn is_interface(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next() == Some('I') && letters.next().is_some_and(char::is_uppercase)
}

/// Whether no other member has the new name: in the script at a path, in its bases, and in scripts that extend it.
///
/// # Errors
/// When it is taken.
pub(crate) fn check_free(
    project: &Project,
    (path, script): (&str, &Script),
    chain: &Chain<'_>,
    (new, kind): (&str, MemberKind),
) -> Result<(), RefactorError> {
    check_scripts(project, (path, script), chain, new)?;
    check_native(project, path, chain, (new, kind))
}

fn check_scripts(
    project: &Project,
    (path, script): (&str, &Script),
    chain: &Chain<'_>,
    new: &str,
) -> Result<(), RefactorError> {
    let clash = |what: String| Err(RefactorError::Clash { what });
    if let Some(kind) = chain.scripts.iter().find_map(|found| member_kind(found, new)) {
        return clash(format!(
            "`{path}`, or a script that it extends, already has a {kind} `{new}`"
        ));
    }
    for file in project.files() {
        if project.scripts().script(file).is_none() {
            continue;
        }
        let heir = project.scripts().chain(project, file);
        let Some(depth) = heir.scripts.iter().position(|base| std::ptr::eq(base.as_ref(), script))
        else {
            continue;
        };
        if let Some(kind) = heir.scripts[..depth].iter().find_map(|heir| member_kind(heir, new)) {
            let heir = project.path(file);
            return clash(format!(
                "`{heir}`, which extends `{path}`, already has a {kind} `{new}`"
            ));
        }
    }
    Ok(())
}

fn member_kind(script: &Script, name: &str) -> Option<&'static str> {
    if script.variable(name).is_some() {
        Some("variable")
    } else if script.function(name).is_some() {
        Some("function")
    } else if script.signal(name).is_some() {
        Some("signal")
    } else if script.class(name).is_some() {
        Some("class")
    } else if script.preloads.iter().any(|(found, _)| found == name) {
        Some("constant")
    } else {
        None
    }
}

/// Whether no native class that the script extends has the new name. In C#, `get_node` is `GetNode`.
fn check_native(
    project: &Project,
    path: &str,
    chain: &Chain<'_>,
    (new, kind): (&str, MemberKind),
) -> Result<(), RefactorError> {
    let clash = |owner: &str| {
        Err(RefactorError::Clash {
            what: format!("`{owner}`, which `{path}` extends, already has a member `{new}`"),
        })
    };
    if OF_OBJECTS.contains(&new) {
        return clash("GodotObject");
    }
    let emitted = new.strip_prefix("EmitSignal").filter(|_| kind != MemberKind::Signal);
    let native = chain.native.as_deref().unwrap_or("Object");
    let wanted = plain(new);
    for class in project.classes().lineage(native) {
        let is_accessor = |name: &str| {
            let of = name.strip_prefix("get_").or_else(|| name.strip_prefix("set_"));
            of.is_some_and(|of| class.property(of).is_some())
        };
        let has = class.property_names().any(|name| plain(name) == wanted)
            || class.method_names().any(|name| plain(name) == wanted && !is_accessor(name))
            || class.signal_names().any(|name| plain(name) == wanted)
            || emitted
                .is_some_and(|new| class.signal_names().any(|name| plain(name) == plain(new)));
        if has {
            return clash(class.name());
        }
    }
    Ok(())
}

/// Whether a class of Godot's has a member that is called so in C#.
pub(crate) fn may_be_member(project: &Project, name: &str) -> bool {
    let wanted = plain(name);
    let classes = project.classes();
    let mut found = classes.class_names().filter_map(|class| classes.class(class));
    found.any(|class| class.property_names().any(|name| plain(name) == wanted))
}

/// A name as it is the same in GDScript and C#: `_get_node` and `_GetNode` are `_getnode`.
fn plain(name: &str) -> String {
    let private = if name.starts_with('_') { "_" } else { "" };
    let letters = name.chars().filter(|letter| *letter != '_');
    private.chars().chain(letters.flat_map(char::to_lowercase)).collect()
}
