//! The classes of a running engine, added one by one.

use std::collections::HashSet;
use std::fmt::Write;

use godot_tscn::GodotVersion;

use crate::class_db::rows::{self, Kind};
use crate::class_db::{Class, ClassDb, LIVE, VERSIONS};

/// Collects the contents of a running engine, for [`ClassDbBuilder::build`].
///
/// An engine does not give everything: not the names that a class's function `_set` accepts, and the defaults only by
/// making objects. The rest comes from the table of the nearest version, if it has the class. If it is the table of
/// exactly this version, it has the class's members too, so that they need not be added.
///
/// ```
/// use godot_project::{ClassDbBuilder, LiveClass};
/// use godot_tscn::GodotVersion;
///
/// let mut classes = ClassDbBuilder::new(GodotVersion::godot4(6));
/// let node = LiveClass { name: "Node", base: "Object", is_instantiable: true, is_editor_only: false };
/// assert!(!classes.add_class(&node));
/// let tower = LiveClass { name: "Tower", base: "Node", ..node };
/// if classes.add_class(&tower) {
///     classes.add_property("height", "float", true);
/// }
/// let classes = classes.build();
/// assert!(classes.property("Tower", "height").is_some());
/// assert!(classes.property("Tower", "process_mode").is_some());
/// assert!(classes.class("Node2D").is_none());
/// ```
#[derive(Debug)]
pub struct ClassDbBuilder {
    /// Rows as in `data/classes.txt`: `=` and a class, then a row for each of its contents. A row has a
    /// letter, the versions that have it as a hexadecimal mask, here always [`LIVE`], and fields between tabs.
    text: String,
    table: &'static ClassDb,
    /// Whether the table is that of the engine's version, and not of the nearest.
    is_exact: bool,
    /// The class that was added last, if the table is still to be asked for more of it.
    open: Option<&'static str>,
    /// Its properties that were added.
    told: HashSet<String>,
}

/// A class of a running engine.
#[derive(Clone, Copy, Debug)]
pub struct LiveClass<'c> {
    /// Its name.
    pub name: &'c str,
    /// The class that it inherits; empty for `Object`.
    pub base: &'c str,
    /// Whether an object can be made of it.
    pub is_instantiable: bool,
    /// Whether only the editor has it. For a class in the table, the table has this as well.
    pub is_editor_only: bool,
}

impl ClassDbBuilder {
    /// For an engine of this version.
    pub fn new(version: GodotVersion) -> Self {
        Self {
            text: String::new(),
            table: ClassDb::for_version(version),
            is_exact: VERSIONS.contains(&version),
            open: None,
            told: HashSet::new(),
        }
    }

    /// As [`ClassDbBuilder::new`] for an engine without a table that is known to be complete.
    pub fn without_members(version: GodotVersion) -> Self {
        Self { is_exact: false, ..Self::new(version) }
    }

    /// Whether the table has a class with this name, and so shows whether it is one of the editor.
    pub fn is_in_table(&self, name: &str) -> bool {
        self.table.class(name).is_some()
    }

    /// Adds a class. Returns whether its members have to be added after it, before the next class.
    pub fn add_class(&mut self, class: &LiveClass<'_>) -> bool {
        self.finish_class();
        let LiveClass { name, base, .. } = *class;
        if name.is_empty() || ![name, base].into_iter().all(is_plain) {
            return false;
        }
        let instantiable = if class.is_instantiable { "+" } else { "" };
        let known = self.table.class(name);
        let is_editor_only = class.is_editor_only || known.is_some_and(Class::is_editor_only);
        let editor = if is_editor_only { "e" } else { "" };
        self.line(format_args!("={name}"));
        self.row('b', format_args!("{base}\t{instantiable}{editor}"));
        let Some(known) = known else {
            // It is unknown whether it has a function `_set`.
            self.row('w', format_args!("*"));
            return true;
        };
        self.open = Some(known.name());
        !self.is_exact
    }

