//! Reads one text from its first value to its last.

use godot_variant::{Refusal, Sink};

use super::Builder;
use super::plan::Node;
use crate::json::{Fault, Reader, read_value};
use crate::kinds::{boolean, sequence};
use crate::load::load_value;
use crate::run::Run;
use crate::{Registry, ResultCode, Schema, Settings, Task};

/// Why a value was not streamed.
pub(crate) enum Fallback {
    /// This value has to be read into a tree and loaded by the rules of its kind. Nothing is in its place.
    Value,
    /// The whole document has to be, as there is something to report.
    Document,
}

impl From<Fault> for Fallback {
    fn from(_: Fault) -> Fallback {
        Fallback::Document
    }
}

impl From<Refusal> for Fallback {
    fn from(_: Refusal) -> Fallback {
        Fallback::Document
    }
}

/// What reading a value returns.
pub(crate) type Streamed<T> = Result<T, Fallback>;

/// Documents with deeper values take the tree path, which reports its limit.
const MAX_DEPTH: usize = 200;

/// Reads a text and makes its values.
pub(crate) struct StreamReader<'r, 't, B: Builder> {
    pub(crate) reader: Reader<'t>,
    pub(crate) run: Run<'r>,
    pub(crate) builder: &'r B,
    /// Finished values of the containers that are open.
    pub(crate) values: Vec<B::Value>,
    depth: usize,
    /// How many bytes were read as trees. Those inside of a value that is itself read as a tree count again.
    tree_len: usize,
}

impl<'r, 't, B: Builder> StreamReader<'r, 't, B> {
    pub(super) fn new(
        reader: Reader<'t>,
        registry: &'r Registry,
        settings: Settings,
        builder: &'r B,
    ) -> Self {
        let run = Run::new(registry, settings, None);
        StreamReader { reader, run, builder, values: Vec::new(), depth: 0, tree_len: 0 }
    }

    /// The one value of the text.
    pub(super) fn document(
        mut self,
        schema: &Schema,
        node: &Node<'_, B>,
    ) -> Option<(B::Value, ResultCode)> {
        let mut value = self.builder.nil();
        self.reader.begin().ok()?;
        let code = self.value(schema, node, &mut value).ok()?;
        self.reader.end().ok()?;
        Some((value, code))
    }

    /// A value into `place`, which is nil.
    #[inline]
    pub(crate) fn value(
        &mut self,
        schema: &Schema,
        node: &Node<'_, B>,
        place: &mut B::Value,
    ) -> Streamed<ResultCode> {
        let start = self.reader.position();
        match self.streamed(node, place) {
            Err(Fallback::Value) => {
                self.reader.go_back(start);
                self.by_tree(schema, place)
            }
            done => done,
        }
    }

    #[inline]
    fn streamed(&mut self, node: &Node<'_, B>, place: &mut B::Value) -> Streamed<ResultCode> {
        let (reader, builder) = (&mut self.reader, self.builder);
        match node {
            Node::Int(int) => {
                let value = int.read(reader)?;
                builder.place(place).int(value)?;
            }
            Node::Float(float) => {
                let value = float.read(reader)?;
                builder.place(place).float(value)?;
            }
            Node::String(string) => string.read(reader, builder, place)?,
            Node::Bool => {
                let value = boolean::read(reader)?;
                builder.place(place).bool(value)?;
            }
            Node::Vector(vector) => vector.read(reader, builder, place)?,
            Node::Color(color) => {
                let channels = color.read(reader)?;
                builder.place(place).color(&channels)?;
            }
            Node::Enum(values) => {
                let value = values.read(reader)?;
                builder.place(place).int(value)?;
            }
            Node::Packed(packed) => packed.read(reader, builder, place)?,
            Node::Record(record) if reader.peek() == Some(b'{') => {
                return self.record(record, place);
            }
            Node::Map(_, value) if reader.peek() == Some(b'{') => return self.map(value, place),
            Node::Array(item) if reader.peek() == Some(b'[') => return self.array(item, place),
            Node::PackedStrings(item) if reader.peek() == Some(b'[') => {
                return self.packed_strings(item, place);
            }
            _ => return Err(Fallback::Value),
        }
        Ok(self.run.success(Task::ReadField))
    }

    /// A value that is read into a tree and loaded by the rules of its kind, if they report nothing.
    #[cold]
    #[inline(never)]
    fn by_tree(&mut self, schema: &Schema, place: &mut B::Value) -> Streamed<ResultCode> {
        let start = self.reader.position();
        let json = read_value(&mut self.reader)?;
        // A value inside of a container that is read as a tree may have been read as one before.
        self.tree_len += self.reader.len_since(start);
        if self.tree_len > self.reader.len() {
            return Err(Fallback::Document);
        }
        let mut value = sequence::fresh(&self.run, schema, &json);
        self.run.begin_at(self.depth);
        let code = load_value(&mut self.run, schema, &mut value, &json);
        if self.run.has_issues() || code.is_refused() {
            return Err(Fallback::Document);
        }
        self.builder.put(value, place)?;
        Ok(code)
    }

    /// Does `step` one level deeper, with the number of finished values before it.
    pub(crate) fn deeper<T>(
        &mut self,
        step: impl FnOnce(&mut Self, usize) -> Streamed<T>,
    ) -> Streamed<T> {
        if self.depth == MAX_DEPTH {
            return Err(Fallback::Document);
        }
        let known = self.values.len();
        self.depth += 1;
        let result = step(self, known);
        self.depth -= 1;
        // After an error, finished values may be left.
        self.values.truncate(known);
        result
    }
}
