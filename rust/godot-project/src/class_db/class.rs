//! A class and its contents: views into the text of a [`ClassDb`].

use hashbrown::HashMap;

use crate::class_db::rows::{Kind, Row, Rows};
use crate::class_db::{ClassDb, Entry};

/// A class of a [`ClassDb`].
#[derive(Clone, Copy, Debug)]
pub struct Class<'d> {
    pub(super) db: &'d ClassDb,
    pub(super) entry: &'d Entry,
}

impl<'d> Class<'d> {
    /// Its name.
    pub fn name(self) -> &'d str {
        &self.db.text[self.entry.name.0 as usize..self.entry.name.1 as usize]
    }

    /// The class that it inherits.
    pub fn base(self) -> Option<Self> {
        self.db.class(self.base_row()?.name(&self.db.text))
    }

    /// Whether an object can be made of it. Classes of the editor return false outside an editor.
    pub fn is_instantiable(self) -> bool {
        self.flags().contains('+')
    }

    /// Whether only the editor has it, an exported game does not.
    pub fn is_editor_only(self) -> bool {
        self.flags().contains('e')
    }

    /// Its own property `name`.
    pub fn property(self, name: &str) -> Option<PropertyInfo<'d>> {
        let row = self.row(Kind::Property, name)?;
        let is_stored = self.row(Kind::Transient, name).is_none();
        Some(PropertyInfo {
            name: row.name(self.text()),
            type_name: row.details(self.text()),
            is_stored,
            is_of_element: false,
        })
    }

    /// The property `name`, of its own or of a base.
    pub(super) fn property_with_bases(self, name: &str) -> Option<PropertyInfo<'d>> {
        let known = self.entry.properties.get_or_init(|| self.all_properties());
        let found = known.get(name)?;
        let (name, type_name) = (found.row.name(self.text()), found.row.details(self.text()));
        Some(PropertyInfo { name, type_name, is_stored: found.is_stored, is_of_element: false })
    }

    fn all_properties(self) -> HashMap<String, PropertyRow> {
        let mut all = HashMap::new();
        for class in self.db.lineage(self.name()) {
            for row in class.rows().of(Kind::Property) {
                let name = row.name(self.text());
                all.entry_ref(name).or_insert_with(|| {
                    let is_stored = class.row(Kind::Transient, name).is_none();
                    PropertyRow { row: *row, is_stored }
                });
            }
        }
        all
    }

    /// The names of its own properties.
    pub fn property_names(self) -> impl Iterator<Item = &'d str> {
        self.names(Kind::Property)
    }

    /// The properties that its objects have for each element that they hold, as patterns: `bones/*/rotation`.
    pub fn element_properties(self) -> impl Iterator<Item = PropertyInfo<'static>> {
        self.db.element_properties(self.name())
    }

    /// Its own signal `name`.
    pub fn signal(self, name: &str) -> Option<SignalInfo<'d>> {
        let row = self.row(Kind::Signal, name)?;
        Some(SignalInfo { name: row.name(self.text()), arguments: row.details(self.text()) })
    }

    /// The names of its own signals.
    pub fn signal_names(self) -> impl Iterator<Item = &'d str> {
        self.names(Kind::Signal)
    }

    /// Its own method `name`.
    pub fn method(self, name: &str) -> Option<MethodInfo<'d>> {
        MethodInfo::read(self.row(Kind::Method, name)?, self.text())
    }

    /// The names of its own methods.
    pub fn method_names(self) -> impl Iterator<Item = &'d str> {
        self.names(Kind::Method)
    }

    /// The values of its own enum `name`.
    pub fn enum_values(self, name: &str) -> Option<impl Iterator<Item = (&'d str, i64)>> {
        let values = self.row(Kind::Enum, name)?.details(self.text()).split(' ');
        Some(values.filter_map(|value| {
            let (name, value) = value.split_once('=')?;
            Some((name, value.parse().ok()?))
        }))
    }

    /// The names of its own enums.
    pub fn enum_names(self) -> impl Iterator<Item = &'d str> {
        self.names(Kind::Enum)
    }

    /// Whether its own `_set` takes a property called `name`.
    pub(super) fn takes(self, name: &str) -> bool {
        self.names(Kind::Dynamic).any(|pattern| matches(pattern, name))
    }

    /// Its own rows of this kind.
    pub(super) fn own(self, kind: Kind) -> &'d [Row] {
        self.rows().of(kind)
    }

    fn names(self, kind: Kind) -> impl Iterator<Item = &'d str> {
        let text = self.text();
        self.rows().of(kind).iter().map(move |row| row.name(text))
    }

    pub(super) fn row(self, kind: Kind, name: &str) -> Option<&'d Row> {
        let rows = self.rows().of(kind);
        let text = self.text();
        // Sorted by scripts/data/class_db.sh; a running engine's table is sorted when it is read.
        rows.binary_search_by(|row| row.name(text).cmp(name)).ok().map(|index| &rows[index])
    }

    fn base_row(self) -> Option<&'d Row> {
        self.rows().of(Kind::Base).first()
    }

    fn flags(self) -> &'d str {
        self.base_row().map_or("", |row| row.details(self.text()))
    }

    fn rows(self) -> &'d Rows {
        let (start, end) = self.entry.block;
        self.entry.rows.get_or_init(|| Rows::read(&self.db.text, start, end, self.db.version_bit))
    }

    fn text(self) -> &'d str {
        &self.db.text
    }
}