    /// Adds a property of the last class. `type_name`: [`PropertyInfo::type_name`](crate::PropertyInfo::type_name).
    pub fn add_property(&mut self, name: &str, type_name: &str, is_stored: bool) {
        if ![name, type_name].into_iter().all(is_plain) {
            return;
        }
        self.told.insert(name.to_owned());
        self.row('p', format_args!("{name}\t{type_name}"));
        if !is_stored {
            self.row('t', format_args!("{name}"));
        }
    }

    /// Adds a signal of the last class, and the types of its arguments.
    pub fn add_signal(&mut self, name: &str, argument_types: &[String]) {
        let types = argument_types.join(",");
        if is_plain(name) && is_plain(&types) {
            self.row('s', format_args!("{name}\t{types}"));
        }
    }

    /// Adds a method of the last class: how many arguments have to be given and may be (nothing if any number).
    pub fn add_method(
        &mut self,
        name: &str,
        least: usize,
        most: Option<usize>,
        (is_virtual, is_static): (bool, bool),
    ) {
        let most = most.map_or_else(|| "*".to_owned(), |most| most.to_string());
        let is_virtual = if is_virtual { "v" } else { "" };
        let is_static = if is_static { "s" } else { "" };
        if is_plain(name) {
            self.row('m', format_args!("{name}\t{least} {most} {is_virtual}{is_static}"));
        }
    }

    /// Adds an enum of the last class.
    pub fn add_enum(&mut self, name: &str, values: &[(String, i64)]) {
        let is_word = |(name, _): &(String, i64)| is_plain(name) && !name.contains([' ', '=']);
        if is_plain(name) && values.iter().all(is_word) {
            let values: Vec<_> =
                values.iter().map(|(name, value)| format!("{name}={value}")).collect();
            self.row('e', format_args!("{name}\t{}", values.join(" ")));
        }
    }

    /// The classes that were added.
    pub fn build(mut self) -> ClassDb {
        self.finish_class();
        ClassDb::from_text(self.text)
    }

    /// Adds the table's data on the last class that were not added.
    fn finish_class(&mut self) {
        let Some(name) = self.open.take() else { return };
        let Some(entry) = self.table.classes.get(name) else { return };
        let (start, end) = entry.block;
        for line in self.table.text[start as usize..end as usize].lines() {
            let Some((kind, name_start)) = rows::head(line, self.table.version_bit) else {
                continue;
            };
            let name = line[name_start..].split('\t').next().unwrap_or_default();
            let is_suppressed = match kind {
                Kind::Base => false,
                Kind::Default | Kind::Dynamic => true,
                Kind::Property | Kind::Transient => !self.told.contains(name),
                Kind::Signal | Kind::Method | Kind::Enum => self.is_exact,
            };
            if is_suppressed {
                self.text.push_str(&line[..1]);
                let _ = write!(self.text, "{LIVE:02x}");
                self.text.push_str(&line[3..]);
                self.text.push('\n');
            }
        }
        self.told.clear();
    }

    fn row(&mut self, letter: char, fields: std::fmt::Arguments<'_>) {
        self.line(format_args!("{letter}{LIVE:02x}\t{fields}"));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{line}");
    }
}

impl ClassDb {
    /// Whether these are the classes of a running engine, so that there are no others.
    pub fn is_live(&self) -> bool {
        self.version_bit == LIVE
    }
}

