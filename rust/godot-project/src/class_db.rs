//! The contents of Godot's classes: their bases, properties, signals, methods and enums, for each
//! version.
//!
//! The facts come from the engines themselves, by `scripts/data/class_db.sh`: the descriptions of their APIs. For the
//! versions that could be run (3.6 and 4.6), they include defaults and hidden properties. Inside an editor,
//! [`ClassDbBuilder`] makes the same from the running engine.
//!
//! The table is text of the size of a megabyte. For a version, only the places of the classes are looked up; a class's
//! rows are read at its first use.
//!
//! To add a version of Godot, change `VERSIONS` here and in `scripts/data/class_db/merge.py`, and run
//! `scripts/data/class_db.sh`. Add its differences to `docs/godot-versions.md` and to the places that the page
//! names.

mod class;
mod limits;
mod live;
mod member_names;
mod order;
mod property_enums;
mod renames;
mod rows;

use std::borrow::Cow;
use std::sync::OnceLock;

use godot_tscn::GodotVersion;
use hashbrown::HashMap;
use memchr::memmem;

use class::PropertyRow;
pub use class::{Class, MethodInfo, PropertyInfo, SignalInfo};
pub use limits::{Beyond, Limits};
pub use live::{ClassDbBuilder, LiveClass};
pub(crate) use member_names::MemberKind;
use member_names::MemberNames;
pub use order::PropertyRank;
pub use property_enums::PropertyEnum;
pub use renames::{RenamedClass, RenamedProperty, RenamedValues};
use rows::{Kind, Rows};

/// The classes of one version of Godot.
///
/// ```
/// use godot_project::ClassDb;
/// use godot_tscn::GodotVersion;
///
/// let classes = ClassDb::for_version(GodotVersion::godot4(6));
/// assert!(classes.inherits("Sprite2D", "CanvasItem"));
/// assert_eq!(classes.property("Sprite2D", "position").unwrap().type_name(), "Vector2");
/// assert_eq!(classes.default("Button", "focus_mode"), Some("2"));
/// assert_eq!(classes.signal("Area2D", "body_entered").unwrap().argument_count(), 1);
/// ```
#[derive(Debug)]
pub struct ClassDb {
    text: Cow<'static, str>,
    version: Option<GodotVersion>,
    version_bit: u8,
    classes: HashMap<Box<str>, Entry>,
    member_names: MemberNames,
}

/// Where a class's rows are, and the rows once they were read.
#[derive(Debug)]
struct Entry {
    name: (u32, u32),
    block: (u32, u32),
    rows: OnceLock<Rows>,
    /// The names of the class and its bases: rules ask all the time whether a class inherits another one.
    lineage: OnceLock<Box<[(u32, u32)]>>,
    /// The properties of the class and its bases, by name: scenes name them all the time.
    properties: OnceLock<HashMap<String, PropertyRow>>,
}

/// The table that is part of the program.
const CLASSES: &str = include_str!("../data/classes.txt");

/// The versions of [`CLASSES`], in the order of their bits.
const VERSIONS: [GodotVersion; 7] = [
    GodotVersion::LAST_3,
    GodotVersion::godot4(2),
    GodotVersion::godot4(3),
    GodotVersion::godot4(4),
    GodotVersion::godot4(5),
    GodotVersion::godot4(6),
    GodotVersion::godot4(7),
];

/// The bit of the rows that [`ClassDb::from_text`] reads.
const LIVE: u8 = 1 << 7;

