//! `tree`

use std::fmt;

use gdscene_refactor::{ConnectionOutline, NodeOutline, Outline, outline};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::{Shown, excerpt};
use crate::paths;
use crate::tool::{Call, Effect, Tool, ToolError};

pub(crate) struct Tree;

/// Of what the tree is, and how much of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The scene or resource: `res://level.tscn`.
    file: String,
    /// Also list the nodes of instanced and inherited scenes, in Godot's order.
    #[serde(default)]
    resolve: bool,
    /// List only this node and its child nodes: `Enemies/Slime`.
    node: Option<String>,
    /// The maximum number of levels below the root, or below `node`.
    depth: Option<usize>,
    /// The maximum number of nodes to list.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 1000))]
    limit: usize,
}

fn default_limit() -> usize {
    150
}

/// What stands in a scene or resource.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// The file: `res://…`.
    file: String,
    /// The class; `PackedScene` for a scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    /// The script of a resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<String>,
    /// The properties that a resource sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    properties: Vec<String>,
    /// The nodes, each after its parent.
    nodes: Shown<Node>,
    /// The connections: `from.signal -> to.method()`.
    connections: Shown<String>,
    /// The resources in other files: `id: path (class)`.
    ext_resources: Shown<String>,
    /// The resources inside the file: `id: class`.
    sub_resources: Shown<String>,
    /// Notes: why nodes are missing here, or that the text is broken.
    remarks: Vec<String>,
}

/// A node.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Node {
    /// The path from the root, which is `.`.
    path: String,
    #[serde(skip)]
    depth: usize,
    #[serde(skip)]
    name: String,
    /// The class.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    /// The script: its path, or `::ID` if it is inside the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<String>,
    /// Other traits: an instance, changed here, unique name, groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    traits: Vec<String>,
    /// The set properties.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    properties: Vec<String>,
}

const MAX_RESOURCES: usize = 60;

impl Tool for Tree {
    type Arguments = Arguments;
    type Report = Report;

    const NAME: &'static str = "tree";
    const TITLE: &'static str = "Look at a scene";
    const DESCRIPTION: &'static str = "Shows the content of a scene or resource: the node tree with classes, scripts, instances, groups and the names of set \
         properties, the connections, and the resources with their ids. Use it instead of reading a scene's text; `get` reads \
         values.";
    const EFFECT: Effect = Effect::Reads;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<Report, ToolError> {
        let project = call.project()?;
        let path = paths::res_path(project, &arguments.file)?;
        paths::file(project, &path)?;
        let mut found = outline(project, &path, arguments.resolve)?;
        select(&mut found, arguments.node.as_deref(), arguments.depth)?;
        Ok(Report::new(found, arguments.limit.clamp(1, 1000)))
    }
}

/// Leaves out what is not asked for.
fn select(
    outline: &mut Outline,
    node: Option<&str>,
    depth: Option<usize>,
) -> Result<(), ToolError> {
    let wanted = node.map(|node| node.trim_end_matches('/')).filter(|node| *node != ".");
    let mut root_depth = 0;
    if let Some(wanted) = wanted {
        let paths = outline.nodes.iter().map(|node| node.path.as_bytes());
        let near = godot_tscn::nearest(wanted.as_bytes(), paths).map(String::from_utf8_lossy);
        let hint = near.map_or_else(
            || {
                "; `tree` without `node` lists all, with `resolve` those of instances too"
                    .to_owned()
            },
            |near| format!("; did you mean `{near}`?"),
        );
        let found = outline.nodes.iter().find(|node| node.path == wanted);
        let missing =
            || ToolError(format!("no node `{}` in `{}`{hint}", excerpt(wanted), outline.file));
        root_depth = found.ok_or_else(missing)?.depth;
        let below = format!("{wanted}/");
        let is_inside = |path: &str| path == wanted || path.starts_with(&below);
        outline.nodes.retain(|node| is_inside(&node.path));
        outline.connections.retain(|found| is_inside(&found.from) || is_inside(&found.to));
        outline.ext_resources.clear();
        outline.sub_resources.clear();
    }
    if let Some(depth) = depth {
        outline.nodes.retain(|node| node.depth - root_depth <= depth);
    }
    Ok(())
}