/// Whether a name can stand in a row.
fn is_plain(name: &str) -> bool {
    !name.contains(|letter: char| letter.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class<'c>(name: &'c str, base: &'c str) -> LiveClass<'c> {
        LiveClass { name, base, is_instantiable: true, is_editor_only: false }
    }

    #[test]
    fn the_table_of_the_version_tells_of_its_classes() {
        let version = GodotVersion::godot4(6);
        let table = ClassDb::for_version(version);
        let mut builder = ClassDbBuilder::new(version);
        for name in table.class_names() {
            let found = table.class(name).unwrap();
            let base = found.base().map_or("", |base| base.name());
            let class = LiveClass {
                name,
                base,
                is_instantiable: found.is_instantiable(),
                is_editor_only: found.is_editor_only(),
            };
            assert!(!builder.add_class(&class));
        }
        let live = builder.build();
        assert!(live.is_live() && !table.is_live());
        for name in table.class_names() {
            let (live_class, known) = (live.class(name).unwrap(), table.class(name).unwrap());
            assert_eq!(live_class.is_instantiable(), known.is_instantiable());
            assert_eq!(live_class.is_editor_only(), known.is_editor_only());
            assert!(live_class.property_names().eq(known.property_names()));
            assert!(live_class.signal_names().eq(known.signal_names()));
            assert!(live_class.method_names().eq(known.method_names()));
            assert!(live_class.enum_names().eq(known.enum_names()));
            for property in known.property_names() {
                assert_eq!(live_class.property(property), known.property(property));
            }
        }
        assert_eq!(live.default("Button", "focus_mode"), Some("2"));
        assert!(live.takes("Skeleton3D", "bones/0/name") && !live.takes("Sprite2D", "bones/0"));
        assert_eq!(live.renamed_class("Spatial").unwrap().name, "Node3D");
        assert_eq!(live.class_names().count(), table.class_names().count());
    }

    #[test]
    fn a_later_engine_tells_itself() {
        let mut builder = ClassDbBuilder::new(GodotVersion::godot4(60));
        assert!(builder.add_class(&class("Object", "")));
        assert!(builder.add_class(&class("Node", "Object")));
        builder.add_property("name", "StringName", true);
        builder.add_property("mood", "int", false);
        builder.add_signal("ready", &[]);
        builder.add_method("call", 1, None, (false, false));
        builder.add_enum("Mood", &[("MOOD_GOOD".to_owned(), 0), ("MOOD_BAD".to_owned(), -1)]);
        assert!(builder.add_class(&class("Tower", "Node")));
        let live = builder.build();
        assert!(!live.property("Tower", "mood").unwrap().is_stored());
        assert!(live.property("Tower", "name").unwrap().is_stored());
        assert_eq!(live.signal("Tower", "ready").unwrap().argument_count(), 0);
        // In the nearest version, but not in this engine.
        assert!(live.signal("Tower", "renamed").is_none());
        assert_eq!(live.method("Node", "call").unwrap().most, None);
        let mood = live.class("Node").unwrap().enum_values("Mood").unwrap();
        assert!(mood.eq([("MOOD_GOOD", 0), ("MOOD_BAD", -1)]));
        // It is unknown which names an extension's class accepts.
        assert!(live.takes("Tower", "anything") && !live.takes("Node", "anything"));
    }

    #[test]
    fn names_that_fit_no_row_are_left_out() {
        let mut builder = ClassDbBuilder::new(GodotVersion::godot4(6));
        assert!(!builder.add_class(&class("A\nB", "Object")));
        assert!(!builder.add_class(&class("A", "Obj\tect")));
        assert!(!builder.add_class(&class("", "Object")));
        assert!(builder.add_class(&class("C", "Object")));
        builder.add_property("a\tb", "int", true);
        builder.add_property("x", "in\nt", true);
        builder.add_signal("s\n=D", &[]);
        builder.add_signal("t", &["a\tb".to_owned()]);
        builder.add_method("m\r", 0, None, (false, false));
        builder.add_enum("E", &[("A=B".to_owned(), 1)]);
        let live = builder.build();
        let found = live.class("C").unwrap();
        assert_eq!(found.property_names().count() + found.signal_names().count(), 0);
        assert_eq!(found.method_names().count() + found.enum_names().count(), 0);
        assert!(live.class("D").is_none() && live.class("A").is_none());
    }
}