/// The row of a property.
#[derive(Clone, Copy, Debug)]
pub(super) struct PropertyRow {
    row: Row,
    /// Whether a scene may hold it.
    is_stored: bool,
}

/// Whether the name has the pattern; `*` means anything.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return name == pattern };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let mut parts = rest.split('*');
    let Some(end) = parts.next_back() else { return true };
    for part in parts {
        let Some(at) = name.find(part) else { return false };
        name = &name[at + part.len()..];
    }
    name.ends_with(end)
}

/// A property of a [`Class`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropertyInfo<'d> {
    name: &'d str,
    type_name: &'d str,
    is_stored: bool,
    is_of_element: bool,
}

impl<'d> PropertyInfo<'d> {
    pub(super) fn of_element(name: &'d str, type_name: &'d str) -> Self {
        Self { name, type_name, is_stored: true, is_of_element: true }
    }

    /// Its name. The name of an element's property is a pattern: `bones/*/rotation`.
    pub fn name(self) -> &'d str {
        self.name
    }

    /// Whether objects have it for each element that they hold. Godot converts almost any value for such a property, and
    /// uses the default of the type where it cannot.
    pub fn is_of_element(self) -> bool {
        self.is_of_element
    }

    /// A Variant type as Godot spells it (`int` for enums, `Variant` for any), or the class that the setter takes. If
    /// the setter is unknown, the classes of the hint, with `,` between and `-` before an excluded one:
    /// `BaseMaterial3D,ShaderMaterial`.
    pub fn type_name(self) -> &'d str {
        self.type_name
    }

    /// Whether a scene may hold it. For versions other than 3.6 and 4.6, it is the value of 4.6.
    pub fn is_stored(self) -> bool {
        self.is_stored
    }
}

/// A signal of a [`Class`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalInfo<'d> {
    name: &'d str,
    arguments: &'d str,
}

impl<'d> SignalInfo<'d> {
    /// Its name.
    pub fn name(self) -> &'d str {
        self.name
    }

    /// The types of its arguments.
    pub fn argument_types(self) -> impl Iterator<Item = &'d str> {
        self.arguments.split(',').filter(|name| !name.is_empty())
    }

    /// How many arguments it passes.
    pub fn argument_count(self) -> usize {
        self.argument_types().count()
    }
}

/// A method of a [`Class`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodInfo<'d> {
    name: &'d str,
    /// How many arguments have to be given.
    pub least: usize,
    /// How many arguments may be given; nothing if any number.
    pub most: Option<usize>,
    /// Whether it is only there for scripts to fill in.
    pub is_virtual: bool,
    /// Whether it is called without an object.
    pub is_static: bool,
}

impl<'d> MethodInfo<'d> {
    fn read(row: &Row, text: &'d str) -> Option<Self> {
        let mut words = row.details(text).split(' ');
        let least = words.next()?.parse().ok()?;
        let most = words.next()?.parse().ok();
        let flags = words.next().unwrap_or_default();
        Some(Self {
            name: row.name(text),
            least,
            most,
            is_virtual: flags.contains('v'),
            is_static: flags.contains('s'),
        })
    }

    /// Its name.
    pub fn name(self) -> &'d str {
        self.name
    }
}
