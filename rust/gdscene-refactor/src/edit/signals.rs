//! `connect`, `disconnect`

use godot_project::{Project, ValueType};
use godot_tscn::{SectionId, quoted_name};

use crate::edit::Outcome;
use crate::edit::error::EditErrorKind;
use crate::edit::object::Object;
use crate::edit::operation::{ConnectionSpec, ValueSpec};
use crate::edit::scene::SceneEdit;
use crate::edit::value::{of_godot, of_json};
use crate::names::check_identifier;

/// `Object.CONNECT_PERSIST`: the flag of connections in a scene.
const PERSIST: i64 = 2;

impl SceneEdit {
    /// `connect`
    pub(super) fn connect(
        &mut self,
        project: &Project,
        connection: &ConnectionSpec,
        flags: Option<i64>,
        binds: &[ValueSpec],
        unbinds: u32,
    ) -> Result<Outcome, EditErrorKind> {
        let ConnectionSpec { signal, method, .. } = connection;
        let (from, to) = self.ends(connection)?;
        let mut notes = Vec::new();
        let emitter =
            self.node_object(project, &from).ok_or_else(|| self.no_node(project, &from))?;
        if emitter.lacks_signal(signal) {
            let near = emitter.nearest_signal(signal);
            let what = format!("the signal `{signal}` of {}", emitter.called());
            return Err(EditErrorKind::not_found(what, near.as_deref()));
        }
        let target = self.node_object(project, &to).ok_or_else(|| self.no_node(project, &to))?;
        check_identifier(method, "method name")?;
        if target.lacks_method(method) {
            notes.push(format!("`{to}` has no method `{method}` yet; add it to its script"));
        }
        if self.find_connection(signal, &from, &to, method).is_some() {
            let reason =
                format!("`{signal}` of `{from}` is already connected to `{method}()` of `{to}`");
            return Err(EditErrorKind::Refused(reason));
        }
        let binds = self.bind_texts(project, binds)?;
        let section =
            self.new_connection(project, &from, &to, connection, !binds.is_empty() || unbinds > 0);
        let flags = flags.map_or(PERSIST, |flags| flags | PERSIST);
        if flags != PERSIST {
            self.document.set_field(section, "flags", flags.to_string());
        }
        if unbinds > 0 {
            self.document.set_field(section, "unbinds", unbinds.to_string());
        }
        if !binds.is_empty() {
            let list = format!("[{}]", binds.join(", "));
            self.document.set_field(section, "binds", list.as_str());
            self.count(None, Some(&list));
        }
        let what = format!("connected `{signal}` of `{from}` to `{method}()` of `{to}`");
        Ok(Outcome { what, notes, ..Outcome::default() })
    }

    /// `disconnect`
    pub(super) fn disconnect(
        &mut self,
        connection: &ConnectionSpec,
    ) -> Result<Outcome, EditErrorKind> {
        let ConnectionSpec { signal, method, .. } = connection;
        let (from, to) = self.ends(connection)?;
        let Some(index) = self.find_connection(signal, &from, &to, method) else {
            let known = self
                .connections
                .iter()
                .filter(|section| self.text(**section, "from").as_deref() == Some(&from));
            let known = known.map(|section| {
                let text = |field| self.text(*section, field).unwrap_or_default();
                format!("`{}` to `{}()` of `{}`", text("signal"), text("method"), text("to"))
            });
            let known: Vec<String> = known.take(3).collect();
            let hint = match known.as_slice() {
                [] => format!("; `{from}` has no connections here"),
                known => format!("; `{from}` has {}", known.join(", ")),
            };
            let reason = format!(
                "`{signal}` of `{from}` is not connected to `{method}()` of `{to}` here{hint}"
            );
            return Err(EditErrorKind::Refused(reason));
        };
        let section = self.connections.remove(index);
        self.drop_section(section);
        let what = format!("disconnected `{signal}` of `{from}` from `{method}()` of `{to}`");
        Ok(Outcome { what, ..Outcome::default() })
    }

    /// Removes the connections of signals that a node has no more, which Godot does not save. Returns the removed
    /// connections.
    pub(super) fn drop_lost_signals(&mut self, path: &str, object: &Object<'_>) -> Vec<String> {
        let lost: Vec<SectionId> = self
            .connections
            .iter()
            .copied()
            .filter(|section| {
                self.text(*section, "from").as_deref() == Some(path)
                    && self
                        .text(*section, "signal")
                        .is_some_and(|signal| object.lacks_signal(&signal))
            })
            .collect();
        let mut notes = Vec::new();
        for section in lost {
            let text = |field| self.text(section, field).unwrap_or_default();
            let (signal, to, method) = (text("signal"), text("to"), text("method"));
            notes.push(format!(
                "the connection of `{signal}` to `{method}()` of `{to}` was also removed"
            ));
            self.connections.retain(|other| *other != section);
            self.drop_section(section);
        }
        notes
    }

