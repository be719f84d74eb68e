//! Node paths and objects.

use godot_variant::{NodePathRef, ObjectSink, Segment, Sink, Text, VariantType};

use super::{Decoder, refused};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::header;

/// What stands before the names of a node path.
pub(crate) struct NodePathHead {
    absolute: bool,
    /// How many of the texts are names, the rest being subnames.
    name_count: usize,
    pub(crate) total: usize,
}

/// What stands before the properties of an object.
pub(crate) enum ObjectHead<'a> {
    Null,
    Id(u64),
    Full { class: &'a str, property_count: usize },
}

impl<'a> Decoder<'a> {
    pub(super) fn node_path<S: Sink>(&mut self, sink: S, start: usize) -> Result<(), DecodeError> {
        let head = self.node_path_head(start)?;
        self.budget.count(head.total, start)?;
        let mut texts = Vec::with_capacity(head.total);
        for _ in 0..head.total {
            texts.push(self.text(VariantType::NodePath)?);
        }
        let (names, subnames) = texts.split_at(head.name_count);
        sink.node_path(NodePathRef { absolute: head.absolute, names, subnames })
            .map_err(|refusal| refused(refusal, start))
    }

    pub(crate) fn node_path_head(&mut self, start: usize) -> Result<NodePathHead, DecodeError> {
        let first = self.cursor.take_u32()?;
        if first & header::NODE_PATH_NEW_FORMAT == 0 {
            return Err(DecodeError::new(DecodeErrorKind::ObsoleteNodePath, start + 4));
        }
        let name_count = first & !header::NODE_PATH_NEW_FORMAT;
        let subname_count = self.cursor.take_u32()?;
        let flags = self.cursor.take_u32()?;
        let extra = u32::from(flags & header::NODE_PATH_EXTRA_SUBNAME != 0);
        // The sum wraps in the engine too, and names come first: a path may end inside them.
        let total = name_count.wrapping_add(subname_count.wrapping_add(extra));
        let what = VariantType::NodePath;
        Ok(NodePathHead {
            absolute: flags & header::NODE_PATH_ABSOLUTE != 0,
            name_count: name_count.min(total) as usize,
            total: self.cursor.checked_count(what, total as usize, 4, start + 4)?,
        })
    }

    pub(super) fn object<S: Sink>(
        &mut self,
        sink: S,
        header: u32,
        depth: usize,
        start: usize,
    ) -> Result<(), DecodeError> {
        let refused = |refusal| refused(refusal, start);
        let (class, count) = match self.object_head(header, start)? {
            ObjectHead::Null => return sink.null_object().map_err(refused),
            ObjectHead::Id(id) => return sink.object_id(id).map_err(refused),
            ObjectHead::Full { class, property_count } => (class, property_count),
        };
        self.open(depth, count, start)?;
        let mut object = sink.object(Text::Utf8(class), count).map_err(refused)?;
        for _ in 0..count {
            let name = self.str(VariantType::Object)?;
            let value = object.property(Text::Utf8(name)).map_err(refused)?;
            self.value(value, depth + 1).map_err(|e| e.at(Segment::Property(name.into())))?;
        }
        object.end().map_err(refused)
    }

    pub(crate) fn object_head(
        &mut self,
        header: u32,
        start: usize,
    ) -> Result<ObjectHead<'a>, DecodeError> {
        if header & header::FLAG_OBJECT_AS_ID == 0 && !self.options.allow_objects {
            return Err(DecodeError::new(DecodeErrorKind::ObjectsNotAllowed, start));
        }
        self.object_head_to_skip(header)
    }

    /// As [`Decoder::object_head`], for an object that is skipped.
    pub(crate) fn object_head_to_skip(
        &mut self,
        header: u32,
    ) -> Result<ObjectHead<'a>, DecodeError> {
        if header & header::FLAG_OBJECT_AS_ID != 0 {
            let id = self.cursor.take_u64()?;
            return Ok(if id == 0 { ObjectHead::Null } else { ObjectHead::Id(id) });
        }
        let what = VariantType::Object;
        let class = self.str(what)?;
        if class.is_empty() {
            return Ok(ObjectHead::Null);
        }
        let count_at = self.cursor.position();
        // A negative count is no property at all.
        let count = usize::try_from(self.cursor.take_i32()?).unwrap_or(0);
        let property_count = self.cursor.checked_count(what, count, 8, count_at)?;
        Ok(ObjectHead::Full { class, property_count })
    }
}
