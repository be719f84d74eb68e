//! `add`, `instance`, `remove`, `editable`

use tscn::{PartKind, SectionId, TagKind, ValueTree, quoted_name, quoted_raw};

use crate::edit::Outcome;
use crate::edit::error::EditErrorKind;
use crate::edit::nodes::{NodeId, Nodes};
use crate::edit::operation::{NewNode, Siblings};
use crate::edit::properties::Holder;
use crate::edit::resources::found_file;
use crate::edit::scene::SceneEdit;
use crate::project::Project;
use crate::property_path::node_path;
use crate::refactor::ids::FreshNodeIds;
use crate::refactor::names::check_node_name;
use crate::settings::lossy;
use crate::tree::NodeInTree;

impl SceneEdit {
    /// `add`
    pub(super) fn add_node(
        &mut self,
        project: &Project,
        path: &str,
        class: &str,
        with: &NewNode,
    ) -> Result<Outcome, EditErrorKind> {
        let (native, script) = Self::known_class_of(project, class, "Node")?;
        let (node, section) = self.new_node(project, path, &with.place)?;
        self.document.set_field(section, "type", quoted_raw(&native));
        let mut with = with.clone();
        with.script = with.script.or(script);
        self.equip(project, node, &with)?;
        let path = self.nodes.path(node);
        let what = format!("added `{path}` ({class})");
        Ok(Outcome { what, node: Some(path), ..Outcome::default() })
    }

    /// `instance`
    pub(super) fn add_instance(
        &mut self,
        project: &Project,
        path: &str,
        inner: &str,
        with: &NewNode,
    ) -> Result<Outcome, EditErrorKind> {
        let file = found_file(project, &self.path, inner)?;
        let inner = project.path(file).to_owned();
        let is_scene = project.resource_type(file).is_none_or(|class| class == "PackedScene");
        if !is_scene || project.facts(file).scene.is_none() && project.import(file).is_none() {
            return Err(EditErrorKind::Refused(format!("`{inner}` is not a scene")));
        }
        if crate::instances::leads_to(project, file, &self.path) {
            let reason = format!("`{inner}` contains `{}`: it would contain itself", self.path);
            return Err(EditErrorKind::Refused(reason));
        }
        let (node, section) = self.new_node(project, path, &with.place)?;
        let id = self.load(project, &inner)?;
        let text = format!("ExtResource(\"{id}\")");
        self.document.set_field(section, "instance", text.as_str());
        self.count(None, Some(&text));
        self.equip(project, node, with)?;
        let path = self.nodes.path(node);
        let what = format!("added `{path}`, an instance of `{inner}`");
        Ok(Outcome { what, node: Some(path), ..Outcome::default() })
    }

    /// A class of Godot's, and the path of the script if a script declares the class.
    pub(super) fn known_class_of(
        project: &Project,
        class: &str,
        base: &str,
    ) -> Result<(String, Option<String>), EditErrorKind> {
        let classes = project.classes();
        let refuse = |reason: String| Err(EditErrorKind::Refused(reason));
        let (native, script) = match classes.class(class) {
            Some(_) => (class.to_owned(), None),
            None => {
                let Some(file) = project.scripts().class(class) else {
                    let names = classes.class_names().chain(project.scripts().class_names());
                    let near = crate::class_db::nearest(class, names);
                    return Err(EditErrorKind::not_found(format!("the class `{class}`"), near));
                };
                let chain = project.scripts().chain(project, file);
                let Some(native) = chain.native else {
                    return refuse(format!(
                        "it is not known which class of Godot's `{class}` extends"
                    ));
                };
                (native, Some(project.path(file).to_owned()))
            }
        };
        if !classes.inherits(&native, base) {
            return refuse(format!("`{class}` is not a {base}"));
        }
        if !classes.class(&native).is_some_and(crate::class_db::Class::is_instantiable) {
            return refuse(format!("`{class}` is abstract; Godot makes no object of it"));
        }
        Ok((native, script))
    }