    fn ends(&self, connection: &ConnectionSpec) -> Result<(String, String), EditErrorKind> {
        Ok((self.plain_path(&connection.from)?, self.plain_path(&connection.to)?))
    }

    fn find_connection(&self, signal: &str, from: &str, to: &str, method: &str) -> Option<usize> {
        let fields = [("signal", signal), ("from", from), ("to", to), ("method", method)];
        self.connections.iter().position(|section| {
            fields.iter().all(|(field, text)| {
                self.document.field_text(*section, field).as_deref() == Some(text.as_bytes())
            })
        })
    }

    fn bind_texts(
        &self,
        project: &Project,
        binds: &[ValueSpec],
    ) -> Result<Vec<String>, EditErrorKind> {
        let any = ValueType::Any;
        let version = self.version(project);
        let text = |value: &ValueSpec| {
            let text = match value {
                ValueSpec::Godot(text) => of_godot(text, &any, version),
                ValueSpec::Json(json) => of_json(json, &any, version),
                ValueSpec::Load(_) | ValueSpec::New(..) => {
                    Err("a resource cannot be bound here".to_owned())
                }
            };
            text.map_err(|reason| EditErrorKind::Refused(format!("a bound argument: {reason}")))
        };
        binds.iter().map(text).collect()
    }

    /// A tag with its ends, at the place where Godot writes it: by the emitter's place in the tree, the signal, whether
    /// arguments are bound, and the target's place (`SceneState::_parse_connections`, scene/resources/packed_scene.cpp).
    fn new_connection(
        &mut self,
        project: &Project,
        from: &str,
        to: &str,
        connection: &ConnectionSpec,
        is_bound: bool,
    ) -> SectionId {
        let key = |scene: &Self, section: SectionId| {
            let text = |field| scene.text(section, field).unwrap_or_default();
            let has = |field| scene.document.field(section, field).is_some();
            let is_bound = has("binds") || has("unbinds");
            let order = |end: &str| scene.tree_order(project, end);
            (order(&text("from")), text("signal"), is_bound, order(&text("to")))
        };
        let order = |end: &str| self.tree_order(project, end);
        let own = (order(from), connection.signal.clone(), is_bound, order(to));
        let at = self.connections.partition_point(|section| key(self, *section) <= own);
        let behind = match at.checked_sub(1) {
            Some(before) => Some(self.connections[before]),
            None => self.last_before_connections(),
        };
        let section = self.document.insert("connection", behind);
        self.connections.insert(at, section);
        self.document.set_field(section, "signal", quoted_name(&connection.signal));
        self.document.set_field(section, "from", quoted_name(from));
        self.document.set_field(section, "to", quoted_name(to));
        self.document.set_field(section, "method", quoted_name(&connection.method));
        section
    }

    fn last_before_connections(&self) -> Option<SectionId> {
        use godot_tscn::TagKind;
        match self.connections.first() {
            Some(first) => self.document.previous(*first),
            None => {
                let is_before = |section: &SectionId| {
                    !matches!(self.document.kind(*section), TagKind::Connection | TagKind::Editable)
                };
                self.document.sections().filter(is_before).last()
            }
        }
    }
}

impl Object<'_> {
    /// Whether it is certain that it has no such signal.
    fn lacks_signal(&self, name: &str) -> bool {
        let Some(class) = &self.class else { return false };
        let classes = self.classes();
        let is_open = self.has_unknown_script
            || classes.class(class).is_none()
            || self.scripts().any(|script| script.has_dynamic_signals);
        !is_open
            && classes.signal(class, name).is_none()
            && self.script.as_ref().is_none_or(|chain| chain.signal(name).is_none())
    }

    fn nearest_signal(&self, name: &str) -> Option<String> {
        let classes = self.classes();
        let native = self.class.iter().flat_map(|class| classes.lineage(class));
        let native = native.flat_map(godot_project::Class::signal_names);
        let own = self.scripts().flat_map(|script| &script.signals);
        let all = own.map(|signal| signal.name.as_str()).chain(native);
        godot_project::class_db::nearest(name, all).map(str::to_owned)
    }

    /// Whether it is certain that it has no such method.
    fn lacks_method(&self, name: &str) -> bool {
        let Some(class) = &self.class else { return false };
        let classes = self.classes();
        !self.has_unknown_script
            && classes.class(class).is_some()
            && classes.method(class, name).is_none()
            && self.script.as_ref().is_none_or(|chain| chain.function(name).is_none())
    }
}
