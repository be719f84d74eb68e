//! A sink that summarises one value: its type, a few words, and whether more values are inside.

use std::fmt::Write as _;

use bytemuck::{Pod, pod_read_unaligned};
use godot_variant::{
    ArraySink, ContainerTypeRef, DictionarySink, NodePathRef, ObjectSink, PackedType, Real,
    Refusal, RefusalKind, Sink, StringKind, StringsSink, Text, Value, VariantType,
};

/// So many elements, names and texts are shown.
const SHOWN_ELEMENTS: usize = 8;
/// So many characters of a text are shown.
const SHOWN_CHARS: usize = 60;

/// What is inside a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Elements(usize),
    Entries(usize),
    Properties(usize),
}

/// What was seen. A container is refused after it was seen, so that its decoder stops in front of
/// its content.
#[derive(Debug, Default)]
pub(super) struct SummarySink {
    pub(super) ty: Option<VariantType>,
    pub(super) summary: String,
    pub(super) inside: Option<Inside>,
}

impl SummarySink {
    fn record(&mut self, ty: VariantType, summary: String) -> Result<(), Refusal> {
        self.ty = Some(ty);
        self.summary = summary;
        Ok(())
    }

    /// Keeps what is seen of a container, and stops the decoder.
    fn abort_at_container(&mut self, ty: VariantType, summary: String, inside: Inside) -> Refusal {
        self.ty = Some(ty);
        self.summary = summary;
        self.inside = Some(inside);
        // Nobody sees it: `inside` says that it is not an error.
        Refusal::new(RefusalKind::Engine { what: "look inside" })
    }
}

/// A text in quotes, cut to a readable length.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((cut, _)) => format!("{:?}… ({} bytes)", &text[..cut], text.len()),
        None => format!("{text:?}"),
    }
}

fn listed<T: std::fmt::Display>(parts: impl IntoIterator<Item = T>) -> String {
    let mut list = String::from("(");
    for (index, part) in parts.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(list, "{comma}{part}");
    }
    list + ")"
}

fn counted(count: usize, singular: &str, plural: &str) -> String {
    format!("{count} {}", if count == 1 { singular } else { plural })
}

fn is_identifier(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.len() <= SHOWN_CHARS && name.bytes().all(is_part)
}

/// The declared type of a container's elements, as GDScript names it.
fn declared(ty: ContainerTypeRef<'_>) -> String {
    match ty {
        ContainerTypeRef::Any => "Variant".to_owned(),
        ContainerTypeRef::Builtin(ty) => ty.name().to_owned(),
        ContainerTypeRef::Class(class) if is_identifier(class) => class.to_owned(),
        // Whatever the bytes say: what is printed must not steer a terminal.
        ContainerTypeRef::Class(text) | ContainerTypeRef::Script(text) => quoted(text),
    }
}

/// The first elements of a packed array.
fn packed_summary(ty: PackedType, elements: &[u8]) -> String {
    let count = elements.len() / ty.element_len();
    let shown: Vec<String> = elements
        .chunks_exact(ty.element_len())
        .take(SHOWN_ELEMENTS)
        .map(|element| match ty {
            PackedType::Byte => element[0].to_string(),
            PackedType::Int32 => part::<i32>(element).to_string(),
            PackedType::Int64 => part::<i64>(element).to_string(),
            PackedType::Float32 => part::<f32>(element).to_string(),
            PackedType::Float64 => part::<f64>(element).to_string(),
            PackedType::Vector2 => listed(part::<[Real; 2]>(element)),
            PackedType::Vector3 => listed(part::<[Real; 3]>(element)),
            PackedType::Vector4 => listed(part::<[Real; 4]>(element)),
            PackedType::Color => listed(part::<[f32; 4]>(element)),
        })
        .collect();
    elements_summary(count, &shown)
}

fn part<T: Pod>(bytes: &[u8]) -> T {
    pod_read_unaligned(bytes)
}

fn elements_summary(count: usize, shown: &[String]) -> String {
    let rest = if count > shown.len() { ", …" } else { "" };
    match count {
        0 => "empty".to_owned(),
        _ => {
            format!("{}: {}{rest}", counted(count, "element", "elements"), shown.join(", "))
        }
    }
}

impl<'g> Sink for &'g mut SummarySink {
    type Array = Never;
    type Dictionary = Never;
    type Object = Never;
    type Strings = StringsGlimpse<'g>;

    fn nil(self) -> Result<(), Refusal> {
        self.record(VariantType::Nil, String::new())
    }

    fn bool(self, value: bool) -> Result<(), Refusal> {
        self.record(VariantType::Bool, value.to_string())
    }

    fn int(self, value: i64) -> Result<(), Refusal> {
        self.record(VariantType::Int, value.to_string())
    }