    /// A node with its name and place, and nothing else yet.
    fn new_node(
        &mut self,
        project: &Project,
        path: &str,
        place: &Siblings,
    ) -> Result<(NodeId, SectionId), EditErrorKind> {
        if self.nodes.is_empty() {
            return Err(EditErrorKind::Refused("it has no root node".to_owned()));
        }
        let (parent, name) = match path.rsplit_once('/') {
            Some((parent, name)) => (self.plain_path(parent)?, name.to_owned()),
            None => (".".to_owned(), node_path(path)?),
        };
        check_node_name(&name)?;
        let base = self.base(project, &parent);
        if self.nodes.find(&parent).is_none_or(|node| self.nodes.section(node).is_none())
            && base.is_none()
        {
            return Err(self.no_node(project, &parent));
        }
        self.check_editable(&parent)?;
        let parent_node = self.nodes.find_or_add(&parent);
        let inner: Vec<String> =
            base.iter().flat_map(NodeInTree::children).map(str::to_owned).collect();
        let name = self.free_name(parent_node, &inner, &name);
        let at = self.place_among(parent_node, &inner, place)?;
        let node = self.nodes.insert(parent_node, at.own, &name);
        let section = self.section_of_new(project, node, &parent, &name);
        if self.keeps_index(project, &parent) {
            self.document.set_field(section, "index", format!("\"{}\"", at.index));
            self.shift_indices(parent_node, at.own + 1);
        }
        Ok((node, section))
    }

    fn section_of_new(
        &mut self,
        project: &Project,
        node: NodeId,
        parent: &str,
        name: &str,
    ) -> SectionId {
        let behind = self.nodes.section_before(node);
        let section = self.document.insert("node", behind);
        self.nodes.set_section(node, section);
        self.document.set_field(section, "name", quoted_name(name));
        self.document.set_field(section, "parent", quoted_name(parent));
        if let Some(id) = self.parent_ids(project, parent) {
            self.document.set_field(section, "parent_id_path", id);
        }
        if self.has_node_ids(project) {
            let taken = self.document.sections().filter_map(|section| {
                self.text(section, "unique_id").and_then(|id| id.parse().ok())
            });
            let id = FreshNodeIds::new(&format!("{}::{parent}/{name}", self.path), taken).id();
            self.document.set_field(section, "unique_id", id.to_string());
        }
        section
    }

    /// Whether nodes have ids: since Godot 4.6, which may have saved the file before the project's settings.
    pub(super) fn has_node_ids(&self, project: &Project) -> bool {
        let has_id = |section: SectionId| self.document.field(section, "unique_id").is_some();
        self.version(project) >= tscn::GodotVersion::godot4(6)
            || self.nodes.section(Nodes::ROOT).is_some_and(has_id)
    }

    /// Groups, properties and the script of a new node.
    fn equip(
        &mut self,
        project: &Project,
        node: NodeId,
        with: &NewNode,
    ) -> Result<(), EditErrorKind> {
        let path = self.nodes.path(node);
        if let Some(script) = &with.script {
            self.attach(project, &path, script)?;
        }
        if with.unique_name {
            self.put_unique(project, &path)?;
        }
        self.sync_layout(project, &path, None)?;
        self.set_all(project, &Holder::Node(path.clone()), &with.properties)?;
        if !with.groups.is_empty() {
            self.group(project, &path, &with.groups, &[])?;
        }
        Ok(())
    }

    fn put_unique(&mut self, project: &Project, path: &str) -> Result<(), EditErrorKind> {
        let place = self.place(project, &format!("{path}:unique_name_in_owner"))?;
        self.put(project, &place, "true")
    }

    /// The name, or with a number behind it if a sibling has it (`Node::_generate_serial_child_name`, scene/main/node.cpp,
    /// Godot 4.6.3, with the project setting `editor/naming/node_name_num_separator` as it is by default).
    fn free_name(&self, parent: NodeId, inner: &[String], name: &str) -> String {
        let is_taken = |name: &str| {
            self.nodes.child(parent, name).is_some() || inner.iter().any(|inner| inner == name)
        };
        if !is_taken(name) {
            return name.to_owned();
        }
        let stem = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let mut digits = name[stem.len()..].to_owned();
        loop {
            digits = if digits.is_empty() { "2".to_owned() } else { increased(&digits) };
            let attempt = format!("{stem}{digits}");
            if !is_taken(&attempt) {
                return attempt;
            }
        }
    }

