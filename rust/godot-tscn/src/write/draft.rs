//! A text scene or resource in the making.

use godot_variant::{Value, VariantType};

use crate::document::TagKind;

/// A text scene or resource in the making, for [`write()`](crate::write()).
#[derive(Clone, Debug)]
pub struct Draft {
    header: DraftSection,
    sections: Vec<DraftSection>,
}

/// A tag in the making, with the properties that follow it.
#[derive(Clone, Debug)]
pub struct DraftSection {
    name: Box<str>,
    fields: Vec<(Box<str>, Expression)>,
    properties: Vec<(Box<str>, Expression)>,
}

/// The possible texts after the `=` of a property or field: a value, or an expression that only makes
/// sense in a file.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A value.
    Value(Value),
    /// The external resource with this id.
    ExtResource(Box<str>),
    /// The sub-resource with this id.
    SubResource(Box<str>),
    /// An untyped array that may hold references.
    Array(Vec<Expression>),
    /// An untyped dictionary that may hold references.
    Dictionary(Vec<(Expression, Expression)>),
}

impl Draft {
    /// An empty scene. Its first node is the root.
    pub fn scene() -> Self {
        Self { header: DraftSection::new("gd_scene"), sections: Vec::new() }
    }

    /// An empty resource of this class. Add a section `resource` for its properties.
    pub fn resource(class: &str) -> Self {
        let mut header = DraftSection::new("gd_resource");
        header.field("type", class);
        Self { header, sections: Vec::new() }
    }

    /// The tag at the top, for `uid` and `script_class`. `format` and `load_steps` come by themselves.
    pub fn header_mut(&mut self) -> &mut DraftSection {
        &mut self.header
    }

    /// Adds an external resource.
    pub fn ext_resource(&mut self, class: &str, path: &str, id: &str) -> &mut DraftSection {
        self.add("ext_resource").field("type", class).field("path", path).field("id", id)
    }

    /// Adds a sub-resource. It must come before its users.
    pub fn sub_resource(&mut self, class: &str, id: &str) -> &mut DraftSection {
        self.add("sub_resource").field("type", class).field("id", id)
    }

    /// Adds a node.
    pub fn node(&mut self, name: &str) -> &mut DraftSection {
        self.add("node").field("name", name)
    }

    /// Adds a connection.
    pub fn connection(
        &mut self,
        signal: &str,
        from: &str,
        to: &str,
        method: &str,
    ) -> &mut DraftSection {
        self.add("connection")
            .field("signal", signal)
            .field("from", from)
            .field("to", to)
            .field("method", method)
    }

    /// Makes the children of an instance editable.
    pub fn editable(&mut self, path: &str) -> &mut DraftSection {
        self.add("editable").field("path", path)
    }

    /// Adds a section with a tag that has this name.
    pub fn add(&mut self, name: &str) -> &mut DraftSection {
        self.sections.push(DraftSection::new(name));
        let last = self.sections.len() - 1;
        &mut self.sections[last]
    }

    /// The section number `index`, in the order in which they were added.
    ///
    /// # Panics
    /// When there is none.
    pub fn section(&mut self, index: usize) -> &mut DraftSection {
        &mut self.sections[index]
    }

    pub(crate) fn header(&self) -> &DraftSection {
        &self.header
    }

    pub(crate) fn sections(&self) -> &[DraftSection] {
        &self.sections
    }
}

impl DraftSection {
    fn new(name: &str) -> Self {
        Self { name: name.into(), fields: Vec::new(), properties: Vec::new() }
    }

    /// Adds a field to the tag. Groups are a `PackedStringArray`, an instance is an `ExtResource`.
    pub fn field(&mut self, name: &str, value: impl Into<Expression>) -> &mut Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    /// Adds a property.
    pub fn property(&mut self, key: &str, value: impl Into<Expression>) -> &mut Self {
        self.properties.push((key.into(), value.into()));
        self
    }

    pub(crate) fn kind(&self) -> TagKind {
        TagKind::of(self.name.as_bytes())
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn fields(&self) -> &[(Box<str>, Expression)] {
        &self.fields
    }

    pub(crate) fn properties(&self) -> &[(Box<str>, Expression)] {
        &self.properties
    }

    /// The text of the field called `name`.
    fn text(&self, name: &str) -> Option<&str> {
        self.fields.iter().find_map(|(field, value)| match value {
            Expression::Value(Value::String(text)) if **field == *name => Some(&**text),
            _ => None,
        })
    }

    pub(crate) fn id(&self) -> Option<&str> {
        self.text("id")
    }

    pub(crate) fn path(&self) -> Option<&str> {
        self.text("path")
    }

    /// Whether a property asks for `format=4` (`_find_resources`, 4.6.3).
    pub(crate) fn needs_format_4(&self) -> bool {
        self.properties.iter().any(|(_, value)| value.needs_format_4())
    }
}

impl Expression {
    fn needs_format_4(&self) -> bool {
        match self {
            Self::Value(value) => value_needs_format_4(value),
            Self::Array(elements) => elements.iter().any(Self::needs_format_4),
            Self::Dictionary(entries) => {
                entries.iter().any(|(key, value)| key.needs_format_4() || value.needs_format_4())
            }
            Self::ExtResource(_) | Self::SubResource(_) => false,
        }
    }
}

/// The size up to which bytes are still written as numbers.
const MAX_PLAIN_BYTES: usize = 64;

fn value_needs_format_4(value: &Value) -> bool {
    match value {
        Value::PackedByteArray(bytes) => bytes.len() > MAX_PLAIN_BYTES,
        Value::Array(array) => array.elements.iter().any(value_needs_format_4),
        Value::Dictionary(dictionary) => dictionary
            .iter()
            .any(|(key, value)| value_needs_format_4(key) || value_needs_format_4(value)),
        _ => value.variant_type() == VariantType::PackedVector4Array,
    }
}

impl<T: Into<Value>> From<T> for Expression {
    fn from(value: T) -> Self {
        Self::Value(value.into())
    }
}