impl Report {
    fn new(outline: Outline, limit: usize) -> Self {
        let ext_resources = outline.ext_resources.iter().map(|resource| {
            let missing = if resource.is_missing { ", missing" } else { "" };
            format!("{}: {} ({}{missing})", resource.id, resource.path, resource.class)
        });
        let sub_resources = outline.sub_resources.iter().map(|resource| {
            format!("{}: {}{}", resource.id, resource.class, listed(&resource.properties))
        });
        let nodes: Vec<Node> = outline.nodes.iter().map(Node::new).collect();
        let connections = outline.connections.iter().map(connection_text).collect();
        Self {
            nodes: Shown::new(nodes, limit, Node::len),
            connections: Shown::of_texts(connections, MAX_RESOURCES),
            ext_resources: Shown::of_texts(ext_resources.collect(), MAX_RESOURCES),
            sub_resources: Shown::of_texts(sub_resources.collect(), MAX_RESOURCES),
            file: outline.file,
            class: outline.class,
            script: outline.script,
            properties: outline.properties,
            remarks: outline.notes,
        }
    }
}

impl Node {
    fn new(node: &NodeOutline) -> Self {
        let mut traits = Vec::new();
        if node.unique_name {
            traits.push(format!("%{}", node.name));
        }
        traits.extend(node.instance.as_ref().map(|scene| match node.depth {
            0 => format!("inherits {scene}"),
            _ => format!("instance of {scene}"),
        }));
        traits.extend(node.made_by.as_ref().map(|scene| format!("made by {scene}")));
        traits.extend(node.is_override.then(|| "changed here".to_owned()));
        traits.extend(node.is_editable.then(|| "editable children".to_owned()));
        traits.extend(node.opaque.as_ref().map(|why| format!("its nodes are not known: {why}")));
        if !node.groups.is_empty() {
            traits.push(format!("groups {}", node.groups.join(", ")));
        }
        Self {
            path: node.path.clone(),
            depth: node.depth,
            name: node.name.clone(),
            class: node.class.clone(),
            script: node.script.clone(),
            traits,
            // That is reported already.
            properties: node.properties.iter().filter(|name| *name != "script").cloned().collect(),
        }
    }

    fn len(&self) -> usize {
        let texts = self.traits.iter().chain(&self.properties).chain(&self.class);
        let texts: usize = texts.chain(&self.script).map(|text| text.len() + 2).sum();
        2 * self.depth + self.name.len() + texts
    }
}

fn connection_text(connection: &ConnectionOutline) -> String {
    let ConnectionOutline { from, signal, to, method, .. } = connection;
    let binds = connection.binds.as_ref().map(|binds| format!(" binds {binds}"));
    let unbinds = connection.unbinds.map(|count| format!(" unbinds {count}"));
    let flags = connection.flags.map(|flags| format!(" flags {flags}"));
    let made_by = connection.made_by.as_ref().map(|scene| format!(" (made by {scene})"));
    let more = [binds, unbinds, flags, made_by].into_iter().flatten().collect::<String>();
    format!("{from}.{signal} -> {to}.{method}(){more}")
}

fn listed(properties: &[String]) -> String {
    if properties.is_empty() { String::new() } else { format!(" {{{}}}", properties.join(", ")) }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:indent$}{}", "", self.name, indent = 2 * self.depth)?;
        if let Some(class) = &self.class {
            write!(f, ": {class}")?;
        }
        if let Some(script) = &self.script {
            write!(f, " ({script})")?;
        }
        if !self.traits.is_empty() {
            write!(f, " [{}]", self.traits.join("; "))?;
        }
        write!(f, "{}", listed(&self.properties))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(class) = &self.class {
            write!(f, " ({class})")?;
        }
        if let Some(script) = &self.script {
            write!(f, " with {script}")?;
        }
        write!(f, "{}", listed(&self.properties))?;
        for node in &self.nodes.items {
            write!(f, "\n{node}")?;
        }
        if self.nodes.more > 0 {
            write!(f, "\n… {} more nodes; narrow by `node` or `depth`", self.nodes.more)?;
        }
        let lists = [
            (&self.connections, "connections"),
            (&self.ext_resources, "resources in other files"),
            (&self.sub_resources, "resources inside"),
        ];
        for (list, what) in lists {
            if !list.is_empty() {
                write!(f, "\n{what} ({}):", list.count())?;
            }
            for item in &list.items {
                write!(f, "\n  {item}")?;
            }
            if list.more > 0 {
                write!(f, "\n  … {} more", list.more)?;
            }
        }
        for remark in &self.remarks {
            write!(f, "\n{remark}")?;
        }
        Ok(())
    }
}