    /// Where a new child comes.
    fn place_among(
        &self,
        parent: NodeId,
        inner: &[String],
        place: &Siblings,
    ) -> Result<Position, EditErrorKind> {
        let own = self.nodes.children(parent);
        // Nodes of instanced scenes come first, in their order.
        let mut all: Vec<&str> = inner.iter().map(String::as_str).collect();
        let known: hashbrown::HashSet<&str> = all.iter().copied().collect();
        all.extend(
            own.iter().map(|child| self.nodes.name(*child)).filter(|name| !known.contains(name)),
        );
        let position = |name: &str| {
            all.iter().position(|other| *other == name).ok_or_else(|| {
                let near = tscn::nearest(name.as_bytes(), all.iter().map(|name| name.as_bytes()));
                let near = near.map(String::from_utf8_lossy);
                EditErrorKind::not_found(format!("the sibling `{name}`"), near.as_deref())
            })
        };
        let count = all.len();
        let index = match place {
            Siblings { before: None, after: None, index: None } => count,
            Siblings { before: Some(name), after: None, index: None } => position(name)?,
            Siblings { before: None, after: Some(name), index: None } => position(name)? + 1,
            Siblings { before: None, after: None, index: Some(index) } => {
                let from_end = || count as i64 + 1 + index;
                let index = if *index < 0 { from_end() } else { *index };
                usize::try_from(index).ok().filter(|index| *index <= count).ok_or_else(|| {
                    EditErrorKind::Refused(format!("the place is not one of 0 to {count}"))
                })?
            }
            _ => {
                let reason = "give only one of `before`, `after` and `index`".to_owned();
                return Err(EditErrorKind::Refused(reason));
            }
        };
        // Among those that this text lists: behind as many as stand in front of it.
        let before: hashbrown::HashSet<&str> = all[..index].iter().copied().collect();
        let own = own.iter().filter(|child| before.contains(self.nodes.name(**child))).count();
        Ok(Position { index, own })
    }

    /// Lets the siblings behind a new node count on.
    fn shift_indices(&mut self, parent: NodeId, from: usize) {
        let behind = self.nodes.children(parent)[from..].to_vec();
        for sibling in behind {
            let Some(section) = self.nodes.section(sibling) else { continue };
            let index = self.text(section, "index").and_then(|index| index.parse::<u32>().ok());
            if let Some(index) = index {
                self.document.set_field(section, "index", format!("\"{}\"", index + 1));
            }
        }
    }

    /// Whether nodes below this one keep their place: in an inherited scene, or below a node of an instanced one
    /// (`SceneState::_parse_node`, scene/resources/packed_scene.cpp, Godot 4.6.3).
    fn keeps_index(&self, project: &Project, parent: &str) -> bool {
        let inherits = self
            .nodes
            .section(Nodes::ROOT)
            .is_some_and(|root| self.document.field(root, "instance").is_some());
        let is_inner = || {
            let node = self.nodes.find(parent);
            !node.is_some_and(|node| self.makes(node)) && self.base(project, parent).is_some()
        };
        inherits || is_inner()
    }

    /// That what is at a path may be changed here: the instances that it lies in are editable.
    pub(super) fn check_editable(&self, path: &str) -> Result<(), EditErrorKind> {
        let mut node = Some(Nodes::ROOT);
        let mut instance = None;
        let mut walked = String::new();
        let editables = self.editables();
        for name in crate::edit::nodes::names(path) {
            let here = if walked.is_empty() { ".".to_owned() } else { walked.clone() };
            let is_instance = node.is_some_and(|node| {
                node != Nodes::ROOT
                    && self
                        .nodes
                        .section(node)
                        .is_some_and(|section| self.document.field(section, "instance").is_some())
            });
            if is_instance {
                instance = Some(here);
            }
            node = node.and_then(|node| self.nodes.child(node, name));
            if node.is_some_and(|node| self.makes(node)) {
                instance = None;
            }
            if let Some(instance) = &instance
                && !editables.contains(instance)
            {
                let reason = format!(
                    "`{path}` is a node of the scene that `{instance}` is an instance of; change that scene, or let \
                     its nodes be changed here first: {{\"op\": \"editable\", \"node\": \"{instance}\"}}"
                );
                return Err(EditErrorKind::Refused(reason));
            }
            walked = if walked.is_empty() { name.to_owned() } else { format!("{walked}/{name}") };
        }
        Ok(())
    }

    fn editables(&self) -> Vec<String> {
        let sections = self.document.sections();
        let tags = sections.filter(|section| self.document.kind(*section) == TagKind::Editable);
        tags.filter_map(|section| self.text(section, "path")).collect()
    }