    fn float(self, value: f64) -> Result<(), Refusal> {
        self.record(VariantType::Float, format!("{value:?}"))
    }

    fn string(self, kind: StringKind, text: Text<'_>) -> Result<(), Refusal> {
        self.record(kind.variant_type(), quoted(&text.to_boxed_str()))
    }

    fn reals<const N: usize>(self, ty: VariantType, components: &[Real; N]) -> Result<(), Refusal> {
        self.record(ty, listed(components))
    }

    fn ints<const N: usize>(self, ty: VariantType, components: &[i32; N]) -> Result<(), Refusal> {
        self.record(ty, listed(components))
    }

    fn color(self, components: &[f32; 4]) -> Result<(), Refusal> {
        self.record(VariantType::Color, listed(components))
    }

    fn node_path(self, path: NodePathRef<'_>) -> Result<(), Refusal> {
        self.record(VariantType::NodePath, quoted(&path.to_owned().to_string()))
    }

    fn rid(self, id: u64) -> Result<(), Refusal> {
        self.record(VariantType::Rid, id.to_string())
    }

    fn null_object(self) -> Result<(), Refusal> {
        self.record(VariantType::Object, "null".to_owned())
    }

    fn object_id(self, id: u64) -> Result<(), Refusal> {
        self.record(VariantType::Object, format!("id {id}"))
    }

    fn object(self, class: Text<'_>, count: usize) -> Result<Never, Refusal> {
        let properties = counted(count, "property", "properties");
        let summary = format!("of class {}, {properties}", quoted(&class.to_boxed_str()));
        Err(self.abort_at_container(VariantType::Object, summary, Inside::Properties(count)))
    }

    fn callable(self) -> Result<(), Refusal> {
        self.record(VariantType::Callable, String::new())
    }

    fn signal(self, name: Text<'_>, object_id: u64) -> Result<(), Refusal> {
        let name = quoted(&name.to_boxed_str());
        self.record(VariantType::Signal, format!("{name} of object {object_id}"))
    }

    fn dictionary(
        self,
        key_type: ContainerTypeRef<'_>,
        value_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Never, Refusal> {
        let entries = counted(count, "entry", "entries");
        let types = match key_type.is_any() && value_type.is_any() {
            true => String::new(),
            false => format!("[{}, {}]", declared(key_type), declared(value_type)),
        };
        let summary = format!("{types}, {entries}");
        Err(self.abort_at_container(VariantType::Dictionary, summary, Inside::Entries(count)))
    }

    fn array(self, element_type: ContainerTypeRef<'_>, count: usize) -> Result<Never, Refusal> {
        let elements = counted(count, "element", "elements");
        let types = match element_type.is_any() {
            true => String::new(),
            false => format!("[{}]", declared(element_type)),
        };
        let summary = format!("{types}, {elements}");
        Err(self.abort_at_container(VariantType::Array, summary, Inside::Elements(count)))
    }

    fn packed(self, ty: PackedType, elements: &[u8]) -> Result<(), Refusal> {
        self.record(ty.variant_type(), packed_summary(ty, elements))
    }

    fn packed_strings(self, count: usize) -> Result<StringsGlimpse<'g>, Refusal> {
        Ok(StringsGlimpse { summary: self, count, shown: Vec::new() })
    }
}

/// The sink of a content that is never emitted: its container is refused.
#[derive(Debug)]
pub(super) enum Never {}

impl ArraySink for Never {
    type Element<'a> = &'a mut Value;

    fn element(&mut self) -> &mut Value {
        match *self {}
    }

    fn end(self) -> Result<(), Refusal> {
        match self {}
    }
}

impl DictionarySink for Never {
    type Key<'a> = &'a mut Value;
    type Value<'a> = &'a mut Value;

    fn key(&mut self) -> &mut Value {
        match *self {}
    }

    fn value(&mut self) -> &mut Value {
        match *self {}
    }

    fn end(self) -> Result<(), Refusal> {
        match self {}
    }
}

impl ObjectSink for Never {
    type Value<'a> = &'a mut Value;

    fn property(&mut self, _name: Text<'_>) -> Result<&mut Value, Refusal> {
        match *self {}
    }

    fn end(self) -> Result<(), Refusal> {
        match self {}
    }
}

/// Keeps the first strings.
#[derive(Debug)]
pub(super) struct StringsGlimpse<'g> {
    summary: &'g mut SummarySink,
    count: usize,
    shown: Vec<String>,
}

impl StringsSink for StringsGlimpse<'_> {
    fn push(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        if self.shown.len() < SHOWN_ELEMENTS {
            self.shown.push(quoted(&text.to_boxed_str()));
        }
        Ok(())
    }

    fn end(self) -> Result<(), Refusal> {
        let summary = elements_summary(self.count, &self.shown);
        self.summary.record(VariantType::PackedStringArray, summary)
    }
}