impl ClassDb {
    /// The classes of this version, or of the nearest one that is known: all of Godot 3 stand for 3.6, 4.0 and 4.1 for
    /// 4.2.
    pub fn for_version(version: GodotVersion) -> &'static Self {
        static TABLES: [OnceLock<ClassDb>; VERSIONS.len()] =
            [const { OnceLock::new() }; VERSIONS.len()];
        let index = match version {
            GodotVersion { major: 4.., minor } => {
                usize::from(minor).saturating_sub(1).clamp(1, VERSIONS.len() - 1)
            }
            _ => 0,
        };
        TABLES[index]
            .get_or_init(|| Self::index(Cow::Borrowed(CLASSES), Some(VERSIONS[index]), 1 << index))
    }

    /// The classes of a running engine, in the form of `rust/godot-project/data/classes.txt`: a `=Class` line for each class
    /// and its rows, all with the version `80`. Rows that make no sense are left out.
    ///
    /// ```
    /// use godot_project::ClassDb;
    ///
    /// let classes = ClassDb::from_text("=Object\nb80\n=Tower\nb80\tObject\t+\np80\theight\tfloat\n".into());
    /// assert!(classes.property("Tower", "height").is_some());
    /// ```
    pub fn from_text(text: String) -> Self {
        Self::index(Cow::Owned(text), None, LIVE)
    }

    /// Which version's classes these are; nothing for those of a running engine.
    pub fn version(&self) -> Option<GodotVersion> {
        self.version
    }

    fn index(text: Cow<'static, str>, version: Option<GodotVersion>, version_bit: u8) -> Self {
        let mut classes = HashMap::with_capacity(1400);
        let bytes = text.as_bytes();
        let starts: Vec<usize> = text
            .starts_with('=')
            .then_some(0)
            .into_iter()
            .chain(memmem::find_iter(bytes, "\n=").map(|at| at + 1))
            .collect();
        for (index, start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(text.len());
            let section = &text[*start..end];
            let (name, block) = section[1..].split_once('\n').unwrap_or((&section[1..], ""));
            if rows::is_in_version(block, version_bit) {
                let name_end = start + 1 + name.len();
                let block = ((end - block.len()) as u32, end as u32);
                let name_span = (*start as u32 + 1, name_end as u32);
                let entry = Entry {
                    name: name_span,
                    block,
                    rows: OnceLock::new(),
                    lineage: OnceLock::new(),
                    properties: OnceLock::new(),
                };
                classes.insert(name.into(), entry);
            }
        }
        Self { text, version, version_bit, classes, member_names: MemberNames::default() }
    }

    /// The class called `name`.
    pub fn class(&self, name: &str) -> Option<Class<'_>> {
        self.classes.get(name).map(|entry| Class { db: self, entry })
    }

    /// The names of all classes, in no order.
    pub fn class_names(&self) -> impl Iterator<Item = &str> {
        self.classes.keys().map(AsRef::as_ref)
    }

    /// The class and its bases, up to `Object`. Nothing for an unknown class.
    pub fn lineage<'d>(&'d self, class: &str) -> impl Iterator<Item = Class<'d>> + use<'d> {
        // A table from outside may hold a circle.
        const MAX_DEPTH: usize = 64;
        std::iter::successors(self.class(class), |class| class.base()).take(MAX_DEPTH)
    }

    /// Whether `class` is `base` or an heir of it.
    pub fn inherits(&self, class: &str, base: &str) -> bool {
        let Some(found) = self.class(class) else { return false };
        let names = || self.lineage(class).map(|class| class.entry.name).collect();
        let names = found.entry.lineage.get_or_init(names);
        let text = self.text.as_bytes();
        names.iter().any(|(start, end)| &text[*start as usize..*end as usize] == base.as_bytes())
    }

    /// The property `name` of the class or of a base, or of an element that its objects hold, like `bones/0/rotation`.
    pub fn property<'d>(&'d self, class: &str, name: &str) -> Option<PropertyInfo<'d>> {
        let listed = self.class(class)?.property_with_bases(name);
        listed.or_else(|| self.property_of_element(class, name))
    }

    /// Whether the class or a base takes a property `name` that is not in its list, like `bones/0/name` of `Skeleton3D`.
    pub fn takes(&self, class: &str, name: &str) -> bool {
        self.lineage(class).any(|class| class.takes(name))
    }

    /// The default of the property `name` as a scene has it, if it is known for this version.
    ///
    /// A class may have another default than its base: `focus_mode` of `Button` is 2, of `Control` 0.
    pub fn default(&self, class: &str, name: &str) -> Option<&str> {
        self.lineage(class)
            .find_map(|class| class.row(Kind::Default, name))
            .map(|row| row.details(&self.text))
    }

    /// The signal `name` of the class or of a base.
    pub fn signal<'d>(&'d self, class: &str, name: &str) -> Option<SignalInfo<'d>> {
        self.lineage(class).find_map(|class| class.signal(name))
    }

    /// The method `name` of the class or of a base.
    pub fn method<'d>(&'d self, class: &str, name: &str) -> Option<MethodInfo<'d>> {
        self.lineage(class).find_map(|class| class.method(name))
    }

    /// The new name of the class `name` of an older version.
    pub fn renamed_class(&self, name: &str) -> Option<RenamedClass> {
        renames::renamed_class(name, self.is_godot_3())
    }

    /// The class of the object that Godot makes for the older name `name`. It looks for one where it has no class of
    /// this name, or an abstract one, like `Viewport` (`ClassDB::instantiate`, core/object/class_db.cpp).
    pub fn class_for_older_name(&self, name: &str) -> Option<&'static str> {
        if self.class(name).is_some_and(Class::is_instantiable) {
            return None;
        }
        self.renamed_class(name).filter(|renamed| renamed.is_understood).map(|renamed| renamed.name)
    }

    /// The new name of the property `name` of Godot 3's class `class`, or of its successor.
    pub fn renamed_property(&self, class: &str, name: &str) -> Option<RenamedProperty> {
        let has_item = |item: &str| self.theme_items(class).contains(&item);
        renames::renamed_property(name, |new| self.property(class, new).is_some())
            .or_else(|| renames::renamed_theme_item(name, has_item))
    }

    /// The new name of the signal `name` of Godot 3.
    pub fn renamed_signal(&self, class: &str, name: &str) -> Option<&'static str> {
        renames::renamed_signal(name).filter(|new| self.signal(class, new).is_some())
    }

    /// The probable intended class for `name`: its successor if Godot renamed the class, or else the class with the most
    /// similar name.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        match self.renamed_class(name) {
            Some(renamed) => Some(renamed.name),
            None => nearest(name, self.class_names()),
        }
    }

    fn is_godot_3(&self) -> bool {
        self.version.is_some_and(|version| version.major == 3)
    }
}

/// The candidate that was probably meant by `word`.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let mut near: Vec<_> =
        candidates.into_iter().filter(|name| name.len().abs_diff(word.len()) <= 3).collect();
    near.sort_unstable();
    let found = godot_tscn::nearest(word.as_bytes(), near.iter().map(|name| name.as_bytes()))?;
    near.iter().find(|name| name.as_bytes() == found).copied()
}

#[cfg(test)]
mod tests;