    /// The section of a node, which is made if the node is one of an instanced scene.
    pub(super) fn section_for(
        &mut self,
        project: &Project,
        path: &str,
    ) -> Result<SectionId, EditErrorKind> {
        if let Some(section) = self.nodes.find(path).and_then(|node| self.nodes.section(node)) {
            return Ok(section);
        }
        self.check_editable(path)?;
        let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
        let base = self.base(project, parent);
        let inner: Vec<String> =
            base.iter().flat_map(NodeInTree::children).map(str::to_owned).collect();
        let parent_node = self.nodes.find_or_add(parent);
        let node = match self.nodes.find(path) {
            Some(node) => node,
            None => {
                let own = inner.iter().take_while(|other| *other != name);
                let before: hashbrown::HashSet<&str> = own.map(String::as_str).collect();
                let listed = self.nodes.children(parent_node).iter();
                let at = listed.filter(|child| before.contains(self.nodes.name(**child))).count();
                self.nodes.insert(parent_node, at, name)
            }
        };
        let section = self.document.insert("node", self.nodes.section_before(node));
        self.nodes.set_section(node, section);
        self.document.set_field(section, "name", quoted_name(name));
        self.document.set_field(section, "parent", quoted_name(parent));
        if let Some(ids) = self.parent_ids(project, parent) {
            self.document.set_field(section, "parent_id_path", ids);
        }
        let index = inner.iter().position(|other| other == name).unwrap_or(inner.len());
        self.document.set_field(section, "index", format!("\"{index}\""));
        let made = self.base(project, path).and_then(|base| base.node().unique_id());
        if let Some(id) = made.filter(|_| self.has_node_ids(project)) {
            self.document.set_field(section, "unique_id", id.to_string());
        }
        Ok(section)
    }

    /// The field `parent_id_path` of a child: the ids of the nodes on the way to a parent that has no tag here.
    fn parent_ids(&self, project: &Project, parent: &str) -> Option<String> {
        let node = self.nodes.find(parent)?;
        if self.nodes.section(node).is_some() || !self.has_node_ids(project) {
            return None;
        }
        let ids = self.id_path(project, parent)?;
        let ids: Vec<String> = ids.iter().map(i32::to_string).collect();
        Some(format!("PackedInt32Array({})", ids.join(", ")))
    }

    /// The ids from a node of this scene to one of a scene inside it, an id for each scene on the way.
    pub(super) fn id_path(&self, project: &Project, path: &str) -> Option<Vec<i32>> {
        // Those of each node on the way.
        let mut ways: Vec<Vec<i32>> = vec![Vec::new()];
        let mut walked = String::from(".");
        let mut node = Some(Nodes::ROOT);
        for name in crate::edit::nodes::names(path) {
            walked = if walked == "." { name.to_owned() } else { format!("{walked}/{name}") };
            node = node.and_then(|node| self.nodes.child(node, name));
            if let Some(node) = node.filter(|node| self.makes(*node)) {
                ways.push(vec![self.text(self.nodes.section(node)?, "unique_id")?.parse().ok()?]);
                continue;
            }
            let base = self.base(project, &walked)?;
            let owner = ways.len() + base.nodes_to_owner()?;
            let mut ids = ways.get(owner.checked_sub(base.ancestry().len())?)?.clone();
            ids.push(base.node().unique_id()?);
            ways.push(ids);
        }
        ways.pop()
    }

    /// `remove`
    pub(super) fn remove_node(
        &mut self,
        project: &Project,
        path: &str,
        with_references: bool,
    ) -> Result<Outcome, EditErrorKind> {
        let path = self.plain_path(path)?;
        let refuse = |reason: String| Err(EditErrorKind::Refused(reason));
        if path == "." {
            return refuse("the root cannot be removed; remove the file".to_owned());
        }
        let Some(node) = self.nodes.find(&path).filter(|node| self.nodes.section(*node).is_some())
        else {
            return match self.base(project, &path) {
                Some(_) => {
                    refuse(format!("`{path}` is a node of an instanced scene; remove it there"))
                }
                None => Err(self.no_node(project, &path)),
            };
        };
        if !self.makes(node) {
            return refuse(format!(
                "`{path}` is a node of an instanced scene; remove it there, or `unset` what is changed here"
            ));
        }
        let references = self.references_into(&path);
        let parent = self.nodes.parent(node).unwrap_or(Nodes::ROOT);
        let at = self.nodes.children(parent).iter().position(|child| *child == node);
        let sections = self.nodes.remove(node);
        let count = sections.len();
        self.close_gap(parent, at.unwrap_or(usize::MAX));
        sections.into_iter().for_each(|section| self.drop_section(section));
        let connections = self.drop_connections(&path);
        let mut outcome = Outcome { what: format!("removed `{path}`"), ..Outcome::default() };
        if count > 1 {
            outcome.notes.push(format!("{} nodes below it went along", count - 1));
        }
        if connections > 0 {
            outcome.notes.push(format!("{connections} connections of it went along"));
        }
        for (section, owner, key) in references {
            if !self.document.is_there(section) {
                continue;
            }
            if with_references {
                let object = self.node_object(project, &owner);
                if let Some(object) = object {
                    self.take(&object, section, &key);
                    outcome.notes.push(format!("`{owner}:{key}` named it and is unset"));
                }
            } else {
                outcome.notes.push(format!("`{owner}:{key}` still names it"));
            }
        }
        Ok(outcome)
    }

    /// Lets the siblings behind a node that went count on.
    fn close_gap(&mut self, parent: NodeId, from: usize) {
        let behind = self.nodes.children(parent).get(from..).unwrap_or_default().to_vec();
        for sibling in behind {
            let Some(section) = self.nodes.section(sibling) else { continue };
            let index = self.text(section, "index").and_then(|index| index.parse::<u32>().ok());
            if let Some(index) = index.and_then(|index| index.checked_sub(1)) {
                self.document.set_field(section, "index", format!("\"{index}\""));
            }
        }
    }

    /// Removes a section; its resources lose a use.
    pub(super) fn drop_section(&mut self, section: SectionId) {
        let values: Vec<String> = self.document.values(section).map(lossy).collect();
        for value in &values {
            self.count(Some(value), None);
        }
        self.document.remove(section);
    }

    /// Removes the connections and `editable` tags of a node and of all below it. Returns how many connections.
    fn drop_connections(&mut self, path: &str) -> usize {
        let is_inside =
            |found: Option<String>| found.is_some_and(|found| is_at_or_below(&found, path));
        let gone: Vec<SectionId> = self
            .connections
            .iter()
            .copied()
            .filter(|section| {
                is_inside(self.text(*section, "from")) || is_inside(self.text(*section, "to"))
            })
            .collect();
        let gone_set: hashbrown::HashSet<SectionId> = gone.iter().copied().collect();
        self.connections.retain(|section| !gone_set.contains(section));
        let count = gone.len();
        gone.into_iter().for_each(|section| self.drop_section(section));
        let sections = self.document.sections();
        let tags: Vec<SectionId> = sections
            .filter(|section| {
                self.document.kind(*section) == TagKind::Editable
                    && is_inside(self.text(*section, "path"))
            })
            .collect();
        tags.into_iter().for_each(|section| self.document.remove(section));
        count
    }

    /// The properties of nodes outside that hold a path to a node or to one below it: section, node, property.
    fn references_into(&self, path: &str) -> Vec<(SectionId, String, String)> {
        let mut found = Vec::new();
        for section in self.document.sections() {
            if self.document.kind(section) != TagKind::Node {
                continue;
            }
            let name = self.text(section, "name").unwrap_or_default();
            let owner = match self.text(section, "parent").as_deref() {
                None => ".".to_owned(),
                Some(".") => name,
                Some(parent) => format!("{parent}/{name}"),
            };
            if is_at_or_below(&owner, path) {
                continue;
            }
            for (key, value) in self.document.properties(section) {
                if names_node(value, &owner, path) {
                    found.push((section, owner.clone(), lossy(&key)));
                }
            }
        }
        found
    }

    /// `editable`
    pub(super) fn set_editable(
        &mut self,
        project: &Project,
        path: &str,
        on: bool,
    ) -> Result<Outcome, EditErrorKind> {
        let path = self.plain_path(path)?;
        let Some(object) = self.node_object(project, &path) else {
            return Err(self.no_node(project, &path));
        };
        let is_instance =
            path != "." && object.base.as_ref().is_some_and(|base| base.node().is_instance_root());
        if !is_instance {
            return Err(EditErrorKind::Refused(format!("`{path}` is not an instance of a scene")));
        }
        let sections: Vec<SectionId> = self.document.sections().collect();
        let tags: Vec<SectionId> = sections
            .into_iter()
            .filter(|section| self.document.kind(*section) == TagKind::Editable)
            .collect();
        let known =
            tags.iter().copied().find(|tag| self.text(*tag, "path").as_ref() == Some(&path));
        let what = if on { "made editable" } else { "made not editable" };
        let what = format!("{what}: `{path}`");
        match (known, on) {
            (None, true) => {
                let mut before = tags.iter().copied().filter(|tag| {
                    self.text(*tag, "path").is_some_and(|other| self.is_before(&other, &path))
                });
                let last = self
                    .document
                    .sections()
                    .filter(|section| self.document.kind(*section) != TagKind::Editable)
                    .last();
                let behind = before.next_back().or(last);
                let tag = self.document.insert("editable", behind);
                self.document.set_field(tag, "path", quoted_name(&path));
            }
            (Some(tag), false) => {
                let changed = self.nodes.find(&path).map(|node| self.changed_below(node));
                if let Some(changed) = changed.filter(|changed| !changed.is_empty()) {
                    let reason = format!(
                        "`{}` is changed here, which would be lost; `unset` that first",
                        changed.join("`, `")
                    );
                    return Err(EditErrorKind::Refused(reason));
                }
                self.document.remove(tag);
            }
            _ => {}
        }
        Ok(Outcome { what, ..Outcome::default() })
    }

    /// The nodes of the instanced scene, or new ones below them, that have tags below a node.
    fn changed_below(&self, node: NodeId) -> Vec<String> {
        let mut changed = Vec::new();
        let mut open = self.nodes.children(node).to_vec();
        while let Some(node) = open.pop() {
            if self.nodes.section(node).is_some() && !self.makes(node) {
                changed.push(self.nodes.path(node));
            }
            open.extend(self.nodes.children(node));
        }
        changed
    }

    /// Removes the tag of a node of an instanced scene that says nothing any more.
    pub(super) fn drop_if_empty(&mut self, holder: &Holder) {
        let Holder::Node(path) = holder else { return };
        let Some(node) = self.nodes.find(path) else { return };
        let Some(section) = self.nodes.section(node).filter(|_| !self.makes(node)) else { return };
        let is_empty = self.document.properties(section).len() == 0
            && self.document.field(section, "groups").is_none();
        if is_empty {
            self.document.remove(section);
            self.nodes.clear_section(node);
        }
    }

    /// Whether the node at one path comes before that at the other in the tree.
    pub(super) fn is_before(&self, one: &str, other: &str) -> bool {
        self.order_of(one) < self.order_of(other)
    }

    /// The places on the way from the root to a node, which order nodes as they stand in the tree.
    pub(super) fn order_of(&self, path: &str) -> Vec<usize> {
        let mut node = Some(Nodes::ROOT);
        let mut order = Vec::new();
        for name in crate::edit::nodes::names(path) {
            let child = node.and_then(|node| self.nodes.child(node, name));
            let at = node.zip(child).and_then(|(node, child)| {
                self.nodes.children(node).iter().position(|other| *other == child)
            });
            order.push(at.unwrap_or(usize::MAX));
            node = child;
        }
        order
    }
}

/// A place among siblings: of all, and of those that a text lists.
struct Position {
    index: usize,
    own: usize,
}

/// `increase_numeric_string` (scene/main/node.cpp)
fn increased(digits: &str) -> String {
    let mut bytes = digits.as_bytes().to_vec();
    for byte in bytes.iter_mut().rev() {
        if *byte != b'9' {
            *byte += 1;
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        *byte = b'0';
    }
    format!("1{}", String::from_utf8_lossy(&bytes))
}

fn is_at_or_below(path: &str, of: &str) -> bool {
    path.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a value of the node `owner` holds a path to the node at `path` or below.
fn names_node(value: &[u8], owner: &str, path: &str) -> bool {
    if memchr::memmem::find(value, b"NodePath").is_none() {
        return false;
    }
    let tree = ValueTree::new(value);
    tree.parts().filter(|part| part.kind() == PartKind::Construct).any(|part| {
        let Some(target) = part.inner_text("NodePath") else { return false };
        let target = lossy(&target);
        let target = target.split(':').next().unwrap_or_default();
        if target.is_empty() || target.starts_with(['/', '%']) {
            return false;
        }
        node_path(&format!("{owner}/{target}")).is_ok_and(|target| is_at_or_below(&target, path))
    })
}
